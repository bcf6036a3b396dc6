"""C13 and C14: the decision table, refusals, and what is seen."""

from __future__ import annotations

from typing import Any

import pytest

from referee.game import IllegalActionError
from referee.games.carcassonne_city.actions import (
    BUILD_TOWER,
    BUILD_WALL,
    DECLINE,
    POST_GUARD,
    Arm,
    BuildTower,
    BuildWall,
    PlaceFollower,
    PlaceGate,
    PlaceTile,
)
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.state import State
from referee.games.carcassonne_city.view import SideAddress
from referee.playout import random_chooser, step
from referee.rng import Rng, seeded
from referee.values import fields_of
from tests.careless import careless
from tests.rules.carcassonne_city.builders import (
    BLUE,
    BOARD_K,
    GREEN,
    MARKET,
    RED,
    RESIDENTIAL,
    STREET,
    act,
    asked,
    end_turn,
    gate,
    lay,
    opened,
    options,
    table,
    tower_decision,
    turn_of,
    wall_phase,
    walls,
)


def tile_decision() -> State:
    return turn_of(table("P09@(0,0) r0"), RED, "P12")


def follower_decision() -> State:
    state = table("P03@(0,0) r0")
    lay(state, BLUE, "M05F@(1,0) r0")
    return state


def gate_decision() -> State:
    return wall_phase(table(BOARD_K), RED)


def wall_decision() -> State:
    state = gate_decision()
    act(state, PlaceGate(2, 1, 2))
    return state


def guard_decision() -> State:
    state = wall_decision()
    act(state, BUILD_WALL[0])
    return state


def last_tower_decision() -> State:
    state = table(BOARD_K)
    gate(state, "(2,1,S)")
    walls(state, "cw (1,1,S)", "ccw (3,1,S)")
    return tower_decision(state, GREEN)


DECISIONS = {
    "PLACE_TILE": tile_decision,
    "PLACE_FOLLOWER": follower_decision,
    "PLACE_GATE": gate_decision,
    "PLACE_WALL": wall_decision,
    "PLACE_GUARD": guard_decision,
    "PLACE_TOWER": last_tower_decision,
}
every_decision = pytest.mark.parametrize("kind", DECISIONS)


def default_of(state: State) -> Any:
    return GAME.default_action(state, GAME.pending(state)[0].seat)


def test_C13_PLACE_TILE_is_sorted_by_x_y_and_rotation_and_defaults_to_the_first() -> None:
    state = tile_decision()
    placements = [(a.x, a.y, a.rotation) for a in options(state) if isinstance(a, PlaceTile)]
    assert placements == sorted(placements)
    assert len(placements) == len(options(state)) == 8
    assert default_of(state) == PlaceTile(-1, 0, 2)
    fresh = GAME.new(2, 1, GAME.options({}))
    assert default_of(fresh) == PlaceTile(0, 0, 0)


def test_C13_PLACE_FOLLOWER_lists_none_streets_markets_and_areas_and_defaults_to_none() -> None:
    state = follower_decision()
    assert options(state) == [
        DECLINE,
        PlaceFollower(STREET, 0),
        PlaceFollower(MARKET, 0),
        PlaceFollower(RESIDENTIAL, 0),
        PlaceFollower(RESIDENTIAL, 1),
    ]
    assert default_of(state) == DECLINE


def test_C13_PLACE_GATE_is_sorted_by_x_y_and_side_and_defaults_to_the_first() -> None:
    state = gate_decision()
    sides = [(a.x, a.y, a.side) for a in options(state) if isinstance(a, PlaceGate)]
    assert sides == sorted(sides)
    assert len(sides) == len(options(state)) == 16
    assert default_of(state) == PlaceGate(0, 0, 0)


def test_C13_PLACE_WALL_lists_cw_and_ccw_and_defaults_to_cw() -> None:
    state = wall_decision()
    assert asked(state) == (BLUE, "PLACE_WALL")
    assert options(state) == list(BUILD_WALL)
    assert default_of(state) == BUILD_WALL[0]


def test_C13_PLACE_GUARD_lists_no_and_yes_and_defaults_to_no() -> None:
    state = guard_decision()
    assert asked(state) == (BLUE, "PLACE_GUARD")
    assert options(state) == [DECLINE, POST_GUARD]
    assert default_of(state) == DECLINE


def test_C13_PLACE_TOWER_lists_none_cw_and_ccw_and_defaults_to_none() -> None:
    state = last_tower_decision()
    assert asked(state) == (GREEN, "PLACE_TOWER")
    assert options(state) == [DECLINE, *BUILD_TOWER]
    assert default_of(state) == DECLINE


