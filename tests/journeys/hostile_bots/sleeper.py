"""Does nothing at all, forever."""

import time

from player import begin

begin()
time.sleep(100_000)
