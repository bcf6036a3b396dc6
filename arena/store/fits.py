"""T13.7: the fits of pools: entries in the ledger, and a cache for readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from arena.store.connection import StoreFile, Subject
from arena.store.pools import PoolStore
from arena.store.rows import FitLine, KeptFit, PoolExtent
from ratings.ledger import posting, queries
from ratings.ledger.fit_record import FitRecord


def holds(last: Mapping[str, Any] | None, extent: PoolExtent) -> bool:
    """Return whether a FIT entry is over all matches of a pool, and no other."""
    if last is None or "matches" not in last:
        return False
    return last["through"] >= extent.through and (last["matches"], last["voids"]) == (extent.matches, extent.voids)


class FitStore(Subject):
    """Entered and cached fits."""

    def __init__(self, file: StoreFile) -> None:
        super().__init__(file)
        self._pools = PoolStore(file)

    def kept(self, pool: str) -> KeptFit | None:
        """Return the cached fit of a pool, current or not."""
        rows = self._file.rows("SELECT * FROM fit_cache WHERE pool = ?", pool)
        return KeptFit(*rows[0]) if rows else None

    def kept_pools(self) -> list[str]:
        """Return the pools with a cached fit."""
        return self._file.column("SELECT pool FROM fit_cache ORDER BY pool")

    def last(self, pool: str) -> Mapping[str, Any] | None:
        """T13.7: return the last FIT entry of a pool, if it has one."""
        with self._file.reading() as connection:
            entry = queries.last_fit(connection, pool)
        return None if entry is None else entry.body

    def history(self, pool: str, labels: Sequence[str], last: int) -> list[FitLine]:
        """T13.7: return some bots' lines in the last FIT entries of a pool, in order."""
        sql = f"""SELECT json_extract(e.payload, '$.through'), json_extract(line.value, '$[0]'),
                json_extract(line.value, '$[1]'), json_extract(line.value, '$[2]')
            FROM (SELECT seq, payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq DESC LIMIT ?) e,
                json_each(e.payload, '$.ratings') line
            WHERE json_extract(line.value, '$[0]') IN ({",".join("?" * len(labels))}) ORDER BY e.seq"""
        return [FitLine(*row) for row in self._file.rows(sql, f"fit:{pool}:", f"fit:{pool};", last, *labels)]

    def enter(self, pool: str, extent: PoolExtent, record: FitRecord, kept: KeptFit | None) -> bool:
        """T13.7: enter a fit in the ledger and keep it, together.

        False if the pool has changed since the fit, or another process has entered it.
        """
        with self._file.write() as connection:
            last = queries.last_fit(connection, pool)
            if self._pools.extent(pool) != extent or holds(None if last is None else last.body, extent):
                return False
            posting.record_fit(connection, pool, record)
            if kept is not None:
                self.keep(kept)
            return True

    def keep(self, fit: KeptFit) -> None:
        """Cache the fit of a pool, replacing the previous one."""
        self._file.run("INSERT OR REPLACE INTO fit_cache VALUES (?,?,?,?,?,?,?,?,?,?)", *astuple(fit))

    def forget(self) -> None:
        """Empty the cache; the next reader refits."""
        self._file.run("DELETE FROM fit_cache")
