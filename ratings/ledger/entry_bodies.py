"""T13: what entries of the ledger say, and the keys by which they are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ratings.ledger.book import void_key
from ratings.ledger.chain import Body, Draft, Kind, canonical_json
from ratings.points.result import Fixture, LedgerResult

FORMAT = 1
"""The version of the entries' layout, written into the first of them."""

MATCH_NAMES = ("match", "pool", "tournament", "round", "table", "game", "seating", "seed")
"""What the entry of a correction repeats of its match."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of a round as it was drawn: base seating, seeds, and how many games its block has."""

    table: int
    seats: tuple[str, ...]
    seeds: tuple[int, ...]
    """T2: one for every game."""
    games: int

    def body(self) -> dict[str, Any]:
        """T13: what the entry of its round says of it."""
        return {"table": self.table, "seats": self.seats, "games": self.games, "seeds": self.seeds}


def change_prefix(tournament: str, *, is_entry: bool) -> str:
    """The beginning of the keys of all that joined a tournament, or left it."""
    return f"{'enter' if is_entry else 'leave'}:{tournament}:"


def fit_key(pool: str, through: int) -> str:
    """The key of the fit of a pool over all entries up to one."""
    return f"fit:{pool}:{through}"


def strengths_digest(strengths: Mapping[str, int]) -> str:
    """The digest of a fit by the first formulas: of its strengths in micro-nat."""
    return sha256(canonical_json(strengths).encode()).hexdigest()


def fixture_body(fixture: Fixture, pool: str) -> dict[str, Any]:
    """T13: what the ledger says of a match before it has a result, and again in every correction."""
    return {
        "match": fixture.match_id,
        "pool": pool,
        "tournament": fixture.tournament,
        "round": fixture.round,
        "table": fixture.table,
        "game": fixture.game,
        "seating": list(fixture.seating),
        "seed": fixture.seed,
    }


def match_body(result: LedgerResult) -> dict[str, Any]:
    """T13: what the ledger says of a match."""
    return {
        **fixture_body(result.fixture, result.pool),
        "places": list(result.places),
        "scores": None if result.scores is None else list(result.scores),
        "forfeits": list(result.forfeits),
        "ending": result.ending,
        "engine": result.engine,
        "bot_hashes": list(result.bot_hashes),
        "replay": result.replay_digest,
        **({} if result.is_rated else {"rated": False}),
    }


def is_rated(match: Body) -> bool:
    """T14.9: tell whether a match counts for ratings; what it says of that is only written where it does not."""
    return bool(match.get("rated", True))


def disqualify_prefix(tournament: str) -> str:
    """The beginning of the keys of all who are disqualified from a tournament."""
    return f"disqualify:{tournament}:"


def void_draft(match: Body, reason: str, who: str) -> Draft:
    """T13: the entry that makes a match void."""
    body = {name: match[name] for name in MATCH_NAMES} | {"reason": reason, "who": who}
    return Draft(Kind.VOID, void_key(match["match"]), body)
