"""The rule pages: normative texts, one per built-in game and one for tournaments, and their clauses."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from arena.bots.shipped import shipped_folder
from referee.mistakes import NotFoundError, UserError

CLAUSE = r"[A-Z]+\d+(?:\.\d+)*"
BEGINS = re.compile(rf"\s*(?:\*\*)?({CLAUSE})\b(?![.:@]\d)")
"""A clause is declared where a paragraph, item, cell or heading begins with its id."""


class Passage(NamedTuple):
    """A part of a page that ends one clause and may declare another."""

    line: int
    clause: str
    """Empty for a heading without one."""
    level: int
    """Of a heading, else 0."""
    end: int
    """The line after it if it is the row of a table, else 0."""
    head: tuple[int, int]
    """The lines of the head of its table."""


@cache
def rule_pages() -> dict[str, Path]:
    """Return the rule pages by name: the slug of a game, or `tournaments`."""
    folder = shipped_folder("docs/rules", "rules", "tournaments.md")
    return {} if folder is None else {file.stem: file for file in sorted(folder.glob("*.md"))}


def rules_of(name: str) -> str:
    """Return a rule page as Markdown; a UserError says which there are."""
    file = rule_pages().get(name)
    if file is None:
        raise UserError(f"GAME: there are no rules of {name!r} here; expected one of: {', '.join(rule_pages())}")
    return file.read_text(encoding="utf-8")


def clauses_of(name: str) -> tuple[str, ...]:
    """Return the clauses of a page, in its order."""
    return tuple(dict.fromkeys(passage.clause for passage in _passages(rules_of(name)) if passage.clause))


def clause_text(name: str, clause: str) -> str:
    """Return the text of a clause with all clauses below it; a NotFoundError says which stand near it."""
    text = rules_of(name)
    lines, passages = text.splitlines(), _passages(text)
    at = next((number for number, passage in enumerate(passages) if passage.clause == clause), None)
    if at is None:
        raise NotFoundError(f"CLAUSE: {name} has no {clause!r}; expected {_near(clause, clauses_of(name))}")
    passage = passages[at]
    if passage.end:
        first, last = passage.head
        return "\n".join((*lines[first:last], *lines[passage.line : passage.end]))
    later = next((other.line for other in passages[at + 1 :] if _ends(passage, other)), len(lines))
    return "\n".join(lines[passage.line : later]).strip("\n")


def _ends(passage: Passage, other: Passage) -> bool:
    if other.level:
        return not passage.level or other.level <= passage.level
    return not passage.level and bool(other.clause) and not other.clause.startswith(f"{passage.clause}.")


def _near(clause: str, clauses: tuple[str, ...]) -> str:
    """Return what a mistyped clause may have meant: its sisters if there are any, else the chapters."""
    parent = clause.rpartition(".")[0]
    sisters = [each for each in clauses if parent and each.rpartition(".")[0] == parent]
    chapters = [each for each in clauses if "." not in each]
    found = sisters or chapters or list(clauses)
    return f"one of {', '.join(found)}" if len(found) <= 20 else f"{found[0]} to {found[-1]}"


@cache
def _passages(text: str) -> list[Passage]:
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)
    passages: list[Passage] = []
    seen: set[str] = set()
    level, row, head = 0, (0, 0), (0, 0)
    for before, token in zip([tokens[0], *tokens], tokens, strict=False):
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "table_open":
            head = _lines(token)[0], _lines(token)[0] + 2
        elif token.type == "tr_open":
            row = _lines(token)
        elif token.type == "inline":
            in_table = before.type in ("td_open", "th_open")
            found = BEGINS.match(token.content) if before.type != "th_open" else None
            clause = found[1] if found is not None and found[1] not in seen else ""
            seen.add(clause)
            is_heading = before.type == "heading_open"
            if clause or is_heading:
                line = row[0] if in_table else _lines(token)[0]
                place = (row[1], head) if in_table else (0, (0, 0))
                passages.append(Passage(line, clause, level if is_heading else 0, *place))
    return passages


def _lines(token: Token) -> tuple[int, int]:
    assert token.map is not None
    return token.map[0], token.map[1]
