"""Who runs a tournament: one runner at a time, by a lease that a killed one loses within seconds."""

from __future__ import annotations

from arena.store.connection import Subject

LEASE_SECONDS = 5.0
"""How long a lease lasts that nobody renews."""


class LeaseStore(Subject):
    """Leases on tournaments; times are seconds of the machine's clock."""

    def holder(self, tournament: str, now: float) -> str | None:
        """Return who runs a tournament; None if nobody does, or whoever did has not been heard of for long."""
        rows = self._file.rows("SELECT holder FROM lease WHERE tournament = ? AND until > ?", tournament, now)
        return rows[0][0] if rows else None

    def take(self, tournament: str, holder: str, now: float, *, instead_of: str | None = None) -> bool:
        """Take a lease or renew it; False if somebody else has it, other than the one whose place is taken."""
        with self._file.write() as connection:
            present = self.holder(tournament, now)
            if present not in (None, holder, instead_of):
                return False
            values = (tournament, holder, now + LEASE_SECONDS)
            connection.execute("INSERT OR REPLACE INTO lease (tournament, holder, until) VALUES (?,?,?)", values)
            return True

    def end(self, tournament: str, holder: str) -> None:
        """Give a lease up, if it is still one's own."""
        with self._file.write() as connection:
            connection.execute("DELETE FROM lease WHERE tournament = ? AND holder = ?", (tournament, holder))
