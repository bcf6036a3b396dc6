"""T21.4 to T21.8: gifts against the giver's own habits, two contrasts, and which pairs are flagged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from arena.analysis.gifts.student import TailTest, holm, tail_test, welch
from arena.analysis.gifts.valuing import BEST, CHOSEN, MILLIONTHS, SLOTS, ValuedMatch
from referee.game import Seat
from referee.heuristic import NOISE

PSEUDO_COUNTS = 5
GIFT_MARGIN, THROW_MARGIN = 0.05, 0.10
"""T21.7, T21.8: sizes below which nothing is claimed, in shares of opponents per match."""
LEVEL = 0.05
MIN_BLOCKS = 5
MIN_SEATS = 3
SHOWN_DECISIONS = 10

Numbers = NDArray[np.float64]
BlockKey = tuple[int, int]
"""Round and table."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A valued match and where it belongs."""

    id: str
    block: BlockKey
    valued: ValuedMatch


@dataclass(frozen=True, slots=True)
class GiftPair:
    """T21.6: what a bot's decisions gave another, over the blocks that both shared."""

    giver: str
    receiver: str
    blocks: int
    one: TailTest
    two: TailTest
    p: float
    adjusted: float

    @property
    def is_flagged(self) -> bool:
        """Whether the pair is a question to the organiser."""
        return self.adjusted <= LEVEL


@dataclass(frozen=True, slots=True)
class ThrowPair:
    """T21.8: how much worse a bot plays for itself beside another."""

    thrower: str
    beside: str
    blocks: int
    blocks_without: int
    drop: TailTest
    p: float
    adjusted: float

    @property
    def is_flagged(self) -> bool:
        """Whether the pair is a question to the organiser."""
        return self.adjusted <= LEVEL


@dataclass(frozen=True, slots=True)
class GivingDecision:
    """T21.9: one decision behind a flag; gift and cost are shares of opponents."""

    match: str
    step: int
    seat: Seat
    gift: float
    cost: float


class Habits:
    """T21.4: how often every bot takes each slot, by game, kind of decision and closeness."""

    def __init__(self, matches: Sequence[PlayedMatch]) -> None:
        self._bots: dict[str, int] = {}
        self._cells: dict[tuple[str, str, bool], int] = {}
        places = [(self._bot_places(each.valued), self._cell_places(each.valued)) for each in matches]
        counts = np.zeros((len(self._bots), len(self._cells), SLOTS))
        for each, (bots, cells) in zip(matches, places, strict=True):
            np.add.at(counts, (bots, cells, each.valued.taken), 1)
        self._shares = shares_of(counts)

    def _bot_places(self, valued: ValuedMatch) -> NDArray[np.intp]:
        by_seat = [self._bots.setdefault(bot, len(self._bots)) for bot in valued.bots]
        return np.array(by_seat, np.intp)[valued.seats]

    def _cell_places(self, valued: ValuedMatch) -> NDArray[np.intp]:
        cells = [
            self._cells.setdefault((valued.game, kind, bool(close)), len(self._cells))
            for kind, close in zip(valued.kinds, valued.close, strict=True)
        ]
        return np.array(cells, np.intp)

    def gifts(self, valued: ValuedMatch) -> Numbers:
        """T21.4: what every decision of a match gave every seat against its bot's habits, by decision and seat."""
        shares = self._shares[self._bot_places(valued), self._cell_places(valued)]
        return gifts_against(shares, valued.exists, valued.values)


def shares_of(counts: Numbers) -> Numbers:
    """T21.4: the share of every slot by bot and cell, with the field's shares as pseudo-counts."""
    field_counts = counts.sum(axis=0)
    field_shares = field_counts / np.maximum(1, field_counts.sum(axis=-1, keepdims=True))
    asked = counts.sum(axis=-1, keepdims=True)
    found: Numbers = (counts + PSEUDO_COUNTS * field_shares) / (asked + PSEUDO_COUNTS)
    return found


def gifts_against(shares: Numbers, exists: NDArray[np.bool_], values: NDArray[np.int32]) -> Numbers:
    """T21.4: the value of the chosen option less that of the habit, by decision and seat; absent slots drop out."""
    present = np.where(exists, shares, 0.0)
    present = present / present.sum(axis=-1, keepdims=True)
    usual = np.einsum("ds,dsx->dx", present, values[:, :SLOTS])
    found: Numbers = (values[:, CHOSEN] - usual) / MILLIONTHS
    return found


