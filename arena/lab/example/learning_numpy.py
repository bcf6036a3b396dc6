"""Learning in numpy: the gradient written out, and Adam by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.lab.example.network import FORGETTING, STEADIER, STEP, Array, Lesson, Weights


def gradient(weights: Weights, lessons: Sequence[Lesson]) -> list[Array]:
    """Return the policy gradient of the lessons, part by part, each choice weighted by its advantage."""
    total = [np.zeros_like(part) for part in weights.parts()]
    for lesson in lessons:
        push = -lesson.chances * lesson.worth
        push[lesson.chosen] += lesson.worth
        inner = np.outer(push, weights.hidden) * (1 - lesson.hidden * lesson.hidden)
        below = inner.sum(axis=0)
        total[0] += np.outer(lesson.seen, below)
        total[1] += lesson.rows.T @ inner
        total[2] += below
        total[3] += lesson.hidden.T @ push
        total[4] += lesson.rows.T @ push
    return total


class Climber:
    """Adam: gradient ascent with a step size per weight."""

    def __init__(self, weights: Weights) -> None:
        self._parts, self._steps = weights.parts(), 0
        self._means = [np.zeros_like(part) for part in self._parts]
        self._squares = [np.zeros_like(part) for part in self._parts]

    def climb(self, slopes: Sequence[Array]) -> None:
        """Take one step, in place."""
        self._steps += 1
        slow, fast = FORGETTING
        for part, slope, mean, square in zip(self._parts, slopes, self._means, self._squares, strict=True):
            mean += (1 - slow) * (slope - mean)
            square += (1 - fast) * (slope * slope - square)
            pace = np.sqrt(square / (1 - fast**self._steps)) + STEADIER
            part += STEP * mean / (1 - slow**self._steps) / pace
