"""B3 to B5: planning, calling guilds, selling, buying, hiring, nothing."""

from __future__ import annotations

from itertools import permutations

import pytest

from referee.games.norenberc.actions import (
    Action,
    DoNothing,
    EnterStorehouse,
    HireGuest,
    KeepPlace,
    MoveFirst,
    PassRound,
    PayGoods,
    PlanGuilds,
    SellGoods,
)
from referee.games.norenberc.dealing import buying_limit
from referee.games.norenberc.events import (
    AgentGained,
    BonusPaid,
    GoodsBought,
    GoodsSold,
    GuildCalled,
    NothingDone,
    PlansLaid,
    TurnOrderChanged,
)
from referee.games.norenberc.game import GAME
from referee.games.norenberc.goods import costs, vectors
from tests.rules.norenberc.builders import (
    act,
    artisan,
    asked,
    buy,
    give_agents,
    give_goods,
    goods_of,
    hire,
    new_state,
    opened,
    options,
    plan,
    put_guest,
    put_masters,
    roof_of,
    rows,
    skip_turn_order,
    store_of,
    tiles_of,
)
from tests.rules.norenberc.contract_case import check_invariants


def test_B0_8_canonical_order_of_goods_vectors() -> None:
    listed = [vector for total in (1, 2) for vector in vectors(3, total)]
    assert listed[:7] == [(1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 2, 0)]


def test_B3_2_a_pass_takes_a_seat_out_until_the_next_round() -> None:
    """B3.3, B4.5: the token turns at once and the agents stay unused; B3.6: the others play another turn."""
    state = new_state(3)
    plan(state, {0: (1,), 1: (1,)})
    assert opened(state).finished == [0, 0, 1]
    assert opened(state).supply[2] == 4
    act(state, DoNothing(), DoNothing())
    assert [decision.seat for decision in GAME.pending(state)] == [0, 1]
    plan(state, {})
    assert (state.round, opened(state).finished) == (2, [0, 0, 0])


def test_B3_4_the_track_outlives_turns_and_rounds() -> None:
    state = new_state(3)
    opened(state).track = [2, 0, 1]
    plan(state, {0: (1,)})
    act(state, DoNothing())
    plan(state, {})
    assert state.round == 2
    assert opened(state).track == [2, 0, 1]


def test_B4_1_a_plan_is_a_set_no_larger_than_the_supply() -> None:
    state = new_state(2)
    give_agents(state, 0, 2)
    assert GAME.legal_actions(state, 0) == (
        PassRound(),
        PlanGuilds((1,)),
        PlanGuilds((2,)),
        PlanGuilds((3,)),
        PlanGuilds((1, 2)),
        PlanGuilds((1, 3)),
        PlanGuilds((2, 3)),
    )


def test_B4_3_all_active_seats_plan_at_the_same_time() -> None:
    state = new_state(4)
    assert [(decision.seat, decision.kind) for decision in GAME.pending(state)] == [(seat, "PLAN") for seat in range(4)]


def test_B4_3_the_order_in_which_plans_arrive_means_nothing() -> None:
    state = new_state(4)
    choices: dict[int, Action] = {0: PlanGuilds((2, 3)), 1: PassRound(), 2: PlanGuilds((2,)), 3: PlanGuilds((1, 5))}
    seen = set()
    for order in permutations(choices):
        copy = GAME.clone(state)
        events = GAME.apply(copy, {seat: choices[seat] for seat in order})
        seen.add((GAME.digest(copy), repr(events)))
    assert len(seen) == 1


def test_B4_4_planning_tells_counts_and_calling_tells_guilds() -> None:
    state = new_state(3)
    events = plan(state, {0: (2, 3), 1: (3,)})
    assert events == [PlansLaid((2, 1, 0)), GuildCalled(2, (0,))]
    assert act(state, DoNothing()) == [NothingDone(0, 2), GuildCalled(3, (0, 1))]


def test_B4_6_a_plan_needs_no_feasible_action() -> None:
    state = new_state(2)
    give_goods(state, 0, 0, 0, 0)
    opened(state).talers[0] = 0
    plan(state, {0: (1,)})
    assert options(state) == [DoNothing()]


def test_B4_7_an_agent_gained_can_be_planned_from_the_next_turn_on() -> None:
    state = new_state(2)
    give_agents(state, 0, 1)
    put_guest(state, 1, "B", artisan(2, 2))
    plan(state, {0: (1,)})
    events = hire(state, "B", 1, 1, 0)
    assert AgentGained(0) in events
    skip_turn_order(state)
    assert (state.turn, opened(state).finished[0]) == (2, 0)
    assert [decision.seat for decision in GAME.pending(state)] == [0]


