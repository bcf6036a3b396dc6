"""Blocks between NEW and OLD whose true mean is known: the fields in which the tests of T14 to T16 are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import log

import numpy as np
import numpy.typing as npt

from ratings.points.points import UNIT

NAT_PER_ELO = log(10) / 400
CALIBRATION_BLOCKS = 120_000
CHUNK = 30_000

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Field:
    """How a block is played; NEW and OLD stand `elo` apart and their fillers half-way between them."""

    seats: int
    elo: float = 0.0
    tie_width: float = 0.0
    """Results nearer than this, in nat, fall into one step and are tied."""
    seat_gain: float = 0.0
    """What the first seat has over the last, in nat."""
    seat_luck: float = 0.0
    """How often the luck of a seat is the same in all games of a block: games of one seed."""
    bot_luck: float = 0.0
    """How often the luck of a bot is the same in all games of a block."""
    cycle: float = 0.0
    """What each of three styles gains, in nat, against the next, and loses to the one before."""
    spread: float = 0.0
    """The standard deviation of the fillers, in nat."""
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


def play(field: Field, blocks: int, rng: np.random.Generator) -> Integers:
    """Play blocks and return D of each."""
    seats = field.seats
    shape = (blocks, seats, seats)  # block, game, bot; bot 0 is NEW and bot 1 OLD
    strength = np.zeros((blocks, seats))
    strength[:, 0], strength[:, 1] = field.elo * NAT_PER_ELO / 2, -field.elo * NAT_PER_ELO / 2
    if field.spread:
        strength[:, 2:] = rng.normal(0, field.spread, (blocks, seats - 2))
    if field.cycle:
        styles = rng.integers(0, 3, (blocks, seats))
        styles[:, 0], styles[:, 1] = 0, 1
        steps = (styles[:, :, None] - styles[:, None, :]) % 3
        strength += field.cycle * ((steps == 2).sum(axis=2) - (steps == 1).sum(axis=2)) / (seats - 1)
    base = rng.permuted(np.tile(np.arange(seats), (blocks, 1)), axis=1)
    seat = (base[:, None, :] + np.arange(seats)[None, :, None]) % seats
    luck = rng.gumbel(size=shape)
    if field.seat_luck:
        shared = np.take_along_axis(np.broadcast_to(rng.gumbel(size=(blocks, 1, seats)), shape), seat, axis=2)
        luck = np.where(rng.random(shape) < field.seat_luck, shared, luck)
    if field.bot_luck:
        luck = np.where(rng.random(shape) < field.bot_luck, rng.gumbel(size=(blocks, 1, seats)), luck)
    result = strength[:, None, :] - field.seat_gain * seat / (seats - 1) + luck
    if field.tie_width:
        result = np.floor(result / field.tie_width)
    if field.forfeits:
        result[:, :, 0] = np.where(rng.random((blocks, seats)) < field.forfeits, -np.inf, result[:, :, 0])

    def twice_beaten(bot: int) -> Integers:
        own = result[:, :, bot : bot + 1]
        found: Integers = (2 * (own > result).sum(axis=2) + (own == result).sum(axis=2) - 1).astype(np.int64)
        return found

    difference: Integers = (twice_beaten(0) - twice_beaten(1)).sum(axis=1) * (UNIT // 2 // (seats - 1))
    return difference


@cache
def lottery(field: Field, mean: float | None = None, seed: int = 1) -> Lottery:
    """The lottery of a field's blocks; with `mean`, of the field whose NEW has exactly this mean.

    The strength of NEW is set to come near the mean, and tilting the chances a little does the rest.
    """
    if mean is not None:
        low, high = -700.0, 700.0
        for _ in range(9):
            middle = (low + high) / 2
            found = _seen(replace(field, elo=middle), CALIBRATION_BLOCKS // 4, seed)
            low, high = (middle, high) if found.mean < mean else (low, middle)
        field = replace(field, elo=(low + high) / 2)
    found = _seen(field, CALIBRATION_BLOCKS, seed + 1)
    return found if mean is None else tilted(found, mean)


def _seen(field: Field, blocks: int, seed: int) -> Lottery:
    rng = np.random.default_rng(seed)
    drawn = np.concatenate([play(field, CHUNK, rng) for _ in range(max(1, blocks // CHUNK))])
    values, counts = np.unique(drawn, return_counts=True)
    return Lottery(field.seats, values, counts / counts.sum())


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


FIELDS: dict[str, Callable[[int], Field]] = {
    "plain": Field,
    "ties": lambda seats: Field(seats, tie_width=1.0),
    "seat gain": lambda seats: Field(seats, seat_gain=0.8),
    "luck of seat and seed": lambda seats: Field(seats, seat_luck=0.7),
    "luck of bot and seed": lambda seats: Field(seats, bot_luck=0.7),
    "cycles": lambda seats: Field(seats, cycle=1.0),
    "unequal fillers": lambda seats: Field(seats, spread=1.5),
    "3 % forfeits": lambda seats: Field(seats, forfeits=0.03),
}
