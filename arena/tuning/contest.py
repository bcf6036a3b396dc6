"""Matches between weights in process: whole blocks from common seeds, seats rotated."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import exp
from typing import Any

from arena.bots.policies import PolicySource, find_policy, load_policy
from arena.plan.seeding import Seeding, game_seed
from ratings.points.points import seat_of
from ratings.sequential.evidence import block_by_seat
from ratings.sequential.test_table import block_seating, seated_bot
from referee.game import AnyGame, Outcome
from referee.games import GAMES
from referee.heuristic import Heuristic, values_of, with_weights
from referee.mistakes import UserError
from referee.policy import Policy, Question, play_match
from referee.rng import Rng

HEURISTIC, CHAMPION = "heuristic", "champion"
"""Opponents by name: the heuristic with its defaults, and the latest weights that were taken over."""
NODES = "search:nodes="
NEW, OLD, FILLER = "new", "old", "filler"
STEEPEST = 30.0  # beyond this number of leads a lead is certain, and `exp` would overflow

Weighting = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: plain data, so that any process can play it."""

    game: str
    options: Mapping[str, object]
    opponents: Mapping[str, PolicySource] = field(default_factory=dict)
    """Those that are neither `heuristic` nor `champion`."""


@dataclass(frozen=True, slots=True)
class Bout:
    """Some blocks of a candidate against one opponent, every second seat each."""

    seats: int
    ours: Weighting
    opponent: str
    champion: Weighting
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BoutScore:
    """How a candidate did, as means over blocks, from 0 to 1."""

    share: float
    """Of the pairs of a seat of ours and a seat of theirs, those in which ours was placed before, ties half."""
    leads: float
    """The same by scores: a lead counts the more the larger it is, so that a near win counts for something."""
    cpu: float
    """Seconds that it took a processor."""

    @property
    def fitness(self) -> float:
        """Places decide matches, and leads say more about each: half of both."""
        return (self.share + self.leads) / 2


@dataclass(frozen=True, slots=True)
class TestBlock:
    """T14.1: one block of the test of NEW against OLD."""

    test: str
    number: int
    seats: int
    copies: int
    new: Weighting
    old: Weighting


@dataclass(frozen=True, slots=True)
class BlockDifference:
    """How a block of a test ended."""

    units: int
    """T14.2: D, the points of NEW less those of OLD."""
    cpu: float


def opponent_of(text: str) -> PolicySource:
    """Return the policy of an opponent: that of a bot, or `search:nodes=N`; a UserError says what was expected."""
    if not text.startswith(NODES):
        return find_policy(text)
    nodes = text.removeprefix(NODES)
    if not nodes.isascii() or not nodes.isdigit() or not int(nodes):
        raise UserError(f"--opponent: {text!r}: expected a number of nodes, such as {NODES}8")
    source = find_policy("search")
    return replace(source, label=f"{source.label}:{nodes}", name=text, arguments=("--nodes", nodes))


def drawn_seed(*words: object) -> int:
    """Return a seed that follows from these words."""
    return int.from_bytes(blake2b("|".join(map(str, words)).encode(), digest_size=8).digest(), "big") >> 1


