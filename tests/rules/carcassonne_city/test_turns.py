"""C2 - C6: setting up, drawing, laying, followers and scoring."""

from __future__ import annotations

import pytest

from referee.game import IllegalActionError
from referee.games.carcassonne_city.actions import DECLINE, PlaceFollower, PlaceTile
from referee.games.carcassonne_city.components import BOX
from referee.games.carcassonne_city.events import Ending, FeatureScored, GameEnded, TileDrawn, TilePlaced, TileRemoved
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import PLACES, cell_at
from referee.games.carcassonne_city.placing import pile_counts, pile_of
from referee.games.carcassonne_city.state import HOLE, standing_of
from tests.rules.carcassonne_city.builders import (
    BLUE,
    GREEN,
    MARKET,
    RED,
    RESIDENTIAL,
    STREET,
    TILE_NUMBERS,
    act,
    asked,
    gate,
    lay,
    opened,
    options,
    stand,
    table,
    turn_of,
    walls,
)

RING_OF_EIGHT = ", ".join(f"P03@({x},{y}) r0" for x in range(3) for y in range(3) if (x, y) != (1, 1))


def test_C2_set_up() -> None:
    for seats, towers in ((2, 6), (3, 4), (4, 3)):
        state = GAME.new(seats, 5, GAME.options({}))
        assert sorted([*opened(state).deck, state.drawn]) == sorted(BOX)
        assert opened(state).supply == [7] * seats
        assert opened(state).towers == [towers] * seats
        assert opened(state).scores == [0] * seats
        view = GAME.observe(state, None)
        assert (view.wall_supply, view.gate, view.pile_counts) == (70, None, (29, 25, 20))
        assert asked(state) == (0, "PLACE_TILE")


def test_C2_1_the_seed_alone_decides_the_order_of_the_tiles() -> None:
    decks = [GAME.new(seats, 7, GAME.options({})).deck for seats in (2, 3, 4)]
    assert decks[0] == decks[1] == decks[2]
    assert decks[0] != GAME.new(2, 8, GAME.options({})).deck


def test_C2_6_the_first_tile_has_one_place_and_is_followed_by_the_follower_decision() -> None:
    state = GAME.new(4, 3, GAME.options({}))
    tile = state.drawn
    assert options(state) == [PlaceTile(0, 0, 0)]
    for elsewhere in (PlaceTile(1, 0, 0), PlaceTile(0, 0, 1)):
        with pytest.raises(IllegalActionError, match=r"C2\.6"):
            GAME.check(state, 0, elsewhere)
    assert act(state, PlaceTile(0, 0, 0)) == [TilePlaced(0, tile, 0, 0, 0)]
    assert asked(state) == (0, "PLACE_FOLLOWER")


def test_C3_1_the_turn_passes_clockwise() -> None:
    state = table("P03@(0,0) r0", seats=3)
    lay(state, 2, "P03@(1,0) r0")
    for seat in (2, 0, 1):
        assert asked(state) == (seat, "PLACE_FOLLOWER")
        act(state, DECLINE)
        assert asked(state) == ((seat + 1) % 3, "PLACE_TILE")
        act(state, options(state)[0])


def test_C3_2_the_last_tile_of_a_pile_still_belongs_to_it() -> None:
    assert [pile_of(left) for left in (74, 45, 44, 20, 19, 0)] == [1, 1, 2, 2, 3, 3]
    assert [pile_counts(left) for left in (74, 45, 20, 3, 0)] == [
        (29, 25, 20),
        (0, 25, 20),
        (0, 0, 20),
        (0, 0, 3),
        (0, 0, 0),
    ]


def test_C3_4_a_tile_without_a_place_leaves_the_game_and_the_same_seat_draws_again() -> None:
    """Beside a court no tile with four streets fits."""
    state = table("P03@(0,0) r0", deck="P16", copies=2)
    opened(state).deck = [TILE_NUMBERS["P03"], TILE_NUMBERS["P01"], TILE_NUMBERS["P16"], TILE_NUMBERS["P16"]]
    lay(state, RED, "P03@(1,0) r0")
    events = act(state, DECLINE)
    crossing, court = TILE_NUMBERS["P16"], TILE_NUMBERS["P01"]
    assert events == [
        TileDrawn(BLUE, crossing, 3),
        TileRemoved(BLUE, crossing),
        TileDrawn(BLUE, crossing, 3),
        TileRemoved(BLUE, crossing),
        TileDrawn(BLUE, court, 3),
    ]
    assert asked(state) == (BLUE, "PLACE_TILE")
    assert GAME.observe(state, None).removed_tiles == (crossing, crossing)


