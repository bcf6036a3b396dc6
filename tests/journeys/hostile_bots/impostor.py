"""Says hello with tickets that are not its own, and answers for everybody."""

import os

from player import attempt, begin, play

begin()
mine = os.environ["ARENA_TICKET"]
for ticket in ("0" * 32, "", mine[:-1], mine[::-1], mine.upper() + "0"):
    attempt(f"ticket {len(ticket)}", lambda ticket=ticket: play(ticket=ticket or " "))
play()
