"""T5 and T6: tables of small cost: slices of the order, repaired, then annealed. Integers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from hashlib import sha256
from random import Random

from ratings.points.points import UNIT

Tables = list[list[int]]
"""Entrants by table, each as its index in the order of T4."""

REPEAT_WEIGHT = 16 * UNIT**2
"""T5.1: lambda * U^2 in points rounds."""

RATING_REPEAT_WEIGHT = UNIT**2 // 4
"""T5.1: lambda * U^2 in rating rounds."""

ODD_WEIGHT = 8 * UNIT**2

AUTHOR_WEIGHT = 10**9 * UNIT**2
"""T5.4: what two of one author cost at a table: more than all else."""

REPAIR_PASSES = 30
MAX_ANNEALED = 300
ANNEAL_STAGES = 256
ANNEAL_REACH = 8


@dataclass(frozen=True, slots=True)
class PairingProblem:
    """The entrants in the order of T4, as pairing sees them."""

    scores: Sequence[int]
    met: Sequence[dict[int, int]]
    """For each the number of rounds shared with others, where there were any."""
    odd: Sequence[int]
    repeat_weight: int
    authors: Sequence[int] = ()
    """T5.4: for each a number that only bots of one author share; empty where no two have to sit apart."""

    def pair_cost(self, one: int, other: int) -> int:
        """T5.1, T5.4: what it costs to seat two together."""
        cost = (self.scores[one] - self.scores[other]) ** 2 + self.repeat_weight * self.met[one].get(other, 0) ** 2
        return cost + AUTHOR_WEIGHT * (bool(self.authors) and self.authors[one] == self.authors[other])

    def author_rise(self, table: Sequence[int], bot: int, other_table: Sequence[int], other: int) -> int:
        """T5.4: how many more pairs of one author there are once two bots of two tables have changed places."""
        if not self.authors:
            return 0
        authors, one, two = self.authors, self.authors[bot], self.authors[other]
        if one == two:
            return 0
        here, there = [authors[mate] for mate in table], [authors[mate] for mate in other_table]
        return here.count(two) + there.count(one) - here.count(one) - there.count(two) + 2

    def odd_cost(self, one: int) -> int:
        """T5.2: the cost of seating one at an odd-sized table."""
        return ODD_WEIGHT * (2 * self.odd[one] + 1)

    def table_cost(self, table: Sequence[int], is_odd: bool) -> int:
        """T5.2: the cost of a table."""
        pairs = sum(self.pair_cost(one, other) for at, one in enumerate(table) for other in table[:at])
        return pairs + (sum(map(self.odd_cost, table)) if is_odd else 0)

    def round_cost(self, tables: Tables, odd_tables: Sequence[bool]) -> int:
        """T5.2: the cost of a round."""
        return sum(self.table_cost(table, is_odd) for table, is_odd in zip(tables, odd_tables, strict=True))


def slice_tables(sizes: Sequence[int]) -> Tables:
    """T6.1: cut the order into tables."""
    tables, first = [], 0
    for size in sizes:
        tables.append(list(range(first, first + size)))
        first += size
    return tables


def separate(problem: PairingProblem, tables: Tables, odd_tables: Sequence[bool]) -> None:
    """T6.1, T5.4: move bots of one author apart, as far as their number allows.

    Whenever a table has two more bots of an author than another one of no fewer seats, some swap between the two leaves
    fewer pairs of one author in all; so the search ends with every author spread evenly.
    """
    if not problem.authors:
        return
    crowds = [Counter(problem.authors[bot] for bot in table) for table in tables]
    is_changed = True
    while is_changed:
        is_changed = False
        for number, table in enumerate(tables):
            for bot in tuple(table):
                author = problem.authors[bot]
                if crowds[number][author] < 2:
                    continue
                found = _nearest_separation(problem, tables, odd_tables, crowds, number, bot)
                if found is not None:
                    other_number, other = found
                    other_table = tables[other_number]
                    table[table.index(bot)], other_table[other_table.index(other)] = other, bot
                    for crowd, gone, come in ((crowds[number], bot, other), (crowds[other_number], other, bot)):
                        crowd[problem.authors[gone]] -= 1
                        crowd[problem.authors[come]] += 1
                    is_changed = True


def _nearest_separation(
    problem: PairingProblem,
    tables: Tables,
    odd_tables: Sequence[bool],
    crowds: Sequence[Counter[int]],
    number: int,
    bot: int,
) -> tuple[int, int] | None:
    """Return the cheapest swap at the smallest distance that leaves fewer pairs of one author, if there is one."""
    author = problem.authors[bot]
    table = tables[number]
    for distance in range(1, len(tables)):
        swaps = []
        for other_number in (number - distance, number + distance):
            if not 0 <= other_number < len(tables) or crowds[other_number][author] > crowds[number][author] - 2:
                continue
            other_table = tables[other_number]
            for other in other_table:
                if problem.author_rise(table, bot, other_table, other) < 0:
                    changed = [other if mate == bot else mate for mate in table]
                    other_changed = [bot if mate == other else mate for mate in other_table]
                    cost = problem.table_cost(changed, odd_tables[number])
                    cost += problem.table_cost(other_changed, odd_tables[other_number])
                    cost -= problem.table_cost(table, odd_tables[number])
                    cost -= problem.table_cost(other_table, odd_tables[other_number])
                    swaps.append((cost, other_number, other))
        if swaps:
            _cost, other_number, other = min(swaps)
            return other_number, other
    return None


def repair_reach(tables: int) -> int:
    """T6.2: how far apart two tables may be that swap a bot."""
    return min(tables - 1, max(16, tables // 8 if tables < 400 else 40))


def repair(problem: PairingProblem, tables: Tables, odd_tables: Sequence[bool]) -> None:
    """T6.2: swap away meetings and repeated odd tables, best swap first, until a pass changes nothing."""
    work = _Repair(problem, tables, odd_tables)
    for _ in range(REPAIR_PASSES):
        if not work.run_pass():
            return


class _Repair:
    """The sums that make the cost change of a swap cheap to compute."""

    def __init__(self, problem: PairingProblem, tables: Tables, odd_tables: Sequence[bool]) -> None:
        self.problem = problem
        self.tables = tables
        self.odd_tables = odd_tables
        self.sums = [sum(problem.scores[bot] for bot in table) for table in tables]
        self.repeats = [0] * len(problem.scores)
        for table in tables:
            self._recount(table)
        self.odd_costs = [problem.odd_cost(bot) for bot in range(len(problem.scores))]

    def _recount(self, table: list[int]) -> None:
        weight = self.problem.repeat_weight
        for bot in table:
            met = self.problem.met[bot]
            self.repeats[bot] = sum(weight * met[mate] ** 2 for mate in table if mate in met)

    def run_pass(self) -> bool:
        """Give every bot in trouble its best swap; return whether anything changed."""
        changed = False
        for number, table in enumerate(self.tables):
            for bot in tuple(table):
                has_odd_again = self.odd_tables[number] and self.problem.odd[bot] > 0
                if (self.repeats[bot] or has_odd_again) and bot in table and self._move(number, bot):
                    changed = True
        return changed

    def _move(self, number: int, bot: int) -> bool:
        found = self._best_swap(number, bot)
        if found is None:
            return False
        other_number, other = found
        table, other_table = self.tables[number], self.tables[other_number]
        table[table.index(bot)] = other
        other_table[other_table.index(other)] = bot
        rise = self.problem.scores[other] - self.problem.scores[bot]
        self.sums[number] += rise
        self.sums[other_number] -= rise
        self._recount(table)
        self._recount(other_table)
        return True

    def _best_swap(self, number: int, bot: int) -> tuple[int, int] | None:
        problem, repeats, tables = self.problem, self.repeats, self.tables
        scores, all_met, weight = problem.scores, problem.met, problem.repeat_weight
        table = tables[number]
        size, own_sum, is_odd = len(table), self.sums[number], self.odd_tables[number]
        score, met, own_repeats = scores[bot], all_met[bot], repeats[bot]
        whole = sum((score - scores[mate]) ** 2 for mate in table) + own_repeats + is_odd * self.odd_costs[bot]
        best, found = 0, None
        for distance in range(1, repair_reach(len(tables)) + 1):
            for other_number in (number - distance, number + distance):
                if not 0 <= other_number < len(tables):
                    continue
                other_table = tables[other_number]
                lead = self.sums[other_number] - own_sum
                wider = size - len(other_table)
                odd_step = self.odd_tables[other_number] - is_odd
                for other in other_table:
                    rise = scores[other] - score
                    # The sum over pairs of squared differences is k * (sum of squares) - (sum)^2.
                    change = 2 * rise * (lead - rise)
                    if wider:
                        change += wider * (scores[other] ** 2 - score**2)
                    if odd_step:
                        change += odd_step * (self.odd_costs[bot] - self.odd_costs[other])
                    removed = own_repeats + repeats[other]
                    if change - removed >= best:
                        continue
                    other_met = all_met[other]
                    added = 0
                    for mate in other_table:
                        if mate in met and mate != other:
                            added += weight * met[mate] ** 2
                    for mate in table:
                        if mate in other_met and mate != bot:
                            added += weight * other_met[mate] ** 2
                    change += added - removed
                    if change < best and problem.author_rise(table, bot, other_table, other) <= 0:
                        best, found = change, (other_number, other)
                        if change <= -whole or (rise == 0 and added < removed):
                            return found
        return found


@cache
def temperatures() -> tuple[int, ...]:
    """T6.3: the temperature of every stage: from 8 U^2 down to 0.2 U^2 in equal ratios."""
    with localcontext() as context:
        context.prec = 50
        ratio = Decimal("0.2") / 8
        return tuple(
            int((UNIT**2 * 8 * ratio ** (Decimal(stage) / (ANNEAL_STAGES - 1))).to_integral_value())
            for stage in range(ANNEAL_STAGES)
        )


@cache
def acceptance() -> tuple[int, ...]:
    """T6.3: L[z], minus the logarithm of 1024 evenly spaced chances, in 65536ths."""
    with localcontext() as context:
        context.prec = 50
        return tuple(
            int((65536 * -((Decimal(2 * chance + 1) / 2048).ln())).to_integral_value()) for chance in range(1024)
        )


def anneal_effort(bots: int) -> tuple[int, int]:
    """T6.3: the number of starts, and of proposals in each."""
    starts = 4 if bots <= 32 else 2
    per_bot = 6000 if bots <= 64 else 1800 if bots <= 128 else 600
    return starts, per_bot * bots


def anneal(problem: PairingProblem, tables: Tables, odd_tables: Sequence[bool], seed: int, round_number: int) -> Tables:
    """T6.3: the best tables of all starts, each from the tables given."""
    best, best_cost = tables, problem.round_cost(tables, odd_tables)
    if len(tables) < 2 or best_cost == cost_bound(problem, tables, odd_tables):
        return best
    bots = range(len(problem.scores))
    costs = [[problem.pair_cost(one, other) if one != other else 0 for other in bots] for one in bots]
    starts, proposals = anneal_effort(len(problem.scores))
    for start in range(starts):
        digest = sha256(f"anneal|{seed}|{round_number}|{start}".encode()).digest()
        random = Random(int.from_bytes(digest, "big"))
        found, cost = _anneal_once(problem, costs, tables, odd_tables, random, proposals)
        if cost < best_cost:
            best, best_cost = found, cost
    return best


def cost_bound(problem: PairingProblem, tables: Tables, odd_tables: Sequence[bool]) -> int:
    """No tables of these sizes cost less: a lower bound, which the first rounds often reach before any annealing.

    It has the cheapest choice of bots for the odd-sized tables and, where all tables seat the same number, the
    differences of score inside slices of the order, the smallest there are.
    """
    places = sum(len(table) for table, is_odd in zip(tables, odd_tables, strict=True) if is_odd)
    bound = sum(sorted(map(problem.odd_cost, range(len(problem.scores))))[:places])
    size = len(tables[0])
    if any(len(table) != size for table in tables):
        return bound
    scores = sorted(problem.scores)
    for first in range(0, len(scores), size):
        together = scores[first : first + size]
        # The sum over pairs of squared differences is k * (sum of squares) - (sum)^2.
        bound += size * sum(score**2 for score in together) - sum(together) ** 2
    return bound


def _anneal_once(
    problem: PairingProblem,
    costs: list[list[int]],
    start: Tables,
    odd_tables: Sequence[bool],
    random: Random,
    proposals: int,
) -> tuple[Tables, int]:
    tables = [table.copy() for table in start]
    own = [0] * len(costs)
    for table in tables:
        for bot in table:
            own[bot] = sum(costs[bot][mate] for mate in table)
    odd_costs = [problem.odd_cost(bot) for bot in range(len(costs))]
    odd_steps = [int(is_odd) for is_odd in odd_tables]
    has_odd = any(odd_steps) and not all(odd_steps)
    cost = best_cost = problem.round_cost(tables, odd_tables)
    best = [table.copy() for table in tables]
    is_best = True  # The present tables are the best so far; they are copied only when they change.
    count = len(tables)
    reach = min(ANNEAL_REACH, count - 1)
    steps = 2 * reach
    chances, bits_of = acceptance(), random.getrandbits
    for stage, temperature in enumerate(temperatures()):
        turns = proposals * (stage + 1) // ANNEAL_STAGES - proposals * stage // ANNEAL_STAGES
        for _ in range(turns):
            bits = bits_of(58)
            number = ((bits & 0xFFFF) * count) >> 16
            other_number = number - reach + (((bits >> 16 & 0xFFFF) * steps) >> 16)
            if other_number >= number:
                other_number += 1
            if other_number < 0 or other_number >= count:
                continue
            table, other_table = tables[number], tables[other_number]
            spot = ((bits >> 32 & 0xFF) * len(table)) >> 8
            other_spot = ((bits >> 40 & 0xFF) * len(other_table)) >> 8
            bot, other = table[spot], other_table[other_spot]
            row, other_row = costs[bot], costs[other]
            change = -own[bot] - own[other] - 2 * row[other]
            for mate in table:
                change += other_row[mate]
            for mate in other_table:
                change += row[mate]
            if has_odd:
                change += (odd_steps[other_number] - odd_steps[number]) * (odd_costs[bot] - odd_costs[other])
            if change > 0:
                if change * 65536 >= temperature * chances[bits >> 48]:
                    continue
                if is_best:
                    best = [kept.copy() for kept in tables]
                    is_best = False
            table[spot], other_table[other_spot] = other, bot
            own_cost = other_cost = 0
            for mate in table:
                step = other_row[mate]
                own[mate] += step - row[mate]
                other_cost += step
            for mate in other_table:
                step = row[mate]
                own[mate] += step - other_row[mate]
                own_cost += step
            own[bot], own[other] = own_cost, other_cost
            cost += change
            if cost < best_cost:
                best_cost = cost
                is_best = True
    return (tables if is_best else best), best_cost
