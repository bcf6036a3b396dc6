"""The same answer on every channel: standings, summaries and void matches, everywhere."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from arena.cli.watching import Silent
from arena.plan.schedules.schedule import SWISS_ORDER
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.reports.closed_rounds import standings as page_standings
from arena.reports.columns import Column
from arena.reports.leaderboard import LEADERBOARD_COLUMNS, Line
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine, columns_of
from arena.reports.tournament import progress, rounds_planned
from arena.store.database import open_store, open_to_read
from arena.store.local_time import local_now
from arena.store.rows import TournamentState
from arena.web.pages.listing import ListQuery
from arena.web.pages.tournaments import live_part
from ratings.ledger.entry_bodies import RoundTable
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import small_database, small_plan
from tests.arena.web.browser import served
from tests.arena.web.fetching import get

WHY = "the host ran out of memory"


def test_T10_rating_rounds_make_no_points(command_line: CommandLine, tmp_path: Path) -> None:
    """Two rounds count for points and one for ratings alone: nobody has more than two."""
    small_database(tmp_path)
    shown = command_line("tournament", "show", "cup", "--json").data
    assert [each["kind"] for each in shown["rounds"]] == ["points", "points", "rating"]
    assert (shown["rounds_closed"], shown["points_rounds_closed"]) == (3, 2)
    lines = command_line("tournament", "standings", "cup", "--json").data
    assert max(line["rounds"] for line in lines) == 2
    assert max(line["points"] for line in lines) <= 2


def test_a_round_is_shown_with_the_ids_of_its_matches(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    shown = command_line("tournament", "show", "cup", "--round", "2").out
    assert shown.startswith("cup is finished: all rounds are played\n")
    ids = re.findall(r"^table \d game \d, match ([0-9a-f]{12}): ", shown, re.MULTILINE)
    matches = command_line("tournament", "show", "cup", "--round", "2", "--json").data["matches"]
    assert ids == [match["match"][:12] for match in matches]
    assert command_line("match", "show", ids[0]).code == 0
    beyond = command_line("tournament", "show", "cup", "--round", "4")
    assert (beyond.code, beyond.err) == (2, "arena: --round: round 4 of cup is not paired; expected 1 to 3\n")


def test_T11_every_door_tells_the_same_standings(command_line: CommandLine, tmp_path: Path) -> None:
    database = small_database(tmp_path)
    lines = command_line("tournament", "standings", "cup", "--json").data
    assert command_line("leaderboard", "--tournament", "cup", "--json").data["swiss_order"] == lines
    reader = Reader(database)
    page = page_standings(reader, reader.store.tournaments.find("cup"))
    assert [dataclasses.asdict(line) for line in page] == lines
    reader.close()
    told = [
        command_line(*words).out
        for words in (("tournament", "standings", "cup"), ("leaderboard", "--tournament", "cup"))
    ]
    assert told[1].endswith(told[0])


def test_T11_5_raw_scores_of_a_game_that_compares_them_are_shared_out(
    command_line: CommandLine, tmp_path: Path
) -> None:
    """The shares of a game add up to one, and so those of all bots to the number of games."""
    database = small_database(tmp_path)
    lines = command_line("tournament", "standings", "cup", "--json").data
    store = open_to_read(database)
    games = sum(not match.is_void for number in (1, 2) for match in store.matches.of("cup", number))
    store.close()
    assert sum(line["score_share"] for line in lines) == pytest.approx(games)
    assert any(line["score_share"] for line in lines)


@pytest.mark.parametrize(
    ("changes", "planned"),
    [
        ({"format": "round_robin", "seats": 2}, 7),
        ({"format": "gauntlet", "seats": 2, "challenger": "ann"}, 6),
        ({"rounds": 4, "rating_rounds": 3}, 7),
    ],
)
def test_T10_the_rounds_planned_are_those_of_the_schedule(
    tmp_path: Path, changes: dict[str, Any], planned: int
) -> None:
    """Seven bots two by two need seven rounds, whatever a Swiss tournament of seven would have had."""
    plain = {key: value for key, value in small_plan(tmp_path).items() if key not in ("rounds", "rating_rounds")}
    plan = parse_plan(plain | {"max_seats": changes.get("seats", 4)} | changes, beside(tmp_path))
    assert rounds_planned(plan.settings) == planned


def test_T10_a_knockout_whose_duels_are_shared_has_as_many_rounds_as_it_takes(
    command_line: CommandLine, tmp_path: Path
) -> None:
    """One duel of one block, and the second block of it is on: round 2 of 2, everywhere."""
    plain = {key: value for key, value in small_plan(tmp_path).items() if key not in ("rounds", "rating_rounds")}
    plain |= {"format": "knockout", "bot": plain["bot"][:2], "seats": 2, "max_seats": 2}
    store = open_store(tmp_path / "arena.db", create=True)
    plan = parse_plan(plain, beside(tmp_path))
    Runner(plan, store, Silent(), local_now).enter()
    table = RoundTable(1, tuple(bot.label for bot in plan.bots), (1, 2), 2)
    for number in (1, 2):
        store.tournaments.add_round(plan.name, number, "toy", False, [table])
    store.tournaments.set_state(plan.name, TournamentState.RUNNING, "", "2026-01-01T00:00:00+00:00")
    told = progress(store, store.tournaments.find(plan.name))
    store.close()
    assert told.sentence == "Round 2 of 2: 0 of 2 matches played."
    (row,) = command_line("tournament", "list", "--json").data
    assert row["rounds_planned"] == 2


def test_T11_a_knockout_says_that_its_order_is_its_own(command_line: CommandLine, tmp_path: Path) -> None:
    """Points and tie-breaks do not make it, and nobody claims that they do: not on a terminal, nor on a page."""
    plain = {key: value for key, value in small_plan(tmp_path).items() if key not in ("rounds", "rating_rounds")}
    plain |= {"format": "knockout", "bot": plain["bot"][:2], "seats": 2, "max_seats": 2}
    store = open_store(tmp_path / "arena.db", create=True)
    Runner(parse_plan(plain, beside(tmp_path)), store, Silent(), local_now).enter()
    store.close()
    told = command_line("tournament", "standings", plain["name"]).out
    assert told.startswith(f"{plain['name']}, knockout order\n")
    assert told.endswith("Ranked by round reached, whatever the points; equals by seed.\n")
    reader = Reader(tmp_path / "arena.db")
    page = live_part(reader, plain["name"], ListQuery())
    reader.close()
    assert [column.key for column in page["columns"]] == ["place", "bot", "points", "rounds"]
    assert page["order_words"].rule in told


def test_T13_a_void_match_is_marked_wherever_it_is_listed(command_line: CommandLine, tmp_path: Path) -> None:
    database = small_database(tmp_path)
    store = open_to_read(database)
    match = next(match for match in store.matches.of("cup", 1) if not match.is_void)
    store.close()
    name = match.seating[0].rpartition("@")[0]
    assert command_line("ledger", "void", match.id, "--reason", WHY).code == 0

    rows = command_line("tournament", "show", "cup", "--round", "1", "--json").data["matches"]
    assert {row["match"]: row["void_reason"] for row in rows if row["void_reason"]} == {match.id: WHY}
    assert f"void: {WHY}" in command_line("tournament", "show", "cup", "--round", "1").out
    (row,) = command_line("tournament", "show", "cup", "--json").data["corrected"]
    assert (row["match"], row["void_reason"]) == (match.id, WHY)
    where = f"round 1 table {match.table} game {match.game_number}, match {match.id[:12]}: "
    assert where in command_line("tournament", "show", "cup").out
    recent = command_line("bots", "show", name, "--last", "100", "--json").data["recent"]
    assert {row["match"]: row["void_reason"] for row in recent if row["void_reason"]} == {match.id: WHY}
    assert f"void: {WHY}" in command_line("bots", "show", name, "--last", "100").out
    assert command_line("match", "show", match.id, "--json").data["match"]["void_reason"] == WHY
    (row,) = command_line("tournament", "list", "--json").data
    assert row["void_matches"] == 1
    assert "(1 void)" in command_line("tournament", "list").out

    with served(database) as address:
        for path in (
            "/matches",
            "/tournaments/cup",
            "/tournaments/cup/rounds/1",
            f"/bots/{name}",
            f"/matches/{match.id}",
        ):
            status, text, _ = get(address + path)
            assert status == 200, path
            assert f"void: {WHY}" in text, path
        assert "1 void" in get(address + "/tournaments")[1]


def test_T13_15_a_struck_seat_is_marked_and_has_no_place_wherever_its_match_is_listed(
    command_line: CommandLine, tmp_path: Path
) -> None:
    database = small_database(tmp_path)
    out = ("bots", "disqualify", "ann", "--tournament", "cup", "--reason", "collusion")
    told = command_line(*out)
    assert "; its seat is struck from " in told.out
    store = open_to_read(database)
    match = next(match for match in store.matches.of("cup", 1) if match.strikes)
    store.close()
    (struck,) = [bot for bot in match.seating if bot.startswith("ann@")]
    note = f"{struck}, disqualified: collusion"
    rows = command_line("tournament", "show", "cup", "--round", "1", "--json").data["matches"]
    (row,) = [row for row in rows if row["match"] == match.id]
    assert row["strike_note"] == note
    assert {seat["bot"]: seat["place"] for seat in row["seats"]} == dict(
        zip(match.seating, match.shown_places, strict=True)
    )
    assert row["seats"][-1]["bot"] == struck, "after all that have a place"
    assert match.shown_places[match.seating.index(struck)] is None
    shown = command_line("match", "show", match.id)
    assert f"struck: {note}" in shown.out
    assert f"struck: {note}" in command_line("tournament", "show", "cup").out
    assert f"struck: {note}" in command_line("bots", "show", "ann", "--last", "100").out
    with served(database) as address:
        paths = ("/tournaments/cup", "/tournaments/cup/rounds/1", "/bots/ann", f"/matches/{match.id}")
        for path in paths:
            status, text, _ = get(address + path)
            assert status == 200, path
            assert f"struck: {note}" in text, path
        for path in ("/", "/tournaments/cup/cross-table", "/games/toy", "/bots/bob"):
            assert get(address + path)[0] == 200, path
        assert "None" not in get(address + "/tournaments/cup/cross-table")[1]


def test_standings_of_a_page_follow_a_match_made_void(command_line: CommandLine, tmp_path: Path) -> None:
    """No round has closed since, and still the points are others."""
    database = small_database(tmp_path)
    reader = Reader(database)
    stored = reader.store.tournaments.find("cup")
    before, match = page_standings(reader, stored), reader.store.matches.of("cup", 1)[0]
    assert command_line("ledger", "void", match.id, "--reason", WHY).code == 0
    after = page_standings(reader, stored)
    assert before != after
    assert [dataclasses.asdict(line) for line in after] == command_line("tournament", "standings", "cup", "--json").data
    assert reader.summaries()[0].void_matches == 1
    reader.close()


FULL = StandingLine(1, "a", 1.0, 1, 0.0, 0.0, 0.0, 0.0, 0.0, "it cheated", wins=1, draws=0, losses=0)


@pytest.mark.parametrize(
    ("columns", "kind"), [(LEADERBOARD_COLUMNS, Line), (columns_of(SWISS_ORDER, [FULL]), StandingLine)]
)
def test_every_column_shows_a_field_of_its_line(columns: tuple[Column[Any], ...], kind: type) -> None:
    fields = {field.name for field in dataclasses.fields(kind)}
    assert {column.key for column in columns} <= fields
    assert len({column.title for column in columns}) == len(columns)


def test_a_declared_column_reaches_terminal_csv_json_and_page(command_line: CommandLine, tmp_path: Path) -> None:
    """Nothing but the declaration says which columns there are."""
    database = small_database(tmp_path)
    told = command_line("leaderboard", "--game", "toy").out
    assert all(column.title in told for column in LEADERBOARD_COLUMNS)
    names = [field.name for field in dataclasses.fields(Line)]
    assert command_line("leaderboard", "--game", "toy", "--csv").out.splitlines()[0].split(",") == ["game", *names]
    (board,) = command_line("leaderboard", "--game", "toy", "--json").data["boards"]
    assert list(board["lines"][0]) == names
    with served(database) as address:
        page = get(address + "/games/toy")[1]
    assert all(f'data-key="{key}"' in page for key in ("rank", "rating", "elo", "matches", "mean_place", "win_share"))
