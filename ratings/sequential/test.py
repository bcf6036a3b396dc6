"""T14: is NEW better than OLD? A sequential test, judged block by block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from enum import StrEnum
from fractions import Fraction

from ratings.points.points import UNIT
from ratings.sequential.e_process import EProcess, opening_processes
from ratings.sequential.exact_log import MILLION, ceil_log, exp_micronats
from ratings.sequential.link import check_table, elo_of_mean, mean_of_elo

DEFAULT_ELO0 = Decimal(0)
DEFAULT_ELO1 = Decimal(20)
DEFAULT_ERROR = Decimal("0.05")
DEFAULT_MAX_BLOCKS = 5000
MIN_ERROR = Decimal("1e-9")
"""T14.5: the smallest error rate."""

DROPPED_SHARE = 50
"""T14.2: a test is invalid if more than one block is dropped, and more than one in this many."""


class Verdict(StrEnum):
    """T14.5: how a test ended."""

    BETTER = "better"
    NOT_BETTER = "not better"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"
    ABANDONED = "abandoned"
    """T17: stopped by hand before anything was decided."""


class SeedBy(StrEnum):
    """T14.13: who chose the seed of a test."""

    ARENA = "arena"
    CALLER = "caller"


@dataclass(frozen=True, slots=True)
class TestTerms:
    """T14.4 and T14.5: the terms of a test, in the integers the ledger keeps."""

    seats: int
    copies: int
    mu0: int
    mu1: int
    better_bound: int
    """The evidence needed for `better`, in micro-nats."""
    not_better_bound: int
    """The evidence needed for `not better`."""
    max_blocks: int

    @property
    def elo0(self) -> Decimal:
        """The Elo difference of mu0, to a hundredth."""
        return self._elo(self.mu0)

    @property
    def elo1(self) -> Decimal:
        """The Elo difference of mu1, to a hundredth."""
        return self._elo(self.mu1)

    @property
    def alpha(self) -> Decimal:
        """The false-positive rate."""
        return error_rate(self.better_bound)

    @property
    def beta(self) -> Decimal:
        """The false-negative rate."""
        return error_rate(self.not_better_bound)

    def _elo(self, mean: int) -> Decimal:
        elo = elo_of_mean(Fraction(mean, MILLION), self.seats, self.copies)
        assert elo is not None, "terms() refuses means without an Elo"
        return _plain(elo.quantize(Decimal("0.01")))


def terms(
    seats: int,
    *,
    elo0: Decimal = DEFAULT_ELO0,
    elo1: Decimal = DEFAULT_ELO1,
    alpha: Decimal = DEFAULT_ERROR,
    beta: Decimal = DEFAULT_ERROR,
    max_blocks: int = DEFAULT_MAX_BLOCKS,
    copies: int = 1,
) -> TestTerms:
    """T14.5: the terms of a test; a ValueError if it cannot be run."""
    check_table(seats, copies)
    mu0, mu1 = mean_of_elo(elo0, seats, copies), mean_of_elo(elo1, seats, copies)
    limit = (seats - copies) * MILLION // (seats - 1)
    if not -limit < mu0 < mu1 < limit:
        raise ValueError(f"T14.4: expected elo0 < elo1, both within reach, not {elo0} and {elo1}")
    if max_blocks < 1:
        raise ValueError(f"T14.5: a test needs at least one block, not {max_blocks}")
    check_error(alpha)
    check_error(beta)
    return TestTerms(seats, copies, mu0, mu1, error_bound(alpha), error_bound(beta), max_blocks)


def check_error(error: Decimal) -> None:
    """T14.5: raise a ValueError unless an error rate may be asked for; that of an old test may be any."""
    if not MIN_ERROR <= error < 1:
        raise ValueError(f"T14.5: an error rate must be between 0 and 1, and {MIN_ERROR} or more, not {error}")


def error_bound(error: Decimal, sides: int = 1) -> int:
    """T14.5: ceil(10^6 ln(sides / error)), the evidence that is reached wrongly with at most this probability."""
    if not 0 < error < 1:
        raise ValueError(f"T14.5: an error rate must be between 0 and 1, not {error}")
    numerator, denominator = error.as_integer_ratio()
    return ceil_log(sides * denominator, numerator)


def error_rate(bound: int) -> Decimal:
    """T14.5: the error rate of a bound, to five digits."""
    with localcontext() as context:
        context.prec = 5
        return _plain(+exp_micronats(-bound))


@dataclass(slots=True)
class SequentialTest:
    """T14: a running test: blocks are added in order until there is a verdict."""

    terms: TestTerms
    for_better: EProcess = field(init=False)
    for_not_better: EProcess = field(init=False)
    judged: list[int] = field(default_factory=list)
    """The differences D of the blocks judged so far."""
    dropped: int = 0
    verdict: Verdict | None = None

    def __post_init__(self) -> None:
        self.for_better, self.for_not_better = opening_processes(
            self.terms.mu0, self.terms.mu1, self.terms.seats, self.terms.copies
        )

    @property
    def blocks(self) -> int:
        """T19.8: the blocks so far, judged and dropped; the limit counts both."""
        return len(self.judged) + self.dropped

    def add(self, difference: int | None) -> Verdict | None:
        """T14.5: judge the next block by its D, or drop it if D is None; return the verdict, if any."""
        if self.verdict is not None:
            raise ValueError(f"T14.7: the verdict {self.verdict} stands; later blocks are not judged")
        if difference is None:
            self.dropped += 1
        else:
            if abs(difference) > self.terms.seats * UNIT:
                raise ValueError(f"T14.2: a block of {self.terms.seats} seats cannot differ by {difference}")
            self.judged.append(difference)
            self.for_better.add(difference)
            self.for_not_better.add(difference)
        self.verdict = self._due()
        return self.verdict

    def _due(self) -> Verdict | None:
        if self.for_better.micronats >= self.terms.better_bound:
            found = Verdict.BETTER
        elif self.for_not_better.micronats >= self.terms.not_better_bound:
            found = Verdict.NOT_BETTER
        elif self.blocks >= self.terms.max_blocks:
            found = Verdict.INCONCLUSIVE
        else:
            return None
        # T19.8: dropped blocks are only checked when a verdict is due.
        is_invalid = self.dropped > 1 and DROPPED_SHARE * self.dropped > self.blocks
        return Verdict.INVALID if is_invalid else found


def judge(agreed: TestTerms, differences: Iterable[int | None]) -> SequentialTest:
    """T14.7: judge blocks in order, None for dropped ones, up to the verdict."""
    progress = SequentialTest(agreed)
    for difference in differences:
        if progress.add(difference) is not None:
            break
    return progress


def percent(rate: Decimal) -> str:
    """Write an error rate: 5 %, 2.5 %."""
    return f"{(100 * rate).normalize():f} %"


def _plain(value: Decimal) -> Decimal:
    """Remove trailing zeros, without an exponent."""
    value = value.normalize()
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value
