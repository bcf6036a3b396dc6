"""T14.11: a result in one line, the same for a test and a comparison wherever it is shown."""

from __future__ import annotations

from decimal import Decimal

from ratings.sequential.evidence import Pairs
from ratings.sequential.test import percent

ONE_LOOK = "95 %, one look"
"""T15.5: the label of an error that holds for one look planned beforehand."""

CHOSEN_SEED = "seed chosen by the caller"
"""T14.13: the mark of a verdict that may be the best of several."""


def result_line(
    pairs: Pairs, seats: int, games: int, elo: float | None, error: float | None, verdict: str, mark: str = ""
) -> str:
    """T14.11: W-D-L (or pairs by places), Elo with its error, games and verdict, with a mark in brackets behind it."""
    what = "W-D-L" if seats == 2 else "pairs by places"
    count = f"{games:,} game" if games == 1 else f"{games:,} games"
    said = f"{verdict} ({mark})" if mark else verdict
    return f"{what} {pairs.wins:,}-{pairs.draws:,}-{pairs.losses:,}, {_elo_words(pairs, elo, error)}, {count}: {said}"


def _elo_words(pairs: Pairs, elo: float | None, error: float | None) -> str:
    if elo is None:
        if not any(pairs):
            return "no Elo"
        return f"no Elo: every point {'won' if pairs.wins > pairs.losses else 'lost'}"
    return f"Elo {elo:+.1f} ± unknown" if error is None else f"Elo {elo:+.1f} ± {error:.1f} ({ONE_LOOK})"


def any_look_words(at_least: float | None, at_most: float | None, elo0: Decimal, elo1: Decimal, alpha: Decimal) -> str:
    """T15.8: the interval for any look where it rules out elo0 or elo1; empty where it says nothing."""
    rules_out_elo0 = at_least is not None and at_least >= elo0
    rules_out_elo1 = at_most is not None and at_most <= elo1
    if not rules_out_elo0 and not rules_out_elo1:
        return ""
    if at_most is None:
        ends = f"at least {at_least:+.1f}"
    elif at_least is None:
        ends = f"at most {at_most:+.1f}"
    else:
        ends = f"{at_least:+.1f} to {at_most:+.1f}"
    return f"at any look: {ends} Elo ({percent(1 - alpha)})"
