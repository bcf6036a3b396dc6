"""C7 - C12: boundary, wall phase, guards, towers, the end and the ranking."""

from __future__ import annotations

import pytest

from referee.game import IllegalActionError
from referee.games.carcassonne_city.actions import (
    BUILD_TOWER,
    BUILD_WALL,
    DECLINE,
    POST_GUARD,
    PlaceGate,
)
from referee.games.carcassonne_city.boundary import next_side, outer_boundary
from referee.games.carcassonne_city.components import WALLS
from referee.games.carcassonne_city.events import (
    Ending,
    FeatureScored,
    FollowersRemoved,
    GameEnded,
    GatePlaced,
    GuardPosted,
    TowerBuilt,
    WallBuilt,
    WallPhaseBegan,
)
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import cell_at
from referee.games.carcassonne_city.state import State, gap, wall_supply
from referee.games.carcassonne_city.steps import ASK_WALL, CHECK_END, step_of
from tests.rules.carcassonne_city.builders import (
    BLUE,
    BOARD_K,
    GREEN,
    MARKET,
    RED,
    RESIDENTIAL,
    STREET,
    WALLS_OF_X14,
    act,
    asked,
    end_game,
    end_turn,
    ending_of,
    gate,
    guard,
    lay,
    name,
    opened,
    options,
    row,
    set_agenda,
    side,
    stand,
    table,
    tower_decision,
    wall_of,
    wall_phase,
    walls,
)

CW, CCW = BUILD_WALL
CITY_OF_25 = ", ".join(f"P03@({x},{y}) r0" for x in range(5) for y in range(5))
RING_OF_EIGHT = ", ".join(f"P03@({x},{y}) r0" for x in range(3) for y in range(3) if (x, y) != (1, 1))


def play_phase(state: State, arm: int = 0) -> list[tuple[int, str]]:
    """Play a wall phase with all walls at one end and nothing that is optional; return who was asked what."""
    asked_for = []
    while GAME.pending(state) and asked(state)[1] not in ("PLACE_TILE", "PLACE_FOLLOWER"):
        asked_for.append(asked(state))
        kind = asked_for[-1][1]
        act(state, PlaceGate(0, 0, 0) if kind == "PLACE_GATE" else BUILD_WALL[arm] if kind == "PLACE_WALL" else DECLINE)
    return asked_for


def test_C7_1_a_gap_that_reaches_the_outside_only_across_a_corner_is_a_hole() -> None:
    """Seven tiles around a cell leave one corner open, and the walk passes it by (C7.4, inner corner)."""
    state = table(RING_OF_EIGHT.replace("P03@(2,2) r0, ", "").replace(", P03@(2,2) r0", ""))
    assert len(opened(state).tiles) == 7
    assert state.perimeter == 12
    assert name(next_side(state, side("(2,1,S)"), 0)) == "(1,2,E)"
    assert name(next_side(state, side("(1,2,E)"), 1)) == "(2,1,S)"


def test_C7_1_a_cell_in_the_middle_of_a_large_hole_is_a_hole_as_well() -> None:
    """No tile touches the middle of a hole of nine cells until one is laid beside it."""
    rim = [(x, y) for x in range(5) for y in range(5) if x in (0, 4) or y in (0, 4)]
    state = table(", ".join(f"P03@({x},{y}) r0" for x, y in rim))
    for tile in ("P01@(2,1) r0", "P01@(2,2) r0", "P02@(1,2) r0"):
        lay(state, RED, tile)
        assert state.perimeter == len(outer_boundary(state)) == 20


def test_C7_2_walls_never_stand_around_holes() -> None:
    state = table(RING_OF_EIGHT)
    inner = {side("(1,0,S)"), side("(0,1,E)"), side("(2,1,W)"), side("(1,2,N)")}
    assert not inner & set(outer_boundary(state))
    assert len(outer_boundary(state)) == state.perimeter == 12


def test_C7_3_cw_walks_east_along_a_north_side() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0")
    assert name(next_side(state, side("(0,0,N)"), 0)) == "(1,0,N)"
    assert name(next_side(state, side("(0,0,N)"), 1)) == "(0,0,W)"


