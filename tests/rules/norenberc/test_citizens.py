"""B6 Citizens."""

from __future__ import annotations

from typing import Any

from referee.games.norenberc import game as module
from referee.games.norenberc.actions import (
    Action,
    DeclineSwap,
    DeclineTheft,
    DoNothing,
    KeepPlace,
    MoveFirst,
    PlaceMayor,
    SellGoods,
    StealGoods,
    StoreGood,
    SwapArtisans,
)
from referee.games.norenberc.citizens import swap_options
from referee.games.norenberc.closing import choose_favourites, collect_income, favour_count, recall_agents
from referee.games.norenberc.codes import action_of
from referee.games.norenberc.events import (
    AgentGained,
    CitizenReturned,
    FavouriteChosen,
    GoodsStolen,
    GoodTakenBack,
    IncomePaid,
)
from referee.games.norenberc.pile import draw_guest, return_to_pile
from referee.games.norenberc.state import State
from tests.rules.norenberc.builders import (
    COUNCILLOR,
    GUARD,
    MAYOR,
    MUSICIAN_3,
    MUSICIAN_5,
    NOBLEMAN_2,
    PEDLAR,
    THIEF,
    act,
    all_pass,
    artisan,
    asked,
    give_agents,
    give_goods,
    give_tile,
    goods_of,
    hire,
    new_state,
    opened,
    options,
    plan,
    put_guest,
    put_masters,
    put_shop_tile,
    rows,
    tiles_of,
    told,
)
from tests.rules.norenberc.contract_case import check_invariants


def hired(tile: int, seats: int = 3, goods: tuple[int, ...] | None = None) -> State:
    """Seat 0, first on the track, has just hired a citizen from window A of the Brewers for one beer."""
    state = new_state(seats)
    put_guest(state, 1, "A", tile)
    if goods is not None:
        give_goods(state, 0, *goods)
    plan(state, {0: (1,)})
    hire(state, "A", 1, *[0] * seats)
    return state


def test_B6_1_sun_citizens_stay_in_front_of_the_player() -> None:
    assert tiles_of(hired(NOBLEMAN_2), 0) == [NOBLEMAN_2]


def test_B6_2_a_citizen_returns_also_to_an_empty_pile() -> None:
    state = new_state(2)
    opened(state).pile.clear()
    events = told(return_to_pile, state, COUNCILLOR)
    assert opened(state).pile == [COUNCILLOR]
    assert events == [CitizenReturned(COUNCILLOR)]
    assert draw_guest(state) == COUNCILLOR
    assert opened(state).returned == []


def test_B6_2_the_whole_pile_is_shuffled() -> None:
    state = new_state(5)
    places = set()
    for _ in range(30):
        before = sorted(opened(state).pile)
        told(return_to_pile, state, 999)
        places.add(opened(state).pile.index(999))
        opened(state).pile.remove(999)
        assert sorted(opened(state).pile) == before
    assert len(places) > 10


def test_B6_3_the_councillor_gains_an_agent_and_returns() -> None:
    state = hired(COUNCILLOR)
    assert (opened(state).supply[0], opened(state).reserve[0]) == (4, 3)
    assert opened(state).returned == [COUNCILLOR]
    assert tiles_of(state, 0) == []


def test_B6_3_the_councillor_returns_also_when_no_agent_is_left() -> None:
    state = new_state(3)
    give_agents(state, 0, 8)
    put_guest(state, 1, "A", COUNCILLOR)
    plan(state, {0: (1,)})
    events = hire(state, "A", 1, 0, 0, 0)
    assert not rows(events, AgentGained)
    assert CitizenReturned(COUNCILLOR) in events


def test_B6_4_the_thief_takes_exactly_two_goods_of_one_player() -> None:
    state = new_state(3)
    put_guest(state, 1, "A", THIEF)
    give_goods(state, 1, 2, 0, 1, 0)
    give_goods(state, 2, 0, 0, 0, 1)
    plan(state, {0: (1,)})
    hire(state, "A", 1, 0, 0, 0)
    assert asked(state) == ("THIEF", 0)
    assert options(state) == [
        DeclineTheft(),
        StealGoods(1, (2, 0, 0, 0)),
        StealGoods(1, (1, 0, 1, 0)),
        StealGoods(2, (0, 0, 0, 1)),
    ]


def test_B6_4_a_finished_player_can_be_a_victim() -> None:
    """B3.3: nothing exempts him."""
    state = hired(THIEF)
    assert opened(state).finished[1] == 1
    assert any(isinstance(option, StealGoods) and option.victim == 1 for option in options(state))


