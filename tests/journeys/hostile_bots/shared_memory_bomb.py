"""Takes shared memory, which no limit of a single process counts, in several processes."""

import mmap
import subprocess
import sys
import time

from player import begin, play


def bomb(number: int) -> None:
    if number == 2:
        begin()
        for _ in range(4):
            subprocess.Popen([sys.executable, __file__, "take"])
        time.sleep(3_600)


if "take" in sys.argv:
    block = mmap.mmap(-1, 400 << 20)
    for page in range(0, len(block), 4_096):
        block[page] = 1
    time.sleep(3_600)
else:
    play(bomb)