def test_C3_4_the_game_ends_if_no_placeable_tile_turns_up() -> None:
    state = table("P03@(0,0) r0", deck="P16", copies=2)
    lay(state, RED, "P03@(1,0) r0")
    events = act(state, DECLINE)
    assert GameEnded(Ending.TILES_EXHAUSTED) in events
    assert state.active == BLUE
    assert GAME.pending(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "tiles_exhausted"


def test_C3_5_a_decision_with_one_option_is_still_listed() -> None:
    state = table("P03@(0,0) r0")
    stand(state, BLUE, RESIDENTIAL, 0, 0, 0)
    lay(state, RED, "P03@(1,0) r0")
    assert asked(state) == (RED, "PLACE_FOLLOWER")
    assert options(state) == [DECLINE]


@pytest.mark.parametrize(
    ("place", "clause"),
    [
        ((0, 0, 0), "C4.1"),
        ((1, 1, 0), "C4.1"),
        ((70, 0, 0), "C4.1"),
        ((10**12, -(10**12), 0), "C4.1"),
        ((0, -1, 0), "C4.2"),
        ((1, 0, 4), "C1.5"),
        ((1, 0, -1), "C1.5"),
    ],
)
def test_C4_a_refused_placement_names_its_clause(place: tuple[int, int, int], clause: str) -> None:
    state = turn_of(table("P09@(0,0) r0"), RED, "P03")
    with pytest.raises(IllegalActionError, match=clause):
        GAME.check(state, RED, PlaceTile(*place))


def test_C4_3_markets_may_touch_markets_of_any_kind_and_land() -> None:
    state = turn_of(table("M01F@(0,0) r0"), RED, "M12G")
    assert len(options(state)) == 16


def test_C4_4_no_tile_before_a_piece_nor_where_it_would_shut_one_off() -> None:
    """A gate at the bottom of a notch keeps the notch open to the outside."""
    state = table("P03@(0,0) r0, P03@(0,1) r0, P03@(0,2) r0, P03@(1,2) r0, P03@(2,2) r0, P03@(2,1) r0, P03@(2,0) r0")
    turn_of(state, RED, "P01")
    assert {PlaceTile(1, 0, 0), PlaceTile(1, 1, 0)} <= set(options(state))
    gate(state, "(1,2,N)")
    for cell in ((1, 0), (1, 1)):
        assert PlaceTile(*cell, 0) not in options(state)
        with pytest.raises(IllegalActionError, match=r"C4\.4"):
            GAME.check(state, RED, PlaceTile(*cell, 0))
    lay(state, RED, "P01@(0,-1) r0")
    turn_of(state, RED, "P01")
    with pytest.raises(IllegalActionError, match="C4"):
        GAME.check(state, RED, PlaceTile(1, -1, 0))
    assert PlaceTile(2, -1, 0) in options(state), "the notch keeps its mouth"


def test_C4_4_a_wall_around_a_corner_keeps_the_corner_cell_open() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0, P03@(2,0) r0, P03@(2,-1) r0, P03@(2,-2) r0, P03@(1,-2) r0")
    turn_of(state, RED, "P01")
    assert PlaceTile(0, -2, 0) in options(state)
    assert PlaceTile(0, -1, 0) in options(state)
    gate(state, "(0,0,W)")
    assert PlaceTile(0, -1, 0) in options(state), "the gate is outside whatever becomes of the pocket"
    walls(state, "cw (0,0,N)")
    assert not {PlaceTile(0, -1, 0), PlaceTile(-1, -1, 0)} & set(options(state))


def test_C4_5_C7_1_a_hole_is_an_ordinary_cell() -> None:
    state = table(RING_OF_EIGHT)
    assert standing_of(state.spots[cell_at(1, 1) % PLACES]) & HOLE
    assert state.perimeter == 12
    gate(state, "(0,0,W)")
    walls(state, "cw (0,0,N)")
    lay(state, RED, "P01@(1,1) r0")
    assert state.perimeter == 12


def test_C4_6_all_rotations_of_a_tile_that_looks_the_same_are_offered() -> None:
    state = turn_of(table("P03@(0,0) r0"), RED, "P03")
    assert options(state) == [PlaceTile(x, y, r) for x, y in ((-1, 0), (0, -1), (0, 1), (1, 0)) for r in range(4)]


def test_C5_3_a_resident_may_be_put_on_an_enclosed_area() -> None:
    edges = "M12F@(1,0) r0, M12F@(0,1) r0, M12F@(2,1) r1, M12F@(1,2) r0"
    state = table(edges + ", P03@(0,0) r0, P03@(2,0) r0, P03@(2,2) r0, P03@(0,2) r0")
    lay(state, RED, "P03@(1,1) r0")
    assert options(state)[-1] == PlaceFollower(RESIDENTIAL, 0)


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        (PlaceFollower(STREET, 0), "C5.1"),
        (PlaceFollower(MARKET, -1), "C5.1"),
        (PlaceFollower(RESIDENTIAL, 7), "C5.1"),
        (PlaceFollower(MARKET, 0), "C5.3"),
    ],
)
def test_C5_a_refused_follower_names_its_clause(action: PlaceFollower, clause: str) -> None:
    state = table("M01F@(0,0) r0")
    lay(state, BLUE, "M01G@(0,-1) r2")
    with pytest.raises(IllegalActionError, match=clause):
        GAME.check(state, BLUE, action)


