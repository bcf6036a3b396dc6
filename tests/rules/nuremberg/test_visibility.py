"""N10: who sees what, in views and in events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.games.nuremberg.actions import AcceptTrade, MoveRobber, ProposeTrade, RobPlayer
from referee.games.nuremberg.components import CARD_COUNT, CARD_EVENTS, YEARS, EventKind, Resource, Road
from referee.games.nuremberg.events import CardRobbed, Harvested, RoadTollPaid
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import Reply, ReplyKind, State
from referee.games.nuremberg.view import DecisionKind, Trade
from referee.rng import seeded
from tests.rules.nuremberg.builders import (
    bare_table,
    beginner_table,
    cards,
    draw,
    goods,
    hold,
    opened,
    play,
    purse,
    put_settlements,
)


def test_N10_1_the_public_part_is_the_same_for_everybody() -> None:
    state = beginner_table(active=2)
    draw(state, 26)
    views = [GAME.observe(state, seat) for seat in (0, 1, 2, 3, None)]
    for name in views[0].__dataclass_fields__:
        if name not in ("seat", "hand"):
            assert len({repr(getattr(view, name)) for view in views}) == 1
    spectator = views[-1]
    assert spectator.card_counts == (3, 4, 3, 3)  # red and blue earn from the 2
    assert spectator.golds == (2, 2, 2, 2)
    assert spectator.bank == (18, 18, 15, 18, 18, 138)
    assert spectator.event_card == 26
    assert spectator.event_number == 2
    assert spectator.discards == (26,)
    assert spectator.deck_count == 35
    assert spectator.robber == 28
    assert spectator.points == (3, 3, 3, 3)
    assert spectator.decision is DecisionKind.MAIN_ACTION
    assert spectator.deciders == (2,)


def rob_unseen(kind: Resource) -> State:
    """Seat 1 robs seat 2, which holds a wool and an ore, of this card."""
    for number in range(50):
        state = bare_table(active=1)
        hold(state, 0, wood=2)
        hold(state, 2, ore=1, wool=1)
        draw(state, 31)
        state.word = seeded(number).word
        if CardRobbed(1, 2, kind) in play(state, MoveRobber(1), RobPlayer(2)):
            return state
    raise AssertionError(f"{kind.name} is never drawn")


def test_N10_2_only_the_own_hand_is_seen() -> None:
    """Seat 1 draws a card from seat 2 behind seat 0's back: its view stays the same whatever it was, theirs do not."""
    wool, ore = rob_unseen(Resource.WOOL), rob_unseen(Resource.ORE)
    ore.word = wool.word
    views = [(GAME.observe(wool, seat), GAME.observe(ore, seat)) for seat in (0, 1, 2, 3, None)]
    assert views[0][0].hand == cards(wood=2)
    assert views[-1][0].hand == ()
    assert [one == other for one, other in views] == [True, False, False, True, True]


def test_N10_3_the_kind_of_a_robbed_card_is_known_to_two_seats() -> None:
    state = bare_table(active=1)
    hold(state, 2, ore=1)
    draw(state, 31)
    (event,) = [event for event in play(state, MoveRobber(1), RobPlayer(2)) if isinstance(event, CardRobbed)]
    assert event == CardRobbed(1, 2, Resource.ORE)
    assert [GAME.witness(event, seat) for seat in (1, 2)] == [event, event]
    assert [GAME.witness(event, seat) for seat in (0, 3, None)] == [CardRobbed(1, 2, None)] * 3
    assert GAME.describe(CardRobbed(1, 2, None)) == "seat 1 robs seat 2 of a card"


def test_N10_3_cards_drawn_for_road_toll_are_known_to_two_seats() -> None:
    state = bare_table()
    state.wayrights[Road.III] = 3
    put_settlements(state, 1, "III:1", "III:9")
    hold(state, 1, wool=5, gold=1)
    (event,) = [event for event in draw(state, 24) if isinstance(event, RoadTollPaid)]
    assert event == RoadTollPaid(1, 3, Road.III, 1, 1, (Resource.WOOL,))
    assert [GAME.witness(event, seat) for seat in (1, 3)] == [event, event]
    redacted = RoadTollPaid(1, 3, Road.III, 1, 1, ())
    assert [GAME.witness(event, seat) for seat in (0, 2, None)] == [redacted] * 3


def test_N10_1_harvests_are_public() -> None:
    event = Harvested(1, cards(ore=2))
    assert [GAME.witness(event, seat) for seat in (0, 1, None)] == [event] * 3


def test_N10_1_an_open_trade_is_public_with_its_replies() -> None:
    state = bare_table()
    hold(state, 0, wool=2)
    hold(state, 1, ore=1)
    play(state, ProposeTrade(goods(wool=2), goods(ore=1)), AcceptTrade())
    trade = GAME.observe(state, 3).trade
    assert trade is not None
    assert (trade.give, trade.want) == (goods(wool=2), goods(ore=1))
    assert trade.replies == (Reply(1, ReplyKind.ACCEPT, goods(wool=2), goods(ore=1)),)


