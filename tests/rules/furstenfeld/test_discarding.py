"""F8: phase 5."""

from __future__ import annotations

import pytest

from referee.game import IllegalActionError
from referee.games.furstenfeld.actions import CHOOSE_NONE, STOP, Action, BuildCard, PutUnderDeck, ScrapCard, StoreGoods
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.events import CardScrapped, DiscardingStopped, GoodsStored, ScrappingStopped
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import ASK_BUILD, ASK_DISCARD, ASK_SCRAP, ASK_STORE, State, Step
from tests.rules.furstenfeld.builders import (
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

FOUR = [Card.FIELD_HOPS_2, Card.BANK_1, Card.CRANE, Card.PALACE_1]
SIX = [Card.FIELD_HOPS_2, Card.FIELD_HOPS_3, *FOUR[1:], Card.PALACE_2]


def discarding(step: Step, **things: object) -> tuple[State, int]:
    """Return an advanced game in which the first seat, furnished like this, stands at this step of phase 5."""
    state = new_game(seats=2, variant="advanced")
    state.round_number = 1
    seat = order_of(state)[0]
    furnish(state, seat, **things)  # type: ignore[arg-type]  # keywords are passed through
    turn_at(state, step, seat)
    return state, seat


def refused(state: State, action: Action, clause: str) -> None:
    with pytest.raises(IllegalActionError) as error:
        GAME.check(state, asked(state)[0], action)
    assert error.value.clause == clause


def test_W19_F8_1_F10_12_the_rag_collector_removes_two_then_one_is_put_down() -> None:
    state, seat = discarding(ASK_SCRAP, hand=FOUR, lots={1: Card.RAG_COLLECTOR})
    assert options(state) == [STOP, *(ScrapCard(card) for card in FOUR)]
    assert default(state) == STOP
    choose(state, ScrapCard(Card.PALACE_1), ScrapCard(Card.BANK_1))
    player = players(state)[seat]
    assert asked(state) == (seat, "discard"), "at most two"
    assert player.scrapped == [Card.PALACE_1.value, Card.BANK_1.value]
    choose(state, PutUnderDeck(Card.CRANE))
    assert player.hand == [Card.FIELD_HOPS_2.value]
    assert asked(state) == (seat, "store")


def test_F8_1_scrapping_may_stop_and_is_not_asked_without_the_card() -> None:
    state, seat = discarding(ASK_SCRAP, hand=FOUR, lots={1: Card.RAG_COLLECTOR})
    assert choose(state, STOP) == [ScrappingStopped(seat)]
    assert asked(state) == (seat, "discard")
    state = new_game(seats=2)
    seat = order_of(state)[0]
    turn_at(state, ASK_BUILD, seat, 0)
    choose(state, STOP)
    assert asked(state) == (seat, "discard")


def test_F8_1_scrapped_cards_are_told_to_their_owner_only() -> None:
    state, seat = discarding(ASK_SCRAP, hand=FOUR, lots={1: Card.RAG_COLLECTOR})
    (event,) = choose(state, ScrapCard(Card.CRANE))
    assert GAME.witness(event, seat) == CardScrapped(seat, Card.CRANE)
    assert GAME.witness(event, 1 - seat) == GAME.witness(event, None) == CardScrapped(seat, None)


def test_F8_1_only_cards_in_hand_are_scrapped() -> None:
    state, _seat = discarding(ASK_SCRAP, hand=FOUR, lots={1: Card.RAG_COLLECTOR})
    for action in (ScrapCard(Card.BANK_2), ScrapCard(Card.PRINTED_HOPS), PutUnderDeck(Card.BANK_1), CHOOSE_NONE):
        refused(state, action, "F8.1")


def test_W10_F8_2_F10_3_two_town_halls_raise_the_limit_to_four() -> None:
    state, seat = discarding(ASK_DISCARD, hand=SIX, lots={1: Card.TOWN_HALL_1, 2: Card.TOWN_HALL_2})
    for card in SIX[:2]:
        assert STOP not in options(state)
        refused(state, STOP, "F8.2")
        choose(state, PutUnderDeck(card))
    assert options(state) == [STOP, *(PutUnderDeck(card) for card in SIX[2:])]
    more = GAME.clone(state)
    assert choose(state, STOP) == [DiscardingStopped(seat)]
    choose(more, *(PutUnderDeck(card) for card in SIX[2:5]))
    assert players(more)[seat].hand == [SIX[5].value], "up to five of six, never the last card (F8.3)"
    assert asked(more) == (seat, "store")


@pytest.mark.parametrize(("halls", "limit"), [((), 1), ((Card.TOWN_HALL_1,), 2), ((Card.TOWN_HALL_2,), 3)])
def test_F8_2_the_limit_is_one_more_or_two_more_with_a_town_hall(halls: tuple[Card, ...], limit: int) -> None:
    state, _seat = discarding(ASK_DISCARD, hand=FOUR, lots=dict(enumerate(halls, start=1)))
    for card in FOUR[: 4 - limit]:
        assert STOP not in options(state)
        choose(state, PutUnderDeck(card))
    assert asked(state)[1] == ("discard" if limit > 1 else "store")
    assert limit == 1 or STOP in options(state)


def test_F8_3_discard_offers_the_hand_by_card_number_and_defaults_to_the_lowest_or_stop() -> None:
    state, _seat = discarding(ASK_DISCARD, hand=FOUR, lots={1: Card.TOWN_HALL_2})
    assert options(state) == [PutUnderDeck(card) for card in FOUR]
    assert default(state) == PutUnderDeck(FOUR[0])
    choose(state, PutUnderDeck(Card.CRANE))
    assert default(state) == STOP


def test_F8_3_only_cards_in_hand_are_put_down() -> None:
    state, _seat = discarding(ASK_DISCARD, hand=FOUR)
    for action in (PutUnderDeck(Card.BANK_2), PutUnderDeck(Card.BARE_GROUND), ScrapCard(Card.CRANE), CHOOSE_NONE):
        refused(state, action, "F8.3")


def test_F8_3_with_one_card_or_none_nothing_is_asked() -> None:
    for hand in ([Card.CRANE], []):
        state = new_game(seats=2)
        seat = order_of(state)[0]
        furnish(state, seat, hand=hand)
        turn_at(state, ASK_BUILD, seat, 0)
        choose(state, STOP)
        assert asked(state) == (seat, "store")


def test_F8_4_what_is_put_down_first_is_drawn_first() -> None:
    state, seat = discarding(ASK_DISCARD, hand=FOUR)
    choose(state, PutUnderDeck(Card.CRANE), PutUnderDeck(Card.FIELD_HOPS_2), PutUnderDeck(Card.PALACE_1))
    expected = [card.value for card in (Card.CRANE, Card.FIELD_HOPS_2, Card.PALACE_1)]
    assert players(state)[seat].deck[-3:] == expected
    assert GAME.observe(state, seat).tail_cards == (Card.CRANE, Card.FIELD_HOPS_2, Card.PALACE_1)


def test_F8_5_without_a_warehouse_everything_is_lost() -> None:
    state, seat = discarding(ASK_STORE, goods=(2, 1, 0))
    assert options(state) == [StoreGoods(0, 0, 0)]
    refused(state, StoreGoods(1, 0, 0), "F8.5")
    assert choose(state, StoreGoods(0, 0, 0))[0] == GoodsStored(seat, 0, 0, 0, 3)
    assert players(state)[seat].goods == [0, 0, 0]


def test_W16_F8_6_F10_9_a_warehouse_keeps_three_of_any_kind() -> None:
    state, seat = discarding(ASK_STORE, goods=(2, 1, 1), lots={1: Card.WAREHOUSE})
    assert choose(state, StoreGoods(2, 0, 1))[0] == GoodsStored(seat, 2, 0, 1, 1)
    assert players(state)[seat].goods == [2, 0, 1]


def test_F8_6_store_options_ascend_and_the_default_is_the_last() -> None:
    state, _seat = discarding(ASK_STORE, goods=(1, 0, 4), lots={1: Card.WAREHOUSE})
    vectors = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 0, 0), (1, 0, 1), (1, 0, 2)]
    assert options(state) == [StoreGoods(*vector) for vector in vectors]
    assert default(state) == StoreGoods(1, 0, 2)


