"""Learning from a heuristic on, against a ladder of bots.

The network starts as the game's heuristic, its teacher: how the heuristic rates an option is one of its columns. Then
it plays against the rungs of the game's ladder, one after another as it passes them, and the choices of better matches
are reinforced. This is REINFORCE with a baseline: every choice is made likelier by how much better than usual its match
ended. A game without a heuristic is learned from nothing, and one without a ladder against random opponents.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from arena.bots.opponents import opponent
from arena.bots.rungs import games_with_ladder, read_ladder
from arena.lab.example.network import Array, Lesson, Network, RatedOptions, Weights, chances_of, drawn
from referee.game import AnyGame, Outcome, Seat, can_imagine
from referee.games import GAMES
from referee.policy import Policy, Question, at_random, greedily, play_match
from referee.spawning import spawned

HIDDEN = 16
BATCH = 16  # matches per step, in each process
LIBRARIES = ("torch", "numpy")  # the first one installed is the default
FIRST_EVALUATION_SEED = 1 << 40  # seeds never used in training
RATED = 20.0  # what a lead in the heuristic's rating is worth at the start: mostly its favourite is taken
FIRST_STEP = 0.01  # the learning rate where there is a teacher to start from
MIN_STEPS = 5  # against a rung
PASSED = 0.55  # the share of opponents beaten at which the next rung follows


@dataclass(frozen=True, slots=True)
class Batch:
    """A process's task: matches from a first seed on, with these weights."""

    weights: Weights
    first_seed: int
    rung: int
    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained policy, with the training's length."""

    network: Network
    matches: int
    seconds: float
    cpu: float
    """Seconds of CPU time in all processes."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    network: Network
    matches: int
    seconds: float
    cpu: float
    rung: str


def installed() -> list[str]:
    """Return the installed learning libraries."""
    return [name for name in LIBRARIES if find_spec(name) is not None]


def learning(library: str) -> Any:
    """Return a library's learning module: its `gradient` and its `Climber`."""
    return import_module(f"arena.lab.example.learning_{library}")


def has_teacher(game: AnyGame) -> bool:
    """Return whether a game has a heuristic that bots can ask."""
    return game.heuristic() is not None and can_imagine(game)


def rungs_of(slug: str) -> list[str]:
    """Return the bots that a learner meets, the weakest first: the ladder of the game, or random play."""
    if slug not in games_with_ladder():
        return ["random"]
    return [f"level:{number}" for number in range(1, len(read_ladder(slug).rungs) + 1)]


class BatchPlayer:
    """Plays batches of one game, keeping its arrays between them."""

    def __init__(self, slug: str, seats: int, library: str = "numpy") -> None:
        self._gradient = learning(library).gradient
        self.game: AnyGame = GAMES[slug]
        self.seats, self.options = seats, self.game.options({})
        self.arrays = RatedOptions(self.game, seats, self.options)
        self.rungs: list[Policy] = [at_random if name == "random" else opponent(name) for name in rungs_of(slug)]

    def play(self, batch: Batch) -> tuple[list[Array], list[float], list[float], float]:
        """Return a batch's gradient, each match's margin and share of opponents beaten, and the CPU time it took."""
        begun = time.process_time()
        total, margins, shares = [np.zeros_like(part) for part in batch.weights.parts()], [], []
        for seed in range(batch.first_seed, batch.first_seed + BATCH):
            made: list[Lesson] = []
            dice, seat = np.random.default_rng(seed), seed % self.seats
            outcome = self._match(seed, seat, self._sampler(batch.weights, dice, made), self.rungs[batch.rung])
            above = (margin(outcome, seat) - batch.mean) / batch.spread
            worth = above / (BATCH * max(1, len(made)) ** 0.5)
            margins.append(margin(outcome, seat))
            shares.append(beaten(outcome, seat))
            lessons = [replace(lesson, worth=worth) for lesson in made]
            for part, slope in zip(total, self._gradient(batch.weights, lessons), strict=True):
                part += slope
        return total, margins, shares, time.process_time() - begun

    def _match(self, seed: int, seat: Seat, policy: Policy, others: Policy) -> Outcome:
        policies: list[Policy] = [others] * self.seats
        policies[seat] = policy
        return play_match(self.game, policies, seed, self.options, f"{self.game.slug}-{seed}").outcome

    def _sampler(self, weights: Weights, dice: np.random.Generator, made: list[Lesson]) -> Policy:
        """Return a policy that samples by its ratings and records its choices, with no advantage yet."""

        def choose(question: Question) -> int:
            seen, rows = self.arrays.observation(question.view), self.arrays.rows(question)
            ratings, hidden = weights.rate(seen, rows)
            chances = chances_of(ratings)
            chosen = drawn(chances, dice.random())
            made.append(Lesson(seen, rows, hidden, chances, chosen, 0.0))
            return chosen

        return choose

    def share_of_wins(self, policy: Policy, matches: int, others: Policy = at_random) -> float:
        """Return the share of matches that a policy wins against others, in each seat in turn."""
        return sum(outcome.ranks[seat] == 1 for outcome, seat in self._evaluation(policy, matches, others)) / matches

    def share_beaten(self, policy: Policy, matches: int, others: Policy = greedily) -> tuple[float, float]:
        """Return the share of opponents that a policy beats, in each seat in turn, with its standard error."""
        shares = [beaten(outcome, seat) for outcome, seat in self._evaluation(policy, matches, others)]
        return float(np.mean(shares)), float(np.std(shares, ddof=min(1, matches - 1)) / matches**0.5)

    def _evaluation(self, policy: Policy, matches: int, others: Policy) -> list[tuple[Outcome, Seat]]:
        numbers = [(FIRST_EVALUATION_SEED + number, number % self.seats) for number in range(matches)]
        return [(self._match(seed, seat, policy, others), seat) for seed, seat in numbers]


