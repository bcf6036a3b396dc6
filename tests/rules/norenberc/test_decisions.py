"""B10 Decision points: every kind of decision with the order of its options, its default and its refusals."""

from __future__ import annotations

from typing import Any

import pytest

from referee.game import IllegalActionError
from referee.games.norenberc.actions import (
    Action,
    BuyGoods,
    DeclineSwap,
    DeclineTheft,
    DoNothing,
    EnterStorehouse,
    HireGuest,
    KeepPlace,
    MoveFirst,
    PassRound,
    PayGoods,
    PlaceMayor,
    PlanGuilds,
    SellGoods,
    StealGoods,
    StoreGood,
    SwapArtisans,
)
from referee.games.norenberc.game import GAME
from referee.games.norenberc.state import State
from tests.careless import careless
from tests.rules.norenberc.builders import (
    GUARD,
    MAYOR,
    PEDLAR,
    THIEF,
    act,
    artisan,
    give_agents,
    give_goods,
    hire,
    new_state,
    opened,
    options,
    plan,
    put_guest,
    put_masters,
)


def planning() -> State:
    return new_state(3)


def acting() -> State:
    """Seat 0, second on the track, acts at the Brewers with two beers, one cake and a price of 5."""
    state = new_state(3)
    opened(state).track = [1, 0, 2]
    put_masters(state, 5, 2, 2, 2)
    put_guest(state, 1, "A", artisan(2, 5))
    give_goods(state, 0, 2, 1, 0, 0)
    plan(state, {0: (1,)})
    return state


def using(tile: int) -> State:
    state = new_state(3)
    opened(state).track = [1, 0, 2]
    put_guest(state, 1, "A", tile)
    give_goods(state, 0, 2, 1, 0, 0)
    plan(state, {0: (1,)})
    hire(state, "A", 1, 0, 0, 0)
    return state


def buying() -> State:
    state = acting()
    opened(state).talers[0] = 10
    act(state, EnterStorehouse())
    return state


def paying() -> State:
    state = acting()
    act(state, HireGuest(2))
    return state


def turn_ordering() -> State:
    state = acting()
    hire(state, "A", 1, 0, 0, 0)
    return state


DECISIONS: dict[str, tuple[State, str, Action]] = {
    "PLAN": (planning(), "B4.1", PassRound()),
    "ACT": (acting(), "B5.4", DoNothing()),
    "HIRE_PAYMENT": (paying(), "B5.13", PayGoods((2, 0, 0, 0))),
    "BUY_GOODS": (buying(), "B5.8", BuyGoods((1, 0, 0, 0))),
    "THIEF": (using(THIEF), "B6.4", DeclineTheft()),
    "GUARD": (using(GUARD), "B6.6", DeclineSwap()),
    "PEDLAR_GOOD": (using(PEDLAR), "B6.7", StoreGood(1)),
    "MAYOR_GUILD": (using(MAYOR), "B6.9", PlaceMayor(1)),
    "TURN_ORDER": (turn_ordering(), "B5.19", KeepPlace()),
}


@pytest.mark.parametrize("kind", DECISIONS)
def test_B10_1_every_decision_has_its_name_its_clause_and_its_default(kind: str) -> None:
    state, clause, default = DECISIONS[kind]
    decision = GAME.pending(state)[0]
    assert (decision.seat, decision.kind, decision.clause) == (0, kind, clause)
    assert GAME.default_action(state, 0) == default
    assert GAME.legal_actions(state, 0)[0] == default
    assert GAME.observe(state, 0).phase.name == kind


def test_B10_2_act_lists_nothing_sales_windows_and_the_storehouse() -> None:
    assert GAME.legal_actions(acting(), 0) == (
        DoNothing(),
        SellGoods(1),
        SellGoods(2),
        HireGuest(1),
        HireGuest(2),
        HireGuest(3),
        EnterStorehouse(),
    )


def test_B10_2_payments_and_purchases_are_in_canonical_order() -> None:
    assert GAME.legal_actions(paying(), 0) == (PayGoods((2, 0, 0, 0)), PayGoods((1, 1, 0, 0)))
    assert GAME.legal_actions(buying(), 0) == (BuyGoods((1, 0, 0, 0)), BuyGoods((2, 0, 0, 0)))


def test_B10_2_the_numbers_of_options_stay_within_the_table() -> None:
    state = new_state(5)
    give_agents(state, 0, 8)
    assert len(GAME.legal_actions(state, 0)) == 64
    for good in range(6):  # three of every good in the storehouse of the first guild
        opened(state).stores[good] = 3
    opened(state).talers[0] = 99
    state.turn = 2  # B5.9: without the limit of the first turn
    plan(state, {0: (1,)})
    act(state, EnterStorehouse())
    assert len(options(state)) == 83
    assert len(GAME.legal_actions(using(THIEF), 0)) <= 85
    assert len(GAME.legal_actions(using(GUARD), 0)) < 160


def test_B10_2_a_plan_is_smaller_sets_first_then_lexicographic() -> None:
    listed = [option.guilds for option in GAME.legal_actions(planning(), 0) if isinstance(option, PlanGuilds)]
    assert listed == sorted(listed, key=lambda guilds: (len(guilds), guilds))
    assert len(listed) == 15


def test_B10_1_a_seat_that_is_not_asked_may_not_answer() -> None:
    with pytest.raises(IllegalActionError, match=r"B10\.1: seat 1 has nothing to decide now"):
        GAME.check(acting(), 1, DoNothing())


