"""T11: the Swiss order of a tournament, the same for CLI, JSON, messages and pages."""

from __future__ import annotations

from dataclasses import asdict, dataclass

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


POINTS = "A round is worth up to one point: the share of opponents beaten, a tie counting half."
TIE_BREAKS = {
    "opponents": "First tie-break: the mean of the final points per round of all opponents met.",
    "opponents_cut": "Second: the same without the lowest opponent.",
    "weighted": "Third: each round's points times the mean final points of the table's opponents, added up.",
    "score_share": "Fourth: shares of the tables' raw scores, in games whose raw scores compare.",
    "head_to_head": "Fifth: points among those still equal, if all of them have met; then the lot. Wins never count.",
}
"""T11: equal points are told apart by these columns, from left to right, unless the schedule decides."""
TITLES = {"opponents_cut": "without lowest"}  # where it is not the key


def columns_of(words: OrderWords) -> list[Column[StandingLine]]:
    """Return the columns of an order; tie-breaks say nothing where the schedule decides."""
    tie_breaks = TIE_BREAKS if words == SWISS_ORDER else {}
    return [
        Column("place", "place"),
        Column("bot", "bot", is_figure=False),
        Column("points", "points", decimals(3), POINTS),
        Column("rounds", "rounds", about="Rounds that count for points, byes included."),
        *(Column(key, TITLES.get(key, key.replace("_", " ")), decimals(3), tie_breaks[key]) for key in tie_breaks),
        Column("disqualified", "disqualified", is_figure=False, about="Why it is ranked behind all others."),
    ]


def standings_of(stored: StoredTournament, history: History) -> tuple[StandingLine, ...]:
    """T10, T11: the order over the rounds that count for points; before the first is closed, nobody."""
    return tuple(map(_line, order_of(TournamentSettings.of(stored), history)))


def standings(store: Store, stored: StoredTournament) -> tuple[StandingLine, ...]:
    """T11: the order of a tournament over its closed rounds."""
    return standings_of(stored, read_history(store, stored))


def order_words(stored: StoredTournament) -> OrderWords:
    """Return the name of a tournament's order, and how it is determined."""
    return SCHEDULES[TournamentSettings.of(stored).format].order_words


def _line(line: SwissStanding) -> StandingLine:
    in_points = {
        "points": line.points / UNIT,
        "opponents": float(line.opponents / UNIT),
        "opponents_cut": float(line.opponents_cut / UNIT),
        "weighted": float(line.weighted / UNIT / UNIT),
        "score_share": float(line.score_share),
        "head_to_head": float(line.head_to_head),
    }
    return StandingLine(**asdict(line) | in_points)