class ContestPlayer:
    """Plays a contest in this process."""

    def __init__(self, contest: Contest) -> None:
        self.game: AnyGame = GAMES[contest.game]
        self.options = self.game.options(contest.options)
        self.policies = {name: load_policy(source) for name, source in contest.opponents.items()}
        known = self.game.heuristic()
        assert known is not None, "checked when the contest was made"
        self.heuristic = known

    def score(self, bout: Bout) -> BoutScore:
        """Play the blocks of a bout."""
        began = time.process_time()
        ours = with_weights(self.heuristic, bout.ours)
        theirs = self._opponent(bout)
        shares, leads = [], []
        for seed in bout.seeds:
            for is_ours in seatings(bout.seats):
                outcome = self.played([ours if each else theirs for each in is_ours], seed)
                shares.append(_ahead(outcome.ranks, is_ours, lambda rank, other: (rank < other) + (rank == other) / 2))
                leads.append(_ahead(outcome.scores, is_ours, self._lead))
        return BoutScore(sum(shares) / len(shares), sum(leads) / len(leads), time.process_time() - began)

    def difference(self, block: TestBlock) -> BlockDifference:
        """T14.1: play a block of a test."""
        began = time.process_time()
        new, old = (with_weights(self.heuristic, values) for values in (block.new, block.old))
        fillers = [f"{FILLER} {number}" for number in range(block.seats - 2 * block.copies)]
        seats, base = block.seats, block_seating(block.test, block.number, NEW, OLD, fillers, block.seats, block.copies)
        bots, games = [seated_bot(each) for each in base], []
        for rotation in range(seats):
            seated = [new] * seats
            for place, bot in enumerate(bots):
                seated[seat_of(place, rotation, seats)] = new if bot == NEW else old
            outcome = self.played(seated, game_seed(Seeding.PER_GAME, block.test, block.number, 1, rotation))
            games.append(outcome.ranks)
        return BlockDifference(block_by_seat(bots, games).difference(NEW, OLD), time.process_time() - began)

    def played(self, seated: Sequence[Heuristic | Policy], seed: int) -> Outcome:
        """Play one match: as a playout where that makes the same choices, else by asking policies."""
        heuristics = [each for each in seated if isinstance(each, Heuristic)]
        is_alike = all(each.plays_out_alike and each.rate_trading is None for each in heuristics)
        if len(heuristics) == len(seated) and is_alike:
            state = self.game.new(len(seated), seed, self.options)
            self.game.playout_by_heuristics(state, [Rng(0)] * len(seated), heuristics)
            outcome = self.game.outcome(state)
            assert outcome is not None, "it was played to the end"
            return outcome
        policies = [policy_of(each) if isinstance(each, Heuristic) else each for each in seated]
        return play_match(self.game, policies, seed, self.options, f"tuning {seed}").outcome

    def _opponent(self, bout: Bout) -> Heuristic | Policy:
        if bout.opponent == HEURISTIC:
            return self.heuristic
        if bout.opponent == CHAMPION:
            return with_weights(self.heuristic, bout.champion)
        return self.policies[bout.opponent]

    def _lead(self, ours: float, theirs: float) -> float:
        lead = (ours - theirs) / self.game.scale.lead
        return 1 / (1 + exp(-max(-STEEPEST, min(STEEPEST, lead))))


def policy_of(heuristic: Heuristic) -> Policy:
    """Return the bot that plays by a heuristic, and trades where it can."""
    rate = heuristic.rate_trading or heuristic.rate

    def choose(question: Question) -> int:
        ratings = rate(question.imagine(Rng(0)), question.seat, question.options)
        return ratings.index(max(ratings))

    return choose


def seatings(seats: int) -> list[tuple[bool, ...]]:
    """Return which seats are ours in each match of a block: every second one, in all rotations that differ."""
    base = tuple(seat % 2 == 0 for seat in range(seats - seats % 2)) + (False,) * (seats % 2)
    return list(dict.fromkeys(base[-shift:] + base[:-shift] for shift in range(seats)))


def _ahead(values: Sequence[int], is_ours: Sequence[bool], compare: Callable[[int, int], float]) -> float:
    ours = [value for value, own in zip(values, is_ours, strict=True) if own]
    theirs = [value for value, own in zip(values, is_ours, strict=True) if not own]
    return sum(compare(our, their) for our in ours for their in theirs) / (len(ours) * len(theirs))


def tunable(game: AnyGame) -> Heuristic:
    """Return a game's heuristic; a UserError unless it names weights."""
    heuristic = game.heuristic()
    if heuristic is None or not heuristic.weights:
        raise UserError(f"{game.slug}: its heuristic names no weights; expected a game whose heuristic does, or a bot")
    return heuristic


def known_values(game: AnyGame, seats: int) -> dict[str, float]:
    """Return the weights that are in force at a table size: tuned ones, or the defaults."""
    heuristic: Any = game.tuned_heuristic(seats)
    return values_of(heuristic)
