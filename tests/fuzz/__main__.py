"""Fuzz every surface for a bounded time; what breaks a promise is kept in the corpus and ends with exit code 1.

python -m tests.fuzz [--seconds 120] [--seed 1] [--surface records-toy]
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from hashlib import sha256
from itertools import islice
from pathlib import Path

from referee.logs import configure_logs
from tests.fuzz.http2 import BrokenPromiseError
from tests.fuzz.surfaces import SURFACES, Surface

CORPUS = Path(__file__).parent / "corpus"


def fuzz(surface: Surface, seed: int, seconds: float) -> tuple[int, list[Path]]:
    """Try mutations on one surface until the time is over; return how many, and the files of what broke it."""
    tried = 0
    broken: list[Path] = []
    ends = time.monotonic() + seconds
    inputs = surface.inputs(seed)
    while time.monotonic() < ends and len(broken) < 5:
        batch = list(islice(inputs, surface.batch))
        tried += len(batch)
        try:
            surface.take(batch)
        except BrokenPromiseError as error:
            traceback.print_exc()
            broken.append(keep(surface, error.item))
        except Exception:
            traceback.print_exc()
            broken += [keep(surface, item) for item in batch if surface.batch == 1 or breaks(surface, item)]
    return tried, broken


def breaks(surface: Surface, item: bytes) -> bool:
    """Return whether one alone is to blame."""
    try:
        surface.take([item])
    except Exception:
        return True
    return False


def keep(surface: Surface, item: bytes) -> Path:
    """Put what broke a promise into the corpus, which every run of the tests tries."""
    file = CORPUS / surface.name / sha256(item).hexdigest()[:12]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(item)
    return file


def main() -> int:
    """Fuzz and print a line for each surface."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=120, help="in all, divided among the surfaces")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="drawn from the clock unless given")
    parser.add_argument("--surface", choices=list(SURFACES), action="append", help="this one only; repeatable")
    arguments = parser.parse_args()
    configure_logs("critical", as_json=False)
    names = arguments.surface or list(SURFACES)
    print(f"seed {arguments.seed}")
    found: list[Path] = []
    for name in names:
        tried, broken = fuzz(SURFACES[name], arguments.seed, arguments.seconds / len(names))
        print(f"{name:28} {tried:8,} tried, {len(broken)} broke a promise", flush=True)
        found += broken
    for file in found:
        print(f"kept: {file}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
