"""Stored data, as the rest of the arena sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture
from referee.order import Ending, MatchResult


class TournamentState(StrEnum):
    """The state of a tournament."""

    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"


class RoundState(StrEnum):
    """The state of a round."""

    PAIRED = "paired"
    CLOSED = "closed"


class Results(StrEnum):
    """T10.7: what becomes of the matches of a bot that is disqualified; the first is the default."""

    STRIKE = "strike"
    """Its seat is struck: the others rank among themselves."""
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
    """Increases from version to version."""
    parent: str | None
    path: str
    """The directory it was last entered from; empty if it runs elsewhere."""
    manifest: Mapping[str, Any]
    added_at: str
    is_retired: bool
    """Whether the bot is retired."""

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere."""
        return not self.path


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as stored: `settings` decide its results, `running` only how it runs on this machine."""

    id: str
    settings: Mapping[str, Any]
    running: Mapping[str, Any]
    state: TournamentState
    reason: str
    started_at: str
    seed: int | None = None
    """T2.8: the one that the settings are committed to; None if they have it, or it is not settled yet."""


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as its ROUND entry pairs it, and its state."""

    number: int
    game: str
    is_rating: bool
    tables: tuple[RoundTable, ...]
    byes: tuple[str, ...]
    scores: Mapping[str, int]
    """T4: the integers it was drawn from."""
    state: RoundState
    seconds: float
    closed_by: int = 0
    """The number of its CHECKPOINT entry; 0 while it is open."""


@dataclass(frozen=True, slots=True)
class WantedMatches:
    """Which matches a list shall have; None and empty stand for any."""

    tournament: str | None = None
    round: int | None = None
    game: str | None = None
    bots: tuple[tuple[str, ...], ...] = ()
    """The labels of the versions of each bot; all of the bots sat at the table."""
    only_forfeits: bool = False


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
    """T13.12: the number of bots that were made to forfeit it later."""
    places_before: tuple[int, ...] = ()
    """The places as played; empty if nobody has forfeited it or was struck from it since."""
    software: str = ""
    """T13.13: the version of the software whose referee wrote the record."""
    strike_note: str | None = None
    """T13.15: whose seats were struck from it since, and why; None if nobody's."""
    strikes: int = 0
    """T13.15: how many seats were struck from it since; their places are STRUCK."""
    changes: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """T13: the entries that changed it, by number, each with the places that counted from then on; none if void."""

    @property
    def fixture(self) -> Fixture:
        """Its game in the schedule."""
        return Fixture(self.tournament, self.round, self.table, self.game_number, self.seating, self.seed)

    @property
    def is_void(self) -> bool:
        """T13: whether it does not count: it gives no points, places or meetings."""
        return self.void_reason is not None

    @property
    def was_made_void(self) -> bool:
        """T13: whether an organiser voided it after it had entered the ledger."""
        return self.is_void and self.ending is not Ending.VOIDED

    @property
    def corrections(self) -> int:
        """T13: how often an organiser has corrected it."""
        return self.was_made_void + self.forfeits + self.strikes

    @property
    def shown_places(self) -> tuple[int | None, ...]:
        """The places as people see them, by seat: None for a void match and for a struck seat."""
        return tuple(place or None for place in self.places) or (None,) * len(self.seating)

    def places_at(self, seq: int) -> tuple[int, ...]:
        """T11.9: return the places that counted after an entry; none if it was void then."""
        if self.ending is Ending.VOIDED:
            return ()
        later = [places for changed_by, places in self.changes if changed_by <= seq]
        if () in later:
            return ()
        return later[-1] if later else self.places_before or self.places


@dataclass(frozen=True, slots=True)
class Disqualification:
    """T10.7: a bot disqualified from a tournament, and what happens to its matches."""

    bot: str
    round: int
    """The first round that it may not play."""
    results: Results
    reason: str
    who: str

    @property
    def note(self) -> str:
        """The reason as shown beside every match."""
        return f"disqualified: {self.reason}"


@dataclass(frozen=True, slots=True)
class FitLine:
    """T13.7: a bot's line in a FIT entry, in thousandths of an Elo point."""

    through: int
    """The last entry included in the fit."""
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
    """Or, for a test, "test" and the beginning of its id."""
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
    strike_note: str | None
    """T13.15: whose seats were struck from it since, and why; None if nobody's."""


@dataclass(frozen=True, slots=True)
class SharedGame:
    """T15.1: a game that two bots both played, from the ledger."""

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
    """The number of games that a bot forfeited in one way."""

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
    """The record as the store keeps it, if it is already packed."""


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """The worker of a cluster that played a match."""

    worker: str
    calibration: int | None
    """How fast it was when it started, in thousands of hashes per CPU-second."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """A match rerun by another worker; only this comparison is kept of the rerun."""

    match: str
    worker: str
    """The worker of the rerun."""
    record_digest: str
    """The digest of the rerun."""
    is_equal: bool
    """Whether it equals the stored one."""


@dataclass(frozen=True, slots=True)
class RecheckedMatch:
    """A recheck with its match."""

    match: StoredMatch
    played_on: PlayedOn | None
    again: Recheck


@dataclass(frozen=True, slots=True)
class PoolExtent:
    """The extent of a pool: while this is the same, so is its fit."""

    through: int
    """The entry of its last match, or of the last forfeit or strike since."""
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
    """sigma, phi, tau, the standard errors of an interval, and what the list must say, as JSON."""
    lines: str
    """T13.7: the ratings of record: bot, rating and standard error in milli-Elo, as JSON."""
    ratings: str
    """The leaderboard's data on every bot, as JSON."""
    covariance: bytes | None
