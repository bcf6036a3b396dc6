"""Play many careful games with every invariant checked.

python -m tests.rules.carcassonne_city.greedy_soak --games 300
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.state import State
from referee.rng import seeded
from tests.rules.carcassonne_city.contract_case import max_choices
from tests.rules.carcassonne_city.greedy import choose
from tests.rules.carcassonne_city.invariants import check_invariants


def play_greedy_game(seats: int, seed: int) -> State:
    """Play one game in which all seats are careful, and check every invariant after every decision."""
    rng = seeded(seed).fork("greedy")
    state = GAME.new(seats, seed, GAME.options({}))
    made = 0
    while pending := GAME.pending(state):
        seat = pending[0].seat
        GAME.apply(state, {seat: choose(state, seat, GAME.legal_actions(state, seat), rng)})
        check_invariants(state)
        made += 1
        assert made <= max_choices(seats), f"seed {seed} with {seats} seats goes on for more than {made} decisions"
    return state


def main() -> None:
    """Play the games asked for, seat counts in turn, and say how they ended."""
    parser = argparse.ArgumentParser(description="Play many careful games.")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    endings: Counter[str] = Counter()
    points = 0
    for number in range(arguments.games):
        seats = GAME.table_sizes[number % len(GAME.table_sizes)]
        outcome = GAME.outcome(play_greedy_game(seats, arguments.first_seed + number))
        assert outcome is not None
        endings[f"{seats} seats, {outcome.reason}"] += 1
        points += sum(outcome.scores) // seats
    lines = [f"{ending}: {count}" for ending, count in sorted(endings.items())]
    sys.stdout.write("\n".join([*lines, f"points per seat: {points // max(1, arguments.games)}", ""]))


if __name__ == "__main__":
    main()