def test_N10_5_without_unseen_cards_all_hands_are_counted() -> None:
    state = bare_table()
    hold(state, 0, wool=2, grain=3)
    hold(state, 1, ore=1, brick=4)
    view = GAME.observe(state, 3)
    assert view.counted_cards == (*cards(wool=2, grain=3), *cards(ore=1, brick=4), *cards(), *cards())
    assert view.card_draws == ()
    assert {tuple(opened(GAME.imagine(view, 3, seeded(number))).hands) for number in range(20)} == {
        tuple(opened(state).hands)
    }


def test_N10_5_a_card_seen_from_behind_is_left_open() -> None:
    """Seat 0 imagines that it was the wool, or the ore, and nothing else; thief and victim know."""
    state = rob_unseen(Resource.ORE)
    (drawn,) = GAME.observe(state, 0).card_draws
    assert (drawn.seat, drawn.victim, drawn.resource) == (1, 2, None)
    assert drawn.victim_cards == cards(wool=1, ore=1)
    imagined = [GAME.imagine(GAME.observe(state, 0), 0, seeded(number)) for number in range(40)]
    assert {tuple(purse(twin, 1).items()) for twin in imagined} == {(("wool", 1),), (("ore", 1),)}
    for seat in (1, 2):
        (known,) = GAME.observe(state, seat).card_draws
        assert known.resource is Resource.ORE
        assert opened(GAME.imagine(GAME.observe(state, seat), seat, seeded(1))).hands == opened(state).hands


def test_N10_5_what_a_seat_offers_tells_what_was_drawn() -> None:
    """Seat 1 offers an ore, so that it must have drawn it; everybody knows both hands from then on."""
    state = rob_unseen(Resource.ORE)
    play(state, ProposeTrade(goods(ore=1), goods(brick=1)))
    for number in range(40):
        assert opened(GAME.imagine(GAME.observe(state, 0), 0, seeded(number))).hands == opened(state).hands


def test_N10_5_what_a_seat_accepts_tells_what_was_not_drawn() -> None:
    """Seat 2 still has its wool."""
    state = rob_unseen(Resource.ORE)
    hold(state, 1, ore=1, grain=1)
    play(state, ProposeTrade(goods(grain=1), goods(wool=1)), AcceptTrade())
    for number in range(40):
        assert opened(GAME.imagine(GAME.observe(state, 3), 3, seeded(number))).hands == opened(state).hands


def test_N10_4_imagined_decks_hold_what_was_not_drawn_since_the_last_shuffle() -> None:
    state = beginner_table()
    for card in (30, 4, 5):
        draw(state, card)
    imagined = GAME.imagine(GAME.observe(state, 1), 1, seeded(1))
    assert opened(imagined).discard == opened(state).discard
    assert sorted(opened(imagined).deck) == sorted(opened(state).deck)
    assert opened(imagined).deck != opened(state).deck
    assert imagined.deck_word != state.deck_word


YEARS_CARDS = tuple([card + 1 for card in range(CARD_COUNT) if CARD_EVENTS[card] is EventKind.YEARS])
FORGERIES: dict[str, dict[str, Any]] = {
    "a row has not 4 numbers": {"golds": (2, 2, 2)},
    "a seat is not at the table": {"wayrights": (0, 1, 2, 4, 0)},
    "not one seat is asked": {"decision": DecisionKind.FREE_WALL, "deciders": (0, 1)},
    "a card was drawn twice": {"discards": (26, 26)},
    "the cards drawn have not brought this year": {"discards": tuple(range(1, CARD_COUNT + 1))},
    "the game goes on after its end": {"year": YEARS[-1], "discards": YEARS_CARDS},
    "there are more chips than can be earned": {"chips_due": 58, "prestiges": (1, 0, 0, 0)},
    "a hand is less than empty": {"bank": (20, 18, 15, 18, 18, 138)},
    "a seat is offered a wall that it cannot build": {"decision": DecisionKind.FREE_WALL},  # 2 gold are not 3
    "there is no council card to claim": {"decision": DecisionKind.COUNCIL_SWAP},
    "a trade is open, or none": {"decision": DecisionKind.TRADE_PICK},
    "all settlements are placed": {"decision": DecisionKind.SETUP_PLACE},
    "the replies are not in turn order": {
        "decision": DecisionKind.TRADE_REPLY,
        "deciders": (1,),
        "trade": Trade(goods(ore=1), goods(wool=1), ()),
    },
    "a seat offers what it does not hold": {
        "decision": DecisionKind.TRADE_REPLY,
        "deciders": (0,),
        "trade": Trade(
            goods(ore=1), goods(wool=9), (Reply(3, ReplyKind.ACCEPT, goods(ore=1), goods(wool=9)),)
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize("reason", FORGERIES)
def test_N10_4_a_view_that_is_no_position_at_a_table_is_refused(reason: str) -> None:
    state = beginner_table(active=2)
    draw(state, 26)
    view = GAME.observe(state, 0)
    GAME.imagine(view, 0, seeded(1))
    with pytest.raises(ValueError, match=reason):
        GAME.imagine(replace(view, **FORGERIES[reason]), 0, seeded(1))
