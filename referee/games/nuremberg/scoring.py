"""N7: points, victory, the end by time, and the ranking."""

from __future__ import annotations

from referee.game import Outcome, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.events import Event, TimeRanOut, VictoryReached
from referee.games.nuremberg.state import Ending, State, hand_of


def council_value(state: State, seat: Seat) -> int:
    """N1.6: the points of the council card a seat holds, 0 without one."""
    council = state.council
    return box.COUNCIL_POINTS[council.index(seat)] if seat in council else 0


def points(state: State, seat: Seat) -> int:
    """N1.5, N1.7: settlements, workshops, wayrights and the council card."""
    return (
        state.settlements[seat] * box.SETTLEMENT_POINTS
        + state.workshops[seat].bit_count() * box.WORKSHOP_POINTS
        + state.wayrights.count(seat) * box.WAYRIGHT_POINTS
        + council_value(state, seat)
    )


def ends_by_victory(state: State, events: list[Event]) -> bool:
    """N7.1, N7.2: end the game immediately if the active player has enough points; nobody else's points count."""
    reached = points(state, state.active)
    if reached < box.VICTORY_POINTS:
        return False
    state.ending = Ending.VICTORY
    state.agenda.steps.clear()
    events.append(VictoryReached(state.active, reached))
    return True


def end_by_time(state: State, events: list[Event]) -> None:
    """N7.3: the last year ends the game immediately, without the active player's main phase."""
    state.ending = Ending.TIME
    state.agenda.steps.clear()
    events.append(TimeRanOut(box.FINAL_YEAR))


def outcome(state: State) -> Outcome | None:
    """N7.4: rank by points, council card, prestige, gold and cards; who won by points on its own turn is first."""
    if state.ending is None:
        return None
    has_winner = state.ending is Ending.VICTORY
    keys = [
        (
            has_winner and seat == state.active,
            points(state, seat),
            council_value(state, seat),
            state.prestige[seat],
            state.hands[seat * box.COMMODITY_COUNT + box.GOLD],
            sum(hand_of(state, seat)),
        )
        for seat in range(state.seats)
    ]
    ranks = tuple(1 + sum(1 for other in keys if other > key) for key in keys)
    scores = tuple(points(state, seat) for seat in range(state.seats))
    if has_winner:
        reason = f"seat {state.active} reached {box.VICTORY_POINTS} points on its own turn"
    else:
        reason = f"the year {box.FINAL_YEAR} was reached"
    return Outcome(ranks, scores, reason)
