"""F1 and F2: the box, the options and the set-up."""

from __future__ import annotations

from itertools import permutations

import pytest

from referee.game import IllegalActionError
from referee.games.furstenfeld.actions import STOP, ChooseBrewery, PutUnderDeck
from referee.games.furstenfeld.components import (
    ADVANCED_SET,
    BASIC_SET,
    CARDS,
    COST_OF,
    DATA,
    DEMAND_CARDS,
    GOODS,
    HARVEST_OF,
    PALACE_PRICES,
    PRICE_MAX,
    PRICE_MIN,
    Card,
    Good,
)
from referee.games.furstenfeld.events import CardPutUnder
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import State
from referee.games.furstenfeld.variant import Variant
from tests.rules.furstenfeld.builders import BOARD, demand_of, new_game, order_of, placed_of, players, prices_of


def bottom_lowest(state: State) -> None:
    GAME.apply(state, {d.seat: GAME.default_action(state, d.seat) for d in GAME.pending(state)})


def test_F1_1_the_box_holds_five_sets_and_what_else_is_printed() -> None:
    assert len(ADVANCED_SET) * len(DATA["player"]) == 140
    assert len(DEMAND_CARDS) == 7
    assert len(DATA["brewery"]) == 5
    assert DATA["resources"]["tokens_each"] * len(GOODS) == 75
    assert DATA["coins"]["ones"] + DATA["coins"]["fives"] == 60


def test_F1_2_goods_have_one_canonical_order() -> None:
    assert GOODS == (Good.HOPS, Good.BARLEY, Good.WATER)


def test_F1_4_five_breweries_are_named_from_left_to_right() -> None:
    assert [brewery["id"] for brewery in DATA["brewery"]] == [1, 2, 3, 4, 5]
    assert [GAME.describe(ChooseBrewery(number)) for number in (1, 5)] == [
        "Sell to brewery 1 (Draakenfels)",
        "Sell to brewery 5 (Schlüsselbräu)",
    ]


def test_F1_5_the_demand_cards_are_all_permutations_of_1_2_3_and_three_twos() -> None:
    assert sorted(DEMAND_CARDS) == sorted([*permutations((1, 2, 3)), (2, 2, 2)])


def test_F1_6_prices_run_from_0_to_3() -> None:
    assert (PRICE_MIN, PRICE_MAX) == (0, 3)


def test_F1_7_F1_8_a_new_board_has_three_empty_lots_above_three_printed_fields() -> None:
    for player in players(new_game()):
        assert tuple(CARDS[shown] for shown in player.lots) == BOARD


def test_F1_9_the_two_extra_cards_belong_to_the_advanced_game() -> None:
    assert len(BASIC_SET) == 26
    assert set(ADVANCED_SET) - set(BASIC_SET) == {Card.TOUR_GUIDE.value, Card.RAG_COLLECTOR.value}


def test_F1_10_there_are_three_fields_of_2_3_and_4_for_each_good() -> None:
    fields = [HARVEST_OF[card] for card in BASIC_SET if any(HARVEST_OF[card])]
    assert fields == [(2, 0, 0), (3, 0, 0), (4, 0, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0), (0, 0, 2), (0, 0, 3), (0, 0, 4)]


def test_F1_11_no_field_can_be_paid_in_round_one_but_crane_and_warehouse_can() -> None:
    assert all(COST_OF[card] >= 6 for card in BASIC_SET if any(HARVEST_OF[card]))
    assert COST_OF[Card.CRANE.value] <= 5
    assert COST_OF[Card.WAREHOUSE.value] == 4


def test_F1_12_palace_parts_cost_8_to_18() -> None:
    assert PALACE_PRICES == (8, 10, 12, 14, 16, 18)


def test_every_card_number_in_the_data_belongs_to_its_name() -> None:
    assert [(card["num"], card["id"]) for card in DATA["card"]] == [
        (card.value, card.name.lower()) for card in Card if card.value <= 28
    ]


def test_F2_1_the_game_is_basic_unless_told_otherwise() -> None:
    assert GAME.options({}).variant is Variant.BASIC
    assert GAME.options({"variant": "advanced"}).variant is Variant.ADVANCED