def test_B5_1_guilds_are_called_in_ascending_order_and_skipped_if_nobody_comes() -> None:
    state = new_state(3)
    plan(state, {0: (4,), 1: (2, 4)})
    calls = []
    while state.round == 1 and state.turn == 1:
        calls.append((state.called + 1, asked(state)[1]))
        act(state, DoNothing())
    assert calls == [(2, 1), (4, 0), (4, 1)]


def test_B5_2_all_who_planned_a_guild_put_an_agent_on_its_card() -> None:
    state = new_state(3)
    plan(state, {0: (1,), 2: (1, 2)})
    assert opened(state).on_card == [1, 0, 1]
    assert opened(state).supply == [3, 4, 3]


def test_B5_3_the_highest_on_the_current_track_acts_next() -> None:
    state = new_state(3)
    opened(state).track = [0, 1, 2]
    put_guest(state, 1, "B", artisan(1, 4))
    plan(state, {0: (1,), 1: (1,), 2: (1,)})
    act(state, DoNothing())
    assert asked(state) == ("ACT", 1)
    hire(state, "B", 1, 1, 0, 0)
    act(state, MoveFirst())
    assert opened(state).track == [1, 0, 2]
    assert asked(state) == ("ACT", 2)


def test_B5_4_the_agent_ends_on_the_roof_whatever_was_done() -> None:
    state = new_state(3)
    put_masters(state, 2, 2, 2, 2)
    plan(state, {0: (1,), 1: (1,), 2: (1,)})
    act(state, SellGoods(1))
    buy(state, 1, 0, 0, 0)
    act(state, DoNothing())
    assert opened(state).on_roofs[0::4] == [1, 1, 1]


def test_B5_5_the_price_is_the_masters_value_for_every_good() -> None:
    state = new_state(2)
    put_masters(state, 5, 3, 3)
    give_goods(state, 1, 1, 0, 1)
    opened(state).stores[1] += 1  # the cake that seat 1 gave up lies at the Brewers'
    opened(state).stores[4] -= 1
    plan(state, {0: (1,)})
    events = buy(state, 1, 1, 0)
    assert events[0] == GoodsBought(0, 1, (1, 1, 0), 10)


def test_B5_6_selling_takes_one_up_to_all_of_the_guilds_own_goods() -> None:
    """B5.7: other goods cannot be sold here."""
    state = new_state(2)
    put_masters(state, 4, 3, 3)
    give_goods(state, 0, 3, 2, 0)
    plan(state, {0: (1,)})
    assert [option for option in options(state) if isinstance(option, SellGoods)] == [
        SellGoods(1),
        SellGoods(2),
        SellGoods(3),
    ]
    assert act(state, SellGoods(2))[0] == GoodsSold(0, 1, 2, 8)
    assert goods_of(state, 0) == [1, 2, 0]
    assert opened(state).talers[0] == 33


def test_B5_8_nobody_buys_more_than_he_can_pay() -> None:
    """B0.6: an action that costs more than the player has is not legal."""
    state = new_state(2)
    put_masters(state, 5, 3, 3)
    opened(state).talers[0] = 14
    plan(state, {0: (1,)})
    act(state, EnterStorehouse())
    assert max(sum(option.goods) for option in options(state) if hasattr(option, "goods")) == 2


def test_B5_9_limits_in_the_first_turn_of_the_game() -> None:
    limits = {}
    for seats in (2, 3, 4, 5):
        for revealed in range(1, seats + 1):
            state = new_state(seats)
            plan(state, dict.fromkeys(range(revealed), (1,)))
            limits[seats, revealed] = buying_limit(state)
    assert limits == {
        (2, 1): 3,
        (2, 2): 3,
        (3, 1): 3,
        (3, 2): 3,
        (3, 3): 3,
        (4, 1): 3,
        (4, 2): 3,
        (4, 3): 2,
        (4, 4): 2,
        (5, 1): 3,
        (5, 2): 3,
        (5, 3): 2,
        (5, 4): 1,
        (5, 5): 1,
    }


@pytest.mark.parametrize(("round_number", "turn"), [(1, 2), (2, 1)])
def test_B5_9_no_limit_but_three_after_the_first_turn(round_number: int, turn: int) -> None:
    """B3.5: the first turn of the game is round 1, turn 1."""
    state = new_state(5)
    state.round, state.turn = round_number, turn
    plan(state, dict.fromkeys(range(5), (1,)))
    assert buying_limit(state) == 3


