"""A bot that searches every game by `referee.search` on tuned weights, and proposes trades where a game has them.

With `--nodes` alone it is deterministic: the same match, seat, prompt and budget give the same answer everywhere.
`--ms` limits its thinking time, which never exceeds a twentieth of its bank or half of the prompt's deadline.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import blake2b

# A bot runs in its own directory, so this is the file beside this one.
from client import Question, main  # type: ignore[import-not-found]

from referee.rng import Rng
from referee.search.budget import SearchBudget, time_for
from referee.search.engine import choose

# The search, the heuristics and their weights lie outside the directory whose hash is the bot's version: when one of
# them changes so that other moves are chosen, this number goes up.
ENGINE = 2


def answer(question: Question, nodes: int, ms: int) -> int:
    """Search until the budget is spent and return the best option."""
    seconds = time_for(ms, question.time_left, question.deadline) if ms else None
    budget = SearchBudget(nodes or None, seconds)
    name = f"{question.match_id}/{question.seat}/{question.prompt_id}"
    rng = Rng(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big"))
    game, heuristic = question.game, question.game.tuned_heuristic(question.seats)
    return choose(game, question.imagine, question.seat, question.options, rng, budget, None, heuristic, trades=True)


def budget_of(arguments: list[str]) -> argparse.Namespace:
    """Read the command line: `--nodes N`, `--ms N` or both, whichever is spent first."""
    parser = argparse.ArgumentParser(description="Play by a search that grows with its budget.")
    parser.add_argument("--nodes", type=int, default=0, help="nodes to look at for each decision")
    parser.add_argument("--ms", type=int, default=0, help="milliseconds to think for each decision")
    limits = parser.parse_args(arguments)
    if limits.nodes < 0 or limits.ms < 0 or not limits.nodes + limits.ms:
        parser.error("give a budget: --nodes or --ms above 0")
    return limits


if __name__ == "__main__":
    limits = budget_of(sys.argv[1:])
    main(lambda question: answer(question, limits.nodes, limits.ms), concurrency=1)
