"""N10: a full state behind what one seat sees, with everything hidden from it drawn at random.

A view comes from outside and may be forged. The declarations of its fields are checked where it comes in; here it is
refused if its fields together are no position at a table, because the rules trust their numbers and rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Annotated, Any

from referee.game import Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.bundles import Amounts, amounts_of, covers, unit_count
from referee.games.nuremberg.components import EventKind
from referee.games.nuremberg.council import best_candidate
from referee.games.nuremberg.setup import ask_placements
from referee.games.nuremberg.state import (
    ASK_COUNCIL_SWAP,
    ASK_DISCARDS,
    ASK_PICK,
    ASK_PLACEMENT,
    ASK_REPLY,
    ASK_ROBBER_MOVE,
    ASK_ROBBERY,
    FINISH_SETUP,
    GRANT_CHIPS,
    MAIN_PHASE,
    MAX_DRAWS,
    OFFER_FREE_WALL,
    SEATS,
    START_TURN,
    UNDECIDED,
    State,
    Step,
    clone,
    do_next,
    purse_of,
)
from referee.games.nuremberg.tables import FREE_WALL_PRICE
from referee.games.nuremberg.trading import note_reply
from referee.games.nuremberg.view import MAX_PRESTIGE, DecisionKind, View
from referee.rng import Rng
from referee.rows import Dice, Int, Smalls, index, next64, part, put, shuffle_part, sort_part

ONE_DECIDES = (DecisionKind.SETUP_PLACE, DecisionKind.TRADE_REPLY, DecisionKind.FREE_WALL, DecisionKind.COUNCIL_SWAP)
TRADE_DECISIONS = (DecisionKind.TRADE_REPLY, DecisionKind.TRADE_PICK)
SHUFFLED_AT = tuple([field for field, year in enumerate(box.YEARS) if year in box.RESHUFFLE_YEARS])


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """N10.2 to N10.5: guess the cards drawn unseen, shuffle the deck, start new chance."""
    _refuse_forged(view)
    seats = view.seat_count
    unseen = [card for card in range(box.CARD_COUNT) if card + 1 not in view.discards]
    rng.shuffle(unseen)
    discards = [card - 1 for card in view.discards]
    deck_word, card_word = Rng(rng.next64()).word, Rng(rng.next64()).word
    state = State(
        word=card_word,
        deck_word=deck_word,
        seats=seats,
        setup=int(view.setup),
        colors=[int(color) for color in view.colors],
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
        ending=UNDECIDED if view.ending is None else int(view.ending),
        drawn_count=len(discards),
        cards=[*discards, *unseen],
        bank=view.bank,
        bar_owners=view.bar_owners,
        bar_counts=_bar_counts(view),
        bars=_bars(view),
        site_owners=view.site_owners,
        starting_sites=view.starting_sites,
        settlements=[view.site_owners.count(owner) for owner in range(seats)],
        workshops=[
            sum([1 << corner for corner, owner in enumerate(view.corner_owners) if owner == holder])
            for holder in range(seats)
        ],
        wayrights=view.wayrights,
        council=view.council,
        prestige=view.prestiges,
    )
    _remember(state, view, rng)
    _lay_agenda(state, view)
    _refuse_debts(state, view)
    return state


def determinize(state: State, seat: Int, rng: Rng) -> State:
    """N10.2 to N10.5: what `imagine` makes of the seat's view, with the same dice."""
    world = clone(state)
    sort_part(world.cards, world.drawn_count, box.CARD_COUNT)
    shuffle_chance(world, rng)
    dice = Dice()
    dice.word = rng.word
    kinds: Annotated[Smalls, MAX_DRAWS] = [0] * MAX_DRAWS
    moved: Annotated[Smalls, SEATS * box.RESOURCE_COUNT] = [0] * (SEATS * box.RESOURCE_COUNT)
    guess_from(world, seat, 0, kinds, moved, dice, set())
    rng.word = dice.word
    carry_out_guesses(world, kinds)
    return world


