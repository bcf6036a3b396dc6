"""Reading our own Markdown: pages, code blocks, tables and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.stubs import ROOT

FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A code block: its language, the file it quotes if it names one, and its text."""

    language: str
    source: str | None
    code: str


def pages(*, with_rules: bool) -> list[Path]:
    """Return every page of the project, those under docs/rules only if asked for."""
    found = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        ROOT / "SECURITY.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    return [page for page in found if with_rules or page.parent.name != "rules"]


def blocks(page: Path) -> list[Block]:
    """Return the code blocks of a page."""
    made = []
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        language, _, source = fence["info"].strip().partition(" ")
        made.append(Block(language, source or None, fence["code"]))
    return made


def commands(page: Path) -> list[str]:
    """Return the lines of a page's console blocks."""
    return [line for block in blocks(page) if block.language == "console" for line in block.code.splitlines()]


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """Return the targets of a page's links that stay inside the project."""
    return [link["target"] for link in LINK.finditer(prose(page)) if "://" not in link["target"]]


def anchors(page: Path) -> set[str]:
    """Return the names under which a page's headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rows(page: Path, head: str) -> Iterator[list[str]]:
    """Yield the rows, without backticks, of every table of a page whose first column is headed so."""
    is_inside = False
    for line in prose(page).splitlines():
        cells = [cell.strip().replace("`", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            is_inside = False
        elif cells[0] == head:
            is_inside = True
        elif is_inside and set(cells[0]) != {"-"}:
            yield cells
