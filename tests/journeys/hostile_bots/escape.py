"""Asks the kernel for what a sandbox must not give: namespaces, mounts, keys, tracing, hidden memory, more rights."""

import ctypes
import os
import platform
import resource
from pathlib import Path

from player import attempt, begin, play

libc = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1
CALLS = {
    "unshare": ((272, 97), (0x10000000,)), "mount": ((165, 40), (b"none", b"/tmp", b"tmpfs", 0, 0)),
    "chroot": ((161, 51), (b"/tmp",)), "pivot_root": ((155, 41), (b"/tmp", b"/tmp")), "setns": ((308, 268), (0, 0)),
    "bpf": ((321, 280), (0, 0, 0)), "perf": ((298, 241), (0, 0, -1, -1, 0)), "userfaultfd": ((323, 282), (0,)),
    "keyctl": ((250, 219), (0, -3, 0)), "add_key": ((248, 217), (b"user", b"a", b"b", 1, -2)),
    "io_uring": ((425, 425), (1, 0)), "memfd": ((319, 279), (b"x", 0)), "shmget": ((29, 194), (0, 1 << 20, 0o1600)),
    "clone into a user namespace": ((56, 220), (0x10000000 | 17, 0, 0, 0, 0)), "clone3": ((435, 435), (0, 0)),
    "fsopen": ((430, 430), (b"tmpfs", 0)), "new calls": ((457, 457), (0, 0, 0, 0)),
    "setuid": ((105, 146), (0,)), "setgroups": ((116, 159), (1, (ctypes.c_int * 1)(0))),
    "reboot": ((169, 142), (0, 0, 0, 0)),
}  # fmt: skip


def call(name: str) -> int:
    numbers, arguments = CALLS[name]
    result: int = libc.syscall(numbers[COLUMN], *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


begin()
for name in CALLS:
    attempt(name, lambda name=name: call(name))
for name in ("RLIMIT_NPROC", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CPU"):
    number = getattr(resource, name)
    hard = resource.getrlimit(number)[1]
    attempt(f"raise {name}", lambda number=number, hard=hard: resource.setrlimit(number, (hard + 1, hard + 1)))
attempt("device", lambda: os.mknod("/tmp/disk", 0o060666, os.makedev(8, 0)))
attempt("go first in the queue", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
attempt("go last to die", lambda: Path("/proc/self/oom_score_adj").write_text("-1000"))
play()
