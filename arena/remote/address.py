"""Addresses of servers, and who could listen on the way to them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.loopback import is_loopback


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is and how to talk to it."""

    address: str
    token: str = ""
    tls_ca: Path | None = None
    allow_plaintext: bool = False

    @property
    def is_local(self) -> bool:
        """Nobody outside this machine could listen."""
        return self.address.startswith("unix:") or is_loopback(self.address.rpartition(":")[0])
