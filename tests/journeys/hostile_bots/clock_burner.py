"""Burns every processor in many processes while it plays, and while others think."""

import os

from player import begin, play

for _ in range(16):
    if os.fork() == 0:
        while True:
            pass
begin()
play()
