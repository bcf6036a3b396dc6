"""make fast: compile the rules and the referee, in place.

python -m tools.compiling [-O LEVEL] [-j JOBS]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ["MEISTERSINGER_COMPILED"] = "0"  # what is compiled is made from the source, and by the source

from referee.native import HOME, ROOT
from tools.compiling.building import CompilingError, build


def say(line: str) -> None:
    """Show how far it is."""
    sys.stdout.write(f"fast: {line}\n")
    sys.stdout.flush()


def main() -> int:
    """Compile what has changed."""
    parser = argparse.ArgumentParser(prog="python -m tools.compiling", description="Compile the rules and the referee.")
    parser.add_argument("-O", dest="optimise", type=int, choices=range(4), default=3, help="as of the C compiler")
    parser.add_argument("-j", dest="jobs", type=int, default=len(os.sched_getaffinity(0)), help="libraries at once")
    arguments = parser.parse_args()
    try:
        work = Path(ROOT / "build" / "fast")
        build(ROOT, work, HOME, say=say, optimise=arguments.optimise, jobs=arguments.jobs)
    except CompilingError as error:
        sys.stderr.write(f"fast: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
