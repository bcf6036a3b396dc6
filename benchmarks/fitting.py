"""The fit of T8: how long it takes, cold and after one more round, and how near the fitted order comes to the truth.

python -m benchmarks.fitting
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from ratings.finishes import Floats
from ratings.fit import CONFIDENCE, ELO_PER_NAT, Fit, fit
from ratings.intransitivity import intransitivity
from ratings.result import Result
from ratings.seat_effects import seat_effects

SEATS = 4


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


def timed(results: list[Result], last: Fit | None = None) -> tuple[Fit, float]:
    """A fit and its CPU seconds; warm from the mode of the last one."""
    start = None if last is None else dict(zip(last.bots, last.mode.tolist(), strict=True))
    began = process_time()
    fitted = fit(results, start=start)
    return fitted, process_time() - began


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


def speed(bots: int, tables: int, games: int, luck: float, target: float | None, rng: np.random.Generator) -> bool:
    """Print the CPU seconds of a fit, and of another one after one more round; return whether a target was missed."""
    truth = rng.normal(0, 1, bots)
    results = simulated(truth, tables, rng, games=games, luck=luck)
    fitted, cold = timed(results)
    results += simulated(truth, bots // SEATS, rng, games=games, luck=luck, first=tables)
    _, warm = timed(results, fitted)
    wanted = "no target" if target is None else f"target {target} s"
    print(
        f"{bots:,} bots, {tables * games:,} matches, {games} a block: {cold:.2f} s CPU ({wanted});"
        f" after one more round warm {warm:.2f} s; phi {fitted.phi:.2f}, notes: {', '.join(fitted.notes) or 'none'};"
        f" r {float(np.corrcoef(truth, fitted.strengths)[0, 1]):.4f}",
        flush=True,
    )
    return target is not None and max(cold, warm) > target


def diagnostics(rng: np.random.Generator) -> None:
    """Print the CPU seconds of what is reported beside a fit."""
    results = simulated(rng.normal(0, 1, 1000), 62_500, rng, games=4)
    fitted = fit(results)
    for name, work in (("seat effects", seat_effects), ("intransitivity", intransitivity)):
        began = process_time()
        work(results, fitted)
        print(f"1,000 bots, 250,000 matches: {name} {process_time() - began:.2f} s CPU", flush=True)
    began = process_time()
    fitted.place_intervals()
    print(f"1,000 bots: place intervals {process_time() - began:.2f} s CPU", flush=True)


def main() -> int:
    """T18.3: print times and accuracies beside their targets; the exit code tells whether one was missed."""
    rng = np.random.default_rng(1)
    missed = [
        accuracy(rng),
        speed(100, 1_000, 4, 0.0, 0.3, rng),
        speed(1_000, 250_000, 1, 0.0, 10, rng),
        speed(1_000, 62_500, 4, 0.5, 10, rng),
        speed(1_000, 1_000_000, 1, 0.0, 20, rng),
        speed(1_000, 250_000, 4, 0.5, 20, rng),
        speed(10_000, 105_000, 4, 0.0, None, rng),
    ]
    diagnostics(rng)
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
