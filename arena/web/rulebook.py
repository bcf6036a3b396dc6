"""The rule pages on the site, with an anchor for every clause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from arena.reports.rules import CLAUSE, rule_pages
from referee.mistakes import NotFoundError

DECLARED = re.compile(rf"(<(?:li|p|td|h[1-6])>\s*(?:<p>\s*)?(?:<strong>)?)({CLAUSE})\b(?![.:@]\d)")
"""A clause is declared where a paragraph, item, cell or heading begins with its id."""


@dataclass(frozen=True, slots=True)
class RulePage:
    """A rule page: its HTML and its clause anchors."""

    title: str
    body: Markup
    clauses: frozenset[str]

    def anchor(self, clause: str) -> str:
        """Return the anchor of a clause or of its nearest parent; empty if there is none."""
        while clause and clause not in self.clauses:
            clause = clause.rpartition(".")[0]
        return clause


@cache
def rule_page(name: str) -> RulePage:
    """Return a rule page; a NotFoundError if there is none."""
    file = rule_pages().get(name)
    if file is None:
        raise NotFoundError(f"There are no rules for {name!r}.")
    text = file.read_text(encoding="utf-8")
    clauses: set[str] = set()

    def place(found: re.Match[str]) -> str:
        begin, clause = found[1], found[2]
        if clause in clauses:
            return found[0]
        clauses.add(clause)
        return f'{begin}<span id="{clause}">{clause}</span>'

    body = DECLARED.sub(place, MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    # Links between source files do not work on the site.
    body = re.sub(r'<a href="[^"]*">(.*?)</a>', r"\1", body)
    body = body.replace("<th></th>", "<td></td>")  # an empty cell is no heading
    body = body.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return RulePage(heading[1] if heading is not None else name, Markup(body), frozenset(clauses))
