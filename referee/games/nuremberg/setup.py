"""N2: laying out the table, drawing the start player, and the free placement of the advanced game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.agenda import Agenda
from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg import state as states
from referee.games.nuremberg.actions import Action, PlaceSettlement, is_index
from referee.games.nuremberg.components import Color, Road
from referee.games.nuremberg.events import Event, SettlementPlaced, StartingCardsTaken, WayrightTaken
from referee.games.nuremberg.state import Options, SetUp, State, Step, in_turn_order
from referee.rng import Rng, seeded

PLACEMENTS = tuple(
    PlaceSettlement(Road(road), crossing) for road, crossing in zip(box.SITE_ROADS, box.SITE_CROSSINGS, strict=True)
)


def check_colors(options: Options) -> tuple[Color, ...]:
    """N2.1: the colours as listed, without repeats, orange optional; a ValueError names `colors`."""
    known = {color.name.lower(): color for color in Color}
    names = [name.strip() for name in options.colors.split(",")]
    listed = tuple(known[name] for name in names if name in known)
    if len(listed) != len(names) or sorted(listed) not in (sorted(Color), sorted(box.THREE_PLAYER_COLORS)):
        raise ValueError(f"colors: {options.colors!r} is not allowed; expected a permutation of {','.join(known)}")
    return listed


def seat_colors(options: Options, seats: int) -> tuple[int, ...]:
    """N2.1, N2.4: the colour of each seat; three players leave orange out."""
    in_use = tuple(Color) if seats == len(Color) else box.THREE_PLAYER_COLORS
    kept = tuple(int(color) for color in check_colors(options) if color in in_use)
    if len(kept) != seats:
        raise ValueError(f"colors: {options.colors!r} names {len(kept)} colours; expected {seats}")
    return kept


def lay_out(seats: int, seed: int, options: Options) -> State:
    """N2.2: the table before the first step; whatever comes next stands on the agenda.

    N8.4: chance is forked by purpose: the event deck, the first seat and the cards drawn from hands.
    """
    colors = seat_colors(options, seats)
    if options.start_player != "auto" and int(options.start_player) >= seats:
        raise ValueError(f"start_player: {options.start_player} is not allowed; expected auto or 0 to {seats - 1}")
    root = seeded(seed)
    hands = [0] * (seats * box.COMMODITY_COUNT)
    for seat in range(seats):
        hands[seat * box.COMMODITY_COUNT + box.GOLD] = box.START_GOLD
    state = State(
        seats=seats,
        setup=options.setup,
        colors=colors,
        agenda=Agenda[Step]([]),
        deck_rng=root.fork("event_deck"),
        card_rng=root.fork("card_draws"),
        first_seat=0,
        active=0,
        turn=0,
        year=0,
        card=box.NOBODY,
        robber=box.CASTLE,
        walls=0,
        towers=0,
        main_actions=0,
        proposals=0,
        ending=None,
        deck=[],
        discard=[],
        bank=[box.CARDS_EACH] * box.RESOURCE_COUNT + [box.GOLD_TOTAL - box.START_GOLD * seats],
        hands=hands,
        bar_owners=[box.NOBODY] * box.SITE_COUNT,
        bar_counts=[0] * box.ROAD_COUNT,
        bars=[0] * (seats * box.ROAD_COUNT),
        site_owners=[box.NOBODY] * box.SITE_COUNT,
        starting_sites=[box.NOBODY] * seats,
        settlements=[0] * seats,
        workshops=[0] * seats,
        wayrights=[box.NOBODY] * box.ROAD_COUNT,
        council=[box.NOBODY] * len(box.COUNCIL_POINTS),
        prestige=[0] * seats,
        draws=[],
        lows=[0] * (seats * box.COMMODITY_COUNT),
    )
    shuffle_deck(state)
    if options.setup is SetUp.BEGINNER:
        _lay_out_beginner(state, options.start_player, root.fork("first_seat"))
    else:
        _lay_out_advanced(state, options.start_player)
    return state


def shuffle_deck(state: State) -> None:
    """N4.2, N8.4: all 36 cards, shuffled from their canonical order, are the new deck; the discard pile is empty."""
    state.deck = list(range(box.CARD_COUNT))
    state.deck_rng.shuffle(state.deck)
    state.discard = []


def _lay_out_beginner(state: State, start: str, rng: Rng) -> None:
    """N2.3, N2.4, N2.9: the printed positions by colour, and a random first seat."""
    seat_of = {color: seat for seat, color in enumerate(state.colors)}
    for road in Road:
        for owner in box.BEGINNER_BARS[road]:
            if owner in seat_of:
                lay_bar(state, seat_of[owner], road)
        holder = box.BEGINNER_WAYRIGHTS[road]
        state.wayrights[road] = seat_of.get(holder, box.NOBODY)
    for seat, color in enumerate(state.colors):
        for site in box.BEGINNER_SETTLEMENTS[color]:
            settle(state, seat, site)
        state.starting_sites[seat] = box.BEGINNER_STARRED[color]
        _deal_starting_cards(state, seat)
    state.first_seat = state.active = rng.index(state.seats) if start == "auto" else int(start)
    state.agenda.then(states.StartTurn())


def _lay_out_advanced(state: State, start: str) -> None:
    """N2.5, N2.6, N2.9: draw the start player; place in turn order, then in reverse; the start player begins."""
    state.first_seat = state.active = draw_start_player(state) if start == "auto" else int(start)
    shuffle_deck(state)
    state.agenda.then(*placement_order(state), states.FinishSetup(), states.StartTurn())


def draw_start_player(state: State) -> Seat:
    """N2.5: the highest number starts, a robber knight counts 0; tied seats draw again."""
    tied = list(range(state.seats))
    while len(tied) > 1:
        if len(state.deck) < len(tied):
            shuffle_deck(state)
        drawn = [box.CARD_NUMBERS[state.deck.pop(0)] for _ in tied]
        tied = [seat for seat, number in zip(tied, drawn, strict=True) if number == max(drawn)]
    return tied[0]


def placement_order(state: State) -> tuple[states.AskPlacement, ...]:
    """N2.6: once around from the start player, then back, so that the last places twice running."""
    order = in_turn_order(state, state.first_seat)
    return (
        *(states.AskPlacement(seat, is_second=False) for seat in order),
        *(states.AskPlacement(seat, is_second=True) for seat in reversed(order)),
    )


def lay_bar(state: State, seat: Seat, road: int) -> int:
    """N5.3: bars fill a road from the city outward, whatever their owners; return the segment's number on the road."""
    segment = state.bar_counts[road]
    state.bar_owners[box.ROAD_STARTS[road] + segment] = seat
    state.bar_counts[road] += 1
    state.bars[seat * box.ROAD_COUNT + road] += 1
    return segment + 1


