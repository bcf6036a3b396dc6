"""T14.6 and T14.10: the sentences about a test."""

from __future__ import annotations

from decimal import Decimal
from math import ceil
from typing import Protocol

from ratings.sequential.exact_log import exp_micronats
from ratings.sequential.result_line import CHOSEN_SEED
from ratings.sequential.test import SeedBy, Verdict, percent

COPIES_WARNING = "NEW and OLD sat at the table twice each: half of the seats were NEW, and copies may help each other."
"""T14.9: printed with the verdict of a test with copies."""


WHILE_PLAYED = "at these tables, while this was played"
"""T14.6: the scope of a verdict: these fillers, and the strength that both had at the time."""

KEPT_PROCESSES_WARNING = (
    "Processes played on from game to game: what a bot learns or keeps there makes blocks depend on each other, and"
    " wrong verdicts may be more frequent than promised."
)
"""T14.12: printed with the verdict of a test that kept its processes."""


class Rates(Protocol):
    """The terms of a test as they are printed."""

    @property
    def elo0(self) -> Decimal:
        """The lower Elo bound (H0)."""

    @property
    def elo1(self) -> Decimal:
        """The upper Elo bound (H1)."""

    @property
    def alpha(self) -> Decimal:
        """The false-positive rate."""

    @property
    def beta(self) -> Decimal:
        """The false-negative rate."""

    @property
    def max_blocks(self) -> int:
        """The block limit, after which the test is inconclusive."""


def verdict_sentence(verdict: Verdict, agreed: Rates, new: str = "NEW", old: str = "OLD") -> str:
    """T14.6: the meaning of a verdict, with its error rate."""
    would = "this verdict would have come with probability at most"
    match verdict:
        case Verdict.BETTER:
            had_it = "had it not" if agreed.elo0 == 0 else "had it not been"
            said = _better(agreed.elo0, new, old)
            return f"{said} {WHILE_PLAYED}; {had_it}, {would} {percent(agreed.alpha)}, over all looks."
        case Verdict.NOT_BETTER:
            had_it = "had it been" if agreed.elo1 > 0 else "had it not" if agreed.elo1 == 0 else "had it not been"
            said = _not_better(agreed.elo1, new, old)
            return f"{said} {WHILE_PLAYED}; {had_it}, {would} {percent(agreed.beta)}, over all looks."
        case Verdict.INCONCLUSIVE:
            return f"{agreed.max_blocks:,} blocks did not decide whether {new} is better than {old}."
        case Verdict.INVALID:
            return "Too many blocks were dropped because their games were void; nothing can be said."
        case Verdict.ABANDONED:
            return "The test was stopped by hand; nothing can be said."


def _better(elo0: Decimal, new: str, old: str) -> str:
    if elo0 == 0:
        return f"{new} scores more than {old}"
    if elo0 > 0:
        return f"{new} is more than {elo0} Elo better than {old}"
    return f"{new} is less than {-elo0} Elo worse than {old}"


def _not_better(elo1: Decimal, new: str, old: str) -> str:
    if elo1 > 0:
        return f"{new} is not {elo1} Elo better"
    if elo1 == 0:
        return f"{new} scores less than {old}"
    return f"{new} is more than {-elo1} Elo worse"


def e_value(micronats: int) -> int:
    """T19.12: an e-value from its logarithm, rounded down; it starts as 1."""
    return int(exp_micronats(micronats))


def evidence_words(for_better: int, for_not_better: int, agreed: Rates, new: str = "NEW") -> tuple[str, str]:
    """T14.10: the evidence for either verdict: "NEW better: 23 to 1, needs 20 to 1"."""
    return (
        _odds(f"{new} better", for_better, agreed.alpha),
        _odds(f"{new} not better", for_not_better, agreed.beta),
    )


def _odds(what: str, micronats: int, error: Decimal) -> str:
    # From the error rate: the bound is rounded up, which must not turn 20 into 21.
    return f"{what}: {e_value(micronats):,} to 1, needs {ceil(1 / error):,} to 1"


def repeats_words(tests: int, agreed: Rates) -> str:
    """T14.8: the number of tests of this pair, and their combined error rate."""
    if tests == 1:
        return "the first test of this pair in this ledger"
    return f"test {tests} of this pair in this ledger; over all of them: alpha <= {tests} x {agreed.alpha}"


def seed_words(seed_by: str) -> str:
    """T14.13: who chose the seed of a test."""
    if not seed_by:
        return "nobody knows who chose its seed"
    return CHOSEN_SEED if seed_by == SeedBy.CALLER else "seed drawn by the arena"
