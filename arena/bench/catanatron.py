"""Random play in Die Siedler von Nürnberg compared with catanatron, in one process on one core.

    python -m arena.bench.catanatron [GAMES]

Both sides seat four players who choose uniformly among the listed actions; every choice applied counts, and those with
more than one option are shown separately. The games differ, so the ratio compares engines, not rules.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from referee.games.nuremberg.game import GAME
from referee.rng import seeded

SEATS = 4
GAMES = 20
ROUNDS = 3  # the two sides take turns, so that a slow moment of the machine hits both


@dataclass
class Tally:
    """One side's decisions, and their CPU time."""

    decisions: int = 0
    real_choices: int = 0
    cpu_ns: int = 0

    def per_second(self) -> int:
        """Return the decisions made in one CPU-second, rounded down."""
        return self.decisions * 1_000_000_000 // max(1, self.cpu_ns)


def play_nuremberg(seed: int, tally: Tally) -> None:
    """Play one match with random seats."""
    state, rng = GAME.new(SEATS, seed, GAME.options({})), seeded(seed)
    while pending := GAME.pending(state):
        choices = {}
        for decision in pending:
            options = GAME.legal_actions(state, decision.seat)
            choices[decision.seat] = options[rng.index(len(options))]
            tally.decisions += 1
            tally.real_choices += len(options) > 1
        GAME.apply(state, choices)


def catanatron_player(catanatron: Any) -> Callable[[int, Tally], None]:
    """Return a function that plays one game of catanatron with its own random players."""
    colors = list(catanatron.Color)[:SEATS]
    turns_limit = import_module("catanatron.game").TURNS_LIMIT

    def play_catanatron(seed: int, tally: Tally) -> None:
        game = catanatron.Game([catanatron.RandomPlayer(color) for color in colors], seed=seed + 1)
        while game.winning_color() is None and game.state.num_turns < turns_limit:
            tally.decisions += 1
            tally.real_choices += len(game.state.playable_actions) > 1
            game.play_tick()

    return play_catanatron


def measure(play: Callable[[int, Tally], None], seeds: range, tally: Tally) -> None:
    """Play these seeds and add them to the tally."""
    started = time.process_time_ns()
    for seed in seeds:
        play(seed, tally)
    tally.cpu_ns += time.process_time_ns() - started


def main() -> int:
    """Print decisions per CPU-second of both sides and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.catanatron")
    parser.add_argument("games", nargs="?", type=int, default=GAMES, help=f"games of each side per round ({GAMES})")
    games = parser.parse_args().games
    if find_spec("catanatron") is None:
        print("catanatron is not installed; to compare, run: pip install catanatron")
        return 0
    sides = {"nuremberg": play_nuremberg, "catanatron": catanatron_player(import_module("catanatron"))}
    tallies = {name: Tally() for name in sides}
    for play in sides.values():
        measure(play, range(10**6, 10**6 + 2), Tally())  # warm up
    for number in range(ROUNDS):
        for name, play in sides.items():
            measure(play, range(number * games, (number + 1) * games), tallies[name])
    for name, tally in tallies.items():
        shown = f"{tally.decisions} decisions, {tally.real_choices} with a choice, {tally.cpu_ns / 1e9:.2f} CPU-seconds"
        print(f"{name:<10} {tally.per_second():>8} decisions per CPU-second  ({ROUNDS * games} games, {shown})")
    print(f"ratio      {tallies['nuremberg'].per_second() / max(1, tallies['catanatron'].per_second()):8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
