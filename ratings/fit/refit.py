"""T13.9: redo fits for the audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ratings.fit.fit import NothingToFitError, fit
from ratings.fit.newton import FitError
from ratings.ledger.chain import Body
from ratings.ledger.fit_record import FitRecord
from ratings.points.result import Result

TOLERANCE = 2
"""Units by which a fit done on another machine may differ: thousandths of an Elo in a list, millionths elsewhere.

T13.9 asks for agreement within 1e-6. Of a rating of 1500 Elo that is 1.5 thousandths, of a sigma of one nat one
millionth; both sides are then rounded to whole units, so a sound entry may be off by two, but not by three.
"""


def refit_fault(
    results: Sequence[Result], anchors: Mapping[str, int], parents: Mapping[str, str], body: Body
) -> str | None:
    """T13.9: redo the fit of a FIT entry and return the difference, or None."""
    try:
        record = fit_of_record(results, anchors, parents, voids=body["voids"])
    except FitError as error:
        return str(error)
    for name in ("sigma", "phi", "tau"):
        value, found = body[name], getattr(record, name)
        # Relative to its size: sigma and phi have no natural bound.
        if abs(value - found) > TOLERANCE + value * 1e-6:
            return f"{name} is {value}, but {found} by a new fit"
    return _difference(
        {bot: (rating, error) for bot, rating, error in body["ratings"]},
        {bot: (rating, error) for bot, rating, error in record.lines},
    )


def fit_of_record(
    results: Sequence[Result], anchors: Mapping[str, int], parents: Mapping[str, str], *, voids: int
) -> FitRecord:
    """T13.7: the fit of record; a pool with no bot to fit has an empty list (T20.1)."""
    in_elo = {bot: rating / 1000 for bot, rating in anchors.items()}
    try:
        return fit(results, anchors=in_elo, parents=parents, is_record=True).record(voids)
    except NothingToFitError:
        return FitRecord(len(results), voids, (), 0, 0, 0)


def _difference(said: Mapping[str, tuple[int, ...]], found: Mapping[str, tuple[int, ...]]) -> str | None:
    if said.keys() != found.keys():
        bot = min(said.keys() ^ found.keys())
        return f"{bot} is in the entry or the refit, but not in both"
    off = [
        bot
        for bot, values in said.items()
        if any(abs(one - other) > TOLERANCE for one, other in zip(values, found[bot], strict=True))
    ]
    if not off:
        return None
    return f"{len(off)} bots differ, such as {off[0]}: {said[off[0]]}, but {found[off[0]]} by a new fit"
