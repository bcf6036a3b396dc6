"""The warm process: referee and verifier loaded once, and forked on request, so that none of them imports anything.

Standard input is a Unix socket that keeps messages apart. In: {"program": "referee" or "verify", "arguments", "game"},
with two files: its standard input and its standard output. Out: {"pid"}, with a handle of the process
(a pidfd), or {"error"}. The end of the socket ends this process; forked processes live on.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

MAX_REQUEST = 1 << 16
FILES = 2

Program = Callable[[], None]


def serve(control: socket.socket) -> Program | None:
    """Fork until the socket ends; in a forked process, return its task."""
    while True:
        request, files, _flags, _address = socket.recv_fds(control, MAX_REQUEST, FILES)
        if not request:
            return None
        asked = json.loads(request)
        program = _loaded(asked["program"], asked["arguments"], asked["game"])
        gc.freeze()  # keep imports out of collections, so that their pages stay shared
        handles: list[int] = []
        try:
            pid = os.fork()
            if pid:
                handles.append(os.pidfd_open(pid))
        except OSError as error:
            answer: dict[str, object] = {"error": str(error)}
        else:
            if pid == 0:
                control.detach()  # its descriptor is standard input, which is replaced
                _move_in(asked["program"], files)
                return program
            answer = {"pid": pid}
        for file in files:
            os.close(file)
        socket.send_fds(control, [json.dumps(answer).encode()], handles)
        for handle in handles:
            os.close(handle)


def _loaded(program: str, arguments: list[str], game: str) -> Program:
    """Return a program with all its imports, including the rules and messages of a game.

    A verifier needs no server; a plug-in game is left to the processes that play it.
    """
    if program == "verify":
        from referee import verify

        return verify.main
    from referee import __main__ as referee
    from referee.games import BUILT_IN, GAMES
    from referee.wire import wire_for

    if game in BUILT_IN:
        wire_for(GAMES[game])
    return partial(referee.main, arguments)


def _move_in(program: str, files: list[int]) -> None:
    """Detach a forked process, as if it had been started."""
    gc.enable()
    os.setsid()  # Ctrl-C is for the arena, which ends its referees in order
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    with suppress(OSError):
        Path("/proc/self/comm").write_text(program)  # shown by ps and top


def main() -> None:
    """Serve, and in a forked process run its task."""
    gc.disable()  # GC is useless while importing
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reap children automatically
    program = serve(socket.socket(fileno=0))
    if program is not None:
        program()


if __name__ == "__main__":
    main()
