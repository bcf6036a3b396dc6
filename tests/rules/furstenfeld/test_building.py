"""F7: phase 4."""

from __future__ import annotations

import pytest

from referee.game import IllegalActionError
from referee.games.furstenfeld.actions import CHOOSE_NONE, STOP, Action, BuildCard, PutUnderDeck
from referee.games.furstenfeld.components import CARDS, Card
from referee.games.furstenfeld.events import BuildingStopped, CardBuilt, PalaceFinished, PalacePriceRaised
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import ASK_BUILD, State
from tests.rules.furstenfeld.builders import (
    PALACE,
    asked,
    choose,
    default,
    furnish,
    new_game,
    options,
    order_of,
    players,
    turn_at,
)


def building(seats: int = 3, variant: str = "basic", **things: object) -> tuple[State, int]:
    """Return a game in which the first seat, furnished like this, may build."""
    state = new_game(seats=seats, variant=variant)
    state.round_number = 1
    seat = order_of(state)[0]
    furnish(state, seat, **things)  # type: ignore[arg-type]  # keywords are passed through
    turn_at(state, ASK_BUILD, seat, 0)
    return state, seat


def refused(state: State, action: Action, clause: str) -> None:
    with pytest.raises(IllegalActionError) as error:
        GAME.check(state, asked(state)[0], action)
    assert error.value.clause == clause


def test_F7_1_options_are_stop_then_affordable_cards_by_number_and_lot() -> None:
    hand = [Card.MARKET, Card.TOWN_HALL_1, Card.BANK_1]
    state, _seat = building(money=4, hand=hand, lots={2: Card.PALACE_4})
    lots = (1, 3, 4, 5, 6)
    assert options(state) == [
        STOP,
        *(BuildCard(Card.TOWN_HALL_1, lot) for lot in lots),
        *(BuildCard(Card.MARKET, lot) for lot in lots),
    ]
    assert default(state) == STOP


def test_F7_1_at_most_two_cards_and_stop_ends_it() -> None:
    hand = [Card.MARKET, Card.TOWN_HALL_1, Card.MAGISTRATE]
    state, seat = building(money=20, hand=hand)
    stopped = GAME.clone(state)
    choose(state, BuildCard(Card.MARKET, 1))
    assert asked(state) == (seat, "build")
    choose(state, BuildCard(Card.TOWN_HALL_1, 2))
    assert asked(state) == (seat, "store"), "one card left: nothing to discard"
    assert choose(stopped, STOP) == [BuildingStopped(seat)]
    assert asked(stopped) == (seat, "discard")


def test_F7_2_F7_7_a_card_is_paid_laid_down_and_what_it_covers_is_out_of_the_game() -> None:
    state, seat = building(money=10, hand=[Card.BANK_1], lots={1: Card.MARKET})
    events = choose(state, BuildCard(Card.BANK_1, 1))
    player = players(state)[seat]
    assert events == [CardBuilt(seat, Card.BANK_1, 1, 8, Card.MARKET)]
    assert (player.money, player.hand, player.covered) == (2, [], [Card.MARKET.value])
    assert CARDS[player.lots[0]] is Card.BANK_1


def test_F7_6_F7_7_a_covered_printed_field_is_gone_but_no_card() -> None:
    state, seat = building(money=10, hand=[Card.BANK_1])
    events = choose(state, BuildCard(Card.BANK_1, 5))
    assert events == [CardBuilt(seat, Card.BANK_1, 5, 8, Card.PRINTED_BARLEY)]
    assert players(state)[seat].covered == []


def test_W12_F7_3_F7_4_F10_8_the_crane_makes_the_second_card_cheaper() -> None:
    state, seat = building(money=9, hand=[Card.CRANE, Card.FIELD_HOPS_2])
    first, second = choose(state, BuildCard(Card.CRANE, 1), BuildCard(Card.FIELD_HOPS_2, 2))
    assert isinstance(first, CardBuilt)
    assert isinstance(second, CardBuilt)
    assert (first.cost, second.cost) == (5, 4)
    assert players(state)[seat].money == 0


def test_W12_F7_4_a_card_on_top_of_the_crane_is_cheaper_the_next_is_not() -> None:
    state, seat = building(money=15, hand=[Card.BANK_1, Card.FIELD_WATER_3], lots={1: Card.CRANE})
    first, second = choose(state, BuildCard(Card.BANK_1, 1), BuildCard(Card.FIELD_WATER_3, 2))
    assert isinstance(first, CardBuilt)
    assert isinstance(second, CardBuilt)
    assert (first.cost, second.cost) == (6, 9)
    assert players(state)[seat].money == 0
    assert players(state)[seat].covered == [Card.CRANE.value]