REFUSALS: list[tuple[str, Action, str]] = [
    ("PLAN", PlanGuilds(()), "B4.2"),
    ("PLAN", PlanGuilds((5,)), "B4.1"),
    ("PLAN", PlanGuilds((0,)), "B4.1"),
    ("PLAN", PlanGuilds((-1, 2)), "B4.1"),
    ("PLAN", PlanGuilds((2, 2)), "B4.1"),
    ("PLAN", PlanGuilds((2, 1)), "B10.2"),
    ("PLAN", DoNothing(), "B10.2"),
    ("PLAN", SellGoods(1), "B10.2"),
    ("ACT", SellGoods(0), "B5.6"),
    ("ACT", SellGoods(3), "B5.6"),
    ("ACT", SellGoods(-1), "B5.6"),
    ("ACT", HireGuest(0), "B5.11"),
    ("ACT", HireGuest(5), "B5.11"),
    ("ACT", HireGuest(-2), "B5.11"),
    ("ACT", HireGuest(4), "B5.12"),
    ("ACT", BuyGoods((1, 0, 0, 0)), "B10.2"),
    ("HIRE_PAYMENT", PayGoods((1, 0, 0, 0)), "B5.13"),
    ("HIRE_PAYMENT", PayGoods((1, 0, 1, 0)), "B5.11"),
    ("HIRE_PAYMENT", PayGoods((1, 1)), "B0.8"),
    ("HIRE_PAYMENT", PayGoods((3, -1, 0, 0)), "B0.8"),
    ("BUY_GOODS", BuyGoods((0, 0, 0, 0)), "B5.8"),
    ("BUY_GOODS", BuyGoods((4, 0, 0, 0)), "B5.8"),
    ("BUY_GOODS", BuyGoods((3, 0, 0, 0)), "B0.6"),
    ("BUY_GOODS", BuyGoods((0, 1, 0, 0)), "B5.8"),
    ("BUY_GOODS", BuyGoods((2, -1, 0, 0)), "B0.8"),
    ("BUY_GOODS", BuyGoods((1, 0, 0, 0, 0)), "B0.8"),
    ("THIEF", StealGoods(0, (1, 1, 0, 0)), "B6.4"),
    ("THIEF", StealGoods(3, (1, 1, 0, 0)), "B6.4"),
    ("THIEF", StealGoods(-1, (1, 1, 0, 0)), "B6.4"),
    ("THIEF", StealGoods(1, (1, 0, 0, 0)), "B6.4"),
    ("THIEF", StealGoods(1, (2, 0, 0, 0)), "B6.4"),
    ("THIEF", StealGoods(1, (1,)), "B0.8"),
    ("GUARD", SwapArtisans(1, 1, 2), "B6.6"),
    ("GUARD", SwapArtisans(9, 2, 3), "B6.6"),
    ("GUARD", SwapArtisans(1, 99, -4), "B6.6"),
    ("PEDLAR_GOOD", StoreGood(3), "B6.7"),
    ("PEDLAR_GOOD", StoreGood(0), "B6.7"),
    ("PEDLAR_GOOD", StoreGood(77), "B6.7"),
    ("MAYOR_GUILD", PlaceMayor(5), "B6.9"),
    ("MAYOR_GUILD", PlaceMayor(0), "B6.9"),
    ("TURN_ORDER", PassRound(), "B10.2"),
]


@pytest.mark.parametrize(("kind", "action", "clause"), REFUSALS, ids=repr)
def test_B10_1_an_illegal_answer_is_refused_with_its_clause(kind: str, action: Action, clause: str) -> None:
    state = DECISIONS[kind][0]
    before = GAME.digest(state)
    with pytest.raises(IllegalActionError) as caught:
        GAME.check(state, 0, action)
    assert caught.value.clause == clause
    assert caught.value.reason
    assert GAME.digest(state) == before


def test_B4_1_no_more_guilds_than_agents() -> None:
    state = new_state(5)
    with pytest.raises(IllegalActionError, match=r"B4\.1: 5 guilds need as many agents; seat 0 has 4"):
        GAME.check(state, 0, PlanGuilds((1, 2, 3, 4, 5)))


def test_what_cannot_be_done_at_all_is_refused_with_its_clause() -> None:
    state = acting()
    give_goods(state, 0, 0, 0, 0, 0)
    opened(state).talers[0] = 4
    for action, clause in ((SellGoods(1), "B5.6"), (HireGuest(1), "B5.11"), (EnterStorehouse(), "B5.10")):
        with pytest.raises(IllegalActionError) as caught:
            GAME.check(state, 0, action)
        assert caught.value.clause == clause


@pytest.mark.parametrize("kind", DECISIONS)
@pytest.mark.parametrize(
    "hostile",
    [
        None,
        7,
        "pass",
        (),
        careless(PlanGuilds, None),
        careless(PlanGuilds, ("1",)),
        careless(PlanGuilds, (1.0,)),
        careless(PlanGuilds, [1]),
        PlanGuilds((2**70,)),
        careless(SellGoods, True),
        careless(SellGoods, 1.0),
        careless(SellGoods, "one"),
        SellGoods(10**30),
        careless(HireGuest, None),
        careless(PayGoods, 3),
        careless(PayGoods, ((1,), (2,))),
        careless(BuyGoods, (None, 1, 0, 0)),
        careless(StealGoods, "x", (1, 1, 0, 0)),
        careless(SwapArtisans, (), 1, 2),
        careless(StoreGood, []),
        careless(PlaceMayor, {}),
        MoveFirst,
    ],
    ids=repr,
)
def test_hostile_answers_are_refused_and_never_an_accident(kind: str, hostile: Any) -> None:
    """B10.1: whatever is sent is either one of the options or refused."""
    state = DECISIONS[kind][0]
    with pytest.raises(IllegalActionError):
        GAME.check(state, 0, hostile)
