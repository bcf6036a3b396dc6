"""9.8: the rating of record: a Plackett-Luce fit over all matches of a pool, with error bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import erf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from ratings.elo import START
from ratings.likelihood import (
    SEAT_CLASSES,
    Finish,
    Floats,
    Integers,
    Likelihood,
    clustered_scores,
    finishes,
    seat_offset,
)
from ratings.result import Result

ELO_PER_NAT = 400 / log(10)
CENTRE = START / 1000
CONFIDENCE = 1.96
"""Standard errors on either side of a 95 % interval."""

PRIOR_PRECISION = 1 / 4
"""Of a bot's strength around 0: a standard deviation of 2 nat."""

LINEAGE_PRECISION = 1.0
"""Of a new version's strength around its parent's: a standard deviation of 1 nat."""

DENSE_MOST = 3000
"""More bots than this are fitted and given errors without writing the Hessian down."""

CLUSTERED_LEAST = 64
"""Blocks that every bot must have before intervals may be taken from the blocks themselves."""

TOLERANCE = 1e-9
"""The fit ends when no gradient is above this many per match of a bot."""


class ErrorSource(StrEnum):
    """Where the standard errors of a fit come from."""

    INFORMATION = "information"
    """The inverse of the Hessian."""
    BLOCKS = "blocks"
    """The block-clustered sandwich: right even if games of a block share their luck."""
    DIAGONAL = "diagonal"
    """One over the root of the Hessian's diagonal: a field too large for more."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a seat is worth at tables of a size, in Elo; the seats of a table add up to zero."""

    seats: int
    seat: int
    elo: float
    error: float
    """Half of the 95 % interval."""


@dataclass(frozen=True, slots=True)
class FittedRating:
    """One line of the rating order."""

    bot: str
    rating: float
    error: float
    """Half of the 95 % interval, in Elo."""
    matches: int
    component: int
    """Ratings of different components do not compare."""
    is_anchor: bool


@dataclass(frozen=True)
class Fit:
    """A finished fit. Strengths are in nat and given by bot in the order of `bots`."""

    bots: tuple[str, ...]
    strengths: Floats
    reference: float
    errors: Floats
    """Standard errors in nat."""
    error_source: ErrorSource
    matches: Integers
    components: tuple[int, ...]
    anchors: frozenset[str]
    seat_effects: tuple[SeatEffect, ...]
    """Empty unless they were fitted along."""
    covariance: Floats | None = field(repr=False)
    """None in a field too large for it."""
    solve: Callable[[Floats], Floats] = field(repr=False)
    """The Hessian's inverse times a vector."""

    def index(self, bot: str) -> int:
        """Where a bot stands in `bots`."""
        return self.bots.index(bot)

    def rating(self, bot: str) -> float:
        """The rating of a bot in Elo."""
        return CENTRE + ELO_PER_NAT * float(self.strengths[self.index(bot)] - self.reference)

    def strengths_by_bot(self) -> dict[str, float]:
        """Strengths in nat, for the ledger and for rating rounds."""
        return {bot: float(strength) for bot, strength in zip(self.bots, self.strengths, strict=True)}

    def ratings(self) -> list[FittedRating]:
        """9.11: the rating order, best first."""
        lines = [
            FittedRating(
                bot,
                CENTRE + ELO_PER_NAT * float(self.strengths[at] - self.reference),
                CONFIDENCE * ELO_PER_NAT * float(self.errors[at]),
                int(self.matches[at]),
                self.components[at],
                bot in self.anchors,
            )
            for at, bot in enumerate(self.bots)
        ]
        return sorted(lines, key=lambda line: (-line.rating, line.bot))

    def los(self, one: str, other: str) -> float:
        """9.8: the likelihood that the first of two is the stronger."""
        at, beside = self.index(one), self.index(other)
        if at == beside:
            return 0.5
        contrast = np.zeros(len(self.bots))
        contrast[at], contrast[beside] = 1.0, -1.0
        if self.covariance is not None:
            variance = float(contrast @ self.covariance @ contrast)
        else:
            variance = float(contrast @ self.solve(contrast))
        difference = float(self.strengths[at] - self.strengths[beside])
        if variance <= 0:
            return 0.5 if difference == 0 else float(difference > 0)
        return normal(difference / sqrt(variance))

    def exact_error(self, bot: str) -> float:
        """9.8: half of the 95 % interval of one bot in Elo, worked out in full even in a large field."""
        at = self.index(bot)
        if self.covariance is not None:
            return CONFIDENCE * ELO_PER_NAT * float(self.errors[at])
        contrast = np.zeros(len(self.bots))
        contrast[at] = 1.0
        if not self.anchors:
            contrast -= 1 / len(self.bots)
        return CONFIDENCE * ELO_PER_NAT * sqrt(float(contrast @ self.solve(contrast)))


