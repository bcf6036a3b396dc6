"""C16: every worked example of the rule page."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.carcassonne_city.actions import (
    BUILD_TOWER,
    BUILD_WALL,
    DECLINE,
    POST_GUARD,
    PlaceFollower,
    PlaceGate,
    PlaceTile,
)
from referee.games.carcassonne_city.boundary import next_side, outer_boundary
from referee.games.carcassonne_city.events import (
    Ending,
    FeatureScored,
    GameEnded,
    TowerBuilt,
    WallBuilt,
    WallPhaseBegan,
)
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import cell_at
from referee.games.carcassonne_city.guards import has_guard_decision
from referee.games.carcassonne_city.state import State, gap, wall_supply
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
    gate,
    guard,
    has_piece,
    lay,
    name,
    opened,
    options,
    row,
    side,
    stand,
    steps_of,
    table,
    tower_decision,
    turn_of,
    wall_of,
    wall_phase,
    walls,
)

CW, CCW = BUILD_WALL
AREAS_OF_X10 = "P01@(-1,-1) r0, M10F@(0,-1) r1, P02@(1,-1) r0, M10G@(1,0) r0, M10L@(-1,0) r0"


def walled_k(seats: int = 3) -> State:
    """Board K with gate and eight walls as in X14."""
    state = table(BOARD_K, seats)
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14)
    return state


def scored(events: object) -> list[FeatureScored]:
    assert isinstance(events, Sequence)
    return [event for event in events if isinstance(event, FeatureScored)]


def test_C4_X1_streets_must_continue() -> None:
    state = turn_of(table("P09@(0,0) r0"), RED, "P12")
    expected = [(-1, 0, 2), (-1, 0, 3), (0, -1, 1), (0, -1, 2), (0, 1, 0), (0, 1, 3), (1, 0, 0), (1, 0, 1)]
    assert options(state) == [PlaceTile(*place) for place in expected]
    turn_of(state, RED, "M01F")
    assert options(state) == [PlaceTile(x, 0, rotation) for x in (-1, 1) for rotation in range(4)]


def test_C5_2_X2_only_a_resident_where_a_merchant_stands_already() -> None:
    state = table("M01F@(0,0) r0")
    stand(state, BLUE, MARKET, 0, 0, 0)
    lay(state, RED, "M08G@(0,-1) r1")
    assert options(state) == [DECLINE, PlaceFollower(RESIDENTIAL, 0)]


def test_C5_1_X3_three_choices_beside_an_occupied_area() -> None:
    state = table("P03@(0,0) r0")
    stand(state, RED, RESIDENTIAL, 0, 0, 0)
    lay(state, BLUE, "M05F@(1,0) r0")
    assert options(state) == [
        DECLINE,
        PlaceFollower(STREET, 0),
        PlaceFollower(MARKET, 0),
        PlaceFollower(RESIDENTIAL, 0),
    ]


def test_C5_3_X4_a_market_completed_at_once_takes_no_merchant_and_starts_no_wall_phase() -> None:
    for regime in (1, 2, 3):
        state = table("M01F@(0,0) r0")
        lay(state, BLUE, "M01G@(0,-1) r2", regime)
        assert options(state) == [DECLINE, PlaceFollower(RESIDENTIAL, 0)]
        events = act(state, DECLINE)
        assert not scored(events)
        assert not any(isinstance(event, WallPhaseBegan) for event in events)
        assert asked(state) == (GREEN, "PLACE_TILE")


def test_C6_5_X5_a_street_of_three_tiles_is_worth_three() -> None:
    state = table("P06@(0,0) r2, P09@(0,1) r0")
    stand(state, RED, STREET, 0, 0, 0)
    lay(state, BLUE, "P06@(0,2) r0")
    assert opened(state).supply[RED] == 6
    (event,) = scored(act(state, DECLINE))
    assert event == FeatureScored(STREET, 0, 0, 0, 3, 0, 3, (RED,), (1, 0, 0))
    assert opened(state).scores == [3, 0, 0]
    assert opened(state).supply[RED] == 7


def test_C6_5_X6_a_street_of_four_tiles_is_worth_eight() -> None:
    state = table("P06@(0,0) r2, P09@(0,1) r0, P09@(0,2) r0")
    stand(state, RED, STREET, 0, 0, 0)
    lay(state, BLUE, "P06@(0,3) r0")
    act(state, DECLINE)
    assert opened(state).scores == [8, 0, 0]


def test_C6_6_X7_three_tiles_of_three_kinds_are_worth_nine() -> None:
    state = table("M01F@(0,0) r2, M10G@(0,1) r0")
    stand(state, BLUE, MARKET, 0, 0, 0)
    lay(state, RED, "M01L@(0,2) r0")
    (event,) = scored(act(state, DECLINE))
    assert (event.tile_count, event.kind_count, event.points) == (3, 3, 9)
    assert opened(state).scores == [0, 9, 0]


def test_C6_6_X8_four_tiles_of_two_kinds_are_worth_eight() -> None:
    state = table("M01F@(0,0) r2, M10F@(0,1) r0, M10G@(0,2) r0")
    stand(state, BLUE, MARKET, 0, 0, 0)
    lay(state, RED, "M01G@(0,3) r0")
    act(state, DECLINE)
    assert opened(state).scores == [0, 8, 0]


def test_C6_7_X9_joined_markets_pay_both_merchants_in_full() -> None:
    state = table(
        "M01F@(0,0) r2, M10F@(0,1) r0, P09@(-1,1) r0, P09@(-1,2) r0, P08@(-1,3) r0, M10L@(0,3) r0, M08L@(0,4) r0, "
        "M01G@(1,4) r3"
    )
    stand(state, RED, MARKET, 0, 0, 0)
    stand(state, BLUE, MARKET, 0, 3, 0)
    lay(state, GREEN, "M10G@(0,2) r0")
    (event,) = scored(act(state, DECLINE))
    assert event == FeatureScored(MARKET, 0, 0, 0, 6, 3, 18, (RED, BLUE), (1, 1, 0))
    assert opened(state).scores == [18, 18, 0]
    assert opened(state).supply == [7, 7, 7]


def joined_areas(*residents: int) -> State:
    """X10: three areas with these seats' residents, joined by the tile in the middle."""
    state = table(AREAS_OF_X10)
    places = ((0, -1, 0), (1, 0, 1), (-1, 0, 0))
    for seat, place in zip(residents, places, strict=False):
        stand(state, seat, RESIDENTIAL, *place)
    lay(state, GREEN, "P03@(0,0) r0")
    return state


