"""B7 End of turn and B8 End of round."""

from __future__ import annotations

from itertools import groupby

from referee.games.norenberc.actions import DoNothing
from referee.games.norenberc.closing import (
    choose_favourites,
    collect_income,
    promote_masters,
    recall_agents,
    refill_lodgings,
    turn_tokens,
)
from referee.games.norenberc.events import (
    AgentGained,
    AgentsUsedUp,
    CitizenReturned,
    Event,
    FavouriteChosen,
    GoodTakenBack,
    IncomePaid,
    LodgingRefilled,
    NoFavourite,
    PlansLaid,
    RoundBegan,
    SeatScored,
    TalersShown,
)
from referee.games.norenberc.game import GAME
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.state import State, price
from tests.rules.norenberc.builders import (
    PEDLAR,
    act,
    all_pass,
    artisan,
    give_agents,
    give_goods,
    goods_of,
    new_state,
    opened,
    plan,
    put_guest,
    put_masters,
    put_shop_tile,
    rows,
    store_of,
    tiles_of,
    told,
)
from tests.rules.norenberc.contract_case import check_invariants


def bare_state(seats: int = 3) -> State:
    """A new game in which nobody has any goods."""
    state = new_state(seats)
    for seat in range(seats):
        give_goods(state, seat, *[0] * state.houses)
    return state


def favourites(state: State) -> list[Event]:
    return told(choose_favourites, state)


def test_B7_1_a_seat_without_agents_finishes_at_the_end_of_the_turn() -> None:
    state = new_state(2)
    give_agents(state, 0, 1)
    plan(state, {0: (1,), 1: (1,)})
    act(state, DoNothing())
    assert opened(state).finished == [0, 0]
    events = act(state, DoNothing())
    assert AgentsUsedUp(0) in events
    assert opened(state).finished == [1, 0]
    plan(state, {1: (1,)})
    assert not rows(act(state, DoNothing()), AgentsUsedUp)  # a seat finishes only once


def test_B7_2_a_new_turn_is_planned_by_the_active_seats_only() -> None:
    state = new_state(2)
    give_agents(state, 0, 1)
    plan(state, {0: (1,), 1: (1,)})
    act(state, DoNothing(), DoNothing())
    assert [decision.seat for decision in GAME.pending(state)] == [1]
    plan(state, {})
    assert (state.round, state.turn) == (2, 1)


def test_B3_9_a_round_has_at_most_eight_turns() -> None:
    state = new_state(2)
    give_agents(state, 0, 8)
    for turn in range(1, 9):
        assert (state.round, state.turn) == (1, turn)
        plan(state, {0: (1,)})
        act(state, DoNothing())
    assert (state.round, state.turn) == (2, 1)


def test_B8_the_steps_stand_in_the_order_of_the_rulebook() -> None:
    """B11.2: these are the steps at the end of the round, not of the turn; B3.7: after round 4 only three."""
    steps: list[list[type[Event]]] = []
    state = new_state(2)
    for _ in range(4):
        kinds = [type(event) for event in all_pass(state) if type(event) is not AgentGained]
        steps.append([kind for kind, _ in groupby(kinds)])
        assert not any(opened(state).on_roofs), "step 2"
        assert opened(state).finished == ([1, 1] if state.round == 4 and not GAME.pending(state) else [0, 0]), "step 4"
    ends = [FavouriteChosen, NoFavourite, TalersShown]
    for round_number, kinds in enumerate(steps, 1):
        rest = [kind for kind in kinds if kind not in ends]
        assert kinds[0] is PlansLaid
        assert {*kinds[1 : 1 - len(rest)]} <= {*ends}, "step 1 comes before all others"
        last = [PlansLaid, IncomePaid, SeatScored]
        assert rest == (last if round_number == 4 else [PlansLaid, IncomePaid, LodgingRefilled, RoundBegan])


