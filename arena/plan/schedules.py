"""Round robins and gauntlets: schedules that are known before the first game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from arena.plan.swiss import PairedTable, Pairing, draw_key
from ratings.points import LEAST_SEATS, MOST_SEATS

MOST_TABLES = 100_000
"""A round robin of more tables than this is refused: it would never end."""


def round_robin(bots: Sequence[str], seats: int, *, seed: int) -> tuple[Pairing, ...]:
    """Seat every group of `seats` bots at one table exactly once; in no round does a bot sit twice.

    With two seats everybody plays in every round, but for one bot in each if their number is odd.
    """
    _check(bots, seats)
    drawn = _drawn(bots, seed)
    if comb(len(drawn), seats) > MOST_TABLES:
        raise ValueError(f"a round robin of {len(drawn)} bots at tables of {seats} has more than {MOST_TABLES} tables")
    rounds = _circle(drawn) if seats == 2 else _packed(drawn, seats)
    return tuple(_pairing(tables) for tables in rounds)


def gauntlet(challenger: str, opponents: Sequence[str], seats: int, *, seed: int, laps: int = 1) -> tuple[Pairing, ...]:
    """Let one bot meet all others, a table a round: in every lap each opponent at least once, and at most one more.

    The opponents are drawn anew for every lap; the last table is filled from the head of the lap.
    """
    _check(opponents, seats - 1, least=LEAST_SEATS - 1)
    if challenger in opponents:
        raise ValueError(f"{challenger} cannot be its own opponent")
    rounds = []
    for lap in range(laps):
        drawn = _drawn(opponents, seed, lap)
        for first in range(0, len(drawn), seats - 1):
            group = (drawn + drawn)[first : first + seats - 1]
            rounds.append([(challenger, *group)])
    return tuple(_pairing(tables) for tables in rounds)


def _check(bots: Sequence[str], seats: int, least: int = LEAST_SEATS) -> None:
    if not least <= seats <= MOST_SEATS - (LEAST_SEATS - least):
        raise ValueError(f"a table has {LEAST_SEATS} to {MOST_SEATS} seats, not {seats + LEAST_SEATS - least}")
    if len(set(bots)) < len(bots):
        raise ValueError("a bot is entered twice")
    if len(bots) < seats:
        raise ValueError(f"{len(bots)} bots cannot fill {seats} seats")


def _drawn(bots: Sequence[str], seed: int, lap: int = 0) -> list[str]:
    return sorted(bots, key=lambda bot: (draw_key(seed, lap, bot), bot))


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


def _pairing(tables: Sequence[tuple[str, ...]]) -> Pairing:
    return Pairing(tuple(PairedTable(number, bots) for number, bots in enumerate(tables, start=1)), (), 0)
