"""The guest pile: drawing guests, and citizens that return to it (B6.2)."""

from __future__ import annotations

from referee.games.norenberc.events import CitizenReturned, Event
from referee.games.norenberc.state import State


def draw_guest(state: State) -> int:
    """B8.11: take the top tile of the pile.

    A citizen that is drawn is taken to be one of those known to have returned: nobody can tell it from another with
    the same face, and the number that must still be in the pile comes out the same (B12.2).
    """
    tile = state.pile.pop()
    if tile in state.returned:
        state.returned.remove(tile)
    return tile


def return_to_pile(state: State, tile: int, events: list[Event]) -> None:
    """B6.2: shuffle a citizen into the pile, also into an empty one."""
    state.pile.append(tile)
    state.returned.append(tile)
    state.rng.shuffle(state.pile)
    events.append(CitizenReturned(tile))
