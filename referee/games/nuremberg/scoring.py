"""N7: points, victory, the end by time, and the ranking."""

from __future__ import annotations

from referee.game import Outcome
from referee.games.nuremberg import components as box
from referee.games.nuremberg.codes import TIME_RAN_OUT, VICTORY_REACHED
from referee.games.nuremberg.state import BY_TIME, BY_VICTORY, UNDECIDED, State, card_count
from referee.games.nuremberg.tables import COUNCIL_CARDS, council_points
from referee.rows import Events, Int, bit_count, count_of


def council_card(state: State, seat: Int) -> Int:
    """N1.6: the council card that a seat holds, -1 without one."""
    for card in range(COUNCIL_CARDS):
        if state.council[card] == seat:
            return card
    return box.NOBODY


def council_value(state: State, seat: Int) -> Int:
    """N1.6: the points of the council card a seat holds, 0 without one."""
    for card in range(COUNCIL_CARDS):
        if state.council[card] == seat:
            return council_points(card)
    return 0


def points(state: State, seat: Int) -> Int:
    """N1.5, N1.7: settlements, workshops, wayrights and the council card."""
    return (
        state.settlements[seat] * box.SETTLEMENT_POINTS
        + bit_count(state.workshops[seat]) * box.WORKSHOP_POINTS
        + count_of(state.wayrights, 0, box.ROAD_COUNT, seat) * box.WAYRIGHT_POINTS
        + council_value(state, seat)
    )


def ends_by_victory(state: State, events: Events) -> bool:
    """N7.1, N7.2: end the game immediately if the active player has enough points; nobody else's points count."""
    reached = points(state, state.active)
    if reached < box.VICTORY_POINTS:
        return False
    state.ending = BY_VICTORY
    state.agenda_count = 0
    events.tell(VICTORY_REACHED, state.active, reached)
    return True


def end_by_time(state: State, events: Events) -> None:
    """N7.3: the last year ends the game immediately, without the active player's main phase."""
    state.ending = BY_TIME
    state.agenda_count = 0
    events.tell(TIME_RAN_OUT, box.FINAL_YEAR)


def outcome(state: State) -> Outcome | None:
    """N7.4: rank by points, council card, prestige, gold and cards; who won by points on its own turn is first."""
    if state.ending == UNDECIDED:
        return None
    has_winner = state.ending == BY_VICTORY
    keys = [
        (
            has_winner and seat == state.active,
            points(state, seat),
            council_value(state, seat),
            state.prestige[seat],
            state.hands[seat * box.COMMODITY_COUNT + box.GOLD],
            card_count(state, seat),
        )
        for seat in range(state.seats)
    ]
    ranks = tuple([1 + sum([other > key for other in keys]) for key in keys])
    scores = tuple([points(state, seat) for seat in range(state.seats)])
    if has_winner:
        reason = f"seat {state.active} reached {box.VICTORY_POINTS} points on its own turn"
    else:
        reason = f"the year {box.FINAL_YEAR} was reached"
    return Outcome(ranks, scores, reason)
