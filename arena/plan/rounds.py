"""What closed rounds add up to, and the draw of the next one from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.plan.swiss import (
    Entrant,
    PairedTable,
    Pairing,
    PlayedGame,
    PlayedRound,
    PlayedTable,
    TableSizes,
    advance,
    pair,
)
from arena.store.rows import StoredMatch, StoredRound
from ratings.points import seat_of
from referee.order import Ending

ANCHOR_PERCENT = 5  # 9.9: of the tables seat a house bot


@dataclass(slots=True)
class History:
    """What the closed rounds add up to."""

    rounds: list[PlayedRound] = field(default_factory=list)
    entrants: dict[str, Entrant] = field(default_factory=dict)
    forfeited_rounds: dict[str, int] = field(default_factory=dict)
    """For every bot, how many rounds in a row it has forfeited every game of."""
    matches: int = 0
    longest_seconds: float = 0.0
    """What the longest round took."""
    made_void: int = 0
    """9.13: how many of the matches were made void since."""


def pairing_of(stored: StoredRound) -> Pairing:
    """Return the pairing of a stored round."""
    tables = tuple(PairedTable(table["number"], tuple(table["bots"])) for table in stored.pairing["tables"])
    return Pairing(tables, tuple(stored.pairing["byes"]), stored.pairing["cost"])


def counted(matches: Sequence[StoredMatch]) -> dict[tuple[int, int], StoredMatch]:
    """Return by table and game the match that counts: the last attempt that is not void."""
    return {(match.table, match.game_number): match for match in matches if not match.is_void}


def played_round(stored: StoredRound, matches: Sequence[StoredMatch], *, with_scores: bool = False) -> PlayedRound:
    """9.2: a round as pairing and standings see it, places and, of games whose scores compare, scores by base seat."""
    found = counted(matches)
    tables = []
    for table in pairing_of(stored).tables:
        seats = len(table.bots)
        games = []
        for rotation in range(seats):
            match = found.get((table.number, rotation))
            if match is not None:
                at = [seat_of(base, rotation, seats) for base in range(seats)]
                scores = tuple(match.scores[seat] for seat in at) if with_scores else None
                games.append(PlayedGame(rotation, tuple(match.places[seat] for seat in at), scores))
        tables.append(PlayedTable(table.bots, tuple(games)))
    return PlayedRound(tuple(tables), tuple(stored.pairing["byes"]))


def add_round(
    history: History, stored: StoredRound, matches: Sequence[StoredMatch], house: Sequence[str], preferred: int
) -> None:
    """Take a closed round into the history."""
    played = played_round(stored, matches)
    history.rounds.append(played)
    history.entrants = advance(history.entrants, played, preferred=preferred, house_bots=house)
    history.matches += len(matches)
    history.longest_seconds = max(history.longest_seconds, stored.seconds)
    history.made_void += sum(match.was_made_void for match in matches)
    _count_forfeits(history.forfeited_rounds, counted(matches).values())


def swiss_draw(
    history: History,
    sizes: TableSizes,
    number: int,
    *,
    seed: int,
    house: Sequence[str],
    withdraw_after: int,
    is_block: bool,
    ratings: Mapping[str, int] | None,
) -> Pairing | None:
    """9.6: draw a round from nothing but what the ledger keeps; None when no table can be filled."""
    entrants = remaining(history, withdraw_after)
    if len(entrants) + (len(house) > 0) < sizes.least or not entrants:
        return None
    return pair(
        entrants, sizes, seed=seed, round_number=number, house_bots=house,
        anchor_percent=ANCHOR_PERCENT if house else 0, ratings=ratings, is_block=is_block,
    )  # fmt: skip


def remaining(history: History, withdraw_after: int) -> list[Entrant]:
    """Return who has not been withdrawn for forfeiting too many rounds in a row."""
    return [
        entrant for bot, entrant in history.entrants.items() if history.forfeited_rounds.get(bot, 0) < withdraw_after
    ]


def _count_forfeits(counts: dict[str, int], matches: Iterable[StoredMatch]) -> None:
    failed: dict[str, bool] = {}
    for match in matches:
        for bot, ending in zip(match.seating, match.seat_endings, strict=True):
            failed[bot] = failed.get(bot, True) and ending is not Ending.COMPLETED
    for bot, every in failed.items():
        counts[bot] = counts.get(bot, 0) + 1 if every else 0
