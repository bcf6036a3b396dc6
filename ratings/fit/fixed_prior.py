"""T8, formula version 1: the fit with a fixed prior of 2 nat, by which fits in old ledgers are verified.

Nothing new is rated by it: its intervals were too narrow, and it stretched close fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from ratings.fit.newton import Descent
from ratings.fit.one_thread import one_blas_thread
from ratings.fit.seat_likelihood import SeatLikelihood, SeatPoint
from ratings.points.elo import START
from ratings.points.finishes import Floats, played
from ratings.points.result import Result

FORMULA_VERSION = 1

PRIOR_PRECISION = 1 / 4
"""Of a bot's strength around 0: a standard deviation of 2 nat. Seats have the same."""

LINEAGE_PRECISION = 1.0
"""Of a new version's strength around its parent's: a standard deviation of 1 nat."""

TOLERANCE = 1e-9
"""The fit ends when no gradient is above this many per match of a bot."""


def refit(
    results: Sequence[Result], anchors: Mapping[str, int], parents: Mapping[str, str], settings: Mapping[str, object]
) -> dict[str, float]:
    """T13: redo a fit as the ledger describes it: anchors in milli-Elo, settings as they were entered."""
    whole = played(results)
    index = {bot: at for at, bot in enumerate(whole.bots)}
    likelihood = SeatLikelihood(whole, has_seats=bool(settings.get("with_seats", False)))
    precision = np.diag(np.full(likelihood.size, PRIOR_PRECISION))
    for bot, parent in parents.items():
        if bot in index and parent in index:
            child, above = index[bot], index[parent]
            precision[child, child] -= PRIOR_PRECISION
            for one, other, sign in ((child, child, 1), (above, above, 1), (child, above, -1), (above, child, -1)):
                precision[one, other] += sign * LINEAGE_PRECISION
    values = np.zeros(likelihood.size)
    free = np.ones(likelihood.size, dtype=bool)
    for bot, rating in anchors.items():
        if bot in index:
            values[index[bot]] = (rating - START) / 1000 * log(10) / 400
            free[index[bot]] = False
    chosen = np.flatnonzero(free)

    def evaluate(at: Floats) -> _Evaluation:
        point = likelihood.at(at)
        pull = precision @ at
        return _Evaluation(
            point, precision, chosen, point.value + float(at @ pull) / 2, (point.gradient + pull)[chosen]
        )  # fmt: skip

    def move(here: _Evaluation, step: Floats) -> Floats:
        there = here.point.values.copy()
        there[chosen] -= step
        return there

    with one_blas_thread():
        found = Descent(evaluate, move).minimise(values, TOLERANCE * max(1.0, whole.matches_per_bot))
    return dict(zip(whole.bots, found.point.values[: len(whole.bots)].tolist(), strict=True))


@dataclass(frozen=True)
class _Evaluation:
    point: SeatPoint
    precision: Floats
    chosen: np.ndarray[tuple[int], np.dtype[np.intp]]
    value: float
    gradient: Floats

    def step(self) -> Floats:
        hessian = (self.point.hessian() + self.precision)[np.ix_(self.chosen, self.chosen)]
        return np.asarray(np.linalg.solve(hessian, self.gradient), dtype=np.float64)
