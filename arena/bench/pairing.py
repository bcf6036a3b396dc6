"""Pairing of 24 to 10,000 bots: time per round and the metrics of T7, with their targets.

python -m arena.bench.pairing            # all, some minutes
python -m arena.bench.pairing --quick    # up to 1,000 bots
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from math import exp
from random import Random
from time import process_time

from arena.bench.figures import Figures, Targets, save
from arena.plan import swiss
from arena.plan.swiss import PlayedRound, TableSizes
from ratings.points.points import UNIT, competition_places


@dataclass(frozen=True, slots=True)
class Case:
    """One tournament to time."""

    bots: int
    sizes: TableSizes
    rounds: int
    is_block: bool = True
    house: tuple[str, ...] = ()

    def __str__(self) -> str:
        kind = "blocks" if self.is_block else "single games"
        filled = ", house bots" if self.house else ""
        sizes = f"{self.sizes.least}-{self.sizes.most}" if self.sizes.least < self.sizes.most else f"{self.sizes.most}"
        return f"{self.bots} bots, tables of {sizes}, {self.rounds} rounds, {kind}{filled}"


TWO, FOUR, MIXED = TableSizes(2, 2, 2), TableSizes(4, 4, 4), TableSizes(3, 5, 4)
HOUSE = ("random", "greedy", "search")

QUICK = (
    Case(12, FOUR, 8),
    Case(24, FOUR, 7),
    Case(36, FOUR, 8),
    Case(64, FOUR, 8),
    Case(100, FOUR, 8),
    Case(101, MIXED, 8),
    Case(101, FOUR, 8, house=HOUSE),
    Case(100, FOUR, 8, is_block=False),
    Case(101, TWO, 9, is_block=False),
    Case(300, FOUR, 9),
    Case(1000, FOUR, 12),
    Case(1000, FOUR, 12, is_block=False),
    Case(1000, TWO, 12, is_block=False),
)
FULL = (
    *QUICK,
    Case(10_000, FOUR, 16),
    Case(10_000, FOUR, 8, is_block=False),
    Case(10_000, TWO, 8, is_block=False),
)

TIME_TARGETS = ((300, 3.0), (1_000, 5.0), (10_000, 20.0))
"""T7: seconds for one round up to this many bots."""


COLUMNS = ("Tournament", "Pairing a round, mean", "Worst", "Repeated meetings", "Meetings of a pair, at most")


def run(case: Case) -> tuple[list[float], tuple[PlayedRound, ...]]:
    """Play a tournament between bots of normal strength; return the CPU seconds of each pairing, and its rounds."""
    random = Random(1)
    names = [f"bot{number}" for number in range(case.bots)]
    strength = {bot: exp(random.gauss(0, 1)) for bot in (*names, *case.house)}
    entrants = {bot: swiss.Entrant(bot) for bot in names}
    rounds: list[PlayedRound] = []
    times = []
    for number in range(1, case.rounds + 1):
        began = process_time()
        pairing = swiss.pair(
            entrants.values(), case.sizes, seed=1, round_number=number, house_bots=case.house, is_block=case.is_block
        )
        times.append(process_time() - began)
        tables = []
        for table in pairing.tables:
            turns = len(table.bots) if case.is_block else 1
            clocks = [[int(10**9 * random.expovariate(strength[bot])) for bot in table.bots] for _ in range(turns)]
            games = tuple(swiss.PlayedGame(turn, competition_places(keys)) for turn, keys in enumerate(clocks))
            tables.append(swiss.PlayedTable(table.bots, games))
        rounds.append(PlayedRound(tuple(tables), pairing.byes))
        entrants = swiss.advance(entrants, rounds[-1], preferred=case.sizes.preferred, house_bots=case.house)
    return times, tuple(rounds)


def main() -> int:
    """Print a line for each case; the exit code is 1 if a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.pairing")
    parser.add_argument("--quick", action="store_true", help="only up to 1,000 bots")
    cases = QUICK if parser.parse_args().quick else FULL
    figures, targets = Figures(COLUMNS), Targets()
    for case in cases:
        times, rounds = run(case)
        found = swiss.quality(rounds, preferred=case.sizes.preferred, house_bots=case.house)
        mean, worst = (f"{seconds:.2f} s" for seconds in (sum(times) / len(times), max(times)))
        figures.add(str(case), mean, worst, f"{float(found.repeat_percent):.2f} %", found.max_meetings)
        allowed = next(seconds for bots, seconds in TIME_TARGETS if case.bots <= bots)
        missed = list(swiss.missed_targets(found))
        if max(times) > allowed:
            missed.append(f"T: a round took {worst}, allowed {allowed} s")
        targets.check(
            f"S {float(found.mean_spread):.4f}, S_max {found.spread_max / UNIT:.2f}, D {found.seat_imbalance / 60:.2f},"
            f" O {found.odd_range}, B {found.max_byes}; {'; '.join(missed) or 'all targets'}",
            not missed,
        )
    save("pairing", {"rounds": figures})
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
