"""T13: the bodies of ledger entries, and their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from sys import intern
from typing import Any

from ratings.ledger.chain import Body, Draft, Kind, canonical_json
from ratings.points.result import Fixture, LedgerResult

FORMAT = 1
"""The format version, written into the GENESIS entry."""

GENESIS_KEY = "genesis"

MATCH_NAMES = ("match", "pool", "tournament", "round", "table", "game", "seating", "seed")
"""The fields of a match that its correction repeats."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of a round as drawn, and as its ROUND entry holds it: base seating, seeds, number of games."""

    table: int
    seats: tuple[str, ...]
    seeds: tuple[int, ...]
    """T2: one for every game."""
    games: int

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> RoundTable:
        """Read a table of a ROUND entry."""
        # A long tournament keeps all its tables: every bot's name once, not once per round.
        return cls(body["table"], tuple(map(intern, body["seats"])), tuple(body["seeds"]), body["games"])


def tournament_body(tournament: str, settings: Body) -> dict[str, Any]:
    """T13.3: the body of a TOURNAMENT entry."""
    return {"tournament": tournament, "settings": settings}


def terms_digest(tournament: Body) -> str:
    """T13.16: what the record of every match says of the settings in a TOURNAMENT entry, given its body."""
    return sha256(canonical_json(tournament).encode()).hexdigest()


def change_prefix(tournament: str, *, is_entry: bool) -> str:
    """The key prefix of ENTER or LEAVE entries of a tournament."""
    return f"{'enter' if is_entry else 'leave'}:{tournament}:"


def fixture_body(fixture: Fixture, pool: str) -> dict[str, Any]:
    """T13: the body of a match without its result; a correction repeats it."""
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
    """T13: the body of a MATCH entry."""
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


def position(match: Body) -> tuple[str, int, int, int]:
    """T9.5: the place of a match in the canonical order."""
    return (match["tournament"], match["round"], match["table"], match["game"])


def is_rated(match: Body) -> bool:
    """T14.9: return whether a match is rated; only unrated ones say so."""
    return bool(match.get("rated", True))


def disqualify_prefix(tournament: str) -> str:
    """The key prefix of DISQUALIFY entries of a tournament."""
    return f"disqualify:{tournament}:"


def void_draft(match: Body, reason: str, who: str) -> Draft:
    """T13: the VOID entry of a match."""
    body = {name: match[name] for name in MATCH_NAMES} | {"reason": reason, "who": who}
    return Draft.of(Kind.VOID, body)
