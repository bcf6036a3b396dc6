"""Write the tables of figures in docs/ from benchmarks/results/: `python -m tools.figures`, or `make figures`.

A page names a table between two link definitions, which no reader sees:

    [//]: # (figures fitting/fits: make figures writes what follows)
    [//]: # (figures end here)
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from arena.bench.figures import Figures

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
RESULTS = ROOT / "benchmarks" / "results"
END = "[//]: # (figures end here)\n"
SECTION = re.compile(
    r"(?P<begin>^\[//\]: # \(figures (?P<file>\w+)/(?P<table>\w+): make figures writes what follows\)\n)"
    rf".*?(?P<end>^{re.escape(END)})",
    re.MULTILINE | re.DOTALL,
)


def page(text: str) -> str:
    """Return a page with every table of figures as the results have it."""
    return SECTION.sub(
        lambda found: f"{found['begin']}\n{section(found['file'], found['table'])}\n{found['end']}", text
    )


def section(file: str, table: str) -> str:
    """Return a table in Markdown, and where its figures come from."""
    result = json.loads((RESULTS / f"{file}.json").read_text(encoding="utf-8"))
    when = f"{'Measured on' if result['source'] == 'measured' else 'Imported from the docs of'} {result['date']}"
    where = f"{when}, by `{result['command']}`: {', '.join(filter(None, (result['machine'], result['load'])))}."
    return f"{Figures(**result['tables'][table])}\n\n{where}\n"


def main() -> None:
    """Write every page that has figures."""
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (fresh := page(text)) != text:
            path.write_text(fresh, encoding="utf-8")


if __name__ == "__main__":
    main()
