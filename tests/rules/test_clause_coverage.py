"""Every clause of a rule page is carried out or tested somewhere, and nobody cites a clause that is not there.

What carries out a clause, by the id that opens its docstring, is reached from the product and not from tests alone.

A page declares its clauses at the start of a line (`- **B5.12** …`, `**C7.2 Name.** …`, `- N5.2 …`) and its worked
examples likewise by a letter and a number (`W7`, `X2`, `E12`). The items of a numbered list under a clause or a section
are clauses too: the second item of N6.2 is N6.2.2. A section without clauses of its own counts as one clause. Code and
tests cite an id as it stands on the page, tests also in their names, with underscores; `N8.1 to N8.3` cites all three.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from referee.games import BUILT_IN
from tests.rules.reached import unreached

ROOT = Path(__file__).resolve().parents[2]
TOURNAMENTS = "tournaments"
# The letter of the clauses, and the letter of the worked examples.
LETTERS = {
    "carcassonne_city": "CX", "furstenfeld": "FW", "norenberc": "BE", "nuremberg": "NW", TOURNAMENTS: "TE",
}  # fmt: skip
PAGES = (*BUILT_IN, TOURNAMENTS)
DECLARED = r"^(?:- )?(?:\*\*)?([{letters}]\d+(?:\.\d+)*)\b"
HEADING = r"##+ (?:{letter}(\d+)\b|(\d+)\. )"


def page_of(game: str) -> list[str]:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8").splitlines()


def sections(game: str) -> set[str]:
    """Return the ids of the chapters: `## C7 …`, or `## 7. …` with the page's letter before it."""
    return {section for line in page_of(game) if (section := section_of(game, line)) is not None}


def section_of(game: str, line: str) -> str | None:
    letter = LETTERS[game][0]
    heading = re.match(HEADING.format(letter=letter), line)
    return None if heading is None else f"{letter}{heading.group(1) or heading.group(2)}"


def clauses(game: str) -> set[str]:
    """Return the ids of the clauses, examples and listed items that a page declares."""
    declared = re.compile(DECLARED.format(letters=LETTERS[game]))
    found: set[str] = set()
    owner = ""
    for line in page_of(game):
        if clause := declared.match(line):
            owner = clause.group(1)
            found.add(owner)
        elif line.startswith("#"):
            owner = section_of(game, line) or ""
        elif owner and re.match(r" *\d+\. ", line):
            # Short items share a line: "1. … negative. 2. Gold: …".
            items: list[str] = re.findall(r"(?:^ *|\. )(\d+)\. (?=\S)", line)
            found |= {f"{owner}.{item}" for item in items}
    return found


def required(game: str) -> set[str]:
    """Return what somebody has to cite: every clause, and every section that is a clause by itself.

    The steps listed inside a clause (C3.1.2) may be cited, but a test that cites the clause stands for them.
    """
    declared = {clause for clause in clauses(game) if clause.count(".") < 2}
    alone = {section for section in sections(game) if not any(clause.startswith(f"{section}.") for clause in declared)}
    holds_examples = {section for section in alone if _is_section_of_examples(game, section)}
    return declared | (alone - holds_examples)


def _is_section_of_examples(game: str, section: str) -> bool:
    example = re.compile(rf"^(?:- )?(?:\*\*)?{LETTERS[game][1]}\d+\b")
    inside = False
    for line in page_of(game):
        if line.startswith("## "):
            inside = line.startswith((f"## {section} ", f"## {section[1:]}. "))
        elif inside and example.match(line):
            return True
    return False


def sources(game: str) -> list[Path]:
    if game == TOURNAMENTS:
        folders = ("arena", "ratings", "referee", "benchmarks", "tests")
        files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
        # Games have pages of their own, and generated messages cite nothing.
        return sorted(f for f in files if not {"games", "rules", "v1"} & set(f.relative_to(ROOT).parts))
    rules = (ROOT / "referee" / "games" / game).glob("*.py")
    tests = (ROOT / "tests" / "rules" / game).glob("*.py")
    return sorted([*rules, *tests])


def cited(game: str, text: str) -> set[str]:
    """Return the ids that a source cites, test names and ranges included."""
    letters = LETTERS[game]
    text = re.sub(r"# noqa: [A-Z0-9, ]+", "", text)  # names of lint rules, which look like clauses
    found = set()
    for name in re.findall(r"\bdef (test_\w+)", text):
        for match in re.finditer(rf"(?<=_)([{letters}]\d+(?:_\d+)*)(?=_|$)", name):
            found.add(match.group(1).replace("_", "."))
    for match in re.finditer(rf"(?<![\w.:@-])([{letters}]\d+(?:\.\d+)*)(?!\.\d|\w|@|:\d)", text):
        found.add(match.group(1))
    for section, items in re.findall(rf"\b({letters[0]}\d+) (\d+(?:(?:, | and )\d+)*)\b", text):  # N11 4, 5 and 6
        found |= {f"{section}.{item}" for item in re.findall(r"\d+", items)}
    for first, last in re.findall(rf"\b([{letters}]\d+(?:\.\d+)*)(?: to | - |-|–)([{letters}]\d+(?:\.\d+)*)\b", text):
        stem, _, start = first.rpartition(".")
        other_stem, _, end = last.rpartition(".")
        if stem == other_stem and stem:
            found |= {f"{stem}.{number}" for number in range(int(start), int(end) + 1)}
        elif not stem and not other_stem and first[0] == last[0]:
            found |= {f"{first[0]}{number}" for number in range(int(first[1:]), int(last[1:]) + 1)}
    return found


