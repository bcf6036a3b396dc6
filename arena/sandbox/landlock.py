"""Landlock: a program drops its own access to files, networks and signals, where bubblewrap is not available.

Run as a program (`python landlock.py ORDER COMMAND…`) it confines itself as the JSON order says and execs the
command; it imports none of our modules, so that it starts quickly.
"""

import ctypes
import json
import os
import signal
import stat
import struct
import sys
from collections.abc import Iterator

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
SET_NO_NEW_PRIVS, SET_SECCOMP, SECCOMP_FILTER = 38, 22, 2
MIN_ABI = 6  # Linux 6.12: the first that also confines signals and abstract sockets
EVERY_FILE_RIGHT = (1 << 16) - 1  # up to ioctl on devices
READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, read directories
MAKE_SOCKETS = 1 << 9
OF_A_FILE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # execute, write, read, truncate, ioctl
EVERY_TCP_RIGHT = 0b11  # bind, connect
EVERY_SCOPE = 0b11  # abstract sockets, signals
SET_PARENT_DEATH_SIGNAL = 1
NEW_MOUNTS = 0x0002_0000  # CLONE_NEWNS
READ_ONLY, NO_SETUID, NO_DEVICES, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18


def missing() -> str:
    """Return why Landlock cannot be used; empty if it can."""
    abi = ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < MIN_ABI:
        return f"the kernel's Landlock is version {max(abi, 0)}; needs {MIN_ABI} (Linux 6.12)"
    return ""


def confine(readable: list[str], writable: list[str], listening: list[str], rules: bytes) -> None:
    """Permanently drop access to all but these files, and to every system call that the filter refuses.

    In the listening directories only sockets can be created.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        result: int = libc.syscall(number, *arguments)
        if result < 0:
            raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
        return result

    handled = struct.pack("=QQQ", EVERY_FILE_RIGHT, EVERY_TCP_RIGHT, EVERY_SCOPE)
    ruleset = call(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    for paths, rights in ((readable, READ), (writable, EVERY_FILE_RIGHT), (listening, MAKE_SOCKETS)):
        for path in paths:
            try:
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue  # not on this machine
            allowed = rights if os.path.isdir(path) else rights & OF_A_FILE
            call(ADD_RULE, ruleset, 1, struct.pack("=Qi", allowed, descriptor), 0)
            os.close(descriptor)
    if libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    code = ctypes.create_string_buffer(rules)
    program = struct.pack("@HP", len(rules) // 8, ctypes.addressof(code))
    if libc.prctl(SET_SECCOMP, SECCOMP_FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the system call filter was refused")


def open_up(paths: list[str]) -> None:
    """Let an unprivileged uid reach these paths, even below directories that are closed to it.

    Each such directory is covered, for this process and its children only, by an empty one that holds only the paths.
    """
    wanted = sorted({way for path in paths for way in (path, os.path.realpath(path)) if os.path.lexists(way)})
    closed = sorted({folder for path in wanted if (folder := _first_closed(path))})
    if not closed:
        return
    libc = ctypes.CDLL(None, use_errno=True)

    def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
        words = [word and os.fsencode(word) for word in (source, target, kind)]
        if libc.mount(*words, ctypes.c_ulong(flags), options and options.encode()) != 0:
            raise OSError(ctypes.get_errno(), f"mounting {target}: {os.strerror(ctypes.get_errno())}")

    if libc.unshare(NEW_MOUNTS) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise OSError(ctypes.get_errno(), f"bots may not enter {closed[0]}, and mounting is not allowed here: {reason}")
    mount("none", "/", None, RECURSIVE | PRIVATE)
    inside = [path for path in wanted if any(path.startswith(f"{folder}/") for folder in closed)]
    kept = {path: os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC) for path in inside}
    for folder in closed:
        mount("tmpfs", folder, "tmpfs", NO_SETUID | NO_DEVICES, "mode=711,size=1m")
    os.umask(0)
    shown: list[str] = []
    for path, descriptor in kept.items():  # parents come before children
        if any(path.startswith(f"{above}/") for above in shown):
            continue
        for parent in reversed([*_parents(path)]):
            if not os.path.isdir(parent):
                os.mkdir(parent, 0o711)
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink("", dir_fd=descriptor), path)
            continue
        if stat.S_ISDIR(mode):
            os.mkdir(path)
        else:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        mount(f"/proc/self/fd/{descriptor}", path, None, BIND | RECURSIVE)
        shown.append(path)
    for descriptor in kept.values():
        os.close(descriptor)
    for folder in closed:
        mount("none", folder, None, REMOUNT | BIND | READ_ONLY | NO_SETUID | NO_DEVICES)


def _first_closed(path: str) -> str:
    """Return the topmost directory above a path that is not world-searchable; empty if there is none."""
    return next((folder for folder in reversed([*_parents(path)]) if not os.stat(folder).st_mode & stat.S_IXOTH), "")


def _parents(path: str) -> Iterator[str]:
    while (path := os.path.dirname(path)) != "/":
        yield path


def main() -> None:
    """Confine this process as ordered and exec the command."""
    order = json.loads(sys.argv[1])
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # the OOM killer takes bots first
    if order["uid"] is not None:
        here = os.getcwd()
        open_up([*order["readable"], *order["writable"], *order["listening"]])
        os.chdir(here)
        os.setgroups([])
        os.setresgid(order["uid"], order["uid"], order["uid"])
        os.setresuid(order["uid"], order["uid"], order["uid"])
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)  # a change of uid resets it
    confine(order["readable"], order["writable"], order["listening"], bytes.fromhex(order["seccomp"]))
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