def test_C5_2_X10_three_joined_areas_leave_no_follower_option() -> None:
    state = joined_areas(RED, BLUE, GREEN)
    assert asked(state) == (GREEN, "PLACE_FOLLOWER")
    assert options(state) == [DECLINE]


def test_C8_4_X11_gate_and_first_walls_with_three_seats() -> None:
    state = wall_phase(table(BOARD_K), RED)
    assert asked(state) == (RED, "PLACE_GATE")
    act(state, PlaceGate(2, 1, 2))
    built = []
    for seat, arm in ((BLUE, CCW), (GREEN, CW), (RED, CCW)):
        assert asked(state) == (seat, "PLACE_WALL")
        (wall,) = act(state, arm)
        assert isinstance(wall, WallBuilt)
        built.append((wall.x, wall.y, wall.side))
        assert asked(state) == (seat, "PLACE_GUARD")
        act(state, DECLINE)
    assert built == [(3, 1, 2), (1, 1, 2), (4, 1, 2)]
    assert asked(state) == (RED, "PLACE_TOWER")
    assert options(state) == [DECLINE, *BUILD_TOWER]
    assert (gap(state), wall_supply(state)) == (12, 67)
    for tower, points in zip(BUILD_TOWER, (1, 2), strict=True):
        assert act(GAME.clone(state), tower)[0] == TowerBuilt(RED, tower.arm, points)


