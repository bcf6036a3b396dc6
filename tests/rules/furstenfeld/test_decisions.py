"""F12: the table of decision points as a whole."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from referee.game import IllegalActionError
from referee.games.furstenfeld.actions import (
    CHOOSE_NONE,
    STOP,
    Action,
    BuildCard,
    ChooseBrewery,
    ExchangeGoods,
    NameBonusGood,
    PutUnderDeck,
    ScrapCard,
    SellGoods,
    StoreGoods,
)
from referee.games.furstenfeld.components import DATA, Card, Good
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import (
    ASK_BUILD,
    ASK_DISCARD,
    ASK_EXCHANGE,
    ASK_SCRAP,
    ASK_STORE,
)
from referee.playout import play, random_chooser
from referee.rng import seeded
from tests.rules.furstenfeld.builders import (
    choose,
    furnish,
    new_game,
    options,
    order_of,
    placed_of,
    set_brewery,
    turn_at,
)
from tests.rules.furstenfeld.contract_case import MAX_OPTIONS

HUGE = (-(2**31), -1, 0, 1, 5, 7, 99, 2**31 - 1)
HOSTILE: tuple[Action, ...] = (
    CHOOSE_NONE,
    STOP,
    *(PutUnderDeck(card) for card in Card),
    *(ScrapCard(card) for card in Card),
    *(ExchangeGoods(give, take, count) for give in Good for take in Good for count in HUGE),
    *(ChooseBrewery(number) for number in HUGE),
    *(SellGoods(good, count) for good in Good for count in HUGE),
    *(NameBonusGood(good) for good in Good),
    *(BuildCard(card, lot) for card in Card for lot in HUGE),
    *(StoreGoods(*goods) for goods in product((-1, 0, 2, 2**31 - 1), repeat=3)),
)
CLAUSES = {
    "setup_bottom": "F2.8",
    "exchange": "F6.1",
    "brewery": "F6.2",
    "sell_amount": "F6.3",
    "office_bonus": "F6.5",
    "build": "F7.1",
    "scrap": "F8.1",
    "discard": "F8.3",
    "store": "F8.6",
}


def test_the_bounds_are_those_of_the_data() -> None:
    assert {decision["kind"]: decision["max_options"] for decision in DATA["decision"]} == MAX_OPTIONS


def test_F12_1_F12_2_all_nine_decisions_come_up_and_name_their_clause() -> None:
    """Decisions with one option are pending too: the referee plays them."""
    seen = {}
    forced = 0
    for seed in range(6):
        state = new_game(3, "advanced", seed)
        for _ in play(GAME, state, random_chooser(seeded(seed))):
            for decision in GAME.pending(state):
                seen[decision.kind] = decision.clause
                forced += len(GAME.legal_actions(state, decision.seat)) == 1
    assert seen == CLAUSES
    assert forced > 0


def test_F12_1_whatever_is_not_listed_is_refused_and_nothing_else_happens() -> None:
    """Hostile values meet a clause and a reason at every kind of decision."""
    state = new_game(2, "advanced", 3)
    tried: dict[str, int] = {}
    for _ in play(GAME, state, random_chooser(seeded(3))):
        for decision in GAME.pending(state):
            if tried.get(decision.kind, 0) >= 2:
                continue
            tried[decision.kind] = tried.get(decision.kind, 0) + 1
            listed = GAME.legal_actions(state, decision.seat)
            before = GAME.digest(state)
            for action in HOSTILE:
                if action in listed:
                    GAME.check(state, decision.seat, action)
                else:
                    with pytest.raises(IllegalActionError, match=r"^F\d+\.\d+: ."):
                        GAME.check(state, decision.seat, action)
            assert GAME.digest(state) == before
    assert set(tried) >= set(CLAUSES) - {"office_bonus"}
    assert {type(action) for action in HOSTILE} == set(get_args(Action))


def test_F12_3_F12_6_the_longest_lists_reach_their_bounds() -> None:
    state = new_game(2)
    seat = order_of(state)[0]
    furnish(state, seat, goods=(16, 16, 16), lots={1: Card.MARKET, 2: Card.WAREHOUSE})
    set_brewery(state, 1, demand=(1, 3, 2), prices=(1, 1, 1))
    turn_at(state, ASK_STORE, seat)
    assert len(options(state)) == MAX_OPTIONS["store"]
    turn_at(state, ASK_EXCHANGE, seat)
    assert len(options(state)) == MAX_OPTIONS["exchange"]
    choose(state, CHOOSE_NONE, ChooseBrewery(1))
    assert len(options(state)) == MAX_OPTIONS["sell_amount"]


def test_F12_3_ten_cards_on_six_lots_give_sixty_one_options() -> None:
    state = new_game(2, "advanced")
    state.round_number = 1
    seat = order_of(state)[0]
    furnish(state, seat, money=100, hand=[card for card in Card if card.value <= 10])
    turn_at(state, ASK_BUILD, seat, 0)
    assert len(options(state)) == MAX_OPTIONS["build"]
    turn_at(state, ASK_DISCARD, seat)
    assert len(options(state)) == MAX_OPTIONS["discard"]
    furnish(state, seat, hand=[card for card in Card if card.value <= 10], lots={1: Card.RAG_COLLECTOR})
    turn_at(state, ASK_SCRAP, seat, 0)
    assert len(options(state)) == MAX_OPTIONS["scrap"]


def test_F12_4_defaults_are_legal_and_always_the_same() -> None:
    state = new_game(3, "advanced", 2)
    for _ in play(GAME, state, random_chooser(seeded(2))):
        for decision in GAME.pending(state):
            default = GAME.default_action(state, decision.seat)
            assert default in GAME.legal_actions(state, decision.seat)
            assert GAME.default_action(GAME.clone(state), decision.seat) == default


def test_F12_7_breweries_and_lots_are_numbered_from_1() -> None:
    state = new_game(seats=3)
    assert options(state) == [CHOOSE_NONE, ChooseBrewery(1), ChooseBrewery(2), ChooseBrewery(3)]
    choose(state, ChooseBrewery(3), SellGoods(Good.HOPS, 1), SellGoods(Good.BARLEY, 1), SellGoods(Good.WATER, 1))
    assert placed_of(state)[6:] == [1, 1, 1]
    assert {o.lot for o in options(state) if isinstance(o, BuildCard)} <= set(range(1, 7))