@pytest.mark.parametrize(
    "action", [StoreGoods(2, 0, 0), StoreGoods(-1, 0, 0), StoreGoods(1, 0, 3), StoreGoods(0, 0, 2**31 - 1), STOP]
)
def test_F8_6_more_than_owned_or_more_than_three_is_refused(action: Action) -> None:
    state, _seat = discarding(ASK_STORE, goods=(1, 0, 4), lots={1: Card.WAREHOUSE})
    refused(state, action, "F8.6")


@pytest.mark.parametrize(("action", "kept"), [(BuildCard(Card.WAREHOUSE, 1), 3), (STOP, 0)])
def test_F8_6_a_warehouse_built_now_already_stores(action: Action, kept: int) -> None:
    state = new_game(seats=2)
    seat = order_of(state)[0]
    furnish(state, seat, money=4, goods=(0, 3, 1), hand=[Card.WAREHOUSE])
    turn_at(state, ASK_BUILD, seat, 1)
    choose(state, action)
    assert max(sum((o.hops, o.barley, o.water)) for o in options(state) if isinstance(o, StoreGoods)) == kept


def test_F8_6_a_warehouse_covered_now_keeps_nothing() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[0]
    furnish(state, seat, money=8, goods=(0, 3, 1), hand=[Card.BANK_1], lots={1: Card.WAREHOUSE})
    turn_at(state, ASK_BUILD, seat, 1)
    choose(state, BuildCard(Card.BANK_1, 1))
    assert options(state) == [StoreGoods(0, 0, 0)]
