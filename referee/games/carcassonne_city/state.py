"""The state of a game: the board, its features, the wall, and the seats' pieces, as flat rows of numbers.

A row has room for the largest table and the whole box; the counts say how much of it is in use.
"""

from __future__ import annotations

from typing import Annotated

from referee.fingerprint import fingerprint_of, told
from referee.games.carcassonne_city.components import FOLLOWERS, MAX_SEATS, TILES, TOWERS, WALLS
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.grid import PLACES
from referee.games.carcassonne_city.steps import Step, step_name
from referee.games.carcassonne_city.tiles import NODES
from referee.rows import Int, Ints, Shorts, Smalls, Struct, Words, cloner, listed

NOBODY = -1  # no guard on a wall
NOTHING = -1  # no tile drawn, no gate on the board, no wall built in this phase, no tile on a cell, no ending

# What stands in `State.spots` for an unoccupied cell, as a negative number, if anything.
HOLE = 1  # C7.1: shut off from the outside
SHUT = 2  # C4.4: a tile here would stand before a piece or shut a piece off; this never becomes untrue again

FRONTIER = 2 * TILES + 2  # free cells beside the city, if its tiles lie in one row
MAX_FOLLOWERS = MAX_SEATS * FOLLOWERS
FEATURES = MAX_FOLLOWERS  # at most so many have a follower
MAX_TOWERS = max(seats * towers for seats, towers in TOWERS.items())
AGENDA = 40  # room for the steps to come
GATE = 1  # in `State.pieces`
FIRST_WALL = 2
ENDINGS = tuple(Ending)


class State(Struct):
    """Everything there is to know about a game; its fingerprint leaves out what follows from the rest."""

    seats: Int
    deck_count: Int
    deck: Annotated[Smalls, TILES]  # C2.1: undrawn tiles, the next one last
    drawn: Int  # C3.3: the tile drawn and not yet placed, or NOTHING
    removed_count: Int
    removed: Annotated[Smalls, TILES]  # C3.4: tiles that left the game

    # C1.4, C4, C7: the tiles in the order of laying, and what is known of the cells around them.
    tile_count: Int
    turned: Annotated[Shorts, TILES]  # 4 * type + rotation
    cells: Annotated[Shorts, TILES]
    spots: Annotated[Smalls, PLACES]  # by place of a cell: 1 + the number of its tile, or -(HOLE | SHUT), or 0
    frontier_count: Int
    frontier: Annotated[Ints, FRONTIER]  # C4.1: free cells that share a side with a tile and are not SHUT, ascending:
    # cell << 8 | contact, where bit d = a tile lies on side d, bit d + 4 = its touching side has a street
    perimeter: Int  # C7.2: sides of the outer boundary

    # C6.1: the streets, markets and residential areas as a forest over the parts of the tiles, which are its nodes. A
    # tile's parts are nodes in a row. All rows from `sizes` to `firsts` are true for roots only.
    node_count: Int
    first_nodes: Annotated[Shorts, TILES]  # by number of a tile: the node of its first part
    part_numbers: Annotated[Shorts, NODES]  # which part a node is: STRIDE * number of the tile + part
    kinds: Annotated[Smalls, NODES]  # C1.8: whether it is a street, a market or a residential area
    parents: Annotated[Shorts, NODES]
    nexts: Annotated[Shorts, NODES]  # the next member of the same feature, around in a ring
    sizes: Annotated[Shorts, NODES]  # nodes in the tree
    open_sides: Annotated[Smalls, NODES]  # C6.2; always 0 for a residential area
    early_tiles: Annotated[Words, NODES]  # C6.5, C6.6: bit n = tile n holds a member
    late_tiles: Annotated[Shorts, NODES]  # bit n = tile 64 + n holds a member
    market_kinds: Annotated[Smalls, NODES]  # C6.6: kinds of market among the members
    crowds: Annotated[Shorts, NODES]  # the followers on it, four bits for each seat
    firsts: Annotated[Ints, NODES]  # C6.10: the smallest STRIDE * cell + part among the members

    # C7.6 - C10: the gate, the walls in the order of building, and the towers in theirs. Arms are 0 for cw, 1 for ccw.
    gate: Int  # its side, or NOTHING
    wall_count: Int
    wall_sides: Annotated[Ints, WALLS]
    wall_arms: Annotated[Smalls, WALLS]
    wall_builders: Annotated[Smalls, WALLS]
    wall_guards: Annotated[Smalls, WALLS]  # seat of the guard on each wall, or NOBODY
    piece_count: Int  # the gate included
    pieces: Annotated[Smalls, 4 * TILES]  # by number of a tile x side: GATE, FIRST_WALL + the number of a wall, or 0
    ends: Annotated[Ints, 2]  # by arm: the side of the last piece
    lengths: Annotated[Smalls, 2]  # by arm: its walls
    bare: Annotated[Smalls, 2]  # by arm: its walls built after the last tower there
    tower_count: Int
    tower_seats: Annotated[Smalls, MAX_TOWERS]
    tower_arms: Annotated[Smalls, MAX_TOWERS]
    tower_places: Annotated[Smalls, MAX_TOWERS]  # how many walls the arm had when the tower was built
    last_walls: Annotated[Smalls, MAX_SEATS]  # by seat: the wall it built last in this wall phase, or NOTHING

    follower_count: Int
    follower_nodes: Annotated[Shorts, MAX_FOLLOWERS]  # travellers, merchants and residents in the order of placing
    follower_seats: Annotated[Smalls, MAX_FOLLOWERS]
    supply: Annotated[Smalls, MAX_SEATS]  # C2.2: followers left, by seat
    towers: Annotated[Smalls, MAX_SEATS]  # C2.3: towers left, by seat
    scores: Annotated[Shorts, MAX_SEATS]
    active: Int  # C3.1
    regime: Int  # C3.2: the pile of the tile drawn last
    ending: Int  # C11: the number of the `Ending`, or NOTHING
    agenda_count: Int
    agenda: Annotated[Smalls, AGENDA]  # the steps to come, the next one last


