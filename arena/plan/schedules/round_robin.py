"""Round robins: every group of bots shares a table once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from arena.plan.schedules.fixed import FixedSchedule, check_entrants, drawn, numbered
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing

MAX_TABLES = 100_000
"""A round robin of more tables than this is refused: it would never end."""


class RoundRobin(FixedSchedule):
    """Every group of as many bots as a table seats meets exactly once."""

    about = "Every group of as many bots as a table seats meets exactly once."

    def rounds(self, settings: TournamentSettings) -> tuple[Pairing, ...]:
        """Seat all groups."""
        return round_robin(settings.bots, settings.games[0].sizes.preferred, seed=settings.seed)


def round_robin(bots: Sequence[str], seats: int, *, seed: int) -> tuple[Pairing, ...]:
    """Seat every group of `seats` bots at one table exactly once; in no round does a bot sit twice.

    With two seats everybody plays in every round, but for one bot in each if their number is odd.
    """
    check_entrants(bots, seats)
    entrants = drawn(bots, seed)
    if comb(len(entrants), seats) > MAX_TABLES:
        raise ValueError(
            f"a round robin of {len(entrants)} bots at tables of {seats} has more than {MAX_TABLES} tables"
        )
    rounds = _circle(entrants) if seats == 2 else _packed(entrants, seats)
    return tuple(map(numbered, rounds))


def _circle(drawn: list[str]) -> Iterator[list[tuple[str, ...]]]:
    """The circle method: the first stays, the others go round; who faces the empty place sits out."""
    places: list[str | None] = [*drawn, None] if len(drawn) % 2 else [*drawn]
    half = len(places) // 2
    for number in range(len(places) - 1):
        tables: list[tuple[str, ...]] = []
        for one, other in zip(places[:half], reversed(places[half:]), strict=True):
            if one is not None and other is not None:
                # The first bot would else sit in front in every round.
                tables.append((other, one) if number % 2 and one == places[0] else (one, other))
        yield tables
        places.insert(1, places.pop())


def _packed(drawn: list[str], seats: int) -> Iterator[list[tuple[str, ...]]]:
    """Put the groups, in lexicographic order, into as early a round as has none of their bots."""
    waiting = list(combinations(drawn, seats))
    while waiting:
        taken: set[str] = set()
        tables, left = [], []
        for group in waiting:
            if taken.isdisjoint(group):
                tables.append(group)
                taken.update(group)
            else:
                left.append(group)
        yield tables
        waiting = left
