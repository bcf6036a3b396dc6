"""Prints without end while it plays."""

import os
import threading

from player import begin, play


def flood() -> None:
    while True:
        os.write(1, b"flood " * 10_000)


begin()
threading.Thread(target=flood, daemon=True).start()
play()
