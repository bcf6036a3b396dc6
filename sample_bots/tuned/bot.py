"""A bot that plays every game by its heuristic with tuned weights, and trades.

With `--weights FILE` it takes those of a file that `arena tune` wrote; `--no-trades` proposes none. With
`--noise N` it slips in N of a hundred decisions: it takes any option, each with equal chance.
"""

from __future__ import annotations

import sys

# A bot runs in its own directory, so these are the files beside this one.
from choosing import chooser  # type: ignore[import-not-found]
from client import main  # type: ignore[import-not-found]

if __name__ == "__main__":
    main(chooser(sys.argv[1:]), concurrency=16)
