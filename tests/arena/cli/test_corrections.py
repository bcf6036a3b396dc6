"""T13: a voided match counts nowhere from then on, and nothing is deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import Store, open_store
from arena.store.heads import heads_file, read_heads
from arena.store.local_time import local_now
from arena.store.rows import MatchToStore
from ratings.ledger import posting
from ratings.points.points import struck_places
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import QUITTER, ROOT, small_database

WHY = "the host ran out of memory"


def first_match(folder: Path) -> Any:
    store = open_store(folder / "arena.db")
    try:
        # A bot that quits loses every game of its table, and points stay the same without one of them.
        matches = store.matches.of("cup", 1)
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
    ((voided,), wanted) = told.data, {bot: -change for bot, change in changes.items()}
    assert (voided["match"], voided["given_back"]) == (match.id, wanted)
    after = command_line("tournament", "standings", "cup", "--json").data
    points = [{line["bot"]: line["points"] for line in lines} for lines in (before, after)]
    played_in = set(match.seating)
    assert any(points[0][bot] != points[1][bot] for bot in played_in), "standings are recomputed"
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
    assert second.data == [first.data[0] | {"was_void_already": True}]
    assert command_line("ledger", "verify", "--json").data["head"] == head


def test_T13_several_matches_are_made_void_together_or_none_is(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    store = open_store(tmp_path / "arena.db")
    ids = [match.id for match in store.matches.of("cup") if not match.is_void]
    store.close()
    head = command_line("ledger", "verify", "--no-pairings", "--json").data["head"]
    refused = command_line("ledger", "void", ids[0], "ffff", "--reason", WHY)
    assert (refused.code, "'ffff' is not in this database" in refused.err) == (2, True)
    assert command_line("ledger", "verify", "--no-pairings", "--json").data["head"] == head, "nothing was entered"
    told = command_line("ledger", "void", ids[0], ids[1][:12], ids[0], "--reason", WHY, "--json")
    assert [each["match"] for each in told.data] == ids[:2]
    shown = command_line("tournament", "show", "cup", "--round", "1").out
    assert shown.count(f"void: {WHY}") == 2
    assert command_line("ledger", "verify", "--json").data["findings"] == []


def test_T13_7_ratings_are_of_record_again_after_a_correction(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    match = first_match(tmp_path)
    heads = heads_file(tmp_path / "arena.db")
    published = heads.read_text().count("\n")
    assert command_line("ledger", "void", match.id, "--reason", WHY).code == 0
    (board,) = command_line("leaderboard", "--json").data["boards"]
    assert board["fit"]["is_of_record"]
    assert heads.read_text().count("\n") == published + 1


def points(command_line: CommandLine) -> dict[str, float]:
    return {line["bot"]: line["points"] for line in command_line("tournament", "standings", "cup", "--json").data}


@pytest.mark.parametrize("results", ["strike", "void", "forfeit"])
def test_T10_7_a_disqualified_bot_stands_last_and_nothing_counts_as_it_played_it(
    command_line: CommandLine, tmp_path: Path, results: str
) -> None:
    small_database(tmp_path)
    before = command_line("tournament", "standings", "cup", "--json").data
    leader = before[0]["bot"]
    name = leader.partition("@")[0]
    order = ("bots", "disqualify", name, "--tournament", "cup", "--reason", "two of one mind", "--who", "Hans")
    chosen = () if results == "strike" else ("--results", results)
    told = command_line(*order, *chosen, "--json")
    assert told.code == 0, told.err
    assert (told.data["bots"], told.data["results"]) == ([leader], results)
    after = command_line("tournament", "standings", "cup", "--json").data
    assert (after[-1]["bot"], after[-1]["place"], after[-1]["disqualified"]) == (leader, len(after), "two of one mind")
    assert [line["place"] for line in after] == [*range(1, len(after) + 1)]
    assert command_line("tournament", "standings", "cup").out.count("two of one mind") == 1
    store = open_store(tmp_path / "arena.db")
    played = [match for match in store.matches.of("cup") if leader in match.seating and match.places]
    store.close()
    assert len(played) == told.data["matches"] > 0
    for match in played:
        if results == "void" or (results == "strike" and len(match.seating) == 2):
            assert match.void_reason == "disqualified: two of one mind"
        elif results == "strike":
            seat = match.seating.index(leader)
            assert match.places == struck_places(match.places_before, {seat})
            assert match.strike_note == f"{leader}, disqualified: two of one mind"
        else:
            assert match.places[match.seating.index(leader)] == len(match.seating) > 1
            assert match.forfeit_note == f"{leader}, disqualified: two of one mind"
            assert sorted(match.places) != sorted(match.places_before) or match.places_before
    assert after[-1]["points"] == 0, "it has no points, whatever became of its matches"
    if results == "strike":
        assert any(match.strikes for match in played)
        rows = "SELECT place, counts FROM results WHERE label = ? AND match = ?"
        store = open_store(tmp_path / "arena.db")
        seats = [store.connection.execute(rows, (leader, match.id)).fetchall() for match in played if match.strikes]
        met = store.connection.execute("SELECT 1 FROM head_to_head WHERE opponent = ?", (name,)).fetchall()
        store.close()
        assert [row for (row,) in seats] == [(None, 0)] * len(seats)
        assert met == [], "nobody has met it"
        shown = command_line("bots", "show", name, "--json").data
        assert {line["place"] for line in shown["recent"] if line["strike_note"]} == {None}
        assert shown["duels"] == []
    if results == "forfeit":
        shown = command_line("bots", "show", name, "--json").data
        assert {line["place"] for line in shown["recent"]} == {line["seats"] for line in shown["recent"]}
        assert all(duel["points"] == 0 for duel in shown["duels"])
    assert command_line("bots", "show", name).out.count("disqualified: two of one mind") >= 2
    assert "disqualified: two of one mind" in command_line("match", "show", played[0].id).out
    (board,) = command_line("leaderboard", "--json").data["boards"]
    assert board["fit"]["is_of_record"]
    assert command_line("ledger", "verify", "--replay", "--json").data["findings"] == []
    assert command_line("ledger", "recompute").code == 0
    again = command_line(*order)
    assert (again.code, "is already disqualified from cup" in again.err) == (2, True)


def test_T13_12_several_may_forfeit_a_match_which_may_be_made_void_after_that(
    command_line: CommandLine, tmp_path: Path
) -> None:
    small_database(tmp_path)
    match = first_match(tmp_path)
    for bot in match.seating[:2]:
        order = ("bots", "disqualify", bot, "--tournament", "cup", "--results", "forfeit", "--reason", "one mind")
        assert command_line(*order).code == 0
    store = open_store(tmp_path / "arena.db")
    places = store.matches.find(match.id).places
    store.close()
    assert places[0] == places[1] == max(places), "they share the last place"
    assert command_line("ledger", "verify", "--json").data["findings"] == []
    assert command_line("ledger", "void", match.id, "--reason", WHY).code == 0
    assert command_line("ledger", "verify", "--json").data["findings"] == []
    assert command_line("ledger", "recompute").code == 0, "derived tables match the entries"
    (report,) = command_line("ledger", "clean", "--json").data
    if report["max_difference"] > 5:
        assert command_line("ledger", "epoch", "first", "--game", "toy", "--reason", WHY).code == 0
        assert command_line("ledger", "verify", "--json").data["findings"] == []


class _Disqualifies(Silent):
    """Disqualifies two bots while the second round is played, and tries to let one of them in again."""

    def __init__(self, command_line: CommandLine) -> None:
        self.command_line = command_line
        self.said: list[tuple[int, str]] = []
        self.is_done = False

    def stored(self, match: MatchToStore) -> None:
        if match.fixture.round == 2 and not self.is_done:
            self.is_done = True
            for name, results in (("ann", "strike"), ("cat", "forfeit")):
                order = ("bots", "disqualify", name, "--tournament", "cup", "--results", results, "--reason", "cheats")
                self._say(*order)
            self._say("tournament", "enter", "cup", str(ROOT / "sample_bots" / "python"))
            self._say("tournament", "enter", "cup", "ann")

    def _say(self, *words: str) -> None:
        told = self.command_line(*words)
        self.said.append((told.code, told.err))


def test_T10_7_disqualified_during_a_round_a_bot_is_paired_no_more_and_the_round_follows_at_its_close(
    command_line: CommandLine, tmp_path: Path
) -> None:
    bot = str(ROOT / "sample_bots" / "python")
    names = ("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal")
    plain = {
        "name": "cup", "game": "toy", "seed": 11, "rounds": 4, "rating_rounds": 0, "seats": 2,
        "bot": [{"path": bot, "name": name} for name in names],
    }  # fmt: skip
    store = open_store(tmp_path / "arena.db", create=True)
    watcher = _Disqualifies(command_line)
    runner = Runner(parse_plan(plain, beside(tmp_path)), store, watcher, local_now)
    runner.enter()
    trio.run(runner.run)
    matches = store.matches.of("cup")
    store.close()
    assert [code for code, _ in watcher.said] == [0, 0, 0, 2], watcher.said
    assert "ann is disqualified from cup" in watcher.said[3][1]
    for match in matches:
        seated = {bot.partition("@")[0] for bot in match.seating}
        assert match.is_void == ("ann" in seated)
        if "cat" in seated:
            assert match.is_void or match.forfeits == 1
        assert match.round < 3 or not seated & {"ann", "cat"}
    assert any(match.forfeits for match in matches if match.round == 2)
    assert command_line("ledger", "verify", "--replay", "--json").data["findings"] == []
    names_in_order = [line.partition("@")[0] for line in points(command_line)]
    assert set(names_in_order[-2:]) == {"ann", "cat"}


class _Voids(Silent):
    """Makes the first match of the first round void as soon as that round has closed."""

    def __init__(self, store: Store, tournament: str) -> None:
        self.store = store
        self.tournament = tournament
        self.match = ""

    def closed(self, round_number: int, seconds: float) -> None:
        if round_number == 1:
            self.match = self.store.matches.of(self.tournament, 1)[0].id
            posting.void_match(self.store.connection, self.match, WHY, "Hans")


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
    for match in store.matches.of("cup", 1):
        if not match.is_void:
            posting.void_match(store.connection, match.id, WHY, "Hans")
    store.close()
    (report,) = command_line("ledger", "clean", "--json").data
    assert report["max_difference"] > 5
    assert "an epoch may be posted" in command_line("ledger", "clean").out
    posted = command_line("ledger", "epoch", "first", "--game", "toy", "--reason", WHY, "--json")
    assert posted.code == 0, posted.err
    store = open_store(tmp_path / "arena.db")
    assert read_heads(heads_file(store.path()))[-1].hash == store.heads.latest(), "T13.10: the head is published"
    store.close()
    (report,) = command_line("ledger", "clean", "--json").data
    assert report["max_difference"] == 0
    assert command_line("ledger", "verify", "--json").data["findings"] == []
    again = command_line("ledger", "epoch", "first", "--game", "toy", "--reason", WHY)
    assert (again.code, "was already posted" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("void", "ffff", "--reason", WHY), "match: 'ffff' is not in this database"),
        (("void", "--reason", WHY), "Missing argument 'MATCH…'"),
        (("void", "{id}", "--reason", ""), "--reason: '' is not allowed; expected printable text"),
        (("void", "{id}", "--reason", "a\x1bb"), "expected printable text"),
        (("void", "{id}"), "Missing option '--reason'"),
        (("epoch", "first", "--game", "halma", "--reason", WHY), "--game: 'halma' has no matches here"),
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
