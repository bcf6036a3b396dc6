"""Play Swiss tournaments with bots of known strength, without any game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp
from random import Random

from arena.plan.swiss import Entrant, Pairing, PlayedGame, PlayedRound, PlayedTable, TableSizes, advance, pair
from ratings.points.points import UNIT, competition_places

FOUR = TableSizes(4, 4, 4)
THREE_TO_FIVE = TableSizes(3, 5, 4)
TWO = TableSizes(2, 2, 2)


def names(count: int) -> list[str]:
    return [f"bot{number}" for number in range(count)]


@dataclass
class Tournament:
    """Rounds as they come, with what pairing needs for the next."""

    bots: Sequence[str]
    sizes: TableSizes
    seed: int = 1
    house_bots: tuple[str, ...] = ()
    is_block: bool = True
    tie_percent: int = 10
    rounds: list[PlayedRound] = field(default_factory=list)
    pairings: list[Pairing] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.entrants = {bot: Entrant(bot) for bot in self.bots}
        self.strength = {bot: exp(self.random.gauss(0, 1)) for bot in (*self.bots, *self.house_bots)}
        self.absent: set[str] = set()

    def enter(self, bot: str) -> None:
        self.entrants[bot] = Entrant(bot)
        self.strength[bot] = exp(self.random.gauss(0, 1))

    def pair(self, order: Callable[[list[Entrant]], list[Entrant]] = list) -> Pairing:
        present = [entrant for bot, entrant in self.entrants.items() if bot not in self.absent]
        return pair(
            order(present),
            self.sizes,
            seed=self.seed,
            round_number=len(self.rounds) + 1,
            house_bots=self.house_bots,
            is_block=self.is_block,
        )

    def play(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            pairing = self.pair()
            played = PlayedRound(tuple(self._play_table(table.bots) for table in pairing.tables), pairing.byes)
            self.pairings.append(pairing)
            self.rounds.append(played)
            self.entrants = advance(self.entrants, played, preferred=self.sizes.preferred, house_bots=self.house_bots)

    def _play_table(self, bots: tuple[str, ...]) -> PlayedTable:
        turns = len(bots) if self.is_block else 1
        return PlayedTable(bots, tuple(PlayedGame(turn, self._places(bots)) for turn in range(turns)))

    def _places(self, bots: tuple[str, ...]) -> tuple[int, ...]:
        keys = [int(10**9 * self.random.expovariate(self.strength[bot])) for bot in bots]
        if self.random.randrange(100) < self.tie_percent:
            keys = [min(keys)] * 2 + keys[2:]
        return competition_places(keys)


def pair_costs(entrants: Sequence[Entrant]) -> list[list[int]]:
    """T5, written independently: the cost of seating two bots together in a points round."""
    return [
        [
            (one.score - other.score) ** 2 + 16 * UNIT**2 * sum(other.bot in mates for mates in one.mates) ** 2
            for other in entrants
        ]
        for one in entrants
    ]


def min_cost(costs: list[list[int]], size: int) -> int:
    """The exact optimum by trying every partition into equal tables, remembering what is left each time."""
    table_cost = {
        group: sum(costs[one][other] for one, other in combinations(group, 2))
        for group in combinations(range(len(costs)), size)
    }
    best: dict[tuple[int, ...], int] = {(): 0}

    def solve(left: tuple[int, ...]) -> int:
        if left not in best:
            first, rest = left[0], left[1:]
            least = None
            for mates in combinations(rest, size - 1):
                cost = table_cost[(first, *mates)]
                if least is None or cost < least:
                    cost += solve(tuple(bot for bot in rest if bot not in mates))
                    least = cost if least is None else min(least, cost)
            assert least is not None
            best[left] = least
        return best[left]

    return solve(tuple(range(len(costs))))
