"""The agenda: the stack of steps, held in a state, that says what happens next in a turn."""

from __future__ import annotations

from typing import Generic, TypeVar

Step = TypeVar("Step")


class Agenda(Generic[Step]):
    """A stack of steps; the last of `steps` happens next.

    Steps are frozen values, so a copy of the list is a full copy of the agenda.
    """

    __slots__ = ("steps",)

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps

    def now(self) -> Step:
        """Return the step that is being carried out; an empty agenda is a mistake of the rules."""
        return self.steps[-1]

    def done(self) -> Step:
        """Take the current step off and return it."""
        return self.steps.pop()

    def at_once(self, step: Step) -> None:
        """Put one step before everything else: `then` for one, which is what happens most."""
        self.steps.append(step)

    def then(self, *steps: Step) -> None:
        """Put steps before everything else, the first of them to happen first."""
        self.steps.extend(reversed(steps))

    def is_empty(self) -> bool:
        """Tell whether nothing is left to happen: the game is over."""
        return not self.steps

    def clone(self) -> Agenda[Step]:
        """Return a copy that can be worked off on its own."""
        return Agenda(self.steps[:])
