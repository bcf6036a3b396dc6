"""N10: a full state behind what one seat sees, with everything hidden from it drawn at random."""

from __future__ import annotations

from operator import add

from referee.agenda import Agenda
from referee.game import Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg import state as states
from referee.games.nuremberg.main_phase import START_TURN
from referee.games.nuremberg.setup import placement_order
from referee.games.nuremberg.state import State, Step
from referee.games.nuremberg.view import DecisionKind, View
from referee.rng import Rng


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """N10.2 to N10.5: guess the cards drawn unseen, shuffle the deck, start new chance."""
    seats = view.seat_count
    unseen = [card for card in range(box.CARD_COUNT) if card + 1 not in view.discards]
    rng.shuffle(unseen)
    state = State(
        seats=seats,
        setup=view.setup,
        colors=tuple(int(color) for color in view.colors),
        agenda=Agenda[Step]([]),
        deck_rng=Rng(rng.next64()),
        card_rng=Rng(rng.next64()),
        first_seat=view.first_seat,
        active=view.active,
        turn=view.turn,
        year=box.YEARS.index(view.year),
        card=view.event_card - 1,
        robber=view.robber - 1,
        walls=view.walls,
        towers=view.towers,
        main_actions=view.main_action_count,
        proposals=view.proposal_count,
        ending=view.ending,
        deck=unseen,
        discard=[card - 1 for card in view.discards],
        bank=list(view.bank),
        hands=[],
        bar_owners=list(view.bar_owners),
        bar_counts=_bar_counts(view),
        bars=_bars(view),
        site_owners=list(view.site_owners),
        starting_sites=list(view.starting_sites),
        settlements=[view.site_owners.count(owner) for owner in range(seats)],
        workshops=[
            sum(1 << corner for corner, owner in enumerate(view.corner_owners) if owner == holder)
            for holder in range(seats)
        ],
        wayrights=list(view.wayrights),
        council=list(view.council),
        prestige=list(view.prestiges),
        draws=[],
        lows=[],
    )
    _remember(state, view, rng)
    state.agenda.then(*_agenda(view, state))
    return state


def _remember(state: State, view: View, rng: Rng) -> None:
    """N10.5: guess the cards that the seat saw only from behind; all hands, then and now, follow from them."""
    kinds = _guess_draws(view, rng)
    unknown = [0] * (view.seat_count * box.RESOURCE_COUNT)
    for draw, kind in zip(view.card_draws, kinds, strict=True):
        given, taken = draw.victim * box.RESOURCE_COUNT, draw.seat * box.RESOURCE_COUNT
        to_victim, to_taker = unknown[given : given + box.RESOURCE_COUNT], unknown[taken : taken + box.RESOURCE_COUNT]
        state.draws.append(
            states.Draw(
                draw.victim,
                draw.seat,
                kind,
                tuple(map(add, draw.victim_cards, to_victim)),
                tuple(map(add, draw.victim_lows, to_victim)),
                tuple(map(add, draw.seat_lows, to_taker)),
            )
        )
        if draw.resource is None:
            unknown[given + kind] -= 1
            unknown[taken + kind] += 1
    for seat, gold in enumerate(view.golds):
        cards = slice(seat * box.RESOURCE_COUNT, (seat + 1) * box.RESOURCE_COUNT)
        state.hands += [*map(add, view.counted_cards[cards], unknown[cards]), gold]
        state.lows += [*map(add, view.least_cards[cards], unknown[cards]), 0]


def _guess_draws(view: View, rng: Rng) -> list[int]:
    """N8.4: a kind for every drawn card, the unknown ones by chance as they were drawn, but none that cannot have been.

    A guess that makes some hand smaller than the table has seen it is taken back; `dead_ends` keeps what led there.
    """
    draws, least = view.card_draws, view.least_cards
    unknown = [0] * (view.seat_count * box.RESOURCE_COUNT)
    kinds: list[int] = []
    dead_ends: set[tuple[int, ...]] = set()

    def has_held(base: int, lows: tuple[int, ...]) -> bool:
        return all(unknown[base + kind] + low >= 0 for kind, low in enumerate(lows))

    def guess(number: int) -> bool:
        if number == len(draws):
            return has_held(0, least)
        draw = draws[number]
        given, taken = draw.victim * box.RESOURCE_COUNT, draw.seat * box.RESOURCE_COUNT
        if not has_held(given, draw.victim_lows) or not has_held(taken, draw.seat_lows):
            return False
        if draw.resource is not None:
            kinds.append(int(draw.resource))
            if guess(number + 1):
                return True
            kinds.pop()
            return False
        here = (number, *unknown)
        if here in dead_ends:
            return False
        amounts = list(map(add, draw.victim_cards, unknown[given : given + box.RESOURCE_COUNT]))
        while cards := sum(amounts):
            position, kind = rng.index(cards), 0
            while position >= amounts[kind]:
                position -= amounts[kind]
                kind += 1
            unknown[given + kind] -= 1
            unknown[taken + kind] += 1
            kinds.append(kind)
            if guess(number + 1):
                return True
            kinds.pop()
            unknown[given + kind] += 1
            unknown[taken + kind] -= 1
            amounts[kind] = 0
        dead_ends.add(here)
        return False

    is_possible = guess(0)
    assert is_possible, "N10.5: a view fits at least the table it was taken from"
    return kinds


def _bar_counts(view: View) -> list[int]:
    counts = [0] * box.ROAD_COUNT
    for segment in range(box.SITE_COUNT):
        counts[box.SITE_ROADS[segment]] += view.bar_owners[segment] != box.NOBODY
    return counts


def _bars(view: View) -> list[int]:
    bars = [0] * (view.seat_count * box.ROAD_COUNT)
    for segment, owner in enumerate(view.bar_owners):
        if owner != box.NOBODY:
            bars[owner * box.ROAD_COUNT + box.SITE_ROADS[segment]] += 1
    return bars


def _agenda(view: View, state: State) -> tuple[Step, ...]:
    """N9: the steps that lead to this decision and on from it, the next one first."""
    later = tuple(states.OfferFreeWall(seat) for seat in view.free_wall_seats)
    match view.decision:
        case None:
            return ()
        case DecisionKind.SETUP_PLACE:
            placed = sum(1 for owner in view.site_owners if owner != box.NOBODY)
            return (*placement_order(state)[placed:], states.FinishSetup(), START_TURN)
        case DecisionKind.MAIN_ACTION:
            return (states.MainPhase(),)
        case DecisionKind.TRADE_REPLY:
            assert view.trade is not None
            reply = states.AskReply(view.deciders[0], view.trade.give, view.trade.want, view.trade.replies)
            return (reply, states.MainPhase())
        case DecisionKind.TRADE_PICK:
            assert view.trade is not None
            return (states.AskPick(view.trade.give, view.trade.want, view.trade.replies), states.MainPhase())
        case DecisionKind.FREE_WALL:
            return (states.OfferFreeWall(view.deciders[0]), *later, states.MainPhase())
        case DecisionKind.DISCARD:
            return (states.AskDiscards(view.deciders), states.AskRobberMove(), states.AskRobbery(), states.MainPhase())
        case DecisionKind.ROBBER_MOVE:
            return (states.AskRobberMove(), states.AskRobbery(), states.MainPhase())
        case DecisionKind.ROBBER_STEAL:
            return (states.AskRobbery(), states.MainPhase())
        case DecisionKind.COUNCIL_SWAP:
            chips = (states.GrantChips(view.active, view.chips_due),) if view.chips_due else ()
            return (states.AskCouncilSwap(view.deciders[0]), *chips, *later, states.MainPhase())
