"""T5 and T6.4: who sits where, so that over the rounds every bot has every seat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from arena.plan.swiss.history import SEAT_UNIT, Entrant
from arena.plan.swiss.tables import AUTHOR_WEIGHT, PairingProblem, Tables

AGAIN = 15
"""T5.3: the cost of the last seat."""

THIRD_TIME = 30
"""T5.3: the additional cost if the last two were the same."""

SWAP_REACH = 8
SWAP_ATTEMPTS = 40


def seat_cost(entrant: Entrant, seat: int, seats: int) -> int:
    """T5.3: the cost of giving a bot a seat."""
    cost = entrant.debts[seat] - SEAT_UNIT // seats
    if entrant.last_seats[-1:] == (seat,):
        cost += THIRD_TIME + AGAIN if entrant.last_seats == (seat, seat) else AGAIN
    return cost


@cache
def seat_orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """Every assignment of the seats, in lexicographic order."""
    return tuple(permutations(range(seats)))


def seat_rows(entrants: Sequence[Entrant], seats: int) -> list[list[int]]:
    """Every bot's cost for every seat of a table."""
    return [[seat_cost(entrant, seat, seats) for seat in range(seats)] for entrant in entrants]


def min_seats(rows: Sequence[list[int]]) -> tuple[int, tuple[int, ...]]:
    """T5.3: the least total, and the first order in lexicographic order that has it: the seat of every bot."""
    orders = seat_orders(len(rows))
    totals = [sum(map(list.__getitem__, rows, order)) for order in orders]
    least = min(totals)
    return least, orders[totals.index(least)]


Seating = tuple[str, ...]


def is_fresh(seating: Seating, games: int, played: Collection[Seating]) -> bool:
    """T2.3: none of the games of this table has been played in the same seats before."""
    return all(rotated(seating, turn) not in played for turn in range(games))


def rotated(bots: Seating, rotation: int) -> Seating:
    """T2: who sits where in one game of a block."""
    return tuple(bots[(seat - rotation) % len(bots)] for seat in range(len(bots)))


def balanced_seating(entrants: Sequence[Entrant], played: Collection[Seating]) -> Seating:
    """T5.3: seat a single game by the debts; `entrants` come in the order of their draw keys.

    T2.3: if some seatings have been played and must not come again, the cheapest of the others.
    """
    rows = seat_rows(entrants, len(entrants))

    def seating(order: Sequence[int]) -> Seating:
        by_seat = dict(zip(order, entrants, strict=True))
        return tuple(by_seat[seat].bot for seat in range(len(entrants)))

    cheapest = seating(min_seats(rows)[1])
    if not played or is_fresh(cheapest, 1, played):
        return cheapest
    by_cost = sorted(seat_orders(len(rows)), key=lambda order: sum(map(list.__getitem__, rows, order)))
    return next((found for found in map(seating, by_cost) if is_fresh(found, 1, played)), cheapest)


def drawn_seating(bots: Sequence[str], played: Collection[Seating]) -> Seating:
    """T5.3: seat a rotated block in the order of the draw keys, or in the next order not played before (T2)."""
    drawn = tuple(bots)
    if not played:
        return drawn
    return next((found for found in permutations(drawn) if is_fresh(found, len(drawn), played)), drawn)


@dataclass(slots=True)
class SeatSwaps:
    """T6.4: the improvement pass for single games: swap bots of equal score between near tables."""

    problem: PairingProblem
    tables: Tables
    odd_tables: Sequence[bool]
    seats: Sequence[int]
    rows_of: Callable[[Sequence[int], int], list[list[int]]]
    """The seat costs of a table, house bots included."""

    def run(self) -> None:
        """Swap where the round cost does not rise and the seats' total falls, within the number of attempts allowed."""
        totals = [self._total(number, table) for number, table in enumerate(self.tables)]
        floors = [self._floor(number) for number in range(len(self.tables))]
        attempts = SWAP_ATTEMPTS * len(self.problem.scores)
        for number, table in enumerate(self.tables):
            for other_number in range(number + 1, min(number + SWAP_REACH, len(self.tables) - 1) + 1):
                other_table = self.tables[other_number]
                is_same_size = self.seats[number] == self.seats[other_number]
                for spot in range(len(table)):
                    for other_spot in range(len(other_table)):
                        # When every bot at two tables of one size has its cheapest seat, no swap can improve it.
                        least = floors[number] + floors[other_number]
                        if is_same_size and totals[number] + totals[other_number] <= least:
                            break
                        bot, other = table[spot], other_table[other_spot]
                        if self.problem.scores[bot] != self.problem.scores[other]:
                            continue
                        if attempts == 0:
                            return
                        attempts -= 1
                        self._try(number, spot, other_number, other_spot, totals, floors)

    def _total(self, number: int, table: Sequence[int]) -> int:
        return min_seats(self.rows_of(table, number))[0]

    def _floor(self, number: int) -> int:
        return sum(map(min, self.rows_of(self.tables[number], number)))

    def _try(
        self, number: int, spot: int, other_number: int, other_spot: int, totals: list[int], floors: list[int]
    ) -> None:
        if self._rise(number, spot, other_number, other_spot) > 0:
            return
        table, other_table = self.tables[number], self.tables[other_number]
        table[spot], other_table[other_spot] = other_table[other_spot], table[spot]
        total, other_total = self._total(number, table), self._total(other_number, other_table)
        if total + other_total < totals[number] + totals[other_number]:
            totals[number], totals[other_number] = total, other_total
            floors[number], floors[other_number] = self._floor(number), self._floor(other_number)
        else:
            table[spot], other_table[other_spot] = other_table[other_spot], table[spot]

    def _rise(self, number: int, spot: int, other_number: int, other_spot: int) -> int:
        """What swapping two bots of equal score adds to the round cost by meetings, authors and table sizes."""
        table, other_table = self.tables[number], self.tables[other_number]
        bot, other = table[spot], other_table[other_spot]
        met, other_met = self.problem.met[bot], self.problem.met[other]
        repeats = 0
        for mate in table:
            if mate != bot:
                repeats += other_met.get(mate, 0) ** 2 - met.get(mate, 0) ** 2
        for mate in other_table:
            if mate != other:
                repeats += met.get(mate, 0) ** 2 - other_met.get(mate, 0) ** 2
        if self.problem.author_rise(table, bot, other_table, other) > 0:
            return AUTHOR_WEIGHT
        odd_step = self.odd_tables[other_number] - self.odd_tables[number]
        odd_rise = odd_step * (self.problem.odd_cost(bot) - self.problem.odd_cost(other)) if odd_step else 0
        return self.problem.repeat_weight * repeats + odd_rise
