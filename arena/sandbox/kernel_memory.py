"""Kernel memory held for a bot that no process limit counts: page tables, socket buffers, empty files.

A control group counts all of it exactly. Without one the guard sums up what is visible from outside, each socket at
its maximum buffer size, whether full or not.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache

AN_INODE = 1_280  # bytes per in-memory file, including its name
A_TCP_SOCKET = 4 << 20  # the largest automatic size of a send buffer
SCRATCH = ("tmp", "dev/shm")


def told(path: str) -> bytes:
    """Return the contents of a file under /proc with the fewest system calls: guards read many, twice a second."""
    with open(path, "rb", buffering=0) as file:
        return file.read()


@cache
def buffer_size() -> int:
    """Return the largest send buffer of a socket, which a sandboxed bot cannot raise."""
    with suppress(OSError, ValueError):
        return int(told("/proc/sys/net/core/wmem_default"))
    return 212_992


def page_tables(pid: int) -> int:
    """Return the bytes of a process's page tables; zero if it has ended."""
    with suppress(OSError, IndexError, ValueError):
        for line in told(f"/proc/{pid}/status").splitlines():
            if line.startswith(b"VmPTE:"):
                return int(line.split()[1]) << 10
    return 0


@cache
def _own_network() -> int:
    return os.stat("/proc/self/ns/net").st_ino


@cache
def _own_device(folder: str) -> int:
    return os.stat(f"/{folder}").st_dev


def sockets(pid: int) -> int:
    """Return the maximum buffer bytes of all sockets in a process's network, including those in flight.

    Zero as long as it shares our own network: those sockets are not the bot's.
    """
    total = 0
    with suppress(OSError, IndexError, ValueError):
        if os.stat(f"/proc/{pid}/ns/net").st_ino == _own_network():
            return 0
        for line in told(f"/proc/{pid}/net/sockstat").splitlines():
            words = line.split()
            if words[0] == b"sockets:":
                total += int(words[2]) * buffer_size()
            elif words[0] == b"TCP:":
                total += int(words[2]) * A_TCP_SOCKET
    return total


def files(pid: int) -> int:
    """Return the kernel's overhead in bytes for the files in a process's scratch directories, without their contents.

    Zero as long as they are our own, or where we may not inspect those of another namespace.
    """
    total = 0
    for folder in SCRATCH:
        with suppress(OSError):
            scratch = f"/proc/{pid}/root/{folder}"
            if os.stat(scratch).st_dev == _own_device(folder):
                continue
            seen = os.statvfs(scratch)
            total += (seen.f_files - seen.f_ffree) * AN_INODE
    return total


def kills() -> int:
    """Return the number of OOM kills on this machine since boot."""
    with suppress(OSError, ValueError):
        for line in told("/proc/vmstat").splitlines():
            if line.startswith(b"oom_kill "):
                return int(line.split()[1])
    return 0
