"""The optimiser: CMA-ES, whose every step follows from a seed and the fitness of earlier candidates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from math import nan
from typing import Any

from arena.tuning.constants import Constants
from referee.mistakes import UserError

DIAGONAL = 60  # generations in which each constant has a step of its own, before steps are correlated


def require_optimiser() -> None:
    """Raise a UserError unless the optimiser is installed."""
    if find_spec("cma") is None:
        raise UserError("arena tune: needs cma: pip install 'meistersinger[tune]'")


class Optimiser:
    """Asks for the fitness of candidates, and moves towards the better ones."""

    def __init__(
        self, constants: Constants, start: dict[str, float], *, seed: int, step: float, population: int | None
    ) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it would like to draw
            import cma
        from numpy.random import RandomState

        self.constants = constants
        lowest, highest = constants.bounds()
        options: dict[str, Any] = {
            "bounds": [lowest, highest],
            "randn": RandomState(seed).randn,  # the seed of cma would be that of the whole process
            "seed": nan,
            "verbose": -9,
            "CMA_diagonal": DIAGONAL,
        }
        if population is not None:
            options["popsize"] = population
        at = [
            min(high, max(low, each)) for low, each, high in zip(lowest, constants.point(start), highest, strict=True)
        ]
        self._found = cma.CMAEvolutionStrategy(at, step, options)
        self._asked: list[Any] = []

    def ask(self) -> list[dict[str, float]]:
        """Return the candidates of the next generation."""
        self._asked = self._found.ask()
        return [self.constants.values(each) for each in self._asked]

    def tell(self, fitness: Sequence[float]) -> None:
        """Take in how good the candidates are: higher is better."""
        self._found.tell(self._asked, [-each for each in fitness])

    @property
    def favourite(self) -> dict[str, float]:
        """The values in the middle of the search, which noise has moved least."""
        return self.constants.values(self._found.result.xfavorite)

    @property
    def step(self) -> float:
        """How far the next candidates will be from it."""
        return float(self._found.sigma)
