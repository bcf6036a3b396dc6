"""Who may do what: every call that is refused leaves the database as it was."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import grpc
import pytest

from arena.server.service import FAILURES, METHODS
from arena.store.database import open_store
from arena.store.token_secrets import create, find
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from tests.arena.server.running_server import Server, arena, bot_archive, drained, everything, parts, running

CODE = grpc.StatusCode
CUP = 'name = "stolen"\ngame = "toy"\nbots = ["*"]\nrounds = 1\n'


@pytest.fixture(scope="session")
def anns_bot(server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A bot of ann's on the server."""
    content = bot_archive(tmp_path_factory.mktemp("bots"), "anns")
    return server.submit("anns", content, server.token("ann")).accepted.label


def refused(call: Callable[[], object]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    said = caught.value.details() or ""
    assert "\n" not in said
    return caught.value.code(), said


def a_request(method: str) -> object:
    if method == "SubmitBot":
        return parts("stolen", b"")
    return getattr(pb, f"{method}Request")()


def _drain(call: Any, request: object, metadata: object) -> object:
    return drained(call(request, metadata=metadata))


def forward(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


@contextmanager
def from_address(source: str, server: Server) -> Iterator[rpc.ArenaServiceStub]:
    """Talk to a server from another address of this machine: failures are counted by address."""
    host, _, port = server.addresses[0].rpartition(":")
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    near = stack.enter_context(listener.accept()[0])
                    far = stack.enter_context(socket.create_connection((host, int(port)), source_address=(source, 0)))
                    for ends in ((near, far), (far, near)):
                        Thread(target=forward, args=ends, daemon=True).start()

        Thread(target=accept, daemon=True).start()
        with grpc.insecure_channel(f"127.0.0.1:{listener.getsockname()[1]}") as channel:
            yield rpc.ArenaServiceStub(channel)


@pytest.mark.parametrize("method", METHODS)
def test_every_call_needs_a_token(server: Server, method: str) -> None:
    wrong_secret = server.token("ann").partition(".")[0] + ".guessed"
    before = everything(server.db)
    with from_address(f"127.0.1.{list(METHODS).index(method) + 1}", server) as stub:
        call = getattr(stub, method)
        for metadata in ((), (("authorization", "Bearer nothing"),), (("authorization", f"Bearer {wrong_secret}"),)):
            code, _reason = refused(partial(_drain, call, a_request(method), metadata))
            assert code is CODE.UNAUTHENTICATED
    assert everything(server.db) == before


def test_guessing_on_and_on_is_slowed_down_by_address(server: Server) -> None:
    with from_address("127.0.2.1", server) as stub:
        guess = partial(stub.ListBots, pb.ListBotsRequest(), metadata=(("authorization", "Bearer nothing"),))
        codes = [refused(guess)[0] for _ in range(FAILURES.burst + 1)]
        while codes[-1] is CODE.UNAUTHENTICATED and len(codes) < 100 * FAILURES.burst:
            codes.append(refused(guess)[0])  # the slower the machine, the more guesses it has
    assert set(codes[: FAILURES.burst]) == {CODE.UNAUTHENTICATED}
    assert codes[-1] is CODE.RESOURCE_EXHAUSTED


def test_a_wrong_token_is_told_from_none_and_no_secret_is_logged(tmp_path: Path) -> None:
    with running(tmp_path / "arena") as server:
        good = server.token("ann")
        nobody = refused(lambda: server.call("ListBots", pb.ListBotsRequest(), None))
        wrong = refused(lambda: server.call("ListBots", pb.ListBotsRequest(), good + "x"))
        assert nobody == (CODE.UNAUTHENTICATED, "no token; expected the metadata authorization: Bearer TOKEN")
        assert wrong == (CODE.UNAUTHENTICATED, "invalid token")
        told = arena("bots", "list", "--server", server.addresses[0])
        assert (told.returncode, told.stderr) == (
            2,
            "arena: --token: missing; expected your token, preferably in ARENA_TOKEN\n",
        )
        server.call("ListBots", pb.ListBotsRequest(), good)

        # A running server refuses a revoked token immediately.
        ended = arena("tokens", "revoke", good.partition(".")[0], "--db", server.db)
        assert ended.returncode == 0, ended.stderr
        before = everything(server.db)
        assert refused(lambda: server.call("ListBots", pb.ListBotsRequest(), good)) == wrong
        assert refused(lambda: server.submit("late", b"", good)) == wrong
        assert everything(server.db) == before

        # Guessing is slowed down, even with a good token at hand elsewhere.
        codes = [refused(lambda: server.call("ListBots", pb.ListBotsRequest(), "a.b"))[0] for _ in range(30)]
        while codes[-1] is CODE.UNAUTHENTICATED and len(codes) < 1_000:  # one more is let in every two seconds
            codes.append(refused(lambda: server.call("ListBots", pb.ListBotsRequest(), "a.b"))[0])
        assert set(codes) == {CODE.UNAUTHENTICATED, CODE.RESOURCE_EXHAUSTED}
        server.stop()
        assert server.log.count("call.refused") > 30
        assert good.partition(".")[2] not in server.log
        assert good.partition(".")[2] not in "".join(everything(server.db))


ALLOWED = {
    Role.SPECTATOR: {"ListBots", "GetBot", "ListTournaments", "GetStandings", "WatchTournament", "GetLeaderboard"},
    Role.AUTHOR: {"SubmitBot", "RetireBot", "Connect", "StartTest", "WatchTest", "AbandonTest", "ListTests"},
    Role.ORGANISER: {"StartTournament", "StopTournament", "EnterBot", "WithdrawBot", "DisqualifyBot", "VoidMatches"},
}
ALLOWED[Role.SPECTATOR] |= {"GetMatch", "GetReplay", "ExportLedger", "CompareBots"}
ALLOWED[Role.AUTHOR] |= {"AddNonce"} | ALLOWED[Role.SPECTATOR]
ALLOWED[Role.ORGANISER] |= ALLOWED[Role.AUTHOR]


@pytest.mark.parametrize("role", Role)
def test_a_role_may_do_this_and_nothing_else(server: Server, role: Role) -> None:
    assert {name for name, method in METHODS.items() if role in method.roles} == ALLOWED[role]
    token = server.token(f"some-{role}", role)
    before = everything(server.db)
    for method in sorted(set(METHODS) - ALLOWED[role]):
        code, reason = refused(partial(server.call, method, a_request(method), token))
        assert code is CODE.PERMISSION_DENIED
        assert reason.startswith(f"role {role} may not call {method}")
    assert everything(server.db) == before


def test_an_author_touches_nobody_elses_bots(server: Server, anns_bot: str, tmp_path: Path) -> None:
    bob = server.token("bob")
    content = bot_archive(tmp_path, "anns", program="print('better')")
    before = everything(server.db)
    files = sorted(str(file) for file in (server.folder / "arena-bots").rglob("*"))
    assert refused(lambda: server.call("RetireBot", pb.RetireBotRequest(name="anns"), bob)) == (
        CODE.PERMISSION_DENIED, "bot: 'anns' is not yours",
    )  # fmt: skip
    assert refused(lambda: server.submit("anns", content, bob)) == (
        CODE.PERMISSION_DENIED, "name: 'anns' is taken",
    )  # fmt: skip
    # A lie about the name does not help: it is bot.toml that counts.
    code, reason = refused(lambda: server.submit("bobs", content, bob))
    assert (code, reason.partition(":")[0]) == (CODE.INVALID_ARGUMENT, "name")
    assert everything(server.db) == before
    assert sorted(str(file) for file in (server.folder / "arena-bots").rglob("*")) == files


def test_an_organiser_may_retire_any_bot(server: Server, tmp_path: Path) -> None:
    server.submit("clumsy", bot_archive(tmp_path, "clumsy"), server.token("cat"))
    server.call("RetireBot", pb.RetireBotRequest(name="clumsy"), server.token("olga", "organiser"))
    found = server.call("GetBot", pb.GetBotRequest(name="clumsy"), server.token("cat"))
    assert found.bot.is_retired


def test_what_is_not_there_is_not_found(server: Server) -> None:
    olga = server.token("olga", "organiser")
    for method, request in (
        ("GetBot", pb.GetBotRequest(name="ghost")),
        ("RetireBot", pb.RetireBotRequest(name="ghost")),
        ("StopTournament", pb.StopTournamentRequest(tournament="ghost")),
        ("EnterBot", pb.EnterBotRequest(tournament="ghost", bot="anns")),
        ("WithdrawBot", pb.WithdrawBotRequest(tournament="ghost", bot="anns")),
        ("AddNonce", pb.AddNonceRequest(tournament="ghost", source="olga", value="1")),
        ("DisqualifyBot", pb.DisqualifyBotRequest(tournament="ghost", bot="anns", results="void", reason="why")),
        ("DisqualifyBot", pb.DisqualifyBotRequest(tournament="ghost", bot="anns", reason="why")),
        ("VoidMatches", pb.VoidMatchesRequest(match_ids=["0123"], reason="why")),
        ("GetStandings", pb.GetStandingsRequest(tournament="ghost")),
        ("WatchTournament", pb.WatchTournamentRequest(tournament="ghost")),
        ("GetMatch", pb.GetMatchRequest(match_id="0123")),
        ("GetReplay", pb.GetReplayRequest(match_id="0123")),
        ("GetReplay", pb.GetReplayRequest()),
        ("GetLeaderboard", pb.GetLeaderboardRequest(tournament="ghost")),
        ("GetLeaderboard", pb.GetLeaderboardRequest(games=["ghost"])),
    ):
        code, _reason = refused(partial(server.call, method, request, olga))
        assert code is CODE.NOT_FOUND, method


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ("", "name: None is not allowed; expected a text"),
        ("name = ", "toml: "),
        ('name = "x"\ngame = "toy"\nbots = ["ghost"]\n', "bots: 'ghost' was not submitted; see arena bots list"),
        (
            'name = "x"\ngame = "toy"\nbots = ["../sample_bots/python"]\n',
            "bots: '../sample_bots/python' was not submitted",
        ),
        (
            'name = "x"\ngame = "toy"\n[[bot]]\npath = "/etc"\n',
            "bot: on a server bots are named as submitted",
        ),
        ('name = "x"\ngame = "halma"\nbots = ["*"]\n', "game: 'halma' is unknown"),
        ('name = "x"\ngame = "toy"\nbots = 3\n', "bots: 3 is not allowed; expected a list of texts"),
    ],
)
def test_a_wrong_tournament_file_is_named(server: Server, anns_bot: str, toml: str, reason: str) -> None:
    olga = server.token("olga", "organiser")
    before = everything(server.db)
    code, said = refused(lambda: server.call("StartTournament", pb.StartTournamentRequest(toml=toml), olga))
    assert code is CODE.INVALID_ARGUMENT
    assert said.startswith(reason)
    assert everything(server.db) == before


def test_a_token_is_stored_as_a_hash_and_found_by_its_secret_alone(tmp_path: Path) -> None:
    store = open_store(tmp_path / "arena.db", create=True)
    token, text = create(store, "ann", Role.AUTHOR, "now")
    secret = text.partition(".")[2]
    assert len(secret) >= 43  # 256 bits
    assert find(store, text) == token
    for wrong in (
        "",
        ".",
        token.id,
        f"{token.id}.",
        f"{token.id}.{secret[:-1]}",
        f".{secret}",
        f"x{text}",
        "ä.ö",
        "\ud800",
    ):
        assert find(store, wrong) is None
    assert secret not in "".join(everything(tmp_path / "arena.db"))
    store.tokens.revoke(token.id, "later")
    assert find(store, text) is None
    assert [each.revoked_at for each in store.tokens.all()] == ["later"]
    store.close()
