"""T16.2 and T19.11: focus rounds send the next games to the neighbours whose order is still open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType

from arena.plan.swiss.history import Entrant, draw_key
from arena.plan.swiss.pairing import PairedTable, Pairing, problem_of
from arena.plan.swiss.seats import Seating, drawn_seating
from arena.plan.swiss.sizes import TableSizes
from ratings.points.points import MIN_SEATS

ORDINARY_EVERY = 10
"""T16.2: every tenth rating round is ordinary; it keeps the pool connected and the anchors played."""

LOTS_BEFORE_FOCUS = 20
"""T4.4: beside focus rounds, the rating rounds of which every second is drawn by lot."""

IsOpen = Callable[[str, str], bool]
"""Whether the order of two bots is still open (T16.1)."""


def is_focus_round(rating_round: int, active: int, sizes: TableSizes) -> bool:
    """T19.11: of the rating rounds, counted from 1, all but 10, 20, ... are focus rounds, if there is a full table."""
    return rating_round % ORDINARY_EVERY != 0 and active >= sizes.preferred


def is_lot_round(rating_round: int, sizes: TableSizes, *, has_focus: bool) -> bool:
    """T4.4: at tables of two every second rating round, or where others are focus rounds, of the first ones."""
    if rating_round < 1 or rating_round % 2 or sizes.preferred != MIN_SEATS:
        return False
    return not has_focus or rating_round <= LOTS_BEFORE_FOCUS or rating_round % ORDINARY_EVERY == 0


def focus_order(bots: Iterable[str], ratings: Mapping[str, int], *, seed: int, round_number: int) -> list[str]:
    """T19.11: by the rating scores of this round (T4), the highest first, then by its draw key."""
    return sorted(bots, key=lambda bot: (-ratings.get(bot, 0), draw_key(seed, round_number, bot), bot))


def focus_runs(
    order: Sequence[str],
    is_open: IsOpen,
    seats: int,
    *,
    seed: int,
    round_number: int,
    top: int | None = None,
    authors: Mapping[str, str] = MappingProxyType({}),
) -> list[tuple[str, ...]]:
    """T16.2: runs of neighbours with the most open pairs, none sharing a bot, the heaviest first.

    With `top` only pairs within the first `top` places count (T19.11). Runs that seat two of one author come last
    (T5.5). Bots in no run rest.
    """
    counted = len(order) if top is None else min(top, len(order))
    weights = [is_open(order[place], order[place + 1]) for place in range(counted - 1)]
    weights += [False] * (len(order) - 1 - len(weights))
    drawn = sorted(
        (
            has_same_author(order[first : first + seats], authors),
            -weight,
            sha256(f"run|{seed}|{round_number}|{order[first]}".encode()).digest(),
            first,
        )
        for first in range(len(order) - seats + 1)
        if (weight := sum(weights[first : first + seats - 1])) > 0
    )
    # A struck bot changes no weight: it only takes the runs that hold it out of the draw.
    struck = [False] * len(order)
    runs = []
    for _, _, _, first in drawn:
        if not any(struck[first : first + seats]):
            struck[first : first + seats] = [True] * seats
            runs.append(tuple(order[first : first + seats]))
    return runs


def has_same_author(bots: Sequence[str], authors: Mapping[str, str]) -> bool:
    """T5.5: return whether two of these bots have one author."""
    known = [authors[bot] for bot in bots if bot in authors]
    return len(set(known)) < len(known)


def pair_focus(
    entrants: Iterable[Entrant],
    sizes: TableSizes,
    *,
    seed: int,
    round_number: int,
    ratings: Mapping[str, int],
    is_open: IsOpen,
    top: int | None = None,
    played_seatings: Collection[Seating] = frozenset(),
    authors: Mapping[str, str] = MappingProxyType({}),
) -> Pairing:
    """T16.2: pair a focus round of the active entrants; nobody has a bye, and with no neighbour open there is no table.

    House bots take no part. Tables have the preferred size, are numbered as they are taken, and play rotated blocks.
    """
    known = {entrant.bot: entrant for entrant in entrants}
    order = focus_order(known, ratings, seed=seed, round_number=round_number)
    runs = focus_runs(order, is_open, sizes.preferred, seed=seed, round_number=round_number, top=top, authors=authors)
    tables = []
    for number, run in enumerate(runs, start=1):
        drawn = sorted(run, key=lambda bot: (draw_key(seed, round_number, bot), bot))
        tables.append(PairedTable(number, drawn_seating(drawn, played_seatings)))
    places = {bot: place for place, bot in enumerate(order)}
    problem = problem_of(
        [known[bot] for bot in order], {bot: ratings.get(bot, 0) for bot in order}, is_rating_round=True
    )
    cost = problem.round_cost([[places[bot] for bot in run] for run in runs], [False] * len(runs))
    return Pairing(tuple(tables), (), cost)
