"""Does nothing at all, forever."""

import time

time.sleep(100_000)