def test_C8_4_X12_with_two_seats_the_gate_takes_the_place_of_a_wall() -> None:
    state = wall_phase(table(BOARD_K, seats=2), RED)
    act(state, PlaceGate(2, 1, 2))
    for seat, arm in ((BLUE, CW), (RED, CW), (BLUE, CCW)):
        assert asked(state) == (seat, "PLACE_WALL")
        act(state, arm)
        act(state, DECLINE)
    assert [name(address) for address in wall_of(state).sides] == ["(1,1,S)", "(0,1,S)", "(3,1,S)"]
    assert wall_of(state).builders == [BLUE, RED, BLUE]
    assert asked(state) == (RED, "PLACE_TOWER")
    assert opened(state).bare == [2, 1]


def test_C7_4_X13_the_walk_around_board_K() -> None:
    expected = [
        *("(1,1,S)", "(0,1,S)", "(0,1,W)", "(0,0,W)", "(0,0,N)", "(1,0,N)", "(1,0,E)", "(2,1,N)"),
        *("(3,0,W)", "(3,0,N)", "(4,0,N)", "(4,0,E)", "(4,1,E)", "(4,1,S)", "(3,1,S)", "(2,1,S)"),
    ]
    state = table(BOARD_K)
    assert state.perimeter == 16
    walked, address = [], side("(2,1,S)")
    for _ in expected:
        address = next_side(state, address, 0)
        walked.append(name(address))
    assert walked == expected
    back = []
    for _ in expected:
        address = next_side(state, address, 1)
        back.append(name(address))
    assert back == [*reversed(expected[:-1]), "(2,1,S)"]


def test_C4_4_X14_walls_limit_tiles() -> None:
    state = turn_of(walled_k(), RED, "M12F")
    assert gap(state) == 7
    cells = ((0, -1), (1, -1), (2, 0), (3, -1), (4, -1))
    assert options(state) == [PlaceTile(x, y, rotation) for x, y in cells for rotation in range(4)]


def test_C9_3_X15_a_guard_is_allowed_across_a_gap() -> None:
    state = walled_k()
    guard(state, RED, "(0,0,W)")
    opened(state).last_walls[BLUE] = wall_of(state).sides.index(side("(4,0,E)"))
    assert row(state, side("(4,0,E)")) == [cell_at(4, 0), cell_at(3, 0)]
    assert has_guard_decision(state, BLUE)


def test_C9_3_X16_a_guard_directly_opposite_forbids_another() -> None:
    state = table(BOARD_K + ", M12F@(2,0) r0")
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14)
    guard(state, RED, "(0,0,W)")
    assert row(state, side("(4,0,E)")) == [cell_at(x, 0) for x in (4, 3, 2, 1, 0)]
    for seat in (BLUE, RED):
        opened(state).last_walls[seat] = wall_of(state).sides.index(side("(4,0,E)"))
        assert not has_guard_decision(state, seat)


def test_C10_2_X17_a_tower_counts_the_four_walls_of_its_arm() -> None:
    state = table(BOARD_K)
    gate(state, "(2,1,S)")
    walls(state, *WALLS_OF_X14[:5])
    tower_decision(state, RED)
    assert options(state) == [DECLINE, *BUILD_TOWER]
    act(state, BUILD_TOWER[0])
    assert opened(state).scores == [4, 0, 0]
    assert opened(state).towers[RED] == 3


