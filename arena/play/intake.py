"""The intake: finished matches go into the store, all that wait in one durable transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import trio

from arena.store.database import Store
from arena.store.rows import MatchToStore


class Intake:
    """Stores matches as they come in; a commit costs the disk the same for one as for all that came meanwhile."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self._waiting: list[tuple[MatchToStore, trio.Event]] = []
        self._is_writing = False

    async def add(self, match: MatchToStore) -> None:
        """Return once a match is stored for good."""
        is_stored = trio.Event()
        self._waiting.append((match, is_stored))
        if self._is_writing:
            await is_stored.wait()
            return
        self._is_writing = True
        try:
            await trio.lowlevel.checkpoint()  # games of one block that ended together are stored together
            while self._waiting:
                batch, self._waiting = self._waiting, []
                now = self._now().isoformat(timespec="seconds")
                await trio.to_thread.run_sync(self._store.add_matches, [each for each, _ in batch], now)
                for _, stored in batch:
                    stored.set()
        finally:
            self._is_writing = False