def test_C7_5_the_gate_may_stand_on_any_side_of_the_outer_boundary_and_nowhere_else() -> None:
    state = wall_phase(table(RING_OF_EIGHT), RED)
    expected = sorted((address for address in outer_boundary(state)), key=lambda s: (s >> 2, s & 3))
    assert [side(f"({a.x},{a.y},{'NESW'[a.side]})") for a in options(state) if isinstance(a, PlaceGate)] == expected
    assert options(state)[0] == PlaceGate(0, 0, 0)
    for refused in (PlaceGate(1, 0, 2), PlaceGate(1, 1, 0), PlaceGate(0, 0, 7), PlaceGate(10**9, 0, 0)):
        with pytest.raises(IllegalActionError, match=r"C7\.5"):
            GAME.check(state, RED, refused)


def test_C7_8_pieces_stay_and_a_new_tile_may_change_what_comes_next() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0, P03@(2,0) r0")
    gate(state, "(0,0,N)")
    assert name(next_side(state, opened(state).ends[0], 0)) == "(1,0,N)"
    lay(state, RED, "P01@(1,-1) r0")
    assert name(next_side(state, opened(state).ends[0], 0)) == "(1,-1,W)"
    assert state.gate == side("(0,0,N)")


def test_C7_9_the_gate_closes_its_side() -> None:
    state = table("P06@(0,0) r0, P03@(1,0) r0")
    stand(state, RED, STREET, 0, 0, 0)
    wall_phase(state, BLUE)
    events = act(state, PlaceGate(0, 0, 0))
    assert events[0] == GatePlaced(BLUE, 0, 0, 0)
    assert isinstance(events[1], FeatureScored)
    assert opened(state).scores == [1, 0, 0]


def test_C7_10_C7_11_building_stops_when_the_ring_is_closed_and_both_ends_offer_towers() -> None:
    """C8.10, C10.4: with 2 seats in regime 3 there are eight pieces for six sides."""
    state = wall_phase(table("P03@(0,0) r0, P03@(1,0) r0", seats=2), RED, regime=3)
    act(state, PlaceGate(0, 0, 0))
    gaps = [gap(state)]
    while asked(state)[1] == "PLACE_WALL":
        act(state, CW if len(wall_of(state).sides) < 3 else CCW)
        gaps.append(gap(state))
    assert gaps == [5, 4, 3, 2, 1, 0]
    assert [asked(state)[1], opened(state).lengths] == ["PLACE_GUARD", [3, 2]]
    act(state, DECLINE)
    act(state, DECLINE)
    assert asked(state) == (RED, "PLACE_TOWER")
    assert options(state) == [DECLINE, *BUILD_TOWER]


def test_C7_12_seventy_walls_can_be_built() -> None:
    assert WALLS == 70


@pytest.mark.parametrize("regime", [2, 3])
def test_C8_1_a_scoring_starts_one_wall_phase_from_pile_2_on(regime: int) -> None:
    """C8.2: two features scored at once still mean one phase."""
    corners = "P03@(-1,-1) r0, P03@(1,-1) r0, P03@(-1,1) r0, P03@(1,1) r0"
    for its_regime, phases in ((1, 0), (regime, 1)):
        state = table(corners + ", P06@(-1,0) r1, P06@(1,0) r3, M01G@(0,-1) r2, M01L@(0,1) r0")
        stand(state, BLUE, STREET, 1, 0, 0)
        stand(state, GREEN, STREET, -1, 0, 0)
        lay(state, GREEN, "M11F@(0,0) r0", its_regime)
        events = act(state, DECLINE)
        assert sum(isinstance(event, FeatureScored) for event in events) == 2
        assert [event for event in events if isinstance(event, WallPhaseBegan)] == [
            WallPhaseBegan(GREEN, regime, (1, 1, 2) if regime == 2 else (2, 2, 3))
        ] * phases
        assert asked(state) == ((GREEN, "PLACE_GATE") if phases else (RED, "PLACE_TILE"))


@pytest.mark.parametrize(
    ("seats", "regime", "first", "later"),
    [
        (2, 2, [1, 0, 1], [0, 1, 0, 1]),
        (2, 3, [1, 0, 1, 0, 1, 0, 1], [0, 1] * 4),
        (3, 2, [1, 2, 0], [0, 1, 2]),
        (3, 3, [1, 2, 0, 1, 2, 0], [0, 1, 2] * 2),
        (4, 2, [1, 2, 3, 0], [0, 1, 2, 3]),
        (4, 3, [1, 2, 3, 0, 1, 2, 3, 0], [0, 1, 2, 3] * 2),
    ],
)
def test_C8_3_C8_4_C8_5_quota_and_order(seats: int, regime: int, first: list[int], later: list[int]) -> None:
    state = wall_phase(table(CITY_OF_25, seats), 0, regime)
    phase = play_phase(state)
    assert phase[0] == (0, "PLACE_GATE")
    assert [seat for seat, kind in phase if kind == "PLACE_WALL"] == first
    wall_phase(state, 0, regime)
    assert [seat for seat, kind in play_phase(state) if kind == "PLACE_WALL"] == later


