"""What a match is to the ratings: who sat where, who came in where, and which games belong together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Result:
    """The places of one match as the fit reads them, by seat."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    block: tuple[str, int, int] | None = None
    """Tournament, round and table: games of one block share their luck. None stands for itself alone."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of the schedule: everything its match id is made of."""

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
        """T9.5: where the match stands in the canonical order."""
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
    """T14.9: games with copies of a bot at the table are entered, but rate nobody."""
