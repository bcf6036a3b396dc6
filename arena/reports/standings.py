"""T11: the Swiss order of a tournament, the same for CLI, JSON, messages and pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from arena.plan.rounds import History, read_history
from arena.plan.schedules import SCHEDULES
from arena.plan.schedules.schedule import SWISS_ORDER, OrderWords
from arena.plan.settings import TournamentSettings
from arena.plan.standings import SwissStanding, order_of
from arena.plan.swiss import PlayedRound
from arena.reports.columns import Column, decimals
from arena.store.database import Store
from arena.store.rows import StoredTournament
from ratings.points.points import STRUCK, UNIT


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
    wins: int | None = None
    """Games at tables of two, here and below; None where a table has more seats."""
    draws: int | None = None
    losses: int | None = None


POINTS = "A round is worth up to one point: the share of opponents beaten, a tie counting half."
TIE_BREAKS = {
    "opponents": "First tie-break: the mean of the final points per round of all opponents met.",
    "opponents_cut": "Second: the same without the lowest opponent.",
    "weighted": "Third: each round's points times the mean final points of the table's opponents, added up.",
    "score_share": "Fourth: shares of the tables' raw scores, in games whose raw scores compare.",
    "head_to_head": "Fifth: points among those still equal, if all of them have met; then the lot. Wins never count.",
}
"""T11: equal points are told apart by these columns, from left to right, unless the schedule decides."""
RESULTS = ("wins", "draws", "losses")
GAMES_OF_TWO = "Games in the rounds that count for points, where every table has two seats."
TITLES = {"opponents_cut": "without lowest"}  # where it is not the key


def columns_of(words: OrderWords, lines: Sequence[StandingLine]) -> list[Column[StandingLine]]:
    """Return the columns of an order that say something: of tie-breaks where no schedule decides, of games of two."""
    tie_breaks = TIE_BREAKS if words == SWISS_ORDER else {}
    columns: list[Column[StandingLine]] = [
        Column("place", "place"),
        Column("bot", "bot", is_figure=False),
        Column("points", "points", decimals(3), POINTS),
        Column("rounds", "rounds", about="Rounds that count for points, byes included."),
        *(Column(key, key, about=GAMES_OF_TWO) for key in RESULTS),
        *(Column(key, TITLES.get(key, key.replace("_", " ")), decimals(3), tie_breaks[key]) for key in tie_breaks),
        Column("disqualified", "disqualified", is_figure=False, about="Why it is ranked behind all others."),
    ]
    empty = {key for key in RESULTS if all(getattr(line, key) is None for line in lines)}
    if not any(line.disqualified for line in lines):
        empty.add("disqualified")
    return [column for column in columns if column.key not in empty]


def standings_of(stored: StoredTournament, history: History) -> tuple[StandingLine, ...]:
    """T10, T11: the order over the rounds that count for points; before the first is closed, nobody."""
    results = results_of_two([each for each in history.rounds if not each.is_rating])
    return tuple(_line(line, results) for line in order_of(TournamentSettings.of(stored), history))


def results_of_two(rounds: Sequence[PlayedRound]) -> dict[str, tuple[int, int, int]] | None:
    """Return every bot's games won, drawn and lost, where all tables have two seats; None otherwise.

    A struck game (T13.15) is none of them.
    """
    tables = [table for each in rounds for table in each.tables]
    if not tables or any(len(table.bots) != 2 for table in tables):
        return None
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for table in tables:
        for game in table.games:
            if STRUCK in game.places:
                continue
            for seat, bot in enumerate(table.bots):
                own, other = game.places[seat], game.places[1 - seat]
                found[bot][0 if own < other else 1 if own == other else 2] += 1
    return {bot: (wins, draws, losses) for bot, (wins, draws, losses) in found.items()}


def standings(store: Store, stored: StoredTournament) -> tuple[StandingLine, ...]:
    """T11: the order of a tournament over its closed rounds."""
    return standings_of(stored, read_history(store, stored))


def order_words(stored: StoredTournament) -> OrderWords:
    """Return the name of a tournament's order, and how it is determined."""
    return SCHEDULES[TournamentSettings.of(stored).format].order_words


def _line(line: SwissStanding, results: Mapping[str, tuple[int, int, int]] | None) -> StandingLine:
    in_points = {
        "points": line.points / UNIT,
        "opponents": float(line.opponents / UNIT),
        "opponents_cut": float(line.opponents_cut / UNIT),
        "weighted": float(line.weighted / UNIT / UNIT),
        "score_share": float(line.score_share),
        "head_to_head": float(line.head_to_head),
    }
    counts = {} if results is None else dict(zip(RESULTS, results.get(line.bot, (0, 0, 0)), strict=True))
    return StandingLine(**asdict(line) | in_points | counts)
