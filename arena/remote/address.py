"""Server addresses, and whether others could eavesdrop on the way."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path


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
        return self.address.startswith("unix:") or is_loopback(self.address.rpartition(":")[0].strip("[]"))


def is_loopback(host: str) -> bool:
    """Tell whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