def test_B8_1_guilds_are_resolved_in_ascending_order() -> None:
    state = new_state(3)
    give_goods(state, 0, 2, 2, 2, 2)
    chosen = [event for event in favourites(state) if isinstance(event, FavouriteChosen)]
    assert [event.guild for event in chosen] == [1, 2, 3, 4]


def test_B8_2_most_goods_win_without_any_talers_shown() -> None:
    state = bare_state()
    give_goods(state, 1, 2, 0, 0, 0)
    give_goods(state, 2, 1, 0, 0, 0)
    opened(state).talers[1] = 0
    events = favourites(state)
    assert events[0] == FavouriteChosen(1, 1, (opened(state).owned_tiles[0],), state.prestige_house == 0)
    assert not rows(events, TalersShown)


def test_B8_3_talers_break_a_tie_and_only_the_tied_show_them() -> None:
    """B12.4: what was shown is known to all from then on."""
    state = bare_state()
    give_goods(state, 0, 0, 1, 0, 0)
    give_goods(state, 2, 0, 1, 0, 0)
    opened(state).talers = [11, 99, 12]
    events = favourites(state)
    assert TalersShown(2, (0, 2), (11, 12)) in events
    assert [event.seat for event in events if isinstance(event, FavouriteChosen)] == [2]
    view = GAME.observe(state, 1)
    assert view.shown_talers == (11, 25, 12)
    assert view.shown_rounds == (1, 0, 1)


def test_B8_2_the_track_breaks_a_tie_in_talers() -> None:
    state = bare_state()
    opened(state).track = [2, 1, 0]
    give_goods(state, 0, 0, 1, 0, 0)
    give_goods(state, 1, 0, 1, 0, 0)
    assert [event.seat for event in favourites(state) if isinstance(event, FavouriteChosen)] == [1]


def test_B8_4_the_favourite_pays_a_good_and_takes_master_and_blazon() -> None:
    state = bare_state()
    put_masters(state, 2, 7, 3, 3)
    state.prestige_house = 1
    give_goods(state, 1, 3, 0, 0, 0)
    before = store_of(state, 1)[0]
    events = favourites(state)
    assert events[:2] == [FavouriteChosen(1, 1, (artisan(1, 2),), False), AgentGained(1)]
    assert goods_of(state, 1)[0] == 2
    assert store_of(state, 1)[0] == before + 1
    assert tiles_of(state, 1) == [artisan(1, 2)]
    assert (opened(state).stacks[0], opened(state).blazons[4]) == (3, 1)
    assert opened(state).prestige == [0, 0, 0]
    assert (opened(state).supply[1], opened(state).reserve[1]) == (5, 3)


def test_B8_4_in_round_four_the_tile_under_the_master_comes_with_it() -> None:
    state = bare_state(2)
    put_shop_tile(state, 1, 5, 2)
    put_shop_tile(state, 1, 4, 6)
    state.round = 4
    give_goods(state, 1, 1, 0, 0)
    events = favourites(state)
    assert FavouriteChosen(1, 1, (artisan(1, 6), artisan(1, 2)), state.prestige_house == 0) in events
    assert AgentGained(1) in events
    assert tiles_of(state, 1) == [artisan(1, 6), artisan(1, 2)]
    assert opened(state).shops[3:5] == [0, 0]


def test_B8_5_pedlars_leave_in_turn_order_after_all_favourites() -> None:
    state = bare_state()
    opened(state).track = [2, 0, 1]
    for seat, house in ((0, 3), (2, 3)):
        opened(state).pedlars[seat * 4 + house] = 1
        opened(state).stores[house * 4 + house] -= 1
    events = favourites(state)
    last = max(index for index, event in enumerate(events) if isinstance(event, (FavouriteChosen, NoFavourite)))
    assert events[last + 1 :] == [CitizenReturned(PEDLAR), GoodTakenBack(0, 4), CitizenReturned(PEDLAR)]


