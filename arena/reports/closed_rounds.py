"""Results of the closed rounds of a tournament, cached until another closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from arena.plan.rounds import History, read_history
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine, standings_of
from arena.store.rows import RoundState, StoredTournament

T = TypeVar("T")


def kept(reader: Reader, what: str, tournament: str, work_out: Callable[[], T]) -> T:
    """Return a cached result, recomputed when a round closes, an entrant joins or leaves, or a result changes."""
    closed = reader.store.tournaments.round_counts(tournament).get(RoundState.CLOSED, 0)
    state = (closed, reader.store.corrections.total(), len(reader.store.tournaments.changes(tournament)))
    return reader.settled((what, tournament), state, work_out)


def history(reader: Reader, stored: StoredTournament) -> History:
    """Return the history of the closed rounds, with entries and withdrawals."""
    return kept(reader, "history", stored.id, lambda: read_history(reader.store, stored))


def standings(reader: Reader, stored: StoredTournament) -> tuple[StandingLine, ...]:
    """T11: the order over the closed rounds; before the first is closed, nobody."""
    return kept(reader, "standings", stored.id, lambda: standings_of(stored, history(reader, stored)))