def test_B5_10_an_empty_storehouse_sells_nothing() -> None:
    state = new_state(2)
    give_goods(state, 1, 11, 1, 1)
    assert store_of(state, 1) == [0, 0, 0]
    plan(state, {0: (1,)})
    assert EnterStorehouse() not in options(state)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ("A", [(1, 0, 0)]),
        ("B", [(2, 0, 0), (1, 1, 0), (1, 0, 1)]),
        ("C", [(2, 0, 0), (3, 0, 0), (2, 1, 0), (2, 0, 1), (1, 2, 0), (1, 1, 1), (1, 0, 2)]),
        ("D", [(3, 0, 0), (4, 0, 0), (3, 1, 0), (3, 0, 1), (2, 2, 0), (2, 1, 1), (2, 0, 2)]),
    ],
)
def test_B5_13_payments_of_a_window(window: str, expected: list[tuple[int, ...]]) -> None:
    """B5.12: also a longer payment that contains a shorter one, and each vector once."""
    state = new_state(2)
    give_goods(state, 0, 4, 4, 4)
    put_guest(state, 1, window, artisan(2, 5))
    plan(state, {0: (1,)})
    act(state, HireGuest("ABCD".index(window) + 1))
    assert options(state) == [PayGoods(vector) for vector in expected]


def test_B5_13_at_most_twenty_two_payments() -> None:
    assert [len(costs(6, 0, pane)) for pane in range(4)] == [1, 6, 22, 22]


def test_B5_11_only_occupied_windows_that_can_be_paid_are_offered() -> None:
    state = new_state(2)
    give_goods(state, 0, 1, 1, 0)
    put_guest(state, 1, "C", 0)
    plan(state, {0: (1,)})
    assert [option for option in options(state) if isinstance(option, HireGuest)] == [HireGuest(2)]


def test_B5_14_a_hire_pays_takes_and_pays_out_in_order() -> None:
    """B5.15: all goods paid lie at this guild; B5.16: the artisan is owned; B5.20: the agent goes to the roof."""
    state = new_state(2)
    opened(state).track = [1, 0]
    tile = artisan(2, 2)
    put_guest(state, 1, "B", tile)
    plan(state, {0: (1,), 1: (1,)})
    act(state, DoNothing())
    events = hire(state, "B", 1, 0, 1)
    assert [type(event).__name__ for event in events] == ["GuestHired", "AgentGained", "BonusPaid"]
    assert store_of(state, 1) == [11, 0, 1]
    assert tiles_of(state, 0) == [tile]
    assert opened(state).on_card[0] == 1
    act(state, KeepPlace())
    assert opened(state).on_card[0] == 0
    assert roof_of(state, 1) == 2
    check_invariants(state)


def test_B5_17_without_a_reserve_no_agent_is_gained() -> None:
    state = new_state(2)
    give_agents(state, 0, 8)
    put_guest(state, 1, "B", artisan(2, 2))
    plan(state, {0: (1,)})
    events = hire(state, "B", 1, 1, 0)
    assert not rows(events, AgentGained)
    assert opened(state).supply[0] + opened(state).on_card[0] + roof_of(state, 1) == 8


def test_B5_18_the_bonus_counts_agents_on_the_roof_but_no_mayor_and_no_card() -> None:
    state = new_state(3)
    opened(state).mayors[0] = 1
    opened(state).on_roofs[0] = 1  # an own agent of an earlier turn
    opened(state).supply[0] -= 1
    put_guest(state, 1, "B", artisan(2, 5))
    plan(state, {0: (1,), 1: (1,)})
    assert BonusPaid(0, 1, 1) in hire(state, "B", 1, 1, 0, 0)
    assert opened(state).talers[0] == 26


def test_B5_19_the_first_on_the_track_is_not_asked() -> None:
    state = new_state(2)
    put_guest(state, 1, "B", artisan(2, 5))
    plan(state, {0: (1,), 1: (2,)})
    hire(state, "B", 1, 1, 0)
    assert asked(state) == ("ACT", 1)


def test_B5_19_moving_first_keeps_the_order_of_the_others() -> None:
    state = new_state(4)
    opened(state).track = [3, 1, 0, 2]
    put_guest(state, 1, "B", artisan(2, 5))
    plan(state, {0: (1,)})
    hire(state, "B", 1, 1, 0, 0, 0)
    events = act(state, MoveFirst())
    assert events[0] == TurnOrderChanged(0, (0, 3, 1, 2))
    assert opened(state).track == [0, 3, 1, 2]


def test_B5_21_the_window_stays_empty_until_the_end_of_the_round() -> None:
    state = new_state(2)
    put_guest(state, 1, "B", artisan(2, 5))
    before = opened(state).lodgings[:]
    plan(state, {0: (1, 2)})
    hire(state, "B", 1, 1, 0)
    skip_turn_order(state)
    assert opened(state).lodgings == [before[0], 0, *before[2:]]


def test_B5_22_nothing_moves_only_the_agent() -> None:
    state = new_state(2)
    before = GAME.clone(state)
    plan(state, {0: (1,)})
    assert act(state, DoNothing()) == [NothingDone(0, 1)]
    for name in ("talers", "loose", "stores"):
        assert getattr(opened(state), name) == getattr(opened(before), name)
    assert opened(state).on_roofs[0] == 1