def guess_from(world: State, seat: Int, at: Int, kinds: Smalls, moved: Smalls, dice: Dice, dead_ends: set[Any]) -> bool:
    """N8.4, N10.5: guess the kinds of the cards that the seat saw only from behind, from a draw on, as `imagine` does.

    `moved` is what the guesses so far add to the amounts that each seat truly held. False takes back the guess before.
    """
    if at == world.draw_count:
        return all_hold(world, moved)
    victim = world.draw_victims[at]
    taker = world.draw_takers[at]
    kinds[at] = world.draw_kinds[at]
    if not has_held(world.draw_victim_lows[at], moved, victim) or not has_held(world.draw_taker_lows[at], moved, taker):
        return False
    if seat in (victim, taker):
        return guess_from(world, seat, at + 1, kinds, moved, dice, dead_ends)
    here = (at, part(moved, 0, SEATS * box.RESOURCE_COUNT))
    if here in dead_ends:
        return False
    hand = world.draw_hands[at] + moved_cards(moved, victim)
    move_card(moved, taker, victim, world.draw_kinds[at])
    while hand:
        kind = kind_at(hand, index(dice, unit_count(Amounts(hand))))
        kinds[at] = kind
        move_card(moved, victim, taker, kind)
        if guess_from(world, seat, at + 1, kinds, moved, dice, dead_ends):
            return True
        move_card(moved, taker, victim, kind)
        hand &= ~(31 << 5 * kind)
    move_card(moved, victim, taker, world.draw_kinds[at])
    dead_ends.add(here)
    return False


def carry_out_guesses(world: State, kinds: Smalls) -> None:
    """N10.5: all hands, then and now, follow from the kinds of the cards drawn."""
    moved: Annotated[Smalls, SEATS * box.RESOURCE_COUNT] = [0] * (SEATS * box.RESOURCE_COUNT)
    for at in range(world.draw_count):
        victim = world.draw_victims[at]
        taker = world.draw_takers[at]
        world.draw_hands[at] += moved_cards(moved, victim)
        world.draw_victim_lows[at] += moved_cards(moved, victim)
        world.draw_taker_lows[at] += moved_cards(moved, taker)
        move_card(moved, taker, victim, world.draw_kinds[at])
        move_card(moved, victim, taker, kinds[at])
        world.draw_kinds[at] = kinds[at]
    for owner in range(world.seats):
        for kind in range(box.RESOURCE_COUNT):
            world.hands[owner * box.COMMODITY_COUNT + kind] += moved[owner * box.RESOURCE_COUNT + kind]
            world.lows[owner * box.COMMODITY_COUNT + kind] += moved[owner * box.RESOURCE_COUNT + kind]


def all_hold(world: State, moved: Smalls) -> bool:
    """N10.5: whether every seat would hold now what the table has seen in its hand."""
    for owner in range(world.seats):
        for kind in range(box.RESOURCE_COUNT):
            if world.lows[owner * box.COMMODITY_COUNT + kind] + moved[owner * box.RESOURCE_COUNT + kind] < 0:
                return False
    return True


def has_held(lows: Int, moved: Smalls, seat: Int) -> bool:
    """N10.5: whether a seat would still have held what the table has seen in its hand."""
    for kind in range(box.RESOURCE_COUNT):
        if (lows >> 5 * kind & 31) + moved[seat * box.RESOURCE_COUNT + kind] < 0:
            return False
    return True


def moved_cards(moved: Smalls, seat: Int) -> Int:
    """N10.5: what guesses add to a seat's five amounts, which are one number."""
    cards = 0
    for kind in range(box.RESOURCE_COUNT):
        cards += moved[seat * box.RESOURCE_COUNT + kind] * (1 << 5 * kind)
    return cards


def move_card(moved: Smalls, giver: Int, taker: Int, kind: Int) -> None:
    """N8.4: move one card from a seat to another."""
    moved[giver * box.RESOURCE_COUNT + kind] -= 1
    moved[taker * box.RESOURCE_COUNT + kind] += 1