def normal(score: float) -> float:
    """The standard normal distribution function."""
    return (1 + erf(score / sqrt(2))) / 2


def fit(
    results: Sequence[Result],
    *,
    anchors: Mapping[str, float] | None = None,
    parents: Mapping[str, str] | None = None,
    with_seats: bool = False,
    start: Mapping[str, float] | None = None,
    clustered: bool | None = None,
) -> Fit:
    """9.8: fit the strengths of all bots in the results.

    `anchors` are held at their ratings in Elo. `parents` gives new versions a prior around their parent's strength.
    `with_seats` fits the seat effects along. `start` is the last fit's strengths. `clustered` takes the errors from
    the blocks; left open, it does so when every bot has blocks enough.
    """
    held = {bot: (rating - CENTRE) / ELO_PER_NAT for bot, rating in (anchors or {}).items()}
    bots = tuple(sorted({bot for result in results for bot in result.bots}))
    if not bots:
        raise ValueError("9.8: there are no matches to fit")
    index = {bot: at for at, bot in enumerate(bots)}
    found = finishes(results, index)
    likelihood = Likelihood(found, len(bots), has_seats=with_seats)
    prior = _Prior.of(bots, index, parents or {}, likelihood.size)
    values = np.zeros(likelihood.size)
    for bot, strength in (start or {}).items():
        if bot in index:
            values[index[bot]] = strength
    free = np.ones(likelihood.size, dtype=bool)
    for bot, strength in held.items():
        if bot in index:
            values[index[bot]] = strength
            free[index[bot]] = False
    matches = _matches_by_bot(found, len(bots))
    problem = _Problem(likelihood, prior, free)
    values = problem.minimise(values, TOLERANCE * max(1.0, float(matches.mean())))
    held_here = frozenset(bot for bot in held if bot in index)
    strengths = values[: len(bots)]
    errors, covariance, source = _errors(problem, values, found, results, held_here, clustered)
    return Fit(
        bots=bots,
        strengths=strengths,
        reference=0.0 if held_here else float(strengths.mean()),
        errors=errors,
        error_source=source,
        matches=matches,
        components=_components(found, len(bots)),
        anchors=held_here,
        seat_effects=_seat_effects(values, problem, found) if with_seats else (),
        covariance=covariance,
        solve=lambda vector: problem.solve(values, vector),
    )


def refit(
    results: Sequence[Result], anchors: Mapping[str, int], parents: Mapping[str, str], settings: Mapping[str, object]
) -> dict[str, float]:
    """9.13: redo a fit as the ledger describes it: anchors in milli-Elo, settings as they were entered."""
    in_elo = {bot: rating / 1000 for bot, rating in anchors.items()}
    with_seats = bool(settings.get("with_seats", False))
    return fit(results, anchors=in_elo, parents=parents, with_seats=with_seats).strengths_by_bot()


def seat_effects(results: Sequence[Result], fitted: Fit) -> tuple[SeatEffect, ...]:
    """9.8: the diagnostic that is always reported: what the seats are worth, the strengths held as fitted."""
    index = {bot: at for at, bot in enumerate(fitted.bots)}
    found = finishes(results, index)
    likelihood = Likelihood(found, len(fitted.bots), has_seats=True)
    free = np.zeros(likelihood.size, dtype=bool)
    free[likelihood.bots :] = True
    problem = _Problem(likelihood, _Prior.of(fitted.bots, index, {}, likelihood.size), free)
    values = np.concatenate([fitted.strengths, np.zeros(SEAT_CLASSES)])
    values = problem.minimise(values, TOLERANCE * max(1.0, len(results)))
    return _seat_effects(values, problem, found)


