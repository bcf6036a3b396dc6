"""The common part of a server's tournaments and tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import trio

from arena.play.pool import OpenPool
from arena.sandbox.levels import SandboxPolicy
from arena.server.remote import RemoteBots
from arena.store.database import Store
from arena.store.rows import TournamentState


@dataclass(slots=True, eq=False, kw_only=True)
class Served:
    """Runs inside the server: started one at a time, resumed when the server restarts."""

    store: Store
    nursery: trio.Nursery
    remote: RemoteBots
    now: Callable[[], datetime]
    sandbox: SandboxPolicy
    open_pool: OpenPool
    _asking: trio.Lock = field(default_factory=trio.Lock, init=False)

    async def _note(self, name: str, state: TournamentState, reason: str, *, is_wanted: bool = False) -> None:
        """Store the state of a run, even while the server stops; in a thread, since it may wait for other writers."""
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(partial(self._store_state, name, state, reason, is_wanted=is_wanted))

    def _store_state(self, name: str, state: TournamentState, reason: str, *, is_wanted: bool) -> None:
        self.store.tournaments.set_state(name, state, reason, self.now().isoformat(timespec="seconds"))
        self.store.tournaments.set_wanted(name, is_wanted)
