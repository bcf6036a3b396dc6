"""Memory that the kernel holds for a bot and no limit of a process counts: page tables, socket buffers, empty files.

A control group counts all of it exactly. Without one the guard adds up what can be seen from outside, each socket at
what its buffer could hold: being full costs no more than being there.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass

AN_INODE = 1_280  # bytes of a file in memory, with its name
A_TCP_SOCKET = 4 << 20  # the most that a send buffer grows to by itself
SCRATCH = ("tmp", "dev/shm")


def told(path: str) -> bytes:
    """Return what the kernel tells in a file under /proc, in the fewest calls: a guard reads dozens, twice a second."""
    with open(path, "rb", buffering=0) as file:
        return file.read()


def buffer_size() -> int:
    """Return the bytes that a socket's send buffer may hold, which a sandboxed bot cannot raise."""
    with suppress(OSError, ValueError):
        return int(told("/proc/sys/net/core/wmem_default"))
    return 212_992


@dataclass(frozen=True, slots=True)
class Footprint:
    """What one process holds, in bytes."""

    resident: int = 0
    tables: int = 0


def footprint(pid: int) -> Footprint:
    """Return the resident memory and the page tables of a process; nothing of one that has ended."""
    found = {b"VmRSS": 0, b"VmPTE": 0}
    with suppress(OSError, IndexError, ValueError):
        for line in told(f"/proc/{pid}/status").splitlines():
            name, _, value = line.partition(b":")
            if name in found:
                found[name] = int(value.split()[0]) << 10
    return Footprint(found[b"VmRSS"], found[b"VmPTE"])


def sockets(pid: int) -> int:
    """Return how many bytes the sockets in the network of a process could hold, those that are in flight included.

    Nothing as long as it shares our own network: what is there is not the bot's.
    """
    total = 0
    with suppress(OSError, IndexError, ValueError):
        if os.stat(f"/proc/{pid}/ns/net").st_ino == os.stat("/proc/self/ns/net").st_ino:
            return 0
        for line in told(f"/proc/{pid}/net/sockstat").splitlines():
            words = line.split()
            if words[0] == b"sockets:":
                total += int(words[2]) * buffer_size()
            elif words[0] == b"TCP:":
                total += int(words[2]) * A_TCP_SOCKET
    return total


def files(pid: int) -> int:
    """Return how many bytes the kernel needs for the files in a process's scratch directories, what is in them aside.

    Nothing as long as they are our own, and where we may not look into those of a process in another namespace.
    """
    total = 0
    for folder in SCRATCH:
        with suppress(OSError):
            scratch = f"/proc/{pid}/root/{folder}"
            if os.stat(scratch).st_dev == os.stat(f"/{folder}").st_dev:
                continue
            seen = os.statvfs(scratch)
            total += (seen.f_files - seen.f_ffree) * AN_INODE
    return total


def kills() -> int:
    """Return how many processes this machine has killed for want of memory since it was started."""
    with suppress(OSError, ValueError):
        for line in told("/proc/vmstat").splitlines():
            if line.startswith(b"oom_kill "):
                return int(line.split()[1])
    return 0
