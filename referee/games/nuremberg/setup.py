"""N2: laying out the table, drawing the start player, and the free placement of the advanced game."""

from __future__ import annotations

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, PlaceSettlement, is_index
from referee.games.nuremberg.bundles import amounts_of
from referee.games.nuremberg.codes import (
    PLACE_SETTLEMENT,
    SETTLEMENT_PLACED,
    STARTING_CARDS_TAKEN,
    WAYRIGHT_TAKEN,
    Choice,
    argument_of,
    choice_of,
)
from referee.games.nuremberg.components import Color, Road
from referee.games.nuremberg.state import (
    ASK_PLACEMENT,
    FINISH_SETUP,
    START_TURN,
    Options,
    SetUp,
    State,
    do_next,
)
from referee.games.nuremberg.tables import (
    crossing_of,
    first_neighbour,
    first_site,
    last_neighbour,
    number_of_card,
    road_length,
    road_of,
    starting_cards,
)
from referee.rng import Rng, seeded
from referee.rows import Dice, Events, Int, Listing, index


def check_colors(options: Options) -> tuple[Color, ...]:
    """N2.1: the colours as listed, without repeats, orange optional; a ValueError names `colors`."""
    known = {color.name.lower(): color for color in Color}
    names = [name.strip() for name in options.colors.split(",")]
    listed_colors = tuple(known[name] for name in names if name in known)
    if len(listed_colors) != len(names) or sorted(listed_colors) not in (
        sorted(Color),
        sorted(box.THREE_PLAYER_COLORS),
    ):
        raise ValueError(f"colors: {options.colors!r} is not allowed; expected a permutation of {','.join(known)}")
    return listed_colors


def seat_colors(options: Options, seats: int) -> tuple[int, ...]:
    """N2.1, N2.4: the colour of each seat; three players leave orange out."""
    in_use = tuple(Color) if seats == len(Color) else box.THREE_PLAYER_COLORS
    kept = tuple(int(color) for color in check_colors(options) if color in in_use)
    if len(kept) != seats:
        raise ValueError(f"colors: {options.colors!r} names {len(kept)} colours; expected {seats}")
    return kept


def lay_out(seats: int, seed: int, options: Options) -> State:
    """N2.2: the table before the first step; whatever comes next stands on the agenda. What is not named here is 0.

    N8.4: chance is forked by purpose: the event deck, the first seat and the cards drawn from hands.
    """
    colors = seat_colors(options, seats)
    if options.start_player != "auto" and int(options.start_player) >= seats:
        raise ValueError(f"start_player: {options.start_player} is not allowed; expected auto or 0 to {seats - 1}")
    root = seeded(seed)
    state = State(
        word=root.fork("card_draws").word,
        deck_word=root.fork("event_deck").word,
        seats=seats,
        setup=int(options.setup),
        colors=colors,
        card=box.NOBODY,
        robber=box.CASTLE,
        bank=[box.CARDS_EACH] * box.RESOURCE_COUNT + [box.GOLD_TOTAL - box.START_GOLD * seats],
        hands=([0] * box.RESOURCE_COUNT + [box.START_GOLD]) * seats,
        bar_owners=[box.NOBODY] * box.SITE_COUNT,
        site_owners=[box.NOBODY] * box.SITE_COUNT,
        starting_sites=[box.NOBODY] * seats,
        wayrights=[box.NOBODY] * box.ROAD_COUNT,
        council=[box.NOBODY] * len(box.COUNCIL_POINTS),
    )
    shuffle_deck(state)
    if options.setup == SetUp.BEGINNER:
        _lay_out_beginner(state, options.start_player, root.fork("first_seat"))
    else:
        _lay_out_advanced(state, options.start_player)
    return state


def shuffle_deck(state: State) -> None:
    """N4.2, N8.4: all 36 cards, shuffled from their canonical order, are the new deck; the discard pile is empty."""
    dice = Dice(word=state.deck_word)
    for card in range(box.CARD_COUNT):
        state.cards[card] = card
    for last in range(box.CARD_COUNT - 1, 0, -1):
        other = index(dice, last + 1)
        card = state.cards[last]
        state.cards[last] = state.cards[other]
        state.cards[other] = card
    state.deck_word = dice.word
    state.drawn_count = 0


def draw_card(state: State) -> Int:
    """N3.2: take the top card of the deck, and discard it."""
    card = state.cards[state.drawn_count]
    state.drawn_count += 1
    return card


def _lay_out_beginner(state: State, start: str, rng: Rng) -> None:
    """N2.3, N2.4, N2.9: the printed positions by colour, and a random first seat."""
    seat_of = {state.colors[seat]: seat for seat in range(state.seats)}
    for road in Road:
        for owner in box.BEGINNER_BARS[road]:
            if owner in seat_of:
                lay_bar(state, seat_of[owner], road)
        holder = box.BEGINNER_WAYRIGHTS[road]
        state.wayrights[road] = seat_of.get(holder, box.NOBODY)
    for color, seat in seat_of.items():
        for site in box.BEGINNER_SETTLEMENTS[color]:
            settle(state, seat, site)
        state.starting_sites[seat] = box.BEGINNER_STARRED[color]
        _deal_starting_cards(state, seat)
    state.first_seat = state.active = rng.index(state.seats) if start == "auto" else int(start)
    do_next(state, START_TURN)


