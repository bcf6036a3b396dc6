"""T13: a match made void counts nowhere from then on, and nothing is deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner, local_now
from arena.store.database import Store, open_store
from ratings import ledger
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import QUITTER, ROOT, small_database

WHY = "the host ran out of memory"


def first_match(folder: Path) -> Any:
    store = open_store(folder / "arena.db")
    try:
        # Whoever quits loses every game of its table, and points stay the same without one of them.
        matches = store.matches("cup", 1)
        return next(each for each in matches if not each.is_void and not any(QUITTER in bot for bot in each.seating))
    finally:
        store.close()


def test_T13_a_match_made_void_leaves_ratings_standings_and_reports(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    match = first_match(tmp_path)
    before = command_line("tournament", "standings", "cup", "--json").data
    changes = {
        seat["bot"]: seat["elo_change"] for seat in command_line("match", "show", match.id, "--json").data["seats"]
    }
    told = command_line("ledger", "void", match.id[:12], "--reason", WHY, "--who", "Hans", "--json")
    assert told.code == 0, told.err
    assert told.data["given_back"] == {bot: -change for bot, change in changes.items()}
    after = command_line("tournament", "standings", "cup", "--json").data
    points = [{line["bot"]: line["points"] for line in lines} for lines in (before, after)]
    played_in = set(match.seating)
    assert any(points[0][bot] != points[1][bot] for bot in played_in), "standings are computed anew"
    assert all(points[0][bot] == points[1][bot] for bot in points[0] if bot not in played_in)
    shown = command_line("match", "show", match.id).out
    assert f"void: {WHY}" in shown
    verified = command_line("ledger", "verify", "--replay", "--json").data
    assert verified["findings"] == [], "rounds drawn before it still follow from what counted then"
    assert command_line("ledger", "recompute").code == 0


def test_T13_voiding_twice_changes_nothing(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    match = first_match(tmp_path)
    first = command_line("ledger", "void", match.id, "--reason", WHY, "--json")
    head = command_line("ledger", "verify", "--json").data["head"]
    second = command_line("ledger", "void", match.id, "--reason", "another reason", "--json")
    assert second.data == first.data | {"was_void_already": True}
    assert command_line("ledger", "verify", "--json").data["head"] == head


class _Voids(Silent):
    """Makes the first match of the first round void as soon as that round has closed."""

    def __init__(self, store: Store, tournament: str) -> None:
        self.store = store
        self.tournament = tournament
        self.match = ""

    def closed(self, round_number: int, seconds: float) -> None:
        if round_number == 1:
            self.match = self.store.matches(self.tournament, 1)[0].id
            ledger.void_match(self.store.connection, self.match, WHY, "Hans")


def test_T13_rounds_drawn_after_a_void_leave_the_match_out_and_are_drawn_again_so(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = str(ROOT / "sample_bots" / "python")
    names = ("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal")
    plain = {
        "name": "cup", "game": "toy", "seed": 11, "rounds": 3, "rating_rounds": 0, "seats": 2, "block": False,
        "bot": [{"path": bot, "name": name} for name in names],
    }  # fmt: skip
    store = open_store(tmp_path / "arena.db", create=True)
    watcher = _Voids(store, "cup")
    runner = Runner(parse_plan(plain, beside(tmp_path)), store, watcher, local_now)
    runner.enter()
    trio.run(runner.run)
    store.close()
    assert watcher.match
    assert command_line("ledger", "verify", "--replay", "--json").data["findings"] == []
    # The draw did depend on it: an audit that knows of no voids draws another round.
    monkeypatch.setattr("arena.reports.audit._Tournament.make_void", lambda *_: None)
    findings = command_line("ledger", "verify", "--json").data["findings"]
    assert {finding["fault"] for finding in findings} == {"pairing differs"}


def test_T13_an_epoch_brings_ratings_to_their_clean_replay(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    refused = command_line("ledger", "epoch", "first", "--game", "toy", "--reason", WHY)
    assert refused.code == 2
    assert "differs from its clean replay by more than 5 Elo" in refused.err
    store = open_store(tmp_path / "arena.db")
    for match in store.matches("cup", 1):
        if not match.is_void:
            ledger.void_match(store.connection, match.id, WHY, "Hans")
    store.close()
    (report,) = command_line("ledger", "clean", "--json").data
    assert report["most_difference"] > 5
    assert "an epoch may be posted" in command_line("ledger", "clean").out
    posted = command_line("ledger", "epoch", "first", "--game", "toy", "--reason", WHY, "--json")
    assert posted.code == 0, posted.err
    (report,) = command_line("ledger", "clean", "--json").data
    assert report["most_difference"] == 0
    assert command_line("ledger", "verify", "--json").data["findings"] == []
    again = command_line("ledger", "epoch", "first", "--game", "toy", "--reason", WHY)
    assert (again.code, "was posted before" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("void", "ffff", "--reason", WHY), "match: 'ffff' is not in this database"),
        (("void", "{id}", "--reason", ""), "--reason: '' is not allowed; expected printable text"),
        (("void", "{id}", "--reason", "a\x1bb"), "expected printable text"),
        (("void", "{id}"), "Missing option '--reason'"),
        (("epoch", "first", "--game", "chess", "--reason", WHY), "--game: 'chess' has no matches here"),
    ],
)
def test_bad_orders_get_one_line_and_change_nothing(
    command_line: CommandLine, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    small_database(tmp_path)
    head = command_line("ledger", "verify", "--no-pairings", "--json").data["head"]
    outcome = command_line("ledger", *(word.format(id=first_match(tmp_path).id) for word in words))
    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err
    assert command_line("ledger", "verify", "--no-pairings", "--json").data["head"] == head
