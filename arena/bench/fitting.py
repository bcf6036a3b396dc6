"""The fit of T8: its duration, cold and after one more round, and how close the fitted order is to the truth.

python -m arena.bench.fitting
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import process_time

import numpy as np

from arena.bench.figures import Figures, Targets, save
from ratings.fit.fit import ELO_PER_NAT, Fit, fit
from ratings.fit.intransitivity import intransitivity
from ratings.fit.matches import Matches
from ratings.fit.seat_effects import seat_effects
from ratings.points.finishes import Floats, Integers
from ratings.points.result import Result

SEATS = 4

MILLION = 1_000_000
WARM = 10
"""The share of a cold fit's limit that a fit of a million results may take after one more round."""


def simulated(
    strengths: Floats, tables: int, rng: np.random.Generator, *, games: int = 1, luck: float = 0.0, first: int = 0
) -> list[Result]:
    """Random tables of four with some games each, by the model; a share of the games of a table have the same luck.

    `first` numbers the tables, so that two calls make different blocks.
    """
    chosen = rng.integers(0, len(strengths) - SEATS + 1, (tables, SEATS))
    chosen = rng.permuted(np.sort(chosen, axis=1) + np.arange(SEATS), axis=1)
    return played_at(chosen, strengths, rng, games=games, luck=luck, first=first)


def in_rounds(strengths: Floats, rounds: int, rng: np.random.Generator, *, luck: float = 0.0) -> list[Result]:
    """Rounds in which every bot sits at one table, drawn by lot; every table plays a block."""
    drawn = [rng.permutation(len(strengths)).reshape(-1, SEATS) for _ in range(rounds)]
    return played_at(np.concatenate(drawn), strengths, rng, games=SEATS, luck=luck)


def played_at(
    chosen: Integers, strengths: Floats, rng: np.random.Generator, *, games: int, luck: float, first: int = 0
) -> list[Result]:
    """Play the games of the tables chosen, one row each, by the model."""
    names = [f"bot{number:05d}" for number in range(len(strengths))]
    tables = len(chosen)
    shared = rng.exponential(1, (tables, SEATS))
    places = []
    for _ in range(games):
        own = rng.exponential(1, (tables, SEATS))
        clocks = np.where(rng.random((tables, 1)) < luck, shared, own) / np.exp(strengths[chosen])
        places.append((clocks.argsort(axis=1).argsort(axis=1) + 1).tolist())
    # Plain strings and integers, as the ledger gives them.
    seated = [tuple(names[at] for at in table) for table in chosen.tolist()]
    return [
        Result(bots, tuple(ranks[at]), ("cup", 1, first + at) if games > 1 else None)
        for at, bots in enumerate(seated)
        for ranks in places
    ]


def cold(results: list[Result]) -> tuple[Fit, Matches, float]:
    """A fit of record, its data, and its CPU seconds."""
    began = process_time()
    matches = Matches.of(results)
    return fit(matches, is_record=True), matches, process_time() - began


def warm(last: Fit, matches: Matches, more: list[Result]) -> tuple[Fit, float]:
    """The fit of record after further matches, continued from the last one, and its CPU seconds."""
    began = process_time()
    grown = matches.with_more(more)
    assert grown is not None
    return fit(grown, last=last, is_record=True), process_time() - began


def tau(one: Floats, other: Floats) -> float:
    """Kendall's tau between two orders without ties."""
    signs = np.sign(one[:, None] - one[None, :]) * np.sign(other[:, None] - other[None, :])
    return float(signs.sum()) / (len(one) * (len(one) - 1))


