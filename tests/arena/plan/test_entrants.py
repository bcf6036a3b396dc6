"""T10.3, T10.4: bots that join a tournament and leave it between two rounds."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.watching import Silent
from arena.plan.rounds import EntrantChange, History, remaining
from arena.plan.schedules import SCHEDULES
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.standings import swiss_order
from arena.plan.swiss import Entrant, PlayedGame, PlayedRound, PlayedTable, TableSizes, advance
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.local_time import local_now
from ratings.ledger import posting
from ratings.points.points import BYE_POINTS
from tests.arena.command_line import CommandLine, Outcome
from tests.arena.small_tournament import BOTS, ROOT, small_database

SETTINGS = TournamentSettings(
    seed=3, bots=("a", "b", "c", "d"), games=(GameSettings("toy", 1, {}, TableSizes(2, 2, 2)),), format="swiss",
    points_rounds=5, rating_rounds=2, top=None,
)  # fmt: skip


def play(history: History, *, is_rating: bool = False) -> None:
    """Draw a Swiss round; the first in the alphabet wins at every table."""
    scores = dict.fromkeys(SCHEDULES["swiss"].seeded(SETTINGS, history), 0)
    drawn = SCHEDULES["swiss"].draw(SETTINGS, history, scores)
    assert drawn is not None
    tables = tuple(
        PlayedTable(table.bots, tuple(PlayedGame(game, tuple(1 + (bot != min(table.bots)) for bot in table.bots))
                                      for game in range(2)))
        for table in drawn.tables
    )  # fmt: skip
    played = PlayedRound(tables, drawn.byes, is_rating=is_rating)
    history.rounds.append(played)
    history.scores.append(scores)
    history.entrants = advance(history.entrants, played, preferred=2)


def test_T10_3_for_missed_points_rounds_a_bot_has_the_bye_value_once_and_nothing_after() -> None:
    history = History.of(SETTINGS.bots)
    for _ in range(3):
        play(history)
    history.catch_up([EntrantChange(4, "late", is_entry=True)])
    late = history.entrants["late"]
    assert (late.score, late.byes) == (BYE_POINTS, 1)
    line = next(line for line in swiss_order(history.rounds, seed=3) if line.bot == "late")
    assert (line.points, line.rounds) == (BYE_POINTS, 3)


def test_T10_3_rating_rounds_are_not_missed() -> None:
    history = History.of(SETTINGS.bots)
    play(history)
    play(history, is_rating=True)
    play(history, is_rating=True)
    history.catch_up([EntrantChange(4, "late", is_entry=True)])
    assert (history.entrants["late"].score, history.entrants["late"].byes) == (BYE_POINTS, 1)
    assert all("late" not in played.absent for played in history.rounds)


def test_T10_3_a_bot_that_joins_counts_as_having_had_its_bye() -> None:
    """Five bots at tables of two: somebody sits out, and it is not the one that came late."""
    history = History.of(SETTINGS.bots)
    play(history)
    history.catch_up([EntrantChange(2, "late", is_entry=True)])
    for _ in range(4):
        play(history)
        assert "late" not in history.rounds[-1].byes


def test_T10_3_who_is_there_before_the_first_round_has_missed_nothing() -> None:
    history = History.of(SETTINGS.bots)
    history.catch_up([EntrantChange(1, "early", is_entry=True)])
    assert history.entrants["early"] == Entrant("early")


def test_T10_4_whoever_leaves_keeps_its_results_and_is_paired_no_more() -> None:
    history = History.of(SETTINGS.bots)
    play(history)
    before = swiss_order(history.rounds, seed=3)
    history.catch_up([EntrantChange(2, "a", is_entry=False)])
    assert swiss_order(history.rounds, seed=3) == before
    for _ in range(3):
        play(history)
        assert not any("a" in table.bots for table in history.rounds[-1].tables)
        assert "a" not in history.rounds[-1].byes
    assert [entrant.bot for entrant in remaining(history, 2)] == ["b", "c", "d"]


def test_T10_3_whoever_comes_back_has_the_bye_value_only_once() -> None:
    history = History.of(SETTINGS.bots)
    changes = [
        EntrantChange(2, "a", is_entry=False),
        EntrantChange(4, "a", is_entry=True),
        EntrantChange(5, "a", is_entry=False),
    ]
    for _ in range(3):
        history.catch_up(changes)
        play(history)
    won = history.entrants["a"].score
    history.catch_up(changes)
    assert history.entrants["a"].score == won + BYE_POINTS
    assert sum("a" in played.absent for played in history.rounds) == 1


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from("abcdefgh"), st.booleans()), max_size=8))
def test_T10_3_a_history_is_the_same_read_at_once_or_round_by_round(rows: list[tuple[int, str, bool]]) -> None:
    """What the runner knows, which reads round after round, is what the audit and the reports find afterwards."""
    changes = [EntrantChange(*row) for row in sorted(rows, key=lambda row: row[0])]
    history = History.of(SETTINGS.bots)
    for _ in range(5):
        history.catch_up(changes)
        if len(remaining(history, 2)) < 2:
            return
        play(history)
    history.catch_up(changes)
    again = History.of(SETTINGS.bots)
    bare = {at: replace(played, absent=()) for at, played in enumerate(history.rounds)}
    for at, played in enumerate(history.rounds):
        again.catch_up(changes)
        seated = {bot for table in played.tables for bot in table.bots}
        byes = tuple(bot for bot in played.byes if bot in again.entrants and bot not in seated)
        drawn = SCHEDULES["swiss"].draw(SETTINGS, again, {})
        assert drawn is not None
        assert [table.bots for table in drawn.tables] == [table.bots for table in bare[at].tables]
        assert set(drawn.byes) <= set(byes)
        again.rounds.append(replace(played, byes=drawn.byes, absent=()))
        again.scores.append({})
        again.entrants = advance(again.entrants, again.rounds[-1], preferred=2)
    again.catch_up(changes)
    assert again.entrants == history.entrants
    assert again.rounds == history.rounds


class _Organiser(Silent):
    """Lets one bot join and another leave when the first round has closed, and the first come back after the third."""

    def __init__(self, command_line: CommandLine, folder: Path) -> None:
        self.command_line = command_line
        self.folder = folder
        self.said: list[Outcome] = []

    def closed(self, round_number: int, seconds: float) -> None:
        changes = {
            1: (("enter", "cup", "late"), ("withdraw", "cup", "bob")),
            3: (("enter", "cup", "late"), ("withdraw", "cup", "nobody"), ("enter", "cup", str(self.folder / "robin"))),
        }
        self.said += [self.command_line("tournament", *words, "--json") for words in changes.get(round_number, ())]


def test_T10_3_a_running_tournament_is_joined_and_left_and_the_audit_draws_it_again(
    command_line: CommandLine, tmp_path: Path
) -> None:
    late = tmp_path / "late"
    shutil.copytree(ROOT / "sample_bots" / "python", late, ignore=shutil.ignore_patterns("__pycache__"))
    (late / "bot.toml").write_text('name = "late"\ncommand = ["python3", "bot.py"]\nconcurrency = 64\n')
    plain = {
        "name": "cup", "game": "toy", "seed": 7, "rounds": 4, "rating_rounds": 1, "seats": 2, "max_seats": 2,
        "block": False, "bot": [{"path": str(ROOT / "sample_bots" / "python"), "name": name} for name in BOTS[:4]],
    }  # fmt: skip
    store = open_store(tmp_path / "arena.db", create=True)
    organiser = _Organiser(command_line, tmp_path)
    runner = Runner(parse_plan(plain, beside(tmp_path)), store, organiser, local_now)
    runner.enter()
    trio.run(runner.run)
    entered, withdrawn, again, unknown, missing = organiser.said
    label = entered.data["bot"]
    assert (entered.data["round"], withdrawn.data["round"]) == (2, 2)
    assert withdrawn.data["bot"].startswith("bob@")
    assert (again.code, again.err) == (2, f"arena: bot: {label} already plays in cup\n")
    assert (unknown.code, unknown.err) == (2, "arena: bot: 'nobody' does not play in cup\n")
    assert missing.code == 2
    seated = [{bot for table in each.tables for bot in table.seats} for each in store.tournaments.rounds("cup")]
    byes = [set(each.byes) for each in store.tournaments.rounds("cup")]
    assert [label in both for both in map(set.union, seated, byes)] == [False, True, True, True, True]
    assert [withdrawn.data["bot"] in both for both in map(set.union, seated, byes)] == [True] + [False] * 4
    store.close()
    standing = {line["bot"]: line for line in command_line("tournament", "standings", "cup", "--json").data}
    assert (standing[label]["rounds"], standing[withdrawn.data["bot"]]["rounds"]) == (4, 1)
    assert command_line("tournament", "list", "--json").data[0]["bots"] == 5
    (board,) = command_line("leaderboard", "--tournament", "cup", "--json").data["boards"]
    assert {label, withdrawn.data["bot"]} < {line["label"] for line in board["lines"]}
    assert command_line("tournament", "export", "cup", "--html", str(tmp_path / "site")).code == 0
    linked = re.findall(r'href="(bots/[^"]+)"', (tmp_path / "site" / "index.html").read_text(encoding="utf-8"))
    assert any("late" in page for page in linked)
    assert all((tmp_path / "site" / page).exists() for page in linked)
    assert command_line("ledger", "verify", "--json").data["findings"] == []
    finished = command_line("tournament", "enter", "cup", "late")
    assert (finished.code, finished.err) == (2, "arena: tournament: cup is finished\n")


def test_T10_4_an_entry_that_was_moved_is_found(command_line: CommandLine, tmp_path: Path) -> None:
    """A bot that joined before another round than its entry says would have been drawn otherwise."""
    store = open_store(small_database(tmp_path))
    with store.write() as connection:
        connection.execute("UPDATE tournament SET state = 'stopped'")
        posting.record_change(connection, "cup", 2, f"{BOTS[0]}@{'0' * 12}", is_entry=True)
    store.close()
    found = command_line("ledger", "verify", "--json")
    assert "pairing differs" in {finding["fault"] for finding in found.data["findings"]}
