"""The fit of 9.8: a million results of 1,000 bots, and how near the fitted order comes to the truth.

python -m benchmarks.fitting
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from ratings.finishes import Floats
from ratings.fit import CONFIDENCE, ELO_PER_NAT, fit
from ratings.result import Result


def simulated(strengths: Floats, matches: int, seats: int, rng: np.random.Generator) -> list[Result]:
    """Matches at random tables, with outcomes by the model."""
    names = [f"bot{number:05d}" for number in range(len(strengths))]
    chosen = rng.integers(0, len(strengths) - seats + 1, (matches, seats))
    chosen = np.sort(chosen, axis=1) + np.arange(seats)
    chosen = rng.permuted(chosen, axis=1)
    clocks = rng.exponential(1, (matches, seats)) / np.exp(strengths[chosen])
    places = clocks.argsort(axis=1).argsort(axis=1) + 1
    # Plain strings and integers, as the ledger gives them.
    return [
        Result(tuple(names[at] for at in table), tuple(ranks))
        for table, ranks in zip(chosen.tolist(), places.tolist(), strict=True)
    ]


def tau(one: Floats, other: Floats) -> float:
    """Kendall's tau between two orders without ties."""
    signs = np.sign(one[:, None] - one[None, :]) * np.sign(other[:, None] - other[None, :])
    return float(signs.sum()) / (len(one) * (len(one) - 1))


def main() -> int:
    """Print times and accuracies beside their targets; the exit code tells whether one was missed."""
    rng = np.random.default_rng(1)
    has_missed = False
    for games, target in ((100, 0.89), (1000, 0.96)):
        taus, errors = [], []
        for _ in range(10):
            truth = rng.normal(0, 1, 100)
            fitted = fit(simulated(truth, 100 * games // 4, 4, rng))
            taus.append(tau(fitted.strengths, truth))
            errors.append(float(np.median(fitted.errors)) * CONFIDENCE * ELO_PER_NAT)
        mean = sum(taus) / len(taus)
        has_missed = has_missed or mean < target
        print(
            f"100 bots, {games} games each, tables of 4: tau {mean:.3f} (target {target}),"
            f" median +-{sum(errors) / len(errors):.0f} Elo",
            flush=True,
        )
    for bots, matches in ((1_000, 1_000_000), (10_000, 420_000)):
        truth = rng.normal(0, 1, bots)
        results = simulated(truth, matches, 4, rng)
        began = process_time()
        fitted = fit(results)
        elapsed = process_time() - began
        has_missed = has_missed or elapsed > 60
        print(
            f"{bots:,} bots, {matches:,} results: {elapsed:.1f} s CPU (target 60 s), errors by {fitted.error_source},"
            f" r {float(np.corrcoef(truth, fitted.strengths)[0, 1]):.4f}",
            flush=True,
        )
    return int(has_missed)


if __name__ == "__main__":
    sys.exit(main())
