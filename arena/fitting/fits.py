"""T8: the fitted ratings of a pool for leaderboards: fitted now, or kept from the last fit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import suppress
from ctypes import CDLL
from dataclasses import astuple, dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.store.database import Store, open_store
from arena.store.fits import holds
from arena.store.rows import KeptFit, PoolExtent
from ratings.fit.fit import CONFIDENCE, ELO_PER_NAT, ErrorSource, Fit, FittedRating, NothingToFitError, fit, normal
from ratings.fit.intransitivity import intransitivity
from ratings.fit.matches import Matches
from ratings.fit.overall import Ballot
from ratings.fit.seat_effects import seat_effects
from ratings.fit.shown import shown_diagnostics
from ratings.ledger import chain, queries
from ratings.ledger.fit_record import FitRecord, RecordedLine, list_digest
from referee.mistakes import UserError
from referee.software import SOFTWARE

FITTED_UNREQUESTED = 20_000
"""Matches of a pool up to which a fit takes about a second, so that it is made without being requested."""


@dataclass(frozen=True)
class PoolFit:
    """A fit reduced to the needs of a leaderboard: ratings, best first, and the covariance of strengths in nats."""

    extent: PoolExtent
    error_source: str
    ratings: tuple[FittedRating, ...]
    covariance: NDArray[np.float32] | None
    """None in a pool too large for it (T8)."""
    lines: tuple[RecordedLine, ...] = ()
    """T13.7: the list of record."""
    sigma: float = 0.0
    """T8.7: the spread of the pool in nats."""
    phi: float = 1.0
    """T8.7: how much more the games of a block agree than independent ones."""
    tau: float = 0.0
    notes: tuple[str, ...] = ()
    """T8.7: the remarks that a leaderboard must show."""
    confidence: float = CONFIDENCE
    """T8.5: standard errors on either side of a 95 % interval."""
    is_of_record: bool = False
    """T13.7: whether it equals the pool's last FIT entry; otherwise it is provisional."""

    def index(self) -> dict[str, int]:
        """Return every bot's index in `ratings`."""
        return {line.bot: at for at, line in enumerate(self.ratings)}

    def los(self, one: int, other: int) -> float | None:
        """T8: the likelihood that the first of two, by their index, is the stronger; None where it is not known."""
        if self.covariance is None or self.ratings[one].component != self.ratings[other].component:
            return None
        if self.ratings[one].is_anchor and self.ratings[other].is_anchor:
            return None
        variance = float(self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other])
        difference = (self.ratings[one].rating - self.ratings[other].rating) / ELO_PER_NAT
        return 0.5 if one == other else normal(difference / sqrt(variance))


def ballot(fit: PoolFit, bots: Collection[str]) -> Ballot:
    """T8.13: return the vote of a pool on some of its bots; beyond 3,000 bots of errors that are independent."""
    chosen = [at for at, line in enumerate(fit.ratings) if line.bot in bots]
    lines = [fit.ratings[at] for at in chosen]
    strengths = np.array([line.rating / ELO_PER_NAT for line in lines])
    if fit.covariance is None:
        covariance = np.diag([(line.error / fit.confidence / ELO_PER_NAT) ** 2 for line in lines])
    else:
        covariance = fit.covariance[np.ix_(chosen, chosen)].astype(np.float64)
    own = covariance.diagonal()
    deviation = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 1e-12))
    z = (strengths[:, None] - strengths) / deviation
    los = np.array([normal(score) for score in z.ravel().tolist()]).reshape(z.shape)
    component = np.array([line.component for line in lines])
    return Ballot(tuple(line.bot for line in lines), np.where(component[:, None] == component, los, np.nan))


@dataclass
class _Known:
    """The part of a pool read so far, up to an entry, and its last fit."""

    through: int
    matches: Matches
    fitted: Fit | None = None
    extent: PoolExtent | None = None
    """The extent of the pool when it was fitted."""


