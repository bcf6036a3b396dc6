"""Who runs a tournament: one runner at a time, by a lease that a killed one loses within seconds."""

from __future__ import annotations

from arena.store.connection import Subject

LEASE_SECONDS = 5.0
"""How long a lease lasts unless renewed."""


class LeaseStore(Subject):
    """Leases on tournaments; times are seconds of the machine's clock."""

    def holder(self, tournament: str, now: float) -> str | None:
        """Return the runner of a tournament; None without one, or once its lease has expired."""
        holder: str | None = self._file.value(
            "SELECT holder FROM lease WHERE tournament = ? AND until > ?", tournament, now
        )
        return holder

    def take(self, tournament: str, holder: str, now: float, *, instead_of: str | None = None) -> bool:
        """Take a lease or renew it; False if another runner has it, except the one being replaced."""
        with self._file.write():
            if self.holder(tournament, now) not in (None, holder, instead_of):
                return False
            self._file.run("INSERT OR REPLACE INTO lease VALUES (?,?,?)", tournament, holder, now + LEASE_SECONDS)
            return True

    def end(self, tournament: str, holder: str) -> None:
        """Give up a lease, if it is still held."""
        self._file.run("DELETE FROM lease WHERE tournament = ? AND holder = ?", tournament, holder)
