"""Plays, but ends for no signal that can be ignored, nor when told goodbye."""

import signal
import time

from player import begin, play

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
begin()
play()
print("was told goodbye", flush=True)
while True:
    time.sleep(1_000)