def margin(outcome: Outcome, seat: Seat) -> float:
    """Return a seat's lead over the mean of the others, in points."""
    others = [score for other, score in enumerate(outcome.scores) if other != seat]
    return outcome.scores[seat] - sum(others) / len(others)


def beaten(outcome: Outcome, seat: Seat) -> float:
    """Return the share of the others that a seat is ahead of, a tie counting half."""
    own, others = outcome.ranks[seat], [rank for other, rank in enumerate(outcome.ranks) if other != seat]
    return sum(1.0 if own < rank else 0.5 if own == rank else 0.0 for rank in others) / len(others)


def train(
    slug: str, seats: int, *, matches: int, seconds: float, processes: int, seed: int, tell: Callable[[str], None],
    library: str = "numpy", watch: Callable[[Progress], None] | None = None, every: float = 60.0,
) -> Trained:  # fmt: skip
    """Train for a number of matches or seconds; with matches alone, the same arguments give the same weights.

    `watch` is shown the network each time that `every` seconds of training have passed.
    """
    player = BatchPlayer(slug, seats)
    arrays, names, module = player.arrays, rungs_of(slug), learning(library)
    weights = Weights.fresh(len(arrays.view_columns), len(arrays.option_columns), HIDDEN, seed)
    climber = module.Climber(weights)
    if has_teacher(player.game):
        weights.direct[-1] = RATED  # the heuristic's rating is the last column
        climber = module.Climber(weights, FIRST_STEP)
    mean, spread, share, rung, played, steps = 0.0, 1.0, 0.0, 0, 0, 0
    network = Network(weights, arrays.view_columns, arrays.option_columns)
    spent, cpu, told, watched = 0.0, 0.0, 0.0, 0.0
    with spawned(processes, _begin, (slug, seats, library)) as pool:
        while played < matches and spent < seconds:
            begun, used = time.monotonic(), time.process_time()
            firsts = [seed * matches + played + BATCH * each for each in range(processes)]
            done = pool.map(_play, [Batch(weights, first, rung, mean, spread) for first in firsts])
            margins, shares = ([value for found in done for value in found[at]] for at in (1, 2))
            if steps:  # the first matches against a rung only say what is usual
                climber.climb([sum(parts) for parts in zip(*(found[0] for found in done), strict=True)])
            pace = 0.1 if steps else 1.0
            mean += pace * (float(np.mean(margins)) - mean)
            spread += pace * (max(1.0, float(np.std(margins))) - spread)
            share += pace * (float(np.mean(shares)) - share)
            steps += 1
            played += len(margins)
            if share > PASSED and steps >= MIN_STEPS and rung + 1 < len(names):
                rung, steps = rung + 1, 0
            spent += time.monotonic() - begun
            cpu += time.process_time() - used + sum(found[3] for found in done)
            if spent - told > 10:
                told = spent
                tell(f"{played} matches: {mean:+.1f} points ahead of {names[rung]} on average, beats {share:.0%}")
            if watch is not None and spent - watched > every:
                watched = spent
                watch(Progress(network, played, spent, cpu, names[rung]))
    return Trained(network, played, spent, cpu)


_player: BatchPlayer | None = None


def _begin(slug: str, seats: int, library: str) -> None:
    global _player
    _player = BatchPlayer(slug, seats, library)


def _play(batch: Batch) -> tuple[list[Array], list[float], list[float], float]:
    assert _player is not None  # every process begins with one
    return _player.play(batch)
