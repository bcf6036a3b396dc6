"""T9: the running Elo rating, in integers that are the same on every platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from functools import cache

from ratings.points.points import check_places

START = 1_500_000
"""Milli-Elo of a bot without a parent version."""

CERTAIN = 10**9
"""An expectation of one, in the unit of `expected`."""

WIDEST = 1_200_000
"""The largest difference that counts, in milli-Elo."""

FACTOR_FLOOR = 4_000
"""The smallest K, in milli-Elo."""


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """The rating of one seat before a match."""

    rating: int
    games: int
    is_anchor: bool = False


@dataclass(frozen=True, slots=True)
class EloChange:
    """The change of one seat's rating by a match."""

    before: int
    factor: int
    games: int
    delta: int


@cache
def expected_below(difference: int) -> int:
    """T9.2: the expectation of the lower rated of two, in billionths, by difference in whole Elo from 0 to 1200.

    Computed on demand: the whole table takes longer than a small tournament.
    """
    with localcontext() as context:
        context.prec = 60
        context.rounding = ROUND_HALF_EVEN
        return int((CERTAIN / (1 + Decimal(10) ** (Decimal(difference) / 400))).to_integral_value())


def expected(own: int, other: int) -> int:
    """T9.2: the expectation of `own` against `other`, in billionths; both sides add up to exactly one."""
    if own == other:
        return CERTAIN // 2
    whole, rest = divmod(min(abs(own - other), WIDEST), 1000)
    low = expected_below(whole)
    if rest:
        low -= (low - expected_below(whole + 1)) * rest // 1000
    return low if own < other else CERTAIN - low


def factor(games: int) -> int:
    """T9.3: K in milli-Elo: 96 Elo at first, 48 after 20 games, 16 after 100, 4 from 460 on."""
    return max(FACTOR_FLOOR, 1_920_000 // (20 + games))


def round_half_away(numerator: int, denominator: int) -> int:
    """T9.4: the nearest integer to a fraction with a positive denominator; halves are rounded away from zero."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size


def rate(players: Sequence[RatedSeat], places: Sequence[int]) -> tuple[tuple[EloChange, ...], int]:
    """T9.4: the changes of all seats, each from the ratings and games before the match, and the bank's delta.

    Anchors do not move. The deltas and the bank add up to exactly zero.
    """
    check_places(places)
    if len(players) != len(places):
        raise ValueError(f"T9: {len(players)} players cannot have {len(places)} places")
    scale = (len(players) - 1) * CERTAIN
    factors = [0 if player.is_anchor else factor(player.games) for player in players]
    deltas = [0] * len(players)
    for own, player in enumerate(players):
        for other in range(own):
            # Ties are tested before wins.
            won = 1 if places[own] == places[other] else 2 if places[own] < places[other] else 0
            # Both expectations add up to one, so the surprise of one side is minus that of the other.
            surprise = won * (CERTAIN // 2) - expected(player.rating, players[other].rating)
            deltas[own] += round_half_away(factors[own] * surprise, scale)
            deltas[other] += round_half_away(-factors[other] * surprise, scale)
    changes = tuple(
        EloChange(player.rating, own_factor, player.games, delta)
        for player, own_factor, delta in zip(players, factors, deltas, strict=True)
    )
    return changes, -sum(deltas)
