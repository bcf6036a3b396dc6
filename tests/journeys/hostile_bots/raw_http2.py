"""Attacks its referee with raw HTTP/2 in the background, from before its hello until it is ended, and plays meanwhile.

The target "attack" names the attack; every connection is left for a new one as soon as it is closed or has had enough.
"""

import itertools
import os
import socket
import threading
import time
from contextlib import suppress

from http2_attacks import ATTACKS, GREETING
from player import TARGETS, play

BATCHES = 20  # of one connection


def attack() -> None:
    while True:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
            connection.settimeout(2)
            connection.sendall(GREETING)
            for batch in itertools.islice(ATTACKS[TARGETS["attack"]](), BATCHES):
                connection.sendall(batch)
                connection.recv(1 << 16)
        print(f"attacked: {TARGETS['attack']}", flush=True)
        time.sleep(0.02)


threading.Thread(target=attack, daemon=True).start()
play()
