"""How far the intervals of T8 can be trusted: simulated tournaments, paired by the arena's own Swiss rounds.

python -m arena.bench.coverage                                 # every cell that T18.3 asks for, in half an hour
python -m arena.bench.coverage --quick                         # a few tournaments of each kind
python -m arena.bench.coverage --effort 1 --seats 4 --sigma 1  # some cells only, paired with all of the annealing
python -m arena.bench.coverage --kept FILE --seconds 100       # in pieces: run it again until it ends

Bots of known strength play in rotated blocks with one seed per game, first in fields of several kinds: a tournament of
the default length with its focus rounds and lots, held against the truth at its end. Then in normal fields of several
sizes and spreads: 10 points rounds and then rating rounds, held against the truth after 10, 20 and 40 rounds.
Nearly all the time of a tournament would go into annealing its tables: unless told otherwise, they are paired with a
64th of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, fields
from functools import partial
from itertools import product
from math import ceil, inf, log2, nan, sqrt
from operator import attrgetter
from statistics import NormalDist
from time import process_time
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from arena.bench.figures import Figures, Targets, Value, save
from arena.bench.pieces import OutOfTimeError, Pieces, add_options
from arena.plan import swiss
from arena.plan.swiss import TableSizes, tables
from ratings.fit.fit import ELO_PER_NAT, FEW_GAMES, Fit, fit
from ratings.points.finishes import Floats
from ratings.points.points import UNIT, competition_places, seat_of
from ratings.points.result import Result

POINTS_ROUNDS = 10
CHECKS = (10, 20, 40)
SIZES = {2: TableSizes(2, 2, 2), 3: TableSizes(3, 4, 3), 4: TableSizes(4, 4, 4), 5: TableSizes(4, 5, 5)}
SEATS = tuple(SIZES)
SIGMAS = (0.3, 1.0, 2.5)
SIZES_AND_COUNTS = ((24, 30), (100, 5))
"""Bots, and tournaments of each cell."""

EFFORT = 64
"""The divisor of the annealing of tables."""

FIELD_BOTS, FIELD_SEATS, FIELD_COUNT = 30, (2, 4), 60
"""Tournaments of the default length: their bots, table sizes, and the number of tournaments of each field."""

CLUSTERS, WITHIN = 2.0, 0.2
"""The distance of three clusters, and the spread in each, in nat."""

GIANT = 5.0
"""The strength of one bot far above all others, in nat."""

TAIL = 3
"""The degrees of freedom of Student's distribution."""

LEARNED = 1.0
"""By how much a quarter of the bots improves from the first to the last round, in nat."""

SHARED = 0.5
"""The correlation of a bot's luck between games of a block, where it is shared."""

RUNAWAY_SPREAD = 2.0
RUNAWAY_ROUNDS = range(1, 9)
LARGEST_SHOWN = 4000.0
"""T20.3: no rating is ever shown further from 1500."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Tournaments of one kind."""

    bots: int
    seats: int
    sigma: float
    luck: float = 0.0
    """The correlation of a bot's luck between games of a block."""
    field: str = ""
    """The kind of field in a tournament of the default length; empty for a long tournament of a normal field."""
    cycle: float = 0.0
    """By how many nat three groups beat each other in a circle, beyond their strengths."""

    @property
    def checks(self) -> tuple[int, ...]:
        """The rounds after which the fit is held against the truth."""
        return (3 * ceil(log2(self.bots)),) if self.field else CHECKS

    @property
    def points_rounds(self) -> int:
        """T10.1: the points rounds of the default length."""
        return ceil(log2(self.bots)) + 2 if self.field else POINTS_ROUNDS

    def __str__(self) -> str:
        if self.field:
            return f"N {self.bots:3d}, k {self.seats}, {self.field}"
        return f"N {self.bots:3d}, k {self.seats}, sigma {self.sigma:.1f}{', one seed per block' if self.luck else ''}"


