"""Tournaments on paper: a real database, real draws and a real ledger, and results that a test decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.plan.rounds import History, read_history, round_metrics
from arena.plan.schedules import SCHEDULES
from arena.plan.seeding import table_seeds
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.standings import SwissStanding, order_of
from arena.plan.swiss import TableSizes
from arena.reports.audit import Examiner
from arena.store.database import Store
from arena.store.rows import Disqualification, MatchToStore, Results
from ratings.ledger.audit import audit
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.points import competition_places, seat_of
from ratings.points.result import Fixture, LedgerResult
from referee.order import Ending, MatchResult
from referee.software import SOFTWARE

NOW = "2026-03-01T20:00:00+00:00"
VERSION = "0123456789ab" * 5
Strength = Callable[[str], int]


def label(name: str) -> str:
    """Return the label of a bot's only version."""
    return f"{name}@0123456789ab"


def name_order(bot: str) -> int:
    """The first in the alphabet is the strongest; house bots, whose names begin with z, are the weakest."""
    return ord(bot[0])


def game(slug: str = "toy", seats: int = 2) -> GameSettings:
    """Return a game that is always played at tables of one size."""
    return GameSettings(slug, 1, {}, TableSizes(seats, seats, seats))


@dataclass
class PaperTournament:
    """A tournament whose matches are won by the bot of the smallest key."""

    store: Store
    name: str
    settings: TournamentSettings
    strength: Strength = name_order
    number: int = 0
    """The last round drawn."""
    _results: list[LedgerResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        for bot in (*self.settings.bots, *self.settings.house_bots):
            name = bot.partition("@")[0]
            self.store.bots.add(bot, name, VERSION, f"/bots/{name}", {"name": name}, NOW)
        pools = [(each.pool, each.slug, each.rules_version) for each in self.settings.games]
        self.store.tournaments.add(self.name, self.settings.to_plain(), {}, pools, NOW)

    @property
    def history(self) -> History:
        """What every reader makes of the database."""
        return read_history(self.store, self.store.tournaments.find(self.name))

    @property
    def order(self) -> tuple[SwissStanding, ...]:
        """The order as everybody sees it."""
        return order_of(self.settings, self.history)

    @property
    def names_in_order(self) -> str:
        """The first letters of the bots, best first."""
        return "".join(line.bot[0] for line in self.order)

    def draw(self) -> list[tuple[str, ...]]:
        """Draw the next round and return its tables; none if the tournament is over."""
        history, schedule = self.history, SCHEDULES[self.settings.format]
        if schedule.is_over(self.settings, history):
            return []
        self.number = len(history.rounds) + 1
        scores = {bot: -self.strength(bot) for bot in schedule.seeded(self.settings, history)}
        drawn = schedule.draw(self.settings, history, scores)
        assert drawn is not None
        played = self.settings.game_in(self.number)
        tables = []
        for table in drawn.tables:
            games = len(table.bots)
            seeds = table_seeds(self.settings.seeding, self.settings.seed, self.number, table.number, games)
            tables.append(RoundTable(table.number, table.bots, seeds, games))
        metrics = round_metrics(history, drawn, played.sizes.preferred, self.settings.house_bots, is_rating=False)
        self.store.tournaments.add_round(
            self.name, self.number, played.slug, False, tables, drawn.byes, scores, metrics
        )
        self._results = [self._play(played, table, rotation) for table in tables for rotation in range(table.games)]
        return [table.bots for table in drawn.tables]

    def _play(self, played: GameSettings, table: RoundTable, rotation: int) -> LedgerResult:
        seats = len(table.seats)
        base = {seat_of(at, rotation, seats): bot for at, bot in enumerate(table.seats)}
        seating = tuple(base[seat] for seat in range(seats))
        fixture = Fixture(self.name, self.number, table.table, rotation, seating, table.seeds[rotation])
        places = competition_places([self.strength(bot) for bot in seating])
        endings = (Ending.COMPLETED,) * seats
        result = MatchResult(fixture.match_id, Ending.COMPLETED, "", places, (0,) * seats, endings, 0, 0, "", digest="")
        self.store.matches.add(MatchToStore(fixture, 0, played.slug, result), NOW)
        return LedgerResult(
            fixture, played.pool, places, f"{played.pool}@{SOFTWARE}", (VERSION,) * seats, "", scores=(0,) * seats
        )

    def close(self) -> None:
        """Enter the round that was drawn."""
        self.store.tournaments.close_round(self.name, self.number, self._results, [], 1.0)

    def play_out(self) -> list[list[tuple[str, ...]]]:
        """Play to the end, and return the tables of all rounds that were drawn for it."""
        rounds: list[list[tuple[str, ...]]] = []
        for _ in range(50):
            tables = self.draw()
            if not tables:
                return rounds
            rounds.append(tables)
            self.close()
        raise AssertionError("it never ends")

    def disqualify(self, bot: str, results: Results) -> None:
        """T10.7: disqualify a bot from the next round on."""
        given = Disqualification(bot, self.store.tournaments.last_round(self.name) + 1, results, "cheats", "tester")
        self.store.corrections.disqualify(self.name, given)


def paper_settings(
    names: str, form: str, *games: GameSettings, house: Sequence[str] = (), **more: Any
) -> TournamentSettings:
    """Return the settings of a tournament of bots with names of one letter."""
    return TournamentSettings(
        games=games or (game(),), bots=tuple(map(label, names)), house_bots=tuple(map(label, house)), format=form,
        seed=5, top=None, **({"points_rounds": 3} | more),
    )  # fmt: skip


def faults(store: Store) -> list[str]:
    """Return the faults of the ledger, every round drawn again; fits are left out."""
    with store.reading() as connection:
        examiner = Examiner(store, with_pairings=True)
        return list(map(str, audit(connection, examine=examiner).findings))
