"""The state of a game: the board, its features, the wall, and the seats' pieces, as flat lists of integers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.agenda import Agenda
from referee.clone import Untold, cloner, digester
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.steps import Step

NOBODY = -1  # no guard on a wall
NOTHING = -1  # no tile drawn, no gate on the board, no wall built in this phase

# What `Board.standing` says of an unoccupied cell, if anything.
HOLE = 1  # C7.1: shut off from the outside
SHUT = 2  # C4.4: a tile here would stand before a piece or shut a piece off; this never becomes untrue again


@dataclass(slots=True)
class Board:
    """C1.4, C4, C7: the tiles in the order of laying, and what is known of the cells around them."""

    tiles: list[int]  # tile type
    cells: list[int]
    rotations: list[int]
    numbers: Untold[dict[int, int]]  # by occupied cell: the number of its tile in the lists above
    standing: Untold[dict[int, int]]  # by unoccupied cell: HOLE and SHUT, kept for the cells of the frontier
    frontier: Untold[list[int]]  # unoccupied cells that share a side with a tile and are not SHUT, ascending
    contacts: Untold[list[int]]  # of each: bit d = a tile lies on side d, bit d + 4 = its touching side has a street
    perimeter: Untold[int]  # C7.2: sides of the outer boundary


@dataclass(slots=True)
class Features:
    """C6.1: the streets, markets and residential areas as a forest over the parts of the tiles.

    Part p of tile n is the node STRIDE * n + p. All but `parents` is true for roots only.
    """

    parents: list[int]
    sizes: bytearray  # nodes in the tree; no kind of part is in the box more than 255 times
    open_sides: bytearray  # C6.2; always 0 for a residential area
    tile_bits: list[int]  # C6.5, C6.6: bit n = tile n holds a member
    market_bits: bytearray  # C6.6: kinds of market among the members
    crowds: dict[int, int]  # of the features that hold any: the followers, four bits for each seat
    firsts: list[int]  # C6.10: the smallest STRIDE * cell + part among the members


@dataclass(slots=True)
class Wall:
    """C7.6 - C10: the gate, the walls in the order of building, and the towers in theirs.

    Arms are 0 for cw and 1 for ccw.
    """

    gate: int  # its side, or NOTHING
    sides: list[int]
    arms: list[int]
    builders: list[int]
    guards: list[int]  # seat of the guard on each wall, or NOBODY
    pieces: Untold[dict[int, int]]  # by side: the number of the wall there, NOTHING for the gate
    ends: Untold[list[int]]  # by arm: the side of the last piece
    lengths: Untold[list[int]]  # by arm: its walls
    bare: Untold[list[int]]  # by arm: its walls built after the last tower there
    tower_seats: list[int]
    tower_arms: list[int]
    tower_places: list[int]  # how many walls the arm had when the tower was built
    last_walls: list[int]  # by seat: the wall it built last in this wall phase, or NOTHING


@dataclass(slots=True)
class State:
    """Everything there is to know about a game; its fingerprint leaves out what follows from the rest."""

    seats: int
    deck: list[int]  # C2.1: undrawn tiles, the next one last
    drawn: int  # C3.3: the tile drawn and not yet placed, or NOTHING
    removed: list[int]  # C3.4: tiles that left the game
    board: Board
    features: Untold[Features]
    wall: Wall
    follower_nodes: list[int]  # travellers, merchants and residents in the order of placing
    follower_seats: list[int]
    supply: list[int]  # C2.2: followers left, by seat
    towers: list[int]  # C2.3: towers left, by seat
    scores: list[int]
    active: int  # C3.1
    regime: int  # C3.2: the pile of the tile drawn last
    ending: Ending | None
    agenda: Agenda[Step]


@lru_cache(maxsize=4096)
def step_name(step: Step) -> str:
    """Return a step as its fingerprint has it; there are few, so each is spelt once."""
    return repr(step)


clone = cloner(State)
digest = digester(State, step_name, exact=True)