def elsewhere(game: str) -> dict[str, str]:
    """Return the clauses that need neither code nor test, each with its reason."""
    file = ROOT / "tests" / "rules" / game / "clauses_elsewhere.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@pytest.mark.parametrize("game", PAGES)
def test_every_clause_is_cited_or_excused(game: str) -> None:
    found = {clause for source in sources(game) for clause in cited(game, source.read_text(encoding="utf-8"))}
    missing = sorted(required(game) - found - elsewhere(game).keys(), key=in_page_order)
    assert missing == [], f"{len(missing)} clauses of docs/rules/{game}.md are in no code and no test"


@pytest.mark.parametrize("game", PAGES)
def test_nobody_cites_a_clause_that_the_page_does_not_have(game: str) -> None:
    known = clauses(game) | sections(game)
    unknown = [
        f"{source.relative_to(ROOT)}: {clause}"
        for source in sources(game)
        for clause in sorted(cited(game, source.read_text(encoding="utf-8")) - known)
    ]
    assert unknown == []


@pytest.mark.parametrize("game", PAGES)
def test_an_excuse_has_a_reason_and_a_clause_and_is_needed(game: str) -> None:
    for clause, reason in elsewhere(game).items():
        assert isinstance(reason, str), clause
        assert len(reason.split()) >= 3, f"{clause} is excused without a reason"
    found = {clause for source in sources(game) for clause in cited(game, source.read_text(encoding="utf-8"))}
    assert sorted(elsewhere(game).keys() & found, key=in_page_order) == [], "excused, yet cited"
    assert sorted(elsewhere(game).keys() - required(game), key=in_page_order) == [], "excused, yet not on the page"


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_page_has_clauses_examples_and_sections(game: str) -> None:
    """The reading of the pages itself: were it to find nothing, the tests above would say nothing."""
    letter, example = tuple(LETTERS[game])
    declared = clauses(game)
    assert sum(clause.startswith(letter) for clause in declared) > 60
    assert sum(clause.startswith(example) for clause in declared) >= 12
    assert len(sections(game)) >= 14


def test_citations_are_read_from_names_text_and_ranges() -> None:
    source = '''
def test_N5_2_1_W7_a_market_workshop_buys_at_two_for_one() -> None:
    """N6.3: and as N8.1 to N8.3 say (W20–W22) and N11 4, 5 and 6, not L28, I:9 or N1X."""
    raise IllegalActionError("N5.4", "no")
'''
    assert cited("nuremberg", source) == {
        "N5.2.1", "W7", "N6.3", "N8.1", "N8.2", "N8.3", "W20", "W21", "W22", "N11", "N11.4", "N11.5", "N11.6", "N5.4",
    }  # fmt: skip


def product() -> dict[str, str]:
    """Return the source of every module that is no test and not generated, by its name."""
    folders = ("arena", "benchmarks", "lab", "ratings", "referee", "sample_bots")
    files = [file.relative_to(ROOT) for folder in folders for file in (ROOT / folder).rglob("*.py")]
    return {
        ".".join(file.with_suffix("").parts).removesuffix(".__init__"): (ROOT / file).read_text(encoding="utf-8")
        for file in files
        if "v1" not in file.parts
    }


@pytest.mark.long
def test_what_carries_out_a_clause_is_reached_from_the_product() -> None:
    assert unreached(product()) == [], "tested, and never run"


def test_a_function_that_only_tests_would_call_is_found() -> None:
    """Neither itself, a namesake in another module, nor a field of its name reaches it."""
    planted = '''
from dataclasses import dataclass

@dataclass
class Line:
    """T8: a line."""
    shown_error: str

    def los(self) -> float:
        """T8.8: a likelihood."""
        return self.los()

    def places(self) -> str:
        """T8.9: an interval."""

def shown_error(error: float) -> str:
    """T8.7: an error, rounded up."""
    return shown_error(error)

def shown_rating(rating: float) -> str:
    """T8.7: a rating."""

def unmarked() -> None:
    """Nobody calls this either, and it carries out no clause."""
'''
    user = """
from ratings import planted
from elsewhere import shown_error

def show(line: planted.Line) -> str:
    return line.shown_error + planted.shown_rating(1.0) + line.places()
"""
    assert unreached({"ratings.planted": planted, "arena.user": user}) == [
        "ratings.planted: Line.los", "ratings.planted: shown_error",
    ]  # fmt: skip
    assert unreached({"ratings.planted": planted, "arena.user": f"{user}\nplanted.shown_error(line.los())"}) == []


def in_page_order(clause: str) -> tuple[str, list[int]]:
    return clause[0], [int(part) for part in clause[1:].split(".")]
