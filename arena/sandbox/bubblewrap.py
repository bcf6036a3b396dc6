"""Bubblewrap: a command in its own namespaces, seeing a read-only system, its bot's directory and one socket."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.sandbox import seccomp
from arena.sandbox.runtimes import SETTINGS, SYSTEM, python_view, read_too

BOT = "/bot"  # the bot's own directory
SOCKETS = "/referee"  # the directory of its referee's socket
INNER_UID = 1000  # of a bot run by the operator's own uid, inside its user namespace


def program() -> str:
    """Return the path of bubblewrap; empty if it is not installed."""
    return shutil.which("bwrap") or ""


def wrap(
    command: Sequence[str], uid: int | None, directory: Path, sockets: Path | None, scratch: str | None, tmp_mb: int
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return a command in a sandbox, with the open files that it must inherit.

    With a `uid` it is started by root and drops to that uid; without, the operator's own uid runs it in a user
    namespace.
    """
    inner = INNER_UID if uid is None else uid
    rules = _memory_file(seccomp.assemble(inet=True, own_session=True))
    people = _memory_file(f"root:x:0:0::/:/bin/false\nbot:x:{inner}:{inner}::/tmp:/bin/sh\n".encode())
    groups = _memory_file(f"root:x:0:\nbot:x:{inner}:\n".encode())
    options = [
        *_namespaces(uid),
        *_mounts(directory, sockets, scratch, tmp_mb),
        *("--file", str(people), "/etc/passwd", "--file", str(groups), "/etc/group"),
        # Otherwise a bot could write to the root and to /dev, which are unbounded file systems in memory.
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *("--seccomp", str(rules)),
    ]
    # In a file, because bots may read the command line of their first process, which would reveal our directories.
    arguments = _memory_file("".join(f"{option}\0" for option in options).encode())
    argv = (program(), "--args", str(arguments), "--", *_drop_to(uid), *command)
    return argv, (arguments, rules, people, groups)


def _mounts(directory: Path, sockets: Path | None, scratch: str | None, tmp_mb: int) -> Iterator[str]:
    """Yield the sandbox's mounts."""
    yield from ("--ro-bind", "/usr", "/usr")
    for path in map(Path, SYSTEM):
        yield from _same_place(path)
    for folder in ("/etc", "/etc/ssl"):
        yield from ("--perms", "0755", "--dir", folder)  # by default, bubblewrap makes such directories private to root
    for name in SETTINGS:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for place in ("/tmp", "/dev/shm", scratch):
        if place is not None:
            yield from ("--size", str(tmp_mb << 20), "--perms", "1777", "--tmpfs", place)
    seen = [*python_view().paths, *read_too()]
    for parent in sorted({parent for path in seen for parent in path.parents} - {Path("/")}):
        # The parents can be traversed but not listed: their contents are private. Python lists its import directories.
        yield from ("--perms", "0755" if parent in python_view().search else "0111", "--dir", str(parent))
    for path in seen:
        yield from _same_place(path)
    yield from ("--ro-bind", str(directory), BOT)
    if sockets is not None:
        yield from ("--ro-bind", str(sockets), SOCKETS)


def _same_place(path: Path) -> Iterator[str]:
    if path.is_symlink():
        yield from ("--symlink", os.readlink(path), str(path))
    elif path.exists():
        yield from ("--ro-bind", str(path), str(path))


def _namespaces(uid: int | None) -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--hostname", "bot", "--chdir", BOT, "--new-session", "--die-with-parent", "--cap-drop", "ALL")
    if uid is None:
        yield from ("--unshare-user", "--disable-userns", "--uid", str(INNER_UID), "--gid", str(INNER_UID))
    else:
        # Mounted by root, so that bots see an interpreter in root's home; then it drops to the bot's own uid.
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


def _drop_to(uid: int | None) -> tuple[str, ...]:
    if uid is None:
        return ()
    number = str(uid)
    return (
        "/usr/bin/setpriv", "--reuid", number, "--regid", number, "--clear-groups",
        "--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all",
    )  # fmt: skip


def _memory_file(content: bytes) -> int:
    descriptor = os.memfd_create("arena", os.MFD_CLOEXEC)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
