"""The constants that are tuned, as a point that an optimiser moves: logarithms of their ratios to the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from referee.heuristic import Weight

DIGITS = 6  # significant ones of a value: more would only say more than is known


@dataclass(frozen=True, slots=True)
class Constants:
    """Named constants with their ranges."""

    weights: Mapping[str, Weight]

    def point(self, values: Mapping[str, float]) -> list[float]:
        """Return the point of these values, and of the defaults of the others."""
        return [_coordinate(weight, values.get(name, weight.default)) for name, weight in self.weights.items()]

    def values(self, point: Sequence[float]) -> dict[str, float]:
        """Return the values at a point, rounded, and inside their ranges."""
        return {name: _value(weight, at) for (name, weight), at in zip(self.weights.items(), point, strict=True)}

    def bounds(self) -> tuple[list[float], list[float]]:
        """Return the lowest and the highest coordinates."""
        weights = self.weights.values()
        return [_coordinate(each, each.least) for each in weights], [_coordinate(each, each.most) for each in weights]


def _is_ratio(weight: Weight) -> bool:
    """Return whether a constant is moved by factors: one that can be zero or negative is moved by steps."""
    return weight.least > 0


def _coordinate(weight: Weight, value: float) -> float:
    if _is_ratio(weight):
        return log(value / weight.default)
    return 4.0 * (value - weight.default) / (weight.most - weight.least)


def _value(weight: Weight, coordinate: float) -> float:
    if _is_ratio(weight):
        value = weight.default * exp(coordinate)
    else:
        value = weight.default + coordinate * (weight.most - weight.least) / 4.0
    return min(weight.most, max(weight.least, float(f"{value:.{DIGITS}g}")))
