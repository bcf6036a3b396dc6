"""Long simulations in pieces: the result of every tournament is kept in a file, and the next run goes on from there."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

Numbers = Sequence[float]


class OutOfTimeError(Exception):
    """The time for this run is over; what is done is kept."""


class Pieces:
    """Results by name; without a file nothing is kept."""

    def __init__(self, path: Path | None = None, seconds: float | None = None) -> None:
        self.path = path
        self.until = None if seconds is None else process_time() + seconds
        self.done: dict[str, Numbers] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                name, values = json.loads(line)
                self.done[name] = values

    def get(self, name: str, work: Callable[[], Numbers]) -> Numbers:
        """Return the result of a name, worked out and kept if it is new; an OutOfTimeError if no time is left."""
        if name not in self.done:
            if self.until is not None and process_time() >= self.until:
                raise OutOfTimeError
            self.done[name] = work()
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps([name, list(self.done[name])])}\n")
        return self.done[name]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a simulation that runs in pieces."""
    parser.add_argument("--kept", type=Path, help="keep results of tournaments in this file, and go on from it")
    parser.add_argument("--seconds", type=float, help="stop after these seconds of CPU time; --kept goes on later")