def own_gains(valued: ValuedMatch) -> Numbers:
    """T21.8: what every decision brought its own seat against usual play."""
    best = valued.exists[:, :BEST].sum(axis=-1)
    usual = np.array([_usual(count) for count in range(BEST + 1)])[best]
    own = valued.values[np.arange(len(best)), :, valued.seats]
    found: Numbers = (own[:, CHOSEN] - (usual * own[:, :BEST]).sum(axis=-1)) / MILLIONTHS
    return found


def _usual(count: int) -> list[float]:
    """T21.8: the judge's shares of the best options; what is not there goes to the last."""
    return [sum(min(noise, count - 1) == place for noise in NOISE) / len(NOISE) for place in range(BEST)]


def by_seats(gifts: Numbers, deciding: NDArray[np.int8], seats: int) -> Numbers:
    """Return a match's gifts from seat to seat, summed over decisions."""
    found: Numbers = np.zeros((seats, seats))
    np.add.at(found, deciding, gifts)
    return found


def contrast_one(gifts: Numbers) -> Numbers:
    """T21.5: from seat to seat, the gift less the mean gift to the other opponents."""
    seats = len(gifts)
    to_opponents = gifts.sum(axis=1) - np.diag(gifts)
    found: Numbers = gifts - (to_opponents[:, None] - gifts) / (seats - 2)
    return found


def contrast_two(one: Numbers) -> Numbers:
    """T21.5: `one` less its mean over the other donors to the same receiver."""
    seats = len(one)
    by_donors = one.sum(axis=0) - np.diag(one)
    found: Numbers = one - (by_donors[None, :] - one) / (seats - 2)
    return found


@dataclass
class _BlockSums:
    """The sums of one block."""

    matches: int = 0
    ones: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    twos: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    own: dict[str, float] = field(default_factory=lambda: defaultdict(float))


@dataclass(frozen=True, slots=True)
class GiftTable:
    """T21: all pairs of a tournament, those with the smallest p first."""

    gifts: tuple[GiftPair, ...]
    throws: tuple[ThrowPair, ...]
    blocks: int
    matches: int

    @property
    def flagged_gifts(self) -> list[GiftPair]:
        """The gifts that are questions to the organiser."""
        return [pair for pair in self.gifts if pair.is_flagged]

    @property
    def flagged_throws(self) -> list[ThrowPair]:
        """The throws that are questions to the organiser."""
        return [pair for pair in self.throws if pair.is_flagged]


def gift_table(
    matches: Sequence[PlayedMatch], house_bots: Collection[str] = (), min_blocks: int = MIN_BLOCKS
) -> GiftTable:
    """T21: test all ordered pairs of entrants, by matches at tables of three seats or more."""
    matches = [each for each in matches if len(each.valued.bots) >= MIN_SEATS]
    habits = Habits(matches)
    blocks: dict[BlockKey, _BlockSums] = defaultdict(_BlockSums)
    for each in matches:
        _add_match(blocks[each.block], each.valued, habits.gifts(each.valued), frozenset(house_bots))
    played = [blocks[key] for key in sorted(blocks)]
    return GiftTable(
        tuple(_gift_pairs(played, min_blocks)), tuple(_throw_pairs(played, min_blocks)), len(played), len(matches)
    )


def _add_match(block: _BlockSums, valued: ValuedMatch, gifts: Numbers, house: Collection[str]) -> None:
    seats = len(valued.bots)
    one = contrast_one(by_seats(gifts, valued.seats, seats))
    two = contrast_two(one)
    own = np.bincount(valued.seats, own_gains(valued), minlength=seats)
    entered = {seat: bot for seat, bot in enumerate(valued.bots) if bot not in house}
    block.matches += 1
    for seat, bot in entered.items():
        block.own[bot] += float(own[seat])
    for (seat, bot), (other, receiver) in permutations(entered.items(), 2):
        block.ones[bot, receiver] += float(one[seat, other])
        block.twos[bot, receiver] += float(two[seat, other])


