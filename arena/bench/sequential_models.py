"""Simulated blocks and tournaments with a known truth, for testing the tests and claims of T14 to T16."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from math import ceil, log, log2, sqrt

import numpy as np
import numpy.typing as npt

from arena.plan.swiss import Entrant, TableSizes, focus_order, is_focus_round, pair_focus, rating_scores
from ratings.points.points import UNIT
from ratings.sequential.claims import Claims, ClaimWord, is_decided, neighbour_claims
from ratings.sequential.evidence import CountedBlock
from ratings.sequential.link import mean_of_elo

NAT_PER_ELO = log(10) / 400
CALIBRATION_BLOCKS = 120_000
CHUNK = 30_000

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockModel:
    """How a block is played; NEW and OLD are `elo` apart, and their fillers half-way between them."""

    seats: int
    elo: float = 0.0
    tie_width: float = 0.0
    """Results closer than this, in nats, are tied."""
    seat_gain: float = 0.0
    """The first seat's advantage over the last, in nats."""
    seat_luck: float = 0.0
    """How often the luck of a seat is the same in all games of a block: games of one seed."""
    bot_luck: float = 0.0
    """How often the luck of a bot is the same in all games of a block."""
    cycle: float = 0.0
    """The gain of each of three styles, in nats, against the next, and its loss to the previous one."""
    spread: float = 0.0
    """The standard deviation of the fillers, in nats."""
    forfeits: float = 0.0
    """How often NEW loses a game by forfeit."""


@dataclass(frozen=True, slots=True)
class Lottery:
    """The values of D of a block, their probabilities, and the mean of x = D/(kU)."""

    seats: int
    values: Integers
    chances: Floats

    @property
    def mean(self) -> float:
        """The true mean difference of points per game."""
        return float(self.values @ self.chances) / (self.seats * UNIT)

    @property
    def variance(self) -> float:
        """The variance of a block's mean difference."""
        return float((self.values / (self.seats * UNIT)) ** 2 @ self.chances) - self.mean**2

    def draw(self, shape: int | tuple[int, ...], rng: np.random.Generator) -> Integers:
        """Draw blocks, as numbers into `values`."""
        steps = np.cumsum(self.chances)
        return np.minimum(np.searchsorted(steps, rng.random(shape), side="right"), len(self.values) - 1)

    def draw_next(self, alive: Integers, rng: np.random.Generator) -> Integers:
        """Draw the next block of every run that still goes on."""
        return self.draw(len(alive), rng)


WANDERING_STEP = 10
"""Elo between two strengths whose blocks are told apart."""
WANDERING_REACH = 700


class WanderingLottery:
    """T14.4: NEW's true strength has the mean 0 and wanders from block to block, in every run by itself.

    It is a first-order autoregression in Elo with this standard deviation and correlation; at every strength blocks
    have the mean of T14.3, so that over many blocks NEW scores as much as OLD.
    """

    def __init__(
        self, even: Lottery, runs: int, deviation: float, correlation: float, rng: np.random.Generator
    ) -> None:
        """`even` has the blocks between equals."""
        self.values = even.values
        self._deviation, self._correlation = deviation, correlation
        self._elo = rng.normal(0, deviation, runs)
        strengths = range(-WANDERING_REACH, WANDERING_REACH + 1, WANDERING_STEP)
        means = (mean_of_elo(Decimal(elo), even.seats) / 1e6 for elo in strengths)
        self._steps = np.stack([np.cumsum(tilted(even, mean).chances) for mean in means])

    def draw_next(self, alive: Integers, rng: np.random.Generator) -> Integers:
        """Draw the next block of every run that still goes on, then let strengths wander."""
        at = np.clip(np.rint((self._elo[alive] + WANDERING_REACH) / WANDERING_STEP), 0, len(self._steps) - 1)
        drawn: Integers = (self._steps[at.astype(np.int64)] <= rng.random((len(alive), 1))).sum(axis=1)
        fresh = rng.normal(0, self._deviation * sqrt(1 - self._correlation**2), len(alive))
        self._elo[alive] = self._correlation * self._elo[alive] + fresh
        fitting: Integers = np.minimum(drawn, len(self.values) - 1)
        return fitting


