"""T14.10: what is reported of a test, and nothing that T14.6 forbids."""

from __future__ import annotations

from typing import Any

from arena.play.trials import TrialRunner
from ratings.compare import Comparison, compare
from ratings.trial import Verdict, percent
from ratings.trial_words import COPIES_WARNING, money, money_words, repeats_words, verdict_sentence

EXIT_CODES = {Verdict.BETTER: 0, Verdict.NOT_BETTER: 1}
UNDECIDED = 3
"""T18.1: the exit code of a test that has decided nothing."""


def exit_code(verdict: Verdict | None) -> int:
    """T18.1: 0 for better, 1 for not better, 3 for everything else."""
    return UNDECIDED if verdict is None else EXIT_CODES.get(verdict, UNDECIDED)


def comparison_of(runner: TrialRunner) -> Comparison:
    """T19.12: the interval of T15 over the judged blocks of this test."""
    agreed = runner.trial.terms
    return compare(runner.trial.judged, agreed.seats, agreed.alpha, agreed.copies)


def trial_plain(runner: TrialRunner) -> dict[str, Any]:
    """T14.10: a test as JSON."""
    test, trial, agreed = runner.plan.test, runner.trial, runner.trial.terms
    found = comparison_of(runner)
    new, old = runner.plan.names
    word = trial.verdict or Verdict.ABANDONED
    return {
        "test": test.id,
        "verdict": word,
        "says": verdict_sentence(word, agreed, new, old),
        "new": runner.plan.new.label,
        "old": runner.plan.old.label,
        "pool": test.pool,
        "seats": agreed.seats,
        "copies": agreed.copies,
        "fillers": [runner.plan.bots[version].label for version in test.fillers],
        "elo0": str(agreed.elo0),
        "elo1": str(agreed.elo1),
        "alpha": str(agreed.alpha),
        "beta": str(agreed.beta),
        "blocks": len(trial.judged),
        "games": len(trial.judged) * agreed.seats,
        "dropped_blocks": trial.dropped,
        "blocks_after_verdict": runner.posted - trial.blocks,
        "for_better": {"micronats": trial.for_better.micronats, "money": money(trial.for_better.micronats)},
        "for_not_better": {"micronats": trial.for_not_better.micronats, "money": money(trial.for_not_better.micronats)},
        "elo": _elo(found.elo_tenths),
        "elo_at_least": _elo(found.lower_elo_tenths),
        "elo_at_most": _elo(found.upper_elo_tenths),
        "forfeits": {"new": runner.forfeits[test.new], "old": runner.forfeits[test.old]},
        "tests_of_this_pair": test.count,
        "exit_code": exit_code(trial.verdict),
    }


def trial_lines(runner: TrialRunner) -> list[str]:
    """T14.10: a test in words."""
    test, trial, agreed = runner.plan.test, runner.trial, runner.trial.terms
    new, old = runner.plan.names
    word = trial.verdict or Verdict.ABANDONED
    lines = [
        f"{word}: {verdict_sentence(word, agreed, new, old)}",
        *money_words(trial, new),
        f"{len(trial.judged):,} blocks of {agreed.seats} games judged, {trial.dropped} dropped"
        f"; forfeits: {new} {runner.forfeits[test.new]}, {old} {runner.forfeits[test.old]}",
        difference_words(comparison_of(runner), percent(1 - agreed.alpha)),
    ]
    if runner.posted > trial.blocks:
        lines.append(f"{runner.posted - trial.blocks} further blocks were under way; they are entered, not judged")
    if agreed.copies > 1:
        lines.append(COPIES_WARNING)
    lines.append(f"test {test.id[:12]}: {repeats_words(test.count, agreed)}")
    return lines


def difference_words(found: Comparison, level: str) -> str:
    """T15.3: a difference in Elo with the interval that holds at all looks together."""
    middle = "no Elo: one of them took every point" if found.elo_tenths is None else f"{found.elo_tenths / 10:+.1f} Elo"
    if not found.blocks:
        middle = "nothing is known yet"
    return f"difference: {middle}, {interval_words(found)} ({level}, at any look)"


def interval_words(found: Comparison) -> str:
    """T15.3: the interval in Elo; an end that nothing bounds yet is said to be open."""
    lower = "no lower bound" if found.lower_elo_tenths is None else f"at least {found.lower_elo_tenths / 10:+.1f}"
    upper = "no upper bound" if found.upper_elo_tenths is None else f"at most {found.upper_elo_tenths / 10:+.1f}"
    return f"{lower}, {upper}"


def _elo(tenths: int | None) -> float | None:
    return None if tenths is None else tenths / 10
