"""T4 to T6: Swiss rounds, first for points and then for ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.plan.rounds import ANCHOR_PERCENT, History, remaining
from arena.plan.schedules.schedule import ALL_PLAYED, Schedule
from arena.plan.settings import SameAuthor, TournamentSettings
from arena.plan.swiss import Entrant, Pairing, pair
from arena.plan.swiss.focus import is_focus_round, is_lot_round, pair_focus
from arena.plan.swiss.seats import Seating, rotated


class Swiss(Schedule):
    """Everybody plays in every round, against bots of about the same score."""

    about = "Everybody plays in every round, at tables with bots of about the same score; rating rounds may follow."
    is_open = True

    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """T10.1: as the settings say; the stop rule, the budget or the deadline may end it earlier."""
        return settings.points_rounds, settings.rating_rounds

    def is_rating(self, settings: TournamentSettings, number: int) -> bool:
        """T10.2: rating rounds follow the points rounds."""
        return number > settings.points_rounds

    def seeded(self, settings: TournamentSettings, history: History) -> Iterable[str]:
        """T4.3: in rating rounds the fitted strength takes the place of the score."""
        if not self.is_rating(settings, len(history.rounds) + 1):
            return ()
        return [entrant.bot for entrant in remaining(history, settings.withdraw_after)]

    def is_by_lot(self, settings: TournamentSettings, history: History) -> bool:
        """T4.4: at tables of two every second rating round, or where others are focus rounds, of the first ones."""
        number = len(history.rounds) + 1
        sizes = settings.game_in(number).sizes
        return is_lot_round(number - settings.points_rounds, sizes, has_focus=_has_focus(settings))

    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """T6: draw a round from the ledger's data alone; None when no table can be filled."""
        entrants = _entrants(settings, history)
        focus = _focus(settings, history, entrants, scores) if entrants and _has_focus(settings) else None
        return focus or _ordinary(settings, history, entrants, scores)

    def draw_by_lot(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """T4.4: draw an ordinary round, whether or not a focus round could be drawn."""
        return _ordinary(settings, history, _entrants(settings, history), scores)

    def is_over(self, settings: TournamentSettings, history: History) -> str:
        """T10.1: when all rounds are played."""
        return ALL_PLAYED if len(history.rounds) >= settings.points_rounds + settings.rating_rounds else ""


def _entrants(settings: TournamentSettings, history: History) -> list[Entrant]:
    """The bots of the next round; none if they fill no table."""
    entrants = remaining(history, settings.withdraw_after)
    sizes = settings.game_in(len(history.rounds) + 1).sizes
    return entrants if entrants and len(entrants) + (len(settings.house_bots) > 0) >= sizes.least else []


def _ordinary(
    settings: TournamentSettings, history: History, entrants: Sequence[Entrant], scores: Mapping[str, int]
) -> Pairing | None:
    """T6: draw a round in which everybody plays."""
    if not entrants:
        return None
    number, house = len(history.rounds) + 1, settings.house_bots
    return pair(
        entrants, settings.game_in(number).sizes, seed=settings.seed, round_number=number, house_bots=house,
        can_share_table=settings.is_house_anchored,
        anchor_percent=ANCHOR_PERCENT if house else 0,
        ratings=scores if number > settings.points_rounds else None, is_block=settings.block,
        played_seatings=_played_seatings(settings, history), authors=_apart(settings, history),
    )  # fmt: skip


def _has_focus(settings: TournamentSettings) -> bool:
    return settings.top is not None and settings.block


def _focus(
    settings: TournamentSettings, history: History, entrants: Sequence[Entrant], scores: Mapping[str, int]
) -> Pairing | None:
    """T16.2: draw a focus round; None where an ordinary round is due, or nothing is open in this game."""
    number = len(history.rounds) + 1
    sizes = settings.game_in(number).sizes
    rating_round = number - settings.points_rounds
    if rating_round < 1 or not is_focus_round(rating_round, len(entrants), sizes):
        return None
    claims = None if history.claims is None else history.claims.of_round(number)
    is_open = (lambda _one, _other: True) if claims is None else claims.is_open
    drawn = pair_focus(
        entrants, sizes, seed=settings.seed, round_number=number, ratings=scores, is_open=is_open,
        top=settings.top or None, played_seatings=_played_seatings(settings, history),
        authors=_apart(settings, history),
    )  # fmt: skip
    return drawn if drawn.tables else None


def _apart(settings: TournamentSettings, history: History) -> Mapping[str, str]:
    """T5.4: the authors whose bots sit apart."""
    return history.authors if settings.same_author is SameAuthor.APART else {}


def _played_seatings(settings: TournamentSettings, history: History) -> frozenset[Seating]:
    """T2.3: the seatings of all games so far of the next round's game, if that game has no chance."""
    number = len(history.rounds) + 1
    if settings.game_in(number).has_chance:
        return frozenset()
    return frozenset(
        rotated(table.bots, rotation)
        for played in history.rounds[(number - 1) % len(settings.games) :: len(settings.games)]
        for table in played.tables
        for rotation in range(len(table.bots) if settings.block else 1)
    )