def play(model: BlockModel, blocks: int, rng: np.random.Generator) -> Integers:
    """Play blocks and return D of each."""
    seats = model.seats
    shape = (blocks, seats, seats)  # block, game, bot; bot 0 is NEW and bot 1 OLD
    strength = np.zeros((blocks, seats))
    strength[:, 0], strength[:, 1] = model.elo * NAT_PER_ELO / 2, -model.elo * NAT_PER_ELO / 2
    if model.spread:
        strength[:, 2:] = rng.normal(0, model.spread, (blocks, seats - 2))
    if model.cycle:
        styles = rng.integers(0, 3, (blocks, seats))
        styles[:, 0], styles[:, 1] = 0, 1
        steps = (styles[:, :, None] - styles[:, None, :]) % 3
        strength += model.cycle * ((steps == 2).sum(axis=2) - (steps == 1).sum(axis=2)) / (seats - 1)
    base = rng.permuted(np.tile(np.arange(seats), (blocks, 1)), axis=1)
    seat = (base[:, None, :] + np.arange(seats)[None, :, None]) % seats
    luck = rng.gumbel(size=shape)
    if model.seat_luck:
        shared = np.take_along_axis(np.broadcast_to(rng.gumbel(size=(blocks, 1, seats)), shape), seat, axis=2)
        luck = np.where(rng.random(shape) < model.seat_luck, shared, luck)
    if model.bot_luck:
        luck = np.where(rng.random(shape) < model.bot_luck, rng.gumbel(size=(blocks, 1, seats)), luck)
    result = strength[:, None, :] - model.seat_gain * seat / (seats - 1) + luck
    if model.tie_width:
        result = np.floor(result / model.tie_width)
    if model.forfeits:
        result[:, :, 0] = np.where(rng.random((blocks, seats)) < model.forfeits, -np.inf, result[:, :, 0])

    def twice_beaten(bot: int) -> Integers:
        own = result[:, :, bot : bot + 1]
        found: Integers = (2 * (own > result).sum(axis=2) + (own == result).sum(axis=2) - 1).astype(np.int64)
        return found

    difference: Integers = (twice_beaten(0) - twice_beaten(1)).sum(axis=1) * (UNIT // 2 // (seats - 1))
    return difference


@cache
def lottery(model: BlockModel, mean: float | None = None) -> Lottery:
    """The lottery of a model's blocks; with `mean`, of the model whose NEW has exactly this mean.

    The strength of NEW is set to come near the mean, and tilting the chances a little does the rest.
    """
    if mean is not None:
        low, high = -700.0, 700.0
        for _ in range(9):
            middle = (low + high) / 2
            found = _seen(replace(model, elo=middle), CALIBRATION_BLOCKS // 4, seed=1)
            low, high = (middle, high) if found.mean < mean else (low, middle)
        model = replace(model, elo=(low + high) / 2)
    found = _seen(model, CALIBRATION_BLOCKS, seed=2)
    return found if mean is None else tilted(found, mean)


def _seen(model: BlockModel, blocks: int, seed: int) -> Lottery:
    rng = np.random.default_rng(seed)
    drawn = np.concatenate([play(model, CHUNK, rng) for _ in range(max(1, blocks // CHUNK))])
    values, counts = np.unique(drawn, return_counts=True)
    return Lottery(model.seats, values, counts / counts.sum())


def tilted(found: Lottery, mean: float) -> Lottery:
    """The nearest lottery, in relative entropy, that has exactly this mean."""
    shares = found.values / (found.seats * UNIT)
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        weights = found.chances * np.exp(middle * shares)
        chances = weights / weights.sum()
        low, high = (middle, high) if shares @ chances < mean else (low, middle)
    return Lottery(found.seats, found.values, chances)


def collapsing() -> Lottery:
    """T18: NEW gains a little in 96 % of the blocks and collapses in 4 %, with a true mean of 0."""
    return Lottery(4, np.array([-4 * UNIT, 4 * UNIT // 24]), np.array([0.04, 0.96]))


MODELS: dict[str, Callable[[int], BlockModel]] = {
    "plain": BlockModel,
    "ties": lambda seats: BlockModel(seats, tie_width=1.0),
    "seat gain": lambda seats: BlockModel(seats, seat_gain=0.8),
    "luck of seat and seed": lambda seats: BlockModel(seats, seat_luck=0.7),
    "luck of bot and seed": lambda seats: BlockModel(seats, bot_luck=0.7),
    "cycles": lambda seats: BlockModel(seats, cycle=1.0),
    "unequal fillers": lambda seats: BlockModel(seats, spread=1.5),
    "3 % forfeits": lambda seats: BlockModel(seats, forfeits=0.03),
}

PRIOR_VARIANCE = 1.0
"""In nats squared: the plain fit below replaces that of T8, which would take most of the time."""


@dataclass(frozen=True, slots=True)
class SimulatedTournament:
    """The outcome of a tournament."""

    games: int
    open: int
    """Neighbours of the fitted order that are still open."""
    claims: int
    wrong: int
    """Claims of `>` for a bot that is not stronger."""


def ladder(bots: int, step: float) -> Floats:
    """True strengths in nats, evenly spaced by a given number of Elo."""
    return -NAT_PER_ELO * step * np.arange(bots, dtype=np.float64)


def twins(bots: int, spread: float, rng: np.random.Generator, *, is_twin: bool) -> Floats:
    """True strengths in nats, drawn with this spread in Elo; with a twin, two bots are equal."""
    strengths: Floats = rng.normal(0, spread * NAT_PER_ELO, bots)
    if is_twin:
        strengths[1] = strengths[0]
    return strengths


@dataclass(slots=True)
class Strengths:
    """A Plackett-Luce fit with a normal prior, updated incrementally: the winners of every set of bots, with counts."""

    bots: int
    sets: dict[int, int] = field(default_factory=dict)
    """How often each set of bots, as a bit mask, competed."""
    wins: Floats = field(init=False)
    fitted: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.wins, self.fitted = np.zeros(self.bots), np.zeros(self.bots)

    def add(self, order: Sequence[int]) -> None:
        """Add a game, the winner first."""
        left = sum(1 << bot for bot in order)
        for bot in order[:-1]:
            self.sets[left] = self.sets.get(left, 0) + 1
            self.wins[bot] += 1
            left -= 1 << bot

    def fit(self) -> Floats:
        """The mode, starting from the last one."""
        counts = np.array(list(self.sets.values()), dtype=np.float64)
        masks = np.array(list(self.sets), dtype=np.int64)
        member = ((masks[:, None] >> np.arange(self.bots)) & 1).astype(np.float64)
        theta = self.fitted
        for _ in range(30):
            share = member * np.exp(theta)
            share /= share.sum(axis=1, keepdims=True)
            expected = counts @ share
            gradient = self.wins - expected - theta / PRIOR_VARIANCE
            hessian = np.diag(expected + 1 / PRIOR_VARIANCE) - (share * counts[:, None]).T @ share
            step = np.linalg.solve(hessian, gradient)
            theta = theta + np.clip(step, -1, 1)
            if np.abs(step).max() < 1e-6:
                break
        self.fitted = theta - theta.mean()
        return self.fitted


def run_tournament(strengths: Floats, seats: int, *, way: str, seed: int, cap: int) -> SimulatedTournament:
    """Points rounds, then rating rounds until no neighbour is open or the games are used up.

    Rating rounds are paired by "focus" rounds, as slices of the entrants "sorted" by rating, or "uniform"ly. Other
    rounds are drawn by lot: they say less about neighbours than the Swiss rounds they replace, but cost no time.
    """
    rng = np.random.default_rng(seed)
    bots = tuple(f"bot{number:02d}" for number in range(len(strengths)))
    number_of = {bot: number for number, bot in enumerate(bots)}
    sizes = TableSizes(seats, seats, seats)
    claims, fitted = Claims(bots), Strengths(len(bots))
    points_rounds = ceil(log2(len(bots))) + 2
    games = round_number = 0
    while True:
        round_number += 1
        rating_round = round_number - points_rounds
        ratings = rating_scores(dict(zip(bots, fitted.fitted.tolist(), strict=True)), UNIT)
        if rating_round >= 1 and way == "focus" and is_focus_round(rating_round, len(bots), sizes):
            pairing = pair_focus(
                map(Entrant, bots), sizes, seed=seed, round_number=round_number, ratings=ratings, is_open=claims.is_open
            )
            tables = [table.bots for table in pairing.tables]
        else:
            order = [bots[at] for at in rng.permutation(len(bots))]
            if rating_round >= 1 and way == "sorted":
                order = focus_order(bots, ratings, seed=seed, round_number=round_number)
            tables = [tuple(order[first : first + seats]) for first in range(0, len(order) - seats + 1, seats)]
        blocks = [_play(table, strengths, number_of, fitted, rng) for table in tables]
        games += seats * len(blocks)
        claims.close(round_number, blocks)
        fitted.fit()
        words = neighbour_claims(sorted(bots, key=lambda bot: (-fitted.fitted[number_of[bot]], bot)), claims)
        if (rating_round >= 1 and is_decided(words)) or games >= cap:
            break
    wrong = sum(
        claim.word is ClaimWord.BETTER and bool(strengths[number_of[claim.first]] <= strengths[number_of[claim.second]])
        for claim in claims.made.values()
    )
    return SimulatedTournament(games, words.count(ClaimWord.OPEN), len(claims.made), wrong)


def _play(
    table: tuple[str, ...], strengths: Floats, number_of: dict[str, int], fitted: Strengths, rng: np.random.Generator
) -> CountedBlock:
    numbers = [number_of[bot] for bot in table]
    games = []
    for _ in table:
        order = np.argsort(-(strengths[numbers] + rng.gumbel(size=len(table)))).tolist()
        fitted.add([numbers[base] for base in order])
        games.append(tuple(1 + order.index(base) for base in range(len(table))))
    return CountedBlock(table, tuple(games))
