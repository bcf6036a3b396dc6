"""F3, F4, F5, F9: the course of a round, drawing, harvest and the prices at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.furstenfeld.actions import CHOOSE_NONE, STOP, BuildCard, PutUnderDeck, StoreGoods
from referee.games.furstenfeld.components import CARDS, Card
from referee.games.furstenfeld.events import CardsDrawn, Event, GoodsHarvested, PricesAdjusted, RoundStarted
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.rounds import advance, draw, harvest, next_turn_order
from referee.games.furstenfeld.state import ASK_BUILD, ASK_STORE
from tests.rules.furstenfeld.builders import (
    asked,
    choose,
    end_of_round,
    furnish,
    new_game,
    order_of,
    placed_at,
    play_defaults,
    players,
    prices_at,
    set_brewery,
    set_order,
    told,
    turn_at,
)


def drawn(player: Any) -> CardsDrawn:
    """Let a seat draw its cards."""
    (event,) = told(draw, player.state, player.seat)
    assert isinstance(event, CardsDrawn)
    return event


def test_W1_F5_1_every_seat_owns_one_of_each_good_in_round_one() -> None:
    assert [player.goods for player in players(new_game(seats=5))] == [[1, 1, 1]] * 5


def test_F3_1_F3_2_F3_3_seats_play_selling_building_and_discarding_one_after_the_other() -> None:
    state = new_game(seats=2)
    first, second = order_of(state)
    kinds = []
    while state.round_number == 1:
        kinds.append(asked(state))
        (decision,) = GAME.pending(state)
        GAME.apply(state, {decision.seat: GAME.default_action(state, decision.seat)})
    one_turn = ["brewery", *["sell_amount"] * 3, "build", *["discard"] * 5, "store"]
    assert kinds == [(first, kind) for kind in one_turn] + [(second, kind) for kind in one_turn]


def test_F3_4_F9_4_prices_are_adjusted_once_after_the_last_seat_and_the_next_round_begins() -> None:
    state = new_game(seats=2)
    events: Sequence[Event] = []
    while state.round_number == 1:
        (decision,) = GAME.pending(state)
        events = GAME.apply(state, {decision.seat: GAME.default_action(state, decision.seat)})
    kinds = [type(event) for event in events[1:]]
    assert kinds == [PricesAdjusted, RoundStarted, CardsDrawn, CardsDrawn, GoodsHarvested, GoodsHarvested]
    assert events[2] == RoundStarted(2, order_of(state))


def test_the_income_of_a_round_is_forgotten_when_the_next_begins() -> None:
    state = new_game(seats=2)
    play_defaults(state, until_round=2)
    assert [player.marker for player in players(state)] == [3, 3]
    assert [player.income for player in players(state)] == [0, 0]


def test_W11_F3_5_F3_6_lower_markers_first_and_the_later_one_on_top_of_a_stack() -> None:
    state = new_game(seats=3)
    set_order(state, (2, 0, 1))
    for seat, marker in ((2, 5), (0, 5), (1, 3)):
        players(state)[seat].marker = marker
    next_turn_order(state)
    assert order_of(state) == (1, 0, 2)


def test_F3_6_a_stack_of_four_is_turned_over() -> None:
    state = new_game(seats=4)
    set_order(state, (3, 1, 0, 2))
    for player in players(state):
        player.marker = 4
    next_turn_order(state)
    assert order_of(state) == (2, 0, 1, 3)


def test_F3_7_the_order_of_a_round_follows_the_markers_of_the_round_before() -> None:
    state = new_game(seats=3)
    order = order_of(state)
    for place, seat in enumerate(order):
        furnish(state, seat, lots={1: (Card.BANK_2, Card.BANK_1, Card.CRANE)[place]})
    choose(state, CHOOSE_NONE, STOP, StoreGoods(0, 0, 0))
    choose(state, CHOOSE_NONE, STOP, StoreGoods(0, 0, 0))
    choose(state, CHOOSE_NONE, STOP, StoreGoods(0, 0, 0))
    assert order_of(state) == tuple(reversed(order))


def test_F3_8_a_card_acts_from_its_building_to_its_covering() -> None:
    """A town hall built now counts in this phase 5; covered by the second card it no longer does."""
    state = new_game(seats=2)
    seat = order_of(state)[0]
    furnish(state, seat, money=20, hand=[Card.TOWN_HALL_2, Card.CRANE, Card.BANK_1, Card.BANK_2])
    turn_at(state, ASK_BUILD, seat, 0)
    choose(state, BuildCard(Card.TOWN_HALL_2, 1))
    covered = GAME.clone(state)
    choose(state, STOP)
    assert STOP in GAME.legal_actions(state, seat)
    choose(covered, BuildCard(Card.CRANE, 1))
    assert STOP not in GAME.legal_actions(covered, seat)


def test_F3_9_W23_F4_1_F10_4_both_laboratories_draw_six() -> None:
    state = new_game()
    player = furnish(state, 0, lots={1: Card.LABORATORY_1, 2: Card.LABORATORY_2}, deck_count=10)
    player.deck.reverse()
    top = player.deck[:6]
    event = drawn(player)
    assert event == CardsDrawn(0, 6, tuple(CARDS[card] for card in sorted(top)))
    assert player.hand == sorted(top)
    assert len(player.deck) == 4


def test_F4_1_one_laboratory_draws_one_or_two_more() -> None:
    for card, count in ((Card.LABORATORY_1, 4), (Card.LABORATORY_2, 5)):
        player = furnish(new_game(), 0, lots={1: card})
        assert drawn(player).count == count


def test_F4_3_drawing_is_never_asked() -> None:
    state = new_game()
    play_defaults(state, until_round=2)
    assert asked(state)[1] == "brewery"


def test_F4_4_a_short_deck_gives_what_it_has() -> None:
    player = furnish(new_game(), 0, deck_count=2)
    assert drawn(player).count == 2
    assert drawn(player) == CardsDrawn(0, 0, ())
    assert player.deck == []


def test_F4_4_cards_put_under_the_deck_are_drawn_again_in_their_order() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[0]
    hand = [Card.BANK_2, Card.CRANE, Card.MARKET]
    player = furnish(state, seat, hand=hand, deck_count=1)
    last = CARDS[player.deck[0]]
    turn_at(state, ASK_BUILD, seat, 0)
    choose(state, STOP, PutUnderDeck(Card.MARKET), PutUnderDeck(Card.BANK_2))
    assert player.deck == [last.value, Card.MARKET.value, Card.BANK_2.value]
    assert player.unseen == 1
    player.deck.append(Card.PALACE_1.value)
    drawn(player)
    assert player.hand == sorted(card.value for card in (*hand, last))
    assert (player.deck, player.unseen) == ([Card.PALACE_1.value], 0)


def test_F5_1_F10_1_every_visible_field_produces_and_joins_what_is_stored() -> None:
    lots = {1: Card.FIELD_HOPS_4, 2: Card.FIELD_HOPS_2, 4: Card.FIELD_BARLEY_3}
    player = furnish(new_game(), 0, goods=(0, 2, 1), lots=lots)
    assert told(harvest, player.state, 0) == [GoodsHarvested(0, 6, 4, 1)]
    assert player.goods == [6, 6, 2]


def test_W24_F5_2_a_covered_field_produces_nothing_from_the_next_round_on() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[1]
    player = furnish(state, seat, money=8, goods=(1, 4, 1), lots={1: Card.FIELD_BARLEY_3}, hand=[Card.PALACE_2])
    turn_at(state, ASK_BUILD, seat, 0)
    assert player.goods == [1, 4, 1], "harvested in this round, and still there to sell"
    choose(state, BuildCard(Card.PALACE_2, 1), STOP, StoreGoods(0, 0, 0))
    assert player.goods == [1, 1, 1]
    assert player.covered == [Card.FIELD_BARLEY_3.value]


def test_F5_2_a_field_built_now_first_produces_in_the_next_round() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[1]
    player = furnish(state, seat, money=6, hand=[Card.FIELD_WATER_2])
    turn_at(state, ASK_BUILD, seat, 0)
    choose(state, BuildCard(Card.FIELD_WATER_2, 1))
    assert player.goods == [0, 0, 0]
    choose(state, STOP, StoreGoods(0, 0, 0))
    assert player.goods == [1, 1, 3]


def test_W6_F9_1_F9_2_prices_rise_by_the_empty_spaces_and_the_goods_go() -> None:
    state = new_game(seats=2)
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 1), placed=(0, 1, 2))
    end_of_round(state)
    told(advance, state)
    assert prices_at(state, 1) == (2, 3, 1)
    assert placed_at(state, 1) == (0, 0, 0)


def test_W7_F9_1_no_price_rises_above_3() -> None:
    state = new_game(seats=2)
    set_brewery(state, 2, demand=(3, 1, 2), prices=(2, 3, 0))
    end_of_round(state)
    told(advance, state)
    assert prices_at(state, 2) == (3, 3, 2)


def test_F9_3_a_price_of_0_with_full_demand_stays_0_and_recovers_a_round_later() -> None:
    state = new_game(seats=2)
    set_brewery(state, 1, demand=(3, 1, 2), prices=(0, 0, 0), placed=(3, 1, 2))
    end_of_round(state)
    told(advance, state)
    assert prices_at(state, 1) == (0, 0, 0)
    end_of_round(state)
    told(advance, state)
    assert prices_at(state, 1) == (3, 1, 2)


def test_W9_one_card_built_four_put_down_one_kept() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[1]
    hand = [Card.CRANE, Card.MARKET, Card.BANK_1, Card.BANK_2, Card.PALACE_1, Card.PALACE_2]
    player = furnish(state, seat, money=5, hand=hand)
    assert len(player.deck) == 20
    turn_at(state, ASK_BUILD, seat, 0)
    choose(state, BuildCard(Card.CRANE, 1), STOP)
    choose(state, *(PutUnderDeck(card) for card in (Card.BANK_1, Card.BANK_2, Card.PALACE_1, Card.PALACE_2)))
    assert asked(state) == (seat, "store")
    assert (len(player.hand), len(player.deck)) == (1, 24)
    choose(state, StoreGoods(0, 0, 0))
    assert state.round_number == 2
    assert (len(player.hand), len(player.deck)) == (4, 21)


def test_W16_stored_goods_are_there_in_the_next_round() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[1]
    player = furnish(state, seat, goods=(2, 1, 1), lots={1: Card.WAREHOUSE})
    turn_at(state, ASK_STORE, seat)
    choose(state, StoreGoods(2, 0, 1))
    assert state.round_number == 2
    assert player.goods == [3, 1, 2]