def test_C5_2_an_occupied_feature_is_refused_with_its_clause() -> None:
    state = table("P03@(0,0) r0")
    stand(state, RED, RESIDENTIAL, 0, 0, 0)
    lay(state, RED, "P03@(1,0) r0")
    with pytest.raises(IllegalActionError, match=r"C5\.2"):
        GAME.check(state, RED, PlaceFollower(RESIDENTIAL, 0))


def test_C5_4_a_seat_without_followers_is_not_asked() -> None:
    state = table("P03@(0,0) r0")
    opened(state).supply[RED] = 0
    lay(state, RED, "P03@(1,0) r0")
    assert asked(state) == (BLUE, "PLACE_TILE")


def test_C5_5_residents_stay() -> None:
    state = table("M01F@(0,0) r0")
    stand(state, RED, RESIDENTIAL, 0, 0, 0)
    stand(state, BLUE, MARKET, 0, 0, 0)
    lay(state, RED, "M01G@(0,-1) r2")
    act(state, DECLINE)
    assert (opened(state).supply, opened(state).follower_seats) == ([6, 7, 7], [RED])


def test_C6_1_markets_of_different_kinds_join_and_land_ends_a_market() -> None:
    state = table("M01F@(0,0) r1, M10G@(1,0) r1")
    stand(state, RED, MARKET, 0, 0, 0)
    lay(state, BLUE, "P03@(2,0) r0")
    act(state, DECLINE)
    assert opened(state).scores == [4, 0, 0]


def test_C6_1_segments_at_a_crossing_are_different_streets() -> None:
    state = table("P15@(0,0) r0")
    stand(state, RED, STREET, 0, 0, 0)
    lay(state, BLUE, "P06@(0,1) r0")
    assert PlaceFollower(STREET, 0) not in options(state), "the short street to the south is complete"
    act(state, DECLINE)
    assert opened(state).scores == [0, 0, 0]
    assert opened(state).follower_seats == [RED]


