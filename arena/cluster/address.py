"""Addresses of schedulers, refused where others could read or change the traffic."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from arena.sandbox.loopback import is_loopback
from referee.mistakes import UserError

if TYPE_CHECKING:
    from distributed import Security

ADDRESS = re.compile(r"(?:(?P<scheme>[a-z]+)://)?(?P<host>\[[0-9a-fA-F:]+\]|[A-Za-z0-9_.-]+):(?P<port>[0-9]{1,5})")
LARGEST_FILE = 1 << 20
CONNECT_SECONDS = 5.0
INSTALL = "pip install 'meistersinger[cluster]'"


def require_engine(option: str) -> None:
    """Raise a UserError that says how to install Dask, unless it is installed."""
    try:
        import distributed  # noqa: F401  # only to see whether it is installed
    except ImportError:
        raise UserError(f"{option}: needs the package distributed; install it with: {INSTALL}") from None


def scheduler_address(given: str, option: str) -> str:
    """Return the address of a scheduler, given directly or by its scheduler file.

    A UserError if it is not an address, or if others could read and change the traffic.
    """
    text = _from_file(Path(given), option) if _is_file(given) else given
    found = ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > 65_535:
        expected = "expected HOST:PORT, tls://HOST:PORT or a scheduler file"
        raise UserError(f"{option}: {given!r} is not the address of a scheduler; {expected}")
    scheme = found["scheme"] or "tcp"
    if scheme not in ("tcp", "tls"):
        raise UserError(f"{option}: {scheme}:// is not allowed; expected tls://, or tcp:// on this machine")
    if scheme == "tcp" and not is_loopback(found["host"]):
        advice = "expected tls://, with certificates in Dask's configuration"
        raise UserError(f"{option}: {text} is plain TCP beyond this machine, where others could run code; {advice}")
    if scheme == "tls":
        _check_certificates(option)
    return f"{scheme}://{found['host']}:{found['port']}"


def unreachable(address: str) -> str:
    """Return why a scheduler's address does not answer; empty if it does."""
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        return f"the scheduler cannot be reached: {address}: {error.strerror or error}"
    return ""


def security() -> Security:
    """Return the certificates in Dask's configuration."""
    from distributed import Security

    return Security()


def check_listen(address: str, host: str) -> None:
    """Refuse to let a worker listen where others could send it plain TCP."""
    if address.startswith("tcp://") and not is_loopback(host):
        raise UserError(f"listen: {host} can be reached by others, and {address} is plain TCP; expected tls://")


def _is_file(given: str) -> bool:
    try:
        return Path(given).is_file()
    except (OSError, ValueError):
        return False


def _from_file(file: Path, option: str) -> str:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ValueError
        return str(json.loads(file.read_bytes())["address"])
    except OSError as error:
        raise UserError(f"{option}: {file} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(f"{option}: {file} is not a file that a Dask scheduler has written") from None


def _check_certificates(option: str) -> None:
    try:
        arguments = security().get_connection_args("client")
    except OSError as error:
        raise UserError(f"{option}: a certificate of Dask's configuration cannot be read: {error}") from None
    if arguments.get("ssl_context") is None:
        keys = "distributed.comm.tls.ca-file and distributed.comm.tls.client"
        raise UserError(f"{option}: tls:// needs certificates; expected {keys} in Dask's configuration")
