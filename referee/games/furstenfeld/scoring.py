"""F11: the end of the game and the ranking."""

from __future__ import annotations

from referee.game import Outcome
from referee.games.furstenfeld.components import IS_PALACE, PARTS_TO_WIN
from referee.games.furstenfeld.events import EndReason
from referee.games.furstenfeld.state import State, visible

SCORE_OF_A_PART = 10_000  # more than all the money that can be earned in a game, so that scores rank as F11.5 does


def visible_parts(state: State) -> list[int]:
    """F11.1: how many palace parts each seat shows."""
    return [visible(player, IS_PALACE) for player in state.players]


def ranks(state: State) -> tuple[int, ...]:
    """F11.4, F11.5: more palace parts first, then more money; equal pairs share a rank and the next is skipped."""
    results = [(parts, player.money) for parts, player in zip(visible_parts(state), state.players, strict=True)]
    return tuple(1 + sum(other > own for other in results) for own in results)


def end_reason(state: State) -> EndReason:
    """F11.6: a finished palace, also when it was finished in the last round; otherwise the round limit."""
    return EndReason.PALACE if max(visible_parts(state)) == PARTS_TO_WIN else EndReason.ROUND_LIMIT


def outcome(state: State) -> Outcome | None:
    """F11.6: the result once nothing is left to happen."""
    if not state.agenda.is_empty():
        return None
    return Outcome(ranks(state), scores(state), end_reason(state).name.lower())


def scores(state: State) -> tuple[int, ...]:
    """F11.6: palace parts and money of every seat, as one number."""
    return tuple(
        parts * SCORE_OF_A_PART + player.money
        for parts, player in zip(visible_parts(state), state.players, strict=True)
    )


def score_text(score: int) -> str:
    """F11.6: what a score stands for, such as "6 parts, 97 coins"."""
    parts, money = divmod(score, SCORE_OF_A_PART)
    return f"{parts} part{'s' if parts != 1 else ''}, {money} coin{'s' if money != 1 else ''}"
