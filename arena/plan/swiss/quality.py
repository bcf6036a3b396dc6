"""T7: the quality of a tournament's pairings, and the targets they miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil
from types import MappingProxyType

from arena.plan.swiss.history import SEAT_UNIT, Entrant, PlayedRound, advance
from ratings.points.points import UNIT


@dataclass(frozen=True, slots=True)
class Quality:
    """The metrics of T7, as exact integers: counts, scores in units of 1/1440, seats in 60ths of a game."""

    bots: int
    rounds: int
    points_rounds: int
    pairs: int
    """Pairs of entrants at the tables of the points rounds."""
    repeats: int
    """R: those of them that had met before."""
    max_meetings: int
    """M: the most meetings of any pair in points rounds."""
    spread_sum: int
    """S: the sum over tables, from the second round on, of the largest difference of scores."""
    spread_tables: int
    spread_max: int
    """S_max: the largest spread of a table."""
    seat_imbalance: int
    """D: the largest debt of any bot for any seat."""
    third_same_seats: int
    """D, k=2: how often a bot had the same seat a third time in a row."""
    odd_range: int
    """O: the difference between the most and the fewest rounds at odd-sized tables."""
    byes: int
    max_byes: int
    """B: the most byes of one bot."""
    preferred: int
    same_author: int | None = None
    """T5.4: pairs of one author at a table, in all rounds; None where no author is known."""

    @property
    def density(self) -> Fraction:
        """T7: x, the share of the entrants that a bot meets."""
        return Fraction(self.points_rounds * (self.preferred - 1), max(1, self.bots - 1))

    @property
    def repeat_percent(self) -> Fraction:
        """R as a percentage of all pairs."""
        return Fraction(100 * self.repeats, max(1, self.pairs))

    @property
    def mean_spread(self) -> Fraction:
        """S in points."""
        return Fraction(self.spread_sum, max(1, self.spread_tables) * UNIT)

    def as_integers(self) -> dict[str, int]:
        """The metrics as the ledger keeps them."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def quality(
    rounds: Sequence[PlayedRound],
    *,
    preferred: int,
    points_rounds: int | None = None,
    house_bots: Collection[str] = (),
    authors: Mapping[str, str] = MappingProxyType({}),
) -> Quality:
    """T7: measure the rounds of a tournament; all are points rounds unless a number is given."""
    house = frozenset(house_bots)
    points_rounds = len(rounds) if points_rounds is None else min(points_rounds, len(rounds))
    entrants: dict[str, Entrant] = {}
    first_round: dict[str, int] = {}
    meetings: Counter[tuple[str, str]] = Counter()
    pairs = repeats = spread_sum = spread_tables = spread_max = third = 0
    for number, played in enumerate(rounds):
        for bot in [bot for table in played.tables for bot in table.bots] + [*played.byes, *played.absent]:
            if bot not in house and bot not in entrants:
                entrants[bot] = Entrant(bot)
                first_round[bot] = number
        for table in played.tables:
            seated = sorted(bot for bot in table.bots if bot not in house)
            if number < points_rounds:
                for pair in combinations(seated, 2):
                    pairs += 1
                    repeats += meetings[pair] > 0
                    meetings[pair] += 1
            if 0 < number < points_rounds:
                scores = [entrants[bot].score for bot in seated]
                spread_sum += max(scores) - min(scores)
                spread_tables += 1
                spread_max = max(spread_max, max(scores) - min(scores))
            if len(table.games) == 1:
                for base, bot in enumerate(table.bots):
                    third += bot not in house and entrants[bot].last_seats == (base, base)
        entrants = advance(entrants, played, preferred=preferred, house_bots=house)
    # A late entry cannot have had its share of odd tables yet: compare those who were there from the start.
    odd = [entrant.odd for bot, entrant in entrants.items() if first_round[bot] == 0] or [0]
    return Quality(
        bots=len(entrants),
        rounds=len(rounds),
        points_rounds=points_rounds,
        pairs=pairs,
        repeats=repeats,
        max_meetings=max(meetings.values(), default=0),
        spread_sum=spread_sum,
        spread_tables=spread_tables,
        spread_max=spread_max,
        seat_imbalance=max((abs(debt) for e in entrants.values() for debt in e.debts), default=0),
        third_same_seats=third,
        odd_range=max(odd) - min(odd),
        byes=sum(entrant.byes for entrant in entrants.values()),
        max_byes=max((entrant.byes for entrant in entrants.values()), default=0),
        preferred=preferred,
        same_author=sum(_same_author(table.bots, authors) for each in rounds for table in each.tables)
        if authors
        else None,
    )


def _same_author(bots: Sequence[str], authors: Mapping[str, str]) -> int:
    """T5.4: how many pairs of a table have one author."""
    counts = Counter(authors[bot] for bot in bots if bot in authors)
    return sum(count * (count - 1) // 2 for count in counts.values())


SPREAD_TARGETS = ((10_000, Fraction(1, 100)), (1_000, Fraction(5, 100)), (100, Fraction(40, 100)))
"""T7: from this number of entrants on, rounds have at most this mean spread."""


def max_repeat_percent(density: Fraction) -> Fraction:
    """T7: the percentage of repeated pairs allowed where a bot meets this share of the others."""
    for max_density, percent in ((Fraction(30, 100), 0), (Fraction(55, 100), 1), (Fraction(75, 100), 3)):
        if density <= max_density:
            return Fraction(percent)
    return 100 * max(Fraction(0), 1 - 1 / density) + 11


def missed_targets(found: Quality) -> tuple[str, ...]:
    """T7: the targets that the pairings miss, each with the actual value; empty when all are met."""
    missed = []
    density = found.density
    if found.repeat_percent > max_repeat_percent(density):
        missed.append(
            f"R: {float(found.repeat_percent):.2f} % repeats, allowed {float(max_repeat_percent(density)):.2f} %"
        )
    max_meetings = 1 if density <= Fraction(30, 100) else ceil(density) + 1
    if found.max_meetings > max_meetings:
        missed.append(f"M: a pair met {found.max_meetings} times, allowed {max_meetings}")
    for bots, spread in SPREAD_TARGETS:
        if found.bots >= bots:
            if found.mean_spread > spread:
                missed.append(f"S: mean spread {float(found.mean_spread):.4f}, allowed {float(spread)}")
            break
    if found.bots >= 100 and found.spread_max > 3 * UNIT:
        missed.append(f"S_max: a table spreads over {found.spread_max / UNIT:.2f} points, allowed 3")
    if 2 * found.seat_imbalance > 3 * SEAT_UNIT:
        missed.append(f"D: a bot is {found.seat_imbalance / SEAT_UNIT:.2f} games out of balance in a seat, allowed 1.5")
    if found.preferred == 2 and 100 * found.third_same_seats > found.rounds * found.bots:
        missed.append(f"D: {found.third_same_seats} times the same seat for the third time, allowed 1 % of all seats")
    odd_range = 1 if found.bots >= 100 else 2
    if found.odd_range > odd_range:
        missed.append(f"O: odd-sized tables differ by {found.odd_range} between bots, allowed {odd_range}")
    if found.max_byes > ceil(Fraction(found.byes, max(1, found.bots))):
        missed.append(f"B: a bot has {found.max_byes} byes of {found.byes} in total")
    return tuple(missed)
