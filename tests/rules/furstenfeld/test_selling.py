"""F6: phase 3."""

from __future__ import annotations

import pytest

from referee.game import IllegalActionError
from referee.games.furstenfeld.actions import (
    CHOOSE_NONE,
    STOP,
    Action,
    ChooseBrewery,
    ExchangeGoods,
    NameBonusGood,
    SellGoods,
)
from referee.games.furstenfeld.components import Card, Good
from referee.games.furstenfeld.events import (
    BonusGoodNamed,
    BreweryChosen,
    ExchangeDeclined,
    GoodsExchanged,
    GoodsSold,
    IncomeReceived,
)
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import ASK_BREWERY, ASK_EXCHANGE, State
from tests.rules.furstenfeld.builders import (
    asked,
    choose,
    default,
    furnish,
    new_game,
    options,
    order_of,
    placed_at,
    players,
    prices_at,
    set_brewery,
    turn_at,
)

HOPS, BARLEY, WATER = Good.HOPS, Good.BARLEY, Good.WATER


def selling(**things: object) -> tuple[State, int]:
    """Return a two-seat game in which the first seat, furnished like this, stands before its sale."""
    state = new_game(seats=2, variant="advanced" if things.pop("advanced", False) else "basic")
    seat = order_of(state)[0]
    furnish(state, seat, **things)  # type: ignore[arg-type]  # keywords are passed through
    state.round_number = max(1, state.round_number)
    turn_at(state, ASK_EXCHANGE if Card.MARKET.value in players(state)[seat].lots else ASK_BREWERY, seat)
    return state, seat


def sell(hops: int, barley: int, water: int) -> tuple[Action, ...]:
    return (ChooseBrewery(1), SellGoods(HOPS, hops), SellGoods(BARLEY, barley), SellGoods(WATER, water))


def refused(state: State, action: Action, clause: str) -> None:
    seat, _kind = asked(state)
    with pytest.raises(IllegalActionError) as error:
        GAME.check(state, seat, action)
    assert error.value.clause == clause


def test_W2_F6_3_F6_6_F6_11_a_first_sale_brings_three_coins() -> None:
    state, seat = selling(money=2, goods=(1, 1, 1))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 1))
    choose(state, *sell(1, 1, 1))
    player = players(state)[seat]
    assert (player.income, player.money, player.marker) == (3, 5, 3)
    assert placed_at(state, 1) == (1, 1, 1)
    assert prices_at(state, 1) == (1, 1, 1)
    assert player.goods == [0, 0, 0]


def test_W3_F6_7_F6_8_units_above_the_demand_are_paid_and_lower_the_price_to_0() -> None:
    state, seat = selling(goods=(0, 0, 4))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 1))
    events = choose(state, *sell(0, 0, 4))
    assert GoodsSold(seat, 1, 0, 0, 4, 4, (1, 1, 0)) in events
    assert players(state)[seat].income == 4
    assert placed_at(state, 1) == (0, 0, 2)
    assert prices_at(state, 1) == (1, 1, 0)


def test_W4_F6_8_from_3_the_price_falls_to_1() -> None:
    state, seat = selling(goods=(0, 0, 4))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 3))
    choose(state, *sell(0, 0, 4))
    assert players(state)[seat].income == 12
    assert prices_at(state, 1) == (1, 1, 1)


def test_W5_F6_4_nothing_is_sold_at_price_0_while_other_goods_are() -> None:
    state, _seat = selling(goods=(1, 0, 2))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 0), placed=(0, 0, 2))
    choose(state, ChooseBrewery(1))
    assert options(state) == [SellGoods(HOPS, 0), SellGoods(HOPS, 1)]
    choose(state, SellGoods(HOPS, 1), SellGoods(BARLEY, 0))
    assert options(state) == [SellGoods(WATER, 0)]
    refused(state, SellGoods(WATER, 1), "F6.4")


def test_F6_4_free_spaces_do_not_help_at_price_0() -> None:
    state, _seat = selling(goods=(0, 0, 2))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 0))
    assert ChooseBrewery(1) not in options(state)
    refused(state, ChooseBrewery(1), "F6.4")


def test_F6_8_different_goods_do_not_affect_each_other_and_placed_goods_count() -> None:
    state, _seat = selling(goods=(2, 1, 0))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(3, 3, 3), placed=(1, 2, 0))
    choose(state, *sell(2, 1, 0))
    assert prices_at(state, 1) == (1, 3, 3)
    assert placed_at(state, 1) == (1, 3, 0)


def test_F1_3_goods_and_coins_never_run_out() -> None:
    """More units than the box holds of a good, paid with more coins than lie in it."""
    state, seat = selling(goods=(70, 0, 0))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(3, 1, 1))
    choose(state, *sell(70, 0, 0))
    assert players(state)[seat].money == 210


