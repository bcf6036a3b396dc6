"""Progress of a running tournament: a live display on a terminal, plain log lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from arena.plan.forecasting import Forecast
from arena.plan.tournament_file import Plan
from arena.store.rows import MatchToStore, StoredMatch
from ratings.points.points import UNIT, game_points
from referee.order import Ending

LEADERS = 5
OPEN_END = 10_000
"""With this many rating rounds or more, a tournament is meant to end by its time or match budget, not by rounds."""


class Silent:
    """Shows nothing; the runner's log lines say enough."""

    def paired(self, round_number: int, rounds: int, game: str, matches: int, done: int) -> None:
        """Begin a round."""

    def stored(self, match: MatchToStore) -> None:
        """Note a stored match."""

    def closed(self, round_number: int, seconds: float) -> None:
        """Note a round that entered the ledger."""

    def foretold(self, made: Forecast) -> None:
        """Note a new forecast."""


class LiveDisplay:
    """Rounds, matches, their rate, the time left and who leads, redrawn in place."""

    def __init__(self, console: Console, plan: Plan, so_far: Iterable[StoredMatch] = ()) -> None:
        self.bars = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
        )
        self.rounds: TaskID = self.bars.add_task("rounds", total=None)
        self.matches: TaskID = self.bars.add_task("matches", total=None)
        self.title = plan.name
        self.has_open_end = plan.settings.rating_rounds >= OPEN_END
        self.points: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.before = self.played = self.forfeits = 0
        self.forecast = ""
        for match in so_far:
            self.before += 1
            self._count(match.seating, match.ending, match.seat_endings, match.places)
        self.pool_status: Callable[[], str] = str
        """The status line of a remote pool; empty for a local one."""
        self.started = time.monotonic()
        self.live = Live(console=console, refresh_per_second=4, get_renderable=self._render, transient=True)

    def __enter__(self) -> LiveDisplay:
        self.live.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self.live.stop()

    def paired(self, round_number: int, rounds: int, game: str, matches: int, done: int) -> None:
        """Start the bar of a round's matches."""
        self.bars.update(self.rounds, total=None if self.has_open_end else rounds, completed=round_number - 1)
        self.bars.reset(self.matches, total=matches, completed=done, description=f"{game}, round {round_number}")

    def stored(self, match: MatchToStore) -> None:
        """Count a match and its points."""
        self.bars.advance(self.matches)
        self.played += 1
        result = match.result
        self._count(match.fixture.seating, result.ending, result.seat_endings, result.ranks)

    def _count(
        self, seating: Sequence[str], ending: Ending, seat_endings: Sequence[Ending], places: Sequence[int]
    ) -> None:
        if ending is Ending.VOIDED:
            return
        self.forfeits += sum(each is not Ending.COMPLETED for each in seat_endings)
        for bot, points in zip(seating, game_points(places), strict=True):
            self.points[bot] += points
            self.games[bot] += 1

    def closed(self, round_number: int, seconds: float) -> None:
        """Advance the bar of the rounds."""
        self.bars.update(self.rounds, completed=round_number)

    def foretold(self, made: Forecast) -> None:
        """T16.5: show the forecast of the remaining games."""
        self.forecast = made.words

    def _render(self) -> Group:
        rate = self.played / max(time.monotonic() - self.started, 0.001)
        matches = self.before + self.played
        line = f"{self.title}: {matches:,} matches, {rate:.1f} per second, {self.forfeits:,} forfeits"
        if status := self.pool_status():
            line += f"\n{status}"
        table = Table("leading so far", "points per game", "games", box=None)
        means = sorted(((self.points[bot] / self.games[bot], bot) for bot in self.games), reverse=True)
        for mean, bot in means[:LEADERS]:
            table.add_row(Text(bot), f"{mean / UNIT:.3f}", str(self.games[bot]))
        return Group(Text(line), *([Text(self.forecast)] if self.forecast else []), self.bars, table)
