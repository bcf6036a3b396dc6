"""T8: the rating of record: a Plackett-Luce fit whose prior is learned from the pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import erf, log, sqrt
from statistics import NormalDist

import numpy as np

from ratings.fit.large_pool import MAX_DENSE, large_mode, sampled
from ratings.fit.matches import Matches
from ratings.fit.newton import FitError, one_blas_thread
from ratings.fit.posterior import Guess, Posterior
from ratings.fit.prior import Prior
from ratings.fit.spread import TOLERANCE_OF_LISTS, TOLERANCE_OF_RECORD, Width, pool_width, spread
from ratings.ledger.fit_record import FitRecord
from ratings.points.elo import START
from ratings.points.finishes import Floats, Integers, Played, among
from ratings.points.points import MIN_SEATS
from ratings.points.result import Result

ELO_PER_NAT = 400 / log(10)
CENTRE = START / 1000
CONFIDENCE, TWO_SEAT_CONFIDENCE = 1.96, 2.1
"""T8.5: standard errors on either side of a 95 % interval, and in pools in which most matches have two seats."""

PLACE_LOS = 0.95
"""T8.9: the LOS from which a bot counts as placed ahead of another."""

DEPENDENT_GAMES = 1.3
"""T8.7: the phi from which a leaderboard says that the games of a block depend on each other."""

FEW_GAMES = "few games: rough"
NOT_COMPARABLE = "not yet comparable with the anchors"
APPROXIMATE = "approximate"
DEPENDENT = "games of a block depend on each other"

MILLION = 1_000_000


class ErrorSource(StrEnum):
    """Where the standard errors of a fit come from."""

    POSTERIOR = "posterior"
    """The posterior's covariance, its width averaged over."""
    APPROXIMATE = "approximate"
    """T20.9: the diagonal of the precision, in a pool too large for more."""


class NothingToFitError(FitError):
    """T20.1: no matches, or only anchors in them."""


@dataclass(frozen=True, slots=True)
class FittedRating:
    """One line of the rating order, in Elo."""

    bot: str
    rating: float
    error: float
    """Half of the 95 % interval, for one look planned beforehand."""
    matches: int
    component: int
    """Ratings of different components are not comparable."""
    is_anchor: bool
    places: tuple[int, int] | None = None
    """The 95 % interval of the place among the bots of the component; None for anchors, which have no place."""


