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

STRUCK = 0
"""T13.15: the place of a seat that was struck from a match; places that count begin at 1."""


def competition_places(keys: Sequence[tuple[int, ...] | int]) -> tuple[int, ...]:
    """T1.1: rank the seats by their keys, smallest first; equal keys share a place and the next places stay empty."""
    ordered = sorted(keys)
    return tuple(1 + ordered.index(key) for key in keys)


def forfeited_places(places: Sequence[int], seats: Collection[int]) -> tuple[int, ...]:
    """T13.12: the places of a match after some seats forfeited it: they share the last one."""
    return competition_places([(1, 0) if seat in seats else (0, place) for seat, place in enumerate(places)])


def struck_places(places: Sequence[int], seats: Collection[int]) -> tuple[int, ...]:
    """T13.15: the places of a match after some seats were struck: the others rank among themselves."""
    left = [seat for seat in range(len(places)) if seat not in seats]
    found = dict(zip(left, competition_places([places[seat] for seat in left]), strict=True))
    return tuple(found.get(seat, STRUCK) for seat in range(len(places)))


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
    """T1.4: the share of opponents each seat has beaten, ties counting half, the table's mean exactly half a point.

    T13.15: a struck seat is no opponent, and has no points.
    """
    return _ranking_points(tuple(places))


@lru_cache(maxsize=1024)
def _ranking_points(places: tuple[int, ...]) -> tuple[int, ...]:
    left = [place for place in places if place != STRUCK]
    share = UNIT // 2 // (len(left) - 1)
    # Every seat is tied with itself, which is no half point.
    return tuple(
        share * (sum(2 if place < other else place == other for other in left) - 1) if place != STRUCK else 0
        for place in places
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