def settle(state: State, seat: Seat, site: int) -> None:
    """N1.1: put one of the seat's settlements on a site."""
    state.site_owners[site] = seat
    state.settlements[seat] += 1


def is_site_free(state: State, site: int) -> bool:
    """N5.4: nobody's settlement stands on the crossing or next to it on the same road."""
    owners = state.site_owners
    return all(owners[near] == box.NOBODY for near in box.SITE_NEIGHBOURS[site])


def check_site(state: State, road: object, crossing: object) -> None:
    """N5.4: the crossing is a site and keeps its distance; crossing 0 is none."""
    if not is_index(road, box.ROAD_COUNT):
        raise IllegalActionError("N5.4", f"there is no road {road!r}; expected 0 to {box.ROAD_COUNT - 1}")
    assert isinstance(road, int)
    length = box.ROAD_LENGTHS[road]
    if not is_index(crossing, length + 1) or crossing == 0:
        raise IllegalActionError("N5.4", f"crossing {crossing!r} is no site; expected 1 to {length}")
    assert isinstance(crossing, int)
    site = box.ROAD_STARTS[road] + crossing - 1
    for near in box.SITE_NEIGHBOURS[site]:
        if state.site_owners[near] != box.NOBODY:
            where = "is occupied" if near == site else f"is next to the settlement on {box.site_name(near)}"
            raise IllegalActionError("N5.4", f"{box.site_name(site)} {where}")


def placement_options(state: State, step: states.AskPlacement, seat: Seat) -> list[Action]:
    """N9 setup_place: all legal crossings in canonical order."""
    return [
        PLACEMENTS[site]
        for road in range(box.ROAD_COUNT)
        if state.bar_counts[road] < box.ROAD_LENGTHS[road]
        for site in box.ROAD_SITES[road]
        if is_site_free(state, site)
    ]


def check_placement(state: State, step: states.AskPlacement, seat: Seat, action: Action) -> None:
    """N2.6: the road has a free segment and the distance rule holds."""
    if not isinstance(action, PlaceSettlement):
        raise IllegalActionError("N2.6", "expected PlaceSettlement")
    check_site(state, action.road, action.crossing)
    if state.bar_counts[action.road] == box.ROAD_LENGTHS[action.road]:
        raise IllegalActionError("N2.6", f"road {Road(action.road).name} has no free segment for the toll bar")


def resolve_placement(
    state: State, step: states.AskPlacement, choices: Mapping[Seat, Action], events: list[Event]
) -> None:
    """N2.6: the bar goes on the lowest free segment, the settlement on the site, at no cost."""
    action = choices[step.seat]
    assert isinstance(action, PlaceSettlement)
    state.agenda.done()
    site = box.ROAD_STARTS[action.road] + action.crossing - 1
    segment = lay_bar(state, step.seat, action.road)
    settle(state, step.seat, site)
    if step.is_second:
        state.starting_sites[step.seat] = site
    events.append(SettlementPlaced(step.seat, Road(action.road), action.crossing, segment))


def finish_setup(state: State, events: list[Event]) -> bool:
    """N2.7, N2.8: cards for the second settlement; then each road's card to most bars, a tie to the lowest segment.

    N2.10: no victory check happens here.
    """
    state.agenda.done()
    for seat in in_turn_order(state, state.first_seat):
        _deal_starting_cards(state, seat)
        events.append(StartingCardsTaken(seat, box.SITE_CARDS[state.starting_sites[seat]]))
    for road in range(box.ROAD_COUNT):
        owners = [state.bar_owners[segment] for segment in box.ROAD_SITES[road][: state.bar_counts[road]]]
        if owners:
            # The first of the tied owners along the road has the lowest segment among them.
            holder = max(owners, key=owners.count)
            state.wayrights[road] = holder
            events.append(WayrightTaken(holder, Road(road), None))
    return True


def _deal_starting_cards(state: State, seat: Seat) -> None:
    for kind, amount in enumerate(box.SITE_CARDS[state.starting_sites[seat]]):
        state.bank[kind] -= amount
        state.hands[seat * box.COMMODITY_COUNT + kind] += amount
