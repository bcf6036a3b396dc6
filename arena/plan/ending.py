"""T10.8: why a tournament ends, in the words of its END entry."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arena.plan.claiming import ALL_PLACES, TournamentClaims, claims_between
from arena.plan.rounds import History, remaining
from arena.plan.settings import TournamentSettings
from ratings.sequential.claims import ClaimWord, stop_reason

TOO_FEW = "too few bots are left"
BUDGET = "the budget is used up"
DEADLINE = re.compile(r"no further round can end by [^,]+")


def deadline_cause(until: str | None) -> str:
    """T16.3: the cause of a tournament that ends by its deadline."""
    return f"no further round can end by {until}"


def words_between(
    settings: TournamentSettings, history: History, orders: Mapping[str, Sequence[str]]
) -> tuple[ClaimWord, ...]:
    """T16.3: the claims between neighbours of the fitted orders, given by pool, game by game; empty without a fit."""
    claims: TournamentClaims | None = history.claims
    active = {entrant.bot for entrant in remaining(history, settings.withdraw_after)}
    words: list[ClaimWord] = []
    for at, game in enumerate(settings.games):
        made = None if claims is None else claims.by_game.get(at)
        if made is None or game.pool not in orders:
            return ()
        order = [bot for bot in orders[game.pool] if bot in active]
        words += claims_between(order, made, settings.top or ALL_PLACES)
    return tuple(words)


def why_it_ends(settings: TournamentSettings, words: Sequence[ClaimWord], cause: str) -> str:
    """T16.3: why a tournament ends before its last round, and how many neighbours are still open."""
    return stop_reason(words, cause, top=settings.top or None) if words and settings.makes_claims else cause