class Fitter:
    """T8: fits the pools of a store repeatedly, and reads and sorts only what is new since the last fit.

    A fit that continues from the last one is bit-identical to one from scratch (T8.6), so that a tournament that was
    killed and resumed enters the same FIT entries.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, _Known] = {}

    def fit(self, pool: str) -> Fit | None:
        """T8: fit a pool for a FIT entry; the same fit while nothing has changed; None without bots."""
        extent = self.store.pools.extent(pool)
        known = self._known.get(pool)
        if known is not None and known.extent == extent:
            return known.fitted
        found = self._read(pool)
        if found is None:
            return None
        known, anchors, parents = found
        try:
            known.fitted = fit(
                known.matches, anchors=anchors, parents=parents, last=known.fitted, pool=pool, is_record=True
            )
        except NothingToFitError:
            known.fitted = None
        known.extent = extent
        return known.fitted

    def post(self, pool: str) -> bool:
        """T13.7: fit a pool as it stands, enter and keep the fit; False if the last FIT entry holds."""
        while True:
            extent = self.store.pools.extent(pool)
            if holds(self.store.fits.last(pool), extent):
                return False
            fitted = self.fit(pool)
            if fitted is None:
                record, kept = FitRecord(extent.matches, extent.voids, (), 0, 0, 0), None
            else:
                kept = _packed(pool, reduced(fitted, self._known[pool].matches, extent))
                record = fitted.record(extent.voids)
            is_entered = self.store.fits.enter(pool, extent, record, kept)
            _give_memory_back()
            if is_entered:
                return True

    def _read(self, pool: str) -> tuple[_Known, dict[str, float], dict[str, str]] | None:
        """Return the current results of a pool, its anchors and all parents; None without matches."""
        known = self._known.pop(pool, None)
        with self.store.reading() as connection:
            through = chain.head(connection).seq
            if known is not None and not queries.is_corrected_since(connection, pool, known.through):
                grown = known.matches.with_more(list(queries.results(connection, pool, through, known.through)))
                known = None if grown is None else replace(known, through=through, matches=grown)
            else:
                known = None
            if known is None:
                results = list(queries.results(connection, pool, through))
                known = _Known(through, Matches.of(results)) if results else None
            priors = _priors(connection, pool)
        if known is None:
            return None
        self._known[pool] = known
        return known, *priors


def _priors(connection: sqlite3.Connection, pool: str) -> tuple[dict[str, float], dict[str, str]]:
    """Return the anchors of a pool in Elo, and the parents of all versions."""
    anchors = {bot: rating / 1000 for bot, rating in queries.anchors(connection, pool).items()}
    return anchors, queries.parents(connection)


def _give_memory_back() -> None:
    """Return the memory of a fit to the system: a fit is over all matches, and runs in any idle thread.

    The C library keeps that memory for each thread that ever ran a fit, and more of it the longer a tournament lasts.
    """
    with suppress(OSError, AttributeError):  # other libraries have no such function
        CDLL(None).malloc_trim(0)


def post_fit(store: Store, pool: str) -> bool:
    """T13.7: fit a pool as it stands, enter the fit in the ledger, and keep it; False if the last FIT entry holds."""
    return Fitter(store).post(pool)


def fitted_now(store: Store, pool: str, *, is_record: bool) -> tuple[Fit, Matches] | None:
    """T8: fit the ratings of a pool over the whole ledger; None while there is no bot to fit."""
    with store.reading() as connection:
        results = list(queries.results(connection, pool))
        anchors, parents = _priors(connection, pool)
    if not results:
        return None
    matches = Matches.of(results)
    try:
        return fit(matches, anchors=anchors, parents=parents, pool=pool, is_record=is_record), matches
    except NothingToFitError:
        return None


def reduced(fitted: Fit, matches: Matches, extent: PoolExtent) -> PoolFit:
    """Return the part of a fit that a leaderboard needs."""
    ratings = tuple(fitted.ratings())
    order = [fitted.index[line.bot] for line in ratings]
    covariance = None if fitted.covariance is None else fitted.covariance[np.ix_(order, order)].astype(np.float32)
    lines = tuple(fitted.canonical_list())
    notes = (*fitted.notes, *shown_diagnostics(seat_effects(matches, fitted), intransitivity(matches, fitted)))
    return PoolFit(
        extent, fitted.error_source, ratings, covariance, lines, fitted.sigma, fitted.phi, fitted.tau, notes,
        fitted.confidence,
    )  # fmt: skip


def read_fit(store: Store, path: Path | None, pool: str, *, always: bool = False) -> PoolFit | None:
    """Return the fit of a pool, refitted if it has changed and is small enough, or if `always` is set.

    For a large pool it is the last kept fit, which may be older than the pool; None if there is none.
    A new one is kept in the file at `path`, if one is given.
    """
    extent = store.pools.extent(pool)
    kept = store.fits.kept(pool)
    found = None
    if kept is not None and is_shown(kept) and kept.error_source in tuple(ErrorSource):
        found = unpacked(kept)
    if found is not None and found.extent == extent:
        last = store.fits.last(pool)
        is_of_record = holds(last, extent) and last is not None and last["digest"] == list_digest(found.lines)
        return replace(found, is_of_record=is_of_record and _shows_its_list(found))
    if not always and extent.matches > FITTED_UNREQUESTED:
        return found
    whole = fitted_now(store, pool, is_record=False)
    fitted = None if whole is None else reduced(*whole, extent)
    if fitted is not None and path is not None:
        _keep(path, pool, fitted)
    return fitted


def _shows_its_list(found: PoolFit) -> bool:
    """T13.7: return whether the ratings on a leaderboard are the ratings of record."""
    shown = {line.bot: (1000 * line.rating, 1000 * line.error / found.confidence) for line in found.ratings}
    listed = {bot: (rating, error) for bot, rating, error in found.lines}
    return shown.keys() == listed.keys() and all(
        abs(one - two) <= 1 for bot in shown for one, two in zip(shown[bot], listed[bot], strict=True)
    )


def _keep(path: Path, pool: str, fitted: PoolFit) -> None:
    """Keep a fit for the next reader, if the file can be written to."""
    with suppress(sqlite3.Error, UserError):
        writer = open_store(path)
        try:
            writer.fits.keep(_packed(pool, fitted))
        finally:
            writer.close()


def _packed(pool: str, fitted: PoolFit) -> KeptFit:
    rows = [
        [line.bot, line.rating, line.error, line.matches, line.component, line.is_anchor, line.places]
        for line in fitted.ratings
    ]
    # The matrix is symmetric: half of it is enough.
    half = None
    if fitted.covariance is not None:
        half = fitted.covariance[np.triu_indices(len(rows))].astype("<f4").tobytes()
    summary = {"sigma": fitted.sigma, "phi": fitted.phi, "tau": fitted.tau, "notes": fitted.notes}
    summary["confidence"] = fitted.confidence
    through, matches, voids = astuple(fitted.extent)
    summary_text, lines, ratings = (json.dumps(each) for each in (summary, fitted.lines, rows))
    return KeptFit(pool, through, matches, voids, SOFTWARE, fitted.error_source, summary_text, lines, ratings, half)


EARLIER_SUMMARY = {"sigma", "phi", "tau", "notes"}
"""What release 0.1.0 kept: its intervals, places and remarks are others."""


def is_shown(kept: KeptFit) -> bool:
    """Return whether lists show a kept fit; where not, the next reader fits the pool again."""
    with suppress(ValueError):
        summary = json.loads(kept.summary)
        return kept.software == SOFTWARE and not (isinstance(summary, dict) and summary.keys() == EARLIER_SUMMARY)
    return kept.software == SOFTWARE  # unreadable: the audit says so


def unpacked(kept: KeptFit) -> PoolFit:
    """Return a fit as it was kept."""
    rows: Sequence[Sequence[Any]] = json.loads(kept.ratings)
    ratings = tuple(
        FittedRating(bot, rating, error, matches, component, is_anchor, places and (places[0], places[1]))
        for bot, rating, error, matches, component, is_anchor, places in rows
    )
    covariance = None
    if kept.covariance is not None:
        covariance = np.zeros((len(ratings), len(ratings)), dtype=np.float32)
        upper = np.triu_indices(len(ratings))
        covariance[upper] = np.frombuffer(kept.covariance, dtype="<f4")
        covariance.T[upper] = covariance[upper]
    summary = json.loads(kept.summary)
    lines = tuple((bot, rating, error) for bot, rating, error in json.loads(kept.lines))
    sigma, phi, tau, notes, confidence = (summary[name] for name in ("sigma", "phi", "tau", "notes", "confidence"))
    extent = PoolExtent(kept.through, kept.matches, kept.voids)
    return PoolFit(extent, kept.error_source, ratings, covariance, lines, sigma, phi, tau, tuple(notes), confidence)