def test_F7_4_the_crane_makes_palace_parts_cheaper_too() -> None:
    state, seat = building(money=6, hand=[Card.PALACE_3], lots={1: Card.CRANE})
    choose(state, BuildCard(Card.PALACE_3, 1))
    assert players(state)[seat].money == 0


def test_F7_5_there_is_no_credit() -> None:
    state, _seat = building(money=7, hand=[Card.BANK_1, Card.PALACE_1])
    assert options(state) == [STOP]
    refused(state, BuildCard(Card.BANK_1, 1), "F7.5")
    refused(state, BuildCard(Card.PALACE_1, 1), "F7.5")


def test_F7_2_only_cards_in_hand_are_built() -> None:
    state, _seat = building(money=20, hand=[Card.BANK_1])
    refused(state, BuildCard(Card.BANK_2, 1), "F7.2")
    refused(state, BuildCard(Card.BARE_GROUND, 1), "F7.2")
    refused(state, BuildCard(Card.TOUR_GUIDE, 1), "F7.2")


@pytest.mark.parametrize("lot", [0, -1, 7, 2**31 - 1])
def test_F1_7_there_are_six_lots(lot: int) -> None:
    state, _seat = building(money=20, hand=[Card.BANK_1])
    refused(state, BuildCard(Card.BANK_1, lot), "F1.7")


@pytest.mark.parametrize("action", [CHOOSE_NONE, PutUnderDeck(Card.BANK_1)])
def test_F7_1_other_actions_are_no_building(action: Action) -> None:
    state, _seat = building(money=20, hand=[Card.BANK_1])
    refused(state, action, "F7.1")


def test_F7_8_F10_5_a_palace_part_is_never_covered() -> None:
    state, _seat = building(money=20, hand=[Card.BANK_1, Card.PALACE_2], lots={3: Card.PALACE_1})
    refused(state, BuildCard(Card.BANK_1, 3), "F7.8")
    refused(state, BuildCard(Card.PALACE_2, 3), "F7.8")


def test_W8_F7_9_the_palace_price_rises_at_once() -> None:
    state, seat = building(money=18, hand=[Card.PALACE_1, Card.PALACE_5])
    furnish(state, order_of(state)[1], lots={1: Card.PALACE_1, 2: Card.PALACE_2})
    view = GAME.observe(state, seat)
    assert (view.palace_price, view.palace_price_markers) == (8, 2)
    events = choose(state, BuildCard(Card.PALACE_1, 4), BuildCard(Card.PALACE_5, 1))
    assert [event.cost for event in events if isinstance(event, CardBuilt)] == [8, 10]
    assert PalacePriceRaised(10) in events
    assert players(state)[seat].money == 0
    view = GAME.observe(state, seat)
    assert (view.palace_price, view.palace_price_markers) == (10, 1)
    assert state.palace_parts == 4


def test_F7_10_after_the_last_part_of_the_last_seat_there_is_no_price() -> None:
    state, seat = building(seats=2, money=18, hand=[Card.PALACE_6], lots=dict(enumerate(PALACE[:5], start=1)))
    furnish(state, order_of(state)[1], lots=dict(enumerate(PALACE, start=1)))
    events = choose(state, BuildCard(Card.PALACE_6, 6))
    assert events[0] == CardBuilt(seat, Card.PALACE_6, 6, 18, Card.PRINTED_WATER)
    assert events[1:] == [PalacePriceRaised(None), PalaceFinished(seat)]
    assert GAME.observe(state, seat).palace_price is None
    assert options(state) == [STOP]


def test_W21_F7_11_in_the_advanced_game_a_palace_part_has_one_lot() -> None:
    state, seat = building(variant="advanced", money=8, hand=[Card.PALACE_5], lots={5: Card.BANK_2})
    assert options(state) == [STOP, BuildCard(Card.PALACE_5, 5)]
    refused(state, BuildCard(Card.PALACE_5, 4), "F7.11")
    choose(state, BuildCard(Card.PALACE_5, 5))
    assert players(state)[seat].covered == [Card.BANK_2.value]


def test_F7_11_in_the_basic_game_a_palace_part_may_lie_anywhere() -> None:
    state, _seat = building(money=8, hand=[Card.PALACE_5])
    assert options(state) == [STOP, *(BuildCard(Card.PALACE_5, lot) for lot in range(1, 7))]


def test_F7_12_the_second_card_may_cover_the_first() -> None:
    state, seat = building(money=20, hand=[Card.MARKET, Card.BANK_1])
    choose(state, BuildCard(Card.MARKET, 1), BuildCard(Card.BANK_1, 1))
    assert players(state)[seat].covered == [Card.MARKET.value]