@dataclass(frozen=True, slots=True)
class _Prior:
    """9.8: what is believed before the first match, as a quadratic form in the parameters."""

    precision: Floats
    """On the diagonal, for seats and for bots without a parent."""
    children: Integers
    parents: Integers

    @classmethod
    def of(cls, bots: Sequence[str], index: Mapping[str, int], parents: Mapping[str, str], size: int) -> _Prior:
        pairs = [(index[bot], index[parents[bot]]) for bot in bots if parents.get(bot) in index]
        # Seats have the same prior: nothing else tells their level from the strengths', and it makes their sum zero.
        precision = np.full(size, PRIOR_PRECISION)
        children = np.array([child for child, _ in pairs], dtype=np.int64)
        precision[children] = 0.0
        return cls(precision, children, np.array([parent for _, parent in pairs], dtype=np.int64))

    def times(self, values: Floats) -> Floats:
        """The quadratic form's matrix times a vector."""
        found = self.precision * values
        step = LINEAGE_PRECISION * (values[self.children] - values[self.parents])
        np.add.at(found, self.children, step)
        np.add.at(found, self.parents, -step)
        return found

    def diagonal(self) -> Floats:
        found = self.precision.copy()
        np.add.at(found, self.children, LINEAGE_PRECISION)
        np.add.at(found, self.parents, LINEAGE_PRECISION)
        return found

    def matrix(self) -> Floats:
        found = np.diag(self.precision)
        for one, other, sign in (
            (self.children, self.children, 1),
            (self.parents, self.parents, 1),
            (self.children, self.parents, -1),
            (self.parents, self.children, -1),
        ):
            np.add.at(found, (one, other), sign * LINEAGE_PRECISION)
        return found


class _Problem:
    """Minus the log of the posterior, to be minimised over the free parameters."""

    def __init__(self, likelihood: Likelihood, prior: _Prior, free: NDArray[np.bool_]) -> None:
        self.likelihood = likelihood
        self.prior = prior
        self.free = np.flatnonzero(free)
        self.is_dense = likelihood.size <= DENSE_MOST

    def value_and_gradient(self, values: Floats) -> tuple[float, Floats]:
        value, gradient = self.likelihood.value_and_gradient(values)
        pull = self.prior.times(values)
        return value + float(values @ pull) / 2, (gradient + pull)[self.free]

    def hessian(self, values: Floats) -> Floats:
        """The Hessian of the free parameters, written down."""
        found = self.likelihood.hessian(values) + self.prior.matrix()
        restricted: Floats = found[np.ix_(self.free, self.free)]
        return restricted

    def solve(self, values: Floats, vector: Floats) -> Floats:
        """The Hessian's inverse times a vector over all parameters; what is held does not move."""
        full = np.zeros(self.likelihood.size)
        full[: len(vector)] = vector
        solution = np.zeros(self.likelihood.size)
        solution[self.free] = self._step(values, full[self.free])
        return solution[: len(vector)]

    def _step(self, values: Floats, gradient: Floats) -> Floats:
        if self.is_dense:
            return np.asarray(np.linalg.solve(self.hessian(values), gradient), dtype=np.float64)
        scale = (self.likelihood.diagonal(values) + self.prior.diagonal())[self.free]

        def times(direction: Floats) -> Floats:
            full = np.zeros(self.likelihood.size)
            full[self.free] = direction
            product: Floats = (self.likelihood.hessian_times(values, full) + self.prior.times(full))[self.free]
            return product

        return _conjugate_gradients(times, gradient, scale)

    def minimise(self, values: Floats, tolerance: float) -> Floats:
        """Newton's method; a step that does not lower the value is halved."""
        value, gradient = self.value_and_gradient(values)
        for _ in range(100):
            if len(self.free) == 0 or np.abs(gradient).max() <= tolerance:
                break
            step = self._step(values, gradient)
            length = 1.0
            while True:
                trial = values.copy()
                trial[self.free] -= length * step
                trial_value, trial_gradient = self.value_and_gradient(trial)
                # Near the end the value no longer shows the gain, but the gradient does.
                if trial_value < value or np.abs(trial_gradient).max() < np.abs(gradient).max():
                    break
                length /= 2
                if length < 1e-6:
                    return values
            values, value, gradient = trial, trial_value, trial_gradient
        return values


