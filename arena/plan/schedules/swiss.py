"""T4 to T6: Swiss rounds, first for points and then for ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.plan.rounds import ANCHOR_PERCENT, History, remaining
from arena.plan.schedules.schedule import ALL_PLAYED, SWISS_ORDER, ScheduleTerms
from arena.plan.swiss import Entrant, Pairing, pair
from arena.plan.swiss.focus import is_focus_round, pair_focus
from arena.plan.swiss.seats import Seating


class Swiss:
    """Everybody plays in every round, against bots of about the same score."""

    about = "Everybody plays in every round, at tables with bots of about the same score; rating rounds may follow."
    is_open = True
    order_words = SWISS_ORDER

    def check(self, terms: ScheduleTerms) -> None:
        """Any field that fills a table will do, which the plan has checked."""

    def planned(self, terms: ScheduleTerms, played: int) -> tuple[int, int]:
        """T10.1: as the settings say; the stop rule, the budget or the deadline may end it earlier."""
        return terms.points_rounds, terms.rating_rounds

    def is_rating(self, terms: ScheduleTerms, number: int) -> bool:
        """T10.2: rating rounds follow the points rounds."""
        return number > terms.points_rounds

    def seeded(self, terms: ScheduleTerms, history: History) -> Iterable[str]:
        """T4.3: in rating rounds the fitted strength takes the place of the score."""
        if not self.is_rating(terms, len(history.rounds) + 1):
            return ()
        return [entrant.bot for entrant in remaining(history, terms.withdraw_after)]

    def draw(self, terms: ScheduleTerms, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """T6: draw a round from nothing but what the ledger keeps; None when no table can be filled."""
        number = len(history.rounds) + 1
        sizes, house = terms.sizes_in(number), terms.house
        entrants = remaining(history, terms.withdraw_after)
        if len(entrants) + (len(house) > 0) < sizes.least or not entrants:
            return None
        if terms.top is not None and terms.is_block:
            focus = _focus(terms, history, entrants, scores)
            if focus is not None:
                return focus
        return pair(
            entrants, sizes, seed=terms.seed, round_number=number, house_bots=house,
            can_share_table=terms.is_house_anchored,
            anchor_percent=ANCHOR_PERCENT if house else 0,
            ratings=scores if self.is_rating(terms, number) else None, is_block=terms.is_block,
            played_seatings=_played_seatings(terms, history),
        )  # fmt: skip

    def is_over(self, terms: ScheduleTerms, history: History) -> str:
        """T10.1: when all rounds are played."""
        return ALL_PLAYED if len(history.rounds) >= terms.points_rounds + terms.rating_rounds else ""

    def order(self, terms: ScheduleTerms, history: History) -> tuple[str, ...] | None:
        """T11: points make the order."""
        return None


def _focus(
    terms: ScheduleTerms, history: History, entrants: Sequence[Entrant], scores: Mapping[str, int]
) -> Pairing | None:
    """T16.2: draw a focus round; None where an ordinary round is due, or nothing is open in this game."""
    number = len(history.rounds) + 1
    sizes = terms.sizes_in(number)
    rating_round = number - terms.points_rounds
    if rating_round < 1 or not is_focus_round(rating_round, len(entrants), sizes):
        return None
    claims = None if history.claims is None else history.claims.of_round(number)
    is_open = (lambda _one, _other: True) if claims is None else claims.is_open
    drawn = pair_focus(
        entrants, sizes, seed=terms.seed, round_number=number, ratings=scores, is_open=is_open, top=terms.top or None,
        played_seatings=_played_seatings(terms, history),
    )  # fmt: skip
    return drawn if drawn.tables else None


def _played_seatings(terms: ScheduleTerms, history: History) -> frozenset[Seating]:
    """T2.3: how the bots sat in every game so far of the next round's game, if it is one without chance."""
    number = len(history.rounds) + 1
    if not terms.is_without_chance(number):
        return frozenset()
    return frozenset(
        tuple(table.bots[(seat - rotation) % len(table.bots)] for seat in range(len(table.bots)))
        for played in history.rounds[(number - 1) % len(terms.sizes) :: len(terms.sizes)]
        for table in played.tables
        for rotation in range(len(table.bots) if terms.is_block else 1)
    )
