"""A game's own facts for the contract tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.game import AnyGame, Seat
from referee.rng import Rng

MAX_CHOICES = 10_000  # for a case that gives no bound


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
    """A game under test, with facts that only its rules know; for an open game the bound alone will do.

    Whether it has secrets and chance is what the game itself declares, and the promises show whether that is true.
    """

    game: AnyGame
    configurations: tuple[Configuration, ...] = ()
    """Every table size with the standard options, unless others are given."""
    max_choices: Callable[[int], int] = lambda _seats: MAX_CHOICES
    """The rule page's bound on the choices of one match (forced ones included), by number of seats."""
    check_invariants: Callable[[Any], None] = lambda _state: None
    """Assert every invariant of the rule page on a state."""
    scramble: Callable[[Any, Seat | None, Rng], Any] | None = None
    """Return a copy of the state in which everything the seat (None: a spectator) cannot know is resampled.

    A game with secrets has to give it; in any other it is the game's `redraw`.
    """
    remember: Callable[[Any, Seat], Memory] | None = None
    """Return a memory that begins with this view, the seat's first one of the match.

    It adds up hidden quantities from the events alone, with code independent of the game's views. Without it, the
    promise is skipped for a game with secrets; in an open game every determinization has to look real to every seat.
    """

    def __post_init__(self) -> None:
        """Fill in the table sizes, and refuse a game with secrets that does not say what is secret."""
        if not self.configurations:
            object.__setattr__(self, "configurations", tuple(map(Configuration, self.game.table_sizes)))
        if self.game.has_secrets and self.scramble is None:
            raise ValueError(f"scramble: missing; {self.game.slug} declares has_secrets, so expected what is secret")

    def scrambled(self, state: Any, seat: Seat | None, rng: Rng) -> Any:
        """Return a copy of the state with everything resampled that the seat cannot know."""
        return self.game.redraw(state, rng) if self.scramble is None else self.scramble(state, seat, rng)
