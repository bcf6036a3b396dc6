"""A game's own facts for the contract tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.game import AnyGame, Seat
from referee.rng import Rng


@dataclass(frozen=True)
class Configuration:
    """One set-up of a match: the number of seats, and the options that differ from the standard."""

    seats: int
    options: Mapping[str, object] = field(default_factory=dict)


class Memory(Protocol):
    """A seat with perfect memory: it records the events it sees, and rejects impossible states."""

    def hear(self, event: Any) -> None:
        """Record an event as `witness` showed it to the seat."""

    def check(self, state: Any) -> None:
        """Assert that the state agrees with everything heard, as far as the seat can know it."""


@dataclass(frozen=True)
class ContractCase:
    """A game under test, with facts that only its rules know."""

    game: AnyGame
    configurations: tuple[Configuration, ...]
    max_choices: Callable[[int], int]
    """The rule page's bound on the choices of one match (forced ones included), by number of seats."""
    check_invariants: Callable[[Any], None]
    """Assert every invariant of the rule page on a state."""
    scramble: Callable[[Any, Seat | None, Rng], Any]
    """Return a copy of the state in which everything the seat (None: a spectator) cannot know is resampled."""
    remember: Callable[[Any, Seat], Memory]
    """Return a memory that begins with this view, the seat's first one of the match.

    It adds up hidden quantities from the events alone, with code independent of the game's views.
    """
