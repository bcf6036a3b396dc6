"""A match as ratings see it: its bots, places and block."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Result:
    """The places of one match by seat, for the fit."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    block: tuple[str, int, int] | None = None
    """Tournament, round and table; None for a match that is its own block."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of the schedule; its match id is the hash of these fields."""

    tournament: str
    round: int
    table: int
    game: int
    seating: tuple[str, ...]
    seed: int

    @property
    def match_id(self) -> str:
        """T13.4: SHA-256 of tournament, round, table, game, seating and seed."""
        parts = [self.tournament, self.round, self.table, self.game, list(self.seating), self.seed]
        return sha256(json.dumps(parts, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()

    @property
    def position(self) -> tuple[str, int, int, int]:
        """T9.5: the place in the canonical order."""
        return (self.tournament, self.round, self.table, self.game)


@dataclass(frozen=True, slots=True)
class LedgerResult:
    """A finished match, ready for the ledger; everything by seat."""

    fixture: Fixture
    pool: str
    places: tuple[int, ...]
    engine: str
    bot_hashes: tuple[str, ...]
    replay_digest: str
    ending: str = "completed"
    scores: tuple[int, ...] | None = None
    forfeits: tuple[int, ...] = ()
    """The seats that forfeited."""
    is_rated: bool = True
    """T14.9: games with copies of a bot are entered but not rated."""
