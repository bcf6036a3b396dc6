"""T4 to T6: Swiss rounds, first for points and then for ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.plan.rounds import ANCHOR_PERCENT, History, remaining
from arena.plan.schedules.schedule import ALL_PLAYED, Terms
from arena.plan.swiss import Pairing, pair


class Swiss:
    """Everybody plays in every round, against bots of about the same score."""

    about = "Everybody plays in every round, at tables with bots of about the same score; rating rounds may follow."
    is_open = True

    def check(self, terms: Terms) -> None:
        """Any field that fills a table will do, which the plan has checked."""

    def planned(self, terms: Terms, played: int) -> tuple[int, int]:
        """T10.1: as the settings say; the stop rule, the budget or the deadline may end it earlier."""
        return terms.points_rounds, terms.rating_rounds

    def is_rating(self, terms: Terms, number: int) -> bool:
        """T10.2: rating rounds follow the points rounds."""
        return number > terms.points_rounds

    def seeded(self, terms: Terms, history: History) -> Iterable[str]:
        """T4.3: in rating rounds the fitted strength takes the place of the score."""
        if not self.is_rating(terms, len(history.rounds) + 1):
            return ()
        return [entrant.bot for entrant in remaining(history, terms.withdraw_after)]

    def draw(self, terms: Terms, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """T6: draw a round from nothing but what the ledger keeps; None when no table can be filled."""
        number = len(history.rounds) + 1
        sizes, house = terms.sizes_in(number), terms.house
        entrants = remaining(history, terms.withdraw_after)
        if len(entrants) + (len(house) > 0) < sizes.least or not entrants:
            return None
        return pair(
            entrants, sizes, seed=terms.seed, round_number=number, house_bots=house,
            anchor_percent=ANCHOR_PERCENT if house else 0,
            ratings=scores if self.is_rating(terms, number) else None, is_block=terms.is_block,
        )  # fmt: skip

    def is_over(self, terms: Terms, history: History) -> str:
        """T10.1: when all rounds are played."""
        return ALL_PLAYED if len(history.rounds) >= terms.points_rounds + terms.rating_rounds else ""

    def order(self, terms: Terms, history: History) -> tuple[str, ...] | None:
        """T11: points make the order."""
        return None
