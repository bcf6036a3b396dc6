"""Heuristics: a game's own strategy, for `greedy`, `search`, the look-ahead service and the judge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

TO_THE_END = 1_000_000  # steps: more than any match has
NEVER = -50.0  # an option rated lower is never played, not even by a noisy policy
NOISE = (0, 0, 0, 0, 0, 0, 0, 1, 1, 2)
"""Of ten moves of a noisy policy seven are the best, two the second best and one the third.

A policy without noise repeats itself in every world, and the judge would mistake that for certainty.
"""

RateOptions: TypeAlias = Callable[[Any, int, Sequence[Any]], list[float]]
"""Rates the options of a seat in a state; the highest is played."""

RateCodes: TypeAlias = Callable[[Any, int, Sequence[int]], list[float]]
"""Rates options that are given as `Game.codes`."""

Settle: TypeAlias = Callable[[Any, Mapping[int, Any], int, Sequence[Mapping[int, Any]]], Any]
"""T21.3: returns the position that a seat's choice comes to.

It is given the state before, the choices of all seats asked, the seat, and the choices of the steps that followed in
the record, none for an option that was not chosen. It leaves the state as it was, and may return it.
"""


class Weight(NamedTuple):
    """A constant that a heuristic counts with, and the range in which `arena tune` looks for a better one."""

    default: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Heuristic:
    """How good options look, and what a position is worth."""

    rate: RateOptions
    worths: Callable[[Any], list[float]]
    """Returns the value of a position to every seat, in points of the game's scale."""
    rate_trading: RateOptions | None = None
    """A `rate` that proposes trades too, in a game that has them."""
    settle: Settle | None = None
    """What a choice comes to, in a game where that is not the state after it."""
    rate_codes: RateCodes | None = None
    """A `rate` of `codes`, in a game whose rules work on numbers."""
    weights: Mapping[str, Weight] = field(default_factory=dict)
    """The constants that the heuristic counts with, by name."""
    weighted: Callable[[Mapping[str, float]], Heuristic] | None = None
    """Returns this heuristic with other weights; those not named keep their defaults. Use `with_weights`, it checks."""
    own_weights: Any = None
    """The weights as the game keeps them, an attribute for each."""
    plays_out_alike: bool = False
    """Whether a greedy playout goes as a match between bots that play by `rate`: then matches are simulated faster.

    For that, no rating may depend on what its seat does not know, and no option be left out.
    """


def with_weights(heuristic: Heuristic, values: Mapping[str, float]) -> Heuristic:
    """Return a heuristic with other weights; a ValueError names a weight that is unknown or out of its range."""
    if heuristic.weighted is None:
        raise ValueError("the heuristic names no weights; expected a game whose heuristic does")
    check_values(heuristic.weights, values)
    return heuristic.weighted(values)


def check_values(weights: Mapping[str, Weight], values: Mapping[str, float]) -> None:
    """Raise a ValueError that names a value that is unknown or out of its range."""
    for name, value in values.items():
        if name not in weights:
            raise ValueError(f"{name} is not one of the weights: {', '.join(weights)}")
        _, least, most = weights[name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise ValueError(f"{name} is {value!r}; expected a number from {least} to {most}")


def values_of(heuristic: Heuristic) -> dict[str, float]:
    """Return the value of every weight of a heuristic."""
    return {
        name: float(getattr(heuristic.own_weights, name, weight.default)) for name, weight in heuristic.weights.items()
    }


def read_weights(text: str) -> dict[int, dict[str, float]]:
    """Return the values of a file of weights by table size; a ValueError says what was expected.

    `{"seats": {"2": {"weights": {"taler": 0.2}}}}`: whatever else the file says is about where they come from.
    """
    try:
        sizes = json.loads(text)["seats"]
        return {int(seats): dict(said["weights"]) for seats, said in sizes.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ValueError('not a file of weights; expected {"seats": {"2": {"weights": {...}}}}') from None


def filled_in(weights: Mapping[str, Weight], values: Mapping[str, float]) -> dict[str, float]:
    """Return the value of every weight: the one given, otherwise its default."""
    return {name: float(values.get(name, weight.default)) for name, weight in weights.items()}


@dataclass(frozen=True, slots=True)
class Scale:
    """How far rollouts of a game go, and how much a lead means; by default they go to the end."""

    lead: float = 1.0
    """A lead of this many points makes a position about three quarters won."""
    drift: float = 0.0
    """How much more uncertain a lead is for every remaining step, as a variance."""
    horizon: int = TO_THE_END
    """The number of decisions after which a search cuts its rollouts."""
    sights: tuple[int, int, int] = (TO_THE_END,) * 3
    """The number of steps after which the judge cuts a rollout, by distance: short, long and far."""
    near: int = 0
    """The number of steps before the end within which the judge cuts no rollout."""
    max_rated: int = 1000
    """Of more options than these, a sample of this size is rated in rollouts."""


def liked(ratings: Sequence[float]) -> list[int]:
    """Return the options that a heuristic might play, by their index, the best first."""
    order = sorted(range(len(ratings)), key=lambda index: -ratings[index])
    return [index for index in order if ratings[index] > NEVER] or order
