"""Measured figures: printed tables and targets, and result files, from which `make figures` writes docs/.

`arena bench NAME --results DIR` sets MEISTERSINGER_RESULTS, and every benchmark hands its tables to `save`.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from referee.native import RunsAs, running

VARIABLE = "MEISTERSINGER_RESULTS"
UNTOLD_OPTIONS = ("--kept", "--seconds", "--results")
Value = str | int | float | None


@dataclass
class Figures:
    """A table of measured figures: numbers get their own cells, text is shown unchanged, None as an empty cell."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]] = ()

    def add(self, *row: Value) -> None:
        """Add a row and print it, the first one below the columns."""
        self.rows = (*self.rows, row)
        print(markdown_row(row) if len(self.rows) > 1 else self, flush=True)

    def __str__(self) -> str:
        return "\n".join(map(markdown_row, (self.columns, ("---",) * len(self.columns), *self.rows)))


@dataclass
class Targets:
    """The targets of a benchmark, each printed with its verdict; the exit code is 1 if one was missed."""

    missed: list[str] = field(default_factory=list)

    def check(self, said: str, is_met: bool | None = None) -> None:
        """Print a figure and whether it meets its target; None where it has none."""
        if is_met is False:
            self.missed.append(said)
        verdict = {True: "met     ", False: "MISSED  ", None: ""}[is_met]
        print(f"{verdict}{said}", flush=True)

    @property
    def exit_code(self) -> int:
        """Return 1 if a target was missed."""
        return int(bool(self.missed))


def markdown_row(cells: Sequence[Value]) -> str:
    """Return a line of a Markdown table, its numbers with separators."""
    shown = (f"{cell:,}" if isinstance(cell, int | float) else cell or "" for cell in cells)
    return f"| {' | '.join(shown)} |"


def save(name: str, tables: Mapping[str, Figures]) -> None:
    """Write a benchmark's tables with the place and time of measurement, if results were requested."""
    if folder := os.environ.get(VARIABLE):
        run = sys.modules["__main__"].__spec__
        module, arguments = run.name if run else Path(sys.argv[0]).stem, telling(sys.argv[1:])
        is_plain = module.startswith("arena.bench.") and not arguments
        bench = module.rpartition(".")[2]  # one benchmark may save under several names
        about = {
            "command": " ".join(("arena bench", bench) if is_plain else ("python -m", module, *arguments)),
            "source": "measured",
            "date": datetime.now(UTC).date().isoformat(),
            "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()},"
            f" rules {'compiled' if running() is RunsAs.COMPILED else 'from source'}",
            "load": f"load {os.getloadavg()[0]:.1f}",
        }
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{name}.json").write_text(as_text(about, tables), encoding="utf-8")


def telling(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without those that change no figure: they cut a run into pieces, or say where it is kept."""
    found = list(arguments)
    for option in UNTOLD_OPTIONS:
        if option in found:
            at = found.index(option)
            del found[at : at + 2]
    return found


def as_text(about: Mapping[str, str], tables: Mapping[str, Figures]) -> str:
    """Return a result as JSON with one row per line, so that a changed figure is one changed line."""
    said = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()]
    held = ",\n".join(f"    {json.dumps(name)}: {_table_text(table)}" for name, table in tables.items())
    return "{\n" + ",\n".join((*said, f'  "tables": {{\n{held}\n  }}')) + "\n}\n"


def _table_text(table: Figures) -> str:
    rows = ",\n".join(f"        {json.dumps(list(row), ensure_ascii=False)}" for row in table.rows)
    columns = json.dumps(list(table.columns), ensure_ascii=False)
    return f'{{\n      "columns": {columns},\n      "rows": [\n{rows}\n      ]\n    }}'