def _lay_out_advanced(state: State, start: str) -> None:
    """N2.5, N2.6, N2.9: draw the start player; place in turn order, then in reverse; the start player begins."""
    state.first_seat = state.active = draw_start_player(state) if start == "auto" else int(start)
    shuffle_deck(state)
    do_next(state, START_TURN)
    do_next(state, FINISH_SETUP)
    ask_placements(state, 0)


def draw_start_player(state: State) -> Seat:
    """N2.5: the highest number starts, a robber knight counts 0; tied seats draw again."""
    tied = list(range(state.seats))
    while len(tied) > 1:
        if box.CARD_COUNT - state.drawn_count < len(tied):
            shuffle_deck(state)
        drawn = [number_of_card(draw_card(state)) for _ in tied]
        tied = [seat for seat, number in zip(tied, drawn, strict=True) if number == max(drawn)]
    return tied[0]


def ask_placements(state: State, placed: Int) -> None:
    """N2.6: once around from the start player, then back, so that the last places twice running."""
    for place in range(2 * state.seats - 1, placed - 1, -1):
        is_second = place >= state.seats
        step = 2 * state.seats - 1 - place if is_second else place
        do_next(state, ASK_PLACEMENT, (state.first_seat + step) % state.seats, 1 if is_second else 0)


def lay_bar(state: State, seat: Int, road: Int) -> Int:
    """N5.3: bars fill a road from the city outward, whatever their owners; return the segment's number on the road."""
    segment = state.bar_counts[road]
    state.bar_owners[first_site(road) + segment] = seat
    state.bar_counts[road] += 1
    state.bars[seat * box.ROAD_COUNT + road] += 1
    return segment + 1


def settle(state: State, seat: Int, site: Int) -> None:
    """N1.1: put one of the seat's settlements on a site."""
    state.site_owners[site] = seat
    state.settlements[seat] += 1


def is_site_free(state: State, site: Int) -> bool:
    """N5.4: nobody's settlement stands on the crossing or next to it on the same road."""
    return (
        state.site_owners[site] == box.NOBODY
        and state.site_owners[first_neighbour(site)] == box.NOBODY
        and state.site_owners[last_neighbour(site)] == box.NOBODY
    )


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


def placement_options(state: State, listing: Listing) -> None:
    """N9 setup_place: all legal crossings in canonical order."""
    for road in range(box.ROAD_COUNT):
        if state.bar_counts[road] < road_length(road):
            for site in range(first_site(road), first_site(road + 1)):
                if is_site_free(state, site):
                    listing.add(choice_of(PLACE_SETTLEMENT, site))


def check_placement(state: State, action: Action) -> None:
    """N2.6: the road has a free segment and the distance rule holds."""
    if not isinstance(action, PlaceSettlement):
        raise IllegalActionError("N2.6", "expected PlaceSettlement")
    check_site(state, action.road, action.crossing)
    if state.bar_counts[action.road] == box.ROAD_LENGTHS[action.road]:
        raise IllegalActionError("N2.6", f"road {Road(action.road).name} has no free segment for the toll bar")


def resolve_placement(state: State, seat: Int, is_second: Int, choice: Choice, events: Events) -> None:
    """N2.6: the bar goes on the lowest free segment, the settlement on the site, at no cost."""
    site = argument_of(choice)
    segment = lay_bar(state, seat, road_of(site))
    settle(state, seat, site)
    if is_second:
        state.starting_sites[seat] = site
    events.tell(SETTLEMENT_PLACED, seat, road_of(site), crossing_of(site), segment)


def finish_setup(state: State, events: Events) -> None:
    """N2.7, N2.8: cards for the second settlement; then each road's card to most bars, a tie to the lowest segment.

    N2.10: no victory check happens here.
    """
    for offset in range(state.seats):
        seat = (state.first_seat + offset) % state.seats
        _deal_starting_cards(state, seat)
        events.tell(STARTING_CARDS_TAKEN, seat, amounts_of(box.SITE_CARDS[state.starting_sites[seat]]))
    for road in range(box.ROAD_COUNT):
        holder = first_holder(state, road)
        if holder != box.NOBODY:
            state.wayrights[road] = holder
            events.tell(WAYRIGHT_TAKEN, holder, road, box.NOBODY)


def first_holder(state: State, road: Int) -> Int:
    """N2.8: the seat with most bars on a road; the first of the tied along the road has the lowest segment of all."""
    holder = box.NOBODY
    most = 0
    for segment in range(first_site(road), first_site(road) + state.bar_counts[road]):
        owner = state.bar_owners[segment]
        if state.bars[owner * box.ROAD_COUNT + road] > most:
            most = state.bars[owner * box.ROAD_COUNT + road]
            holder = owner
    return holder


def _deal_starting_cards(state: State, seat: Int) -> None:
    for kind in range(box.RESOURCE_COUNT):
        amount = starting_cards(state.starting_sites[seat], kind)
        state.bank[kind] -= amount
        state.hands[seat * box.COMMODITY_COUNT + kind] += amount
