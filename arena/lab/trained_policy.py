"""Policies of trained models: functions of arrays as functions of a question, to be opponents or bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.lab.observations import Encoding, Flat, encoding_at
from arena.lab.seat_vector import SeatVector
from referee.game import AnyGame, Seat
from referee.policy import Policy, Question


def array_policy(
    choose: Callable[[Any, Any], Any], *, flat: bool = False, options: Mapping[str, object] | None = None,
    max_options: int | None = None,
) -> Policy:  # fmt: skip
    """Return a policy that chooses by `choose(observation, action_mask)`, as a model trained in `gym_env` does.

    Both are what the environment gives: a dict of arrays or, if `flat`, a vector; and a mask of bools. The answer is
    an action of that environment. The other arguments are those of the environment.
    """
    return ArrayPolicy(choose, flat, options, max_options)


class ArrayPolicy:
    """A policy that reads arrays; it can be pickled if its function can."""

    def __init__(
        self, choose: Callable[[Any, Any], Any], flat: bool, options: Mapping[str, object] | None,
        max_options: int | None,
    ) -> None:  # fmt: skip
        self._choose, self._flat, self._options, self._max_options = choose, flat, dict(options or {}), max_options
        self._encodings: dict[tuple[str, int], Encoding] = {}
        self._vectors: dict[tuple[str, int, Seat], SeatVector] = {}

    def __call__(self, question: Question) -> int:
        """Return the option that the model chooses; a ValueError says that it chose none."""
        encoding = self._encoding(question.game, question.seats)
        vector = self._vector(encoding, question).of(question.view)
        listed = question.options
        numbers = encoding.numbers_of(listed)
        told = encoding.observation(vector, listed, numbers)
        mask = told["action_mask"].view(bool)
        action = int(self._choose(told["observation"] if isinstance(encoding, Flat) else told, mask))
        if action < 0 or action not in numbers:
            raise ValueError(f"action: the model chose {action}, which its mask excludes")
        return numbers.index(action)

    def _encoding(self, game: AnyGame, seats: int) -> Encoding:
        key = (game.slug, seats)
        if key not in self._encodings:
            options = game.options(self._options)
            self._encodings[key] = encoding_at(game, seats, options, self._max_options, flat=self._flat)
        return self._encodings[key]

    def _vector(self, encoding: Encoding, question: Question) -> SeatVector:
        key = (question.game.slug, question.seats, question.seat)
        if key not in self._vectors:
            self._vectors[key] = SeatVector(encoding.arrays.view)
        return self._vectors[key]

    def __getstate__(self) -> tuple[Any, ...]:
        """Leave out what another process makes for itself."""
        return self._choose, self._flat, self._options, self._max_options

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        """Begin with no arrays."""
        self.__init__(*kept)  # type: ignore[misc]  # a plain class without subclasses
