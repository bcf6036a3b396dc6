"""Forks in every process until nothing more is given, and leaves the others running when it ends."""

import os
import subprocess
import sys
import time

from player import begin, play


def fork_everywhere() -> None:
    first, started = os.getpid(), 0
    try:
        while started < 2_000:
            started = 0 if os.fork() == 0 else started + 1
        print("BREACH: forks without end", flush=True)
    except OSError as error:
        if os.getpid() == first:
            print(f"held: forks stopped at {sum(map(str.isdigit, os.listdir('/proc')))}: {error}", flush=True)
    time.sleep(3_600)


def bomb(number: int) -> None:
    if number == 2:
        begin()
        # Another program, because the threads of gRPC do not survive a fork.
        forking = subprocess.Popen([sys.executable, __file__, "now"], stdout=subprocess.PIPE)
        assert forking.stdout is not None
        print(forking.stdout.readline().decode(), flush=True)
        os._exit(1)


if "now" in sys.argv:
    fork_everywhere()
else:
    play(bomb)
