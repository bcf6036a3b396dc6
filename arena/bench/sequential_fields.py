"""Tournaments between bots whose true order is known, with the claims and focus rounds of T16."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, log2

import numpy as np

from arena.bench.sequential_models import NAT_PER_ELO, Floats
from arena.plan.swiss import Entrant, TableSizes, focus_order, is_focus_round, pair_focus, rating_scores
from ratings.points.points import UNIT
from ratings.sequential.claims import Claims, ClaimWord, is_decided, neighbour_claims
from ratings.sequential.evidence import CountedBlock

PRIOR_VARIANCE = 1.0
"""In nat squared: the plain fit below stands for that of T8, which would take most of the time."""


@dataclass(frozen=True, slots=True)
class SimulatedTournament:
    """What a tournament came to."""

    games: int
    open: int
    """Neighbours of the fitted order that are still open."""
    claims: int
    wrong: int
    """Claims of `>` for a bot that is not the stronger."""


def ladder(bots: int, step: float) -> Floats:
    """True strengths in nat, evenly spaced by a given number of Elo."""
    return -NAT_PER_ELO * step * np.arange(bots, dtype=np.float64)


def twins(bots: int, spread: float, rng: np.random.Generator, *, is_twin: bool) -> Floats:
    """True strengths in nat, drawn with this spread in Elo; with a twin, two bots are equal."""
    strengths: Floats = rng.normal(0, spread * NAT_PER_ELO, bots)
    if is_twin:
        strengths[1] = strengths[0]
    return strengths


@dataclass(slots=True)
class Strengths:
    """A Plackett-Luce fit with a normal prior, kept up to date: who came first out of which sets, and how often."""

    bots: int
    sets: dict[int, int] = field(default_factory=dict)
    """How often each set of bots, by its bits, was there to be won."""
    wins: Floats = field(init=False)
    fitted: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.wins, self.fitted = np.zeros(self.bots), np.zeros(self.bots)

    def add(self, order: Sequence[int]) -> None:
        """Take in a game, the winner first."""
        left = sum(1 << bot for bot in order)
        for bot in order[:-1]:
            self.sets[left] = self.sets.get(left, 0) + 1
            self.wins[bot] += 1
            left -= 1 << bot

    def fit(self) -> Floats:
        """The mode, from the last one on."""
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

    `way` says how rating rounds are paired: by "focus" rounds, as slices of the field "sorted" by rating, or "uniform".
    Rounds that are neither are drawn by lot: they tell less about neighbours than the Swiss rounds they stand for, and
    cost no time.
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