def test_W13_F6_9_F6_14_F10_2_banks_pay_without_a_sale() -> None:
    state, seat = selling(goods=(1, 1, 1), lots={1: Card.BANK_1, 2: Card.BANK_2})
    events = choose(state, CHOOSE_NONE)
    assert events == [BreweryChosen(seat, None), IncomeReceived(seat, 0, 0, 8, 0, 8, 8)]
    player = players(state)[seat]
    assert (player.income, player.money, player.marker) == (8, 8, 8)
    assert player.goods == [1, 1, 1]


def test_W14_F6_5_F10_6_the_trading_office_pays_one_more_for_each_unit_of_one_good() -> None:
    state, seat = selling(goods=(1, 3, 2), lots={1: Card.TRADING_OFFICE})
    set_brewery(state, 1, demand=(1, 3, 2), prices=(3, 2, 1))
    choose(state, *sell(1, 3, 0))
    assert asked(state) == (seat, "office_bonus")
    assert players(state)[seat].money == 0, "payment comes after the bonus is named (F12.5)"
    events = choose(state, NameBonusGood(BARLEY))
    assert events[0] == BonusGoodNamed(seat, BARLEY)
    assert players(state)[seat].income == 12
    assert prices_at(state, 1) == (3, 2, 1)


def test_F6_5_the_bonus_counts_units_above_the_demand_and_may_be_declined() -> None:
    state, seat = selling(goods=(4, 0, 0), lots={1: Card.TRADING_OFFICE})
    set_brewery(state, 1, demand=(1, 3, 2), prices=(2, 1, 1))
    choose(state, *sell(4, 0, 0))
    declined = GAME.clone(state)
    choose(state, NameBonusGood(HOPS))
    assert players(state)[seat].income == 12
    choose(declined, CHOOSE_NONE)
    assert players(declined)[seat].income == 8


def test_F6_5_only_a_good_that_is_sold_can_be_named() -> None:
    state, _seat = selling(goods=(1, 1, 1), lots={1: Card.TRADING_OFFICE})
    set_brewery(state, 1, demand=(1, 3, 2), prices=(2, 1, 1))
    choose(state, *sell(1, 0, 1))
    assert options(state) == [CHOOSE_NONE, NameBonusGood(HOPS), NameBonusGood(WATER)]
    refused(state, NameBonusGood(BARLEY), "F6.5")
    refused(state, STOP, "F6.5")


@pytest.mark.parametrize(
    ("sold", "named"), [((1, 3, 2), BARLEY), ((2, 1, 2), HOPS), ((0, 1, 1), BARLEY), ((0, 0, 1), WATER)]
)
def test_F12_4_office_bonus_defaults_to_the_good_most_sold(sold: tuple[int, int, int], named: Good) -> None:
    state, _seat = selling(goods=(3, 3, 3), lots={1: Card.TRADING_OFFICE})
    choose(state, *sell(*sold))
    assert default(state) == NameBonusGood(named)


def test_F12_5_selling_nothing_to_a_brewery_is_like_choosing_none() -> None:
    state, seat = selling(goods=(1, 1, 1), lots={1: Card.TRADING_OFFICE, 2: Card.BANK_1})
    before = prices_at(state, 1)
    events = choose(state, *sell(0, 0, 0))
    assert asked(state) == (seat, "build"), "without a sale the trading office is not asked"
    assert not any(isinstance(event, GoodsSold) for event in events)
    assert players(state)[seat].income == 3
    assert prices_at(state, 1) == before


def test_W15_F6_1_F10_7_the_market_exchanges_three_hops_for_water() -> None:
    state, seat = selling(goods=(4, 0, 1), lots={1: Card.MARKET})
    assert choose(state, ExchangeGoods(HOPS, WATER, 3)) == [GoodsExchanged(seat, HOPS, WATER, 3)]
    assert players(state)[seat].goods == [1, 0, 4]
    assert asked(state) == (seat, "brewery"), "one exchange in a round"
    choose(state, ChooseBrewery(1), SellGoods(HOPS, 1), SellGoods(BARLEY, 0), SellGoods(WATER, 4))
    assert players(state)[seat].goods == [0, 0, 0]


