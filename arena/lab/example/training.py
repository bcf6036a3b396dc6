"""Learning by self-play against random opponents, reinforcing the choices of better matches.

This is REINFORCE with a baseline: every choice is made likelier by how much better than usual its match ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from arena.lab.example.network import Array, Lesson, Network, Weights, chances_of, drawn
from arena.lab.table_arrays import TableArrays
from referee.game import AnyGame, Outcome, Seat
from referee.games import GAMES
from referee.policy import Policy, Question, at_random, play_match
from referee.spawning import spawned

HIDDEN = 16
BATCH = 16  # matches per step, in each process
LIBRARIES = ("torch", "numpy")  # the first one installed is the default
FIRST_EVALUATION_SEED = 1 << 40  # seeds never used in training


@dataclass(frozen=True, slots=True)
class Batch:
    """A process's task: matches from a first seed on, with these weights."""

    weights: Weights
    first_seed: int
    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained policy, with the training's length."""

    network: Network
    matches: int
    seconds: float


def installed() -> list[str]:
    """Return the installed learning libraries."""
    return [name for name in LIBRARIES if find_spec(name) is not None]


def learning(library: str) -> Any:
    """Return a library's learning module: its `gradient` and its `Climber`."""
    return import_module(f"arena.lab.example.learning_{library}")


class BatchPlayer:
    """Plays batches of one game, keeping its arrays between them."""

    def __init__(self, slug: str, seats: int, library: str = "numpy") -> None:
        self._gradient = learning(library).gradient
        self.game: AnyGame = GAMES[slug]
        self.seats, self.options = seats, self.game.options({})
        self.arrays = TableArrays(self.game, seats, self.options)

    def play(self, batch: Batch) -> tuple[list[Array], list[float]]:
        """Return a batch's gradient, and each match's margin in points."""
        total, margins = [np.zeros_like(part) for part in batch.weights.parts()], []
        for seed in range(batch.first_seed, batch.first_seed + BATCH):
            made: list[Lesson] = []
            seat = seed % self.seats
            outcome = self._match(seed, seat, self._sampler(batch.weights, np.random.default_rng(seed), made))
            margins.append(margin(outcome, seat))
            worth = (margins[-1] - batch.mean) / batch.spread / (BATCH * max(1, len(made)) ** 0.5)
            lessons = [replace(lesson, worth=worth) for lesson in made]
            for part, slope in zip(total, self._gradient(batch.weights, lessons), strict=True):
                part += slope
        return total, margins

    def _match(self, seed: int, seat: Seat, policy: Policy) -> Outcome:
        policies: list[Policy] = [at_random] * self.seats
        policies[seat] = policy
        return play_match(self.game, policies, seed, self.options, f"{self.game.slug}-{seed}").outcome

    def _sampler(self, weights: Weights, dice: np.random.Generator, made: list[Lesson]) -> Policy:
        """Return a policy that samples by its ratings and records its choices, with no advantage yet."""

        def choose(question: Question) -> int:
            seen, rows = self.arrays.observation(question.view), self.arrays.rows(question.options)
            ratings, hidden = weights.rate(seen, rows)
            chances = chances_of(ratings)
            chosen = drawn(chances, dice.random())
            made.append(Lesson(seen, rows, hidden, chances, chosen, 0.0))
            return chosen

        return choose

    def share_of_wins(self, policy: Policy, matches: int) -> float:
        """Return the share of matches that a policy wins against random opponents, each seat in turn."""
        wins = 0
        for number in range(matches):
            seat = number % self.seats
            wins += self._match(FIRST_EVALUATION_SEED + number, seat, policy).ranks[seat] == 1
        return wins / matches


def margin(outcome: Outcome, seat: Seat) -> float:
    """Return a seat's lead over the mean of the others, in points."""
    others = [score for other, score in enumerate(outcome.scores) if other != seat]
    return outcome.scores[seat] - sum(others) / len(others)


def train(
    slug: str, seats: int, *, matches: int, seconds: float, processes: int, seed: int, tell: Callable[[str], None],
    library: str = "numpy",
) -> Trained:  # fmt: skip
    """Train for a number of matches or seconds; with matches alone, the same arguments give the same weights."""
    player = BatchPlayer(slug, seats)
    arrays = player.arrays
    weights = Weights.fresh(arrays.view.width, arrays.action.width, HIDDEN, seed)
    climber, mean, spread, played = learning(library).Climber(weights), 0.0, 1.0, 0
    started = told = time.monotonic()
    with spawned(processes, _begin, (slug, seats, library)) as pool:
        while played < matches and time.monotonic() - started < seconds:
            firsts = [seed * matches + played + BATCH * each for each in range(processes)]
            done = pool.map(_play, [Batch(weights, first, mean, spread) for first in firsts])
            margins = [value for _, values in done for value in values]
            if played:
                climber.climb([sum(parts) for parts in zip(*(gradient for gradient, _ in done), strict=True)])
            pace = 0.1 if played else 1.0
            mean += pace * (float(np.mean(margins)) - mean)
            spread += pace * (max(1.0, float(np.std(margins))) - spread)
            played += len(margins)
            if time.monotonic() - told > 10:
                told = time.monotonic()
                tell(f"{played} matches: {mean:+.1f} points ahead of the others on average")
    network = Network(weights, arrays.view.columns, arrays.action.columns)
    return Trained(network, played, time.monotonic() - started)


_player: BatchPlayer | None = None


def _begin(slug: str, seats: int, library: str) -> None:
    global _player
    _player = BatchPlayer(slug, seats, library)


def _play(batch: Batch) -> tuple[list[Array], list[float]]:
    assert _player is not None  # every process begins with one
    return _player.play(batch)