HOSTILE: list[Any] = [
    None,
    7,
    "PLACE_TILE",
    (),
    PlaceTile(10**30, -(10**30), 0),
    PlaceTile(0, 0, 99),
    PlaceTile(-1, 0, -1),
    careless(PlaceTile, "a", None, 1.5),
    careless(PlaceFollower, "street", 0),
    PlaceFollower(STREET, -1),
    PlaceFollower(MARKET, 10**20),
    careless(PlaceFollower, RESIDENTIAL, (0,)),
    PlaceGate(-(10**20), 5, 1),
    PlaceGate(1, 0, 1000),
    careless(PlaceGate, 0, [], 0),
    careless(BuildWall, 0),
    careless(BuildTower, None),
]


@every_decision
def test_C13_whatever_is_not_an_option_is_refused_with_a_clause(kind: str) -> None:
    state = DECISIONS[kind]()
    seat, asked_for = asked(state)
    assert asked_for == kind
    before = GAME.digest(state)
    foreign = [action for other in DECISIONS.values() for action in options(other())]
    for action in [*HOSTILE, *foreign]:
        if action in options(state):
            GAME.check(state, seat, action)
            continue
        with pytest.raises(IllegalActionError) as refused:
            GAME.check(state, seat, action)
        assert refused.value.clause.startswith("C")
    assert GAME.digest(state) == before


@every_decision
def test_C13_1_only_the_deciding_seat_is_asked(kind: str) -> None:
    state = DECISIONS[kind]()
    (decision,) = GAME.pending(state)
    for seat in (-1, 0, 1, 2, 3, 99):
        if seat != decision.seat:
            with pytest.raises(IllegalActionError, match=r"C13\.1"):
                GAME.check(state, seat, options(state)[0])


@every_decision
def test_C14_a_view_says_what_is_asked_and_of_whom(kind: str) -> None:
    state = DECISIONS[kind]()
    view = GAME.observe(state, None)
    assert view.decision is not None
    assert (view.deciding_seat, view.decision.name) == asked(state)
    assert view.active_seat == state.active
    assert (view.trigger is None) == (kind in ("PLACE_TILE", "PLACE_FOLLOWER"))


def test_C14_all_seats_see_the_same_and_never_the_undrawn_tiles() -> None:
    state = GAME.new(4, 17, GAME.options({}))
    choose = random_chooser(seeded(17))
    while GAME.pending(state):
        views = [GAME.observe(state, seat) for seat in (0, 1, 2, 3, None)]
        assert all(view == views[0] for view in views)
        assert views[0].revealed_tiles == ()
        _choices, events = step(GAME, state, choose)
        assert all(GAME.witness(event, seat) is event for event in events for seat in (0, 3, None))


def test_C14_the_undrawn_tiles_become_public_after_the_end() -> None:
    state = table("P03@(0,0) r0, P03@(1,0) r0", deck="P01", copies=1)
    opened(state).deck.append(opened(state).tiles[0])
    gate(state, "(0,0,N)")
    walls(state, "cw (1,0,N)")
    drawing_order = tuple(reversed(opened(state).deck))
    end_turn(state)
    view = GAME.observe(state, 1)
    assert view.decision is None
    assert view.ending is not None
    assert view.revealed_tiles == drawing_order


def test_options_there_are_none() -> None:
    with pytest.raises(ValueError, match="walls"):
        GAME.options({"walls": 80})
    for seats in (1, 5):
        with pytest.raises(ValueError, match="seats"):
            GAME.new(seats, 1, GAME.options({}))


def forged(view: Any, **changes: Any) -> Any:
    """A view that says something else."""
    fields = {field.name: getattr(view, field.name) for field in fields_of(type(view))}
    return type(view)(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"board_xs": (0, 9)}, "a tile lies apart from the others"),
        ({"board_xs": (70, 71)}, "a tile lies apart from the others"),
        ({"board_xs": (0, 0)}, "a tile lies"),
        ({"scores": (0, 0)}, "there is not one number for every seat"),
        ({"active_seat": 3}, "a seat is not at the table"),
        ({"follower_supplies": (8, 7, 7)}, "a seat has more followers than there are"),
        ({"removed_tiles": (0,) * 76}, "there is more than the box holds"),
        ({"gate": SideAddress(0, 0, 1)}, "the gate is not on the outer boundary"),
        ({"wall_arms": (Arm.CW,)}, "there are walls but no gate"),
        ({"ending": Ending.TILES_EXHAUSTED}, "a decision is open after the end"),
    ],
)
def test_C14_a_view_that_no_table_could_show_is_refused(changes: dict[str, Any], refusal: str) -> None:
    """Rows have no room for it, and in C nothing would stop what stands beyond their end."""
    state = turn_of(table("P03@(0,0) r0, P03@(1,0) r0"), RED, "P01")
    view = GAME.observe(state, RED)
    assert GAME.observe(GAME.imagine(view, RED, Rng(1)), RED).board_xs == (0, 1)
    with pytest.raises(ValueError, match=refusal):
        GAME.imagine(forged(view, **changes), RED, Rng(1))
