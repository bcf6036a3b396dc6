"""Schedules that are known before the first game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from arena.plan.rounds import History
from arena.plan.schedules.schedule import ALL_PLAYED, Schedule
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import PairedTable, Pairing, draw_key
from ratings.points.points import MAX_SEATS, MIN_SEATS

MAX_TABLES = 100_000
"""The maximum number of tables in a round robin: more would never end."""


class FixedSchedule(Schedule):
    """All rounds are drawn at the start; a bot that leaves is left out of its tables from then on (T10.4)."""

    @abstractmethod
    def rounds(self, settings: TournamentSettings) -> tuple[Pairing, ...]:
        """Return all rounds; a ValueError says why none is possible."""

    def check(self, settings: TournamentSettings) -> None:
        """Refuse entrants that do not fit."""
        _rounds(self, settings)

    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """All rounds count for points."""
        return len(_rounds(self, settings)), 0

    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Return the next round, without the tables that can no longer be filled."""
        number = len(history.rounds) + 1
        least = settings.game_in(number).sizes.least
        whole = _rounds(self, settings)[number - 1]
        if not history.left:
            return whole
        present = [tuple(bot for bot in table.bots if bot not in history.left) for table in whole.tables]
        return numbered(bots for bots in present if len(bots) >= least)

    def is_over(self, settings: TournamentSettings, history: History) -> str:
        """When all rounds are played."""
        return ALL_PLAYED if len(history.rounds) >= len(_rounds(self, settings)) else ""


@lru_cache(maxsize=16)
def _rounds(schedule: FixedSchedule, settings: TournamentSettings) -> tuple[Pairing, ...]:
    return schedule.rounds(settings)


def numbered(tables: Iterable[tuple[str, ...]]) -> Pairing:
    """Return tables as a round."""
    return Pairing(tuple(PairedTable(number, bots) for number, bots in enumerate(tables, start=1)), (), 0)


def check_entrants(bots: Sequence[str], seats: int, least: int = MIN_SEATS) -> None:
    """Raise a ValueError unless there are enough bots for a table of `seats`, each entered once."""
    if not least <= seats <= MAX_SEATS - (MIN_SEATS - least):
        raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, not {seats + MIN_SEATS - least}")
    if len(set(bots)) < len(bots):
        raise ValueError("a bot is entered twice")
    if len(bots) < seats:
        raise ValueError(f"{len(bots)} bots cannot fill {seats} seats")


def drawn(bots: Sequence[str], seed: int, lap: int = 0) -> list[str]:
    """Return bots in the order of their draw keys."""
    return sorted(bots, key=lambda bot: (draw_key(seed, lap, bot), bot))


class Gauntlet(FixedSchedule):
    """The challenger meets all others, one table per round."""

    about = "One bot, the challenger, meets all others, one table per round."

    def rounds(self, settings: TournamentSettings) -> tuple[Pairing, ...]:
        """Seat the challenger with all others in turn."""
        assert settings.challenger is not None
        others = [bot for bot in settings.bots if bot != settings.challenger]
        return gauntlet(settings.challenger, others, settings.games[0].sizes.preferred, seed=settings.seed)


def gauntlet(challenger: str, opponents: Sequence[str], seats: int, *, seed: int) -> tuple[Pairing, ...]:
    """Let one bot meet all others, one table per round: each once, except those that fill the last table."""
    check_entrants(opponents, seats - 1, least=MIN_SEATS - 1)
    if challenger in opponents:
        raise ValueError(f"{challenger} cannot be its own opponent")
    order = drawn(opponents, seed)
    firsts = range(0, len(order), seats - 1)
    return tuple(numbered([(challenger, *(order + order)[first : first + seats - 1])]) for first in firsts)


class RoundRobin(FixedSchedule):
    """Every table-sized group of bots meets exactly once."""

    about = "Every table-sized group of bots meets exactly once."

    def rounds(self, settings: TournamentSettings) -> tuple[Pairing, ...]:
        """Seat all groups."""
        return round_robin(settings.bots, settings.games[0].sizes.preferred, seed=settings.seed)


def round_robin(bots: Sequence[str], seats: int, *, seed: int) -> tuple[Pairing, ...]:
    """Seat every group of `seats` bots at one table exactly once; no bot sits twice in a round.

    With two seats everybody plays in every round, except one bot in each if their number is odd.
    """
    check_entrants(bots, seats)
    entrants = drawn(bots, seed)
    if comb(len(entrants), seats) > MAX_TABLES:
        raise ValueError(
            f"a round robin of {len(entrants)} bots at tables of {seats} has more than {MAX_TABLES} tables"
        )
    rounds = _circle(entrants) if seats == 2 else _packed(entrants, seats)
    return tuple(map(numbered, rounds))


def _circle(entrants: list[str]) -> Iterator[list[tuple[str, ...]]]:
    """The circle method: the first stays, the others rotate; the bot that faces the empty place sits out."""
    places: list[str | None] = [*entrants, None] if len(entrants) % 2 else [*entrants]
    half = len(places) // 2
    for number in range(len(places) - 1):
        tables: list[tuple[str, ...]] = []
        for one, other in zip(places[:half], reversed(places[half:]), strict=True):
            if one is not None and other is not None:
                # Otherwise the first bot would have the first seat in every round.
                tables.append((other, one) if number % 2 and one == places[0] else (one, other))
        yield tables
        places.insert(1, places.pop())


def _packed(entrants: list[str], seats: int) -> Iterator[list[tuple[str, ...]]]:
    """Put each group, in lexicographic order, into the first round that has none of its bots."""
    waiting = list(combinations(entrants, seats))
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
