"""The commands say the same of a server as of its database, but for what is nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.bots.directory import read_bot
from arena.store.database import open_store, open_to_read
from arena.v1 import arena_pb2 as pb
from tests.arena.command_line import CommandLine, Outcome
from tests.arena.server.running_server import RANDOM_BOT, Server, bot_directory, running
from tests.sql import select

CUP = 'name = "cup"\ngame = "toy"\nbots = ["calm", "keen", "wild"]\nrounds = 1\n'
PLAN = "the plan is to build a wall"
THOUGHT = "it is going well so far"
TALKING = (RANDOM_BOT / "bot.py").read_text().replace("\nif __name__", f"\nprint({THOUGHT!r}, flush=True)\nif __name__")


@dataclass
class Played:
    """A server with a finished tournament, and one of its matches."""

    server: Server
    match: str


@dataclass
class Commands:
    """The command line, asking the server or its database."""

    arena: CommandLine
    played: Played

    def far(self, *words: str, name: str = "sam", role: str = "spectator") -> Outcome:
        server = self.played.server
        self.arena.monkeypatch.setenv("ARENA_TOKEN", server.token(name, role))
        return self.arena(*words, "--server", server.addresses[0])

    def near(self, *words: str) -> Outcome:
        return self.arena(*words, "--db", str(self.played.server.db))


@pytest.fixture
def commands(
    played: Played, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Commands:
    return Commands(CommandLine(monkeypatch, capsys, tmp_path), played)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Ann's bot prints its plan and falls over in every match; bob's two play on, and one of them talks."""
    folder = tmp_path_factory.mktemp("far")
    store = open_store(folder / "arena.db", create=True)
    for name, author, program in (
        ("wild", "ann", f"import sys\nsys.exit({PLAN!r})\n"),
        ("calm", "bob", TALKING),
        ("keen", "bob", None),
    ):
        bot = read_bot(bot_directory(folder / "bots", name, program=program))
        manifest = {"name": name, "command": list(bot.manifest.command), "games": list(bot.manifest.games)}
        store.bots.add(bot.label, name, bot.version, str(bot.path), manifest, "today", author)
    store.close()
    with running(folder) as server:
        olga = server.token("olga", "organiser")
        server.call("StartTournament", pb.StartTournamentRequest(toml=CUP), olga)
        events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
        assert events[-1].status.reason == "all rounds are played"
        report = server.call("GetBot", pb.GetBotRequest(name="wild"), olga).bot
        first = next(line for line in reversed(report.recent) if talks(server, line.match_id))
        yield Played(server, first.match_id)


def talks(server: Server, match_id: str) -> bool:
    """Return whether it is the match in which a process of the talking bot was started."""
    store = open_to_read(server.db)
    try:
        return bool(
            select(store, "SELECT 1 FROM bot_output WHERE match = ? AND output LIKE ?", match_id, f"%{THOUGHT}%")
        )
    finally:
        store.close()


COMMANDS = (
    ("match", "show", "--json"),
    ("match", "show"),
    ("replay", "show", "--open"),
    ("replay", "show", "--json"),
    ("replay", "export"),
    ("replay", "verify"),
)


def without_commands(text: str) -> str:
    """Leave out of commands to paste where they look: here a database, and there a server."""
    return re.sub(r"(: arena [^\n]*?) --(?:server|db) \S+$", r"\1", text, flags=re.MULTILINE)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_match_is_told_the_same_from_afar(commands: Commands, words: tuple[str, ...]) -> None:
    command = (*words[:2], commands.played.match[:12], *words[2:])
    far, near = commands.far(*command), commands.near(*command)
    assert without_commands(far.out) == without_commands(near.out)
    assert (far.code, far.err) == (near.code, near.err) == (0, "")
    assert far.out
    assert PLAN not in far.out


def test_the_ledger_is_the_same_from_afar(commands: Commands, tmp_path: Path) -> None:
    assert commands.far("ledger", "export") == commands.near("ledger", "export")
    reports = []
    for command, name in ((commands.far, "far"), (commands.near, "near")):
        said = command("ledger", "export", "--output", str(tmp_path / name), "--json")
        reports.append({key: value for key, value in said.data.items() if key != "output"})
    assert reports[0] == reports[1]
    assert reports[0]["entries"] > 10
    assert (tmp_path / "far").read_bytes() == (tmp_path / "near").read_bytes()
    far, near = commands.far("ledger", "verify", "--json").data, commands.near("ledger", "verify", "--json").data
    assert far | {"pairings_drawn": near["pairings_drawn"]} == near
    published = commands.far("ledger", "verify", "--head", reports[0]["head"])
    assert published.code == 0
    assert f"the head given is entry {reports[0]['entries']}" in published.out
    other = commands.far("ledger", "verify", "--head", "0" * 64)
    assert other.code == 1
    assert "head differs" in other.out
    refused = commands.far("ledger", "verify", "--replay")
    assert refused.code == 2
    assert refused.err.startswith("arena: --replay: a server keeps its records")


