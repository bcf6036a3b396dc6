"""F13: a full state that fits what one seat may know, everything else dealt at random."""

from __future__ import annotations

from typing import Annotated

from referee.game import Seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.components import (
    ADVANCED_SET,
    BASIC_SET,
    CARD_COUNT,
    GOOD_COUNT,
    MAX_PLAYERS,
    MIN_PLAYERS,
    SETUP_KEEP_ADVANCED,
    Card,
)
from referee.games.furstenfeld.rounds import begin_turn, begin_turns
from referee.games.furstenfeld.setup import lay_cards
from referee.games.furstenfeld.state import (
    ASK_SETUP_BOTTOM,
    START_ROUND,
    State,
    Step,
    clone,
    do_next,
)
from referee.games.furstenfeld.variant import Variant
from referee.games.furstenfeld.view import Estate, Question, View
from referee.rng import Rng
from referee.rows import Dice, Int, Smalls, copy_part, put, shuffle_part, sort_part


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """F13.2, F13.3: shuffle the unknown part of the seat's own deck, and all the hidden cards of every other seat."""
    _refuse_forged(view)
    world = State(
        seats=len(view.estates),
        is_advanced=int(view.variant is Variant.ADVANCED),
        round_number=view.round_number,
        turn_order=view.turn_order,
        demand=view.demands,
        placed=view.placed_goods,
        prices=view.prices,
        palace_parts=sum([box.IS_PALACE[card.value] for estate in view.estates for card in estate.lots]),
        sale_brewery=view.sale_brewery or 0,
        sale_count=len(view.sale_amounts),
        sale_amounts=view.sale_amounts,
        money=[estate.money for estate in view.estates],
        income=[estate.income for estate in view.estates],
        marker=[estate.marker for estate in view.estates],
        goods=[count for estate in view.estates for count in estate.goods],
        lots=[card.value for estate in view.estates for card in estate.lots],
        unseen=[estate.unseen_count for estate in view.estates],
    )
    for owner, estate in enumerate(view.estates):
        if owner == seat:
            _deal_own(world, view, owner, estate, rng)
        else:
            _deal_other(world, view, owner, estate, rng)
    _lay_agenda(world, view)
    return world


def determinize(state: State, seat: Int, rng: Rng) -> State:
    """F13.2, F13.3: what `imagine` makes of the seat's view, with the same dice."""
    world = clone(state)
    dice = Dice()
    dice.word = rng.word
    for owner in range(world.seats):
        if owner == seat:
            first = owner * CARD_COUNT
            sort_part(world.deck, first, first + world.unseen[owner])
            shuffle_part(world.deck, first, first + world.unseen[owner], dice)
        else:
            deal_hidden(world, owner, dice)
    rng.word = dice.word
    return world


def deal_hidden(world: State, seat: Int, dice: Dice) -> None:
    """F13.1: deal again what of a seat's set does not lie open: its hand, its deck and the scrapped cards."""
    hidden: Annotated[Smalls, CARD_COUNT] = [0] * CARD_COUNT
    first = seat * CARD_COUNT
    in_hand = world.hand_count[seat]
    in_deck = in_hand + world.deck_count[seat]
    count = in_deck + world.scrapped_count[seat]
    copy_part(world.hand, first, first + in_hand, hidden, 0)
    copy_part(world.deck, first, first + in_deck - in_hand, hidden, in_hand)
    copy_part(world.scrapped, first, first + count - in_deck, hidden, in_deck)
    sort_part(hidden, 0, count)
    shuffle_part(hidden, 0, count, dice)
    sort_part(hidden, 0, in_hand)
    copy_part(hidden, 0, in_hand, world.hand, first)
    copy_part(hidden, in_hand, in_deck, world.deck, first)
    copy_part(hidden, in_deck, count, world.scrapped, first)


def redraw(state: State, rng: Rng) -> State:
    """F13.2: shuffle the part of every deck that its owner has never seen."""
    world = clone(state)
    dice = Dice()
    dice.word = rng.word
    for seat in range(world.seats):
        first: Int = seat * CARD_COUNT
        shuffle_part(world.deck, first, first + world.unseen[seat], dice)
    rng.word = dice.word
    return world


def _numbers(cards: tuple[Card, ...]) -> list[int]:
    return [card.value for card in cards]