def kind_at(hand: Int, position: Int) -> Int:
    """N8.4: the kind of the card at a position of a hand in canonical order."""
    kind = 0
    left = position
    while left >= (hand >> 5 * kind & 31):
        left -= hand >> 5 * kind & 31
        kind += 1
    return kind


def redraw(state: State, rng: Rng) -> State:
    """N10.4: a copy with another order of the event deck, and other shuffles and card draws to come."""
    world = clone(state)
    shuffle_chance(world, rng)
    return world


def shuffle_chance(world: State, rng: Rng) -> None:
    """N10.4: shuffle the event deck, and start new chance for later shuffles and card draws."""
    dice = Dice()
    dice.word = rng.word
    shuffle_part(world.cards, world.drawn_count, box.CARD_COUNT, dice)
    world.deck_word = next64(dice)
    world.word = next64(dice)
    rng.word = dice.word


def _remember(state: State, view: View, rng: Rng) -> None:
    """N10.5: guess the cards that the seat saw only from behind; all hands, then and now, follow from them."""
    kinds = _guess_draws(view, rng)
    unknown = [[0] * box.RESOURCE_COUNT for _ in view.golds]
    for at, (draw, kind) in enumerate(zip(view.card_draws, kinds, strict=True)):
        state.draw_victims[at] = draw.victim
        state.draw_takers[at] = draw.seat
        state.draw_kinds[at] = kind
        state.draw_hands[at] = _more(draw.victim_cards, unknown[draw.victim])
        state.draw_victim_lows[at] = _more(draw.victim_lows, unknown[draw.victim])
        state.draw_taker_lows[at] = _more(draw.seat_lows, unknown[draw.seat])
        if draw.resource is None:
            unknown[draw.victim][kind] -= 1
            unknown[draw.seat][kind] += 1
    state.draw_count = len(kinds)
    hands: list[int] = []
    lows: list[int] = []
    for seat, gold in enumerate(view.golds):
        cards = slice(seat * box.RESOURCE_COUNT, (seat + 1) * box.RESOURCE_COUNT)
        hands += [*map(add, view.counted_cards[cards], unknown[seat]), gold]
        lows += [*map(add, view.least_cards[cards], unknown[seat]), 0]
    for kind, stock in enumerate(view.bank):
        held = hands[kind :: box.COMMODITY_COUNT]
        most = box.GOLD_TOTAL if kind == box.GOLD else box.CARDS_EACH
        _refuse_unless(min(held) >= 0 and sum(held) + stock <= most, "a hand is less than empty, or more than the box")
    put(state.hands, hands)
    put(state.lows, lows)


def _more(amounts: Sequence[int], unknown: list[int]) -> int:
    """N10.5: five amounts with what unseen cards brought, as a number; less than none is only in a forged view."""
    cards = list(map(add, amounts, unknown))
    _refuse_unless(min(cards) >= 0 and max(cards) <= box.CARDS_EACH, f"a hand is of {cards} cards")
    return amounts_of(cards)


def _guess_draws(view: View, rng: Rng) -> list[int]:
    """N8.4: a kind for every drawn card, the unknown ones by chance as they were drawn, but none that cannot have been.

    A guess that makes some hand smaller than the table has seen it is taken back; `dead_ends` keeps what led there.
    """
    draws, least = view.card_draws, view.least_cards
    unknown = [0] * len(least)
    kinds: list[int] = []
    dead_ends: set[tuple[int, ...]] = set()

    def fits(base: int, lows: Sequence[int]) -> bool:
        return all(unknown[base + kind] + low >= 0 for kind, low in enumerate(lows))

    def guess(number: int) -> bool:
        if number == len(draws):
            return fits(0, least)
        draw = draws[number]
        given, taken = draw.victim * box.RESOURCE_COUNT, draw.seat * box.RESOURCE_COUNT
        if not fits(given, draw.victim_lows) or not fits(taken, draw.seat_lows):
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

    _refuse_unless(guess(0), "the cards drawn fit no hands")  # those of a true view fit at least its table
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


