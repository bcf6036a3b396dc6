"""T14.4: an e-process: evidence against a hypothesis, block by block, valid at any look.

A sequential test like SPRT, for 2 to 5 seats and with nothing assumed about the games of a block: if the hypothesis
holds for every block, given the blocks before, the expected evidence never exceeds 1, so that it ever reaches 1/alpha
with probability at most alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from ratings.points.points import UNIT
from ratings.sequential.exact_log import MILLION, floor_log
from ratings.sequential.link import check_table

WEIGHT_UNIT = 1 << 20
PRIOR_BLOCKS = 10
"""T14.4: the weight starts as if this many blocks between equals had been seen."""


@dataclass(slots=True)
class EProcess:
    """T14.4: the evidence against one hypothesis about the mean difference."""

    null: int
    """The mean of the hypothesis, in millionths."""
    direction: int
    """+1 for evidence that the mean is above the null, -1 that it is below."""
    scale: int
    """S: a mean of one point, in the units of an outcome."""
    step: int
    """J: the distance between the two means of the test, in the same units."""
    cap: int
    """C: the largest weight; it leaves at least a tenth of the evidence after any block."""
    squares: int
    """Q: the sum of squared outcomes, plus its prior."""
    total: int = 0
    """A: the sum of outcomes."""
    blocks: int = PRIOR_BLOCKS
    """n: the number of blocks, plus its prior."""
    micronats: int = 0
    """10^6 times the natural logarithm of the evidence, rounded down at every block."""

    @property
    def weight(self) -> int:
        """T14.4: the weight of the next block, in parts of 2^20; it depends on earlier blocks only."""
        drift = max(self.step * self.blocks, self.total - isqrt(self.squares))
        return min(self.cap, drift * self.scale * WEIGHT_UNIT // self.squares)

    def add(self, difference: int) -> None:
        """T14.4: take in a block whose difference of points is D."""
        outcome = self.direction * (MILLION * difference - self.null * self.scale // MILLION)
        whole = WEIGHT_UNIT * self.scale
        self.micronats += floor_log(whole + self.weight * outcome, whole)
        self.total += outcome
        self.squares += outcome * outcome
        self.blocks += 1


def opening_processes(mu0: int, mu1: int, seats: int, copies: int = 1) -> tuple[EProcess, EProcess]:
    """T14.4: the evidence for `better`, against "mean <= mu0", and for `not better`, against "mean >= mu1"."""
    check_table(seats, copies)
    if not -MILLION < mu0 < mu1 < MILLION:
        raise ValueError(f"T14.4: expected -1 < mu0 < mu1 < 1 in millionths of a point, not {mu0} and {mu1}")
    block = seats * UNIT
    scale = MILLION * block

    def opening(null: int, direction: int) -> EProcess:
        return EProcess(
            null=null,
            direction=direction,
            scale=scale,
            step=(mu1 - mu0) * block,
            cap=WEIGHT_UNIT * 9 * MILLION // (10 * (MILLION + abs(null))),
            squares=PRIOR_BLOCKS * scale * scale * (seats + 1) // (6 * (seats - 1) ** 2 * copies),
        )

    return opening(mu0, 1), opening(mu1, -1)
