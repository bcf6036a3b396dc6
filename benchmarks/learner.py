"""How far the example learner gets: its curve against greedy, and what it cost.

    python -m benchmarks.learner norenberc --directory trained --seconds 3600 --results benchmarks/results

The learner of `arena.lab.example` starts as the heuristic and trains on two processors. Each time that a tenth of the
time has passed, and at the beginning and the end, it plays matches that no training has seen against greedy, each seat
in turn. The share is that of greedy seats it ends ahead of, ± its standard error over matches; half is even.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from arena.bench.figures import VARIABLE, Figures, save
from arena.lab.example.__main__ import write_bot
from arena.lab.example.network import Network, Weights
from arena.lab.example.training import HIDDEN, RATED, BatchPlayer, Progress, has_teacher, train
from referee.games import GAMES

COLUMNS = ("Seconds", "CPU time", "Matches", "Trains against", "Share of greedy beaten")
POINTS = 10


def main() -> int:
    """Train, and measure as it goes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learner")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--directory", type=Path, required=True, help="where the trained bot is written")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--evaluate", type=int, default=200, help="matches of each measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    if options.results is not None:
        os.environ[VARIABLE] = str(options.results)
    player, figures = BatchPlayer(options.game, options.seats), Figures(COLUMNS)

    def measure(network: Network, seconds: float, cpu: float, matches: int, rung: str) -> None:
        share, error = player.share_beaten(network.choose, options.evaluate)
        figures.add(round(seconds), f"{cpu:.0f} s", matches, rung, f"{share:.3f} ± {error:.3f}")

    def watch(progress: Progress) -> None:
        measure(progress.network, progress.seconds, progress.cpu, progress.matches, progress.rung)

    measure(start_of(player, options.seed), 0, 0, 0, "")
    trained = train(
        options.game, options.seats, matches=10_000_000, seconds=options.seconds, processes=2, seed=options.seed,
        tell=print, library="numpy", watch=watch, every=options.seconds / POINTS,
    )  # fmt: skip
    measure(trained.network, trained.seconds, trained.cpu, trained.matches, "")
    write_bot(options.directory, options.game, trained.network)
    save("learner", {"curve": figures})
    return 0


def start_of(player: BatchPlayer, seed: int) -> Network:
    """Return the network before any training."""
    arrays = player.arrays
    weights = Weights.fresh(len(arrays.view_columns), len(arrays.option_columns), HIDDEN, seed)
    if has_teacher(player.game):
        weights.direct[-1] = RATED
    return Network(weights, arrays.view_columns, arrays.option_columns)


if __name__ == "__main__":
    sys.exit(main())