def _conjugate_gradients(times: Callable[[Floats], Floats], wanted: Floats, scale: Floats) -> Floats:
    """Solve a positive definite system, preconditioned by its diagonal."""
    solution = np.zeros_like(wanted)
    rest = wanted.copy()
    direction = rest / scale
    product = float(rest @ direction)
    goal = 1e-20 * product
    for _ in range(500):
        if product <= goal:
            break
        image = times(direction)
        length = product / float(direction @ image)
        solution = solution + length * direction
        rest = rest - length * image
        scaled = rest / scale
        following = float(rest @ scaled)
        direction = scaled + (following / product) * direction
        product = following
    return solution


def _errors(
    problem: _Problem,
    values: Floats,
    found: Sequence[Finish],
    results: Sequence[Result],
    anchors: frozenset[str],
    clustered: bool | None,
) -> tuple[Floats, Floats | None, ErrorSource]:
    """9.8: standard errors, their covariance, and where they come from."""
    bots = problem.likelihood.bots
    if not problem.is_dense:
        diagonal = problem.likelihood.diagonal(values) + problem.prior.diagonal()
        errors = np.zeros(problem.likelihood.size)
        errors[problem.free] = 1 / np.sqrt(diagonal[problem.free])
        return errors[:bots], None, ErrorSource.DIAGONAL
    whole = np.zeros((problem.likelihood.size, problem.likelihood.size))
    whole[np.ix_(problem.free, problem.free)] = np.linalg.inv(problem.hessian(values))
    covariance = whole[:bots, :bots]
    source = ErrorSource.INFORMATION
    clusters = _clusters(results)
    if clustered is None:
        has_blocks = int(clusters.max()) + 1 < len(results)
        clustered = has_blocks and _fewest_blocks(found, clusters, bots) >= CLUSTERED_LEAST
    if clustered:
        scores = clustered_scores(found, values[:bots], clusters)
        covariance = covariance @ scores @ covariance
        source = ErrorSource.BLOCKS
    if not anchors:
        # Seen from the mean of the pool: P V P with P = I - 11'/N.
        covariance = covariance - covariance.mean(axis=0, keepdims=True)
        covariance = covariance - covariance.mean(axis=1, keepdims=True)
    return np.sqrt(np.maximum(np.diag(covariance), 0.0)), covariance, source


def _clusters(results: Sequence[Result]) -> Integers:
    """Number the blocks; a match without one stands for itself."""
    numbers: dict[object, int] = {}
    return np.array(
        [
            numbers.setdefault(result.block if result.block is not None else at, len(numbers))
            for at, result in enumerate(results)
        ],
        dtype=np.int64,
    )


def _fewest_blocks(found: Iterable[Finish], clusters: Integers, bots: int) -> int:
    keys = np.concatenate([(clusters[finish.matches][:, None] * bots + finish.bots).ravel() for finish in found])
    return int(np.bincount(np.unique(keys) % bots, minlength=bots).min())


def _matches_by_bot(found: Iterable[Finish], bots: int) -> Integers:
    counts = np.zeros(bots, dtype=np.int64)
    for finish in found:
        counts += np.bincount(finish.bots.ravel(), minlength=bots)
    return counts


def _components(found: Iterable[Finish], bots: int) -> tuple[int, ...]:
    """9.8: number the parts of the field that have met, directly or through others, by their first bot."""
    label = np.arange(bots)
    edges = [
        np.stack([finish.bots[:, 0], finish.bots[:, at]]) for finish in found for at in range(finish.bots.shape[1])
    ]
    one, other = np.unique(np.concatenate(edges, axis=1), axis=1)
    while True:
        lowest = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, one, lowest)
        np.minimum.at(label, other, lowest)
        label = label[label]
        if np.array_equal(label, before):
            break
    numbers = {root: number for number, root in enumerate(sorted(set(label.tolist())))}
    return tuple(numbers[root] for root in label.tolist())


