"""T13.9: fits that were kept, held to what fitting again gives."""

from __future__ import annotations

from dataclasses import replace
from math import isclose

import numpy as np

from arena.fitting.fits import PoolFit, fitted_now, reduced, unpacked
from arena.store.database import Store
from arena.store.fits import holds
from referee.software import SOFTWARE

LIST_PRECISION = 0.05
"""Elo by which a list may differ from the fit of record."""


def kept_fault(store: Store, pool: str) -> str | None:
    """T13.9: fit a pool again and return in what the fit kept of it differs; None if in nothing that is shown."""
    kept, last, extent = store.fits.kept(pool), store.fits.last(pool), store.pools.extent(pool)
    if kept is None or kept.software != SOFTWARE:  # nobody is shown one of another software
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
            return None  # of an earlier close: nobody is shown it as current
        return f"it is of a pool of {kept.matches} matches and {kept.voids} void ones, which this never was"
    if holds(last, extent) and last is not None and [list(line) for line in found.lines] != last["ratings"]:
        return "its list is not that of the last FIT entry"
    again = fitted_now(store, pool, is_record=True)
    return "nobody is there to be fitted" if again is None else _difference(found, reduced(*again, extent))


def _difference(found: PoolFit, again: PoolFit) -> str | None:
    """Return in what two fits differ by more than the precision of a list allows."""
    if found.error_source != again.error_source or found.notes != again.notes:
        return "it says something else of itself than a fit done again"
    for name in ("sigma", "phi", "tau"):
        if not isclose(getattr(found, name), getattr(again, name), rel_tol=1e-3, abs_tol=1e-4):
            return f"{name} is {getattr(found, name)}, by fit {getattr(again, name)}"
    lines = {line.bot: line for line in again.ratings}
    for line in found.ratings:
        other = lines.pop(line.bot, None)
        if other is None:
            return f"{line.bot} has no match in the pool"
        figures = zip((line.rating, line.error), (other.rating, other.error), strict=True)
        if any(abs(one - two) > LIST_PRECISION for one, two in figures):
            said, wanted = (f"{each.rating:.2f} ± {each.error:.2f}" for each in (line, other))
            return f"{line.bot} is rated {said}, by fit {wanted}"
        if replace(line, rating=0.0, error=0.0) != replace(other, rating=0.0, error=0.0):
            return f"{line.bot} is kept with other matches, component, places or kind than a fit done again gives it"
    if lines:
        return f"{min(lines)} is missing"
    milli = {bot: (rating, error) for bot, rating, error in again.lines}
    for bot, rating, error in found.lines:
        one, two = milli.get(bot, (0, 0))
        if max(abs(rating - one), abs(error - two)) > 1000 * LIST_PRECISION:
            return f"{bot} stands in the list of record with {rating}, {error} thousandths, by fit {one}, {two}"
    if (found.covariance is None) != (again.covariance is None):
        return "the covariance is missing"
    if found.covariance is not None and again.covariance is not None:
        order = [again.index()[line.bot] for line in found.ratings]
        if not np.allclose(found.covariance, again.covariance[np.ix_(order, order)], rtol=1e-2, atol=1e-4):
            return "the covariance is not that of a fit done again"
    return None
