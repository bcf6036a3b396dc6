"""C2: the set-up, and the options of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.carcassonne_city.components import BOX, FOLLOWERS, TOWERS
from referee.games.carcassonne_city.state import NOTHING, State
from referee.games.carcassonne_city.turns import begin_turn
from referee.rng import seeded


@dataclass(frozen=True, slots=True)
class Options:
    """The game has no variants."""


def set_up(seats: int, seed: int) -> State:
    """C1.3, C2.1, C2.5: shuffle the tiles; seat 0 of the seats 0 to n-1 is to draw the first one."""
    deck = list(BOX)
    seeded(seed).fork("tiles").shuffle(deck)
    return empty_table(seats, deck)


def empty_table(seats: int, deck: Sequence[int]) -> State:
    """C2.2 - C2.5: all pieces in the supplies and nothing on the board."""
    state = State(
        seats=seats,
        deck_count=len(deck),
        deck=deck,
        drawn=NOTHING,
        gate=NOTHING,
        last_walls=[NOTHING] * seats,
        supply=[FOLLOWERS] * seats,
        towers=[TOWERS[seats]] * seats,
        regime=1,
        ending=NOTHING,
    )
    begin_turn(state)
    return state
