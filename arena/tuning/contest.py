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
MAX_NODES = 1_000_000
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
    source, nodes = find_policy("search"), nodes_of(text)
    return replace(source, label=f"{source.label}:{nodes}", name=text, arguments=("--nodes", str(nodes)))


def nodes_of(text: str) -> int:
    """Return the budget of `search:nodes=N`."""
    nodes = text.removeprefix(NODES)
    if not nodes.isascii() or not nodes.isdigit() or not 0 < int(nodes) <= MAX_NODES:
        raise UserError(f"opponent: {text!r}: expected a number of nodes, such as {NODES}8")
    return int(nodes)


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
        ours, theirs = with_weights(self.heuristic, bout.ours), self._opponent(bout)
        played = [
            (is_ours, self.played([ours if each else theirs for each in is_ours], seed))
            for seed in bout.seeds
            for is_ours in seatings(bout.seats)
        ]
        return bout_score(played, self.game.scale.lead, time.process_time() - began)

    def difference(self, block: TestBlock) -> BlockDifference:
        """T14.1: play a block of a test."""
        began = time.process_time()
        new, old = (with_weights(self.heuristic, values) for values in (block.new, block.old))
        games = [
            self.played([new if each == NEW else old for each in seated], seed).ranks
            for seated, seed in block_seats(block)
        ]
        return BlockDifference(block_difference(block, games), time.process_time() - began)

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


def bout_score(played: Sequence[tuple[Sequence[bool], Outcome]], scale: float, cpu: float) -> BoutScore:
    """Return how a candidate did in matches, each with the seats that were ours."""

    def lead(ours: int, theirs: int) -> float:
        return 1 / (1 + exp(-max(-STEEPEST, min(STEEPEST, (ours - theirs) / scale))))

    shares = [_ahead(outcome.ranks, is_ours, _before) for is_ours, outcome in played]
    leads = [_ahead(outcome.scores, is_ours, lead) for is_ours, outcome in played]
    return BoutScore(sum(shares) / len(shares), sum(leads) / len(leads), cpu)


def _before(rank: int, other: int) -> float:
    return (rank < other) + (rank == other) / 2


def _ahead(values: Sequence[int], is_ours: Sequence[bool], compare: Callable[[int, int], float]) -> float:
    ours = [value for value, own in zip(values, is_ours, strict=True) if own]
    theirs = [value for value, own in zip(values, is_ours, strict=True) if not own]
    return sum(compare(our, their) for our in ours for their in theirs) / (len(ours) * len(theirs))


def block_seats(block: TestBlock) -> list[tuple[list[str], int]]:
    """T14.1: who sits where in each game of a block, NEW or another, and its seed; all others play as OLD does."""
    base, seats = _base(block), block.seats
    games = []
    for rotation in range(seats):
        seated = [""] * seats
        for place, bot in enumerate(base):
            seated[seat_of(place, rotation, seats)] = bot
        games.append((seated, game_seed(Seeding.PER_GAME, block.test, block.number, 1, rotation)))
    return games


def block_difference(block: TestBlock, games: Sequence[Sequence[int]]) -> int:
    """T14.2: D of a block, from the places by seat of its games."""
    return block_by_seat(_base(block), games).difference(NEW, OLD)


def _base(block: TestBlock) -> list[str]:
    fillers = [f"{FILLER} {number}" for number in range(block.seats - 2 * block.copies)]
    seated = block_seating(block.test, block.number, NEW, OLD, fillers, block.seats, block.copies)
    return [seated_bot(each) for each in seated]


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