@dataclass
class Tally:
    """The fits of some tournaments, compared with the truth."""

    intervals: int = 0
    covered: int = 0
    product: float = 0.0
    square: float = 0.0
    """Of the shown ratings: with the product of truth and shown, the slope."""
    fits: int = 0
    top: float = 0.0
    """By how many Elo the top tenth is shown too high, summed over fits."""
    error: float = 0.0
    claims: int = 0
    """Pairs of which one is said to be stronger with 93 to 97 %."""
    claims_true: int = 0
    places: int = 0
    places_covered: int = 0

    @classmethod
    def of(cls, values: Sequence[float]) -> Tally:
        """A tally from its figures in their order."""
        return cls(**{each.name: value for each, value in zip(fields(cls), values, strict=True)})  # type: ignore[arg-type]  # counts are kept as whole numbers

    def add(self, fitted: Fit, truth: Floats) -> None:
        """Compare one fit with the strengths of its bots, in their order."""
        true, shown = truth - truth.mean(), fitted.strengths
        self.intervals += len(true)
        self.covered += int((np.abs(shown - true) <= fitted.confidence * fitted.errors).sum())
        self.product += float(true @ shown)
        self.square += float(shown @ shown)
        self.error += float(((shown - true) ** 2).sum())
        best = np.argsort(-shown)[: ceil(len(shown) / 10)]
        self.fits += 1
        self.top += float((shown - true)[best].mean()) * ELO_PER_NAT
        assert fitted.covariance is not None
        variances = fitted.errors**2
        deviation = np.sqrt(np.maximum(variances[:, None] + variances - 2 * fitted.covariance, 1e-30))
        score = (shown[:, None] - shown) / deviation
        low, high = (NormalDist().inv_cdf(claim) for claim in (0.93, 0.97))
        is_claimed = (score >= low) & (score <= high)
        self.claims += int(is_claimed.sum())
        self.claims_true += int((is_claimed & (true[:, None] > true)).sum())
        place = (true[:, None] < true).sum(axis=1) + 1
        spans = fitted.place_intervals()
        self.places += len(true)
        self.places_covered += sum(
            spans[bot][0] <= own <= spans[bot][1] for bot, own in zip(fitted.bots, place.tolist(), strict=True)
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def __sub__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, each.name) - getattr(other, each.name) for each in fields(self)))

    @property
    def coverage(self) -> float:
        """How many intervals hold the truth, in percent."""
        return 100 * self.covered / self.intervals

    @property
    def slope(self) -> float:
        """Of truth on shown rating: the mean true gap behind a shown gap of one Elo."""
        return self.product / self.square if self.square else 1.0

    @property
    def overrated(self) -> float:
        """By how many Elo the top tenth is shown too high."""
        return self.top / self.fits

    @property
    def rmse(self) -> float:
        """The error of a rating in Elo."""
        return sqrt(self.error / self.intervals) * ELO_PER_NAT

    @property
    def los(self) -> float:
        """How many claims of 93 to 97 % are true, in percent."""
        return 100 * self.claims_true / self.claims if self.claims else 95.0

    @property
    def place_coverage(self) -> float:
        """How many place intervals hold the true place, in percent."""
        return 100 * self.places_covered / self.places

    def __str__(self) -> str:
        return (
            f"coverage {self.coverage:5.1f} %, slope {self.slope:.2f}, top {self.overrated:+4.0f} Elo,"
            f" rmse {self.rmse:3.0f} Elo, LOS {self.los:5.1f} %, places {self.place_coverage:5.1f} %"
        )


