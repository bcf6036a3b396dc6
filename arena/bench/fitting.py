"""The fit of T8: how long it takes, cold and after one more round, and how near the fitted order comes to the truth.

python -m arena.bench.fitting
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from arena.bench.figures import Figures, Value, save
from ratings.fit.fit import CONFIDENCE, ELO_PER_NAT, Fit, fit
from ratings.fit.intransitivity import intransitivity
from ratings.fit.matches import Matches
from ratings.fit.seat_effects import seat_effects
from ratings.points.finishes import Floats
from ratings.points.result import Result

SEATS = 4

MILLION = 1_000_000
WARM = 10
"""A fit of a million results after one more round may take this part of what one from the beginning may."""


def simulated(
    strengths: Floats, tables: int, rng: np.random.Generator, *, games: int = 1, luck: float = 0.0, first: int = 0
) -> list[Result]:
    """Random tables of four with some games each, by the model; a share of the games of a table have the same luck.

    `first` numbers the tables, so that two calls make different blocks.
    """
    names = [f"bot{number:05d}" for number in range(len(strengths))]
    chosen = rng.integers(0, len(strengths) - SEATS + 1, (tables, SEATS))
    chosen = rng.permuted(np.sort(chosen, axis=1) + np.arange(SEATS), axis=1)
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
    """A fit of record, what it was made of, and its CPU seconds."""
    began = process_time()
    matches = Matches.of(results)
    return fit(matches, is_record=True), matches, process_time() - began


def warm(last: Fit, matches: Matches, more: list[Result]) -> tuple[Fit, float]:
    """The fit of record after further matches, taken up where the last one ended, and its CPU seconds."""
    began = process_time()
    grown = matches.with_more(more)
    assert grown is not None
    return fit(grown, last=last, is_record=True), process_time() - began


def tau(one: Floats, other: Floats) -> float:
    """Kendall's tau between two orders without ties."""
    signs = np.sign(one[:, None] - one[None, :]) * np.sign(other[:, None] - other[None, :])
    return float(signs.sum()) / (len(one) * (len(one) - 1))


def accuracy(rng: np.random.Generator) -> bool:
    """Print how near the order comes; return whether a target was missed."""
    has_missed = False
    for games, target in ((100, 0.89), (1000, 0.96)):
        taus, errors = [], []
        for _ in range(10):
            truth = rng.normal(0, 1, 100)
            fitted = fit(simulated(truth, 100 * games // SEATS, rng))
            taus.append(tau(fitted.strengths, truth))
            errors.append(float(np.median(fitted.errors)) * CONFIDENCE * ELO_PER_NAT)
        mean = sum(taus) / len(taus)
        has_missed = has_missed or mean < target
        print(
            f"100 bots, {games} games each, tables of 4: tau {mean:.3f} (target {target}),"
            f" median +-{sum(errors) / len(errors):.0f} Elo",
            flush=True,
        )
    return has_missed


def speed(
    bots: int,
    tables: int,
    games: int,
    luck: float,
    target: float | None,
    rng: np.random.Generator,
    rows: list[list[Value]],
) -> bool:
    """Print the CPU seconds of a fit, and of another one after one more round; return whether a target was missed.

    The fit after one more round is held against one from the beginning: it has to be the same to the last bit.
    """
    truth = rng.normal(0, 1, bots)
    results = simulated(truth, tables, rng, games=games, luck=luck)
    fitted, matches, seconds = cold(results)
    more = simulated(truth, bots // SEATS, rng, games=games, luck=luck, first=tables)
    again, seconds_warm = warm(fitted, matches, more)
    is_same = again.record(0) == cold(results + more)[0].record(0)
    wanted = "no target" if target is None else f"target {target} s"
    # The target of a refit is for a million results: a tenth of what they may take from the beginning.
    is_million = tables * games * SEATS == MILLION
    wanted_warm = f" (target {target / WARM} s)" if target is not None and is_million else ""
    print(
        f"{bots:,} bots, {tables * games:,} matches, {games} a block: {seconds:.2f} s CPU ({wanted});"
        f" after one more round warm {seconds_warm:.2f} s{wanted_warm}, {'the same' if is_same else 'NOT THE SAME'} as"
        f" cold; phi {fitted.phi:.2f}, notes: {', '.join(fitted.notes) or 'none'};"
        f" r {float(np.corrcoef(truth, fitted.strengths)[0, 1]):.4f}",
        flush=True,
    )
    kind = f"{bots:,} bots, {tables * games:,} matches of four, {'one' if games == 1 else games} per block"
    rows.append([kind + (", luck half shared" if luck else ""), f"{seconds:.2f} s", f"{seconds_warm:.2f} s"])
    is_slow = target is not None and (seconds > target or (is_million and seconds_warm > target / WARM))
    return is_slow or not is_same


def diagnostics(rng: np.random.Generator) -> None:
    """Print the CPU seconds of what is reported beside a fit."""
    results = simulated(rng.normal(0, 1, 1000), 62_500, rng, games=4)
    fitted = fit(results)
    matches = Matches.of(results)
    for name, work in (("seat effects", seat_effects), ("intransitivity", intransitivity)):
        began = process_time()
        work(matches, fitted)
        print(f"1,000 bots, 250,000 matches: {name} {process_time() - began:.2f} s CPU", flush=True)
    began = process_time()
    fitted.place_intervals()
    print(f"1,000 bots: place intervals {process_time() - began:.2f} s CPU", flush=True)


def main() -> int:
    """T18.3: print times and accuracies beside their targets; the exit code tells whether one was missed."""
    rng = np.random.default_rng(1)
    rows: list[list[Value]] = []
    missed = [
        accuracy(rng),
        speed(100, 1_000, 4, 0.0, 0.3, rng, rows),
        speed(1_000, 250_000, 1, 0.0, 10, rng, rows),
        speed(1_000, 62_500, 4, 0.5, 10, rng, rows),
        speed(1_000, 1_000_000, 1, 0.0, 20, rng, rows),
        speed(1_000, 250_000, 4, 0.5, 20, rng, rows),
        speed(10_000, 105_000, 4, 0.0, None, rng, rows),
    ]
    save("fitting", {"fits": Figures(("Pool", "From the beginning", "After one more round"), rows)})
    diagnostics(rng)
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
