"""What pages read: the database, and what was worked out from it while the file stays the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from arena.analysis.judgement import Judgement
from arena.reports.leaderboard import PoolBoard, RatingPool, board, pools, with_claims
from arena.store.database import Store, open_to_read
from arena.store.fits import PoolFit, read_fit
from arena.store.judgements import JudgementKey
from arena.store.local_time import local_now
from arena.store.rows import PoolExtent

T = TypeVar("T")

MAX_SETTLED = 128
MAX_SWINGS = 20_000
"""Matches of which it is remembered how far they turned."""


class Reader:
    """One connection that cannot write, shared by all pages; safe to use from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store: Store = open_to_read(path)
        self._lock = threading.RLock()
        self._version: Any = None
        self._kept: dict[Any, Any] = {}
        self._settled: OrderedDict[Any, tuple[Any, Any]] = OrderedDict()
        self._swings: dict[JudgementKey, float | None] = {}
        self._fits: dict[str, tuple[PoolExtent, PoolFit | None]] = {}

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def kept(self, key: object, work_out: Callable[[], T]) -> T:
        """Return what was worked out under this key since the file was last written to, or work it out now."""
        with self._lock:
            version = self.store.data_version()
            if version != self._version:
                self._version = version
                self._kept.clear()
            if key not in self._kept:
                self._kept[key] = work_out()
            found: T = self._kept[key]
            return found

    def settled(self, key: object, token: object, work_out: Callable[[], T]) -> T:
        """Return what was worked out under this key while the token is the same, whatever else was written since.

        For what is dear and changes seldom, such as standings, which change when a round closes.
        """
        with self._lock:
            if self._settled.get(key, (None, None))[0] != token:
                self._settled[key] = (token, work_out())
                while len(self._settled) > MAX_SETTLED:
                    self._settled.popitem(last=False)
            self._settled.move_to_end(key)
            found: T = self._settled[key][1]
            return found

    def swing(self, key: JudgementKey) -> float | None:
        """Return how far a match turned by a judgement that is kept; None if that cannot be read."""
        with self._lock:
            if key not in self._swings:
                content = self.store.judgement(key)
                while len(self._swings) >= MAX_SWINGS:
                    self._swings.pop(next(iter(self._swings)))
                self._swings[key] = None if content is None else Judgement.from_json(content).swing
            return self._swings[key]

    def fit(self, pool: str) -> PoolFit | None:
        """T8: the fitted ratings of a pool, done anew only when a round has closed, and never written back."""
        with self._lock:
            extent = self.store.pool_extent(pool)
            kept = self._fits.get(pool)
            if kept is None or kept[0] != extent:
                kept = self._fits[pool] = (extent, read_fit(self.store, None, pool))
            return kept[1]

    def pools(self) -> list[RatingPool]:
        """Return all pools that have matches."""
        return self.kept("pools", lambda: pools(self.store))

    def board(self, pool: RatingPool, *, all_versions: bool = False) -> PoolBoard:
        """Return the leaderboard of a pool."""

        def work_out() -> PoolBoard:
            found = board(self.store, pool, self.fit(pool.name), local_now(), all_versions=all_versions)
            return with_claims(self.store, found)

        return self.kept(("board", pool.name, all_versions), work_out)
