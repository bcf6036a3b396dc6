"""What a seat chooses and what happens, as numbers inside the rules and as values outside.

A choice is its kind and an argument; an event is twelve numbers, its kind first. `actions.py` and `events.py` have the
values, which are made here and only where somebody reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NewType

from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city import events as ev
from referee.games.carcassonne_city.actions import Action, Arm
from referee.games.carcassonne_city.components import MAX_SEATS, FeatureKind
from referee.games.carcassonne_city.events import Ending, Event
from referee.games.carcassonne_city.grid import CELLS, cell_at, side_at, x_of, y_of
from referee.rows import Int, Listing, listed

Choice = NewType("Choice", int)
"""What a seat chose: `choice_of` makes one, and `kind_of_choice` and `argument_of` take it apart."""

DECLINE = 0
PLACE_TILE = 1  # with cell << 2 | rotation
PLACE_FOLLOWER = 2  # with kind | index << 2
PLACE_GATE = 3  # with a side
BUILD_WALL = 4  # with an arm
POST_GUARD = 5
BUILD_TOWER = 6  # with an arm

TILE_DRAWN = 0
TILE_REMOVED = 1
TILE_PLACED = 2
FOLLOWER_PLACED = 3
FEATURE_SCORED = 4
WALL_PHASE_BEGAN = 5
GATE_PLACED = 6
WALL_BUILT = 7
GUARD_POSTED = 8
TOWER_BUILT = 9
GAME_ENDED = 10
FOLLOWERS_REMOVED = 11
AREA_SCORED = 12
GUARD_SCORED = 13

CROWD_BITS = 4  # of a number of followers, for each seat


def choice_of(kind: Int, argument: Int) -> Choice:
    """Return a choice; one that needs no argument has 0."""
    return Choice(kind | argument << 3)


def kind_of_choice(choice: Choice) -> Int:
    """Return what was chosen: one of the constants above."""
    return choice & 7


def argument_of(choice: Choice) -> Int:
    """Return what was chosen with it."""
    return choice >> 3


# Values

ARMS = tuple(Arm)
KINDS = tuple(FeatureKind)
REASONS = tuple(Ending)


def new_action(code: int) -> Action:
    """Return a choice as a new value, or as the only one of its kind."""
    kind, argument = code & 7, code >> 3
    if kind == PLACE_TILE:
        return act.PlaceTile(x_of(argument >> 2), y_of(argument >> 2), argument & 3)
    if kind == PLACE_FOLLOWER:
        return act.PlaceFollower(KINDS[argument & 3], argument >> 2)
    if kind == PLACE_GATE:
        return act.PlaceGate(x_of(argument >> 2), y_of(argument >> 2), argument & 3)
    if kind == BUILD_WALL:
        return act.BUILD_WALL[argument]
    if kind == BUILD_TOWER:
        return act.BUILD_TOWER[argument]
    return act.POST_GUARD if kind == POST_GUARD else act.DECLINE


MADE: dict[int, Action] = {}  # by code: every action that was asked for, made once and kept
PLACED: list[Action | None] = [None] * (4 * CELLS)  # those that lay a tile, by cell << 2 | rotation
CODES: dict[int, int] = {}  # the codes of these, by the id of the action


def action_of(code: int) -> Action:
    """Return a choice as a value."""
    action = MADE.get(code)
    if action is None:
        action = MADE[code] = new_action(code)
        CODES[id(action)] = code
        if code & 7 == PLACE_TILE:
            PLACED[code >> 3] = action
    return action


def actions_in(listing: Listing) -> tuple[Action, ...]:
    """Return the options of a listing as values: quickly, if they are places for a tile that came up before."""
    if listing.codes[0] & 7 == PLACE_TILE:
        placed = [PLACED[code >> 3] for code in listing.codes[: listing.count]]
        if all(placed):
            return tuple(placed)  # type: ignore[arg-type]  # none of them is None
    return tuple([action_of(code) for code in listed(listing.codes, 0, listing.count)])


def known_code(action: object) -> int:
    """Return the code of a value that `action_of` has made, -1 for any other value: it may still equal one."""
    return CODES.get(id(action), -1)


def code_for(action: Action) -> int:
    """Return the code of an option: at once if it is the very value that was listed."""
    code = CODES.get(id(action))
    return code_of(action) if code is None else code


def code_of(action: Action) -> int:
    """Return the code of a value that is one of the options: others have none, or that of another action."""
    match action:
        case act.PlaceTile(x, y, rotation):
            return PLACE_TILE | (cell_at(x, y) << 2 | rotation) << 3
        case act.PlaceFollower(kind, index):
            return PLACE_FOLLOWER | (kind.value | index << 2) << 3
        case act.PlaceGate(x, y, side):
            return PLACE_GATE | side_at(x, y, side) << 3
        case act.BuildWall(arm):
            return BUILD_WALL | arm.value << 3
        case act.BuildTower(arm):
            return BUILD_TOWER | arm.value << 3
        case act.PostGuard():
            return POST_GUARD
        case _:
            return DECLINE


@cache
def seats_in(winners: int) -> tuple[int, ...]:
    """C6.7: the seats of a bit set, in order."""
    return tuple([seat for seat in range(MAX_SEATS) if winners >> seat & 1])


@cache
def counts_in(crowd: int, seats: int) -> tuple[int, ...]:
    """Return how many followers of each seat are in a crowd."""
    return tuple([crowd >> CROWD_BITS * seat & (1 << CROWD_BITS) - 1 for seat in range(seats)])


def event_of(words: Sequence[int], seats: int) -> Event:
    """Return an event as a value, at a table of so many seats."""
    kind = words[0]
    if kind in PLAIN:
        make, count = PLAIN[kind]
        return make(*words[1 : 1 + count])
    if kind in ON_SIDES:
        side = words[2]
        return ON_SIDES[kind](words[1], x_of(side >> 2), y_of(side >> 2), side & 3, *words[3 : 3 + MORE[kind]])
    if kind == TILE_PLACED:
        return ev.TilePlaced(words[1], words[2], x_of(words[3]), y_of(words[3]), words[4])
    if kind == FOLLOWER_PLACED:
        return ev.FollowerPlaced(words[1], KINDS[words[2]], x_of(words[3]), y_of(words[3]), words[4])
    if kind == FEATURE_SCORED:
        what, cell, index, tiles, kinds, points, winners, crowd = words[1:9]
        place = (x_of(cell), y_of(cell), index)
        return ev.FeatureScored(KINDS[what], *place, tiles, kinds, points, seats_in(winners), counts_in(crowd, seats))
    if kind == AREA_SCORED:
        cell, index, markets, points, winners = words[1:6]
        return ev.AreaScored(x_of(cell), y_of(cell), index, markets, points, seats_in(winners))
    if kind == WALL_BUILT:
        side = words[3]
        return ev.WallBuilt(words[1], ARMS[words[2]], x_of(side >> 2), y_of(side >> 2), side & 3, words[4])
    if kind == WALL_PHASE_BEGAN:
        return ev.WallPhaseBegan(words[1], words[2], tuple(words[3 : 3 + seats]))
    if kind == TOWER_BUILT:
        return ev.TowerBuilt(words[1], ARMS[words[2]], words[3])
    if kind == FOLLOWERS_REMOVED:
        return ev.FollowersRemoved(counts_in(words[1], seats))
    assert kind == GAME_ENDED
    return ev.GameEnded(REASONS[words[1]])


PLAIN: Mapping[int, tuple[Callable[..., Event], int]] = {  # events whose numbers are their fields, and how many
    TILE_DRAWN: (ev.TileDrawn, 3),
    TILE_REMOVED: (ev.TileRemoved, 2),
}
ON_SIDES: Mapping[int, Callable[..., Event]] = {  # events of a seat on a side
    GATE_PLACED: ev.GatePlaced,
    GUARD_POSTED: ev.GuardPosted,
    GUARD_SCORED: ev.GuardScored,
}
MORE: Mapping[int, int] = {GATE_PLACED: 0, GUARD_POSTED: 0, GUARD_SCORED: 3}  # the fields after the side