def test_C8_5_the_trigger_begins_whoever_it_is() -> None:
    state = table(CITY_OF_25, 4)
    gate(state, "(0,0,N)")
    wall_phase(state, 2)
    assert [seat for seat, kind in play_phase(state) if kind == "PLACE_WALL"] == [2, 3, 0, 1]


def test_C8_6_a_follower_sent_home_by_a_wall_can_stand_guard_on_it() -> None:
    state = table("P06@(0,0) r1, P03@(-1,0) r0, P03@(-2,0) r0")
    stand(state, RED, STREET, 0, 0, 0)
    gate(state, "(0,0,N)")
    opened(state).supply[RED] = 0
    wall_phase(state, RED)
    act(state, CW)
    assert asked(state) == (RED, "PLACE_GUARD")


def test_C8_7_in_regime_2_a_guard_is_offered_after_each_wall() -> None:
    state = table(CITY_OF_25, 2)
    gate(state, "(0,0,N)")
    wall_phase(state, 0, 2)
    kinds = [kind for _seat, kind in play_phase(state)]
    assert kinds == ["PLACE_WALL", "PLACE_GUARD"] * 4 + ["PLACE_TOWER"]


def test_C8_8_in_regime_3_each_seat_is_offered_one_guard_on_its_last_wall() -> None:
    state = table(CITY_OF_25, 3)
    gate(state, "(0,0,N)")
    wall_phase(state, 1, 3)
    for arm in (CW, CCW, CW, CCW, CW, CCW):
        act(state, arm)
    last = [opened(state).last_walls[seat] for seat in range(3)]
    assert last == [5, 3, 4]
    for seat in (1, 2, 0):
        assert asked(state) == (seat, "PLACE_GUARD")
        posted = act(state, POST_GUARD)[0]
        assert isinstance(posted, GuardPosted)
        address = wall_of(state).sides[last[seat]]
        assert (cell_at(posted.x, posted.y), posted.side) == (address >> 2, address & 3)
    assert asked(state) == (1, "PLACE_TOWER")


def test_C8_9_the_tower_comes_last_and_only_the_trigger_is_asked() -> None:
    state = table(CITY_OF_25, 4)
    gate(state, "(0,0,N)")
    wall_phase(state, 3)
    phase = play_phase(state)
    assert [seat for seat, kind in phase if kind == "PLACE_TOWER"] == [3]
    assert phase[-1] == (3, "PLACE_TOWER")
    assert asked(state) == (0, "PLACE_TILE")


def test_C8_10_walls_are_handed_out_until_the_supply_is_empty() -> None:
    """C11.1, C11.2: the phase in which the last wall is built is completed, then the game ends."""
    tiles = ", ".join(f"P03@({x},0) r0" for x in range(40))
    state = table(tiles, 4)
    gate(state, "(0,0,W)")
    for _ in range(WALLS - 2):
        address = next_side(state, state.ends[0], 0)
        walls(state, f"cw {name(address)}")
    assert wall_supply(state) == 2
    wall_phase(state, 1, 3)
    phase = play_phase(state)
    assert phase == [
        (1, "PLACE_WALL"),
        (2, "PLACE_WALL"),
        (1, "PLACE_GUARD"),
        (2, "PLACE_GUARD"),
        (1, "PLACE_TOWER"),
    ]
    assert GAME.pending(state) == ()
    assert ending_of(state) is Ending.WALLS_EXHAUSTED


def test_C8_11_pieces_to_come_are_public() -> None:
    state = wall_phase(table(CITY_OF_25, 3), 1, 3)
    assert GAME.observe(state, None).piece_counts == (2, 3, 2)
    act(state, PlaceGate(0, 0, 0))
    assert GAME.observe(state, None).piece_counts == (2, 2, 2)
    act(state, CW)
    view = GAME.observe(state, 0)
    assert view.piece_counts == (2, 2, 1)
    assert (view.trigger, view.regime, view.deciding_seat, view.last_walls) == (1, 3, 0, (-1, -1, 0))


