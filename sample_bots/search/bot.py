"""A bot that searches every game, within a budget of nodes or of time for each decision.

With `--nodes` alone it is deterministic: the same match, seat, prompt and budget give the same answer everywhere.
`--ms` limits its thinking time, which never exceeds a twentieth of its bank or half of the prompt's deadline.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from hashlib import blake2b

# A bot runs in its own directory, so these are the files beside this one.
from client import Question, main  # type: ignore[import-not-found]
from search import Search  # type: ignore[import-not-found]

from referee.game import can_imagine
from referee.rng import Rng

MANY = 1_000_000_000
OVERHEAD = 0.005  # seconds to read a prompt and send the answer


def seed_of(question: Question) -> Rng:
    """Return the generator of one decision: the same for the same match, seat and prompt."""
    name = f"{question.match_id}/{question.seat}/{question.prompt_id}"
    return Rng(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big"))


def choose(question: Question, nodes: int, ms: int) -> int:
    """Search until the budget is spent and return the best option."""
    start = time.monotonic()
    if len(question.options) == 1:
        return 0
    if not can_imagine(question.game):
        return seed_of(question).index(len(question.options))
    search = Search(question.game, question.view, question.seat, question.options, seed_of(question))
    if ms:
        allowed = min(ms / 1000, question.time_left / 20, question.deadline / 2)
        search.run(nodes or MANY, alarm(start + allowed - OVERHEAD))
    else:
        search.run(nodes)
    best: int = search.best()
    return best


def alarm(end: float) -> Callable[[], bool]:
    """Return a function that says whether another node, as slow as the slowest so far, would end too late."""
    last, slowest = time.monotonic(), 0.0

    def is_over() -> bool:
        nonlocal last, slowest
        now = time.monotonic()
        last, slowest = now, max(slowest, now - last)
        return now + slowest > end

    return is_over


def budget(arguments: list[str]) -> argparse.Namespace:
    """Read the command line: `--nodes N`, `--ms N` or both, whichever is spent first."""
    parser = argparse.ArgumentParser(description="Play by Monte-Carlo tree search.")
    parser.add_argument("--nodes", type=int, default=0, help="nodes to look at for each decision")
    parser.add_argument("--ms", type=int, default=0, help="milliseconds to think for each decision")
    options = parser.parse_args(arguments)
    if options.nodes <= 0 and options.ms <= 0:
        parser.error("give a budget: --nodes or --ms above 0")
    return options


if __name__ == "__main__":
    limits = budget(sys.argv[1:])
    main(lambda question: choose(question, limits.nodes, limits.ms), concurrency=1)