def _seat_effects(values: Floats, problem: _Problem, found: Iterable[Finish]) -> tuple[SeatEffect, ...]:
    bots = problem.likelihood.bots
    covariance = np.zeros((problem.likelihood.size, problem.likelihood.size))
    covariance[np.ix_(problem.free, problem.free)] = np.linalg.inv(problem.hessian(values))
    effects = []
    for seats in sorted({finish.bots.shape[1] for finish in found}):
        begin = bots + seat_offset(seats)
        # Only differences between seats mean anything: errors are seen from the mean of the table.
        centre = np.eye(seats) - 1 / seats
        variance = np.diag(centre @ covariance[begin : begin + seats, begin : begin + seats] @ centre)
        for seat in range(seats):
            error = CONFIDENCE * ELO_PER_NAT * sqrt(max(0.0, float(variance[seat])))
            effects.append(SeatEffect(seats, seat, ELO_PER_NAT * float(values[begin + seat]), error))
    return tuple(effects)


@dataclass(frozen=True, slots=True)
class Surprise:
    """A pair whose results do not fit their ratings: one beats the other more often than it should."""

    one: str
    other: str
    games: int
    score: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """9.8: how badly one number a bot fits the pairwise results; about standard normal if it fits."""

    statistic: float
    surprises: tuple[Surprise, ...]

    @property
    def is_flagged(self) -> bool:
        """9.8: strength is not one number in this pool."""
        return self.statistic > 3


SURPRISING = 4.0
"""9.8: pairs with a larger |z| are listed."""

FEWEST_GAMES = 10
"""Pairs with fewer games say too little to be judged alone."""

OVERALL_LEAST = 30
"""9.8: matches in a game before it counts towards the overall rating."""


def intransitivity(results: Sequence[Result], fitted: Fit) -> Intransitivity:
    """9.8: compare every pair's score with the fit: the sum of squared z over pairs, against its degrees of freedom."""
    index = {bot: at for at, bot in enumerate(fitted.bots)}
    bots = len(fitted.bots)
    keys, scores = [], []
    for finish in finishes(results, index):
        for one in range(finish.bots.shape[1]):
            for other in range(one + 1, finish.bots.shape[1]):
                left, right = finish.bots[:, one], finish.bots[:, other]
                # Positions come in the order of places: the first is better, unless both are tied.
                gained = 0.5 if finish.ranking[one] == finish.ranking[other] else 1.0
                is_upright = left < right
                keys.append(np.where(is_upright, left * bots + right, right * bots + left))
                scores.append(np.where(is_upright, gained, 1 - gained))
    pairs, inverse, games = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    totals = np.bincount(inverse, weights=np.concatenate(scores))
    left, right = pairs // bots, pairs % bots
    chance = 1 / (1 + np.exp(fitted.strengths[right] - fitted.strengths[left]))
    z = (totals - games * chance) / np.sqrt(games * chance * (1 - chance))
    enough = (games >= FEWEST_GAMES) & (left != right)
    freedom = int(enough.sum()) - (bots - 1)
    statistic = (float((z[enough] ** 2).sum()) - freedom) / sqrt(2 * freedom) if freedom > 0 else 0.0
    surprises = [
        Surprise(
            fitted.bots[left[at]],
            fitted.bots[right[at]],
            int(games[at]),
            float(totals[at]),
            float(games[at] * chance[at]),
            float(z[at]),
        )
        for at in np.flatnonzero(enough & (np.abs(z) > SURPRISING))
    ]
    return Intransitivity(statistic, tuple(sorted(surprises, key=lambda each: -abs(each.z))))


def overall_rating(fits: Iterable[FittedRating]) -> tuple[float, float] | None:
    """9.8: the plain mean of a bot's anchored ratings over games with at least 30 matches, and its 95 % error."""
    counted = [line for line in fits if line.matches >= OVERALL_LEAST]
    if not counted:
        return None
    mean = sum(line.rating for line in counted) / len(counted)
    return mean, sqrt(sum(line.error**2 for line in counted)) / len(counted)
