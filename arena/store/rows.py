"""What is stored, as the rest of the arena sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ratings.result import Fixture
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
    """A round as paired: `pairing` holds tables (number, bots, seed), byes, cost and the scores it was made from."""

    number: int
    game: str
    is_rating: bool
    pairing: Mapping[str, Any]
    state: RoundState
    seconds: float


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A finished match without its record."""

    id: str
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
    was_made_void: bool = False
    """9.13: an organiser made it void after it had entered the ledger, and it counts no longer."""

    @property
    def counts(self) -> bool:
        """9.13: tell whether points, places and meetings come of it."""
        return self.ending is not Ending.VOIDED and not self.was_made_void


@dataclass(frozen=True, slots=True)
class MatchToStore:
    """A result with its place in the schedule."""

    fixture: Fixture
    attempt: int
    game: str
    result: MatchResult
    record_digest: str
    sandbox: str = "none"
    outputs: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KeptFit:
    """9.8: a fit as `fit_cache` keeps it; current while the pool has the same last match, matches and voids."""

    pool: str
    through: int
    matches: int
    voids: int
    software: str
    error_source: str
    ratings: str
    covariance: bytes | None