def test_C9_1_no_guard_decision_without_followers() -> None:
    state = table(CITY_OF_25)
    gate(state, "(0,0,N)")
    opened(state).supply[RED] = 0
    wall_phase(state, RED)
    act(state, CW)
    assert asked(state) == (BLUE, "PLACE_WALL")


def test_C9_2_a_row_ends_before_the_first_unoccupied_cell() -> None:
    state = table(RING_OF_EIGHT)
    assert row(state, side("(0,0,W)")) == [cell_at(x, 0) for x in range(3)]
    assert row(state, side("(0,1,W)")) == [cell_at(0, 1)]
    assert row(state, side("(1,2,S)")) == [cell_at(1, 2)]


def test_C9_3_a_wall_without_guard_or_the_gate_opposite_is_no_hindrance() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0, P03@(2,0) r0")
    gate(state, "(0,0,W)")
    walls(state, "cw (0,0,N)", "cw (1,0,N)", "cw (2,0,N)", seat=BLUE)
    wall_phase(state, RED)
    act(state, CW)
    assert name(wall_of(state).sides[-1]) == "(2,0,E)"
    assert asked(state) == (RED, "PLACE_GUARD")
    act(state, DECLINE)
    act(state, CW)
    assert asked(state) == (BLUE, "PLACE_GUARD"), "the wall on (2,0,N) has no guard"


def test_C9_5_guards_never_return_before_the_end() -> None:
    state = table(CITY_OF_25)
    gate(state, "(0,0,N)")
    walls(state, "cw (1,0,N)")
    guard(state, RED, "(1,0,N)")
    end_turn(state)
    assert opened(state).supply[RED] == 6
    assert opened(state).scores == [0, 0, 0]


def test_C10_2_a_tower_counts_from_the_last_tower_of_whichever_seat() -> None:
    state = table(BOARD_K)
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14[:3])
    tower_decision(state, BLUE)
    act(state, BUILD_TOWER[0])
    walls(state, WALLS_OF_X14[3])
    tower_decision(state, RED)
    assert options(state) == [DECLINE, BUILD_TOWER[0]]
    assert act(state, BUILD_TOWER[0])[0] == TowerBuilt(RED, BUILD_TOWER[0].arm, 1)
    assert opened(state).scores == [1, 3, 0]


def test_C10_3_no_tower_without_walls_or_towers() -> None:
    state = table(BOARD_K)
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14[:1])
    tower_decision(state, RED)
    with pytest.raises(IllegalActionError, match=r"C10\.3"):
        GAME.check(state, RED, BUILD_TOWER[1])
    opened(state).towers[RED] = 0
    tower_decision(state, RED)
    assert asked(state) == (BLUE, "PLACE_TILE")


def test_C13_2_with_gap_1_both_ends_mean_the_same_side_but_not_the_same_arm() -> None:
    for chosen, lengths in ((CW, [5, 0]), (CCW, [4, 1])):
        state = table("P03@(0,0) r0, P03@(1,0) r0")
        gate(state, "(0,0,N)")
        walls(state, "cw (1,0,N)", "cw (1,0,E)", "cw (1,0,S)", "cw (0,0,S)")
        assert gap(state) == 1
        set_agenda(state, step_of(CHECK_END, 0), step_of(ASK_WALL, RED))
        assert options(state) == [CW, CCW]
        wall = act(state, chosen)[0]
        assert isinstance(wall, WallBuilt)
        assert (wall.x, wall.y, wall.side, wall.gap) == (0, 0, 3, 0)
        assert opened(state).lengths == lengths


def test_C11_3_a_tile_in_a_notch_can_end_the_game_without_a_wall_phase() -> None:
    """Board K with gap 7: the tile on (2, 0) takes three sides away and adds one, which leaves 5, not fewer."""
    state = table(BOARD_K)
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14)
    lay(state, RED, "M12F@(2,0) r0")
    assert gap(state) == 5
    assert not any(isinstance(event, GameEnded) for event in act(state, DECLINE))
    state = table(BOARD_K)
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14, "ccw (4,0,N)")
    lay(state, RED, "M12F@(2,0) r0")
    assert GameEnded(Ending.RING_NEARLY_CLOSED) in act(state, DECLINE)


