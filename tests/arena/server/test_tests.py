"""T14 on a server: an author tests two bots of his own within a quota, and a killed server goes on with the test."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from arena.bots.directory import read_bot
from arena.store.database import open_store
from arena.v1 import arena_pb2 as pb
from ratings.ledger.audit import audit
from tests.arena.command_line import CommandLine, Outcome
from tests.arena.server.running_server import (
    PATIENCE_SECONDS,
    Server,
    bearer,
    bot_directory,
    enter_patient_bot,
    running,
    start,
)

QUITTER = "import sys\nsys.exit(3)\n"
TERMS = ("--game", "toy", "--seats", "3", "--fillers", "calm", "--time", "grace_ms=0", "--keep-processes")


def enter_bots(folder: Path) -> None:
    """Ann has two bots that play and one that forfeits every game; bob has one that fills the table."""
    store = open_store(folder / "arena.db", create=True)
    for name, author, program in (
        ("keen", "ann", None),
        ("mild", "ann", None),
        ("lame", "ann", QUITTER),
        ("calm", "bob", None),
    ):
        bot = read_bot(bot_directory(folder / "bots", name, program=program))
        store.bots.add(bot.label, name, bot.version, str(bot.path), bot.stored(), "today", author)
    store.close()


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tested")
    enter_bots(folder)
    with running(folder, "--test-games", "60") as server:
        yield server


class People:
    """The command line in the hands of somebody with a token."""

    def __init__(self, arena: CommandLine, server: Server) -> None:
        self.arena = arena
        self.server = server

    def __call__(self, name: str, *words: str, role: str = "author") -> Outcome:
        self.arena.monkeypatch.setenv("ARENA_TOKEN", self.server.token(name, role))
        return self.arena(*words, "--server", self.server.addresses[0])


@pytest.fixture
def people(
    tested: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> People:
    return People(CommandLine(monkeypatch, capsys, tmp_path), tested)


def test_T14_an_author_tests_two_bots_of_his_own_and_organisers_see_it(people: People) -> None:
    better = people("ann", "test", "keen", "--against", "lame", *TERMS, "--max-blocks", "20", "--json")
    assert (better.code, better.data["verdict"], better.data["new"].partition("@")[0]) == (0, "better", "keen")
    assert better.data["forfeits"]["old"] == better.data["games"] > 0
    assert len(better.data["test"]) == 64
    assert (better.data["fresh_process"], better.data["seed_by"]) == (False, "arena"), "T14.13"
    assert better.data["line"].endswith(f"{better.data['games']} games: better")
    lines = people("olga", "test", "--list", "--json", role="organiser").data
    (line,) = [each for each in lines if each["test"] == better.data["test"][:12]]
    assert (line["verdict"], line["asked_by"]) == ("better", "ann")
    assert people("bob", "test", "--list", "--json").data == []
    assert "keen@" in people("ann", "test", "--list").out
    # The same of a database as of the server, and the ledger bears it out.
    near = people.arena("test", "--list", "--json", "--db", str(people.server.db))
    assert near.data == lines
    verified = people.arena("ledger", "verify", "--db", str(people.server.db), "--json")
    assert (verified.code, verified.data["findings"]) == (0, [])
    compared = people("bob", "compare", "keen", "lame", "--json")
    assert compared.data == people.arena("compare", "keen", "lame", "--json", "--db", str(people.server.db)).data
    (table,) = compared.data["pools"][0]["tables"]
    assert (table["leader"], table["a_behind"], table["verdict"]) == ("A", 0, "better"), "T15.7: as the test"
    assert table["line"] in people("bob", "compare", "keen", "lame").out
    assert table["blocks"] == better.data["blocks"] + better.data["blocks_after_verdict"]
    assert people("bob", "compare", "keen", "lame").out == people.arena(
        "compare", "keen", "lame", "--db", str(people.server.db)
    ).out  # fmt: skip


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("bob", (), "'keen' is not yours; expected two bots of your own"),
        ("ann", ("--max-blocks", "21"), "exceed the limit of 60 games per test"),
        ("ann", ("--max-blocks", "20", "--seed", "7"), "--seed: the server draws it"),
        ("olga", ("--max-blocks", "20", "--seed", "7"), "--seed: the server draws it"),
        ("ann", ("--max-blocks", "20", "--referees", "4"), "--referees: the server decides that"),
        ("ann", ("--max-blocks", "20", "--alpha", "7"), "an error rate must be between 0 and 1"),
        (
            "ann",
            ("--max-blocks", "20", "--seeding", "per_block"),
            "seeding: 'per_block' needs a fresh process",
        ),
        ("ann", ("--max-blocks", "1", "--abandon"), "no test of these two bots with these settings is open"),
    ],
)
def test_what_cannot_be_tested_there_is_refused_in_one_line(
    people: People, name: str, words: tuple[str, ...], said: str
) -> None:
    role = "organiser" if name == "olga" else "author"
    refused = people(name, "test", "keen", "--against", "lame", *TERMS, *words, role=role)
    assert refused.code == 2
    assert said in refused.err
    assert refused.err.count("\n") == 1


def test_a_test_of_others_is_not_followed(people: People) -> None:
    terms = pb.TestTerms(new_bot="mild", old_bot="lame", game="toy", seats=3, fillers=["calm"], max_blocks=1)
    token = people.server.token("ann")
    terms.time_control["grace_ms"] = 0
    begun = people.server.call("StartTest", pb.StartTestRequest(terms=terms), token)
    for name, role, wanted, code in (
        ("bob", "author", begun.report.test, grpc.StatusCode.PERMISSION_DENIED),
        ("sam", "spectator", begun.report.test, grpc.StatusCode.PERMISSION_DENIED),
        ("ann", "author", "0123456", grpc.StatusCode.NOT_FOUND),
    ):
        with pytest.raises(grpc.RpcError) as refused:
            people.server.call("WatchTest", pb.WatchTestRequest(test=wanted), people.server.token(name, role))
        assert refused.value.code() is code
    assert begun.report.fresh_process, "T14.12: nothing else was asked for"
    # While it is open, nobody is told the whole id, from which its seeds follow.
    assert len(begun.report.test) == 12
    recent = people.server.call("GetBot", pb.GetBotRequest(name="mild"), people.server.token("bob")).bot.recent
    assert all(line.tournament.startswith("test ") and len(line.tournament) == 17 for line in recent)
    reports = people.server.call("WatchTest", pb.WatchTestRequest(test=begun.report.test), token)
    assert [each.report.verdict for each in reports][-1] == "inconclusive"
    assert reports[-1].report.blocks == 1
    # Its end can be read again later.
    (again,) = people.server.call("WatchTest", pb.WatchTestRequest(test=begun.report.test), token)
    assert again == reports[-1]


def test_T14_8_a_killed_server_goes_on_with_the_test(tmp_path: Path) -> None:
    enter_bots(tmp_path)
    # T19.5: when two are posted, five more may be under way, and overtake the third: seven blocks of two games.
    patient = enter_patient_bot(tmp_path / "arena.db", tmp_path / "bots", matches=14)
    # Between equals nothing but the limit can end this, and one of them waits until the server was killed.
    terms = pb.TestTerms(new_bot="keen", old_bot="patient", game="toy", seats=2, max_blocks=30)
    terms.alpha = terms.beta = "1e-9"
    terms.keep_processes = True  # the patient bot counts its matches
    terms.time_control.update({"bank_ms": 3_600_000, "cap_ms": 3_600_000, "join_ms": 300_000})
    server = start(tmp_path)
    olga = server.token("olga", "organiser")
    begun = server.call("StartTest", pb.StartTestRequest(terms=terms), olga)
    with server.stub() as stub:
        asked = pb.WatchTestRequest(test=begun.report.test)
        reports = stub.WatchTest(asked, metadata=bearer(olga), timeout=PATIENCE_SECONDS)
        judged = next(each.report.blocks for each in reports if each.report.blocks >= 3)
        server.stop(signal.SIGKILL)
    assert server.process.stdout is not None
    server.process.stdout.close()
    patient.go_on()
    with running(tmp_path) as server:
        again = server.call("StartTest", pb.StartTestRequest(terms=terms), olga)
        assert (again.is_resumed, again.report.test) == (True, begun.report.test)
        assert again.report.blocks >= judged
        last = server.call("WatchTest", pb.WatchTestRequest(test=begun.report.test), olga)[-1].report
        assert (last.verdict, last.blocks) == ("inconclusive", 30)
        # One that is given up leaves a ledger that verifies.
        terms.max_blocks = 1_000
        server.call("StartTest", pb.StartTestRequest(terms=terms), olga)
        ended = server.call("AbandonTest", pb.AbandonTestRequest(terms=terms), olga).report
        assert ended.verdict == "abandoned"
        lines = server.call("ListTests", pb.ListTestsRequest(), olga).tests
        assert [(line.verdict, line.asked_by) for line in lines] == [("inconclusive", "olga"), ("abandoned", "olga")]
    assert verified(tmp_path / "arena.db") == ([], 1)


def verified(db: Path) -> tuple[list[str], int]:
    """Return what an audit finds in a database, and how many notes it makes."""
    store = open_store(db)
    try:
        with store.reading() as connection:
            found = audit(connection)
        return [str(finding) for finding in found.findings], len(found.notes)
    finally:
        store.close()
