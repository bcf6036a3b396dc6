"""arena match list: which matches it lists, and in which words."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.reports.scores import score_text
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import QUITTER, small_database


@pytest.fixture
def matches(command_line: CommandLine, tmp_path: Path) -> list[dict[str, Any]]:
    """All matches of the small tournament, the latest first."""
    small_database(tmp_path)
    listed = command_line("match", "list", "--last", "1000", "--json").data
    assert listed["count"] == len(listed["matches"]) > 5
    return list(listed["matches"])


def test_every_filter_leaves_exactly_the_matches_it_names(
    command_line: CommandLine, matches: list[dict[str, Any]]
) -> None:
    def listed(*words: str) -> list[object]:
        found = command_line("match", "list", "--last", "1000", "--json", *words).data
        assert found["count"] == len(found["matches"])
        return [each["match"] for each in found["matches"]]

    def names(match: dict[str, Any]) -> set[str]:
        return {seat["bot"].partition("@")[0] for seat in match["seats"]}

    def wanted(keeps: Callable[[dict[str, Any]], bool]) -> list[object]:
        kept = [match["match"] for match in matches if keeps(match)]
        assert 0 < len(kept) < len(matches), "the filter has something to leave out"
        return kept

    assert listed("--round", "1") == wanted(lambda match: match["round"] == 1)
    assert listed("--bot", "ann") == wanted(lambda match: "ann" in names(match))
    one, other = sorted(names(matches[0]))[:2]
    assert listed("--bot", one, "--bot", other) == wanted(lambda match: {one, other} <= names(match))
    assert listed("--forfeits") == wanted(lambda match: any(seat["fault"] for seat in match["seats"]))
    assert listed("--bot", QUITTER, "--round", "1") == wanted(
        lambda match: match["round"] == 1 and QUITTER in names(match)
    )
    label = next(seat["bot"] for seat in matches[0]["seats"])
    assert listed("--bot", label) == wanted(lambda match: label in {seat["bot"] for seat in match["seats"]})
    assert listed("--game", "toy", "--tournament", "cup") == [match["match"] for match in matches]


def test_the_latest_come_first_and_the_list_says_how_many_there_are(
    command_line: CommandLine, matches: list[dict[str, Any]]
) -> None:
    assert [match["stored_at"] for match in matches] == sorted(
        (str(match["stored_at"]) for match in matches), reverse=True
    )
    told = command_line("match", "list", "--last", "2").out
    assert f"The last 2 of {len(matches)}; --last N shows more." in told
    assert [line.split()[0] for line in told.splitlines()[2:4]] == [str(match["match"])[:12] for match in matches[:2]]


def test_csv_has_a_row_for_every_seat_in_order_of_the_places(
    command_line: CommandLine, matches: list[dict[str, Any]]
) -> None:
    rows = list(csv.DictReader(io.StringIO(command_line("match", "list", "--last", "1000", "--csv").out)))
    seats = [(match["match"], seat) for match in matches for seat in match["seats"]]
    assert len(rows) == len(seats)
    for row, (match, seat) in zip(rows, seats, strict=True):
        assert (row["match"], row["bot"], row["seat"]) == (match, seat["bot"], str(seat["seat"]))
        assert row["place"] == ("" if seat["place"] is None else str(seat["place"]))
    assert {row["seat"] for row in rows} >= {"0", "1", "2"}


def test_what_is_not_there_is_said_in_one_line(command_line: CommandLine, matches: list[dict[str, Any]]) -> None:
    assert matches
    for words, line in (
        (("--game", "norenberc"), "--game: no match of norenberc is in this database; expected one of: toy"),
        (("--bot", "anne"), "(did you mean 'ann'?)"),
        (("--tournament", "cap"), "(did you mean 'cup'?)"),
        (("--csv", "--json"), "--csv: expected one of --json and --csv"),
        (("--db", "none.db"), "none.db does not exist"),
    ):
        done = command_line("match", "list", *words)
        assert (done.code, done.out, line in done.err, done.err.count("\n")) == (2, "", True, 1), done.err
    assert command_line("match", "list", "--round", "77").out == "There are no such matches.\n"


def test_scores_are_told_in_the_words_of_the_game() -> None:
    assert score_text("norenberc", 60133) == "60133"
    assert score_text("furstenfeld", 60133) == "6 parts, 133 coins"
    assert score_text("a game of yesterday", 7) == "7"
    assert score_text("norenberc", None) == ""