def accuracy(rng: np.random.Generator, targets: Targets) -> None:
    """Check how close the fitted order is to the truth."""
    for games, target in ((100, 0.89), (1000, 0.96)):
        taus, errors = [], []
        for _ in range(10):
            truth = rng.normal(0, 1, 100)
            fitted = fit(simulated(truth, 100 * games // SEATS, rng))
            taus.append(tau(fitted.strengths, truth))
            errors.append(float(np.median(fitted.errors)) * fitted.confidence * ELO_PER_NAT)
        mean, doubt = sum(taus) / len(taus), sum(errors) / len(errors)
        said = (
            f"100 bots, {games} games each, tables of 4: tau {mean:.3f} (at least {target}), median +-{doubt:.0f} Elo"
        )
        targets.check(said, mean >= target)


@dataclass(frozen=True)
class Pool:
    """A pool whose fit is timed, and the CPU seconds that it may take."""

    bots: int
    tables: int
    games: int = 1
    luck: float = 0.0
    limit: float = inf

    def __str__(self) -> str:
        blocks = "one" if self.games == 1 else self.games
        shared = ", luck half shared" if self.luck else ""
        return f"{self.bots:,} bots, {self.tables * self.games:,} matches of four, {blocks} per block{shared}"


POOLS = (
    Pool(100, 1_000, 4, limit=0.3),
    Pool(1_000, 250_000, limit=10),
    Pool(1_000, 62_500, 4, 0.5, limit=10),
    Pool(1_000, 1_000_000, limit=20),
    Pool(1_000, 250_000, 4, 0.5, limit=20),
    Pool(10_000, 105_000, 4),
)


GROWING = (252, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000)
MATCHES_PER_BOT = 5
GROWTH_LIMIT, MAX_BOTS_IN_LIMIT = 20.0, 10_000
"""CPU seconds of a fit up to this many bots."""


def speed(pool: Pool, rng: np.random.Generator, figures: Figures, targets: Targets) -> None:
    """Time a fit, and another after one more round, which has to equal one from the beginning to the last bit."""
    truth = rng.normal(0, 1, pool.bots)
    results = simulated(truth, pool.tables, rng, games=pool.games, luck=pool.luck)
    fitted, matches, seconds = cold(results)
    more = simulated(truth, pool.bots // SEATS, rng, games=pool.games, luck=pool.luck, first=pool.tables)
    again, seconds_warm = warm(fitted, matches, more)
    figures.add(str(pool), f"{seconds:.2f} s", f"{seconds_warm:.2f} s")
    print(
        f"phi {fitted.phi:.2f}, notes: {', '.join(fitted.notes) or 'none'};"
        f" r {float(np.corrcoef(truth, fitted.strengths)[0, 1]):.4f}"
    )
    if pool.limit < inf:
        targets.check(f"{seconds:.2f} s of CPU time (at most {pool.limit})", seconds <= pool.limit)
        if pool.tables * pool.games * SEATS == MILLION:
            limit = pool.limit / WARM
            targets.check(f"after one more round {seconds_warm:.2f} s (at most {limit})", seconds_warm <= limit)
    is_same = again.record(0) == cold(results + more)[0].record(0)
    targets.check("the fit after one more round is the same as from the beginning", is_same)


def growth(rng: np.random.Generator, targets: Targets) -> Figures:
    """Time fits of growing numbers of bots with five matches per bot."""
    figures = Figures(("Bots", "Matches", "Games independent", "Half of their luck shared", "Standard errors"))
    for bots in GROWING:
        fits = [cold(in_rounds(rng.normal(0, 1, bots), MATCHES_PER_BOT, rng, luck=luck)) for luck in (0.0, 0.5)]
        seconds = [each for _, _, each in fits]
        fitted, matches, _ = fits[0]
        shown = [f"{each:.2f} s" for each in seconds]
        figures.add(bots, matches.played.matches, *shown, fitted.error_source.value)
        is_met = max(seconds) <= GROWTH_LIMIT if bots <= MAX_BOTS_IN_LIMIT else None
        targets.check(f"{bots:,} bots: {' and '.join(shown)} of CPU time (at most {GROWTH_LIMIT})", is_met)
    return figures


def diagnostics(rng: np.random.Generator) -> None:
    """Print the CPU seconds of the other reports on a fit."""
    results = simulated(rng.normal(0, 1, 1000), 62_500, rng, games=4)
    fitted = fit(results)
    matches = Matches.of(results)
    parts: dict[str, Callable[[], object]] = {
        "250,000 matches: seat effects": lambda: seat_effects(matches, fitted),
        "250,000 matches: intransitivity": lambda: intransitivity(matches, fitted),
        "place intervals": fitted.place_intervals,
    }
    for name, work in parts.items():
        began = process_time()
        work()
        print(f"1,000 bots, {name} {process_time() - began:.2f} s CPU", flush=True)


def main() -> int:
    """T18.3: print times and accuracies beside their targets; the exit code is 1 if one was missed."""
    rng = np.random.default_rng(1)
    figures, targets = Figures(("Pool", "From the beginning", "After one more round")), Targets()
    accuracy(rng, targets)
    for pool in POOLS:
        speed(pool, rng, figures, targets)
    save("fitting", {"fits": figures, "growth": growth(rng, targets)})
    diagnostics(rng)
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
