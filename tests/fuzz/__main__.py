"""Fuzz every surface for a bounded time; what breaks a promise is kept in the corpus and ends with exit code 1.

python -m tests.fuzz [--seconds 120] [--seed 1] [--surface records-toy]
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path

import trio

from referee.logs import configure_logs
from tests.fuzz.http2 import BrokenPromiseError
from tests.fuzz.surfaces import SURFACES, Surface

CORPUS = Path(__file__).parent / "corpus"
TRIES_AGAIN = 3  # before lateness is put down to a busy machine


def fuzz(surface: Surface, seed: int, seconds: float, corpus: Path = CORPUS) -> tuple[int, list[Path]]:
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
        except Exception as error:
            traceback.print_exc()
            broken += [keep(surface, item, corpus) for item in blamed(surface, batch, error)]
    return tried, broken


def blamed(surface: Surface, batch: Sequence[bytes], error: Exception) -> Sequence[bytes]:
    """Return the inputs to blame; none for an answer that came too late once and in time whenever all was tried again.

    Its stacks are printed all the same: what hangs may depend on chance.
    """
    if is_slow(error) and not any(breaks(surface, batch) for _ in range(TRIES_AGAIN)):
        return ()
    if isinstance(error, BrokenPromiseError):
        return (error.item,)
    while len(batch) > 1:
        half = len(batch) // 2
        smaller = next((part for part in (batch[:half], batch[half:]) if breaks(surface, part)), None)
        if smaller is None:  # they break it together, or did so once
            break
        batch = smaller
    return batch


def is_slow(error: Exception) -> bool:
    """Return whether a busy machine alone may explain an error."""
    if isinstance(error, BrokenPromiseError):
        return error.is_slow
    return isinstance(error, TimeoutError | trio.TooSlowError)


def breaks(surface: Surface, items: Sequence[bytes]) -> bool:
    """Return whether some inputs break a promise when they are tried again."""
    try:
        surface.take(items)
    except Exception:
        return True
    return False


def keep(surface: Surface, item: bytes, corpus: Path) -> Path:
    """Put what broke a promise into the corpus, which every run of the tests tries."""
    file = corpus / surface.name / sha256(item).hexdigest()[:12]
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
