"""Attacks its referee with raw HTTP/2 before its hello, and in the background while it plays.

The target "attack" names the attack; every connection is left for a new one as soon as it is refused or has had enough.
"""

import itertools
import os
import socket
import threading
import time
from contextlib import suppress

from http2_attacks import ATTACKS, GREETING
from player import TARGETS, play

SOCKET = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
BATCHES, ROUNDS = (30, 8) if TARGETS["attack"] == "hpack_bomb" else (2, 60)  # of one connection; before it plays
SECONDS = 1.5  # at least, before it plays


def attack() -> bool:
    """Attack on one connection; return whether there is anything left to connect to."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(0.05)
        try:
            connection.connect(SOCKET)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        with suppress(OSError):
            connection.sendall(GREETING)
            for batch in itertools.islice(ATTACKS[TARGETS["attack"]](), BATCHES):
                connection.sendall(batch)
                with suppress(TimeoutError):
                    connection.recv(1 << 16)
    return True


def attack_on() -> None:
    while attack():
        time.sleep(0.02)


began, rounds = time.monotonic(), 0
while attack() and (rounds < ROUNDS or time.monotonic() < began + SECONDS):
    rounds += 1
print(f"attacked: {TARGETS['attack']}", flush=True)
threading.Thread(target=attack_on, daemon=True).start()
play()
