"""A small network that rates options: one hidden layer over observation and option, in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.lab.table_arrays import TableArrays
from referee.game import AnyGame

Array = NDArray[np.float32]
TEMPERATURE = 0.5  # below 1: it follows its ratings more closely than in training
STEP = 0.02  # learning rate, and Adam's parameters
FORGETTING = (0.9, 0.99)
STEADIER = 1e-6


@dataclass
class Weights:
    """The weights: from columns of the view and of an option to a hidden layer, and from there to a rating."""

    view: Array
    option: Array
    bias: Array
    hidden: Array
    direct: Array
    """A linear weight for every option column."""

    @classmethod
    def fresh(cls, view_width: int, option_width: int, hidden: int, seed: int) -> Weights:
        """Return weights that rate all options equally."""
        dice = np.random.default_rng(seed)
        return cls(
            (dice.normal(size=(view_width, hidden)) * 0.1).astype(np.float32),
            (dice.normal(size=(option_width, hidden)) * 0.5).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(option_width, np.float32),
        )

    def parts(self) -> list[Array]:
        """Return all arrays, to be updated in place."""
        return [self.view, self.option, self.bias, self.hidden, self.direct]

    def rate(self, seen: Array, options: Array) -> tuple[Array, Array]:
        """Return the rating of every option, and the hidden layer."""
        hidden: Array = np.tanh(seen @ self.view + options @ self.option + self.bias)
        ratings: Array = hidden @ self.hidden + options @ self.direct
        return ratings, hidden


@dataclass(frozen=True, slots=True)
class Lesson:
    """A choice made in training, and its advantage: how much better than usual its match ended."""

    seen: Array
    rows: Array
    hidden: Array
    chances: Array
    chosen: int
    worth: float


class Network:
    """Weights with their column names, so that they fit tables of every size: unknown columns are ignored."""

    def __init__(self, weights: Weights, view_columns: Sequence[str], option_columns: Sequence[str]) -> None:
        self._weights = weights
        self._view = {name: place for place, name in enumerate(view_columns)}
        self._option = {name: place for place, name in enumerate(option_columns)}
        self._tables: dict[int, tuple[TableArrays, Weights]] = {}

    def choose(self, question: Any) -> int:
        """Return an option sampled by its rating.

        The policy is stochastic, and always taking the best option plays worse.
        The sample follows from match, seat and prompt, so that the same match is played the same way again.
        """
        seats = question.seats
        if seats not in self._tables:
            self._tables[seats] = self._fitted(question.game, seats)
        arrays, weights = self._tables[seats]
        ratings, _ = weights.rate(arrays.observation(question.view), arrays.rows(question.options))
        name = f"{question.match_id}/{question.seat}/{question.prompt_id}"
        draw = int.from_bytes(blake2b(name.encode(), digest_size=4).digest(), "big") / (1 << 32)
        return drawn(chances_of(ratings / TEMPERATURE), draw)

    def _fitted(self, game: AnyGame, seats: int) -> tuple[TableArrays, Weights]:
        arrays, weights = TableArrays(game, seats), self._weights
        view = _rows(weights.view, self._view, arrays.view.columns)
        option = _rows(weights.option, self._option, arrays.action.columns)
        direct = _rows(weights.direct[:, None], self._option, arrays.action.columns)[:, 0]
        return arrays, Weights(view, option, weights.bias, weights.hidden, direct)

    def save(self, file: Path) -> None:
        """Write weights and names to an .npz file."""
        view, option, bias, hidden, direct = self._weights.parts()
        np.savez(
            file, view=view, option=option, bias=bias, hidden=hidden, direct=direct,
            view_columns=list(self._view), option_columns=list(self._option),
        )  # fmt: skip

    @classmethod
    def load(cls, file: Path) -> Network:
        """Read a file written by `save`."""
        with np.load(file) as kept:
            parts = [kept[name] for name in ("view", "option", "bias", "hidden", "direct")]
            return cls(Weights(*parts), kept["view_columns"].tolist(), kept["option_columns"].tolist())


def chances_of(ratings: Array) -> Array:
    """Return the probability of every option."""
    chances: Array = np.exp(ratings - ratings.max())
    chances /= chances.sum()
    return chances


def drawn(chances: Array, draw: float) -> int:
    """Return the option that a number from 0 to 1 selects."""
    return min(int(np.searchsorted(np.cumsum(chances), draw)), len(chances) - 1)


def _rows(known: Array, places: dict[str, int], columns: Sequence[str]) -> Array:
    fitted = np.zeros((len(columns), known.shape[1]), np.float32)
    for row, name in enumerate(columns):
        if name in places:
            fitted[row] = known[places[name]]
    return fitted
