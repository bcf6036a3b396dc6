"""C2: the set-up, and the options of a match."""

from __future__ import annotations

from dataclasses import dataclass

from referee.agenda import Agenda
from referee.games.carcassonne_city.components import BOX, FOLLOWERS, TOWERS
from referee.games.carcassonne_city.state import NOTHING, Board, Features, State, Wall
from referee.games.carcassonne_city.steps import TURN
from referee.rng import seeded


@dataclass(frozen=True, slots=True)
class Options:
    """The game has no variants."""


def set_up(seats: int, seed: int) -> State:
    """C1.3, C2.1, C2.5: shuffle the tiles; seat 0 of the seats 0 to n-1 is to draw the first one."""
    deck = list(BOX)
    seeded(seed).fork("tiles").shuffle(deck)
    return empty_table(seats, deck)


def empty_table(seats: int, deck: list[int]) -> State:
    """C2.2 - C2.5: all pieces in the supplies and nothing on the board."""
    state = State(
        seats=seats,
        deck=deck,
        drawn=NOTHING,
        removed=[],
        board=Board([], [], [], {}, {}, [], [], 0),
        features=Features([], bytearray(), bytearray(), [], bytearray(), {}, []),
        wall=Wall(NOTHING, [], [], [], [], {}, [], [0, 0], [0, 0], [], [], [], [NOTHING] * seats),
        follower_nodes=[],
        follower_seats=[],
        supply=[FOLLOWERS] * seats,
        towers=[TOWERS[seats]] * seats,
        scores=[0] * seats,
        active=0,
        regime=1,
        ending=None,
        agenda=Agenda([]),
    )
    state.agenda.then(*TURN)
    return state