def test_F6_1_exchange_options_come_by_good_given_good_taken_and_amount() -> None:
    state, _seat = selling(goods=(2, 0, 5), lots={1: Card.MARKET})
    assert options(state) == [
        CHOOSE_NONE,
        ExchangeGoods(HOPS, BARLEY, 1),
        ExchangeGoods(HOPS, BARLEY, 2),
        ExchangeGoods(HOPS, WATER, 1),
        ExchangeGoods(HOPS, WATER, 2),
        ExchangeGoods(WATER, HOPS, 1),
        ExchangeGoods(WATER, HOPS, 2),
        ExchangeGoods(WATER, HOPS, 3),
        ExchangeGoods(WATER, BARLEY, 1),
        ExchangeGoods(WATER, BARLEY, 2),
        ExchangeGoods(WATER, BARLEY, 3),
    ]
    assert default(state) == CHOOSE_NONE


def test_F6_1_the_market_may_be_left_alone_and_is_asked_only_when_visible() -> None:
    state, seat = selling(goods=(1, 1, 1), lots={1: Card.MARKET})
    assert choose(state, CHOOSE_NONE) == [ExchangeDeclined(seat)]
    state = new_game()
    assert asked(state)[1] == "brewery"


@pytest.mark.parametrize(
    "action",
    [
        ExchangeGoods(HOPS, HOPS, 1),
        ExchangeGoods(HOPS, WATER, 0),
        ExchangeGoods(HOPS, WATER, -1),
        ExchangeGoods(HOPS, WATER, 4),
        ExchangeGoods(BARLEY, WATER, 1),
        ChooseBrewery(1),
        STOP,
    ],
)
def test_F6_1_impossible_exchanges_are_refused(action: Action) -> None:
    state, _seat = selling(goods=(5, 0, 1), lots={1: Card.MARKET})
    refused(state, action, "F6.1")


def test_F6_2_open_breweries_that_pay_for_an_owned_good_are_offered_by_number() -> None:
    state, _seat = selling(goods=(1, 0, 0))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(0, 3, 3))
    set_brewery(state, 2, demand=(2, 1, 3), prices=(1, 0, 0))
    assert options(state) == [CHOOSE_NONE, ChooseBrewery(2)]


@pytest.mark.parametrize(("number", "clause"), [(0, "F2.3"), (-1, "F2.3"), (3, "F2.3"), (10**9, "F2.3")])
def test_F2_3_closed_breweries_are_refused(number: int, clause: str) -> None:
    state, _seat = selling(goods=(1, 1, 1))
    refused(state, ChooseBrewery(number), clause)


def test_F12_4_brewery_defaults_to_the_highest_proceeds_and_the_lowest_number_on_ties() -> None:
    state, _seat = selling(goods=(2, 1, 0))
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 3, 3))
    set_brewery(state, 2, demand=(2, 1, 3), prices=(3, 1, 0))
    assert default(state) == ChooseBrewery(2)
    set_brewery(state, 1, demand=(1, 3, 2), prices=(2, 3, 0))
    assert default(state) == ChooseBrewery(1)


def test_F12_4_brewery_defaults_to_none_where_nobody_pays() -> None:
    state, _seat = selling(goods=(0, 0, 0))
    assert options(state) == [CHOOSE_NONE]
    assert default(state) == CHOOSE_NONE


def test_F6_3_amounts_run_from_0_to_all_owned_and_default_to_all() -> None:
    state, _seat = selling(goods=(3, 1, 0))
    choose(state, ChooseBrewery(2))
    assert options(state) == [SellGoods(HOPS, count) for count in range(4)]
    assert default(state) == SellGoods(HOPS, 3)
    refused(state, SellGoods(HOPS, 4), "F6.3")
    refused(state, SellGoods(HOPS, -1), "F6.3")
    refused(state, SellGoods(WATER, 0), "F6.3")
    refused(state, CHOOSE_NONE, "F6.3")


def test_W17_F6_12_F10_10_the_magistrate_lowers_the_marker_but_not_the_money() -> None:
    state, seat = selling(money=1, goods=(4, 0, 0), lots={1: Card.MAGISTRATE, 2: Card.BANK_1})
    choose(state, *sell(4, 0, 0))
    player = players(state)[seat]
    assert (player.income, player.money, player.marker) == (7, 8, 4)


def test_F6_13_no_marker_stands_below_0() -> None:
    state, seat = selling(goods=(1, 0, 0), lots={1: Card.MAGISTRATE})
    choose(state, *sell(1, 0, 0))
    assert (players(state)[seat].income, players(state)[seat].marker) == (1, 0)


def test_W18_F6_10_F10_11_the_tour_guide_pays_two_for_each_own_palace_part() -> None:
    lots = {1: Card.PALACE_1, 2: Card.PALACE_2, 3: Card.PALACE_3, 4: Card.TOUR_GUIDE, 5: Card.BANK_1}
    state, seat = selling(advanced=True, lots=lots)
    events = choose(state, CHOOSE_NONE)
    assert events[-1] == IncomeReceived(seat, 0, 0, 3, 6, 9, 9)
    assert players(state)[seat].money == 9
