"""The rooms of the arena: what each may hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import rooms

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    file
    for package in ("arena", "referee")
    for file in (ROOT / package).rglob("*.py")
    if file.parent.name not in ("v1", "bench") and ROOT / "arena" / "store" not in file.parents
)
STATEMENT = re.compile(
    r"\s*(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(TABLE|INDEX"
    r"|TRIGGER)\s|ALTER\s+TABLE\s|DROP\s+\w+\s|PRAGMA\s|BEGIN\b|SAVEPOINT\s)",
    re.DOTALL,
)
CALLS = {"execute", "executemany", "executescript"}


def sql_in(source: str) -> Iterator[str]:
    """Yield what in a module is SQL, or asks a database directly."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value):
            yield f"line {node.lineno}: {node.value.strip()[:40]!r}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
            yield f"line {node.lineno}: {node.func.attr}("


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(ROOT)))
def test_only_the_store_and_the_ledger_speak_sql(module: Path) -> None:
    """Every other module asks the store's methods, or the ledger's functions; benchmarks may look behind them."""
    assert list(sql_in(module.read_text(encoding="utf-8"))) == []


def test_the_search_for_sql_finds_it_in_the_store() -> None:
    """So that a test above which finds nothing has looked."""
    found = [module.name for module in (ROOT / "arena" / "store").glob("*.py") if list(sql_in(module.read_text()))]
    assert {"bots.py", "connection.py", "matches.py", "pools.py", "tokens.py", "views.py"} <= set(found)


def test_the_web_page_asks_reports_and_never_the_store() -> None:
    """It may hand the store on to a report; an import contract keeps it from opening one."""
    modules = (ROOT / "arena" / "web").rglob("*.py")
    found = [(module.name, line) for module in modules for line in module.read_text(encoding="utf-8").splitlines()]
    assert [each for each in found if ".store." in each[1] and not each[1].startswith("from arena.store.")] == []


def test_the_picture_of_the_rooms_is_the_one_that_the_imports_draw() -> None:
    """After a new import between rooms: run make docs."""
    assert rooms.PAGE.read_text(encoding="utf-8") == rooms.page()


def test_every_room_is_in_the_picture_and_imports_go_downwards() -> None:
    order = [room for layer in rooms.layers() for room in layer]
    folders = {file.parent.name for file in (ROOT / "arena").glob("*/__init__.py")}
    assert set(order) == folders
    for above, room in enumerate(order):
        assert not rooms.imports()[room] & set(order[: above + 1])