def test_C6_3_C6_5_a_closed_loop_is_complete_and_a_tile_counts_once() -> None:
    """Four curves make a loop of four tiles; around a crossing the fourth tile has two segments of it."""
    loop = table("P12@(0,0) r1, P12@(1,0) r2, P12@(0,1) r0")
    stand(loop, RED, STREET, 0, 0, 0)
    lay(loop, BLUE, "P12@(1,1) r3")
    act(loop, DECLINE)
    assert opened(loop).scores == [8, 0, 0]
    crossed = table("P12@(0,0) r1, P12@(1,0) r2, P12@(0,1) r0")
    stand(crossed, RED, STREET, 0, 0, 0)
    lay(crossed, BLUE, "P15@(1,1) r3")
    (event,) = [event for event in act(crossed, DECLINE) if isinstance(event, FeatureScored)]
    assert (event.tile_count, event.points) == (4, 8)


def test_C6_3_a_side_towards_a_hole_is_open() -> None:
    state = table(RING_OF_EIGHT.replace("P03@(1,0) r0", "P06@(1,0) r2"))
    stand(state, RED, STREET, 1, 0, 0)
    lay(state, BLUE, "P03@(3,0) r0")
    act(state, DECLINE)
    assert opened(state).scores == [0, 0, 0]
    lay(state, GREEN, "P06@(1,1) r0")
    act(state, DECLINE)
    assert opened(state).scores == [2, 0, 0]


def test_C6_6_a_tile_with_two_areas_of_a_market_counts_once_with_both_kinds() -> None:
    """M15FG has fish to the north and grain to the east; the three others link them around the corner."""
    state = table("M15FG@(0,0) r0, M08F@(0,-1) r1")
    stand(state, RED, MARKET, 0, 0, 0)
    lay(state, BLUE, "M08F@(1,-1) r2")
    act(state, DECLINE)
    lay(state, GREEN, "M08F@(1,0) r3")
    act(state, DECLINE)
    assert opened(state).scores == [8, 0, 0], "four tiles, fish and grain"


def test_C6_7_the_majority_takes_all() -> None:
    state = table("M01F@(0,0) r2, M10F@(0,1) r0, M08F@(0,3) r3, M01F@(-1,3) r1, P03@(-1,2) r0, P03@(-1,1) r0")
    for seat, place in ((RED, (0, 0, 0)), (BLUE, (0, 3, 0)), (BLUE, (-1, 3, 0))):
        stand(state, seat, MARKET, *place)
    lay(state, GREEN, "M10F@(0,2) r0")
    (event,) = [event for event in act(state, DECLINE) if isinstance(event, FeatureScored)]
    assert event.winners == (BLUE,)
    assert event.returned_counts == (1, 2, 0)
    assert opened(state).scores == [0, 5, 0]


def test_C6_8_followers_come_back_too_late_for_the_same_turn() -> None:
    state = table("M01F@(0,0) r0")
    stand(state, RED, MARKET, 0, 0, 0)
    opened(state).supply[RED] = 0
    lay(state, RED, "M01G@(0,-1) r2")
    assert asked(state) == (BLUE, "PLACE_TILE")
    assert (opened(state).supply[RED], opened(state).scores[RED]) == (1, 4)


def test_C6_10_streets_come_before_markets_each_by_its_first_member() -> None:
    corners = "P03@(-1,-1) r0, P03@(-1,1) r0, P03@(1,-1) r0, P03@(1,1) r0"
    state = table(corners + ", P06@(-1,0) r1, P06@(1,0) r3, M01G@(0,-1) r2, M01L@(0,1) r0")
    stand(state, BLUE, MARKET, 0, -1, 0)
    stand(state, RED, STREET, 1, 0, 0)
    stand(state, GREEN, STREET, -1, 0, 0)
    lay(state, GREEN, "M11F@(0,0) r0")
    events = [event for event in act(state, DECLINE) if isinstance(event, FeatureScored)]
    assert [(event.kind, event.x, event.y, event.winners) for event in events] == [
        (STREET, -1, 0, (GREEN,)),
        (STREET, 0, 0, (RED,)),
        (MARKET, 0, -1, (BLUE,)),
    ]


def test_C6_11_residential_areas_never_score_during_play() -> None:
    state = table(RING_OF_EIGHT)
    stand(state, RED, RESIDENTIAL, 0, 0, 0)
    lay(state, BLUE, "P03@(1,1) r0")
    act(state, DECLINE)
    assert opened(state).scores == [0, 0, 0]
