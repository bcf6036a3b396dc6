"""T13: the bodies of ledger entries, and their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ratings.ledger.accounts import void_key
from ratings.ledger.chain import Body, Draft, Kind
from ratings.points.result import Fixture, LedgerResult

FORMAT = 1
"""The format version, written into the GENESIS entry."""

MATCH_NAMES = ("match", "pool", "tournament", "round", "table", "game", "seating", "seed")
"""The fields of a match that its correction repeats."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of a round as it was drawn: base seating, seeds, and how many games its block has."""

    table: int
    seats: tuple[str, ...]
    seeds: tuple[int, ...] | int
    """T2: one for every game; or, by the rule of older ledgers, one number for all of them."""
    games: int

    def body(self) -> dict[str, Any]:
        """T13: the table in the ROUND entry."""
        seeds = {"seed": self.seeds} if isinstance(self.seeds, int) else {"seeds": self.seeds}
        return {"table": self.table, "seats": self.seats, "games": self.games, **seeds}

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> RoundTable:
        """Return a table as the entry of its round says it."""
        seeds = body["seed"] if "seed" in body else tuple(body["seeds"])
        return cls(body["table"], tuple(body["seats"]), seeds, body["games"])


def change_prefix(tournament: str, *, is_entry: bool) -> str:
    """The key prefix of ENTER or LEAVE entries of a tournament."""
    return f"{'enter' if is_entry else 'leave'}:{tournament}:"


def fit_key(pool: str, through: int) -> str:
    """The key of the FIT entry of a pool up to an entry."""
    return f"fit:{pool}:{through}"


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


def is_rated(match: Body) -> bool:
    """T14.9: return whether a match is rated; only unrated ones say so."""
    return bool(match.get("rated", True))


def disqualify_prefix(tournament: str) -> str:
    """The key prefix of DISQUALIFY entries of a tournament."""
    return f"disqualify:{tournament}:"


def void_draft(match: Body, reason: str, who: str) -> Draft:
    """T13: the VOID entry of a match."""
    body = {name: match[name] for name in MATCH_NAMES} | {"reason": reason, "who": who}
    return Draft(Kind.VOID, void_key(match["match"]), body)
