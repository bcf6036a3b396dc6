"""N9: for every decision its options in order, its safe default, and answers that are refused."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from referee.games.nuremberg import actions as answers
from referee.games.nuremberg.actions import (
    Action,
    BuildFreeWall,
    BuildSettlement,
    BuildTollBar,
    BuildTower,
    BuildWall,
    BuildWorkshop,
    DeclineTrade,
    DiscardCards,
    EndTurn,
    KeepCouncilCard,
    MoveRobber,
    PickNobody,
    ProposeTrade,
    RobNobody,
    RobPlayer,
    SellWare,
    SkipFreeWall,
    SwapCouncilCard,
    TradeWithBank,
)
from referee.games.nuremberg.components import Commodity, Corner, Road, Ware
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import State
from tests.careless import careless
from tests.rules.nuremberg.builders import (
    accepts,
    asked,
    bare_table,
    beginner_table,
    cards,
    draw,
    goods,
    grant,
    hold,
    opened,
    options,
    play,
    put_bars,
    put_prestige,
    put_settlements,
    put_workshops,
    refusal,
)


def place_table() -> State:
    return GAME.new(4, 1, GAME.options({"setup": "advanced"}))


def main_table() -> State:
    """A seat that can afford one of everything."""
    state = bare_table()
    put_bars(state, Road.I, 0, 1)
    put_bars(state, Road.IV, 0)
    put_workshops(state, 0, Corner.B_N)
    state.walls, state.prestige[1] = 2, 2
    hold(state, 0, wood=5, wool=5, grain=5, brick=5, ore=5, gold=5)
    return state


def reply_table() -> State:
    state = bare_table()
    hold(state, 0, wood=2)
    hold(state, 1, ore=2, wool=1)
    play(state, ProposeTrade(goods(wood=1), goods(ore=1)))
    return state


def pick_table() -> State:
    state = reply_table()
    play(state, *(options(state)[1:2]), DeclineTrade(), DeclineTrade())
    return state


def free_wall_table() -> State:
    state = bare_table()
    hold(state, 0, gold=3)
    draw(state, 8)
    return state


def discard_table() -> State:
    state = bare_table()
    hold(state, 0, wood=4, grain=4)
    draw(state, 31)
    return state


def robber_move_table() -> State:
    state = beginner_table()
    draw(state, 31)
    return state


def robber_steal_table() -> State:
    state = robber_move_table()
    play(state, MoveRobber(1))
    return state


def council_swap_table() -> State:
    state = bare_table()
    put_prestige(state, 4, 4, 4, 4)
    opened(state).council = [2, 1, 3]
    grant(state, 0, 1)
    return state


TABLES = {
    "setup_place": (place_table, "N2.6"),
    "main_action": (main_table, "N3.7"),
    "trade_reply": (reply_table, "N5.17"),
    "trade_pick": (pick_table, "N5.18"),
    "free_wall": (free_wall_table, "N4.4"),
    "discard": (discard_table, "N4.6.1"),
    "robber_move": (robber_move_table, "N4.6.2"),
    "robber_steal": (robber_steal_table, "N4.6.3"),
    "council_swap": (council_swap_table, "N6.2.2"),
}

every_decision = pytest.mark.parametrize("kind", list(TABLES))


@every_decision
def test_N9_every_decision_bears_its_name_and_clause(kind: str) -> None:
    build, clause = TABLES[kind]
    (decision,) = GAME.pending(build())
    assert (decision.kind, decision.clause) == (kind, clause)


def test_N9_main_actions_come_in_the_order_of_the_table() -> None:
    state = main_table()
    order = [
        EndTurn,
        BuildTollBar,
        BuildSettlement,
        BuildWorkshop,
        BuildWall,
        BuildTower,
        SellWare,
        TradeWithBank,
        ProposeTrade,
    ]
    kinds = [order.index(type(option)) for option in options(state)]
    assert kinds == sorted(kinds)
    assert set(kinds) == set(range(len(order)))
    trades = [(option.give, option.get) for option in options(state) if isinstance(option, TradeWithBank)]
    assert trades == [(give, get) for give in Commodity for get in Commodity if give != get]
    assert len([option for option in options(state) if isinstance(option, ProposeTrade)]) == 160


@pytest.mark.parametrize(
    ("kind", "default"),
    [
        ("main_action", EndTurn()),
        ("trade_reply", DeclineTrade()),
        ("trade_pick", PickNobody()),
        ("free_wall", SkipFreeWall()),
        ("discard", DiscardCards(cards(wood=2, grain=2))),
        ("robber_steal", RobPlayer(1)),
        ("council_swap", SwapCouncilCard(2)),
    ],
)
def test_N9_safe_defaults(kind: str, default: Action) -> None:
    """N8.5: what is played for a missing, late or illegal answer."""
    state = TABLES[kind][0]()
    assert GAME.default_action(state, 1 if kind == "trade_reply" else 0) == default


def test_N9_free_wall_and_steal_list_passing_first() -> None:
    assert options(free_wall_table()) == [SkipFreeWall(), BuildFreeWall()]
    assert options(robber_steal_table()) == [RobNobody(), RobPlayer(1), RobPlayer(2), RobPlayer(3)]


def test_N9_council_swap_lists_candidates_by_card_value() -> None:
    assert options(council_swap_table()) == [KeepCouncilCard(), *map(SwapCouncilCard, (2, 1, 3))]


def test_N9_discards_descend_lexicographically() -> None:
    state = bare_table()
    hold(state, 0, wood=2, wool=1, grain=3, ore=2)
    draw(state, 31)
    listed = [option.cards for option in options(state) if isinstance(option, DiscardCards)]
    every = [
        (a, b, c, 0, e) for a in range(3) for b in range(2) for c in range(4) for e in range(3) if a + b + c + e == 4
    ]
    assert listed == sorted(every, reverse=True)


def test_N9_the_default_discard_evens_out_the_hand() -> None:
    state = bare_table()
    hold(state, 0, wood=3, wool=5, ore=5)
    draw(state, 31)
    assert GAME.default_action(state, 0) == DiscardCards(cards(wood=1, wool=3, ore=2))


def test_N9_the_default_robber_move_hurts_opponents_only() -> None:
    state = bare_table()
    put_settlements(state, 0, "I:6")  # L01, L02, L06
    put_settlements(state, 1, "I:5")  # L02, L06, L07
    draw(state, 31)
    assert GAME.default_action(state, 0) == MoveRobber(7)
    state = bare_table()
    put_settlements(state, 0, "I:6")
    draw(state, 31)
    assert GAME.default_action(state, 0) == MoveRobber(3)
    state = bare_table()
    opened(state).site_owners = [0] * 41
    draw(state, 31)
    assert GAME.default_action(state, 0) == MoveRobber(1)


def test_N9_the_default_victim_has_most_cards_nearest_clockwise() -> None:
    state = bare_table(active=2)
    hold(state, 0, wood=3)
    hold(state, 1, wood=3)
    hold(state, 3, wood=2)
    draw(state, 31)
    play(state, MoveRobber(1))
    assert options(state) == [RobNobody(), RobPlayer(3), RobPlayer(0), RobPlayer(1)]
    assert GAME.default_action(state, 2) == RobPlayer(0)


def test_N9_robbing_is_still_a_decision_when_all_hands_are_empty() -> None:
    state = bare_table()
    draw(state, 31)
    play(state, MoveRobber(1))
    assert asked(state) == [("robber_steal", 0)]
    assert options(state) == [RobNobody()]
    assert GAME.default_action(state, 0) == RobNobody()


def test_N9_the_default_placement_is_the_first_option() -> None:
    state = place_table()
    seat = GAME.pending(state)[0].seat
    assert GAME.default_action(state, seat) == options(state)[0]


ODD_VALUES: tuple[Any, ...] = (
    -1,
    0,
    1,
    3,
    99,
    10**30,
    None,
    "wood",
    2.0,
    2.5,
    True,
    (),
    (1,),
    (1,) * 5,
    (-1,) * 6,
    (0,) * 6,
    (3,) * 6,
    [1],
)


@every_decision
def test_N9_hostile_answers_are_refused_or_listed(kind: str) -> None:
    """Every kind of action with every odd value: check passes only what is legal, and never stumbles."""
    state = TABLES[kind][0]()
    seat = GAME.pending(state)[0].seat
    before = GAME.digest(state)
    for cls in get_args(Action):
        fields = len(cls.__dataclass_fields__)
        for value in ODD_VALUES if fields else (None,):
            for other in ODD_VALUES if fields == 2 else (None,):
                action = careless(cls, *(value, other)[:fields])
                if accepts(state, action) and not isinstance(action, answers.ProposeTrade | answers.CounterTrade):
                    assert action in GAME.legal_actions(state, seat)
    for nonsense in (None, 7, "END", object()):
        refusal(state, nonsense)
    for other in (seat + 1, -1, 99):
        assert refusal(state, GAME.default_action(state, seat), seat=other) == "N9"
    assert GAME.digest(state) == before


@every_decision
def test_N9_the_list_is_everything_that_can_be_listed(kind: str) -> None:
    """Every enumerable action is legal exactly if it is listed."""
    state = TABLES[kind][0]()
    seat = GAME.pending(state)[0].seat
    listed = GAME.legal_actions(state, seat)
    candidates: list[Action] = [EndTurn(), BuildWall(), BuildTower(), KeepCouncilCard(), RobNobody(), PickNobody()]
    candidates += [BuildTollBar(road) for road in Road]
    candidates += [
        kind(road, k) for kind in (BuildSettlement, answers.PlaceSettlement) for road in Road for k in range(11)
    ]
    candidates += [BuildWorkshop(corner) for corner in Corner]
    candidates += [SellWare(ware) for ware in Ware]
    candidates += [TradeWithBank(give, get) for give in Commodity for get in Commodity]
    candidates += [MoveRobber(landscape) for landscape in range(33)]
    candidates += [kind(other) for kind in (RobPlayer, SwapCouncilCard, answers.PickReply) for other in range(5)]
    for action in candidates:
        assert accepts(state, action) == (action in listed), action
