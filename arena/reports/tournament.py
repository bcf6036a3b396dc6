"""A tournament as people ask about it: its summary, its rounds, its standings and its pairing's quality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.plan.rounds import played_round
from arena.plan.standings import SwissStanding, swiss_order
from arena.plan.swiss import PlayedRound, Quality, quality
from arena.store.database import Store
from arena.store.rows import RoundState, StoredTournament
from ratings.points import UNIT


def summary(store: Store, stored: StoredTournament) -> dict[str, Any]:
    """Return one line of the list of tournaments as plain data."""
    rounds = store.rounds(stored.id)
    return {
        "tournament": stored.id,
        "state": stored.state,
        "reason": stored.reason,
        "games": [game["game"] for game in stored.settings["games"]],
        "bots": len(stored.settings["bots"]),
        "rounds_closed": sum(each.state is RoundState.CLOSED for each in rounds),
        "rounds_planned": stored.settings["points_rounds"] + stored.settings["rating_rounds"],
        "matches": store.match_count(stored.id),
        "started_at": stored.started_at,
    }


def round_tables(store: Store, tournament: str, number: int) -> list[dict[str, Any]]:
    """Return the matches of one round, table by table."""
    return [
        {
            "table": match.table,
            "game": match.game_number,
            "match": match.id,
            "ending": match.ending,
            "result": ", ".join(
                f"{place}. {bot} ({score})"
                for place, bot, score in sorted(zip(match.places, match.seating, match.scores, strict=False))
            )
            or match.ending,
        }
        for match in store.matches(tournament, number)
    ]


def quality_of(store: Store, stored: StoredTournament) -> Quality:
    """9.7: the metrics over all closed rounds."""
    rounds = played_rounds(store, stored.id)
    preferred = stored.settings["games"][0]["sizes"][2]
    return quality(
        rounds,
        preferred=preferred,
        points_rounds=stored.settings["points_rounds"],
        house_bots=stored.settings["house_bots"],
    )


def played_rounds(store: Store, tournament: str) -> list[PlayedRound]:
    """Return the closed rounds of a tournament as standings see them."""
    return [
        played_round(each, store.matches(tournament, each.number))
        for each in store.rounds(tournament)
        if each.state is RoundState.CLOSED
    ]


def swiss_standings(store: Store, tournament: str) -> tuple[SwissStanding, ...]:
    """9.11: the Swiss order over the closed rounds."""
    settings = store.tournament(tournament).settings
    return swiss_order(played_rounds(store, tournament), seed=settings["seed"], house_bots=settings["house_bots"])


def plain_standings(lines: Sequence[SwissStanding]) -> list[dict[str, Any]]:
    """Return the Swiss order as plain data."""
    return [
        {
            "place": line.place,
            "bot": line.bot,
            "points": round(line.points / UNIT, 4),
            "rounds": line.rounds,
            "opponents": float(line.opponents / UNIT),
            "opponents_cut": float(line.opponents_cut / UNIT),
            "weighted": float(line.weighted / UNIT / UNIT),
            "head_to_head": float(line.head_to_head),
        }
        for line in lines
    ]
