"""How much the shipped tuned weights are worth: against the heuristics as they were, at every table size.

    arena bench tuned
    python -m arena.bench.tuned --game norenberc --blocks 50

Every block is one seed, on which tuned and old seats alternate in all rotations that differ; its share is that of pairs
of a tuned and an old seat whose match the tuned one ended ahead, a tie counting half. ± is the standard error over
blocks. The seeds are those of no tuning. In Die Siedler von Nürnberg both sides trade, and in further rows the tuned
weights meet `greedy`, which proposes no trades. The verdict is that of the test that ended the tuning, and CPU the
time that all of it took, for all table sizes together; the last step says how far its candidates still were from the
favourite.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.resources import files
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from arena.bench.figures import Figures, Value, save
from arena.tuning.contest import HEURISTIC, Bout, Contest, ContestPlayer, drawn_seed, opponent_of
from referee.games import BUILT_IN, GAMES
from referee.heuristic import values_of

BLOCKS = 100
GREEDY = "greedy"
COLUMNS = ("Game", "Seats", "Against", "Share", "Blocks", "Verdict of the tuning", "Its blocks", "Last step", "CPU")


def made_by(slug: str) -> dict[str, Any]:
    """Return what a game's file of weights says about them; nothing without one."""
    file = files(f"referee.games.{slug}").joinpath("tuned.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def row(slug: str, seats: int, opponent: str, blocks: int) -> list[Value]:
    """Measure the tuned weights of a table size against an opponent."""
    game, made = GAMES[slug], made_by(slug)
    tuned: Any = game.tuned_heuristic(seats)
    contest = Contest(slug, {}, {GREEDY: opponent_of(GREEDY)} if opponent == GREEDY else {})
    player, values = ContestPlayer(contest), values_of(tuned)
    seeds = [drawn_seed("bench", slug, seats, block) for block in range(blocks)]
    shares = [player.score(Bout(seats, values, opponent, {}, (seed,))).share for seed in seeds]
    entry = {**made.get("seats", {}), **made.get("refused", {})}.get(str(seats), {})
    share = f"{fmean(shares):.3f} ± {stdev(shares) / sqrt(blocks):.3f}"
    cpu = f"{made['cpu_seconds']:,} s" if "cpu_seconds" in made else None
    against = "greedy, without trades" if opponent == GREEDY else "its defaults"
    return [game.title, seats, against, share, blocks, entry.get("verdict", "not tuned"), entry.get("blocks"),
            entry.get("last_step"), cpu]  # fmt: skip


def main() -> int:
    """Measure every game at every table size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=BUILT_IN, action="append")
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    options = parser.parse_args()
    figures = Figures(COLUMNS)
    for slug in options.game or BUILT_IN:
        heuristic: Any = GAMES[slug].heuristic()
        for opponent in (HEURISTIC, GREEDY) if heuristic.rate_trading else (HEURISTIC,):
            for seats in GAMES[slug].table_sizes:
                figures.add(*row(slug, seats, opponent, options.blocks))
    save("tuned", {"strength": figures})
    return 0


if __name__ == "__main__":
    sys.exit(main())
