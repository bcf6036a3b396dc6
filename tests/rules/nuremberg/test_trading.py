"""N5.15 to N5.22: proposals, replies, counters and the pick."""

from __future__ import annotations

from itertools import product

import pytest

from referee.games.nuremberg.actions import (
    AcceptTrade,
    CounterTrade,
    DeclineTrade,
    EndTurn,
    PickNobody,
    PickReply,
    ProposeTrade,
)
from referee.games.nuremberg.components import MAIN_ACTIONS_PER_TURN, PROPOSALS_PER_TURN, Commodity, Resource
from referee.games.nuremberg.events import TradeLapsed, TradeMade
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.proposals import CANONICAL_PROPOSALS
from referee.games.nuremberg.state import State
from tests.careless import careless
from tests.rules.nuremberg.builders import accepts, asked, bare_table, goods, hold, options, play, purse, refusal

NAMES = [kind.name.lower() for kind in Resource]


def trading_table() -> State:
    state = bare_table(active=1)
    hold(state, 1, wood=3, wool=1, gold=4)
    hold(state, 2, ore=2, gold=1)
    hold(state, 3, grain=1)
    hold(state, 0, brick=2)
    return state


def test_N5_15_opponents_reply_in_turn_order_and_only_to_the_active_player() -> None:
    state = trading_table()
    play(state, ProposeTrade(goods(wood=1), goods(ore=1)))
    order = []
    for _ in range(3):
        order.append(asked(state))
        play(state, DeclineTrade())
    assert order == [[("trade_reply", 2)], [("trade_reply", 3)], [("trade_reply", 0)]]
    assert asked(state) == [("trade_pick", 1)]


