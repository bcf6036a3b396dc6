"""Landlock: a program gives up files, networks and signals by itself, where bubblewrap cannot be used.

Run as a program (`python landlock.py ORDER COMMAND…`) it confines itself as the JSON order says and becomes the
command; it imports nothing of ours, so that it starts quickly.
"""

import ctypes
import json
import os
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
SET_NO_NEW_PRIVS, SET_SECCOMP, SECCOMP_FILTER = 38, 22, 2
LEAST_ABI = 6  # Linux 6.12: the first that also keeps signals and abstract sockets inside
EVERY_FILE_RIGHT = (1 << 16) - 1  # up to ioctl on devices
READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, read directories
OF_A_FILE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # execute, write, read, truncate, ioctl
EVERY_TCP_RIGHT = 0b11  # bind, connect
EVERY_SCOPE = 0b11  # abstract sockets, signals


def missing() -> str:
    """Say why Landlock cannot be used; an empty answer means that it can."""
    abi = ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < LEAST_ABI:
        return f"the kernel's Landlock is version {max(abi, 0)}; needs {LEAST_ABI} (Linux 6.12)"
    return ""


def confine(readable: list[str], writable: list[str], rules: bytes) -> None:
    """Give up everything but these files, and every system call that the filter refuses; for good."""
    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        result: int = libc.syscall(number, *arguments)
        if result < 0:
            raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
        return result

    handled = struct.pack("=QQQ", EVERY_FILE_RIGHT, EVERY_TCP_RIGHT, EVERY_SCOPE)
    ruleset = call(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    for paths, rights in ((readable, READ), (writable, EVERY_FILE_RIGHT)):
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


def main() -> None:
    """Confine this process as ordered and become the command."""
    order = json.loads(sys.argv[1])
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # a machine out of memory ends bots first
    if order["uid"] is not None:
        os.setgroups([])
        os.setresgid(order["uid"], order["uid"], order["uid"])
        os.setresuid(order["uid"], order["uid"], order["uid"])
    confine(order["readable"], order["writable"], bytes.fromhex(order["seccomp"]))
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
