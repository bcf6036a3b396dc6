"""The agenda: a state's stack of the steps to come in a turn."""

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
        """Return the current step; an empty agenda is a bug in the rules."""
        return self.steps[-1]

    def done(self) -> AnyStep:
        """Take the current step off and return it."""
        return self.steps.pop()

    def push(self, step: AnyStep) -> None:
        """Put one step before everything else; faster than `then`."""
        self.steps.append(step)

    def then(self, *steps: AnyStep) -> None:
        """Put steps before everything else, the first of them to happen first."""
        self.steps.extend(reversed(steps))

    def is_empty(self) -> bool:
        """Return whether no step is left: the game is over."""
        return not self.steps

    def clone(self) -> Agenda[AnyStep]:
        """Return an independent copy."""
        return Agenda(self.steps[:])
