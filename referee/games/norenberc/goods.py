"""Goods vectors in canonical order (B0.8): purchases, payments and thefts as ready-made actions.

The same few questions come up again and again, so answers are remembered; a count above what a question can use is cut
down to that before it is asked, which keeps the number of different questions small.
"""

from __future__ import annotations

from functools import cache, lru_cache

from referee.games.norenberc.actions import BuyGoods, PayGoods, StealGoods
from referee.games.norenberc.components import HIRE_COSTS

Vector = tuple[int, ...]

MAX_PAID = max(own + other for costs in HIRE_COSTS for own, other in costs)


@cache
def vectors(types: int, total: int) -> tuple[Vector, ...]:
    """B0.8: all goods vectors of one total, the lexicographically larger first."""
    if types == 1:
        return ((total,),)
    return tuple((first, *rest) for first in range(total, -1, -1) for rest in vectors(types - 1, total - first))


def fits(vector: Vector, goods: Vector) -> bool:
    """Return whether the goods hold at least this vector."""
    for wanted, there in zip(vector, goods, strict=True):  # noqa: SIM110  a generator costs more than it compares
        if wanted > there:
            return False
    return True


def capped(goods: list[int], most: int) -> Vector:
    """Return the goods with every count cut down to the most that matters."""
    return tuple([count if count < most else most for count in goods])


@lru_cache(maxsize=8192)
def purchases(stored: Vector, most: int) -> tuple[BuyGoods, ...]:
    """B5.8: what can be bought of these goods, from one good up to `most`."""
    return tuple(
        BuyGoods(vector)
        for total in range(1, most + 1)
        for vector in vectors(len(stored), total)
        if fits(vector, stored)
    )


@cache
def costs(types: int, house: int, pane: int) -> tuple[PayGoods, ...]:
    """B5.13: every goods vector that pays for a window of a guild, whichever alternative of B5.12 it matches."""
    patterns = HIRE_COSTS[pane]
    totals = sorted({own + other for own, other in patterns})
    return tuple(
        PayGoods(vector)
        for total in totals
        for vector in vectors(types, total)
        if any(own + other == total and vector[house] >= own for own, other in patterns)
    )


@lru_cache(maxsize=8192)
def payments(owned: Vector, house: int, pane: int) -> tuple[PayGoods, ...]:
    """B5.13: how a player with these goods can pay for a window of a guild."""
    return tuple(payment for payment in costs(len(owned), house, pane) if fits(payment.goods, owned))


@lru_cache(maxsize=8192)
def thefts(victim: int, owned: Vector, count: int) -> tuple[StealGoods, ...]:
    """B6.4: the ways to take this number of goods from a victim."""
    return tuple(StealGoods(victim, vector) for vector in vectors(len(owned), count) if fits(vector, owned))


def payable_panes(own: int, total: int) -> int:
    """B5.12: bit set of the windows payable with this many goods of the guild's type among this many in all."""
    return _PAYABLE_PANES[min(own, MAX_PAID)][min(total, MAX_PAID)]


def _count_payable_panes(own: int, total: int) -> int:
    panes = 0
    for pane, patterns in enumerate(HIRE_COSTS):
        if any(own >= needed and total >= needed + other for needed, other in patterns):
            panes |= 1 << pane
    return panes


_PAYABLE_PANES = [[_count_payable_panes(own, total) for total in range(MAX_PAID + 1)] for own in range(MAX_PAID + 1)]
