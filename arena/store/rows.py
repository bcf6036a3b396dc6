"""What is stored, as the rest of the arena sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture
from referee.order import Ending, MatchResult


class TournamentState(StrEnum):
    """Where a tournament stands."""

    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"


class RoundState(StrEnum):
    """Where a round stands."""

    PAIRED = "paired"
    CLOSED = "closed"


class Results(StrEnum):
    """T10.7: what becomes of the matches of a bot that is disqualified."""

    VOID = "void"
    """They count for nobody."""
    FORFEIT = "forfeit"
    """It takes the last place in all of them."""


@dataclass(frozen=True, slots=True)
class StoredBot:
    """A bot, whatever its versions."""

    name: str
    author: str | None
    newest: str
    """The label of its newest version."""
    is_retired: bool


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """One version of a bot."""

    label: str
    name: str
    version: str
    number: int
    """Grows from version to version."""
    parent: str | None
    path: str
    """The directory that it was last entered from; empty if it runs elsewhere."""
    manifest: Mapping[str, Any]
    added_at: str
    is_retired: bool
    """The bot is."""

    @property
    def is_remote(self) -> bool:
        """It runs elsewhere."""
        return not self.path


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as stored: `settings` decide its results, `running` only how it is run on this machine."""

    id: str
    settings: Mapping[str, Any]
    running: Mapping[str, Any]
    state: TournamentState
    reason: str
    started_at: str


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as its ROUND entry pairs it, and how far it has come."""

    number: int
    game: str
    is_rating: bool
    tables: tuple[RoundTable, ...]
    byes: tuple[str, ...]
    scores: Mapping[str, int]
    """T4: the integers that it was drawn from."""
    state: RoundState
    seconds: float


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A finished match without its record."""

    id: str
    tournament: str
    round: int
    table: int
    game_number: int
    attempt: int
    game: str
    seed: int
    seating: tuple[str, ...]
    ending: Ending
    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    seat_endings: tuple[Ending, ...]
    record_digest: str
    decisions: int = 0
    asked: int = 0
    sandbox: str = ""
    stored_at: str = ""
    void_reason: str | None = None
    """T13: why it does not count; None if it does."""
    forfeit_note: str | None = None
    """T13.12: who has forfeited it since, and why; None if nobody has."""
    forfeits: int = 0
    """T13.12: how many have forfeited it since."""
    places_before: tuple[int, ...] = ()
    """The places before it was forfeited; empty if nobody has."""
    software: str = ""
    """T13.13: the version of the software whose referee wrote the record."""

    @property
    def fixture(self) -> Fixture:
        """The game of the schedule that it is."""
        return Fixture(self.tournament, self.round, self.table, self.game_number, self.seating, self.seed)

    @property
    def is_void(self) -> bool:
        """T13: it does not count: no points, places or meetings come of it."""
        return self.void_reason is not None

    @property
    def was_made_void(self) -> bool:
        """T13: an organiser made it void after it had entered the ledger."""
        return self.is_void and self.ending is not Ending.VOIDED

    @property
    def corrections(self) -> int:
        """T13: how often an organiser has changed what it counts for."""
        return self.was_made_void + self.forfeits


@dataclass(frozen=True, slots=True)
class Disqualification:
    """T10.7: a bot that is kept out of a tournament, and what has become of its matches."""

    bot: str
    round: int
    """The first that it may not play."""
    results: Results
    reason: str
    who: str

    @property
    def note(self) -> str:
        """The reason as it stands beside every match."""
        return f"disqualified: {self.reason}"


@dataclass(frozen=True, slots=True)
class FitLine:
    """T13.7: what a FIT entry says of a bot, in thousandths of an Elo point."""

    through: int
    """The last entry that the fit knew."""
    label: str
    rating: int
    error: int
    """A standard error."""


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match from one bot's seat."""

    match: str
    game: str
    tournament: str
    """Or, of a test, "test" and the beginning of its id."""
    round: int
    label: str
    seat: int
    seats: int
    place: int | None
    score: int | None
    ending: str
    reason: str
    stored_at: str
    void_reason: str | None
    """T13: why it does not count; None if it does."""
    forfeit_note: str | None
    """T13.12: who has forfeited it since, and why; None if nobody has."""


@dataclass(frozen=True, slots=True)
class SharedGame:
    """T15.1: a game that two bots both played, as the ledger tells it."""

    position: tuple[int, int]
    """T19.4: the CHECKPOINT of its round, and its table: games of one block have the same."""
    tournament: str
    """Or the id of a test."""
    round: int
    rotation: int
    seating: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DuelRow:
    """Matches of a bot with one opponent, and the half points from them."""

    game: str
    opponent: str
    matches: int
    half_points: int


@dataclass(frozen=True, slots=True)
class SeatFaults:
    """How many games a bot forfeited in one way."""

    bot: str
    ending: Ending
    count: int


@dataclass(frozen=True, slots=True)
class MatchToStore:
    """A result with its place in the schedule."""

    fixture: Fixture
    attempt: int
    game: str
    result: MatchResult
    sandbox: str = "none"
    outputs: tuple[tuple[int, str], ...] = ()
    worker: str = ""
    calibration: int | None = None
    packed_record: bytes = b""
    """The record as the store keeps it, where somebody has packed it already."""


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """The worker of a cluster that played a match."""

    worker: str
    calibration: int | None
    """How fast it once was, in thousands of hashes in a second of processor time."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """A match that another worker played again, without anything coming of it but this."""

    match: str
    worker: str
    """Who played it again."""
    record_digest: str
    """What came of it there."""
    is_equal: bool
    """Whether that is what is stored."""


@dataclass(frozen=True, slots=True)
class RecheckedMatch:
    """A recheck beside the match that it was of."""

    match: StoredMatch
    played_on: PlayedOn | None
    again: Recheck


@dataclass(frozen=True, slots=True)
class PoolExtent:
    """How far a pool has come: while this is the same, so is its fit."""

    through: int
    """The entry of its last match, or of the last that was forfeited since."""
    matches: int
    voids: int


@dataclass(frozen=True, slots=True)
class KeptFit:
    """T8: a fit as `fit_cache` keeps it; current while the pool has the same last match, matches and voids."""

    pool: str
    through: int
    matches: int
    voids: int
    software: str
    error_source: str
    summary: str
    """sigma, phi and tau in millionths, and what the list must say, as JSON."""
    lines: str
    """T13.7: the list of record, bot, rating and standard error in milli-Elo, as JSON."""
    ratings: str
    """What a leaderboard shows of every bot, as JSON."""
    covariance: bytes | None
