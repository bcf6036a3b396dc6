"""T4: a bot's history for pairing, and how a played round changes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256

from ratings.points.points import BYE_POINTS, MAX_SEATS, block_points, seat_of

SEAT_UNIT = 60
"""T5.3: one game, divisible by every number of seats."""

NO_DEBT = (0,) * MAX_SEATS


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a block that counted; places, STRUCK for a struck seat (T13.15), and raw scores by base seat."""

    rotation: int
    places: tuple[int, ...]
    scores: tuple[int, ...] | None = None


@lru_cache(maxsize=1 << 14)
def shared_game(rotation: int, places: tuple[int, ...], scores: tuple[int, ...] | None = None) -> PlayedGame:
    """Return a game; equal games are one object, since a long tournament keeps very many of few kinds."""
    return PlayedGame(rotation, places, scores)


@lru_cache(maxsize=1 << 14)
def _shared_mates(mates: tuple[str, ...]) -> tuple[str, ...]:
    return mates


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a round: its bots by base seat, and the games that were not void."""

    bots: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    earlier: tuple[tuple[int, tuple[PlayedGame, ...]], ...] = ()
    """T13: for every entry that corrected them, in order, its number and the games that counted before it."""

    def stood_at(self, seq: int) -> PlayedTable:
        """T11.9: return the table as it stood after an entry."""
        games = next((games for changed_by, games in self.earlier if seq < changed_by), self.games)
        return PlayedTable(self.bots, games)

    @property
    def points(self) -> tuple[int, ...]:
        """T2: the round points of each bot, in units."""
        return block_points([game.places for game in self.games], len(self.bots))


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A closed round."""

    tables: tuple[PlayedTable, ...]
    byes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    """T10.3: bots that joined later; the round counts for them with no points."""
    is_rating: bool = False
    """T10.2: a rating round makes no points."""
    closed_by: int = 0
    """The number of its CHECKPOINT entry."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """T4.1: a bot that wants to play the next round, with its past in this tournament."""

    bot: str
    score: int = 0
    mates: tuple[tuple[str, ...], ...] = ()
    """For every round since it joined, the entrants it sat with; empty for a bye or a missed round."""
    odd: int = 0
    """Rounds at an odd-sized table, or at one with a house bot."""
    byes: int = 0
    debts: tuple[int, ...] = NO_DEBT
    """T5.3: 60 for every game in the seat, less 60/n for every game played at n >= seat + 1 seats."""
    last_seats: tuple[int, ...] = ()
    """The last two seats, newest last, where rounds are single games."""


def draw_key(seed: int, round_number: int, bot: str) -> int:
    """T4.2: the first 8 bytes of SHA-256("draw|tournament seed|round|bot id")."""
    return int.from_bytes(sha256(f"draw|{seed}|{round_number}|{bot}".encode()).digest()[:8], "big")


def advance(
    entrants: Mapping[str, Entrant], played: PlayedRound, *, preferred: int, house_bots: Collection[str] = ()
) -> dict[str, Entrant]:
    """T4.1: the entrants after a round. Those who were not in it stay as they are, one round older in their mates.

    T10.2: a rating round changes nobody's score; its meetings and its byes matter to the rating rounds after it.
    """
    counts = not played.is_rating
    house = frozenset(house_bots)
    after: dict[str, Entrant] = {}
    for table in played.tables:
        is_odd = len(table.bots) != preferred or not house.isdisjoint(table.bots)
        points = table.points
        for base, bot in enumerate(table.bots):
            if bot not in entrants:
                continue
            entrant = entrants[bot]
            mates = _shared_mates(tuple(mate for mate in table.bots if mate != bot and mate not in house))
            seats = len(table.bots)
            debts, last = entrant.debts, entrant.last_seats
            if len(table.games) != seats:
                seated = [seat_of(base, game.rotation, seats) for game in table.games]
                share = SEAT_UNIT // seats
                debts = tuple(
                    debt + SEAT_UNIT * seated.count(seat) - (share * len(seated) if seat < seats else 0)
                    for seat, debt in enumerate(debts)
                )
                last = (*last, *seated)[-2:]
            after[bot] = replace(
                entrant,
                score=entrant.score + counts * points[base],
                mates=(*entrant.mates, mates),
                odd=entrant.odd + is_odd,
                debts=debts,
                last_seats=last,
            )
    for bot, entrant in entrants.items():
        if bot not in after:
            after[bot] = replace(entrant, mates=(*entrant.mates, ()))
    for bot in played.byes:
        byes, score = after[bot].byes + 1, after[bot].score + counts * BYE_POINTS
        after[bot] = replace(after[bot], score=score, byes=byes)
    return {bot: after[bot] for bot in entrants}
