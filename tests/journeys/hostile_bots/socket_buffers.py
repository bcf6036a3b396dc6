"""Fills the buffers of sockets that nobody reads, in ever more processes."""

import os
import socket
import time

from player import TARGETS, begin, play

MAX_MB = TARGETS["max_mb"]
CHUNK = b"x" * 65_536
kept: list[tuple[socket.socket, socket.socket]] = []  # to the end


def fill() -> int:
    """Fill as many buffers as one process may have, and return the bytes."""
    taken = 0
    try:
        while taken < 200 << 20:
            pair = socket.socketpair()
            kept.append(pair)
            for end in pair:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
                end.setblocking(False)
                try:
                    while True:
                        taken += end.send(CHUNK)
                except BlockingIOError:
                    pass
    except OSError:
        pass
    return taken


def bomb(number: int) -> None:
    if number != 2:
        return
    begin()
    total = 0
    while total >> 20 < MAX_MB:
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.write(writing, str(fill()).encode())
            time.sleep(3_600)
        os.close(writing)
        total += int(os.read(reading, 100))
        os.close(reading)
        print(f"holding {total >> 20} MiB", flush=True)
    time.sleep(3_600)


play(bomb)
