"""Pools: one game under one version of its rules, and the extent of each."""

from __future__ import annotations

from collections.abc import Sequence

from arena.store.connection import Subject
from arena.store.corrections import NEW_PLACES
from arena.store.rows import PoolExtent
from ratings.ledger import queries
from ratings.ledger.accounts import Account, RatingChange


class PoolStore(Subject):
    """Pools that have matches."""

    def names(self) -> list[str]:
        """Return the names of all pools that have matches."""
        return self._file.column("SELECT pool FROM pool_total ORDER BY pool")

    def of(self, tournaments: Sequence[str]) -> list[str]:
        """Return the pools that tournaments, or tests, have matches in."""
        marks = ",".join("?" * len(tournaments))
        sql = f"SELECT DISTINCT pool FROM posted_match WHERE tournament IN ({marks}) ORDER BY pool"
        return self._file.column(sql, *tournaments)

    def extent(self, pool: str) -> PoolExtent:
        """Return the extent of a pool, quickly even for a large ledger."""
        sql = f"""SELECT max((SELECT coalesce(max(seq), 0) FROM posted_match WHERE pool = ?1),
            (SELECT coalesce(max(seq), 0) {NEW_PLACES} AND json_extract(payload, '$.pool') = ?1))"""
        totals = self._file.rows("SELECT matches, voids FROM pool_total WHERE pool = ?", pool)
        return PoolExtent(self._file.value(sql, pool), *(totals[0] if totals else (0, 0)))

    def unfitted(self, pool: str) -> str | None:
        """T13.7: return the tournament whose closed round waits for the FIT entry of a pool; None if none does."""
        sql = """SELECT p.tournament FROM posted_match p JOIN entry e ON e.key = 'tournament:' || p.tournament
            WHERE p.pool = ? AND p.seq > (SELECT coalesce(max(seq), 0) FROM entry WHERE key >= ? AND key < ?) LIMIT 1"""
        found: str | None = self._file.value(sql, pool, f"fit:{pool}:", f"fit:{pool};")
        return found

    def last_matches(self, pool: str) -> dict[str, str]:
        """Return when every bot of a pool last played, found through its last rating change without a search."""
        # CROSS JOIN keeps SQLite to this order: the other way round it would read every rating there ever was.
        sql = """SELECT s.bot, m.stored_at FROM standing s
            CROSS JOIN rating_change c ON c.pool = s.pool AND c.bot = s.bot AND c.seq = s.last_seq
            CROSS JOIN match m ON m.id = c.match_id WHERE s.pool = ?"""
        return dict(self._file.rows(sql, pool))

    def accounts(self, pool: str) -> list[Account]:
        """Return the accounts of a pool, highest running Elo first."""
        with self._file.reading() as connection:
            return queries.standing(connection, pool)

    def accounts_of(self, bot: str) -> list[Account]:
        """Return the accounts of a bot version in all pools, by pool."""
        with self._file.reading() as connection:
            return queries.accounts_of(connection, bot)

    def history(self, pool: str, bot: str, last: int) -> list[RatingChange]:
        """Return the last changes of a rating in order."""
        with self._file.reading() as connection:
            return queries.history(connection, pool, bot, last)
