"""The judge's process: records on standard input, judgements on standard output, one per line.

In: {"record", "worlds", "effort"}. Out: the judgement, or {"error"}, which says why there is none.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

from arena.analysis.judge import judge
from arena.analysis.judgement import Worlds
from referee.mistakes import UserError

NICEST = 19
POLITE = 10


def answer(record: str, worlds: str, effort: int) -> str:
    """Judge one record and return the line to be written."""
    try:
        return judge(record, Worlds(worlds), effort).to_json()
    except UserError as error:
        return json.dumps({"error": str(error)})
    except Exception as broken:  # a forged record may cause any error; the next record follows
        return json.dumps({"error": f"the record cannot be judged: {broken!r}"})


def give_way() -> None:
    """Give everything else on this machine priority, matches above all."""
    os.nice(NICEST)
    with suppress(AttributeError, OSError):  # not every system has an idle scheduling class
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Judge until the input ends."""
    if sys.argv[1:] == ["--idle"]:
        give_way()
    if sys.argv[1:] == ["--polite"]:  # somebody waits for the judgement
        os.nice(POLITE)
    for line in sys.stdin:
        sys.stdout.write(answer(**json.loads(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