def test_B6_4_with_no_victim_only_declining_is_left() -> None:
    state = new_state(2)
    give_goods(state, 1, 0, 0, 0)
    put_guest(state, 1, "A", THIEF)
    plan(state, {0: (1,)})
    hire(state, "A", 1, 0, 0)
    assert options(state) == [DeclineTheft()]
    assert CitizenReturned(THIEF) in act(state, DeclineTheft())


def test_B6_5_the_bank_pays_the_victim_the_price_of_each_good() -> None:
    state = new_state(3)
    put_masters(state, 6, 2, 5, 3)
    put_guest(state, 1, "A", THIEF)
    plan(state, {0: (1,)})
    hire(state, "A", 1, 0, 0, 0)
    events = act(state, StealGoods(1, (1, 0, 1, 0)))
    assert events[:2] == [GoodsStolen(0, 1, (1, 0, 1, 0), 11), CitizenReturned(THIEF)]
    assert goods_of(state, 0) == [1, 1, 2, 1]
    assert goods_of(state, 1) == [0, 1, 0, 1]
    assert (opened(state).talers[0], opened(state).talers[1]) == (25, 36)
    check_invariants(state)


def guard_state(round_number: int = 1) -> State:
    """A Guard has just been hired, and the only artisans in lodgings are a Brewer 3 at L2.B and a Brewer 7 at L1.C."""
    state = new_state(2)
    state.round = round_number
    for index in range(5):
        if index < round_number - 1:
            for house in range(3):
                opened(state).discards.append(opened(state).shops[house * 5 + index])
                opened(state).shops[house * 5 + index] = 0
    for guild in (1, 2, 3):
        for window in "ABCD":
            put_guest(state, guild, window, 0)
    for slot, value in enumerate((6, 2, 3, 4, 5), 1):
        if slot >= round_number:
            put_shop_tile(state, 1, slot, value)
    put_guest(state, 2, "B", artisan(1, 3))
    put_guest(state, 1, "C", artisan(1, 7))
    return state


def swaps(state: State) -> list[Action]:
    """What a Guard of the seat asked could do, no matter which seat hired it."""
    listing: Any = module.Listing()  # type: ignore[attr-defined]  # as that module has it, compiled or not
    swap_options(state, listing)
    return [action_of(code, state.houses) for code in listing.codes[: listing.count]]


def test_B6_6_the_guard_swaps_artisans_of_one_guild_in_canonical_order() -> None:
    """Positions S2 S3 S4 U, then lodgings; equal tiles (S3 and L2.B, both value 3) are not offered."""
    state = guard_state()
    places = [2, 3, 4, 5, 13, 22]
    pairs = [(a, b) for index, a in enumerate(places) for b in places[index + 1 :] if (a, b) != (3, 22)]
    brewers = [option for option in swaps(state) if isinstance(option, SwapArtisans) and option.guild == 1]
    assert swaps(state)[0] == DeclineSwap()
    assert brewers == [SwapArtisans(1, first, second) for first, second in pairs]


def test_B6_6_in_round_four_only_the_tile_under_the_master_moves() -> None:
    state = guard_state(round_number=4)
    brewers = [option for option in swaps(state) if isinstance(option, SwapArtisans) and option.guild == 1]
    assert brewers == [SwapArtisans(1, 5, 13), SwapArtisans(1, 5, 22), SwapArtisans(1, 13, 22)]


def test_B6_6_a_swap_changes_the_places_and_the_guard_returns() -> None:
    state = guard_state()
    put_guest(state, 1, "A", GUARD)
    plan(state, {0: (1,)})
    hire(state, "A", 1, 0, 0)
    assert asked(state) == ("GUARD", 0)
    events = act(state, SwapArtisans(1, 2, 22))
    assert opened(state).shops[1] == artisan(1, 3)
    assert opened(state).lodgings[5] == artisan(1, 2)
    assert CitizenReturned(GUARD) in events
    check_invariants(state)


def test_B6_7_the_pedlar_locks_a_loose_good() -> None:
    state = hired(PEDLAR, goods=(2, 0, 1, 0))
    assert asked(state) == ("PEDLAR_GOOD", 0)
    assert options(state) == [StoreGood(1), StoreGood(3)]
    act(state, StoreGood(1))
    assert goods_of(state, 0) == [0, 0, 1, 0]
    assert opened(state).pedlars[:4] == [1, 0, 0, 0]
    plan(state, {0: (1,)})
    assert not [option for option in options(state) if isinstance(option, SellGoods)]
    check_invariants(state)


def test_B6_7_without_a_loose_good_the_pedlar_returns_at_once() -> None:
    state = hired(PEDLAR, goods=(1, 0, 0, 0))
    assert not any(opened(state).pedlars)
    assert PEDLAR in opened(state).returned
    assert state.guest_in_use == 0


