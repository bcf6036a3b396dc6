"""Pools: one game under one version of its rules, and how far each has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any

from arena.store.connection import StoreFile
from arena.store.rows import FitLine, KeptFit, PoolExtent
from ratings.ledger import posting, queries
from ratings.ledger.fit_record import FitRecord


class PoolRows(StoreFile):
    """What the store knows of pools and of the fits that were kept of them."""

    def pools(self) -> list[str]:
        """Return the names of all pools that have matches."""
        return [name for (name,) in self._rows("SELECT pool FROM pool_total ORDER BY pool")]

    def pools_of(self, tournaments: Sequence[str]) -> list[str]:
        """Return the pools that tournaments, or tests, have matches in."""
        marks = ",".join("?" * len(tournaments))
        rows = self._rows(
            f"SELECT DISTINCT pool FROM posted_match WHERE tournament IN ({marks}) ORDER BY pool", *tournaments
        )
        return [pool for (pool,) in rows]

    def pool_extent(self, pool: str) -> PoolExtent:
        """Return how far a pool has come, whatever the size of the ledger."""
        (through,) = self._rows(
            """SELECT max((SELECT coalesce(max(seq), 0) FROM posted_match WHERE pool = ?),
                (SELECT coalesce(max(seq), 0) FROM entry
                WHERE key >= 'forfeit:' AND key < 'forfeit;' AND json_extract(payload, '$.pool') = ?))""",
            pool,
            pool,
        )[0]
        rows = self._rows("SELECT matches, voids FROM pool_total WHERE pool = ?", pool)
        matches, voids = rows[0] if rows else (0, 0)
        return PoolExtent(through, matches, voids)

    def correction_total(self) -> int:
        """T13: return how many matches of all pools are void or forfeited since; it grows with every one."""
        return int(
            self._rows(
                """SELECT (SELECT coalesce(sum(voids), 0) FROM pool_total)
                    + (SELECT count(*) FROM entry WHERE key >= 'forfeit:' AND key < 'forfeit;')"""
            )[0][0]
        )

    def last_matches(self, pool: str) -> dict[str, str]:
        """Return when every bot of a pool last played, found through its last rating and so without a search."""
        # CROSS JOIN keeps SQLite to this order: the other way round it would read every rating there ever was.
        return dict(
            self._rows(
                """SELECT s.bot, m.stored_at FROM standing s
                CROSS JOIN rating_change c ON c.pool = s.pool AND c.bot = s.bot AND c.seq = s.last_seq
                CROSS JOIN match m ON m.id = c.match_id WHERE s.pool = ?""",
                pool,
            )
        )

    def kept_fit(self, pool: str) -> KeptFit | None:
        """Return the last fit of a pool that was kept, current or not; None too in a file older than such fits."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'fit_cache'"):
            return None
        rows = self._rows("SELECT * FROM fit_cache WHERE pool = ?", pool)
        return KeptFit(*rows[0]) if rows and len(rows[0]) == len(fields(KeptFit)) else None

    def kept_fits(self) -> list[str]:
        """Return the pools of which a fit is kept."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'fit_cache'"):
            return []
        return [pool for (pool,) in self._rows("SELECT pool FROM fit_cache ORDER BY pool")]

    def last_fit(self, pool: str) -> Mapping[str, Any] | None:
        """T13.7: return what the last FIT entry of a pool says, if it has one."""
        with self.reading() as connection:
            entry = queries.last_fit(connection, pool)
        return None if entry is None else entry.body

    def fit_history(self, pool: str, labels: Sequence[str], last: int) -> list[FitLine]:
        """T13.7: return what the last FIT entries of a pool say of some bots, in order."""
        rows = self._rows(
            f"""SELECT json_extract(e.payload, '$.through'), json_extract(line.value, '$[0]'),
                json_extract(line.value, '$[1]'), json_extract(line.value, '$[2]')
            FROM (SELECT seq, payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq DESC LIMIT ?) e,
                json_each(e.payload, '$.ratings') line
            WHERE json_extract(line.value, '$[0]') IN ({",".join("?" * len(labels))}) ORDER BY e.seq""",
            f"fit:{pool}:", f"fit:{pool};", last, *labels,
        )  # fmt: skip
        return [FitLine(*row) for row in rows]

    def enter_fit(self, pool: str, extent: PoolExtent, record: FitRecord, kept: KeptFit | None) -> bool:
        """T13.7: enter a fit in the ledger and keep it, together; False if the pool has changed since it was done."""
        with self.write() as connection:
            if self.pool_extent(pool) != extent:
                return False
            posting.record_fit(connection, pool, record)
            if kept is not None:
                self.keep_fit(kept)
            return True

    def keep_fit(self, fit: KeptFit) -> None:
        """Keep the fit of a pool in the place of the one before."""
        with self.write() as connection:
            connection.execute("INSERT OR REPLACE INTO fit_cache VALUES (?,?,?,?,?,?,?,?,?,?)", astuple(fit))

    def forget_fits(self) -> None:
        """Drop every fit that was kept; the next reader fits anew."""
        with self.write() as connection:
            connection.execute("DELETE FROM fit_cache")
