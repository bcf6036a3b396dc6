"""T8.6: Newton's method on a convex function; it never steps uphill, and fails with an error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Generic, Protocol, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from ratings.points.finishes import Floats

SUFFICIENT = 1e-4
"""The share of the promised decrease that a step must achieve."""

NEGLIGIBLE = 1e-12
"""A promised decrease below this share of the value is lost in rounding: take the step and stop."""

SHORTEST = 1e-9
"""A step shortened below this is an error."""

MAX_STEPS = 500


class FitError(ValueError):
    """A pool cannot be fitted."""


_controller = cache(ThreadpoolController)


def one_blas_thread() -> AbstractContextManager[object]:
    """T8.6: limit numpy's algebra to one thread in a `with` block.

    numpy has no switch for it, and BLAS reads its environment variables before our code runs. With many small systems
    more threads gain little, and cost many times the CPU time under load.
    """
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit


class Evaluation(Protocol):
    """The function evaluated at a point."""

    @property
    def value(self) -> float:
        """The value to minimise."""

    @property
    def gradient(self) -> Floats:
        """Its gradient over the free parameters."""

    def step(self) -> Floats:
        """The Hessian's inverse times the gradient."""


AnyEvaluation = TypeVar("AnyEvaluation", bound=Evaluation)


@dataclass(frozen=True, slots=True)
class Descent(Generic[AnyEvaluation]):
    """A function to minimise: how to evaluate it, and how to move from an evaluation by minus a step."""

    evaluate: Callable[[Floats], AnyEvaluation]
    move: Callable[[AnyEvaluation, Floats], Floats]

    def minimise(self, start: Floats, tolerance: float) -> AnyEvaluation:
        """T8.6: take steps of the first length 1, 1/2, 1/4 ... that lowers the value enough.

        It ends when no entry of the gradient exceeds `tolerance`, or a step promises no decrease.
        """
        return self.onward(self.evaluate(start), tolerance)

    def onward(self, here: AnyEvaluation, tolerance: float) -> AnyEvaluation:
        """Continue from an evaluation."""
        if not np.isfinite(here.value):
            raise FitError("T8.6: the likelihood is not finite at the start of the fit")
        for _ in range(MAX_STEPS):
            if len(here.gradient) == 0 or np.abs(here.gradient).max() <= tolerance:
                return here
            step = here.step()
            decrease = float(here.gradient @ step)
            if decrease <= NEGLIGIBLE * (1 + abs(here.value)):
                return self.evaluate(self.move(here, step))
            here = self._searched(here, step, decrease)
        raise FitError(f"T8.6: no convergence after {MAX_STEPS} Newton steps")

    def followed(
        self, start: Floats, approach: Callable[[Floats], Floats], tolerance: float, most: int
    ) -> AnyEvaluation:
        """Take steps with an approximate inverse of the Hessian while they converge fast.

        A step must lower the value as a Newton step must, and the gradient at least to a quarter.
        """
        here = self.evaluate(start)
        for _ in range(most):
            height = np.abs(here.gradient).max(initial=0.0)
            if not height > tolerance:
                break
            step = approach(here.gradient)
            decrease = float(here.gradient @ step)
            there = self.evaluate(self.move(here, step))
            is_lower = there.value <= here.value - SUFFICIENT * decrease
            is_negligible = decrease <= NEGLIGIBLE * (1 + abs(here.value))
            if not (is_lower or is_negligible) or not np.abs(there.gradient).max() <= height / 4:
                break
            here = there
        return here

    def _searched(self, here: AnyEvaluation, step: Floats, decrease: float) -> AnyEvaluation:
        length = 1.0
        while length >= SHORTEST:
            there = self.evaluate(self.move(here, length * step))
            # NaN fails this too.
            if there.value <= here.value - SUFFICIENT * length * decrease:
                return there
            length /= 2
        raise FitError("T8.6: no step along Newton's direction lowers the value")


def conjugate_gradients(times: Callable[[Floats], Floats], wanted: Floats, scale: Floats) -> Floats:
    """Solve a positive definite system, preconditioned by its diagonal."""
    solution = np.zeros_like(wanted)
    rest = wanted.copy()
    direction = rest / scale
    product = float(rest @ direction)
    goal = 1e-20 * product
    for _ in range(500):
        if product <= goal:
            break
        image = times(direction)
        length = product / float(direction @ image)
        solution = solution + length * direction
        rest = rest - length * image
        scaled = rest / scale
        following = float(rest @ scaled)
        direction = scaled + (following / product) * direction
        product = following
    return solution