@dataclass(frozen=True)
class Fit:
    """A finished fit. Vectors are in nats and given by bot in the order of `bots`."""

    bots: tuple[str, ...]
    strengths: Floats
    """The posterior mean, the rating of record; relative to the mean of the pool unless anchors fix the level."""
    errors: Floats
    """Standard errors."""
    sigma: float
    """The standard deviation of true skill in the pool."""
    phi: float
    """The overdispersion: how much more the games of a block agree than independent ones."""
    tau: float
    """The standard error of ln sigma; 0 where sigma is plugged in."""
    pairing: Floats
    """The mean of step a, from which rating rounds are drawn (T4)."""
    mode: Floats
    """The next fit may start here."""
    matches: int
    appearances: Integers
    """Matches of every bot."""
    components: tuple[int, ...]
    anchors: frozenset[str]
    """The anchors in the pool."""
    is_anchored: bool
    """Anchors fix the level, and were not fitted."""
    parents: Mapping[str, str]
    notes: tuple[str, ...]
    """Remarks that a list of these ratings must show."""
    confidence: float
    """T8.5: standard errors on either side of a 95 % interval."""
    covariance: Floats | None = field(repr=False)
    """None in a pool too large for it."""

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The index of every bot in `bots`."""
        return {bot: at for at, bot in enumerate(self.bots)}

    def rating(self, bot: str) -> float:
        """The rating of a bot in Elo."""
        return CENTRE + ELO_PER_NAT * float(self.strengths[self.index[bot]])

    def error(self, bot: str) -> float:
        """Half of the 95 % interval of a bot in Elo."""
        return self.confidence * ELO_PER_NAT * float(self.errors[self.index[bot]])

    def pairing_strengths(self) -> dict[str, float]:
        """T4: the strengths that rating rounds are paired by: the mean of step a, in nats."""
        return dict(zip(self.bots, self.pairing.tolist(), strict=True))

    def ratings(self) -> list[FittedRating]:
        """T11: the rating order, best first."""
        places = self.place_intervals()
        lines = [
            FittedRating(
                bot,
                self.rating(bot),
                self.error(bot),
                int(self.appearances[at]),
                self.components[at],
                bot in self.anchors,
                places.get(bot),
            )
            for at, bot in enumerate(self.bots)
        ]
        return sorted(lines, key=lambda line: (-line.rating, line.bot))

    def los(self, one: str, other: str) -> float | None:
        """T8.8: the likelihood that the first of two is stronger.

        None between two anchors, and between bots of different components.
        """
        at, beside = self.index[one], self.index[other]
        if (one in self.anchors and other in self.anchors) or self.components[at] != self.components[beside]:
            return None
        if at == beside:
            return 0.5
        shared = 0.0 if self.covariance is None else float(self.covariance[at, beside])
        variance = float(self.errors[at] ** 2 + self.errors[beside] ** 2) - 2 * shared
        return normal(float(self.strengths[at] - self.strengths[beside]) / sqrt(variance))

    def place_intervals(self) -> dict[str, tuple[int, int]]:
        """T8.9: from 1 + the bots placed ahead to n - the bots placed behind, per component; anchors have no place."""
        least = NormalDist().inv_cdf(PLACE_LOS)
        ranked = np.array([bot not in self.anchors for bot in self.bots])
        found = {}
        for component in sorted(set(self.components)):
            chosen = np.flatnonzero(ranked & (np.array(self.components) == component))
            strengths, variances = self.strengths[chosen], self.errors[chosen] ** 2
            for begin in range(0, len(chosen), 1000):
                part = slice(begin, begin + 1000)
                apart = strengths[part, None] - strengths
                variance = variances[part, None] + variances
                if self.covariance is not None:
                    variance = variance - 2 * self.covariance[np.ix_(chosen[part], chosen)]
                bound = least * np.sqrt(np.maximum(variance, 0))
                # No bot is ahead of or behind itself, though its difference has no variance.
                ahead = ((apart >= bound) & (apart > 0)).sum(axis=1)
                behind = ((-apart >= bound) & (apart < 0)).sum(axis=1)
                for at, less, more in zip(chosen[part].tolist(), behind.tolist(), ahead.tolist(), strict=True):
                    found[self.bots[at]] = (1 + less, len(chosen) - more)
        return found

    @property
    def error_source(self) -> ErrorSource:
        """Where the standard errors come from."""
        return ErrorSource.APPROXIMATE if self.covariance is None else ErrorSource.POSTERIOR

    @property
    def head(self) -> dict[str, int]:
        """T8.7: sigma (in nats), phi and tau as they are stored: in millionths, rounded half to even."""
        return {name: round(MILLION * getattr(self, name)) for name in ("sigma", "phi", "tau")}

    def canonical_list(self) -> list[tuple[str, int, int]]:
        """T13: bot, rating and standard error in milli-Elo, in the order of the names."""
        return [
            (bot, round(1000 * (CENTRE + ELO_PER_NAT * strength)), round(1000 * ELO_PER_NAT * error))
            for bot, strength, error in zip(self.bots, self.strengths.tolist(), self.errors.tolist(), strict=True)
        ]

    def record(self, voids: int) -> FitRecord:
        """T13.7: the fit as the ledger keeps it; `voids` counts the void matches of its pool."""
        return FitRecord(self.matches, voids, tuple(self.canonical_list()), **self.head)


def confidence(whole: Played) -> float:
    """T8.5: standard errors on either side of a 95 % interval in a pool of these matches."""
    two_seat = sum(len(finish.blocks) for finish in whole.finishes if len(finish.ranking) == MIN_SEATS)
    return TWO_SEAT_CONFIDENCE if 2 * two_seat > whole.matches else CONFIDENCE


def normal(score: float) -> float:
    """The standard normal distribution function."""
    return (1 + erf(score / sqrt(2))) / 2


def fit(
    results: Sequence[Result] | Matches,
    *,
    anchors: Mapping[str, float] | None = None,
    parents: Mapping[str, str] | None = None,
    last: Fit | None = None,
    is_record: bool = False,
    pool: str = "",
) -> Fit:
    """T8.5: fit the strengths of all bots in the results.

    `anchors` are held at their ratings in Elo. `parents` gives new versions a prior around their parent's strength.
    `last` is an earlier fit to start from: it saves time and changes no bit of the result. `is_record` asks for the
    precision of a FIT entry. `pool` is named in errors.
    """
    if not results:
        raise NothingToFitError("T20.1: there are no matches to fit")
    matches = results if isinstance(results, Matches) else Matches.of(results)
    bots = set(matches.played.bots)
    try:
        with one_blas_thread():
            return _fitted(
                matches,
                {bot: rating for bot, rating in (anchors or {}).items() if bot in bots},
                parents or {},
                last,
                TOLERANCE_OF_RECORD if is_record else TOLERANCE_OF_LISTS,
            )
    except NothingToFitError:
        raise
    except FitError as error:
        raise FitError(f"pool {pool}: {error}" if pool else str(error)) from error


def _fitted(
    matches: Matches,
    anchors: Mapping[str, float],
    parents: Mapping[str, str],
    last: Fit | None,
    tolerance: float,
) -> Fit:
    whole = matches.played
    if len(anchors) == len(whole.bots):
        raise NothingToFitError("T20.1: only anchors have matches: nothing to fit")
    is_anchored = bool(anchors) and can_place_the_pool(whole, anchors, parents)
    held = anchors if is_anchored else {}
    prior = Prior.of(whole.bots, parents, held)
    start = {} if last is None else dict(zip(last.bots, last.mode.tolist(), strict=True))
    values = np.array([start.get(bot, 0.0) for bot in whole.bots])
    for at, bot in enumerate(whole.bots):
        if bot in held:
            values[at] = (held[bot] - CENTRE) / ELO_PER_NAT
    is_large = len(whole.bots) > MAX_DENSE
    covariance: Floats | None = None
    tau = 0.0
    if is_large:
        width = _of_sample(whole, anchors, parents, tolerance)
        sigma, phi, is_rough = width.sigma, width.phi, width.is_rough
        strengths, errors = large_mode(matches, prior, values, log(sigma), phi)
        pairing = mode = strengths
    else:
        guess = None
        if last is not None and last.covariance is not None and last.bots == whole.bots:
            guess = Guess(last.covariance, last.phi)
        found = spread(matches, Posterior(matches.likelihood, prior, values, whole.matches_per_bot, guess), tolerance)
        sigma, phi, tau, is_rough = found.sigma, found.phi, found.tau, found.is_rough
        strengths, covariance = found.strengths, found.covariance
        pairing, mode = found.first.mean, found.centre.mode
        errors = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    notes = {
        FEW_GAMES: is_rough,
        NOT_COMPARABLE: bool(anchors) and not is_anchored,
        APPROXIMATE: is_large,
        DEPENDENT: phi >= DEPENDENT_GAMES,
    }
    return Fit(
        bots=whole.bots,
        strengths=strengths,
        errors=errors,
        sigma=sigma,
        phi=phi,
        tau=tau,
        pairing=pairing,
        mode=mode,
        matches=whole.matches,
        appearances=whole.appearances,
        components=components(whole),
        anchors=frozenset(anchors),
        is_anchored=is_anchored,
        parents={bot: parents[bot] for bot in whole.bots if bot in parents},
        notes=tuple(note for note, is_true in notes.items() if is_true),
        confidence=confidence(whole),
        covariance=covariance,
    )


def _of_sample(whole: Played, anchors: Mapping[str, float], parents: Mapping[str, str], tolerance: float) -> Width:
    """T20.9: sigma and phi of a random sample of the bots, from their matches among themselves."""
    matches = Matches.among(among(whole, sampled(whole.bots, MAX_DENSE)))
    part = matches.played
    here = {bot: rating for bot, rating in anchors.items() if bot in set(part.bots)}
    is_anchored = bool(here) and len(here) < len(part.bots) and can_place_the_pool(part, here, parents)
    prior = Prior.of(part.bots, parents, here if is_anchored else ())
    values = np.array([(here.get(bot, CENTRE) - CENTRE) / ELO_PER_NAT for bot in part.bots])
    return pool_width(matches, Posterior(matches.likelihood, prior, values, part.matches_per_bot), tolerance)


def can_place_the_pool(whole: Played, anchors: Mapping[str, float], parents: Mapping[str, str]) -> bool:
    """T20.4: whether some other bot has finished level with or ahead of an anchor or its descendant, and vice versa."""
    family = set(anchors)
    present = set(whole.bots)
    for bot in whole.bots:
        lineage = []
        while bot in present and bot not in family and bot not in lineage:
            lineage.append(bot)
            bot = parents.get(bot, "")
        if bot in family:
            family.update(lineage)
    is_family = np.array([bot in family for bot in whole.bots])
    if is_family.all():
        return True
    held = yielded = False
    for finish in whole.finishes:
        ours = is_family[finish.bots]
        for one, place in enumerate(finish.ranking):
            for other, beside in enumerate(finish.ranking):
                if one != other and place <= beside:
                    held = held or bool((ours[one] & ~ours[other]).any())
                    yielded = yielded or bool((~ours[one] & ours[other]).any())
    return held and yielded


def components(whole: Played) -> tuple[int, ...]:
    """T8.10: number the parts of the pool that have met, directly or through others, by their first bot."""
    count = len(whole.bots)
    label = np.arange(count)
    one = np.concatenate([np.tile(finish.bots[0], len(finish.ranking) - 1) for finish in whole.finishes])
    other = np.concatenate([finish.bots[1:].ravel() for finish in whole.finishes])
    if count <= MAX_DENSE:
        has_met = np.zeros(count * count, dtype=bool)
        has_met[one * count + other] = True
        one, other = np.divmod(np.flatnonzero(has_met), count)
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
