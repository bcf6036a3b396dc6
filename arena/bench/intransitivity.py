"""How often T8.12 flags tournaments in which one number is enough, and how often it finds cycles.

python -m arena.bench.intransitivity                             # 300 and 40 tournaments of every kind, in ten minutes
python -m arena.bench.intransitivity --quick                     # a few of each
python -m arena.bench.intransitivity --kept FILE --seconds 100   # in pieces: run it again until it ends

Bots of normal strength play tournaments as arena.bench.coverage does, with a 64th of the annealing. In half of them
three groups beat each other in a circle by 1 or 2 nat more than their strengths say, half of it for the winner and half
against the loser. In the last row two bots have played a long test as well, whose blocks are rated in the same pool.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from time import process_time

import numpy as np

from arena.bench.coverage import EFFORT, Cell, less_annealing, outcomes, play
from arena.bench.figures import Figures, Targets, save
from arena.bench.pieces import OutOfTimeError, Pieces, add_options
from ratings.fit.fit import CONFIDENCE, fit
from ratings.fit.intransitivity import FLAGGED, intransitivity
from ratings.points.finishes import Floats
from ratings.points.result import Result

NULL_COUNT, CYCLE_COUNT = 300, 40
"""Tournaments without and with cycles, of every row."""

MAX_FALSE = 0.07
MIN_FOUND = 0.8
"""T18.4: the share of false alarms, and of cycles of 2 nat that are found."""

LARGE_CYCLE = 2.0
CYCLES = (0.0, 1.0, LARGE_CYCLE)


@dataclass(frozen=True, slots=True)
class Row:
    """Tournaments of one size."""

    bots: int
    seats: int
    rounds: int
    tested: int = 0
    """The blocks of a test of the first two bots."""

    def __str__(self) -> str:
        test = f" and a test of {self.tested} blocks" if self.tested else ""
        return f"{self.bots}, {self.seats}, {self.rounds}{test}"


ROWS = (Row(30, 3, 15), Row(30, 2, 15), Row(30, 2, 40), Row(16, 2, 24), Row(12, 4, 12), Row(8, 2, 9, 40))


def p_value(row: Row, cycle: float, seed: int) -> list[float]:
    """P of one tournament, and the CPU seconds that it took to find it."""
    cell = Cell(row.bots, row.seats, 1.0, field="normal", cycle=cycle)
    *_, (_, fitted, truth, results) = play(cell, seed, row.rounds)
    if row.tested:
        results = [*results, *games_of_test(truth[:2] + cell.cycle / 2 * np.array([1, -1]), row.tested, seed)]
        fitted = fit(results)
    began = process_time()
    p = intransitivity(results, fitted).p
    return [1.0 if p is None else p, process_time() - began]


def games_of_test(strengths: Floats, blocks: int, seed: int) -> Iterator[Result]:
    """Yield the games of a test of the first two bots."""
    rng = np.random.default_rng([seed, blocks])
    pair = ("bot000", "bot001")
    for block in range(1, blocks + 1):
        one, other = outcomes(strengths, 2, 0.0, rng)
        yield Result(pair, one, ("test", block, 1))
        yield Result(pair[::-1], other[::-1], ("test", block, 1))


@dataclass(frozen=True, slots=True)
class Rate:
    """The share of some tournaments that were flagged."""

    flagged: int
    tournaments: int

    @property
    def share(self) -> float:
        """Of all."""
        return self.flagged / self.tournaments

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval, after Wilson: also none of a few may be many."""
        square = CONFIDENCE**2
        centre = self.flagged + square / 2
        half = CONFIDENCE * sqrt(self.flagged * (1 - self.share) + square / 4)
        return max(0.0, (centre - half) / (self.tournaments + square)), (centre + half) / (self.tournaments + square)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.flagged} of {self.tournaments} ({100 * low:.0f} to {100 * high:.0f} %)"


def rate(row: Row, cycle: float, tournaments: int, seed: int, pieces: Pieces) -> tuple[Rate, float]:
    """How many tournaments are flagged, and the median CPU seconds of the test."""
    found = [
        pieces.get(f"{row}, {cycle:g}: {seed}, {number}", partial(p_value, row, cycle, 1000 * seed + number))
        for number in range(tournaments)
    ]
    return Rate(sum(p <= FLAGGED for p, _ in found), tournaments), float(np.median([seconds for _, seconds in found]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each row, then the targets; the exit code is 1 if one was missed, 3 if time ran out."""
    parser = argparse.ArgumentParser(prog="arena.bench.intransitivity", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the tournaments")
    parser.add_argument("--null", type=int, default=NULL_COUNT, help=f"without a circle (default {NULL_COUNT})")
    parser.add_argument("--cycles", type=int, default=CYCLE_COUNT, help=f"with one (default {CYCLE_COUNT})")
    parser.add_argument("--effort", type=int, default=EFFORT, help=f"annealing is divided by this (default {EFFORT})")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other tournaments")
    add_options(parser)
    asked = parser.parse_args(arguments)
    share = 20 if asked.quick else 1
    pieces = Pieces(asked.kept, asked.seconds)
    figures = Figures(("N, k, rounds", "false alarms", "found at 1 nat", "found at 2 nat", "CPU seconds"))
    targets = Targets()
    lines = []
    try:
        with less_annealing(asked.effort):
            for row in ROWS:
                counts = [(asked.cycles if cycle else asked.null) // share for cycle in CYCLES]
                rates = [
                    rate(row, cycle, count, asked.seed, pieces) for cycle, count in zip(CYCLES, counts, strict=True)
                ]
                figures.add(str(row), *(str(each) for each, _ in rates), f"{rates[0][1]:.2f}")
                lines.append((row, rates[0][0], rates[-1][0]))
    except OutOfTimeError:
        print("time is up: run it again with the same --kept")
        return 3
    for row, null, large in lines:
        said = f"{row}: false alarms {null} (at most {100 * MAX_FALSE:.0f} %)"
        targets.check(said, null.share <= MAX_FALSE)
        said = f"{row}: cycles of 2 nat found {large} (at least {100 * MIN_FOUND:.0f} %)"
        targets.check(said, None if row.tested else large.share >= MIN_FOUND)
    save("intransitivity", {"rates": figures})
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
