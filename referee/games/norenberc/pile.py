"""The guest pile: drawing guests, and citizens that return to it (B6.2)."""

from __future__ import annotations

from referee.games.norenberc.codes import CITIZEN_RETURNED
from referee.games.norenberc.state import State
from referee.rows import Events, Int, shuffle_part


def draw_guest(state: State) -> Int:
    """B8.11: take the top tile of the pile.

    A citizen that is drawn is taken to be one of those known to have returned: nobody can tell it from another with
    the same face, and the number that must still be in the pile comes out the same (B12.2).
    """
    state.pile_count -= 1
    tile = state.pile[state.pile_count]
    for place in range(state.returned_count):
        if state.returned[place] == tile:
            state.returned_count -= 1
            for later in range(place, state.returned_count):
                state.returned[later] = state.returned[later + 1]
            break
    return tile


def return_to_pile(state: State, tile: Int, events: Events) -> None:
    """B6.2: shuffle a citizen into the pile, also into an empty one."""
    state.pile[state.pile_count] = tile
    state.pile_count += 1
    state.returned[state.returned_count] = tile
    state.returned_count += 1
    shuffle_part(state.pile, 0, state.pile_count, state)
    events.tell(CITIZEN_RETURNED, tile)
