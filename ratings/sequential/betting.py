"""T14.4: money that bets on every block against a hypothesis, and grows large only if the hypothesis is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from ratings.points.points import UNIT
from ratings.sequential.exact_log import MILLION, floor_log
from ratings.sequential.link import check_table

STAKE_UNIT = 1 << 20
PRIOR_BLOCKS = 10
"""T14.4: the stake starts as if so many blocks of an even field had been seen."""


@dataclass(slots=True)
class Capital:
    """T14.4: one gambler. If its hypothesis is true its money expects no gain, whatever the games are like."""

    null: int
    """The mean it bets against, in millionths."""
    direction: int
    """+1 bets that the mean is above the null, -1 that it is below."""
    scale: int
    """S: what a mean of one point is, in the units of a bet."""
    step: int
    """J: the distance between the two means of the test, in the same units."""
    cap: int
    """C: the greatest stake, nine tenths of what could be lost."""
    squares: int
    """Q: the sum of squared outcomes so far, and what it started with."""
    total: int = 0
    """A: the sum of outcomes so far."""
    weight: int = PRIOR_BLOCKS
    """n: blocks so far, and those it started with."""
    micronats: int = 0
    """The money so far as 10^6 times its natural logarithm, rounded down at every block; money starts at 1."""

    @property
    def stake(self) -> int:
        """T14.4: what is bet on the next block, in parts of 2^20; it depends on earlier blocks only."""
        drift = max(self.step * self.weight, self.total - isqrt(self.squares))
        return min(self.cap, drift * self.scale * STAKE_UNIT // self.squares)

    def bet(self, difference: int) -> None:
        """T14.4: settle the bet on a block whose difference of points is D."""
        outcome = self.direction * (MILLION * difference - self.null * self.scale // MILLION)
        whole = STAKE_UNIT * self.scale
        self.micronats += floor_log(whole + self.stake * outcome, whole)
        self.total += outcome
        self.squares += outcome * outcome
        self.weight += 1


def opening_capitals(mu0: int, mu1: int, seats: int, copies: int = 1) -> tuple[Capital, Capital]:
    """T14.4: FOR_BETTER, which bets against "mean <= mu0", and FOR_NOT_BETTER, which bets against "mean >= mu1"."""
    check_table(seats, copies)
    if not -MILLION < mu0 < mu1 < MILLION:
        raise ValueError(f"T14.4: the means in millionths must rise between -1 and 1 point, unlike {mu0} and {mu1}")
    block = seats * UNIT
    scale = MILLION * block

    def opening(null: int, direction: int) -> Capital:
        return Capital(
            null=null,
            direction=direction,
            scale=scale,
            step=(mu1 - mu0) * block,
            cap=STAKE_UNIT * 9 * MILLION // (10 * (MILLION + abs(null))),
            squares=PRIOR_BLOCKS * scale * scale * (seats + 1) // (6 * (seats - 1) ** 2 * copies),
        )

    return opening(mu0, 1), opening(mu1, -1)
