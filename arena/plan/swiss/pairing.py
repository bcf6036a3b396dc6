"""T3 to T6: pair one round. The same values give the same tables, on every platform and in any order of the bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from statistics import NormalDist
from types import MappingProxyType

from arena.plan.swiss.history import Entrant, draw_key
from arena.plan.swiss.seats import Seating, SeatSwaps, balanced_seating, drawn_seating, seat_rows
from arena.plan.swiss.sizes import TablePlan, TableSizes, plan_tables
from arena.plan.swiss.tables import (
    MAX_ANNEALED,
    RATING_REPEAT_WEIGHT,
    REPEAT_WEIGHT,
    PairingProblem,
    Tables,
    anneal,
    repair,
    separate,
    slice_tables,
)

RATING_ROUND_MEMORY = 10
"""T5.1: in rating rounds only meetings of the last 10 rounds count."""

MAX_BALANCED = 12
"""T10.5: numbers of entrants up to this are balanced, not sorted by score."""


@dataclass(frozen=True, slots=True)
class PairedTable:
    """A table to be played: its number from 1, and its bots by base seat, house bots among them."""

    number: int
    bots: Seating


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round to be played."""

    tables: tuple[PairedTable, ...]
    byes: tuple[str, ...]
    cost: int
    """T5.2: the round cost."""


def is_balanced(bots: int, tables: int, sizes: TableSizes) -> bool:
    """T10.5: with few entrants, or with fewer tables than seats, only meetings and seats are balanced."""
    return bots <= MAX_BALANCED or tables < sizes.preferred


def rating_scores(strengths: Mapping[str, float], unit: int) -> dict[str, int]:
    """T4.3: the integers that replace scores in a rating round; enter them with the round."""
    return {bot: round(unit * strength) for bot, strength in strengths.items()}


def lot_scores(bots: Iterable[str], unit: int, *, seed: int, round_number: int) -> dict[str, int]:
    """T4.4: the integers of a rating round that is drawn by lot: normal quantiles, from the seed alone."""
    quantile = NormalDist().inv_cdf
    return rating_scores({bot: quantile(_lot(seed, round_number, bot)) for bot in bots}, unit)


def _lot(seed: int, round_number: int, bot: str) -> float:
    """A number between 0 and 1, both excluded."""
    drawn = int.from_bytes(sha256(f"lot|{seed}|{round_number}|{bot}".encode()).digest()[:8], "big")
    return min((drawn + 0.5) / 2**64, 1 - 2**-53)


def pair(
    entrants: Iterable[Entrant],
    sizes: TableSizes,
    *,
    seed: int,
    round_number: int,
    house_bots: Sequence[str] = (),
    can_share_table: bool = True,
    anchor_percent: int = 0,
    ratings: Mapping[str, int] | None = None,
    is_block: bool = True,
    played_seatings: Collection[Seating] = frozenset(),
    authors: Mapping[str, str] = MappingProxyType({}),
) -> Pairing:
    """T6: pair a round.

    `can_share_table` says that one house bot may take several seats of a table; only anchors may (T9.6).
    `ratings` makes it a rating round: they replace the scores (T4), 0 for a bot that has none yet.
    `is_block` rounds play every seating rotation (T2); otherwise seats are balanced by their debts (T5).
    `played_seatings` must not be repeated: for games without chance between bots without chance (T2).
    `authors` names those of the bots that are to sit apart from others of the same (T5.4).
    """
    keyed = sorted((draw_key(seed, round_number, entrant.bot), entrant.bot, entrant) for entrant in entrants)
    draw = {bot: key for key, bot, _ in keyed}
    if len(draw) < len(keyed):
        raise ValueError("T6: a bot is entered twice")
    plan = plan_tables(len(keyed), sizes, house=bool(house_bots), anchor_percent=anchor_percent)
    if not can_share_table and max(plan.house, default=0) > len(house_bots):
        plan = plan_tables(len(keyed), sizes, house=False)  # too few to fill a table: T3.3
    scores = {bot: entrant.score if ratings is None else ratings.get(bot, 0) for _, bot, entrant in keyed}
    byes = choose_byes([entrant for _, _, entrant in keyed], scores, plan.byes)
    if is_balanced(len(keyed), len(plan.seats), sizes):
        scores = dict.fromkeys(scores, 0)
    playing = [entrant for _, bot, entrant in keyed if bot not in byes]
    playing.sort(key=lambda entrant: -scores[entrant.bot])
    problem = problem_of(playing, scores, is_rating_round=ratings is not None, authors=authors)
    odd_tables = [seats != sizes.preferred or house > 0 for seats, house in zip(plan.seats, plan.house, strict=True)]
    tables = slice_tables([plan.bots_at(table) for table in range(len(plan.seats))])
    separate(problem, tables, odd_tables)
    repair(problem, tables, odd_tables)
    if len(playing) <= MAX_ANNEALED:
        tables = anneal(problem, tables, odd_tables, seed, round_number)
    house = _house_seats(plan, sorted(house_bots, key=lambda bot: (draw_key(seed, round_number, bot), bot)))
    if not is_block:
        _swap_for_seats(problem, tables, odd_tables, plan, playing)
    paired = []
    for number, table in enumerate(tables, start=1):
        # Python sorts are stable: entrants stand in the order of their draw keys, house bots behind them.
        members = sorted((playing[index] for index in table), key=lambda entrant: draw[entrant.bot])
        members += [Entrant(bot) for bot in house[number - 1]]
        if is_block:
            members.sort(key=lambda entrant: (draw_key(seed, round_number, entrant.bot), entrant.bot))
            seating = drawn_seating([entrant.bot for entrant in members], played_seatings)
        else:
            seating = balanced_seating(members, played_seatings)
        paired.append(PairedTable(number, seating))
    return Pairing(tuple(paired), byes, problem.round_cost(tables, odd_tables))


