"""Ends itself as if somebody else had: to escape a game that it loses."""

import os
import signal
import time
from contextlib import suppress

from player import begin, play


def bomb(number: int) -> None:
    if number != 2:
        return
    begin()
    with suppress(PermissionError):
        os.kill(1, signal.SIGKILL)  # the first process of its namespace may not be killed, or does not hear it
    time.sleep(0.2)
    print("held: the sandbox stands", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


play(bomb)
