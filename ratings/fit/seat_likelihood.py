"""T8.11: the likelihood with an effect for every (table size, seat) in addition to the strengths."""

from __future__ import annotations

from itertools import product

import numpy as np

from ratings.points.finishes import SEAT_CLASSES, Finish, Floats, Integers, Played


class SeatLikelihood:
    """Minus the log-likelihood of all matches as a function of the strengths followed by the seat effects."""

    def __init__(self, played: Played) -> None:
        self.bots = len(played.bots)
        self.size = self.bots + SEAT_CLASSES
        self.finishes = played.finishes

    def at(self, values: Floats) -> SeatPoint:
        """Evaluate at given parameters."""
        return SeatPoint(self, values)

    def parameters(self, finish: Finish) -> tuple[Integers, Integers]:
        """The parameters whose sum is the strength of each position."""
        return finish.bots, finish.seats + self.bots


class SeatPoint:
    """The likelihood at given parameters."""

    def __init__(self, likelihood: SeatLikelihood, values: Floats) -> None:
        self.likelihood = likelihood
        self.values = values
        self.value = 0.0
        self.gradient = np.zeros(likelihood.size)
        for finish in likelihood.finishes:
            parameters = likelihood.parameters(finish)
            strengths = sum((values[each] for each in parameters), np.zeros(finish.bots.shape))
            tops = strengths.max(axis=0)
            powers = np.exp(strengths - tops)
            linear = np.array(finish.pattern.linear)[:, None]
            self.value -= float((linear * strengths).sum())
            own = np.repeat(-linear, strengths.shape[1], axis=1)
            for positions, weight in finish.pattern.terms:
                chosen = list(positions)
                sums = powers[chosen].sum(axis=0)
                self.value += weight * float((np.log(sums) + tops).sum())
                own[chosen] += weight * powers[chosen] / sums
            for each in parameters:
                self.gradient += np.bincount(each.ravel(), weights=own.ravel(), minlength=likelihood.size)

    def hessian(self) -> Floats:
        """The Hessian over all parameters."""
        size = self.likelihood.size
        flat = np.zeros(size * size)
        for finish in self.likelihood.finishes:
            parameters = self.likelihood.parameters(finish)
            strengths = sum((self.values[each] for each in parameters), np.zeros(finish.bots.shape))
            powers = np.exp(strengths - strengths.max(axis=0))
            cells = np.zeros((len(powers), *powers.shape))
            for positions, weight in finish.pattern.terms:
                chosen = list(positions)
                shares = powers[chosen] / powers[chosen].sum(axis=0)
                for at, one in enumerate(positions):
                    cells[one, one] += weight * shares[at]
                    for beside, other in enumerate(positions):
                        cells[one, other] -= weight * shares[at] * shares[beside]
            for first, second in product(parameters, parameters):
                for one, other in product(range(len(powers)), repeat=2):
                    keys = first[one] * size + second[other]
                    flat += np.bincount(keys, weights=cells[one, other], minlength=size * size)
        found: Floats = flat.reshape(size, size)
        return found
