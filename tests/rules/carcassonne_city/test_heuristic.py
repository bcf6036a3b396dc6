"""The heuristic rates by increments: equal, to the last digit, to what a position is worth after each option."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from referee.games.carcassonne_city.actions import Action, PlaceTile
from referee.games.carcassonne_city.components import END_WHEN_GAP_BELOW
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.heuristic import follower_gain, quick_followers, rate
from referee.games.carcassonne_city.promises import Areas, worths
from referee.games.carcassonne_city.state import State
from referee.games.carcassonne_city.weights import DEFAULTS
from referee.rng import Rng, seeded
from tests.rules.carcassonne_city.builders import everything, opened


def rated_in_full(state: State, seat: int, options: Sequence[Action]) -> list[float]:
    """Rate every option by the whole position after it, and after a tile by the best follower on it."""
    areas = Areas(keeps=1)
    ratings = []
    for option in options:
        after = GAME.clone(state)
        GAME.apply_checked(after, {seat: option})
        rating = lead(worths(after, areas), seat)
        if isinstance(option, PlaceTile):
            rating += max(follower_gain(after, seat, reply) for reply in quick_followers(after, seat))
        ratings.append(rating)
    return ratings


def lead(totals: list[float], seat: int) -> float:
    """Return the points of the seat less a share of the best opponent's."""
    return totals[seat] - DEFAULTS.envy * max(total for other, total in enumerate(totals) if other != seat)


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
    at_least = 1 if GAME.pending(tight)[0].kind == "PLACE_GUARD" else 0  # C8.7: nobody is asked without a follower
    opened(tight).supply[seat] = min(opened(tight).supply[seat], at_least + dice.index(2))
    opened(tight).towers[tight.active] = min(opened(tight).towers[tight.active], dice.index(2))
    tight.perimeter = tight.piece_count + dice.index(END_WHEN_GAP_BELOW + 3)
    first = dice.index(len(opened(tight).frontier) or 1)
    opened(tight).frontier = opened(tight).frontier[first : first + 5]
    return tight


def check_ratings(state: State, seat: int, options: Sequence[Action]) -> None:
    """Compare all ratings, and see that the state is as it was before."""
    before = GAME.clone(state)
    assert rate(state, seat, options) == rated_in_full(state, seat, options)
    assert GAME.digest(state) == GAME.digest(before)
    assert everything(state) == everything(before)


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


ORDERS = """
from referee.games.carcassonne_city.counting_order import features_in_order
from referee.games.carcassonne_city.features import add_parts
from referee.games.carcassonne_city.setup import empty_table
from referee.rng import seeded

CROSSING = 15  # P16: eight parts
state = empty_table(4, [])
for number in range(36):
    add_parts(state, number, CROSSING, 200 + number)
dice = seeded(1)
compared = 0
for count in range(29):
    for _ in range(50):
        nodes = [dice.index(state.node_count) for _ in range(count)]
        roots = [0] * 28
        found = features_in_order(state, nodes, count, roots)
        numbers = state.part_numbers
        assert [numbers[root] for root in roots[:found]] == list({numbers[node] for node in nodes})
        compared += 1
print(compared)
"""


def test_features_are_counted_in_the_order_of_a_set_of_their_roots() -> None:
    """Every part of 36 tiles is a feature of its own; on the source, since compiled it cannot be called from here."""
    done = subprocess.run(
        [sys.executable, "-c", ORDERS],
        cwd=Path(__file__).parents[3], env={**os.environ, "MEISTERSINGER_COMPILED": "0"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "1450"
