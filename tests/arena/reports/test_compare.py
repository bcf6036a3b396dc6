"""T15 on the command line: two bots compared over what they have played together."""

from __future__ import annotations

import itertools
from decimal import Decimal
from pathlib import Path

from arena.plan.rounds import counted
from arena.reports.compare import compare_bots
from arena.store.database import open_to_read
from ratings.sequential.compare import compare
from ratings.sequential.evidence import block_by_seat
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import BOTS, small_database


def test_T15_1_all_complete_blocks_of_two_bots_are_used_and_tables_shown_apart(tmp_path: Path) -> None:
    """As worked out by hand from the matches of the tournament, round by round and table by table."""
    store = open_to_read(small_database(tmp_path))
    met = 0
    for a, b in itertools.combinations(BOTS, 2):
        report = compare_bots(store, a, b, (), Decimal("0.05"))
        wanted: dict[int, list[int]] = {}
        for played in store.tournaments.rounds("cup"):
            found = counted(store.matches.of("cup", played.number))
            for table in played.tables:
                seats = len(table.seats)
                places = [found[table.table, game].places for game in range(seats)]
                if {report.a, report.b} <= set(table.seats):
                    block = block_by_seat(table.seats, places)
                    wanted.setdefault(seats, []).append(block.difference(report.a, report.b))
        tables = [table for pair in report.pools for table in pair.tables]
        assert [(table.seats, list(table.differences)) for table in tables] == sorted(wanted.items())
        for shown in tables:
            same = compare(shown.differences, shown.seats)
            assert (shown.points_at_least, shown.points_at_most) == (
                same.interval.lower / 10_000,
                same.interval.upper / 10_000,
            )
            assert (shown.leader, shown.sure_percent) == (same.certainty.leader, same.certainty.sure / 10)
            assert shown.a_ahead + shown.level + shown.a_behind == shown.games == shown.seats * shown.blocks
            met += 1
    assert met > 5


def test_T19_1_the_other_way_round_the_signs_change(tmp_path: Path, command_line: CommandLine) -> None:
    small_database(tmp_path)
    rows = [
        (a, b, table)
        for a, b in itertools.combinations(BOTS, 2)
        for pool in command_line("compare", a, b, "--json").data["pools"]
        for table in pool["tables"]
    ]
    a, b, table = rows[0]
    (other,) = (
        each
        for pool in command_line("compare", b, a, "--json").data["pools"]
        for each in pool["tables"]
        if each["seats"] == table["seats"]
    )
    assert (other["a_ahead"], other["a_behind"]) == (table["a_behind"], table["a_ahead"])
    assert (other["points_at_least"], other["points_at_most"]) == (-table["points_at_most"], -table["points_at_least"])


def test_T14_11_the_line_is_the_same_in_words_and_in_json(tmp_path: Path, command_line: CommandLine) -> None:
    """With the look that its error holds for; the likelihood of superiority does not answer a second time."""
    small_database(tmp_path)
    looks = set()
    for a, b in itertools.combinations(BOTS, 2):
        shown = command_line("compare", a, b)
        assert shown.code == 0
        assert "LOS" not in shown.out
        for pool in command_line("compare", a, b, "--json").data["pools"]:
            for table in pool["tables"]:
                assert f"tables of {table['seats']}: {table['line']}\n" in shown.out
                assert table["line"].startswith("W-D-L " if table["seats"] == 2 else "pairs by places ")
                assert f"{table['a_ahead']}-{table['level']}-{table['a_behind']}, " in table["line"]
                assert table["line"].endswith(f", {table['games']} games: {table['verdict']}")
                assert not table["any_look"] or table["any_look"] + "\n" in shown.out
                assert "at all looks together" in shown.out
                looks.add("(95 %, one look)" in table["line"])
    assert True in looks


def test_bad_comparisons_are_refused_in_one_line(tmp_path: Path, command_line: CommandLine) -> None:
    small_database(tmp_path)
    for words, said in (
        (("ann", "ann"), "is given twice"),
        (("ann", "nobody"), "'nobody' is not in this database"),
        (("ann", "bob", "--alpha", "x"), "expected a rate between 0 and 1"),
        (("ann", "bob", "--game", "halma"), "has no rated match here"),
    ):
        refused = command_line("compare", *words)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert said in refused.err
