"""Draws the rooms of the arena from their imports: `python -m tools.rooms`, or `make docs`.

The picture is in docs/explanation/architecture.md, between two markers, and a test compares it.
"""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
BEGIN, END = "<!-- rooms: make docs writes what follows -->\n", "<!-- rooms end here -->\n"


def layers() -> list[list[str]]:
    """Return the rooms from top to bottom, as the import contract orders them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (rooms,) = [each for each in contracts if each.get("containers") == ["arena"]]
    return [[room for room in layer.split(" | ") if room != "__main__"] for layer in rooms["layers"]][1:]


@cache
def imports() -> dict[str, set[str]]:
    """Return each room's imports of other rooms."""
    found: dict[str, set[str]] = {room: set() for layer in layers() for room in layer}
    for room, others in found.items():
        for module in (ROOT / "arena" / room).rglob("*.py"):
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.module:
                    names = [f"{node.module}.{alias.name}" for alias in node.names]
                others.update(name.split(".")[1] for name in names if name.startswith("arena."))
        others &= found.keys() - {room}
    return found


def about(room: str) -> str:
    """Return a room's description of itself."""
    text = ast.get_docstring(ast.parse((ROOT / "arena" / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def _reach(room: str) -> set[str]:
    return imports()[room].union(*(_reach(other) for other in imports()[room]))


def picture() -> str:
    """Return the picture: arrows without those implied by longer paths, and below it every import."""
    lines = ["```mermaid", "flowchart TD"]
    for layer in layers():
        lines += [f"  {room}[arena/{room}]" for room in layer]
    for layer in layers():
        for room in layer:
            others = imports()[room]
            drawn = [other for other in others if not any(other in _reach(third) for third in others - {other})]
            lines += [f"  {room} --> {other}" for other in sorted(drawn)]
    lines += ["```", "", "| Room | What it is | Imports |", "| --- | --- | --- |"]
    order = [room for layer in layers() for room in layer]
    for room in order:
        used = ", ".join(f"`{other}`" for other in order if other in imports()[room]) or "–"
        lines.append(f"| `{room}` | {about(room)} | {used} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    """Return the page with the picture as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    return text[: text.index(BEGIN) + len(BEGIN)] + "\n" + picture() + "\n" + text[text.index(END) :]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
