"""Two checkouts compared: what rules, search, judge, simulation and environments do per CPU-second.

    python -m benchmarks.checkouts ../before [--rounds 5] [--environments] [--game norenberc] [--subject judge]

With `--environments` only steps are measured, of both kinds of environments, and saved by themselves.
Each runs in a process of its own, source or compiled as the checkout is. The checkouts take turns, so that a slow
moment of the machine affects both, and the medians of the rates and of their ratios count. Each figure with a target is
printed with what was asked and whether it was met.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

SECONDS = 0.5  # of CPU for one game in one round
ROOT = Path(__file__).resolve().parents[1]
NODES = 100  # that a search looks at for one decision
STARTS = 20  # matches that are played out again and again
SUBJECTS = {
    "decisions": "Decisions through the contract",
    "playouts": "Decisions in whole playouts",
    "clones": "Clones",
    "greedy": "Greedy playouts",
    "nodes": "Search nodes",
    "judge": "Seats judged",
    "random matches": "Matches of random policies",
    "greedy matches": "Matches of greedy policies",
    "steps": "Environment steps",
    "source": "Decisions through the contract, from source",
}
ENVIRONMENTS = {"steps": "`aec_env`", "gym steps": "`gym_env`"}


COMPILED_TIMES = {
    "greedy": 5.0,
    "nodes": 4.0,
    "judge": 4.0,
    "random matches": 5.0,
    "greedy matches": 5.0,
    "steps": 3.0,
}
"""How many times as much as before the compiled rules are asked to do."""
SOURCE_TIMES = 0.9  # of the decisions from source


def target_of(subject: str, slug: str, after: float, times: float) -> tuple[str, str, bool] | None:
    """Return what is asked of a figure, what it is as this process runs, and whether it is enough; None if unasked."""
    from arena.bench.engine import COMPILED_TARGETS
    from referee.native import RunsAs, running

    is_compiled, asked = running() is RunsAs.COMPILED, COMPILED_TARGETS[slug]
    at_least = {"decisions": asked.decisions, "playouts": asked.playouts}.get(subject)
    if is_compiled and at_least is not None:
        return f"{at_least:,}", f"{after:,.0f}", after >= at_least
    if is_compiled and subject == "clones":
        micros = 1e6 / after
        return f"{asked.clone_us} µs", f"{micros:.2f} µs", micros <= asked.clone_us
    is_source = subject == "source" or (subject == "decisions" and not is_compiled)
    wanted = SOURCE_TIMES if is_source else COMPILED_TIMES.get(subject) if is_compiled else None
    return None if wanted is None else (f"{wanted} times before", f"{times:.2f} times", times >= wanted)


def decisions(slug: str) -> Callable[[int], int]:
    """Return a player of random matches from ready starts by `legal_actions` and `apply_checked`."""
    from referee.games import GAMES

    game: Any = GAMES[slug]
    starts, dice = [game.new(4, seed, game.options({})) for seed in range(STARTS)], random.Random(1)

    def play(seed: int) -> int:
        state, made = game.clone(starts[seed % STARTS]), 0
        while asked := game.pending(state):
            choices = {}
            for decision in asked:
                listed = game.legal_actions(state, decision.seat)
                choices[decision.seat] = listed[int(dice.random() * len(listed))]
            game.apply_checked(state, choices)
            made += len(choices)
        return made

    return play


def playouts(slug: str) -> Callable[[int], int]:
    """Return a player of the same matches by whole playouts, where the checkout has them."""
    from referee.games import GAMES
    from referee.rng import seeded

    game: Any = GAMES[slug]
    if not hasattr(game, "playout"):
        return decisions(slug)
    starts, dice = [game.new(4, seed, game.options({})) for seed in range(STARTS)], seeded(1)
    return lambda seed: game.playout(game.clone(starts[seed % STARTS]), dice)


def clones(slug: str) -> Callable[[int], int]:
    """Return a copier of states from the middle of matches."""
    from referee.games import GAMES
    from referee.playout import random_chooser, step
    from referee.rng import seeded

    game: Any = GAMES[slug]
    states = []
    for seed in range(STARTS):
        state, choose = game.new(4, seed, game.options({})), random_chooser(seeded(seed))
        for _ in range(30):
            if game.pending(state):
                step(game, state, choose)
        states.append(state)

    def copy(_seed: int) -> int:
        for state in states:
            game.clone(state)
        return len(states)

    return copy


def nodes(slug: str) -> Callable[[int], int]:
    """Return a searcher of positions of random matches."""
    from referee.games import GAMES
    from referee.playout import random_chooser, step
    from referee.rng import seeded
    from sample_bots.search.search import Search

    game: Any = GAMES[slug]
    asked = []
    for seed in range(STARTS):
        state, choose = game.new(4, seed, game.options({})), random_chooser(seeded(seed))
        for _ in range(5 * seed):
            if game.pending(state):
                step(game, state, choose)
        for decision in game.pending(state)[:1]:
            listed = game.legal_actions(state, decision.seat)
            if len(listed) > 1:
                asked.append((game.observe(state, decision.seat), decision.seat, listed))

    def search(seed: int) -> int:
        searched: Any = Search(game, *asked[seed % len(asked)], seeded(seed))
        searched.run(NODES)
        searched.best()
        return NODES

    return search


def judge(slug: str) -> Callable[[int], int]:
    """Return a judge of one seat of a match between greedy and random seats, by what the seat knew."""
    from arena.analysis.judge import judge as judged
    from arena.analysis.judgement import Worlds
    from arena.bench.analysis import greedy as greedy_chooser
    from arena.bench.analysis import play
    from arena.bench.recorded_match import random_chooser
    from referee.games import GAMES

    game: Any = GAMES[slug]
    best, any_option = greedy_chooser(game), random_chooser(1)
    record = play(game, 1, ["greedy", "random"] * 2, [best, any_option] * 2)

    def once(_seed: int) -> int:
        judged(record, Worlds.KNEW, 1, [1])
        return 1

    return once


def greedy(slug: str) -> Callable[[int], int]:
    """Return a player of whole matches by the heuristic, on the state itself."""
    from referee.games import GAMES
    from referee.rng import seeded

    game: Any = GAMES[slug]
    rate, options = game.heuristic().rate, game.options({})

    def play(seed: int) -> int:
        state = game.new(4, seed, options)
        if hasattr(game, "playout"):  # the same choices, however the game makes them
            game.playout(state, seeded(seed), greedy=True)
            return 1
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


PLAYERS: dict[str, Callable[[str], Callable[[int], int]]] = {
    "decisions": decisions,
    "source": decisions,
    "playouts": playouts,
    "clones": clones,
    "greedy": greedy,
    "nodes": nodes,
    "judge": judge,
    "steps": steps,
    "gym steps": gym_steps,
}


def rate_of(subject: str, slug: str, first_seed: int) -> float:
    """Return how many playouts, matches or steps this process makes per CPU-second."""
    play = PLAYERS[subject](slug) if subject in PLAYERS else matches(slug, subject.split()[0])
    if subject != "judge":  # which takes long enough
        play(first_seed)
    made, seed, started = 0, first_seed, process_time()
    while (spent := process_time() - started) < SECONDS:
        seed += 1
        made += play(seed)
    return made / spent


def measured(checkout: Path, subject: str, first_seed: int, games: Sequence[str]) -> dict[str, float]:
    """Return the rates of a checkout by game, measured in a process of its own."""
    command = [sys.executable, __file__, str(checkout), "--measure", subject, str(first_seed)]
    command += [word for slug in games for word in ("--game", slug)]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    if subject == "source":
        environment["MEISTERSINGER_COMPILED"] = "0"
    ran = subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE)
    rates: dict[str, float] = json.loads(ran.stdout)
    return rates


def main() -> None:
    """Measure in turn and save the medians."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkouts")
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--environments", action="store_true", help="measure the environments only")
    parser.add_argument("--game", action="append", help="measure this game only; may be repeated")
    parser.add_argument("--subject", choices=SUBJECTS, action="append", help="measure this only; may be repeated")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    from referee.games import BUILT_IN, GAMES

    slugs = arguments.game or BUILT_IN
    if arguments.measure:
        subject, seed = arguments.measure
        print(json.dumps({slug: rate_of(subject, slug, int(seed)) for slug in slugs}))
        return
    from arena.bench.figures import Figures, Targets, save
    from referee.native import RunsAs, running

    table, targets = Figures(("What", "Game", "Before", "After", "Times")), Targets()
    verdicts = Figures(("What", "Game", "Asked", "Reached", "Kept"))
    reached: list[tuple[str, str, float, float]] = []
    subjects = ENVIRONMENTS if arguments.environments else SUBJECTS
    for subject in arguments.subject or subjects:
        found: dict[Path, list[dict[str, float]]] = {arguments.before.resolve(): [], ROOT: []}
        for number in range(arguments.rounds):
            for checkout, rounds in found.items():
                rounds.append(measured(checkout, subject, 1_000 * number, slugs))
        for slug in slugs:
            before, after = (statistics.median(rates[slug] for rates in rounds) for rounds in found.values())
            times = statistics.median(late[slug] / early[slug] for early, late in zip(*found.values(), strict=True))
            table.add(subjects[subject], GAMES[slug].title, f"{before:,.1f}", f"{after:,.1f}", f"{times:.2f}")
            reached.append((subject, slug, after, times))
    print()
    for subject, slug, after, times in reached:
        if found_target := target_of(subject, slug, after, times):
            asked, is_now, is_met = found_target
            targets.check(f"{subjects[subject]}, {slug}: {is_now} / asked {asked}", is_met)
            row = (subjects[subject], GAMES[slug].title, asked, is_now, "yes" if is_met else "**no**")
            verdicts.rows = (*verdicts.rows, row)
    print(f"\n{len(targets.missed)} targets missed")
    name = "environment_steps" if arguments.environments else "checkouts"
    runs = "compiled" if running() is RunsAs.COMPILED else "source"
    save(f"{name}_{runs}", {"rates": table, "targets": verdicts})


if __name__ == "__main__":
    main()