def _gift_pairs(blocks: Sequence[_BlockSums], min_blocks: int) -> list[GiftPair]:
    """T21.6: test every ordered pair with enough blocks."""
    ones: dict[tuple[str, str], list[float]] = defaultdict(list)
    twos: dict[tuple[str, str], list[float]] = defaultdict(list)
    for block in blocks:
        for pair, total in block.ones.items():
            ones[pair].append(total / block.matches)
            twos[pair].append(block.twos[pair] / block.matches)
    tested = sorted(pair for pair, values in ones.items() if len(values) >= min_blocks)
    tests = [(tail_test(ones[pair]), tail_test(twos[pair])) for pair in tested]
    chances = [max(one.p(GIFT_MARGIN), two.p(GIFT_MARGIN)) for one, two in tests]
    found = [
        GiftPair(*pair, len(ones[pair]), one, two, p, adjusted)
        for pair, (one, two), p, adjusted in zip(tested, tests, chances, holm(chances), strict=True)
    ]
    return sorted(found, key=lambda pair: (pair.p, pair.giver, pair.receiver))


def _throw_pairs(blocks: Sequence[_BlockSums], min_blocks: int) -> list[ThrowPair]:
    """T21.8: test every ordered pair with enough blocks with and without the other."""
    own: dict[str, list[tuple[float, Mapping[str, float]]]] = defaultdict(list)
    for block in blocks:
        for bot, gain in block.own.items():
            own[bot].append((gain / block.matches, block.own))
    pairs: list[tuple[str, str]] = []
    sides: list[tuple[int, int]] = []
    tests: list[TailTest] = []
    for pair in permutations(sorted(own), 2):
        beside = [gain for gain, table in own[pair[0]] if pair[1] in table]
        without = [gain for gain, table in own[pair[0]] if pair[1] not in table]
        if min(len(beside), len(without)) >= min_blocks:
            pairs.append(pair)
            sides.append((len(beside), len(without)))
            tests.append(welch(without, beside))
    chances = [test.p(THROW_MARGIN) for test in tests]
    found = [
        ThrowPair(*pair, *counts, test, p, adjusted)
        for pair, counts, test, p, adjusted in zip(pairs, sides, tests, chances, holm(chances), strict=True)
    ]
    return sorted(found, key=lambda pair: (pair.p, pair.thrower, pair.beside))


def giving_decisions(
    matches: Sequence[PlayedMatch], giver: str, receiver: str, most: int = SHOWN_DECISIONS
) -> list[GivingDecision]:
    """T21.9: the decisions of a bot that gave another most, the largest gift first."""
    found = _decisions(matches, giver, receiver, _gifts_and_costs)
    return sorted(found, key=lambda each: (-each.gift, each.match, each.step))[:most]


def throwing_decisions(
    matches: Sequence[PlayedMatch], thrower: str, beside: str, most: int = SHOWN_DECISIONS
) -> list[GivingDecision]:
    """T21.9: the decisions of a bot beside another that cost itself most against usual play, the largest cost first."""
    found = _decisions(matches, thrower, beside, _gifts_and_losses)
    return sorted(found, key=lambda each: (-each.cost, each.match, each.step))[:most]


def _decisions(
    matches: Sequence[PlayedMatch],
    giver: str,
    receiver: str,
    worth: Callable[[ValuedMatch, Numbers, Seat, Seat], tuple[Numbers, Numbers]],
) -> Iterator[GivingDecision]:
    """Yield all decisions of a bot in matches with another, with gift and cost as `worth` says."""
    matches = [each for each in matches if len(each.valued.bots) >= MIN_SEATS]
    habits = Habits(matches)
    for each in matches:
        valued = each.valued
        if not {giver, receiver} <= set(valued.bots):
            continue
        seat, other = valued.bots.index(giver), valued.bots.index(receiver)
        gifts, costs = worth(valued, habits.gifts(valued), seat, other)
        for at in np.flatnonzero(valued.seats == seat):
            yield GivingDecision(each.id, int(valued.steps[at]), seat, float(gifts[at]), float(costs[at]))


def _gifts_and_costs(valued: ValuedMatch, gifts: Numbers, giver: Seat, receiver: Seat) -> tuple[Numbers, Numbers]:
    """Return `one` of every decision, and its cost to the giver against its habits."""
    others = [seat for seat in range(len(valued.bots)) if seat not in (giver, receiver)]
    return gifts[:, receiver] - gifts[:, others].mean(axis=1), -gifts[:, giver]


def _gifts_and_losses(valued: ValuedMatch, gifts: Numbers, giver: Seat, receiver: Seat) -> tuple[Numbers, Numbers]:
    """Return `one` of every decision, and its cost to the bot itself against usual play."""
    return _gifts_and_costs(valued, gifts, giver, receiver)[0], -own_gains(valued)
