"""What a schedule is: how many rounds there are, who sits where in the next one, and when it is over.

A schedule is drawn from the settings of a tournament and from its history alone, so that the runner and the audit get
the same rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from arena.plan.rounds import History
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing

ALL_PLAYED = "all rounds are played"


@dataclass(frozen=True, slots=True)
class OrderWords:
    """What the order of a tournament is called, and how it is made, in one sentence."""

    name: str
    rule: str


SWISS_ORDER = OrderWords(
    "Swiss order",
    "Equal points are told apart by the columns from left to right, then by lot; wins never count.",
)
"""T11."""


class Schedule(Protocol):
    """One way to make rounds. A new one is a module beside this one and a line in the registry."""

    about: str
    """What it is, in one sentence for the reference."""
    is_open: bool
    """Whether bots may join while it runs (T10.3)."""
    order_words: OrderWords
    """What people are told of its order."""

    def check(self, settings: TournamentSettings) -> None:
        """Raise a ValueError that says why no such tournament can be played."""

    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """T10.2: how many points rounds and rating rounds there will be, as far as is known after those `played`."""

    def is_rating(self, settings: TournamentSettings, number: int) -> bool:
        """Whether a round counts for ratings only."""

    def seeded(self, settings: TournamentSettings, history: History) -> Iterable[str]:
        """The bots whose fitted strengths the next round is drawn from; none if it needs no strengths."""

    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Draw the next round; None when no table can be filled. `scores` has an integer for every seeded bot."""

    def is_over(self, settings: TournamentSettings, history: History) -> str:
        """Say why there is no further round; nothing while there is one."""

    def order(self, settings: TournamentSettings, history: History) -> tuple[str, ...] | None:
        """Return everybody's label, best first, if not the points of T11 make the order."""
