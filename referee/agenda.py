"""The agenda: the stack of steps, held in a state, that says what happens next in a turn."""

from __future__ import annotations

from typing import Generic, TypeVar

AnyStep = TypeVar("AnyStep")


class Agenda(Generic[AnyStep]):
    """A stack of steps; the last of `steps` happens next.

    Steps are frozen values, so a copy of the list is a full copy of the agenda.
    """

    __slots__ = ("steps",)

    def __init__(self, steps: list[AnyStep]) -> None:
        self.steps = steps

    def now(self) -> AnyStep:
        """Return the step that is being carried out; an empty agenda is a bug in the rules."""
        return self.steps[-1]

    def done(self) -> AnyStep:
        """Take the current step off and return it."""
        return self.steps.pop()

    def at_once(self, step: AnyStep) -> None:
        """Put one step before everything else: `then` for a single step, the common case."""
        self.steps.append(step)

    def then(self, *steps: AnyStep) -> None:
        """Put steps before everything else, the first of them to happen first."""
        self.steps.extend(reversed(steps))

    def is_empty(self) -> bool:
        """Return whether nothing is left to happen: the game is over."""
        return not self.steps

    def clone(self) -> Agenda[AnyStep]:
        """Return a copy that can be worked off on its own."""
        return Agenda(self.steps[:])