def _lay_agenda(state: State, view: View) -> None:
    """N9: put the steps that lead to the open decision on the agenda, the current one last."""
    if view.decision is None:
        return
    step = Step(int(view.decision))
    if step == ASK_PLACEMENT:
        do_next(state, START_TURN)
        do_next(state, FINISH_SETUP)
        ask_placements(state, sum([owner != box.NOBODY for owner in view.site_owners]))
        return
    do_next(state, MAIN_PHASE)
    if step in (OFFER_FREE_WALL, ASK_COUNCIL_SWAP):
        for seat in reversed(view.free_wall_seats):
            do_next(state, OFFER_FREE_WALL, seat)
    if step == ASK_COUNCIL_SWAP and view.chips_due:
        do_next(state, GRANT_CHIPS, view.active, view.chips_due)
    if step in (OFFER_FREE_WALL, ASK_COUNCIL_SWAP, ASK_REPLY):
        do_next(state, step, view.deciders[0])
    elif step == ASK_PICK:
        do_next(state, step)
    elif step in (ASK_DISCARDS, ASK_ROBBER_MOVE, ASK_ROBBERY):
        for later in (ASK_ROBBERY, ASK_ROBBER_MOVE):
            if later >= step:
                do_next(state, later)
        if step == ASK_DISCARDS:
            do_next(state, step, 0, sum([1 << seat for seat in view.deciders]))
    if view.trade is not None:
        state.trade_give = amounts_of(view.trade.give)
        state.trade_want = amounts_of(view.trade.want)
        for reply in view.trade.replies:
            note_reply(state, reply.seat, int(reply.kind), amounts_of(reply.give), amounts_of(reply.want))


def _refuse_unless(is_possible: bool, what: str) -> None:
    if not is_possible:
        raise ValueError(f"{what}, as only a forged view could say")


def _refuse_forged(view: View) -> None:
    """Refuse rows of another length, seats that are not at the table, and an impossible deck, trade or set-up."""
    seats = view.seat_count
    lengths = (
        (seats, (view.colors, view.golds, view.starting_sites, view.prestiges)),
        (seats * box.RESOURCE_COUNT, (view.counted_cards, view.least_cards)),
        (box.COMMODITY_COUNT, (view.bank,)),
        (box.SITE_COUNT, (view.site_owners, view.bar_owners)),
        (box.CORNER_COUNT, (view.corner_owners,)),
        (box.ROAD_COUNT, (view.wayrights,)),
        (len(box.COUNCIL_POINTS), (view.council,)),
        (box.RESOURCE_COUNT, [draw.victim_cards for draw in view.card_draws]),
        (box.RESOURCE_COUNT, [draw.victim_lows for draw in view.card_draws]),
        (box.RESOURCE_COUNT, [draw.seat_lows for draw in view.card_draws]),
    )
    for length, rows in lengths:
        _refuse_unless({*map(len, rows)} <= {length}, f"a row has not {length} numbers")
    owners = {*view.site_owners, *view.bar_owners, *view.corner_owners, *view.wayrights, *view.council}
    named = {view.first_seat, view.active, *view.deciders, *view.free_wall_seats}
    named |= {seat for draw in view.card_draws for seat in (draw.seat, draw.victim)}
    _refuse_unless(owners - {box.NOBODY} | named <= {*range(seats)}, "a seat is not at the table")
    _refuse_unless(len({*view.free_wall_seats}) == len(view.free_wall_seats), "a seat is offered two walls")
    _refuse_unless(len(view.deciders) == 1 or view.decision not in ONE_DECIDES, "not one seat is asked")
    _refuse_unless(sum(view.prestiges) + view.chips_due <= MAX_PRESTIGE, "there are more chips than can be earned")
    _refuse_forged_deck(view)
    _refuse_forged_trade(view)
    if view.decision == DecisionKind.SETUP_PLACE:
        _refuse_forged_placements(view)