def test_B8_6_without_a_favourite_everything_but_the_guild_blazon_goes_to_the_box() -> None:
    state = bare_state()
    state.prestige_house = 0
    tile = opened(state).shops[0]
    events = favourites(state)
    assert events[0] == NoFavourite(1, (tile,), True)
    assert tile in opened(state).discards
    assert opened(state).shops[0] == 0
    assert opened(state).stacks == [4, 4, 4, 4]
    assert (state.prestige_placed, state.prestige_boxed) == (0, 1)


def test_B8_6_in_round_four_the_tile_under_the_master_goes_to_the_box_too() -> None:
    state = bare_state(2)
    state.round = 4
    tiles = (opened(state).shops[3], opened(state).shops[4])
    assert NoFavourite(1, tiles, state.prestige_house == 0) in favourites(state)


def test_B8_7_all_agents_return_to_the_supplies() -> None:
    state = new_state(2)
    opened(state).on_roofs = [1, 0, 2, 0, 1, 0]
    opened(state).supply = [1, 3]
    recall_agents(state)
    assert opened(state).supply == [4, 4]
    assert not any(opened(state).on_roofs)


def test_B8_8_everybody_receives_three_talers() -> None:
    state = new_state(2)
    told(collect_income, state)
    assert opened(state).talers == [28, 28]


def test_B8_9_all_tokens_turn_to_the_agent_side() -> None:
    state = new_state(2)
    opened(state).finished = [1, 1]
    state.turn = 5
    turn_tokens(state)
    assert (opened(state).finished, state.turn) == ([0, 0], 1)


def test_B8_10_the_next_tile_of_every_shop_is_the_master() -> None:
    state = new_state(2)
    values = [opened(state).shops[house * 5 + 1] // 10 % 10 for house in range(3)]
    promote_masters(state)
    assert [price(state, house) for house in range(3)] == values


def test_B8_11_lodgings_drop_a_slide_left_and_fill_from_the_left() -> None:
    state = new_state(2)
    for window, tile in (("A", artisan(2, 7)), ("B", 0), ("C", artisan(3, 7)), ("D", 0)):
        put_guest(state, 1, window, tile)
    top = opened(state).pile[:-4:-1]
    events = told(refill_lodgings, state)
    assert opened(state).lodgings[:4] == [artisan(3, 7), *top]
    assert events[0] == LodgingRefilled(1, artisan(2, 7), (artisan(3, 7), *top))
    assert opened(state).discards == [artisan(2, 7)]


def test_B8_12_windows_that_the_pile_does_not_reach_stay_empty() -> None:
    """B11.3: the right-hand ones, and all empty windows of the following guilds."""
    state = new_state(2)
    for index, tile in enumerate(opened(state).lodgings):
        if tile:
            opened(state).discards.append(tile)
            opened(state).lodgings[index] = 0
    opened(state).discards += opened(state).pile[5:]
    del opened(state).pile[5:]
    told(refill_lodgings, state)
    assert [tile > 0 for tile in opened(state).lodgings] == [True] * 5 + [False] * 7
    assert opened(state).pile == []


def test_B8_13_the_last_prestige_guild_is_excluded() -> None:
    state = new_state(2)
    put_masters(state, 7, 5, 5)
    state.prestige_house, state.prestige_stock = 0, 3
    name_prestige_guild(state)
    assert state.prestige_house == 1
    assert state.prestige_stock == 2


def test_B3_7_after_round_four_the_game_is_scored() -> None:
    """B8.8: income also comes in round 4; B3.1: four rounds make a game."""
    state = new_state(2)
    for round_number in (2, 3, 4):
        events = all_pass(state)
        assert state.round == round_number
        (began,) = rows(events, RoundBegan)
        assert isinstance(began, RoundBegan)
        assert began.prestige_guild == state.prestige_house + 1
        check_invariants(state)
    before = opened(state).lodgings[:]
    events = all_pass(state)
    assert len(rows(events, SeatScored)) == 2
    assert GAME.pending(state) == ()
    assert opened(state).lodgings == before
    assert opened(state).talers == [37, 37]
    check_invariants(state)
