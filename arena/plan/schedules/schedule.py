"""What a schedule is: how many rounds there are, who sits where in the next one, and when it is over.

A schedule is drawn from the settings of a tournament and from its history alone, so that the runner and the audit get
the same rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from arena.plan.rounds import History
from arena.plan.swiss import Pairing, TableSizes

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


@dataclass(frozen=True, slots=True)
class ScheduleTerms:
    """What the settings of a tournament say to its schedule."""

    seed: int
    bots: tuple[str, ...]
    """Those entered at the start, by label."""
    house: tuple[str, ...]
    sizes: tuple[TableSizes, ...]
    """For every game of the tournament; rounds go through the games in turn."""
    is_block: bool
    withdraw_after: int
    points_rounds: int
    rating_rounds: int
    challenger: str | None
    best_of: int
    has_third_place: bool
    top: int | None = None
    """T16.3: how many first places are to be decided, 0 for all; None in tournaments without focus rounds."""
    without_chance: frozenset[int] = frozenset()
    """T2.3: the games, by their number, in which seeds make no difference."""
    is_house_anchored: bool = False
    """T3.2: whether all house bots are anchors, whose ratings no match moves."""

    @staticmethod
    def of(settings: Mapping[str, Any]) -> ScheduleTerms:
        """Read the settings as the ledger has them."""
        return ScheduleTerms(
            seed=settings["seed"],
            bots=tuple(settings["bots"]),
            house=tuple(settings["house_bots"]),
            is_house_anchored=settings.get("anchors", {}).keys() >= set(settings["house_bots"]),
            sizes=tuple(TableSizes(*game["sizes"]) for game in settings["games"]),
            is_block=settings["block"],
            withdraw_after=settings.get("withdraw_after", 1_000),
            points_rounds=settings["points_rounds"],
            rating_rounds=settings["rating_rounds"],
            challenger=settings.get("challenger"),
            best_of=settings.get("best_of", 1),
            has_third_place=settings.get("third_place", False),
            top=settings.get("top"),
            without_chance=frozenset(at for at, game in enumerate(settings["games"]) if not game.get("chance", True)),
        )

    def sizes_in(self, number: int) -> TableSizes:
        """Return the table sizes of the game of a round."""
        return self.sizes[(number - 1) % len(self.sizes)]

    def is_without_chance(self, number: int) -> bool:
        """T2.3: tell whether the game of a round is one without chance."""
        return (number - 1) % len(self.sizes) in self.without_chance


class Schedule(Protocol):
    """One way to make rounds. A new one is a module beside this one and a line in the registry."""

    about: str
    """What it is, in one sentence for the reference."""
    is_open: bool
    """Whether bots may join while it runs (T10.3)."""
    order_words: OrderWords
    """What people are told of its order."""

    def check(self, terms: ScheduleTerms) -> None:
        """Raise a ValueError that says why no such tournament can be played."""

    def planned(self, terms: ScheduleTerms, played: int) -> tuple[int, int]:
        """T10.2: how many points rounds and rating rounds there will be, as far as is known after those `played`."""

    def is_rating(self, terms: ScheduleTerms, number: int) -> bool:
        """Whether a round counts for ratings only."""

    def seeded(self, terms: ScheduleTerms, history: History) -> Iterable[str]:
        """The bots whose fitted strengths the next round is drawn from; none if it needs no strengths."""

    def draw(self, terms: ScheduleTerms, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Draw the next round; None when no table can be filled. `scores` has an integer for every seeded bot."""

    def is_over(self, terms: ScheduleTerms, history: History) -> str:
        """Say why there is no further round; nothing while there is one."""

    def order(self, terms: ScheduleTerms, history: History) -> tuple[str, ...] | None:
        """Return everybody's label, best first, if not the points of T11 make the order."""
