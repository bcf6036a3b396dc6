"""Reads one byte of every 2 MiB of nothing: no memory of its own, but a page of the kernel's tables for each."""

import mmap
import os
import time

from player import TARGETS, begin, play

BLOCK = 1 << 30
A_TABLE = 2 << 20  # covered by one page of the tables
MAX_MB = TARGETS["max_mb"]
blocks: list[mmap.mmap] = []  # kept to the end


def held() -> int:
    """Return this process's page tables in MiB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmPTE:")) >> 10


def take(already: int) -> int:
    """Take as much as one process may; return how much all of them hold."""
    try:
        while already + held() < MAX_MB:
            blocks.append(mmap.mmap(-1, BLOCK, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ))
            for place in range(0, BLOCK, A_TABLE):
                _ = blocks[-1][place]
            print(f"holding {already + held()} MiB", flush=True)
    except OSError as error:
        print(f"held: page tables of one process at {held()} MiB: {error}", flush=True)
    return already + held()


def bomb(number: int) -> None:
    if number != 2:
        return
    begin()
    total = 0
    while True:
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.write(writing, str(take(total)).encode())
            time.sleep(3_600)
        total = int(os.read(reading, 100))
        if total >= MAX_MB:
            time.sleep(3_600)


play(bomb)
