"""Two checkouts compared: greedy playouts, simulated matches and environment steps per CPU-second.

    python -m benchmarks.checkouts ../before [--rounds 5] [--environments]

With `--environments` only steps are measured, of both kinds of environments, and saved by themselves.
Each runs in a process of its own, source or compiled as the checkout is. The checkouts take turns, so that a slow
moment of the machine affects both, and the medians of the rates and of their ratios count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

SECONDS = 0.5  # of CPU for one game in one round
ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = {
    "greedy": "Greedy playouts",
    "random matches": "Matches of random policies",
    "greedy matches": "Matches of greedy policies",
    "steps": "Environment steps",
}
ENVIRONMENTS = {"steps": "`aec_env`", "gym steps": "`gym_env`"}


def greedy(slug: str) -> Callable[[int], int]:
    """Return a player of whole matches by the heuristic, on the state itself."""
    from referee.games import GAMES

    game: Any = GAMES[slug]
    rate, options = game.heuristic().rate, game.options({})

    def play(seed: int) -> int:
        state = game.new(4, seed, options)
        while decisions := game.pending(state):
            choices = {}
            for decision in decisions:
                listed = game.legal_actions(state, decision.seat)
                ratings = rate(state, decision.seat, listed) if len(listed) > 1 else [0.0]
                choices[decision.seat] = listed[ratings.index(max(ratings))]
            game.apply_checked(state, choices)
        return 1

    return play


def matches(slug: str, policy: str) -> Callable[[int], int]:
    """Return a player of matches between policies, as `arena simulate` plays them."""
    from referee.games import GAMES
    from referee.policy import BUILT_IN, play_match

    game: Any = GAMES[slug]
    seats, options = [BUILT_IN[policy]] * 4, game.options({})

    def play(seed: int) -> int:
        play_match(game, seats, seed, options, str(seed))
        return 1

    return play


def steps(slug: str) -> Callable[[int], int]:
    """Return a player of random matches in the PettingZoo environment, who counts its steps."""
    import numpy as np

    from arena.lab import aec_env

    env: Any = aec_env(slug, seats=4)

    def play(seed: int) -> int:
        env.reset(seed=seed)
        dice, made = random.Random(seed), 0
        for _agent in env.agent_iter():
            observation, _, is_over, _, _ = env.last()
            env.step(None if is_over else int(dice.choice(np.flatnonzero(observation["action_mask"]))))
            made += not is_over
        return made

    return play


def gym_steps(slug: str) -> Callable[[int], int]:
    """Return a player of random matches in the Gymnasium environment, who counts its steps, against its likes."""
    import numpy as np

    from arena.lab import gym_env

    env: Any = gym_env(slug, seats=4)

    def play(seed: int) -> int:
        observation, _ = env.reset(seed=seed)
        dice, made, is_over = random.Random(seed), 0, False
        while not is_over:
            action = int(dice.choice(np.flatnonzero(observation["action_mask"])))
            observation, _, is_over, _, _ = env.step(action)
            made += 1
        return made

    return play


def rate_of(subject: str, slug: str, first_seed: int) -> float:
    """Return how many playouts, matches or steps this process makes per CPU-second."""
    if subject == "greedy":
        play = greedy(slug)
    elif subject in ENVIRONMENTS:
        play = steps(slug) if subject == "steps" else gym_steps(slug)
    else:
        play = matches(slug, subject.split()[0])
    play(first_seed)
    made, seed, started = 0, first_seed, process_time()
    while (spent := process_time() - started) < SECONDS:
        seed += 1
        made += play(seed)
    return made / spent


def measured(checkout: Path, subject: str, first_seed: int) -> dict[str, float]:
    """Return the rates of a checkout by game, measured in a process of its own."""
    command = [sys.executable, __file__, str(checkout), "--measure", subject, str(first_seed)]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    ran = subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE)
    rates: dict[str, float] = json.loads(ran.stdout)
    return rates


def main() -> None:
    """Measure in turn and save the medians."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkouts")
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--environments", action="store_true", help="measure the environments only")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    from referee.games import BUILT_IN, GAMES

    if arguments.measure:
        subject, seed = arguments.measure
        print(json.dumps({slug: rate_of(subject, slug, int(seed)) for slug in BUILT_IN}))
        return
    from arena.bench.figures import Figures, save
    from referee.native import RunsAs, running

    table = Figures(("What", "Game", "Before", "After", "Times"))
    subjects = ENVIRONMENTS if arguments.environments else SUBJECTS
    for subject, title in subjects.items():
        found: dict[Path, list[dict[str, float]]] = {arguments.before.resolve(): [], ROOT: []}
        for number in range(arguments.rounds):
            for checkout, rounds in found.items():
                rounds.append(measured(checkout, subject, 1_000 * number))
        for slug in BUILT_IN:
            before, after = (statistics.median(rates[slug] for rates in rounds) for rounds in found.values())
            times = statistics.median(late[slug] / early[slug] for early, late in zip(*found.values(), strict=True))
            table.add(title, GAMES[slug].title, f"{before:,.1f}", f"{after:,.1f}", f"{times:.1f}")
    name = "environment_steps" if arguments.environments else "checkouts"
    save(f"{name}_compiled" if running() is RunsAs.COMPILED else f"{name}_source", {"rates": table})


if __name__ == "__main__":
    main()
