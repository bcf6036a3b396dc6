"""F11: the end of the game and the ranking."""

from __future__ import annotations

from referee.game import Outcome
from referee.games.furstenfeld.codes import GAME_ENDED, RESULT_BITS
from referee.games.furstenfeld.components import PARTS_TO_WIN
from referee.games.furstenfeld.effects import IS_PALACE
from referee.games.furstenfeld.events import EndReason
from referee.games.furstenfeld.state import State, visible
from referee.rows import Events, Int

SCORE_OF_A_PART = 10_000  # more than all the money that can be earned in a game, so that scores rank as F11.5 does
PALACE = EndReason.PALACE.value
ROUND_LIMIT = EndReason.ROUND_LIMIT.value


def visible_parts(state: State, seat: Int) -> Int:
    """F11.1: how many palace parts a seat shows."""
    return visible(state, seat, IS_PALACE)


def most_parts(state: State) -> Int:
    """F11.1: how many palace parts any seat shows at most."""
    most = 0
    for seat in range(state.seats):
        most = max(most, visible_parts(state, seat))
    return most


def rank(state: State, seat: Int) -> Int:
    """F11.4, F11.5: more palace parts first, then more money; equal pairs share a rank and the next is skipped."""
    parts = visible_parts(state, seat)
    ahead = 0
    for other in range(state.seats):
        others = visible_parts(state, other)
        if others > parts or (others == parts and state.money[other] > state.money[seat]):
            ahead += 1
    return 1 + ahead


def ranks(state: State) -> tuple[int, ...]:
    """F11.5: the rank of every seat."""
    return tuple([rank(state, seat) for seat in range(state.seats)])


def end_reason(state: State) -> Int:
    """F11.6: a finished palace, also when it was finished in the last round; otherwise the round limit."""
    return PALACE if most_parts(state) == PARTS_TO_WIN else ROUND_LIMIT


def tell_end(state: State, events: Events) -> None:
    """F11.6: the game is over: why, after how many rounds, and every seat's rank, palace parts and money."""
    ended = events.tell(GAME_ENDED, end_reason(state), state.round_number)
    for seat in range(state.seats):
        events.words[ended + 2] |= rank(state, seat) << RESULT_BITS * seat
        events.words[ended + 3] |= visible_parts(state, seat) << RESULT_BITS * seat
        events.words[ended + 4 + seat] = state.money[seat]


def outcome(state: State) -> Outcome | None:
    """F11.6: the result once nothing is left to happen."""
    if state.agenda_count:
        return None
    return Outcome(ranks(state), scores(state), EndReason(end_reason(state)).name.lower())


def scores(state: State) -> tuple[int, ...]:
    """F11.6: palace parts and money of every seat, as one number."""
    return tuple([visible_parts(state, seat) * SCORE_OF_A_PART + state.money[seat] for seat in range(state.seats)])


def score_text(score: int) -> str:
    """F11.6: what a score stands for, such as "6 parts, 97 coins"."""
    parts, money = divmod(score, SCORE_OF_A_PART)
    return f"{parts} part{'s' if parts != 1 else ''}, {money} coin{'s' if money != 1 else ''}"
