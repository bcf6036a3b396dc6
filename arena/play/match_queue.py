"""The match queue: the order in which matches begin, and which may go ahead of one whose bots are busy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeAlias, TypeVar

MAX_PASSED = 8  # times the capacity: matches that may go ahead of one whose bots are busy

Slot: TypeAlias = tuple[str, int]
"""A process of a bot at a referee: the bot's label, and which of its slots at one table this is."""


class Desk(Protocol):
    """A referee as the queue sees it."""

    @property
    def busy(self) -> Fraction | int:
        """The shares of its matches, together."""

    def has_room(self, slots: Mapping[Slot, int], is_apart: bool) -> bool:
        """Return whether it may play one more match, in these slots; one that is played apart needs it alone."""

    def playing_at(self, slot: Slot) -> int | None:
        """The number of matches that a slot's process plays; None where there is none, so that one can be started."""


@dataclass(slots=True, eq=False)
class Turn:
    """A match that waits for all its slots at one referee."""

    slots: Mapping[Slot, int]
    """In seat order, each with the number of matches that a running process may play concurrently."""
    share: Fraction = Fraction(1)
    """What it takes of the capacity."""
    is_apart: bool = False
    """Whether it is played at a referee that plays nothing else meanwhile."""
    passed: Fraction | int = 0
    """The shares of later ones that have gone ahead."""


AnyTurn = TypeVar("AnyTurn", bound=Turn)
AnyDesk = TypeVar("AnyDesk", bound=Desk)


class MatchQueue(Generic[AnyTurn]):
    """Waiting matches, first come first served, except around busy bots.

    Games of one table share their bots: if one with busy bots held up all others, referees would be idle. But no
    match is passed over for ever.
    """

    def __init__(self) -> None:
        self._waiting: list[AnyTurn] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[AnyTurn]:
        return iter(self._waiting)

    def join(self, turn: AnyTurn) -> None:
        """Queue a match behind all others."""
        self._waiting.append(turn)

    def leave(self, turn: AnyTurn) -> None:
        """Remove a match from the queue."""
        self._waiting.remove(turn)

    def hand_out(self, desks: Sequence[AnyDesk], capacity: int) -> Iterator[tuple[AnyTurn, AnyDesk]]:
        """Yield every match that can begin, with its referee, while their shares fit into the capacity.

        Each has left the queue, and must take its slots before the next is requested.
        """
        passed: list[AnyTurn] = []
        busy_tables: set[frozenset[Slot]] = set()
        free = capacity - sum(desk.busy for desk in desks)
        for turn in list(self._waiting):
            if turn.share > free:
                return
            table = frozenset(turn.slots)
            desk = None if table in busy_tables else free_desk(desks, turn.slots, is_apart=turn.is_apart)
            if desk is not None:
                self._waiting.remove(turn)
                for each in passed:
                    each.passed += turn.share
                free -= turn.share
                yield turn, desk
            elif turn.passed < MAX_PASSED * capacity:
                busy_tables.add(table)
                passed.append(turn)
            else:
                return


def free_desk(desks: Sequence[AnyDesk], slots: Mapping[Slot, int], *, is_apart: bool = False) -> AnyDesk | None:
    """Return the least busy referee with every slot free, preferring one with most of the bots."""

    def is_free(desk: AnyDesk) -> bool:
        return desk.has_room(slots, is_apart) and all(
            (playing := desk.playing_at(slot)) is None or playing < most for slot, most in slots.items()
        )

    def preference(desk: AnyDesk) -> tuple[Fraction | int, int]:
        return desk.busy, -sum(desk.playing_at(slot) is not None for slot in slots)

    return min(filter(is_free, desks), key=preference, default=None)


def slots_of(labels: Iterable[str]) -> list[Slot]:
    """Return a slot for every seat: a bot with two seats at a table needs two processes."""
    seen: Counter[str] = Counter()
    slots = []
    for label in labels:
        slots.append((label, seen[label]))
        seen[label] += 1
    return slots
