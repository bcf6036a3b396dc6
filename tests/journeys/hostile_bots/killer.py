"""Signals, traces and reads other processes: the arena, the referee, every process id."""

import ctypes
import os
import signal

from player import TARGETS, attempt, begin, play

libc = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: object) -> int:
    result: int = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


begin()
numbers = {pid for pid in TARGETS["processes"] if pid > 20}  # the lowest are our own, in here
for pid in sorted(numbers):
    attempt(f"signal {pid}", lambda pid=pid: os.kill(pid, signal.SIGKILL))
    attempt(f"stop the group of {pid}", lambda pid=pid: os.killpg(pid, signal.SIGSTOP))
    attempt(f"trace {pid}", lambda pid=pid: call(101, 16, pid, 0, 0))
    attempt(f"handle of {pid}", lambda pid=pid: os.pidfd_open(pid))
    attempt(f"slow down {pid}", lambda pid=pid: os.setpriority(os.PRIO_PROCESS, pid, 19))
# The referee and the other bots are among the next numbers; in here nobody has one of them. Signal 0 harms nobody.
reached = []
for pid in range(max(numbers), max(numbers) + 5_000):
    try:
        os.kill(pid, 0)
        reached.append(pid)
    except OSError:
        continue
print(f"BREACH: signalled {reached}" if reached else "held: signal later processes", flush=True)
attempt("trace its first process", lambda: call(101, 16, 1, 0, 0))
attempt("read its first process", lambda: call(310, 1, 0, 0, 0, 0, 0))
try:
    os.kill(1, signal.SIGKILL)  # ignored by the first process of a namespace, or refused
except PermissionError as error:
    print(f"held: kill its first process: {error}", flush=True)
try:
    os.kill(-1, signal.SIGKILL)  # everybody it may signal: nobody but itself is there
except OSError as error:
    print(f"held: kill everybody: {error}", flush=True)
play()
