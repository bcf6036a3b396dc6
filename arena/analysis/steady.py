"""Steady mistakes: what a seat does again and again, each time for a little too much, summed by kind and action.

One costly decision is a blunder; here many small losses add up. Sums are of the choices' gains over usual play, which
have no selection in them, so that they may be added over decisions and over matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import sqrt

from arena.analysis.judgement import JudgedDecision, SteadyMistake

TIMES = 4
"""Done less often it is no habit."""
LOSS, ERRORS = 10.0, 3.0
"""A sum is named from this on, in points and in standard errors: a dozen patterns of a seat are looked at."""


def steady_mistakes(decisions: Iterable[JudgedDecision]) -> tuple[SteadyMistake, ...]:
    """Return the steady mistakes in some decisions of one bot in one game, the costliest first.

    The error of a sum is the judge's own, or that by which the decisions differ among themselves if larger: so one
    blunder among good decisions makes no habit.
    """
    kinds: dict[str, list[JudgedDecision]] = defaultdict(list)
    actions: dict[tuple[str, str], list[JudgedDecision]] = defaultdict(list)
    for each in decisions:
        kinds[each.kind].append(each)
        actions[each.kind, each.action].append(each)
    found = [_summed(kind, action, each) for (kind, action), each in sorted(actions.items())]
    # All of a kind together tell more than their actions alone, unless one of these was named already.
    named = {each.kind for each in found if _is_steady(each)}
    found += [_summed(kind, "", each) for kind, each in sorted(kinds.items()) if kind not in named]
    return tuple(sorted(filter(_is_steady, found), key=lambda each: (each.own, each.kind, each.action)))


def _summed(kind: str, action: str, decisions: list[JudgedDecision]) -> SteadyMistake:
    times, total = len(decisions), sum(each.own for each in decisions)
    apart = sum((each.own - total / times) ** 2 for each in decisions) * times / max(1, times - 1)
    judged = sum(each.own_error**2 for each in decisions)
    usual, _ = Counter(each.usual for each in decisions).most_common(1)[0]
    error = max(0.1, round(sqrt(max(apart, judged)), 1))
    return SteadyMistake(kind, action, usual, times, round(total, 1) + 0.0, error)


def _is_steady(found: SteadyMistake) -> bool:
    return found.times >= TIMES and found.own <= -LOSS and found.own <= -ERRORS * found.error
