"""Results of benchmarks as files, from which `make figures` writes the tables of docs/.

`arena bench NAME --results DIR` sets MEISTERSINGER_RESULTS, and every benchmark hands its tables to `save`.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from referee.native import RunsAs, running

VARIABLE = "MEISTERSINGER_RESULTS"
Value = str | int | float | None


@dataclass(frozen=True)
class Figures:
    """Measured figures: a number is a cell of its own, a text is shown as it is, None as nothing."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]


def save(name: str, tables: Mapping[str, Figures]) -> None:
    """Write the tables of a benchmark beside where and when they were measured, if results were asked for."""
    if folder := os.environ.get(VARIABLE):
        run = sys.modules["__main__"].__spec__
        module, arguments = run.name if run else Path(sys.argv[0]).stem, sys.argv[1:]
        is_plain = module.startswith("arena.bench.") and not arguments
        about = {
            "command": f"arena bench {name}" if is_plain else " ".join(("python -m", module, *arguments)),
            "source": "measured",
            "date": datetime.now(UTC).date().isoformat(),
            "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()},"
            f" rules {'compiled' if running() is RunsAs.COMPILED else 'from source'}",
            "load": f"load {os.getloadavg()[0]:.1f}",
        }
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{name}.json").write_text(as_text(about, tables), encoding="utf-8")


def as_text(about: Mapping[str, str], tables: Mapping[str, Figures]) -> str:
    """Return a result as JSON with one row per line, so that a change of one figure is a change of one line."""
    said = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()]
    held = ",\n".join(f"    {json.dumps(name)}: {_table_text(table)}" for name, table in tables.items())
    return "{\n" + ",\n".join((*said, f'  "tables": {{\n{held}\n  }}')) + "\n}\n"


def _table_text(table: Figures) -> str:
    rows = ",\n".join(f"        {json.dumps(list(row), ensure_ascii=False)}" for row in table.rows)
    columns = json.dumps(list(table.columns), ensure_ascii=False)
    return f'{{\n      "columns": {columns},\n      "rows": [\n{rows}\n      ]\n    }}'