@pytest.mark.parametrize(("bad", "named"), [({"variant": "expert"}, "variant"), ({"rounds": 4}, "rounds")])
def test_F2_1_bad_options_are_refused_by_name(bad: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        GAME.options(bad)


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_only_two_to_five_seats_can_play(seats: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        GAME.new(seats, 1, GAME.options({}))


def test_F2_2_every_seat_starts_with_two_coins_and_its_own_shuffle() -> None:
    state = new_game(seats=5)
    assert [player.money for player in players(state)] == [2] * 5
    assert len({tuple(player.deck) for player in players(state)}) == 5


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_F2_3_F2_4_as_many_breweries_open_as_there_are_seats_with_all_prices_at_1(seats: int) -> None:
    state = new_game(seats=seats)
    drawn = [tuple(demand_of(state)[at : at + 3]) for at in range(0, len(demand_of(state)), 3)]
    assert len(drawn) == seats
    assert len(set(drawn)) == seats
    assert set(drawn) <= set(DEMAND_CARDS)
    assert prices_of(state) == [1] * 3 * seats
    assert placed_of(state) == [0] * 3 * seats


def test_F2_5_the_first_turn_order_is_drawn() -> None:
    orders = {order_of(new_game(seats=3, seed=seed)) for seed in range(60)}
    assert orders == set(permutations(range(3)))
    state = new_game(seats=3, seed=5)
    assert GAME.pending(state)[0].seat == order_of(state)[0]


def test_F2_6_the_palace_price_starts_at_8_without_markers() -> None:
    view = GAME.observe(new_game(), None)
    assert (view.palace_price, view.palace_price_markers) == (8, 0)


def test_F2_7_F4_2_W9_a_basic_seat_draws_three_and_three_more_in_round_one() -> None:
    for player in players(new_game()):
        assert (len(player.hand), len(player.deck), player.unseen) == (6, 20, 20)


def test_F2_8_W20_an_advanced_seat_keeps_one_of_ten_and_knows_nine_below_eighteen() -> None:
    state = new_game(seats=3, variant="advanced")
    before = [player.deck[:] for player in players(state)]
    for _ in range(8):
        assert [(d.seat, d.kind) for d in GAME.pending(state)] == [(seat, "setup_bottom") for seat in range(3)]
        bottom_lowest(state)
    for seat, player in enumerate(players(state)):
        assert (len(player.hand), len(player.deck)) == (2, 26)
        assert player.deck[:18] == before[seat], "the unknown cards stay on top"
    bottom_lowest(state)
    for player in players(state):  # after phase 1 of round 1
        assert (len(player.hand), len(player.deck), player.unseen) == (4, 24, 15)
        assert player.deck[15:] == sorted(player.deck[15:]), "lowest card first was put down first"


def test_F2_8_setup_bottom_offers_the_hand_by_card_number_and_defaults_to_the_lowest() -> None:
    state = new_game(variant="advanced")
    hand = [CARDS[card] for card in players(state)[1].hand]
    assert list(GAME.legal_actions(state, 1)) == [PutUnderDeck(card) for card in hand]
    assert len(hand) == 10
    assert GAME.default_action(state, 1) == PutUnderDeck(hand[0])


def test_F2_8_only_cards_in_hand_go_under_the_deck() -> None:
    state = new_game(variant="advanced")
    elsewhere = CARDS[players(state)[0].deck[0]]
    for action in (PutUnderDeck(elsewhere), PutUnderDeck(Card.BARE_GROUND), STOP):
        with pytest.raises(IllegalActionError, match=r"F2\.8"):
            GAME.check(state, 0, action)


def test_F2_8_the_cards_put_down_are_told_to_their_owner_only() -> None:
    state = new_game(seats=2, variant="advanced")
    events = GAME.apply(state, {seat: GAME.legal_actions(state, seat)[3] for seat in (0, 1)})
    first = events[0]
    assert isinstance(first, CardPutUnder)
    assert first.card is not None
    assert GAME.witness(first, 0) == first
    assert GAME.witness(first, 1) == GAME.witness(first, None) == CardPutUnder(0, None)


def test_F2_9_one_seed_means_one_set_up() -> None:
    assert GAME.digest(new_game(seed=3)) == GAME.digest(new_game(seed=3))
    assert GAME.digest(new_game(seed=3)) != GAME.digest(new_game(seed=4))


def test_F2_9_every_seat_gets_each_card_on_top_equally_often() -> None:
    """A deck is shuffled fairly: over 2,600 decks every card lies on top about 100 times."""
    tops = [0] * 27
    for seed in range(1300):
        for player in players(new_game(seats=2, seed=seed)):
            tops[player.deck[0]] += 1
    assert min(tops[1:]) > 60
    assert max(tops[1:]) < 145