def test_C8_6_X18_a_wall_completes_a_market_and_starts_no_wall_phase() -> None:
    state = table("P03@(-2,0) r0, P03@(-1,0) r0, M01F@(0,0) r1, M10G@(1,0) r1")
    stand(state, RED, MARKET, 0, 0, 0)
    gate(state, "(1,0,N)")
    wall_phase(state, BLUE)
    pieces = sum(1 for step in steps_of(state))
    events = act(state, CW)
    assert name(wall_of(state).sides[-1]) == "(1,0,E)"
    (event,) = scored(events)
    assert (event.tile_count, event.kind_count, event.points) == (2, 2, 4)
    assert opened(state).scores == [4, 0, 0]
    assert opened(state).supply[RED] == 7
    assert not any(isinstance(event, WallPhaseBegan) for event in events)
    assert len(steps_of(state)) == pieces, "the wall gave way to the guard on it, nothing else was added"


def test_C8_6_X19_a_wall_completes_a_street() -> None:
    state = table("P03@(-2,0) r0, P03@(-1,0) r0, P06@(0,0) r1")
    stand(state, RED, STREET, 0, 0, 0)
    gate(state, "(0,0,N)")
    wall_phase(state, RED)
    act(state, CW)
    assert name(wall_of(state).sides[-1]) == "(0,0,E)"
    assert opened(state).scores == [1, 0, 0]
    assert opened(state).supply[RED] == 7


def test_C11_3_X20_four_walls_left_end_the_game_and_close_the_street() -> None:
    state = table("P03@(0,0) r0, P01@(1,0) r0, P02@(2,0) r0, M01F@(0,1) r0, M01G@(1,1) r0, P06@(2,1) r1")
    stand(state, RED, STREET, 2, 1, 0)
    gate(state, "(0,0,W)")
    walls(state, "cw (0,0,N)", "cw (1,0,N)", "cw (2,0,N)", "ccw (0,1,W)", "ccw (0,1,S)")
    assert (state.perimeter, gap(state)) == (10, 4)
    missing = [name(address) for address in outer_boundary(state) if not has_piece(state, address)]
    assert sorted(missing) == sorted(["(2,0,E)", "(2,1,E)", "(2,1,S)", "(1,1,S)"])
    events = end_turn(state)
    assert events[0] == GameEnded(Ending.RING_NEARLY_CLOSED)
    assert opened(state).scores == [1, 0, 0]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "ring_nearly_closed"
    assert outcome.ranks == (1, 2, 2)


def test_C12_3_X21_residents_are_paid_for_the_markets_that_touch_their_area() -> None:
    state = joined_areas(RED, BLUE, GREEN)
    end_game(state)
    assert opened(state).scores == [6, 6, 6]
    state = joined_areas(RED)
    end_game(state)
    assert opened(state).scores == [6, 0, 0]


def test_C12_6_X22_a_guard_counts_public_and_historic_buildings_in_its_row() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0, P04@(2,0) r0, M01G@(3,0) r0")
    gate(state, "(0,0,S)")
    walls(state, "cw (0,0,W)")
    guard(state, RED, "(0,0,W)")
    end_game(state)
    assert opened(state).scores == [9, 0, 0]


def test_C12_6_X23_a_row_stops_at_a_gap() -> None:
    state = walled_k()
    guard(state, RED, "(0,0,W)")
    guard(state, BLUE, "(4,0,E)")
    end_game(state)
    assert opened(state).scores == [5, 4, 0]


def test_C9_4_X24_guards_who_come_to_face_each_other_both_score() -> None:
    state = walled_k()
    guard(state, RED, "(0,0,W)")
    guard(state, BLUE, "(4,0,E)")
    lay(state, GREEN, "M12F@(2,0) r0")
    end_game(state)
    assert opened(state).scores == [9, 9, 0]


def test_C9_1_a_guard_is_put_on_the_wall_just_built() -> None:
    state = wall_phase(table(BOARD_K), RED)
    act(state, PlaceGate(2, 1, 2))
    act(state, CCW)
    act(state, POST_GUARD)
    assert wall_of(state).guards == [BLUE]
    assert opened(state).supply[BLUE] == 6
