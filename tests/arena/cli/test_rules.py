"""arena rules and arena help: what one looks up by a word."""

from __future__ import annotations

import pytest

from arena.reports.rules import clause_text, clauses_of, rule_pages, rules_of
from arena.web.rulebook import rule_page
from referee.games import BUILT_IN
from tests.arena.command_line import CommandLine


def test_there_are_rules_of_every_game_of_ours_and_of_tournaments() -> None:
    assert set(rule_pages()) == {*BUILT_IN, "tournaments"}


@pytest.mark.parametrize("name", list(rule_pages()))
def test_clauses_are_those_of_the_site_and_each_begins_its_own_text(name: str) -> None:
    assert set(clauses_of(name)) == rule_page(name).clauses
    for clause in clauses_of(name):
        text = clause_text(name, clause)
        assert clause in text.splitlines()[0 if not text.startswith("|") else 2]
        assert text in rules_of(name) or text.startswith("|")


def test_a_clause_ends_where_the_next_begins_and_has_those_below_it() -> None:
    assert clause_text("norenberc", "B0.4") == (
        "- **B0.4** [ruling] The *box* is out of the game; nothing ever comes back from it."
    )
    assert clause_text("norenberc", "B2.1").endswith("| 5 | 1-6 | 20 | 7 | 56 / 38 |"), "its table belongs to it"
    chapter = clause_text("norenberc", "B0")
    assert chapter.startswith("## B0 Conventions")
    assert "**B0.9**" in chapter
    assert "B1 " not in chapter
    assert "T14.14" in clause_text("tournaments", "T14")


def test_a_clause_is_shown_in_either_case_and_a_page_whole(command_line: CommandLine) -> None:
    assert command_line("rules", "norenberc", "b0.4").out == clause_text("norenberc", "B0.4") + "\n"
    assert command_line("rules", "nuremberg").out == rules_of("nuremberg").rstrip("\n") + "\n"
    found = command_line("rules", "norenberc", "B0.4", "--json").data
    assert found == {"game": "norenberc", "clause": "B0.4", "text": clause_text("norenberc", "B0.4")}


def test_a_page_or_clause_that_is_not_there_is_said_in_one_line(command_line: CommandLine) -> None:
    for words, line in (
        (("whist",), "GAME: there are no rules of 'whist' here; expected one of: carcassonne_city, furstenfeld,"),
        (("norenberc", "B0.44"), "CLAUSE: norenberc has no 'B0.44'; expected one of B0.1, B0.2,"),
        (("norenberc", "Z9"), "CLAUSE: norenberc has no 'Z9'; expected B0 to B15"),
        (("../README",), "GAME: there are no rules of '../README' here"),
    ):
        done = command_line("rules", *words)
        assert (done.code, done.out, line in done.err, done.err.count("\n")) == (2, "", True, 1), done.err


def test_help_shows_what_the_option_shows(command_line: CommandLine) -> None:
    for words in ((), ("play",), ("tournament", "run"), ("help",)):
        assert command_line("help", *words).out == command_line(*words, "--help").out
    for words, line in (
        (("dance",), "No such command 'dance'"),
        (("match", "dance"), "No such command 'dance'"),
        (("play", "norenberc"), "COMMAND: arena play has no commands; expected nothing after it"),
    ):
        done = command_line("help", *words)
        assert (done.code, done.out, line in done.err, done.err.count("\n")) == (2, "", True, 1), done.err


def test_the_version_has_a_short_option(command_line: CommandLine) -> None:
    assert command_line("-V").out == command_line("--version").out != ""