def choose_byes(drawn: Sequence[Entrant], scores: Mapping[str, int], count: int) -> tuple[str, ...]:
    """T3.3: fewest byes so far, then the lowest score, then the smallest draw key; `drawn` comes in that order."""
    ordered = sorted(drawn, key=lambda entrant: (entrant.byes, scores[entrant.bot]))
    return tuple(entrant.bot for entrant in ordered[:count])


def problem_of(
    playing: Sequence[Entrant],
    scores: Mapping[str, int],
    *,
    is_rating_round: bool,
    authors: Mapping[str, str] = MappingProxyType({}),
) -> PairingProblem:
    """T5: the inputs of a round's cost, for bots in their order."""
    index_of = {entrant.bot: index for index, entrant in enumerate(playing)}
    met = []
    for entrant in playing:
        rounds = entrant.mates[-RATING_ROUND_MEMORY:] if is_rating_round else entrant.mates
        met.append(dict(Counter(index_of[mate] for mates in rounds for mate in mates if mate in index_of)))
    return PairingProblem(
        scores=[scores[entrant.bot] for entrant in playing],
        met=met,
        odd=[entrant.odd for entrant in playing],
        repeat_weight=RATING_REPEAT_WEIGHT if is_rating_round else REPEAT_WEIGHT,
        authors=numbered_authors([entrant.bot for entrant in playing], authors),
    )


def numbered_authors(bots: Sequence[str], authors: Mapping[str, str]) -> list[int]:
    """T5.4: a number for every bot that only bots of one author share; none at all where no two do."""
    known = [authors[bot] for bot in bots if bot in authors]
    numbers = {author: number for number, author in enumerate(dict.fromkeys(known))}
    if len(numbers) == len(known):
        return []
    return [numbers[authors[bot]] if bot in authors else -1 - place for place, bot in enumerate(bots)]


def _house_seats(plan: TablePlan, drawn: Sequence[str]) -> list[tuple[str, ...]]:
    """T3.2: deal the house bots round by round, so that all are used alike and a table has no one twice if it can."""
    seats, next_bot = [], 0
    for count in plan.house:
        seats.append(tuple(drawn[(next_bot + turn) % len(drawn)] for turn in range(count)))
        next_bot += count
    return seats


def _swap_for_seats(
    problem: PairingProblem, tables: Tables, odd_tables: Sequence[bool], plan: TablePlan, playing: Sequence[Entrant]
) -> None:
    rows = {seats: [seat_rows([entrant], seats)[0] for entrant in playing] for seats in sorted(set(plan.seats))}
    house_rows = {seats: seat_rows([Entrant("")], seats)[0] for seats in rows}

    def rows_of(table: Sequence[int], number: int) -> list[list[int]]:
        seats = plan.seats[number]
        return [rows[seats][index] for index in table] + [house_rows[seats]] * plan.house[number]

    SeatSwaps(problem, tables, odd_tables, plan.seats, rows_of).run()
