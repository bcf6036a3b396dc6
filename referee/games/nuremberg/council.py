"""N6: wayrights, prestige chips and the council cards."""

from __future__ import annotations

from collections.abc import Mapping

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, KeepCouncilCard, SwapCouncilCard, is_index
from referee.games.nuremberg.components import CouncilCard, Road
from referee.games.nuremberg.events import CouncilCardKept, CouncilCardTaken, Event, WayrightTaken
from referee.games.nuremberg.scoring import council_value
from referee.games.nuremberg.state import AskCouncilSwap, GrantChips, State

KEEP = KeepCouncilCard()
SWAPS = tuple(SwapCouncilCard(seat) for seat in range(4))


def settle_wayright(state: State, builder: Seat, road: int, events: list[Event]) -> None:
    """N6.1: the first bar brings the road's card; later only strictly more bars than the holder's move it."""
    holder = state.wayrights[road]
    if holder == builder:
        return
    if holder == box.NOBODY:
        state.wayrights[road] = builder
        events.append(WayrightTaken(builder, Road(road), None))
    elif state.bars[builder * box.ROAD_COUNT + road] > state.bars[holder * box.ROAD_COUNT + road]:
        state.wayrights[road] = builder
        events.append(WayrightTaken(builder, Road(road), holder))


def grant_chip(state: State, events: list[Event]) -> bool:
    """N6.2.1: one chip; a free card is taken at the threshold (N6.4: while there is one), then exchanges may follow."""
    step = state.agenda.done()
    assert isinstance(step, GrantChips)
    seat = step.seat
    if step.chip_count > 1:
        state.agenda.then(GrantChips(seat, step.chip_count - 1))
    state.prestige[seat] += 1
    if state.prestige[seat] >= box.COUNCIL_THRESHOLD and seat not in state.council:
        free = [card for card in box.COUNCIL_IN_USE[state.seats] if state.council[card] == box.NOBODY]
        if free:
            best = max(free, key=box.COUNCIL_POINTS.__getitem__)
            state.council[best] = seat
            events.append(CouncilCardTaken(seat, CouncilCard(best), None))
    seek_swap(state, seat)
    return True


def seek_swap(state: State, decider: Seat) -> None:
    """N6.2.2: ask the decider if there is anybody to exchange with; without a candidate the loop stops."""
    if candidates(state, decider):
        state.agenda.then(AskCouncilSwap(decider))


def candidates(state: State, decider: Seat) -> list[Seat]:
    """N6.2.2, N6.3: holders of a better card with fewer chips, and too few to be safe; the best card first."""
    own_value, chips = council_value(state, decider), state.prestige[decider]
    found = [
        (box.COUNCIL_POINTS[card], owner)
        for card, owner in enumerate(state.council)
        if owner not in (box.NOBODY, decider)
        and box.COUNCIL_POINTS[card] > own_value
        and state.prestige[owner] < min(chips, box.COUNCIL_LOCK)
    ]
    found.sort(reverse=True)
    return [owner for _, owner in found]


def swap_options(state: State, step: AskCouncilSwap, seat: Seat) -> list[Action]:
    """N9 council_swap: pass, then the candidates by card value descending."""
    return [KEEP, *[SWAPS[owner] for owner in candidates(state, seat)]]


def default_swap(state: State, step: AskCouncilSwap, seat: Seat) -> Action:
    """N9 council_swap: the most valuable card."""
    return SWAPS[candidates(state, seat)[0]]


def check_swap(state: State, step: AskCouncilSwap, seat: Seat, action: Action) -> None:
    """N6.2.2: only candidates can be asked for their card."""
    match action:
        case KeepCouncilCard():
            return
        case SwapCouncilCard(owner):
            if not is_index(owner, state.seats) or owner not in candidates(state, seat):
                raise IllegalActionError(
                    "N6.2.2",
                    f"seat {owner!r} has no better council card that your {state.prestige[seat]} chips can claim",
                )
        case _:
            raise IllegalActionError("N6.2.2", "expected KeepCouncilCard or SwapCouncilCard")


def resolve_swap(state: State, step: AskCouncilSwap, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N6.2.2: exchange the cards; then the player who was replaced decides in turn."""
    state.agenda.done()
    decider, action = step.seat, choices[step.seat]
    if not isinstance(action, SwapCouncilCard):
        events.append(CouncilCardKept(decider))
        return
    owner, council = action.seat, state.council
    wanted = council.index(owner)
    if decider in council:
        council[council.index(decider)] = owner
    council[wanted] = decider
    events.append(CouncilCardTaken(decider, CouncilCard(wanted), owner))
    seek_swap(state, owner)
