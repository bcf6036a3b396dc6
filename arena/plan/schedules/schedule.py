"""Schedules: the number of rounds, the tables of the next one, and the end.

A schedule is drawn from the settings of a tournament and its history alone, so that the runner and the audit get the
same rounds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.plan.rounds import History
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing

ALL_PLAYED = "all rounds are played"


@dataclass(frozen=True, slots=True)
class OrderWords:
    """The name of a tournament's order, and its rule in one sentence."""

    name: str
    rule: str


SWISS_ORDER = OrderWords(
    "Swiss order", "Ties on points are broken by the columns from left to right, then by lot; wins never count."
)
"""T11."""


class Schedule(ABC):
    """One way to draw rounds. A new one is a class beside this one and a line in the registry."""

    about: str
    """One sentence for the reference."""
    is_open = False
    """Whether bots may join while it runs (T10.3)."""
    order_words = SWISS_ORDER

    def check(self, settings: TournamentSettings) -> None:  # noqa: B027  most accept whatever the plan has checked
        """Raise a ValueError that says why no such tournament can be played."""

    @abstractmethod
    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """T10.2: the number of points rounds and rating rounds, as far as is known after those `played`."""

    def is_rating(self, settings: TournamentSettings, number: int) -> bool:
        """Return whether a round counts for ratings only."""
        return False

    def seeded(self, settings: TournamentSettings, history: History) -> Iterable[str]:
        """Return the bots whose fitted strengths the next round is drawn from; none if it needs no strengths."""
        return ()

    def is_by_lot(self, settings: TournamentSettings, history: History) -> bool:
        """T4.4: whether the next round is drawn from lots instead."""
        return False

    def draw_by_lot(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """T4.4: draw the next round from lots; None when no table can be filled."""
        return self.draw(settings, history, scores)

    @abstractmethod
    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Draw the next round; None when no table can be filled. `scores` has an integer for every seeded bot."""

    @abstractmethod
    def is_over(self, settings: TournamentSettings, history: History) -> str:
        """Say why there is no further round; nothing while there is one."""

    def order(self, settings: TournamentSettings, history: History) -> tuple[str, ...] | None:
        """Return all labels, best first; None where the points of T11 decide the order."""
        return None
