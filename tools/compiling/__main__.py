"""make fast: compile the rules and the referee, in place.

python -m tools.compiling [-O LEVEL] [-j JOBS] [--checked]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ["MEISTERSINGER_COMPILED"] = "0"  # compile from the source, running the source

from referee.native import HOME, ROOT
from tools.compiling.building import CompilingError, build


def say(line: str) -> None:
    """Print progress."""
    sys.stdout.write(f"fast: {line}\n")
    sys.stdout.flush()


def main() -> int:
    """Compile the changed modules."""
    parser = argparse.ArgumentParser(prog="python -m tools.compiling", description="Compile the rules and the referee.")
    parser.add_argument(
        "-O", dest="optimise", type=int, choices=range(4), default=3, help="the C compiler's optimisation level"
    )
    parser.add_argument(
        "-j", dest="jobs", type=int, default=len(os.sched_getaffinity(0)), help="libraries compiled in parallel"
    )
    parser.add_argument(
        "--checked", action="store_true", help="stop at a place outside a row and at a number that is too large"
    )
    arguments = parser.parse_args()
    try:
        work = Path(ROOT / "build" / "fast")
        build(ROOT, work, HOME, say=say, optimise=arguments.optimise, jobs=arguments.jobs, checked=arguments.checked)
    except CompilingError as error:
        sys.stderr.write(f"fast: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
