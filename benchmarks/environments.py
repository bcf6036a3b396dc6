"""Random play in our environments, compared with OpenSpiel and PettingZoo's classics, in one process on one core.

    python -m benchmarks.environments [SECONDS]

Every side plays the same way: the seat that is asked takes any legal action. Three columns for ours: the engine alone,
the engine through `play_match` with a view per question, and the PettingZoo environment with its arrays. Sides that are
not installed are skipped and named. Sides take turns, so that a slow moment of the machine affects all.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from arena.bench.figures import Figures, save
from referee.games import BUILT_IN, GAMES
from referee.policy import at_random, play_match
from referee.rng import seeded

ROUNDS = 3
OPEN_SPIEL = ("leduc_poker", "hearts", "backgammon", "chess", "connect_four")
CLASSICS = ("tictactoe_v3", "connect_four_v3", "chess_v6", "leduc_holdem_v4")

Play = Callable[[int], int]  # plays the game of a seed and returns its number of decisions


def engine(slug: str) -> Play:
    """Return the bare rules engine."""
    game = GAMES[slug]
    options, apply = game.options({}), game.apply_checked

    def play(seed: int) -> int:
        state, _ = game.begin(game.preferred_seats, seed, options)
        dice, made = seeded(seed), 0
        while pending := game.pending(state):
            choices = {}
            for decision in pending:
                listed = game.legal_actions(state, decision.seat)
                choices[decision.seat] = listed[dice.index(len(listed))]
            made += len(choices)
            apply(state, choices)
        return made

    return play


def policies(slug: str) -> Play:
    """Return our matches between policies, as `arena simulate` plays them."""
    game = GAMES[slug]
    options, seats = game.options({}), [at_random] * game.preferred_seats
    return lambda seed: play_match(game, seats, seed, options, str(seed)).decisions


def classic(env: Any) -> Play:
    """Return a PettingZoo environment with masks, ours or theirs."""

    def play(seed: int) -> int:
        env.reset(seed=seed)
        dice, made = random.Random(seed), 0
        for _agent in env.agent_iter():
            observation, _, is_over, is_cut, info = env.last()
            if is_over or is_cut:
                env.step(None)
                continue
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            env.step(int(dice.choice(np.flatnonzero(mask))))
            made += 1
        return made

    return play


def open_spiel(name: str, *, with_tensors: bool) -> Play:
    """Return an OpenSpiel game, with or without an observation tensor for every decision."""
    game = import_module("pyspiel").load_game(name)

    def play(seed: int) -> int:
        state, dice, made = game.new_initial_state(), random.Random(seed), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, chances)[0])
                continue
            if with_tensors:
                np.asarray(_tensor(game, state), np.float32)
            state.apply_action(dice.choice(state.legal_actions()))
            made += 1
        return made

    return play


def _tensor(game: Any, state: Any) -> Any:
    if game.get_type().provides_information_state_tensor:
        return state.information_state_tensor(state.current_player())
    return state.observation_tensor(state.current_player())


def sides() -> Iterator[tuple[str, str, Play]]:
    """Yield everything that can be measured here: the library, the game, and how it is played."""
    for slug in BUILT_IN:
        yield "engine", slug, engine(slug)
        yield "policies", slug, policies(slug)
        if find_spec("pettingzoo"):
            yield "environment", slug, classic(import_module("arena.lab").aec_env(slug))
    if find_spec("pyspiel"):
        for name in OPEN_SPIEL:
            yield "OpenSpiel", name, open_spiel(name, with_tensors=False)
            yield "OpenSpiel, tensors", name, open_spiel(name, with_tensors=True)
    else:
        print("left out, not installed: OpenSpiel (pip install open_spiel)")
    for name in CLASSICS if find_spec("pettingzoo") else ():
        try:
            yield "PettingZoo classic", name, classic(import_module(f"pettingzoo.classic.{name}").env())
        except Exception as error:  # its own requirements are not ours
            print(
                f"left out: PettingZoo's {name}: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
            )


def main() -> int:
    """Print decisions per CPU-second of every side."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments")
    parser.add_argument("seconds", nargs="?", type=float, default=1.0, help="CPU-seconds of each side (1)")
    seconds = parser.parse_args().seconds
    found = list(sides())
    tallies = [[0, 0] for _ in found]
    for round_number in range(ROUNDS):
        for (_, _, play), tally in zip(found, tallies, strict=True):
            started, seed = time.process_time_ns(), 1_000 * round_number
            while time.process_time_ns() - started < seconds * 1e9 / ROUNDS:
                tally[0] += play(seed)
                seed += 1
            tally[1] += time.process_time_ns() - started
    rates: dict[tuple[str, str], int] = {}
    for (kind, name, _), (decisions, elapsed) in zip(found, tallies, strict=True):
        rates[kind, name] = decisions * 1_000_000_000 // elapsed
        print(f"{kind:20} {name:20} {rates[kind, name]:>9,} decisions per CPU-second")
    tables = {name: table(rates, head, kinds) for name, (head, kinds) in TABLES.items()}
    if all(each.rows for each in tables.values()):  # otherwise keep the earlier figures, measured with all installed
        save("environments", tables)
    return 0


TABLES = {
    "ours": ("Ours", {"engine": "engine", "policies": "policies", "environment": "environment"}),
    "openspiel": (
        "OpenSpiel",
        {"OpenSpiel": "game alone", "OpenSpiel, tensors": "with the tensor of every decision"},
    ),
    "pettingzoo": ("PettingZoo classic", {"PettingZoo classic": "environment"}),
}


def table(rates: Mapping[tuple[str, str], int], head: str, kinds: Mapping[str, str]) -> Figures:
    """Return some kinds of environments side by side, one line per game."""
    names = dict.fromkeys(name for kind, name in rates if kind in kinds)
    rows = [[_title(name), *(rates.get((kind, name)) for kind in kinds)] for name in names]
    return Figures((head, *kinds.values()), rows)


def _title(name: str) -> str:
    return GAMES[name].title if name in GAMES else name.replace("_", " ")


if __name__ == "__main__":
    sys.exit(main())