def _deal_own(world: State, view: View, seat: Int, estate: Estate, rng: Rng) -> None:
    unseen = _numbers(view.unseen_cards)
    rng.shuffle(unseen)
    deck = unseen + _numbers(view.tail_cards)
    _lay_all(world, seat, estate, _numbers(view.hand_cards), deck, _numbers(view.scrapped_cards))


def _deal_other(world: State, view: View, seat: Int, estate: Estate, rng: Rng) -> None:
    """F13.1: whatever does not lie open is in the hand, the deck or among the scrapped cards."""
    everything = BASIC_SET if view.variant is Variant.BASIC else ADVANCED_SET
    open_cards = [card.value for card in (*estate.lots, *estate.covered_cards) if card.value <= CARD_COUNT]
    hidden = [card for card in everything if card not in open_cards]
    rng.shuffle(hidden)
    in_hand, in_deck = estate.hand_count, estate.hand_count + estate.deck_count
    _lay_all(world, seat, estate, sorted(hidden[:in_hand]), hidden[in_hand:in_deck], hidden[in_deck:])


def _lay_all(world: State, seat: Int, estate: Estate, hand: list[int], deck: list[int], scrapped: list[int]) -> None:
    """F14.1: give a seat its cards, which are those of its whole set."""
    covered = _numbers(estate.covered_cards)
    built = [card.value for card in estate.lots if card.value <= CARD_COUNT]
    whole_set = ADVANCED_SET if world.is_advanced else BASIC_SET
    if sorted([*hand, *deck, *scrapped, *covered, *built]) != [*whole_set]:
        raise ValueError(f"seat {seat} has not each card of its set once, as only a forged view could say")
    lay_cards(world, seat, hand, deck)
    world.covered_count[seat], world.scrapped_count[seat] = len(covered), len(scrapped)
    put(world.covered, covered, seat * CARD_COUNT)
    put(world.scrapped, scrapped, seat * CARD_COUNT)


def _lay_agenda(world: State, view: View) -> None:
    """F3.3: the decision that is asked, the rest of this turn, and the turns after it.

    F6, F7, F8: building and scrapping count what they have done already.
    """
    if view.question is None:
        return
    if view.question is Question.SETUP_BOTTOM:
        do_next(world, START_ROUND)
        do_next(world, ASK_SETUP_BOTTOM)
        return
    seat, asked = view.asked_seats[0], view.question.value
    begin_turns(world, view.turn_order.index(seat) + 1)
    begin_turn(world, seat)
    while world.agenda_count and world.agenda[world.agenda_count - 1] <= asked:
        world.agenda_count -= 1
    do_next(world, Step(asked), seat, view.built_count + view.scrapped_count)


def _refuse_forged(view: View) -> None:
    """Refuse what no seat can have seen and the rules could not play on, since they trust their numbers."""
    seats = len(view.estates)
    hands = [estate.hand_count for estate in view.estates]
    if seats not in range(MIN_PLAYERS, MAX_PLAYERS + 1) or sorted(view.turn_order) != list(range(seats)):
        raise ValueError(f"the turn order {view.turn_order} is not one of {seats} seats")
    if any(estate.unseen_count > estate.deck_count for estate in view.estates):
        raise ValueError("a seat has not drawn more cards than its deck has")
    if view.question is Question.SETUP_BOTTOM and (min(hands) < max(hands) or min(hands) <= SETUP_KEEP_ADVANCED):
        raise ValueError(f"in the set-up all seats hold the same number of cards, not {hands}")
    is_turn = view.question not in (None, Question.SETUP_BOTTOM)
    if is_turn and (len(view.asked_seats) != 1 or view.asked_seats[0] not in range(seats)):
        raise ValueError(f"in a turn one seat is asked, not {list(view.asked_seats)}")
    if (view.sale_brewery is not None) != (view.question in (Question.SELL_AMOUNT, Question.OFFICE_BONUS)):
        raise ValueError(f"a sale has a brewery, not {view.sale_brewery}")
    chosen = len(view.sale_amounts)
    if view.question is Question.SELL_AMOUNT and chosen >= GOOD_COUNT:
        raise ValueError("all amounts of the sale are chosen")
    if view.question is Question.OFFICE_BONUS and chosen != GOOD_COUNT:
        raise ValueError("not all amounts of the sale are chosen")
    owned = view.estates[view.asked_seats[0]].goods if is_turn else ()
    if any(sold > most for sold, most in zip(view.sale_amounts, owned, strict=False)):
        raise ValueError("more goods are sold than owned")