@pytest.mark.parametrize(
    "proposal",
    [
        (goods(), goods(ore=1)),
        (goods(wood=1), goods()),
        (goods(wood=1, wool=1), goods(wool=1)),
        (goods(wood=1), goods(ore=11)),
        (goods(wood=4), goods(ore=1)),
        (goods(wood=-1, wool=1), goods(ore=1)),
        ((1, 0, 0, 0, 0), goods(ore=1)),
        ((1, 0, 0, 0, 0, 0, 0), goods(ore=1)),
    ],
)
def test_N5_16_unlawful_bundles_are_refused(proposal: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    assert refusal(trading_table(), ProposeTrade(*proposal)) == "N5.16"


@pytest.mark.parametrize("give", [(1.0, 0, 0, 0, 0, 0), (True, 0, 0, 0, 0, 0), [1, 0, 0, 0, 0, 0], None])
def test_N9_amounts_that_are_no_whole_numbers_are_no_action(give: object) -> None:
    action = careless(ProposeTrade, give, goods(ore=1))
    assert action is None or refusal(trading_table(), action) == "N9"


@pytest.mark.parametrize(
    "proposal",
    [
        (goods(wood=3, gold=2), goods(ore=1, grain=2)),
        (goods(gold=4), goods(wood=10)),
        (goods(wool=1), goods(wood=2, ore=4, gold=4)),
        (goods(wood=3, wool=1, gold=4), goods(ore=10)),
    ],
)
def test_N5_16_lawful_bundles_outside_the_list_are_accepted(proposal: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    state = trading_table()
    action = ProposeTrade(*proposal)
    assert action not in options(state)
    play(state, action)
    assert asked(state) == [("trade_reply", 2)]


def test_N5_16_five_proposals_a_turn() -> None:
    """N8.3: and each is one main action."""
    state = trading_table()
    for number in range(5):
        play(
            state,
            ProposeTrade(goods(wood=1), goods(ore=1)),
            DeclineTrade(),
            DeclineTrade(),
            DeclineTrade(),
            PickNobody(),
        )
        assert (state.proposals, state.main_actions) == (number + 1, number + 1)
    assert refusal(state, ProposeTrade(goods(wood=1), goods(ore=1))) == "N5.16"
    assert not any(isinstance(option, ProposeTrade) for option in options(state))


def test_N5_17_accepting_needs_the_goods() -> None:
    state = trading_table()
    play(state, ProposeTrade(goods(wood=1), goods(ore=2)))
    assert accepts(state, AcceptTrade())
    play(state, AcceptTrade())
    assert refusal(state, AcceptTrade()) == "N5.17"


def test_N5_17_counters_differ_are_lawful_and_held() -> None:
    state = trading_table()
    play(state, ProposeTrade(goods(wood=1), goods(ore=1)))
    assert refusal(state, CounterTrade(goods(wood=1), goods(ore=1))) == "N5.17"
    assert refusal(state, CounterTrade(goods(wood=1), goods(ore=3))) == "N5.17"
    assert refusal(state, CounterTrade(goods(wood=1), goods(wood=1))) == "N5.16"
    assert refusal(state, CounterTrade(goods(), goods(ore=1))) == "N5.16"
    counter = CounterTrade(goods(wood=10), goods(ore=2, gold=1))  # nobody holds ten wood, and it need not be held
    assert counter not in options(state)
    assert accepts(state, counter)


def test_N5_18_only_held_trades_can_be_picked() -> None:
    state = trading_table()
    play(state, ProposeTrade(goods(wood=1), goods(ore=1)))
    play(state, CounterTrade(goods(wood=4), goods(ore=1)), CounterTrade(goods(wood=2), goods(grain=1)), DeclineTrade())
    assert options(state) == [PickNobody(), PickReply(3)]
    for seat in (0, 1, 2, 7, -1):
        assert refusal(state, PickReply(seat)) == "N5.18"
    assert play(state, PickReply(3)) == [TradeMade(1, 3, goods(wood=2), goods(grain=1))]
    assert purse(state, 1) == {"wood": 1, "wool": 1, "grain": 1, "gold": 4}
    assert purse(state, 3) == {"wood": 2}
    assert purse(state, 2) == {"ore": 2, "gold": 1}


def test_N5_18_replies_are_choosable_in_turn_order() -> None:
    state = trading_table()
    hold(state, 3, ore=1)
    hold(state, 0, ore=1)
    play(state, ProposeTrade(goods(wood=1), goods(ore=1)), AcceptTrade(), AcceptTrade(), AcceptTrade())
    assert options(state) == [PickNobody(), PickReply(2), PickReply(3), PickReply(0)]
    assert play(state, PickNobody()) == [TradeLapsed(1)]
    assert asked(state) == [("main_action", 1)]


def test_N5_19_a_lapsed_acceptance_binds_nobody() -> None:
    state = trading_table()
    play(state, ProposeTrade(goods(wood=1), goods(ore=1)), AcceptTrade(), DeclineTrade(), DeclineTrade(), PickNobody())
    play(state, EndTurn())
    assert purse(state, 2)["ore"] == 2
    assert GAME.observe(state, None).trade is None


def test_N5_20_the_canonical_list_has_160_proposals_in_order() -> None:
    """Written out from the clause: X, Z, k, Y ascending inside each family."""
    expected: list[tuple[dict[str, int], dict[str, int]]] = []
    pairs = [(x, y) for x, y in product(NAMES, NAMES) if x != y]
    expected += [({x: 1}, {y: 1}) for x, y in pairs]
    expected += [({x: 2}, {y: 1}) for x, y in pairs]
    expected += [
        ({x: 1, z: 1}, {y: 1})
        for x, z, y in product(NAMES, NAMES, NAMES)
        if NAMES.index(x) < NAMES.index(z) and y not in (x, z)
    ]
    expected += [({"gold": k}, {y: 1}) for k in (1, 2, 3) for y in NAMES]
    expected += [({x: 1}, {"gold": k}) for x in NAMES for k in (1, 2, 3)]
    expected += [({x: 1, "gold": 1}, {y: 1}) for x, y in pairs]
    expected += [({x: 2, "gold": 1}, {y: 1}) for x, y in pairs]
    expected += [({x: 1}, {y: 2}) for x, y in pairs]
    assert len(expected) == 160
    assert [(p.give, p.want) for p in CANONICAL_PROPOSALS] == [
        (goods(**give), goods(**want)) for give, want in expected
    ]


def test_N5_20_only_proposals_whose_give_side_is_held_are_listed() -> None:
    state = bare_table()
    hold(state, 0, wood=1, gold=1)
    listed = [option for option in options(state) if isinstance(option, ProposeTrade)]
    assert listed == [p for p in CANONICAL_PROPOSALS if p.give in (goods(wood=1), goods(gold=1), goods(wood=1, gold=1))]
    assert len(listed) == 4 + 5 + 3 + 4 + 4


def test_N5_21_counters_to_a_single_unit() -> None:
    state = bare_table()
    hold(state, 0, wool=1)
    hold(state, 1, ore=1, grain=1, wool=3)
    play(state, ProposeTrade(goods(wool=1), goods(ore=1)))
    raised = [
        CounterTrade(goods(**{"wool": 1, **more}), goods(ore=1)) for more in ({"wood": 1}, {"wool": 2}, {"grain": 1})
    ]
    raised += [CounterTrade(goods(wool=1, **more), goods(ore=1)) for more in ({"brick": 1}, {"gold": 1})]
    assert options(state) == [DeclineTrade(), AcceptTrade(), *raised, CounterTrade(goods(wool=1), goods(grain=1))]


def test_N5_21_counters_to_several_units() -> None:
    state = bare_table()
    hold(state, 0, gold=9, wood=1)
    hold(state, 1, ore=2, grain=1)
    hold(state, 2, ore=2)
    give = goods(gold=9, wood=1)
    play(state, ProposeTrade(give, goods(ore=2, grain=1)))
    # Ten units are given already, so C1 adds none.
    lowered = [CounterTrade(give, goods(ore=2)), CounterTrade(give, goods(ore=1, grain=1))]
    assert options(state) == [DeclineTrade(), AcceptTrade(), *lowered]
    play(state, DeclineTrade())
    assert options(state) == [DeclineTrade(), lowered[0]]  # only two ore are held


def test_N5_22_a_seat_that_holds_anything_is_asked() -> None:
    """N8.5: declining may be all that is listed while a counter is legal; then the decision is open-ended."""
    state = bare_table()
    hold(state, 0, wool=1)
    hold(state, 1, wool=2, gold=1)
    hold(state, 2, gold=1)
    play(state, ProposeTrade(goods(wool=1), goods(ore=1)))
    assert options(state) == [DeclineTrade()]
    assert GAME.pending(state)[0].open_ended
    assert accepts(state, CounterTrade(goods(gold=1), goods(wool=1)))
    play(state, DeclineTrade())
    assert options(state) == [DeclineTrade()]
    assert GAME.pending(state)[0].open_ended
    assert accepts(state, CounterTrade(goods(wood=1), goods(gold=1)))
    play(state, DeclineTrade())
    assert options(state) == [DeclineTrade()]
    assert not GAME.pending(state)[0].open_ended
    units = [goods(**{kind.name.lower(): 1}) for kind in Commodity]
    assert not any(accepts(state, CounterTrade(give, want)) for give in units for want in units)


def test_N5_22_only_who_may_propose_is_told_that_more_is_legal() -> None:
    state = bare_table()
    assert not GAME.pending(state)[0].open_ended  # nothing to give
    hold(state, 0, wool=1)
    assert GAME.pending(state)[0].open_ended
    state.proposals = PROPOSALS_PER_TURN
    assert not GAME.pending(state)[0].open_ended
    state.proposals, state.main_actions = 0, MAIN_ACTIONS_PER_TURN
    assert not GAME.pending(state)[0].open_ended


@pytest.mark.parametrize("kind", [kind.name.lower() for kind in Commodity])
def test_N5_22_whoever_holds_anything_finds_a_proposal_listed(kind: str) -> None:
    state = bare_table()
    hold(state, 0, **{kind: 1})
    assert len(options(state)) > 1
