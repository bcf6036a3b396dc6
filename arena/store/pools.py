"""Pools: one game under one version of its rules, and how far each has come."""

from __future__ import annotations

from collections.abc import Sequence

from arena.store.connection import Subject
from arena.store.rows import PoolExtent
from ratings.ledger import queries
from ratings.ledger.accounts import Account, RatingChange


class PoolStore(Subject):
    """Pools that have matches."""

    def names(self) -> list[str]:
        """Return the names of all pools that have matches."""
        return [name for (name,) in self._file.rows("SELECT pool FROM pool_total ORDER BY pool")]

    def of(self, tournaments: Sequence[str]) -> list[str]:
        """Return the pools that tournaments, or tests, have matches in."""
        marks = ",".join("?" * len(tournaments))
        rows = self._file.rows(
            f"SELECT DISTINCT pool FROM posted_match WHERE tournament IN ({marks}) ORDER BY pool", *tournaments
        )
        return [pool for (pool,) in rows]

    def extent(self, pool: str) -> PoolExtent:
        """Return how far a pool has come, whatever the size of the ledger."""
        (through,) = self._file.rows(
            """SELECT max((SELECT coalesce(max(seq), 0) FROM posted_match WHERE pool = ?),
                (SELECT coalesce(max(seq), 0) FROM entry
                WHERE key >= 'forfeit:' AND key < 'forfeit;' AND json_extract(payload, '$.pool') = ?))""",
            pool,
            pool,
        )[0]
        rows = self._file.rows("SELECT matches, voids FROM pool_total WHERE pool = ?", pool)
        matches, voids = rows[0] if rows else (0, 0)
        return PoolExtent(through, matches, voids)

    def last_matches(self, pool: str) -> dict[str, str]:
        """Return when every bot of a pool last played, found through its last rating and so without a search."""
        # CROSS JOIN keeps SQLite to this order: the other way round it would read every rating there ever was.
        return dict(
            self._file.rows(
                """SELECT s.bot, m.stored_at FROM standing s
                CROSS JOIN rating_change c ON c.pool = s.pool AND c.bot = s.bot AND c.seq = s.last_seq
                CROSS JOIN match m ON m.id = c.match_id WHERE s.pool = ?""",
                pool,
            )
        )

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
