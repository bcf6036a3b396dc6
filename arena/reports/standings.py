"""T11: the Swiss order of a tournament as everybody reads it: CLI, JSON, messages and pages alike."""

from __future__ import annotations

from dataclasses import dataclass

from arena.plan.rounds import History, read_history
from arena.plan.schedules import SCHEDULES
from arena.plan.schedules.schedule import SWISS_ORDER, OrderWords
from arena.plan.settings import TournamentSettings
from arena.plan.standings import SwissStanding, order_of
from arena.reports.columns import Column, decimals
from arena.store.database import Store
from arena.store.rows import StoredTournament
from ratings.points.points import UNIT


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of the Swiss order, in points."""

    place: int
    bot: str
    points: float
    rounds: int
    opponents: float
    opponents_cut: float
    weighted: float
    score_share: float
    head_to_head: float
    disqualified: str = ""
    """T10.7: the reason; empty if the bot is not disqualified."""


STANDING_COLUMNS: tuple[Column[StandingLine], ...] = (
    Column("place", "place"),
    Column("bot", "bot", is_figure=False),
    Column(
        "points",
        "points",
        decimals(3),
        "A round is worth up to one point: the share of opponents beaten, a tie counting half.",
    ),
    Column("rounds", "rounds", about="Rounds that count for points, byes included."),
    Column(
        "opponents",
        "opponents",
        decimals(3),
        "First tie-break: the mean of the final points per round of all opponents met.",
    ),
    Column("opponents_cut", "without lowest", decimals(3), "Second: the same without the lowest opponent."),
    Column(
        "weighted",
        "weighted",
        decimals(3),
        "Third: each round's points times the mean final points of the table's opponents, added up.",
    ),
    Column(
        "score_share",
        "score share",
        decimals(3),
        "Fourth: shares of the tables' raw scores, in games whose raw scores compare.",
    ),
    Column(
        "head_to_head",
        "head to head",
        decimals(3),
        "Fifth: points among those still equal, if all of them have met; then the lot. Wins never count.",
    ),
    Column("disqualified", "disqualified", is_figure=False, about="Why it stands behind everybody else."),
)
"""T11: equal points are told apart by the columns after them, from left to right, unless the schedule decides."""


TIE_BREAKS = frozenset(("opponents", "opponents_cut", "weighted", "score_share", "head_to_head"))


def columns_of(words: OrderWords) -> list[Column[StandingLine]]:
    """Return the columns of an order; tie-breaks say nothing where the schedule decides."""
    is_swiss = words == SWISS_ORDER
    return [column for column in STANDING_COLUMNS if is_swiss or column.key not in TIE_BREAKS]


def standings_of(stored: StoredTournament, history: History) -> tuple[StandingLine, ...]:
    """T10, T11: the order over the rounds that count for points; before the first is closed, nobody."""
    return tuple(map(_line, order_of(TournamentSettings.of(stored), history)))


def standings(store: Store, stored: StoredTournament) -> tuple[StandingLine, ...]:
    """T11: the order of a tournament over its closed rounds."""
    return standings_of(stored, read_history(store, stored))


def order_words(stored: StoredTournament) -> OrderWords:
    """Return what the order of a tournament is called, and how it is made."""
    return SCHEDULES[TournamentSettings.of(stored).format].order_words


def _line(line: SwissStanding) -> StandingLine:
    return StandingLine(
        place=line.place,
        bot=line.bot,
        points=line.points / UNIT,
        rounds=line.rounds,
        opponents=float(line.opponents / UNIT),
        opponents_cut=float(line.opponents_cut / UNIT),
        weighted=float(line.weighted / UNIT / UNIT),
        score_share=float(line.score_share),
        head_to_head=float(line.head_to_head),
        disqualified=line.disqualified,
    )