@contextmanager
def under_way(db: Path) -> Iterator[None]:
    """The cup of this server is not finished meanwhile."""
    store = open_store(db)  # not by the store, which notes nothing after the end (T10.8)
    store.connection.execute("UPDATE tournament SET state = 'stopped', changed_at = 'today' WHERE id = 'cup'")
    try:
        yield
    finally:
        store.connection.execute("UPDATE tournament SET state = 'finished' WHERE id = 'cup'")
        store.close()


def test_seeds_that_are_played_with_leave_the_server_for_organisers_only(commands: Commands) -> None:
    """The seed of a tournament is enough to compute every hidden card of the rounds to come."""
    whole = commands.near("ledger", "export").out
    with under_way(commands.played.server.db):
        for role in ("spectator", "author"):
            told = commands.far("ledger", "export", name=role, role=role).out
            assert whole.startswith(told)
            assert '"kind\\":\\"BOT' in told
            assert "seed" not in told
            assert commands.far("ledger", "verify", name=role, role=role).code == 0, "what is told can be checked"
        assert commands.far("ledger", "export", name="olga", role="organiser").out == whole
    assert "seed" in commands.far("ledger", "export").out


def outputs(commands: Commands, name: str, role: str) -> dict[str, str]:
    plain = commands.far("match", "logs", commands.played.match, "--json", name=name, role=role).data
    assert plain["choices"]
    return {plain["bots"][seat].partition("@")[0]: text for seat, text in plain["outputs"].items()}


def test_what_a_bot_has_printed_is_for_its_author_and_organisers(commands: Commands) -> None:
    anns, bobs, all_of_it = (
        outputs(commands, *who) for who in (("ann", "author"), ("bob", "author"), ("olga", "organiser"))
    )
    assert list(anns) == ["wild"]
    assert PLAN in anns["wild"]
    assert bobs == {"calm": f"{THOUGHT}\n"}, "it played to the end, and its author reads what it said"
    assert all_of_it == anns | bobs
    assert outputs(commands, "sam", "spectator") == {}
    command = ("match", "logs", commands.played.match)
    assert commands.far(*command, name="olga", role="organiser") == commands.near(*command)


@pytest.mark.parametrize("words", [("match", "show"), ("match", "logs"), ("replay", "show"), ("replay", "verify")])
def test_a_match_that_is_not_there_is_one_clear_line(commands: Commands, words: tuple[str, ...]) -> None:
    assert commands.far(*words, "ffff") == Outcome(2, "", "arena: match: 'ffff' is not in this database\n")


def test_T13_an_organiser_corrects_results_from_afar_and_nobody_else_does(commands: Commands) -> None:
    """Last in this file: the cup of this server is another one after it."""
    match = commands.played.match
    void = ("ledger", "void", match, "--reason", "the host ran out of memory")
    out = ("bots", "disqualify", "keen", "--tournament", "cup", "--reason", "two of one mind")
    for role in ("spectator", "author"):
        for words in (void, out):
            refused = commands.far(*words, name=role, role=role)
            assert (refused.code, refused.out) == (2, "")
            assert f"role {role} may not call " in refused.err
    assert "--who: a server takes the name from your token" in commands.far(*void, "--who", "Hans").err
    none = commands.far("ledger", "void", match, "ffff", "--reason", "x", name="olga", role="organiser")
    assert none == Outcome(2, "", "arena: match: 'ffff' is not in this database\n")
    (voided,) = commands.far(*void, "--json", name="olga", role="organiser").data
    assert (voided["match"], voided["was_void_already"], len(voided["given_back"])) == (match, False, 3)
    assert commands.near(*void, "--json").data == [voided | {"was_void_already": True}]
    done = commands.far(*out, "--json", name="olga", role="organiser").data
    assert (done["matches"] > 0, done["results"]) == (True, "strike")
    lines = commands.far("tournament", "standings", "cup", "--json").data
    assert lines == commands.near("tournament", "standings", "cup", "--json").data
    assert lines[-1]["disqualified"] == "two of one mind"
    for shown_by in (("tournament", "standings", "cup"), ("leaderboard", "--tournament", "cup")):
        assert commands.far(*shown_by).out == commands.near(*shown_by).out
    shown = commands.far("bots", "show", "keen", "--json").data
    assert shown["recent"] == commands.near("bots", "show", "keen", "--json").data["recent"]
    assert {line["place"] for line in shown["recent"] if line["strike_note"]} == {None}
    notes = {line["void_reason"] or line["strike_note"] for line in shown["recent"]}
    assert notes == {"the host ran out of memory", f"{done['bots'][0]}, disqualified: two of one mind"}
    nowhere = commands.far(*out[:3], "--tournament", "none", *out[5:], name="olga", role="organiser")
    assert "'none' is not in this database" in nowhere.err
    for where in (commands.far, commands.near):
        assert where("ledger", "verify", "--json").data["findings"] == []
    entries = commands.near("ledger", "export").out
    assert '\\"who\\":\\"olga\\"' in entries
