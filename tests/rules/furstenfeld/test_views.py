"""F13: what each seat may see, and what is told."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_args

import pytest

from referee.games.furstenfeld.actions import (
    CHOOSE_NONE,
    STOP,
    Action,
    BuildCard,
    ChooseBrewery,
    PutUnderDeck,
    SellGoods,
    StoreGoods,
)
from referee.games.furstenfeld.components import CARDS, Card, Good
from referee.games.furstenfeld.events import (
    CardBuilt,
    CardPutUnder,
    CardsDrawn,
    EndReason,
    Event,
    GoodsStored,
    IncomeReceived,
)
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import ASK_BUILD, ASK_DISCARD
from referee.games.furstenfeld.view import Phase, Question
from referee.playout import play, random_chooser
from referee.rng import seeded
from tests.rules.furstenfeld.builders import asked, choose, furnish, new_game, order_of, players, step_names, turn_at


def test_F13_1_F14_15_others_see_numbers_where_the_owner_sees_cards() -> None:
    state = new_game(seats=3)
    own, other, watcher = (GAME.observe(state, viewer) for viewer in (0, 1, None))
    assert [card.value for card in own.hand_cards] == players(state)[0].hand
    assert [card.value for card in other.hand_cards] == players(state)[1].hand
    assert watcher.hand_cards == watcher.unseen_cards == watcher.tail_cards == watcher.scrapped_cards == ()
    assert own.estates == other.estates == watcher.estates
    assert [estate.hand_count for estate in own.estates] == [6, 6, 6]
    assert [estate.deck_count for estate in own.estates] == [20, 20, 20]


def test_F13_2_the_owner_knows_the_unseen_cards_as_a_set_and_the_tail_in_order() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[0]
    hand = [Card.BANK_1, Card.CRANE, Card.MARKET]
    player = furnish(state, seat, hand=hand)
    player.deck.reverse()
    turn_at(state, ASK_DISCARD, seat)
    choose(state, PutUnderDeck(Card.MARKET), PutUnderDeck(Card.BANK_1))
    view = GAME.observe(state, seat)
    assert view.tail_cards == (Card.MARKET, Card.BANK_1)
    assert [card.value for card in view.unseen_cards] == sorted(player.deck[:-2])
    assert view.estates[seat].unseen_count == len(view.unseen_cards) == 23


def test_F13_2_when_the_unknown_part_is_used_up_the_whole_deck_is_known() -> None:
    state = new_game(seats=2)
    for _choices, _events in play(GAME, state, random_chooser(seeded(2))):
        view = GAME.observe(state, 0)
        if not view.unseen_cards:
            assert [card.value for card in view.tail_cards] == players(state)[0].deck
            return
    raise AssertionError("the deck was never drawn through")


def test_F13_3_the_order_of_the_unknown_part_is_nobodys_knowledge() -> None:
    state = new_game(seats=2)
    before = [GAME.observe(state, viewer) for viewer in (0, 1, None)]
    for player in players(state):
        player.deck.reverse()
    assert [GAME.observe(state, viewer) for viewer in (0, 1, None)] == before


def test_F13_4_drawn_cards_are_told_to_their_owner_only() -> None:
    event = CardsDrawn(1, 2, (Card.BANK_1, Card.CRANE))
    assert GAME.witness(event, 1) == event
    assert GAME.witness(event, 0) == GAME.witness(event, None) == CardsDrawn(1, 2, ())


def test_F13_4_every_choice_is_announced() -> None:
    """Each decision carried out leaves at least one event of the seat that took it, visible to everybody."""
    for variant in ("basic", "advanced"):
        state = new_game(seats=3, variant=variant, seed=8)
        for choices, events in play(GAME, state, random_chooser(seeded(8))):
            for seat, event in zip(choices, events, strict=False):
                told: Any = GAME.witness(event, None)
                assert told.seat == seat


def test_open_things_are_seen_by_all() -> None:
    state = new_game(seats=2)
    seat = order_of(state)[0]
    furnish(state, seat, money=11, goods=(1, 2, 3), lots={1: Card.CRANE}, hand=[Card.BANK_1], covered=[Card.MARKET])
    turn_at(state, ASK_BUILD, seat, 0)
    choose(state, BuildCard(Card.BANK_1, 1))
    view = GAME.observe(state, 1 - seat)
    estate = view.estates[seat]
    assert (estate.money, estate.goods, estate.hand_count) == (5, (1, 2, 3), 0)
    assert estate.lots[0] is Card.BANK_1
    assert estate.covered_cards == (Card.MARKET, Card.CRANE)
    assert (view.phase, view.question, view.asked_seats) == (Phase.BUILD, Question.BUILD, (seat,))
    assert view.built_count == 1


def test_a_sale_in_progress_is_seen_by_all() -> None:
    state = new_game(seats=2)
    seat, _kind = asked(state)
    choose(state, ChooseBrewery(2), SellGoods(Good.HOPS, 1))
    view = GAME.observe(state, 1 - seat)
    assert (view.phase, view.question) == (Phase.SELL, Question.SELL_AMOUNT)
    assert (view.sale_brewery, view.sale_amounts) == (2, (1,))
    assert view.estates[seat].goods == (1, 1, 1), "goods are handed over when all amounts are chosen (F12.5)"


def test_a_finished_game_asks_nobody() -> None:
    state = new_game(seats=2)
    for _ in play(GAME, state, random_chooser(seeded(1))):
        pass
    view = GAME.observe(state, 0)
    assert (view.phase, view.question, view.asked_seats) == (Phase.OVER, None, ())


def test_an_imagined_state_keeps_what_is_known_and_deals_the_rest_anew() -> None:
    state = new_game(seats=3, variant="advanced", seed=4)
    for _ in range(9):
        GAME.apply(state, {d.seat: GAME.default_action(state, d.seat) for d in GAME.pending(state)})
    view = GAME.observe(state, 1)
    imagined = [GAME.imagine(view, 1, seeded(number)) for number in range(30)]
    for twin in imagined:
        assert GAME.observe(twin, 1) == view
        assert players(twin)[1].hand == players(state)[1].hand
        assert players(twin)[1].deck[15:] == players(state)[1].deck[15:]
        assert step_names(twin) == step_names(state)
    assert len({tuple(players(twin)[1].deck) for twin in imagined}) == 30
    assert len({tuple(players(twin)[0].hand) for twin in imagined}) > 20


def test_imagined_states_have_the_same_agenda_at_every_decision() -> None:
    for variant in ("basic", "advanced"):
        state = new_game(seats=3, variant=variant, seed=6)
        kinds: set[str] = set()
        for number, _step in enumerate(play(GAME, state, random_chooser(seeded(6)))):
            kinds.update(decision.kind for decision in GAME.pending(state))
            twin = GAME.imagine(GAME.observe(state, number % 3), number % 3, seeded(number))
            assert step_names(twin) == step_names(state)
        assert len(kinds) >= 6


def test_views_that_no_seat_can_have_seen_are_refused() -> None:
    """Rules on numbers trust them: what could not be played on is refused when a state is made of it."""
    state = new_game(seats=2, variant="advanced")
    setting_up = GAME.observe(state, 0)
    for _ in range(9):
        GAME.apply(state, {d.seat: GAME.default_action(state, d.seat) for d in GAME.pending(state)})
    seat, _kind = asked(state)
    before_sale = GAME.observe(state, seat)
    choose(state, ChooseBrewery(1))
    selling = GAME.observe(state, seat)
    own, other = selling.estates[seat], selling.estates[1 - seat]

    def with_own(**fields: Any) -> tuple[Any, ...]:
        estates = [other, other]
        estates[seat] = replace(own, **fields)
        return tuple(estates)

    forged = {
        "turn order": replace(selling, turn_order=(0, 0)),
        "not one of 1 seats": replace(selling, estates=(own,), turn_order=(0,)),
        "has not drawn": replace(selling, estates=with_own(unseen_count=28)),
        "in the set-up": replace(
            setting_up, estates=(setting_up.estates[0], replace(setting_up.estates[1], hand_count=3))
        ),
        "one seat is asked, not \\[\\]": replace(selling, asked_seats=()),
        "one seat is asked, not \\[4\\]": replace(selling, asked_seats=(4,)),
        "a sale has a brewery": replace(before_sale, sale_brewery=1),
        "all amounts": replace(selling, sale_amounts=(0, 0, 0)),
        "not all amounts": replace(selling, question=Question.OFFICE_BONUS),
        "more goods are sold": replace(selling, sale_amounts=(9,)),
        "each card of its set once": replace(selling, hand_cards=(Card.BARE_GROUND, *selling.hand_cards[1:])),
        "not each card": replace(selling, estates=with_own(covered_cards=(Card.BANK_1,))),
    }
    for why, view in forged.items():
        with pytest.raises(ValueError, match=why):
            GAME.imagine(view, seat, seeded(1))


def test_stories_read_well() -> None:
    lines: dict[Action, str] = {
        BuildCard(Card.BANK_1, 3): "Build bank I on lot 3",
        ChooseBrewery(1): "Sell to brewery 1 (Draakenfels)",
        CHOOSE_NONE: "None",
        STOP: "Stop",
        StoreGoods(1, 0, 2): "Store 1 hops, 2 water",
        PutUnderDeck(Card.PALACE_4): "Put palace part IV under the deck",
    }
    for action, line in lines.items():
        assert GAME.describe(action) == line
    story: dict[Event, str] = {
        IncomeReceived(2, 4, 0, 3, 0, 7, 4): (
            "Seat 2 has an income of 7 coins (4 for goods, 3 from banks); its marker goes to 4"
        ),
        CardBuilt(1, Card.CRANE, 2, 5, Card.BARE_GROUND): "Seat 1 builds crane on lot 2 for 5 coins",
        CardBuilt(1, Card.CRANE, 6, 1, Card.PRINTED_WATER): (
            "Seat 1 builds crane on lot 6, covering its printed spring, for 1 coin"
        ),
        CardPutUnder(0, None): "Seat 0 puts a card under its deck",
        GoodsStored(0, 0, 0, 0, 0): "Seat 0 has no unsold goods",
        GoodsStored(0, 0, 2, 0, 1): "Seat 0 stores 2 barley and loses 1 good",
    }
    for event, line in story.items():
        assert GAME.describe(event) == line


def test_every_kind_of_action_and_event_has_its_own_line() -> None:
    """Any value of any kind is described, hostile numbers included."""
    for kind in (*get_args(Action), *get_args(Event)):
        line = GAME.describe(kind(**{field.name: sample(field.type) for field in fields(kind)}))
        assert line
        assert "\n" not in line
        assert f"{kind.__name__}(" not in line


def sample(hint: object) -> object:
    """Return some value for a field, by its annotation."""
    words = str(hint)
    if "tuple" in words:
        return (Card.CRANE,) if "Card" in words else (1, 2, 3)
    if "Card" in words:
        return CARDS[10]
    if "Good" in words:
        return Good.WATER
    if "EndReason" in words:
        return EndReason.PALACE
    return 7
