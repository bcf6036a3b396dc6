"""Connections are scarce: whoever holds most of them makes room for the next that comes, and bots that play stay."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.server.doorkeeper import ENOUGH_GUESTS, CountedConnection, Doorkeeper, connections_to, peer_of
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from referee.v1 import play_pb2 as play
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.server.running_server import PATIENCE_SECONDS, Server, bearer, running, wait_until

HANDSHAKE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
"""What a client of HTTP/2 begins with; gRPC then waits half a minute for a call."""
CALL_SECONDS = 30
"""For one call of somebody who tries again."""


@contextmanager
def own_connection(address: str) -> Iterator[rpc.ArenaServiceStub]:
    """Dial anew, as another program would."""
    with grpc.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        yield rpc.ArenaServiceStub(channel)


def hello(ticket: str, over: threading.Event) -> Iterator[play.PlayRequest]:
    """Say who a bot is, and nothing more until it is over."""
    yield play.PlayRequest(messages=[play.BotMessage(hello=play.Hello(ticket=ticket, protocol_version=1))])
    over.wait()


def is_served(server: Server, token: str) -> bool:
    """Tell whether somebody who comes now is served, if he tries again and again."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < ends:
        try:
            with own_connection(server.addresses[0]) as stub:
                stub.ListBots(pb.ListBotsRequest(), metadata=bearer(token), timeout=CALL_SECONDS)
            return True
        except grpc.RpcError:
            time.sleep(0.1)
    return False


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with 256 descriptors, of which 128 are for connections."""
    with running(tmp_path_factory.mktemp("narrow"), descriptors=256) as server:
        yield server


def test_a_stranger_who_holds_every_connection_makes_room_and_a_bot_that_plays_is_left_alone(narrow: Server) -> None:
    ann, bob = narrow.token("ann"), narrow.token("bob")
    over = threading.Event()
    with ExitStack() as stack:
        stack.callback(over.set)
        ticket = narrow.call("Connect", pb.ConnectRequest(name="far", games=["toy"]), ann).ticket
        channel = stack.enter_context(grpc.insecure_channel(narrow.addresses[0]))
        bot = RefereeServiceStub(channel).Play(hello(ticket, over))
        assert next(bot).messages[0].welcome.bot.startswith("far@")
        host, _, port = narrow.addresses[0].rpartition(":")
        for _ in range(400):
            held = stack.enter_context(socket.create_connection((host, int(port)), source_address=("127.0.0.2", 0)))
            try:
                held.sendall(HANDSHAKE)
            except OSError:
                continue  # cut already
        assert is_served(narrow, bob)
        wait_until(lambda: "connections.cut" in narrow.log)
        assert bot.is_active()
        assert "bot.disconnected" not in narrow.log
        bot.cancel()


def test_one_token_that_holds_every_connection_makes_room_for_another(narrow: Server) -> None:
    cid, bob = narrow.token("cid"), narrow.token("bob")
    with ExitStack() as stack:
        for _ in range(130):
            stub = stack.enter_context(own_connection(narrow.addresses[0]))
            with suppress(grpc.RpcError):  # asked too often, or no connection left
                stub.ListBots(pb.ListBotsRequest(), metadata=bearer(cid), timeout=CALL_SECONDS)
        assert is_served(narrow, bob)


def at(number: int, host: str) -> CountedConnection:
    return CountedConnection((host, number), number)


@given(
    st.lists(st.sampled_from(["10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2"]), max_size=40),
    st.sets(st.integers(0, 39)),
    st.integers(2, 40),
)
def test_those_who_hold_most_go_first_and_bots_never(hosts: list[str], bots: set[int], most: int) -> None:
    keeper = Doorkeeper(most)
    everybody = [at(number, host) for number, host in enumerate(hosts)]
    with ExitStack() as playing:
        for each in everybody:
            if each.descriptor in bots:
                host, port = each.peer
                named = f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"
                playing.enter_context(keeper.playing(named))
        going = keeper.surplus(everybody, 0.0)
    guests = [each for each in everybody if each.descriptor not in bots]
    assert set(going) <= set(guests)
    stay = len(guests) - len(going)
    assert stay <= max(most // 2 - (len(everybody) - len(guests)), most // 8, 1) or not going
    networks = Counter(each.peer[0][:9] for each in guests)  # both of the sixth version are one home's
    left = networks - Counter(each.peer[0][:9] for each in going)
    if going:
        assert max(left.values()) <= min(networks[each.peer[0][:9]] for each in going)


def test_the_oldest_go_first_and_tokens_are_counted_apart_from_their_address() -> None:
    keeper = Doorkeeper(8)
    early = [at(number, "10.0.0.1") for number in range(3)]
    assert keeper.surplus(early, 0.0) == []
    known = at(9, "10.0.0.1")
    keeper.vouch("ipv4:10.0.0.1:9", "ann")
    late = [at(number, "10.0.0.1") for number in range(3, 6)]
    assert set(keeper.surplus([*early, known, *late], 1.0)) == set(early)


def test_peers_are_named_as_the_kernel_names_them() -> None:
    assert peer_of("ipv4:10.0.0.1:80") == ("10.0.0.1", 80)
    assert peer_of("ipv6:%5B2001:db8::1%5D:80") == ("2001:db8::1", 80)
    assert peer_of("ipv6:%5B::ffff:10.0.0.1%5D:80") == ("10.0.0.1", 80)
    assert peer_of("unix:") is None
    assert ENOUGH_GUESTS >= 2_000, "as many bots may dial at once as a server is made for"


def test_connections_of_this_process_are_found_by_their_port_and_can_be_cut() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client, listener.accept()[0]:
            (found,) = connections_to({port})
            assert found.peer == client.getsockname()
            assert connections_to({1}) == []
            found.cut()
            assert client.recv(1) == b""


def test_looking_at_connections_gives_up_no_lock_on_the_database(tmp_path: Path) -> None:
    """POSIX: whoever closes any descriptor of a file loses all locks on it, and others could write meanwhile."""
    db = tmp_path / "arena.db"
    mine = sqlite3.connect(db, isolation_level=None)
    mine.execute("CREATE TABLE one (number)")
    mine.execute("BEGIN IMMEDIATE")
    connections_to([7494])
    writing = f"import sqlite3; sqlite3.connect({str(db)!r}, timeout=0).execute('INSERT INTO one VALUES (1)')"
    other = subprocess.run([sys.executable, "-c", writing], capture_output=True, text=True, check=False)
    mine.close()
    assert "database is locked" in other.stderr
