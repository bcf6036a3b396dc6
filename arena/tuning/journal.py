"""The journal of a tuning: one line per generation and per batch of a test, so that a killed one is resumed.

The optimiser is told again what the journal says, and so arrives where it was; what a torn line said is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.mistakes import UserError

JournalLine = dict[str, Any]


class Journal:
    """The lines of a tuning, in the order in which they were played."""

    def __init__(self, file: Path, terms: JournalLine) -> None:
        """Open a journal, or begin it; a UserError refuses one of another tuning."""
        self._file = file
        self._known = self._read(terms)
        self._out = file.open("a", encoding="utf-8")
        if not self._known:
            self._add({"terms": terms})
        self._replayed: Iterator[JournalLine] = iter(self._known[1:])
        self.cpu = sum(line.get("cpu", 0.0) for line in self._known)
        """Seconds that all matches so far took processors."""

    def _read(self, terms: JournalLine) -> list[JournalLine]:
        try:
            text = self._file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UserError(f"{self._file}: {error.strerror}") from None
        whole = text[: text.rfind(b"\n") + 1]
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
            before = lines[0]["terms"] if lines else terms
        except (ValueError, KeyError, TypeError):
            raise UserError(
                f"{self._file}: not the journal of a tuning; expected another file for the result, or no such file"
            ) from None
        if before != json.loads(json.dumps(terms)):
            named = next(
                key for key in {**before, **terms} if before.get(key) != json.loads(json.dumps(terms)).get(key)
            )
            raise UserError(
                f"{self._file}: belongs to a tuning with another {named}; expected the same command to resume it,"
                " another file for the result, or no such file"
            )
        if len(whole) < len(text):
            os.truncate(self._file, len(whole))
        return lines

    def next(self) -> JournalLine | None:
        """Return the next line that was played before; None once all were."""
        return next(self._replayed, None)

    def add(self, line: JournalLine) -> None:
        """Keep what was just played."""
        self._add(line)
        self.cpu += line["cpu"]

    def _add(self, line: JournalLine) -> None:
        self._out.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._out.flush()
        os.fsync(self._out.fileno())

    def close(self) -> None:
        """Close the file."""
        self._out.close()


def seed_in(file: Path) -> int | None:
    """Return the seed of a journal that was begun, so that a drawn one is found again; None without any."""
    try:
        with file.open(encoding="utf-8") as lines:
            seed = json.loads(lines.readline())["terms"]["seed"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return seed if isinstance(seed, int) else None