def outcomes(members: Floats, games: int, luck: float, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """The places of some games at a table: Plackett-Luce in every game, with luck shared if requested."""
    count = len(members)
    if luck:
        drawn = sqrt(luck) * rng.normal(size=count) + sqrt(1 - luck) * rng.normal(size=(games, count))
        chances = np.array([[NormalDist().cdf(value) for value in row] for row in drawn.tolist()])
        waits = -np.log(chances)
    else:
        waits = rng.exponential(1, (games, count))
    clocks = np.log(waits) - members
    return [competition_places([int(clock * 10**12) for clock in row]) for row in clocks.tolist()]


def drawn_strengths(cell: Cell, rng: np.random.Generator) -> Floats:
    """The strengths of a field: for learners those in the middle of the tournament, which are their means over it."""
    if cell.field == "clusters":
        return CLUSTERS * (np.arange(cell.bots) % 3 - 1) + rng.normal(0, WITHIN, cell.bots)
    if cell.field == "heavy tail":
        return rng.standard_t(TAIL, cell.bots)
    if cell.field == "equal":
        return np.zeros(cell.bots)
    found: Floats = rng.normal(0, cell.sigma, cell.bots)
    if cell.field == "giant":
        found[0] = GIANT
    return found


def circle(members: NDArray[np.int64]) -> Floats:
    """By how many bots at a table each beats more than beat it in a circle of three groups."""
    ahead = (members - members[:, None]) % 3
    found: Floats = ((ahead == 1).sum(axis=1) - (ahead == 2).sum(axis=1)).astype(np.float64)
    return found


FIELDS = ("normal", "clusters", "giant", "heavy tail", "equal", "learners")


def drawn(
    cell: Cell, entrants: Mapping[str, swiss.Entrant], seed: int, number: int, rating_round: int, fitted: Fit | None
) -> swiss.Pairing:
    """T4, T16.2: draw a round as a tournament does; in so few rounds no pair is ever claimed, so that all are open."""
    sizes = SIZES[cell.seats]
    bots = entrants.values()
    if rating_round < 1:
        return swiss.pair(bots, sizes, seed=seed, round_number=number)
    if swiss.is_lot_round(rating_round, sizes, has_focus=bool(cell.field)):
        lots = swiss.lot_scores(entrants, UNIT, seed=seed, round_number=number)
        return swiss.pair(bots, sizes, seed=seed, round_number=number, ratings=lots)
    assert fitted is not None
    ratings = swiss.rating_scores(fitted.pairing_strengths(), UNIT)
    if cell.field and swiss.is_focus_round(rating_round, len(entrants), sizes):
        return swiss.pair_focus(
            bots, sizes, seed=seed, round_number=number, ratings=ratings, is_open=lambda _one, _other: True
        )
    return swiss.pair(bots, sizes, seed=seed, round_number=number, ratings=ratings)


def play(
    cell: Cell, seed: int, rounds: int, points_rounds: int | None = None
) -> Iterator[tuple[int, Fit, Floats, list[Result]]]:
    """Play a tournament; for every round at whose end there is a fit yield its number, the fit, truth and results."""
    points_rounds = cell.points_rounds if points_rounds is None else points_rounds
    rng = np.random.default_rng(seed)
    sizes = SIZES[cell.seats]
    names = [f"bot{number:03d}" for number in range(cell.bots)]
    truth = drawn_strengths(cell, rng)
    learns = (np.arange(cell.bots) % 4 == 0) * (LEARNED if cell.field == "learners" else 0.0)
    index = {bot: at for at, bot in enumerate(names)}
    entrants = {bot: swiss.Entrant(bot) for bot in names}
    results: list[Result] = []
    fitted: Fit | None = None
    for number in range(1, rounds + 1):
        pairing = drawn(cell, entrants, seed, number, number - points_rounds, fitted)
        now = truth + learns * ((number - 0.5) / rounds - 0.5)
        played = []
        for table in pairing.tables:
            here = len(table.bots)
            here_at = np.array([index[bot] for bot in table.bots])
            strengths = now[here_at] + cell.cycle / 2 * circle(here_at)
            games = outcomes(strengths, here, cell.luck, rng)
            counted = tuple(swiss.PlayedGame(turn, each) for turn, each in enumerate(games))
            played.append(swiss.PlayedTable(table.bots, counted))
            for turn, each in enumerate(games):
                bots, places = [""] * here, [0] * here
                for base, bot in enumerate(table.bots):
                    bots[seat_of(base, turn, here)], places[seat_of(base, turn, here)] = bot, each[base]
                results.append(Result(tuple(bots), tuple(places), ("cup", number, table.number)))
        closed = swiss.PlayedRound(tuple(played), pairing.byes)
        entrants = swiss.advance(entrants, closed, preferred=sizes.preferred)
        if number >= points_rounds or number in cell.checks:
            fitted = fit(results)
            yield number, fitted, truth, results


def run(
    cell: Cell, tournaments: int, seed: int = 1, checks: Sequence[int] = (), pieces: Pieces | None = None
) -> list[dict[int, Tally]]:
    """Play the tournaments of a cell and tally the fits of each at its checks."""
    pieces, checks = pieces or Pieces(), checks or cell.checks
    found = []
    for number in range(tournaments):
        values = pieces.get(f"{cell}: {seed}, {number}", partial(_tallied, cell, 1000 * seed + number, checks))
        size = len(fields(Tally))
        parts = [values[at : at + size] for at in range(0, len(values), size)]
        found.append({check: Tally.of(part) for check, part in zip(checks, parts, strict=True)})
    return found


def _tallied(cell: Cell, seed: int, checks: Sequence[int]) -> list[float]:
    """The tallies of a tournament at its checks, one after the other."""
    here = {check: Tally() for check in checks}
    for at, fitted, truth, _ in play(cell, seed, checks[-1]):
        if at in here:
            here[at].add(fitted, truth)
    return [value for tally in here.values() for value in astuple(tally)]


def total(tallies: Iterable[Tally]) -> Tally:
    """All of them as one."""
    return sum(tallies, Tally())


def error(tallies: Sequence[Tally], figure: Callable[[Tally], float]) -> float:
    """The standard error of a figure, by the jackknife over tournaments.

    The bots of a tournament, and its checks, depend on each other; tournaments do not.
    """
    if len(tallies) < 2:
        return nan
    whole = total(tallies)
    without = [figure(whole - each) for each in tallies]
    return sqrt((len(without) - 1) * float(np.var(without)))


def runaway_pools(count: int, seed: int = 1) -> tuple[int, int, float]:
    """T20.3: small pools of two seats far apart, after 1 to 8 rounds: fits, rough ones, and the furthest rating."""
    fits = rough = 0
    furthest = 0.0
    for number in range(count):
        cell = Cell((4, 6, 8, 12)[number % 4], 2, RUNAWAY_SPREAD)
        for _, fitted, _, _ in play(cell, 1000 * seed + number, RUNAWAY_ROUNDS[-1], points_rounds=1):
            fits += 1
            rough += FEW_GAMES in fitted.notes
            furthest = max(furthest, float(np.abs(fitted.strengths).max()) * ELO_PER_NAT)
    return fits, rough, furthest


FIGURES = {
    "coverage, all cells together: 93 to 97 %": ("coverage", "{:.1f} %", 93, 97),
    "slope of truth on shown, together: 0.95 to 1.05": ("slope", "{:.3f}", 0.95, 1.05),
    "top tenth overrated: at most 10 Elo on average": ("overrated", "{:+.1f} Elo", -inf, 10),
    "LOS of 93 to 97 %: true in 93 to 97 %": ("los", "{:.1f} %", 93, 97),
    "place intervals: 93 to 99 %": ("place_coverage", "{:.1f} %", 93, 99),
}
"""T18.3: the targets of all cells together: the figure, its format, and its bounds."""


def verdicts(cells: Mapping[Cell, Sequence[Tally]]) -> list[tuple[str, str, bool]]:
    """T18.3: the target, the result of every cell's tournaments, and whether the target is met."""
    own = {cell: total(tallies) for cell, tallies in cells.items() if not cell.luck}
    every = [tally for cell, tallies in cells.items() if not cell.luck for tally in tallies]
    shared = [tally for cell, tallies in cells.items() if cell.luck for tally in tallies]
    lines: list[tuple[str, str, bool]] = []
    if every:
        for asked, (name, form, least, most) in FIGURES.items():
            value, doubt = getattr(total(every), name), error(every, attrgetter(name))
            lines.append((asked, f"{form.format(value)} (+- {doubt:.2g})", least <= value <= most))
        spans = sorted(tally.coverage for tally in own.values())
        said = f"{spans[0]:.1f} to {spans[-1]:.1f} %"
        lines.append(("coverage of each cell: 90 to 99 %", said, 90 <= spans[0] <= spans[-1] <= 99))
    if slopes := sorted(tally.slope for cell, tally in own.items() if cell.sigma >= 1):
        said = f"{slopes[0]:.2f} to {slopes[-1]:.2f}"
        is_met = 0.8 <= slopes[0] <= slopes[-1] <= 1.2
        lines.append(("slope of each cell with sigma >= 1: 0.8 to 1.2", said, is_met))
    if shared:
        coverage, doubt = total(shared).coverage, error(shared, attrgetter("coverage"))
        said = f"{coverage:.1f} % (+- {doubt:.2g})"
        lines.append(("coverage with luck shared in a block: at least 90 %", said, coverage >= 90))
    return lines


FIELD_BOUNDS = (92.0, 98.0)
EXCEPTIONS = {(4, "giant"): (88.0, 98.0), (2, "equal"): (97.0, 100.0), (4, "equal"): (97.0, 100.0)}
"""T18.3: within which percentages intervals hold, by seats and kind of field, two standard errors allowed."""

FIELD_PLACES = 92.0
"""T18.3: the least share of place intervals that hold, in percent, two standard errors allowed."""


def field_verdict(cell: Cell, tallies: Sequence[Tally]) -> tuple[str, str, bool]:
    """T18.3: what is asked of intervals and places in a field, what it gave, and whether that is enough."""
    least, most = EXCEPTIONS.get((cell.seats, cell.field), FIELD_BOUNDS)
    whole, doubt = total(tallies), 2 * error(tallies, attrgetter("coverage"))
    place_doubt = 2 * error(tallies, attrgetter("place_coverage"))
    asked = (
        f"{cell.field}, {cell.seats} seats: coverage {least:.0f} to {most:.0f} %, places at least {FIELD_PLACES:.0f} %"
    )
    said = f"{whole.coverage:.1f} (+- {doubt / 2:.1f}), {whole.place_coverage:.1f} (+- {place_doubt / 2:.1f}) %"
    is_met = least - doubt <= whole.coverage <= most + doubt and whole.place_coverage >= FIELD_PLACES - place_doubt
    return asked, said, is_met


def planned(asked: argparse.Namespace) -> list[tuple[Cell, int]]:
    """The cells that were asked for, with their numbers of tournaments."""
    plan = [(Cell(FIELD_BOTS, k, 1.0, field=field), asked.tournaments) for k, field in product(FIELD_SEATS, FIELDS)]
    plan += [(Cell(bots, k, sigma), count) for (bots, count), k, sigma in product(SIZES_AND_COUNTS, SEATS, SIGMAS)]
    plan += [(Cell(bots, k, 1.0, SHARED), count) for bots, count in SIZES_AND_COUNTS for k in (2, 4)]
    if asked.quick:
        plan = [(cell, max(1, count // 10)) for cell, count in plan if cell.seats in (2, 4)]
    return [
        (cell, count)
        for cell, count in plan
        if asked.bots in (None, cell.bots)
        and asked.seats in (None, cell.seats)
        and asked.sigma in (None, cell.sigma)
        and (asked.fields is None or asked.fields == bool(cell.field))
    ]


def less_annealing(effort: int) -> AbstractContextManager[object]:
    """Pair with a share of the annealing while this is open."""
    full = tables.anneal_effort

    def less(bots: int) -> tuple[int, int]:
        starts, proposals = full(bots)
        return starts, max(256, proposals // effort)

    return mock.patch.object(tables, "anneal_effort", less)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each cell, then the targets; the exit code is 1 if one was missed, 3 if time ran out."""
    parser = argparse.ArgumentParser(prog="arena.bench.coverage", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the tournaments, k 2 and 4")
    parser.add_argument("--effort", type=int, default=EFFORT, help=f"annealing is divided by this (default {EFFORT})")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other tournaments")
    sizes = [FIELD_BOTS, *(bots for bots, _ in SIZES_AND_COUNTS)]
    parser.add_argument("--bots", type=int, choices=sizes, help="only tournaments of this size")
    parser.add_argument("--seats", type=int, choices=SEATS, help="only tables of this size")
    parser.add_argument("--sigma", type=float, choices=SIGMAS, help="only entrants of this spread")
    parser.add_argument(
        "--fields", action=argparse.BooleanOptionalAction, help="only, or without, the kinds of field at default length"
    )
    parser.add_argument(
        "--tournaments", type=int, default=FIELD_COUNT, help=f"of each kind of field (default {FIELD_COUNT})"
    )
    add_options(parser)
    asked = parser.parse_args(arguments)
    try:
        with less_annealing(asked.effort):
            return _report(planned(asked), 40 if asked.quick else 400, asked.seed, Pieces(asked.kept, asked.seconds))
    except OutOfTimeError:
        print("time is up: run it again with the same --kept")
        return 3


COLUMNS = (
    "N, k, sigma", "tournaments", "coverage %", f"after {', '.join(map(str, CHECKS))} rounds", "slope", "top Elo",
    "error Elo", "LOS true %", "places %",
)  # fmt: skip
FIELD_COLUMNS = ("field", "seats", "tournaments", "coverage %", "places %", "slope", "top Elo", "error Elo")


def _row(cell: Cell, tallies: Sequence[Tally], checks: str) -> list[Value]:
    whole = total(tallies)
    coverage, slope, los, places = (
        f"{error(tallies, attrgetter(name)):.2g}" for name in ("coverage", "slope", "los", "place_coverage")
    )
    held = f"{whole.coverage:.1f} ± {coverage}"
    ends: list[Value] = [f"{whole.slope:.2f} ± {slope}", f"{whole.overrated:+.0f}", round(whole.rmse)]
    if cell.field:
        return [cell.field, cell.seats, len(tallies), held, f"{whole.place_coverage:.1f} ± {places}", *ends]
    name = f"{cell.bots}, {cell.seats}, {cell.sigma:.1f}{', luck half shared' if cell.luck else ''}"
    return [name, len(tallies), held, checks, *ends, f"{whole.los:.1f} ± {los}", f"{whole.place_coverage:.1f}"]


def _report(plan: Sequence[tuple[Cell, int]], pools: int, seed: int, pieces: Pieces) -> int:
    cells: dict[Cell, Sequence[Tally]] = {}
    field_lines: list[tuple[str, str, bool]] = []
    figures, fields_of, targets = Figures(COLUMNS), Figures(FIELD_COLUMNS), Targets()
    for cell, count in plan:
        began = process_time()
        found = run(cell, count, seed, pieces=pieces)
        tallies = [total(checks.values()) for checks in found]
        checks = ", ".join(f"{total(each[check] for each in found).coverage:.1f}" for check in cell.checks)
        if cell.field:
            fields_of.add(*_row(cell, tallies, checks))
            field_lines.append(field_verdict(cell, tallies))
        else:
            cells[cell] = tallies
            figures.add(*_row(cell, tallies, checks))
        print(f"{count} in {process_time() - began:.0f} s", flush=True)
    together = total(tally for cell, tallies in cells.items() if not cell.luck for tally in tallies)
    if together.fits:
        print(f"together: {together}")
    lines = verdicts(cells)
    if cells:
        fits, rough, furthest = runaway_pools(pools, seed)
        asked = f"no rating beyond 1500 ± {LARGEST_SHOWN:,.0f} in {pools} small pools far apart"
        said = f"at most {furthest:,.0f} away; {rough} of {fits:,} fits flagged as rough"
        lines.append((asked, said, furthest <= LARGEST_SHOWN))
        save("coverage", {"cells": figures, "targets": _measured(lines)})
    if field_lines:
        save("coverage_fields", {"fields": fields_of, "targets": _measured(field_lines)})
    for asked, said, is_met in (*field_lines, *lines):
        targets.check(f"{asked}: {said}", is_met)
    return targets.exit_code


def _measured(lines: Sequence[tuple[str, str, bool]]) -> Figures:
    return Figures(("Asked for", "Measured"), [(asked, said) for asked, said, _ in lines])


if __name__ == "__main__":
    sys.exit(main())