def pedlar_state(good: int, *goods: int) -> State:
    """Seat 0 has a Pedlar with a good of guild `good` stored, and these loose goods; the others have none."""
    state = new_state(3)
    for seat in (1, 2):
        give_goods(state, seat, 0, 0, 0, 0)
    counts = [count + (good == guild) for guild, count in enumerate(goods, 1)]
    give_goods(state, 0, *counts)
    opened(state).loose[good - 1] -= 1
    opened(state).pedlars[good - 1] += 1
    give_tile(state, 0, PEDLAR)
    opened(state).owned_tiles.pop()  # the Pedlar lies with its good
    return state


def test_B6_7_a_pedlar_counts_as_four_and_gives_its_good_back() -> None:
    """B8.5: the good comes back unless it paid, and the tile returns to the pile."""
    state = pedlar_state(2, 0, 1, 0, 0)
    give_goods(state, 1, 0, 4, 0, 0)
    opened(state).talers[1] = 99  # a tie would be his
    assert [favour_count(state, 1, seat) for seat in range(3)] == [5, 4, 0]
    events = told(choose_favourites, state)
    favourites = [event for event in events if isinstance(event, FavouriteChosen)]
    assert [(event.seat, event.guild) for event in favourites] == [(0, 2)]
    assert GoodTakenBack(0, 2) in events
    assert CitizenReturned(PEDLAR) in events
    assert goods_of(state, 0) == [0, 1, 0, 0]
    assert goods_of(state, 1) == [0, 4, 0, 0]


def test_B6_7_a_stored_good_pays_when_there_is_no_loose_one() -> None:
    """B8.4: then it does not come back, but the tile still returns."""
    state = pedlar_state(2, 0, 0, 0, 0)
    before = opened(state).stores[5]
    events = told(choose_favourites, state)
    assert opened(state).stores[5] == before + 1
    assert goods_of(state, 0) == [0, 0, 0, 0]
    assert not rows(events, GoodTakenBack)
    assert opened(state).returned == [PEDLAR]


def test_B6_7_a_thief_cannot_take_a_stored_good() -> None:
    state = pedlar_state(1, 0, 0, 0, 0)
    state.turn = 2
    give_goods(state, 1, 1, 0, 0, 0)
    put_guest(state, 1, "A", THIEF)
    plan(state, {1: (1,)})
    hire(state, "A", 1, 0, 0, 0)
    assert options(state) == [DeclineTheft()]


def test_B6_8_musicians_pay_in_every_income() -> None:
    """B6.15: each tile works on its own."""
    state = new_state(2)
    give_tile(state, 1, MUSICIAN_3)
    give_tile(state, 1, MUSICIAN_5)
    events = told(collect_income, state)
    assert events == [IncomePaid((3, 11))]
    assert opened(state).talers == [28, 36]


def test_B6_9_the_mayor_pays_everybody_for_artisans_of_his_guild() -> None:
    state = hired(MAYOR)
    assert asked(state) == ("MAYOR_GUILD", 0)
    assert options(state) == [PlaceMayor(guild) for guild in (1, 2, 3, 4)]
    act(state, PlaceMayor(3))
    assert opened(state).mayors == [0, 0, 1, 0]
    assert tiles_of(state, 0) == []
    check_invariants(state)
    give_tile(state, 1, artisan(3, 5))
    give_tile(state, 1, artisan(3, 6))
    give_tile(state, 2, artisan(4, 6))
    give_tile(state, 0, artisan(3, 4))
    events = told(collect_income, state)
    assert events == [IncomePaid((4, 5, 3))]


def test_B6_9_the_mayor_stays_on_his_roof() -> None:
    """B8.7: the agents go home and the Mayor does not."""
    state = new_state(2)
    opened(state).mayors[1] = 1
    recall_agents(state)
    assert opened(state).mayors == [0, 1, 0]


def test_B10_2_the_citizens_decision_comes_before_the_turn_order() -> None:
    state = new_state(2)
    opened(state).track = [1, 0]
    put_guest(state, 1, "A", THIEF)
    plan(state, {0: (1,), 1: (1,)})
    act(state, DoNothing())
    hire(state, "A", 1, 0, 0)
    assert asked(state)[0] == "THIEF"
    assert opened(state).talers[0] == 25  # the bonus comes after the guest was used
    act(state, DeclineTheft())
    assert opened(state).talers[0] == 26
    assert asked(state)[0] == "TURN_ORDER"
    assert options(state) == [KeepPlace(), MoveFirst()]


def test_B13_11_a_pedlar_leaves_at_the_end_of_the_round() -> None:
    state = hired(PEDLAR, goods=(2, 1, 0, 0))
    act(state, StoreGood(2))
    all_pass(state)
    assert state.round == 2
    check_invariants(state)
