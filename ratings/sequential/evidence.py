"""T14.2 and T19.2: the evidence of a block of rotated games about two bots at its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ratings.points.points import game_points, seat_of


class Pairs(NamedTuple):
    """T14.11: how often NEW was placed before OLD, level with it, and behind it."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def plus(self, other: Pairs) -> Pairs:
        """The sum of two counts."""
        return Pairs(*map(sum, zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class CountedBlock:
    """T2: a table of a round with its games that count; places are by base seat."""

    bots: tuple[str, ...]
    games: tuple[tuple[int, ...], ...]

    @property
    def is_complete(self) -> bool:
        """T19.2: only a block of all rotations is evidence."""
        return len(self.games) == len(self.bots)

    def difference(self, new: str, old: str) -> int:
        """T14.2: D, the points of one bot minus those of the other, summed over the games, in units."""
        if not self.is_complete:
            raise ValueError(f"T19.2: {len(self.games)} of {len(self.bots)} rotations are not evidence")
        return sum(self.game_differences(new, old))

    def game_differences(self, new: str, old: str) -> tuple[int, ...]:
        """T14.2: the points of one bot minus those of the other in every game, in units.

        A bot with several seats (a house bot, or the copies of T14.9) counts with their mean, which is whole for two:
        the points of a game are multiples of 180, 240, 360 or 720.
        """
        new_seats, old_seats = self._seats(new, old)
        found = []
        for places in self.games:
            points = game_points(places)
            new_points, old_points = (sum(points[seat] for seat in seats) for seats in (new_seats, old_seats))
            found.append(new_points // len(new_seats) - old_points // len(old_seats))
        return tuple(found)

    def pairs(self, new: str, old: str) -> Pairs:
        """T14.11: one bot against the other by their places in every game; each pair of their seats counts."""
        counts = [0, 0, 0]
        for places, ours, theirs in product(self.games, *self._seats(new, old)):
            counts[1 + (places[ours] > places[theirs]) - (places[ours] < places[theirs])] += 1
        return Pairs(*counts)

    def _seats(self, new: str, old: str) -> tuple[list[int], list[int]]:
        new_seats = [seat for seat, bot in enumerate(self.bots) if bot == new]
        old_seats = [seat for seat, bot in enumerate(self.bots) if bot == old]
        if not new_seats or not old_seats or new == old:
            raise ValueError(f"T14.2: {new} and {old} did not both sit at the table of {', '.join(self.bots)}")
        return new_seats, old_seats


def block_by_seat(bots: Sequence[str], games: Sequence[Sequence[int]]) -> CountedBlock:
    """T2: a complete block from the places by seat of its games, rotation 0 first; bots are by base seat."""
    seats = len(bots)
    return CountedBlock(
        tuple(bots),
        tuple(
            tuple(places[seat_of(base, rotation, seats)] for base in range(seats))
            for rotation, places in enumerate(games)
        ),
    )
