"""Tables of figures come from benchmarks/results/, and none is typed by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.bench.figures import VARIABLE, Figures, as_text, save
from tests.documents import pages
from tools.figures import DOCS, RESULTS, SECTION, page

FIGURE = re.compile(r"[*±+\-<>~ ]*\d")
NOT_MEASURED = {"Answer", "Change", "Lap", "Limit", "Table"}
"""First columns of tables whose numbers are exit codes, settings, limits or counts of the code."""


def results() -> list[Path]:
    return sorted(RESULTS.glob("*.json"))


def test_the_figures_are_fresh() -> None:
    """Run make figures."""
    stale = [path.name for path in DOCS.rglob("*.md") if page(text := path.read_text(encoding="utf-8")) != text]
    assert stale == []


@pytest.mark.parametrize("path", results(), ids=lambda path: path.stem)
def test_a_result_says_how_when_and_where_and_is_shown(path: Path) -> None:
    result = json.loads(path.read_text(encoding="utf-8"))
    about = {key: value for key, value in result.items() if key != "tables"}
    assert list(about) == ["command", "source", "date", "machine", "load"]
    assert re.fullmatch(r"measured|imported from the docs of \d{4}-\d\d-\d\d", result["source"])
    assert as_text(about, {name: Figures(**table) for name, table in result["tables"].items()}) == path.read_text(
        "utf-8"
    )
    named = {
        (found["file"], found["table"])
        for file in DOCS.rglob("*.md")
        for found in SECTION.finditer(file.read_text(encoding="utf-8"))
    }
    assert [table for table in result["tables"] if (path.stem, table) not in named] == []


def tables(text: str) -> list[list[list[str]]]:
    found = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in each.splitlines()] for each in found
    ]


def is_measured(table: list[list[str]]) -> bool:
    """Return whether a third of the cells beside the first column are figures."""
    cells = [cell for row in table[2:] for cell in row[1:] if cell]
    return table[0][0] not in NOT_MEASURED and 3 * sum(bool(FIGURE.match(cell)) for cell in cells) > len(cells)


def test_no_table_of_figures_is_typed_by_hand() -> None:
    typed = [
        f"{path.relative_to(DOCS)}: {' | '.join(table[0])}"
        for path in pages(with_rules=False)
        if path.is_relative_to(DOCS)
        for table in tables(SECTION.sub("", path.read_text(encoding="utf-8")))
        if is_measured(table)
    ]
    assert typed == []


def test_a_typed_table_is_found() -> None:
    text = "\n| Game | Decisions | Clone |\n| --- | --- | --- |\n| toy | 1,000 | ± 3 µs |\n"
    assert [is_measured(table) for table in tables(text)] == [True]
    assert [is_measured(table) for table in tables(text.replace("Game", "Limit"))] == [False]


def test_a_number_has_separators_and_nothing_is_an_empty_cell() -> None:
    lines = ["| Game | Decisions | Clone |", "| --- | --- | --- |", "| toy | 1,000 |  |"]
    assert str(Figures(["Game", "Decisions", "Clone"], [["toy", 1000, None]])).splitlines() == lines


def test_a_benchmark_writes_what_the_pages_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    save("toy", {"speed": Figures(["Game", "Decisions"], [["toy", 1]])})
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(VARIABLE, str(tmp_path / "new"))
    save("toy", {"speed": Figures(["Game", "Decisions"], [["toy", 1]])})
    result = json.loads((tmp_path / "new" / "toy.json").read_text(encoding="utf-8"))
    assert result["source"] == "measured"
    assert result["tables"] == {"speed": {"columns": ["Game", "Decisions"], "rows": [["toy", 1]]}}
