"""T3: the number of tables of each size, and where house bots or byes fill the gap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ratings.points.points import MAX_SEATS, MIN_SEATS


@dataclass(frozen=True, slots=True)
class TableSizes:
    """A game's limits: the minimum, maximum and preferred number of seats."""

    least: int
    most: int
    preferred: int

    def __post_init__(self) -> None:
        if not MIN_SEATS <= self.least <= self.preferred <= self.most <= MAX_SEATS:
            raise ValueError(
                f"T3: a table has {MIN_SEATS} to {MAX_SEATS} seats and prefers a number it allows, unlike {self}"
            )


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Seats and house bots of every table, plain tables first, and the number of bots without a seat."""

    seats: tuple[int, ...]
    house: tuple[int, ...]
    byes: int

    def bots_at(self, table: int) -> int:
        """The number of entrants at a table."""
        return self.seats[table] - self.house[table]


@lru_cache(maxsize=64)
def split(bots: int, sizes: TableSizes) -> tuple[int, ...] | None:
    """T3.1: seat exactly this many bots, or None if no mix of tables does.

    The least sum of k * |k - k*| wins, then the fewest odd-sized tables, then the most tables below k*.
    Tables of the preferred size come first, odd-sized ones last.
    """
    # All three parts add up over the tables, so the best mix for a number extends a best mix for a smaller one.
    best: list[tuple[int, int, int] | None] = [(0, 0, 0)]
    last = [0]
    for count in range(1, bots + 1):
        chosen: tuple[int, int, int] | None = None
        chosen_size = 0
        for size in range(sizes.least, min(sizes.most, count) + 1):
            rest = best[count - size]
            if rest is None:
                continue
            misfit = size * abs(size - sizes.preferred)
            candidate = (rest[0] + misfit, rest[1] + (misfit > 0), rest[2] - (size < sizes.preferred))
            if chosen is None or candidate < chosen:
                chosen, chosen_size = candidate, size
        best.append(chosen)
        last.append(chosen_size)
    if best[bots] is None:
        return None
    tables = []
    while bots:
        tables.append(last[bots])
        bots -= last[bots]
    return tuple(sorted(tables, key=lambda size: (size != sizes.preferred, -size)))


def plan_tables(bots: int, sizes: TableSizes, *, house: bool = True, anchor_percent: int = 0) -> TablePlan:
    """T3: seat everybody if the sizes allow it, with house bots if there are any, or leave out as few as possible.

    `anchor_percent` asks for house bots at that share of the tables at least, needed or not (T9).
    """
    if bots == 0:
        return TablePlan((), (), 0)
    if not house:
        seated = next(count for count in range(bots, -1, -1) if split(count, sizes) is not None)
        tables = split(seated, sizes) or ()
        return TablePlan(tables, (0,) * len(tables), bots - seated)
    added = 0
    while True:
        filled = split(bots + added, sizes)
        if filled is not None and added * 100 >= anchor_percent * len(filled):
            break
        added += 1
    # House bots sit at the last tables, one each as long as there are enough tables.
    rounds, rest = divmod(added, len(filled))
    extra = tuple(rounds + (table >= len(filled) - rest) for table in range(len(filled)))
    return TablePlan(filled, extra, 0)
