"""Starts processes that cut every tie with it, and ends."""

import os
import signal
import subprocess
import sys
import time

from player import begin, play


def leave(number: int) -> None:
    if number == 2:
        begin()
        for _ in range(5):
            subprocess.run([sys.executable, __file__, "stay"], check=True)
        print("left children", flush=True)
        os._exit(0)


if "stay" in sys.argv:
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    time.sleep(3_600)
else:
    play(leave)
