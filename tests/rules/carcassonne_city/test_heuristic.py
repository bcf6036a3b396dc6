"""The heuristic rates by increments: equal, to the last digit, to what a position is worth after each option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from referee.games.carcassonne_city.actions import Action, PlaceTile
from referee.games.carcassonne_city.components import END_WHEN_GAP_BELOW
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.heuristic import follower_gain, quick_followers, rate
from referee.games.carcassonne_city.promises import Areas, lead, worths
from referee.games.carcassonne_city.state import State
from referee.rng import Rng, seeded


def rated_in_full(state: State, seat: int, options: Sequence[Action]) -> list[float]:
    """Rate every option by the whole position after it, and after a tile by the best follower on it."""
    areas: Areas = {}
    ratings = []
    for option in options:
        after = GAME.clone(state)
        GAME.apply_checked(after, {seat: option})
        rating = lead(worths(after, areas), seat)
        if isinstance(option, PlaceTile):
            rating += max(follower_gain(after, seat, reply) for reply in quick_followers(after, seat))
        ratings.append(rating)
    return ratings


def positions(seats: int, seed: int, chance: int) -> Iterator[tuple[State, int, Sequence[Action]]]:
    """Play a game by the heuristic, but at random one time in `chance`, and yield every position with a choice."""
    state, dice = GAME.new(seats, seed, GAME.options({})), seeded(seed).fork("choices")
    while pending := GAME.pending(state):
        seat = pending[0].seat
        options = GAME.legal_actions(state, seat)
        choice = 0
        if len(options) > 1:
            yield state, seat, options
            ratings = rate(state, seat, options)
            choice = ratings.index(max(ratings)) if dice.index(chance) else dice.index(len(options))
        GAME.apply_checked(state, {seat: options[choice]})


def squeezed(state: State, seat: int, dice: Rng) -> State:
    """Return the position near its end: hardly a follower, tower or free cell, and the ring all but closed."""
    tight = GAME.clone(state)
    tight.supply[seat] = min(tight.supply[seat], dice.index(2))
    tight.towers[tight.active] = min(tight.towers[tight.active], dice.index(2))
    tight.board.perimeter = len(tight.wall.pieces) + dice.index(END_WHEN_GAP_BELOW + 3)
    first = dice.index(len(tight.board.frontier) or 1)
    for cells in (tight.board.frontier, tight.board.contacts):
        cells[:] = cells[first : first + 5]
    return tight


def check_ratings(state: State, seat: int, options: Sequence[Action]) -> None:
    """Compare all ratings, and see that the state is as it was before."""
    before = GAME.clone(state)
    assert rate(state, seat, options) == rated_in_full(state, seat, options)
    assert GAME.digest(state) == GAME.digest(before)
    assert (state.board, state.features) == (before.board, before.features)


@pytest.mark.parametrize("chance", [2, 100])
@pytest.mark.parametrize("seats", GAME.table_sizes)
def test_ratings_by_increments_equal_those_of_the_positions_that_follow(seats: int, chance: int) -> None:
    """Also of some of the options alone, and where a place, a wall or a guard may end the game."""
    dice, kinds = seeded(chance), set()
    for state, seat, options in positions(seats, chance, chance):
        kind = GAME.pending(state)[0].kind
        if kind != "PLACE_FOLLOWER":
            kinds.add(kind)
            check_ratings(state, seat, options)
            for tight in (squeezed(state, seat, dice), squeezed(state, seat, dice)):
                if some := GAME.legal_actions(tight, seat)[::-1]:
                    check_ratings(tight, seat, some)
    assert kinds == {"PLACE_TILE", "PLACE_GATE", "PLACE_WALL", "PLACE_GUARD", "PLACE_TOWER"}