clone = cloner(State)


def do_next(state: State, step: Step) -> None:
    """Put a step before everything else."""
    state.agenda[state.agenda_count] = step
    state.agenda_count += 1


def number_at(state: State, cell: Int) -> Int:
    """C1.4: the number of the tile on a cell, NOTHING if it is unoccupied."""
    return max(state.spots[cell % PLACES], 0) - 1


def standing_of(spot: Int) -> Int:
    """C4.4, C7.1: what an entry of `State.spots` says of an unoccupied cell: HOLE and SHUT."""
    return -spot if spot < 0 else 0


def node_of(state: State, number: Int, part: Int) -> Int:
    """C6.1: the node of a part of a tile on the board."""
    return state.first_nodes[number] + part


def tile_of(state: State, number: Int) -> Int:
    """C1.5: the type of a tile on the board."""
    return state.turned[number] >> 2


def piece_on(state: State, side: Int) -> Int:
    """C7.6: what stands on a side of a tile on the board: GATE, FIRST_WALL + the number of a wall, or 0."""
    return state.pieces[4 * number_at(state, side >> 2) + (side & 3)]


def gap(state: State) -> Int:
    """C7.10: how many walls could still be put up before the ring is closed."""
    return state.perimeter - state.piece_count


def wall_supply(state: State) -> Int:
    """C2.4: the walls not yet on the board."""
    return WALLS - state.wall_count


def digest(state: State) -> str:
    """Return a fingerprint of the whole state: its fields, each as long as it is used."""
    seats: Int = state.seats
    turned = listed(state.turned, 0, state.tile_count)
    ending: Int = state.ending
    numbers = [
        state.seats,
        listed(state.deck, 0, state.deck_count),
        state.drawn,
        listed(state.removed, 0, state.removed_count),
        [tile >> 2 for tile in turned],
        listed(state.cells, 0, state.tile_count),
        [tile & 3 for tile in turned],
        state.gate,
        listed(state.wall_sides, 0, state.wall_count),
        listed(state.wall_arms, 0, state.wall_count),
        listed(state.wall_builders, 0, state.wall_count),
        listed(state.wall_guards, 0, state.wall_count),
        listed(state.tower_seats, 0, state.tower_count),
        listed(state.tower_arms, 0, state.tower_count),
        listed(state.tower_places, 0, state.tower_count),
        listed(state.last_walls, 0, seats),
        [state.part_numbers[node] for node in listed(state.follower_nodes, 0, state.follower_count)],
        listed(state.follower_seats, 0, state.follower_count),
        listed(state.supply, 0, seats),
        listed(state.towers, 0, seats),
        listed(state.scores, 0, seats),
        state.active,
        state.regime,
        None if ending == NOTHING else ENDINGS[ending].name,
    ]
    agenda = [step_name(step) for step in listed(state.agenda, 0, state.agenda_count)]
    return fingerprint_of(f"({told(id(state), numbers)}, {agenda!r})")