def _refuse_forged_deck(view: View) -> None:
    """N8.1: the deck does not run out, because the cards of one pass move the time stone as far as it has come."""
    _refuse_unless(len({*view.discards}) == len(view.discards), "a card was drawn twice")
    field = box.YEARS.index(view.year)
    shuffled = field - [box.CARD_EVENTS[card - 1] for card in view.discards].count(EventKind.YEARS)
    last = max((reshuffle for reshuffle in SHUFFLED_AT if reshuffle <= field), default=0)
    _refuse_unless(shuffled == last, "the cards drawn have not brought this year")
    _refuse_unless(view.decision is None or view.year != box.FINAL_YEAR, "the game goes on after its end")


def _refuse_forged_trade(view: View) -> None:
    """N5.17: the opponents reply in turn order."""
    trade = view.trade
    _refuse_unless((trade is not None) == (view.decision in TRADE_DECISIONS), "a trade is open, or none, at a loss")
    if trade is None:
        return
    order = [(view.active + offset) % view.seat_count for offset in range(1, view.seat_count)]
    asked = list(view.deciders) if view.decision == DecisionKind.TRADE_REPLY else []
    replied = [reply.seat for reply in trade.replies]
    is_next = replied + asked == order[: len(replied) + 1]
    _refuse_unless(is_next and (bool(asked) or replied == order), "the replies are not in turn order")
    sides = [trade.give, trade.want, *[side for each in trade.replies if each.kind for side in (each.give, each.want)]]
    for side in sides:
        is_bundle = len(side) == box.COMMODITY_COUNT and min(side) >= 0 and 0 < sum(side) <= box.UNITS_PER_SIDE
        _refuse_unless(is_bundle, f"{list(side)} is one side of a trade")


def _refuse_forged_placements(view: View) -> None:
    """N2.6: every settlement was placed with a bar, and the second ones will pay from a full bank."""
    placed = sum([owner != box.NOBODY for owner in view.site_owners])
    _refuse_unless(placed < 2 * view.seat_count, "all settlements are placed")
    for road in range(box.ROAD_COUNT):
        part = slice(box.ROAD_STARTS[road], box.ROAD_STARTS[road] + box.ROAD_LENGTHS[road])
        settlements = sum([owner != box.NOBODY for owner in view.site_owners[part]])
        bars = sum([owner != box.NOBODY for owner in view.bar_owners[part]])
        _refuse_unless(settlements == bars, "a road has not one bar for each settlement")
    for place in range(view.seat_count, placed):
        seat = (view.first_seat + 2 * view.seat_count - 1 - place) % view.seat_count
        _refuse_unless(view.starting_sites[seat] >= 0, "a second settlement is nowhere")
    cards = {*view.bank[: box.RESOURCE_COUNT]}
    _refuse_unless(cards == {box.CARDS_EACH}, "cards are gone before the first are dealt")


def _refuse_debts(state: State, view: View) -> None:
    """Refuse a decision that nobody would be asked: about what he cannot pay or claim."""
    if view.decision == DecisionKind.FREE_WALL:
        can_pay = covers(purse_of(state, view.deciders[0]), FREE_WALL_PRICE)
        _refuse_unless(can_pay and view.walls < box.WALL_PLACES, "a seat is offered a wall that it cannot build")
    if view.decision == DecisionKind.COUNCIL_SWAP:
        _refuse_unless(best_candidate(state, view.deciders[0]) != box.NOBODY, "there is no council card to claim")
    for at in range(state.reply_count):
        replier: Int = state.reply_seats[at]
        if state.reply_kinds[at]:
            held = covers(purse_of(state, replier), Amounts(state.reply_wants[at]))
            _refuse_unless(held, "a seat offers what it does not hold")
