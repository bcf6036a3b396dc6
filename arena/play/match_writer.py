"""The match writer: stores finished matches, all waiting ones in one durable transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import trio

from arena.play.pool import Pool
from arena.store.database import Store
from arena.store.rows import MatchToStore
from ratings.points.result import Fixture
from referee.order import Ending, MatchResult


class MatchWriter:
    """Stores matches as they arrive, in batches: a commit costs the disk the same for one match as for many."""

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
                await trio.to_thread.run_sync(self._store.matches.add_all, [each for each, _ in batch], now)
                for _, stored in batch:
                    stored.set()
        finally:
            self._is_writing = False


def match_to_store(
    pool: Pool, fixture: Fixture, attempt: int, game: str, result: MatchResult, printed: Mapping[int, str]
) -> MatchToStore:
    """Return a result with its provenance and the output of its bots."""
    shown = with_last_words(pool, fixture.seating, result, printed)
    provenance = pool.provenance_of(result.match_id)
    return MatchToStore(
        fixture, attempt, game, result, provenance.sandbox, tuple(sorted(shown.items())), provenance.worker,
        provenance.calibration, provenance.packed_record,
    )  # fmt: skip


def with_last_words(pool: Pool, bots: Sequence[str], result: MatchResult, printed: Mapping[int, str]) -> dict[int, str]:
    """Return the bots' output in a match; for failed bots, all their output."""
    shown = dict(printed)
    for seat, (bot, ending) in enumerate(zip(bots, result.seat_endings, strict=True)):
        if ending not in (Ending.COMPLETED, Ending.VOIDED):
            # All of it: the fault may have started before the match.
            shown[seat] = pool.output_of(bot) or shown.get(seat, "")
    return shown
