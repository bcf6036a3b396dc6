"""T8: the fitted ratings of a pool as leaderboards read them: fitted now, or kept from the last time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
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
from ratings.fit.seat_effects import seat_effects
from ratings.fit.shown import shown_diagnostics
from ratings.ledger import chain, queries
from ratings.ledger.fit_record import FitRecord, RecordedLine, list_digest
from referee.mistakes import UserError
from referee.software import SOFTWARE

FITTED_AT_ONCE = 20_000
"""Matches of a pool up to which a fit takes about a second, so that nobody needs to ask for it."""


@dataclass(frozen=True)
class PoolFit:
    """A fit reduced to what a list needs: ratings, best first, and the covariance of their strengths in nat."""

    extent: PoolExtent
    error_source: str
    ratings: tuple[FittedRating, ...]
    covariance: NDArray[np.float32] | None
    """None in a pool too large for it (T8)."""
    lines: tuple[RecordedLine, ...] = ()
    """T13.7: the list of record."""
    sigma: float = 0.0
    """T8.7: the spread of the pool in nat."""
    phi: float = 1.0
    """T8.7: by how much games of a block agree more than independent ones."""
    tau: float = 0.0
    notes: tuple[str, ...] = ()
    """T8.7: what the list must say."""
    is_of_record: bool = False
    """T13.7: it is exactly what the last FIT entry of the pool says; else it is provisional."""

    def index(self) -> dict[str, int]:
        """Return where every bot stands in `ratings`."""
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


@dataclass
class _Known:
    """What has been read of a pool up to an entry, and the last fit of it."""

    through: int
    matches: Matches
    fitted: Fit | None = None
    extent: PoolExtent | None = None
    """How far the pool had come when it was fitted."""


class Fitter:
    """T8: fits the pools of a store again and again, and reads and sorts only what is new since the last time.

    A fit that takes up where the last one ended is the same to the last bit as one from the beginning (T8.6), so that
    a tournament that was killed and goes on enters the same FIT entries.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, _Known] = {}

    def fit(self, pool: str) -> Fit | None:
        """T8: fit a pool as a FIT entry asks; asked again while nothing has changed, the same fit; None with nobody."""
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
        """Return what is known of a pool now, its anchors and all parents; None without matches."""
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
    """Return what a fit needed to the system: it is over all matches, and in whichever thread is idle.

    The C library keeps the room for each thread that ever had a fit, more of it the longer a tournament lasts.
    """
    with suppress(OSError, AttributeError):  # other libraries have no such function
        CDLL(None).malloc_trim(0)


def post_fit(store: Store, pool: str) -> bool:
    """T13.7: fit a pool as it stands, enter the fit in the ledger, and keep it; False if the last FIT entry holds."""
    return Fitter(store).post(pool)


def fitted_now(store: Store, pool: str, *, is_record: bool) -> tuple[Fit, Matches] | None:
    """T8: fit the ratings of a pool over the whole ledger; None while there is nobody to fit."""
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
    """Return of a fit what a list needs."""
    ratings = tuple(fitted.ratings())
    order = [fitted.index[line.bot] for line in ratings]
    covariance = None if fitted.covariance is None else fitted.covariance[np.ix_(order, order)].astype(np.float32)
    lines = tuple(fitted.canonical_list())
    notes = (*fitted.notes, *shown_diagnostics(seat_effects(matches, fitted), intransitivity(matches, fitted)))
    return PoolFit(extent, fitted.error_source, ratings, covariance, lines, fitted.sigma, fitted.phi, fitted.tau, notes)


def read_fit(store: Store, path: Path | None, pool: str, *, always: bool = False) -> PoolFit | None:
    """Return the fit of a pool, fitted again if it has changed and is small enough, or if `always` asks for it.

    Of a large pool it is the last one that was kept, which may be older than the pool; None if there is none.
    A new one is kept in the file at `path`, if one is given.
    """
    extent = store.pools.extent(pool)
    kept = store.fits.kept(pool)
    found = None
    if kept is not None and kept.software == SOFTWARE and kept.error_source in tuple(ErrorSource):
        found = unpacked(kept)
    if found is not None and found.extent == extent:
        last = store.fits.last(pool)
        is_of_record = holds(last, extent) and last is not None and last["digest"] == list_digest(found.lines)
        return replace(found, is_of_record=is_of_record and _shows_its_list(found))
    if not always and extent.matches > FITTED_AT_ONCE:
        return found
    whole = fitted_now(store, pool, is_record=False)
    fitted = None if whole is None else reduced(*whole, extent)
    if fitted is not None and path is not None:
        _keep(path, pool, fitted)
    return fitted


def _shows_its_list(found: PoolFit) -> bool:
    """T13.7: return whether the ratings on a leaderboard are those of the list of record."""
    shown = {line.bot: (1000 * line.rating, 1000 * line.error / CONFIDENCE) for line in found.ratings}
    listed = {bot: (rating, error) for bot, rating, error in found.lines}
    return shown.keys() == listed.keys() and all(
        abs(one - two) <= 1 for bot in shown for one, two in zip(shown[bot], listed[bot], strict=True)
    )


def _keep(path: Path, pool: str, fitted: PoolFit) -> None:
    """Keep a fit for the next reader; a file that cannot be written to stays as it is."""
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
    through, matches, voids = astuple(fitted.extent)
    summary_text, lines, ratings = (json.dumps(each) for each in (summary, fitted.lines, rows))
    return KeptFit(pool, through, matches, voids, SOFTWARE, fitted.error_source, summary_text, lines, ratings, half)


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
    sigma, phi, tau, notes = (summary[name] for name in ("sigma", "phi", "tau", "notes"))
    extent = PoolExtent(kept.through, kept.matches, kept.voids)
    return PoolFit(extent, kept.error_source, ratings, covariance, lines, sigma, phi, tau, tuple(notes))
