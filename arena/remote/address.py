"""Server addresses, and whether others could eavesdrop on the way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.loopback import is_loopback


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server's address and how to connect to it."""

    address: str
    token: str = ""
    tls_ca: Path | None = None
    allow_plaintext: bool = False

    @property
    def is_local(self) -> bool:
        """Return whether nobody outside this machine could listen."""
        return self.address.startswith("unix:") or is_loopback(self.address.rpartition(":")[0])
