"""T1: the points of a match, in exact integers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, lru_cache

UNIT = 1440
"""One point. Every result of 2 to 5 seats, and every mean over that many games, is a whole number of units."""

BYE_POINTS = UNIT // 2
"""T3.3: the points of a bye."""

MIN_SEATS = 2
MAX_SEATS = 5


def competition_places(keys: Sequence[tuple[int, ...] | int]) -> tuple[int, ...]:
    """T1.1: rank the seats by their keys, smallest first; equal keys share a place and the next places stay empty."""
    ordered = sorted(keys)
    return tuple(1 + ordered.index(key) for key in keys)


def forfeited_places(places: Sequence[int], seats: Collection[int]) -> tuple[int, ...]:
    """T13.12: the places of a match after some seats forfeited it: they share the last one."""
    return competition_places([(1, 0) if seat in seats else (0, place) for seat, place in enumerate(places)])


def check_places(places: Sequence[int]) -> None:
    """T1.1: raise ValueError unless these are competition ranks (1, 2, 2, 4) of 2 to 5 seats."""
    _check_ranking(tuple(places))


@cache  # There are only 632 rankings of two to five seats, and refusals are not cached.
def _check_ranking(places: tuple[int, ...]) -> None:
    if not MIN_SEATS <= len(places) <= MAX_SEATS:
        raise ValueError(f"T1: a match has {MIN_SEATS} to {MAX_SEATS} seats, not {len(places)}")
    expected = competition_places(places)
    if places != expected:
        raise ValueError(f"T1: {places} are not competition places; expected {expected}")


def game_points(places: Sequence[int]) -> tuple[int, ...]:
    """T1.4: the share of opponents each seat has beaten, ties counting half, the table's mean exactly half a point."""
    return _ranking_points(tuple(places))


@lru_cache(maxsize=1024)
def _ranking_points(places: tuple[int, ...]) -> tuple[int, ...]:
    share = UNIT // 2 // (len(places) - 1)
    return tuple(
        share * sum(2 if place < other else place == other for seat, other in enumerate(places) if seat != own)
        for own, place in enumerate(places)
    )


def block_points(games: Sequence[Sequence[int]], bots: int) -> tuple[int, ...]:
    """T2: the mean points of each bot over the games of its block; `games` holds the places by bot, not by seat.

    A block without a counting game is worth half a point, as a bye is.
    """
    if not games:
        return (BYE_POINTS,) * bots
    return tuple(sum(column) // len(games) for column in zip(*map(game_points, games), strict=True))


def seat_of(base_seat: int, rotation: int, seats: int) -> int:
    """T2: the seat of a base seat's bot in game `rotation` of its block."""
    return (base_seat + rotation) % seats
