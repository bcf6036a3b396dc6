"""Too many concurrent requests are refused with RESOURCE_EXHAUSTED, and others are still served."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from arena.server.build_queue import MAX_OF_ONE
from arena.server.limits import MAX_REMEMBERED, Limiter, Rate
from arena.server.service import LARGEST_CHUNK, REQUESTS, SUBMISSIONS
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import Server, bearer, by_name, everything, parts, wait_until

CODE = grpc.StatusCode


def test_permits_are_used_up_and_come_back() -> None:
    now = [0.0]
    limiter = Limiter(Rate(burst=3, per_second=2), lambda: now[0])
    assert [limiter.wait_seconds("ann") for _ in range(4)] == [0, 0, 0, 0.5]
    assert limiter.wait_seconds("bob") == 0
    now[0] = 0.5
    assert [limiter.wait_seconds("ann") for _ in range(2)] == [0, 0.5]
    now[0] = 100.0
    assert [limiter.wait_seconds("ann") > 0 for _ in range(4)] == [False, False, False, True]


def test_only_so_many_callers_are_remembered() -> None:
    limiter = Limiter(Rate(burst=1, per_second=0.001), lambda: 0.0)
    limiter.wait_seconds("first")
    for number in range(MAX_REMEMBERED):
        limiter.wait_seconds(str(number))
    assert limiter.wait_seconds("first") == 0
    assert limiter.wait_seconds(str(MAX_REMEMBERED - 1)) > 0


def test_too_many_requests_of_one_token_do_not_touch_another(server: Server) -> None:
    hasty, calm = server.token("hasty", "spectator"), server.token("calm", "spectator")
    codes: Counter[grpc.StatusCode] = Counter()
    said: list[str] = []
    with server.stub() as stub:
        while not said and codes.total() < 100 * REQUESTS.burst:  # who takes his time over them is let in again
            pending = [
                stub.ListBots.future(pb.ListBotsRequest(), metadata=bearer(hasty)) for _ in range(2 * REQUESTS.burst)
            ]
            for call in pending:
                codes[call.code()] += 1
            said = [call.details() for call in pending if call.code() is CODE.RESOURCE_EXHAUSTED]
        stub.ListBots(pb.ListBotsRequest(), metadata=bearer(calm))
    assert set(codes) == {CODE.OK, CODE.RESOURCE_EXHAUSTED}
    assert codes[CODE.OK] >= REQUESTS.burst / 2
    assert all(each.startswith("too many ") or each.endswith("open calls") for each in said)


def test_too_many_submissions_of_one_token_are_refused(server: Server) -> None:
    token = server.token("keen")
    before = everything(server.db)
    codes: list[grpc.StatusCode] = []
    while CODE.RESOURCE_EXHAUSTED not in codes and len(codes) < 10 * SUBMISSIONS.burst:
        with pytest.raises(grpc.RpcError) as caught:
            server.submit("keen", b"no archive", token)
        codes.append(caught.value.code())
    assert len(codes) > SUBMISSIONS.burst
    assert set(codes[:-1]) == {CODE.INVALID_ARGUMENT}
    assert codes[-1] is CODE.RESOURCE_EXHAUSTED
    assert everything(server.db) == before


def test_uploads_that_never_end_of_one_author_leave_room_for_others(server: Server) -> None:
    over = threading.Event()

    def dripping() -> Iterator[pb.SubmitBotRequest]:
        yield next(parts("slow", b"an archive that does not come"))
        over.wait()

    with server.stub() as stub:
        token = bearer(server.token("slow"))
        calls = [stub.SubmitBot.future(dripping(), metadata=token) for _ in range(8)]
        wait_until(lambda: sum(call.done() for call in calls) >= 8 - MAX_OF_ONE)
        refused = [call for call in calls if call.done()]
        assert len(refused) == 8 - MAX_OF_ONE
        assert {call.details() for call in refused} == {"you already have 3 open submissions"}
        with pytest.raises(grpc.RpcError) as caught:
            server.submit("fast", b"no archive", server.token("fast"))
        assert caught.value.code() is CODE.INVALID_ARGUMENT, "it was read to its end"
        for call in calls:
            call.cancel()
        over.set()


@pytest.mark.parametrize(
    ("messages", "code", "reason"),
    [
        ([pb.SubmitBotRequest(chunk=b"x")], CODE.INVALID_ARGUMENT, "the first message must be a manifest"),
        ([], CODE.INVALID_ARGUMENT, "the request is missing"),
        (
            [pb.SubmitBotRequest(manifest=pb.SubmissionManifest(name="big", archive_size=1 << 40))],
            CODE.RESOURCE_EXHAUSTED, "archive_size: 1099511627776 bytes exceed",
        ),
        (
            [
                pb.SubmitBotRequest(manifest=pb.SubmissionManifest(name="big", archive_size=1 << 20)),
                pb.SubmitBotRequest(chunk=bytes(LARGEST_CHUNK + 1)),
            ],
            CODE.INVALID_ARGUMENT, "chunk: 262145 bytes exceed",
        ),
        (
            [
                pb.SubmitBotRequest(manifest=pb.SubmissionManifest(name="big", archive_size=1 << 22)),
                pb.SubmitBotRequest(chunk=bytes(2 << 20)),
            ],
            CODE.RESOURCE_EXHAUSTED, "SERVER: Received message larger than max",
        ),
        ([*parts("two", b"abc"), *parts("two", b"abc")], CODE.INVALID_ARGUMENT, "expected chunks of the archive"),
        (list(parts("more", b"abcdef", archive_size=3)), CODE.INVALID_ARGUMENT, "archive_size: more than"),
        (list(parts("less", b"abc", archive_size=6)), CODE.INVALID_ARGUMENT, "archive_size: received 3 of 6 bytes"),
        (list(parts("other", b"abc", archive_sha256="0" * 64)), CODE.INVALID_ARGUMENT, "archive_sha256: the archive"),
    ],
)  # fmt: skip
def test_a_wrong_transfer_is_named(
    server: Server,
    messages: list[pb.SubmitBotRequest],
    code: grpc.StatusCode,
    reason: str,
) -> None:
    token = server.token(re.sub(r"\W+", "-", f"sender-of-{reason}"))
    before = everything(server.db)
    with pytest.raises(grpc.RpcError) as caught:
        server.call("SubmitBot", iter(messages), token)
    assert caught.value.code() is code
    assert str(caught.value.details()).startswith(reason)
    assert everything(server.db) == before


def test_an_oversized_message_ends_one_call_and_no_other(server: Server) -> None:
    """A tournament file of two megabytes is cut off by gRPC; the connection and the server live on."""
    token = server.token("olga", "organiser")
    with server.stub() as stub:
        with pytest.raises(grpc.RpcError) as caught:
            stub.StartTournament(pb.StartTournamentRequest(toml="x" * (2 << 20)), metadata=bearer(token))
        assert caught.value.code() is CODE.RESOURCE_EXHAUSTED
        stub.ListBots(pb.ListBotsRequest(), metadata=bearer(token))


def test_garbage_is_refused(server: Server) -> None:
    token = server.token("sam", "spectator")
    with grpc.insecure_channel(server.addresses[0]) as channel:
        call = by_name(channel, "GetBot")
        with pytest.raises(grpc.RpcError) as caught:
            call(b"\xff\xff\xff", metadata=bearer(token))
        assert caught.value.code() is CODE.INVALID_ARGUMENT
        unknown = by_name(channel, "DropTables")
        with pytest.raises(grpc.RpcError) as caught:
            unknown(b"", metadata=bearer(token))
        assert caught.value.code() is CODE.UNIMPLEMENTED


def test_the_unix_socket_serves_too(server: Server, tmp_path: Path) -> None:
    with grpc.insecure_channel(f"unix:{server.folder / 'socket'}") as channel:
        call = by_name(channel, "ListBots")
        assert isinstance(call(b"", metadata=bearer(server.token("sam", "spectator"))), bytes)
