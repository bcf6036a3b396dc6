"""Makes empty files, which take nothing of a disk's size but memory of the kernel."""

import os
import time

from player import TARGETS, begin, play

MOST = TARGETS["max_files"]


def bomb(number: int) -> None:
    if number != 2:
        return
    begin()
    for folder in ("/tmp", "/dev/shm"):
        for count in range(1, MOST + 1):
            try:
                os.close(os.open(f"{folder}/{count}", os.O_CREAT | os.O_WRONLY))
            except OSError as error:
                print(f"held: files in {folder}: {count} {error}", flush=True)
                break
            if count % 10_000 == 0:
                print(f"holding {count} files", flush=True)
        else:
            time.sleep(3_600)


play(bomb)