def test_C11_4_the_last_tile_ends_the_game_after_its_wall_phase() -> None:
    state = table("P06@(0,0) r2, P03@(1,0) r0", copies=0)
    stand(state, RED, STREET, 0, 0, 0)
    lay(state, BLUE, "P06@(0,1) r0", regime=3)
    act(state, DECLINE)
    assert asked(state) == (BLUE, "PLACE_GATE")
    play_phase(state)
    assert GAME.pending(state) == ()
    assert ending_of(state) is not None


def test_C11_the_reasons_are_tested_in_their_order() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0", copies=0)
    gate(state, "(0,0,N)")
    walls(state, "cw (1,0,N)")
    events = end_turn(state)
    assert events[0] == GameEnded(Ending.RING_NEARLY_CLOSED), "gap 4 comes before the empty piles"


def test_C11_6_the_closing_scores_everything_open_to_the_outside_even_without_a_gate() -> None:
    """C11.5, C11.7: what opens into a hole is not finished, and its follower leaves without points."""
    state = table(RING_OF_EIGHT.replace("P03@(1,0) r0", "P06@(1,0) r2").replace("P03@(0,0) r0", "P06@(0,0) r0"))
    stand(state, RED, STREET, 1, 0, 0)
    stand(state, BLUE, STREET, 0, 0, 0)
    stand(state, GREEN, RESIDENTIAL, 0, 1, 0)
    events = end_game(state)
    assert opened(state).scores == [0, 1, 0]
    assert FollowersRemoved((1, 0, 0)) in events
    assert opened(state).supply == [7, 7, 6]


def test_C12_2_C12_3_only_the_seats_with_most_residents_are_paid() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0, P03@(2,0) r0, M01F@(0,1) r0, M01F@(2,1) r0")
    for seat, x in ((RED, 0), (RED, 1), (BLUE, 2)):
        stand(state, seat, RESIDENTIAL, x, 0, 0)
    end_game(state)
    assert opened(state).scores == [4, 0, 0]


def test_C12_4_a_market_touches_across_a_side_or_inside_a_tile_but_not_behind_a_street() -> None:
    """M03F has a market to the north, a street through, and land to the south."""
    for index, points in ((0, 2), (1, 0)):
        state = table("M03F@(0,0) r0")
        stand(state, RED, RESIDENTIAL, 0, 0, index)
        end_game(state)
        assert opened(state).scores[RED] == points
    state = table("M03F@(0,0) r0, M01F@(0,1) r0")
    stand(state, RED, RESIDENTIAL, 0, 0, 1)
    end_game(state)
    assert opened(state).scores[RED] == 2, "the market to the south touches across the side"


def test_C12_4_one_market_counts_once_per_area_and_for_several_areas() -> None:
    state = table("M11F@(0,0) r0")
    stand(state, RED, RESIDENTIAL, 0, 0, 0)
    stand(state, BLUE, RESIDENTIAL, 0, 0, 1)
    end_game(state)
    assert opened(state).scores == [2, 2, 0]


def test_C12_5_size_and_completion_do_not_matter() -> None:
    state = table("P03@(0,0) r0, M01F@(1,0) r0, P03@(0,1) r0, P03@(-1,0) r0")
    stand(state, RED, RESIDENTIAL, 0, 0, 0)
    stand(state, BLUE, MARKET, 1, 0, 0)
    end_game(state)
    assert opened(state).scores == [2, 1, 0]


def test_C12_6_a_building_may_count_for_several_guards() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0")
    gate(state, "(1,0,S)")
    walls(state, "cw (0,0,S)", "cw (0,0,W)", "cw (0,0,N)")
    guard(state, RED, "(0,0,W)")
    guard(state, BLUE, "(0,0,N)")
    end_game(state)
    assert opened(state).scores == [4, 2, 0]


def test_C12_7_equal_scores_share_the_rank() -> None:
    state = table("P03@(0,0) r0", seats=4)
    end_game(state)
    for scores, ranks in (([5, 9, 9, 1], (3, 1, 1, 4)), ([0, 0, 0, 0], (1, 1, 1, 1)), ([1, 2, 3, 4], (4, 3, 2, 1))):
        opened(state).scores = scores
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.ranks == ranks
        assert outcome.scores == tuple(scores)
