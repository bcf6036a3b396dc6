"""Pools whose outcomes follow the model, for the tests of the fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from ratings.points.finishes import Floats
from ratings.points.points import competition_places
from ratings.points.result import Result


def name(number: int) -> str:
    return f"bot{number:03d}"


def simulated(
    strengths: Floats, matches: int, seats: int, rng: np.random.Generator, seat_bonus: Sequence[float] = ()
) -> list[Result]:
    """Matches at random tables."""
    results = []
    for _ in range(matches):
        chosen = rng.choice(len(strengths), seats, replace=False)
        bonus = np.array(seat_bonus) if len(seat_bonus) else np.zeros(seats)
        clocks = rng.exponential(1, seats) / np.exp(strengths[chosen] + bonus)
        places = competition_places([int(clock * 10**12) for clock in clocks])
        results.append(Result(tuple(name(int(at)) for at in chosen), places))
    return results


def in_blocks(
    seed: int, bots: int, rounds: int, seats: int, *, games: int, ties: float = 0.2, spread: float = 1.0
) -> list[Result]:
    """Rounds at random tables, each of some games with the same bots that share their chance half of the time."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, spread, bots)
    results = []
    for round_number in range(rounds):
        order = rng.permutation(bots)
        for table in range(bots // seats):
            members = order[table * seats : (table + 1) * seats]
            shared = rng.exponential(1, seats)
            for _ in range(games):
                chance = shared if rng.random() < 0.5 else rng.exponential(1, seats)
                steps = np.where(rng.random(seats) < ties, 2, 10**6)
                clocks = np.log(chance) - truth[members]
                keys = [
                    round(float(np.floor(clock * step) / step) * 10**6)
                    for clock, step in zip(clocks, steps, strict=True)
                ]
                bots_here = tuple(name(int(at)) for at in members)
                results.append(Result(bots_here, competition_places(keys), ("cup", round_number, table)))
    return results


@st.composite
def small_pools(draw: st.DrawFn) -> list[Result]:
    results = []
    for _ in range(draw(st.integers(1, 6))):
        bots = draw(st.permutations([name(number) for number in range(6)]))[: draw(st.integers(2, 5))]
        keys = draw(st.lists(st.integers(0, 2), min_size=len(bots), max_size=len(bots)))
        block = draw(st.none() | st.tuples(st.just("cup"), st.integers(1, 2), st.just(1)))
        results.append(Result(tuple(bots), competition_places(keys), block))
    return results
