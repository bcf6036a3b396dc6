"""T13.9: kept fits, compared with a new fit."""

from __future__ import annotations

from dataclasses import replace
from math import isclose

import numpy as np

from arena.fitting.fits import PoolFit, fitted_now, is_shown, reduced, unpacked
from arena.store.database import Store
from arena.store.fits import holds

LIST_PRECISION = 0.05
"""Elo by which a leaderboard may differ from the fit of record."""


def kept_fault(store: Store, pool: str) -> str | None:
    """T13.9: refit a pool and return how its kept fit differs; None if in nothing that is shown."""
    kept, last, extent = store.fits.kept(pool), store.fits.last(pool), store.pools.extent(pool)
    if kept is None or not is_shown(kept):  # nobody is shown one of another software
        return None
    try:
        found = unpacked(kept)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        return f"it cannot be read: {error}"
    if found.extent != extent:
        if (
            kept.through <= extent.through
            and last is not None
            and (last.get("matches"), last.get("voids")) == (kept.matches, kept.voids)
        ):
            return None  # from an earlier close: never shown as current
        return f"it is of {kept.matches} matches and {kept.voids} void ones, but the pool never had these"
    if holds(last, extent) and last is not None and [list(line) for line in found.lines] != last["ratings"]:
        return "its ratings are not those of the last FIT entry"
    again = fitted_now(store, pool, is_record=True)
    return "the pool has no bot to fit" if again is None else _difference(found, reduced(*again, extent))


def _difference(found: PoolFit, again: PoolFit) -> str | None:
    """Return where two fits differ by more than the precision of a leaderboard."""
    if found.error_source != again.error_source or found.notes != again.notes:
        return "its notes differ from those of a new fit"
    for name in ("sigma", "phi", "tau", "confidence"):
        if not isclose(getattr(found, name), getattr(again, name), rel_tol=1e-3, abs_tol=1e-4):
            return f"{name} is {getattr(found, name)}, but {getattr(again, name)} by a new fit"
    lines = {line.bot: line for line in again.ratings}
    for line in found.ratings:
        other = lines.pop(line.bot, None)
        if other is None:
            return f"{line.bot} has no match in the pool"
        figures = zip((line.rating, line.error), (other.rating, other.error), strict=True)
        if any(abs(one - two) > LIST_PRECISION for one, two in figures):
            said, wanted = (f"{each.rating:.2f} ± {each.error:.2f}" for each in (line, other))
            return f"{line.bot} is rated {said}, but {wanted} by a new fit"
        if replace(line, rating=0.0, error=0.0) != replace(other, rating=0.0, error=0.0):
            return f"{line.bot} has other matches, component, places or kind than in a new fit"
    if lines:
        return f"{min(lines)} is missing"
    milli = {bot: (rating, error) for bot, rating, error in again.lines}
    for bot, rating, error in found.lines:
        one, two = milli.get(bot, (0, 0))
        if max(abs(rating - one), abs(error - two)) > 1000 * LIST_PRECISION:
            return f"{bot} has {rating}, {error} thousandths on record, but {one}, {two} by a new fit"
    if (found.covariance is None) != (again.covariance is None):
        return "the covariance is missing"
    if found.covariance is not None and again.covariance is not None:
        order = [again.index()[line.bot] for line in found.ratings]
        if not np.allclose(found.covariance, again.covariance[np.ix_(order, order)], rtol=1e-2, atol=1e-4):
            return "the covariance differs from that of a new fit"
    return None
