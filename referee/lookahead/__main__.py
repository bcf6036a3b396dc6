"""The helper process: `python -m referee.lookahead --beside SOCKET -- COMMAND…`.

It execs the bot's command once a child serves the rules on the socket: the bot stays the process that is watched,
stopped and charged, and its helper ends with it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import NoReturn

SET_PARENT_DEATH_SIGNAL = 1
USAGE = "usage: python -m referee.lookahead --beside SOCKET -- COMMAND…"


def become(socket: str, command: list[str]) -> NoReturn:
    """Exec a command, once a child answers on the socket."""
    reading, writing = os.pipe()
    parent = os.getpid()
    if os.fork() == 0:
        os.close(reading)
        help_out(socket, parent, writing)
    os.close(writing)
    if os.read(reading, 1) != b".":
        sys.exit("arena: the look-ahead helper did not start")
    os.close(reading)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"arena: cannot start {command[0]}: {error.strerror}")


def help_out(socket: str, parent: int, writing: int) -> NoReturn:
    """Serve on the socket until the parent ends."""
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, and its end is ours
    if os.getppid() != parent:
        os._exit(1)
    # Only now: gRPC has threads, and a process with threads cannot be forked.
    from referee.lookahead.service import start

    try:
        server, _address = start(f"unix:{socket}")
    except RuntimeError as error:
        print(f"arena: the look-ahead helper cannot listen: {error}", file=sys.stderr)  # noqa: T201  # the bot's log
        os._exit(1)
    os.write(writing, b".")
    os.close(writing)
    server.wait_for_termination()
    os._exit(0)


def main(arguments: list[str]) -> NoReturn:
    """Parse the command line."""
    if len(arguments) < 4 or arguments[0] != "--beside" or arguments[2] != "--":
        sys.exit(USAGE)
    become(arguments[1], arguments[3:])


if __name__ == "__main__":
    main(sys.argv[1:])
