"""Schedules that are known before the first game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from arena.plan.rounds import History
from arena.plan.schedules.schedule import ALL_PLAYED, SWISS_ORDER
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import PairedTable, Pairing, draw_key
from ratings.points.points import MAX_SEATS, MIN_SEATS


class FixedSchedule(ABC):
    """All rounds are drawn at the start; whoever leaves is left out of his tables from then on (T10.4)."""

    about: str
    is_open = False
    order_words = SWISS_ORDER

    @abstractmethod
    def rounds(self, settings: TournamentSettings) -> tuple[Pairing, ...]:
        """Return all rounds; a ValueError says why there cannot be any."""

    def check(self, settings: TournamentSettings) -> None:
        """Refuse entrants that do not fit."""
        _rounds(self, settings)

    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """All rounds count for points."""
        return len(_rounds(self, settings)), 0

    def is_rating(self, settings: TournamentSettings, number: int) -> bool:
        """All rounds count for points."""
        return False

    def seeded(self, settings: TournamentSettings, history: History) -> Iterable[str]:
        """Nothing but the draw key decides."""
        return ()

    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Return the next round, without the tables that cannot be filled any more."""
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

    def order(self, settings: TournamentSettings, history: History) -> tuple[str, ...] | None:
        """T11: points make the order."""
        return None


@lru_cache(maxsize=16)
def _rounds(schedule: FixedSchedule, settings: TournamentSettings) -> tuple[Pairing, ...]:
    return schedule.rounds(settings)


def numbered(tables: Iterable[tuple[str, ...]]) -> Pairing:
    """Return tables as a round."""
    return Pairing(tuple(PairedTable(number, bots) for number, bots in enumerate(tables, start=1)), (), 0)


def check_entrants(bots: Sequence[str], seats: int, least: int = MIN_SEATS) -> None:
    """Raise a ValueError unless there are bots enough, each once, for a table of `seats`."""
    if not least <= seats <= MAX_SEATS - (MIN_SEATS - least):
        raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, not {seats + MIN_SEATS - least}")
    if len(set(bots)) < len(bots):
        raise ValueError("a bot is entered twice")
    if len(bots) < seats:
        raise ValueError(f"{len(bots)} bots cannot fill {seats} seats")


def drawn(bots: Sequence[str], seed: int, lap: int = 0) -> list[str]:
    """Return bots in the order of their draw keys."""
    return sorted(bots, key=lambda bot: (draw_key(seed, lap, bot), bot))
