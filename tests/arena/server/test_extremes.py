"""Every field of every request at its extremes: refused or answered, and never at the cost of everybody else.

The requests are made from the descriptors, so that a new field is tried without anybody thinking of it. What a request
costs is measured in CPU time of the server, which is the same however busy the machine is; wall time would
measure the machine.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.bots.archive import pack
from arena.server.bridge import LARGEST_MESSAGE
from arena.server.service import METHODS
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import PATIENCE_SECONDS, Server, bearer, running

SECONDS = 1.0
"""Of CPU time for one request, and everything else that the server does meanwhile."""
ROOM = LARGEST_MESSAGE - 1024
"""What fits into a message beside the other fields."""
TICKS = os.sysconf("SC_CLK_TCK")
CODE = grpc.StatusCode
TO_THE_LIMIT = ("9" * ROOM, "a." * (ROOM // 2), "\0" * ROOM, "0." + "9" * (ROOM - 12) + "e-3000000")
SHORT = (
    "", "\0", "nan", "-inf", "1e-3000000", "1e3000000", "1e-99999999999999999999", "0x" + "f" * 5000, "-1",
    "toml = " + "9" * 5000,
)  # fmt: skip
NOT_UTF8 = b"\xff\xfe\xc3\x28"
NUMBERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), -1, 0, 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), -1, 0, 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_DOUBLE: (float("nan"), float("inf"), float("-inf"), 1e308, -0.0),
    FieldDescriptor.CPPTYPE_FLOAT: (float("nan"), float("inf"), float("-inf")),
    FieldDescriptor.CPPTYPE_BOOL: (True,),
    FieldDescriptor.CPPTYPE_ENUM: (-1, 2**31 - 1),
}


def tag(number: int, wire_type: int) -> bytes:
    return varint(number << 3 | wire_type)


def varint(value: int) -> bytes:
    found = bytearray()
    value &= 2**64 - 1
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes((*found, value))


def framed(number: int, content: bytes) -> bytes:
    """A field of bytes, text or a message."""
    return tag(number, 2) + varint(len(content)) + content


@dataclass(frozen=True)
class Extreme:
    """One request, as bytes: some are no messages."""

    name: str
    data: bytes = field(repr=False)


def extremes(kind: Descriptor, path: str = "") -> Iterator[Extreme]:
    """Yield the extremes of every field of a message, and of the messages inside it."""
    for each in kind.fields:
        yield from _of_field(each, f"{path}{each.name}")


def _of_field(each: FieldDescriptor, path: str) -> Iterator[Extreme]:
    def made(name: str, data: bytes) -> Extreme:
        return Extreme(f"{path} {name}", data)

    if each.message_type is not None:
        inside = each.message_type
        for found in extremes(inside, f"{path}."):
            yield Extreme(found.name, framed(each.number, found.data))
        yield made("is no message", framed(each.number, b"\xff" * 100))
        if each.is_repeated:
            yield made("without end", framed(each.number, b"") * (ROOM // 2))
        return
    if each.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        for text in (*SHORT, *TO_THE_LIMIT):
            yield made(f"{text[:12]!r} of {len(text)}", framed(each.number, text.encode()))
        yield made("not UTF-8", framed(each.number, NOT_UTF8))
        if each.is_repeated:
            for text in ("", "x", "ann", "toy"):
                one = framed(each.number, text.encode())
                yield made(f"{text!r} without end", one * (ROOM // len(one)))
        return
    for number in NUMBERS[each.cpp_type]:
        assert each.containing_type is not None
        message: Any = GetMessageClass(each.containing_type)()
        if each.is_repeated:
            getattr(message, each.name).extend([number] * 1000)
        elif each.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
            yield made(str(number), tag(each.number, 0) + varint(int(number)))
            continue
        else:
            setattr(message, each.name, number)
        yield made(str(number), message.SerializeToString())


def requests() -> dict[str, list[Extreme]]:
    """The extremes of every call, over whatever it needs to get that far."""
    service = pb.DESCRIPTOR.services_by_name["ArenaService"]
    found = {}
    for method in service.methods:
        base = BASES.get(method.name, b"")
        # Of a field that comes twice the last one counts, and messages are merged.
        found[method.name] = [Extreme(each.name, base + each.data) for each in extremes(method.input_type)]
        found[method.name].append(Extreme("nested deeply", framed(1, b"\x0b" * 10_000)))
    return found


TERMS = pb.TestTerms(new_bot="ann", old_bot="bob", game="toy", fillers=["eve"])
BASES = {
    "CompareBots": pb.CompareBotsRequest(a="ann", b="bob").SerializeToString(),
    "StartTest": pb.StartTestRequest(terms=TERMS).SerializeToString(),
    "AbandonTest": pb.AbandonTestRequest(terms=TERMS).SerializeToString(),
    "Connect": pb.ConnectRequest(name="far", games=["toy"]).SerializeToString(),
}
"""Good requests, where the fields of a bare one would be refused before they are read."""


def processor_seconds(server: Server) -> float:
    """What the server has used so far, with its threads and without its children."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@dataclass
class Outcome:
    """How a request ended, and what it cost."""

    code: Any
    detail: str
    seconds: float


def ask(server: Server, channel: grpc.Channel, method: str, data: bytes, token: str) -> Outcome:
    """Send one message, whatever it is; on the wire every call is a stream."""
    before = processor_seconds(server)
    stream: Any = channel.stream_stream
    answers = stream(f"/arena.v1.ArenaService/{method}")(iter([data]), metadata=bearer(token), timeout=PATIENCE_SECONDS)
    try:
        for _answer in answers:
            pass
        code, detail = CODE.OK, ""
    except grpc.RpcError as error:
        code, detail = error.code(), str(error.details())
    return Outcome(code, detail, processor_seconds(server) - before)


class Bystander(threading.Thread):
    """Somebody else, who asks for the bots and for health all the time."""

    def __init__(self, server: Server, token: str) -> None:
        super().__init__()
        self.server = server
        self.token = token
        self.is_over = threading.Event()
        self.faults: list[str] = []
        self.answered = 0

    def run(self) -> None:
        with grpc.insecure_channel(self.server.addresses[0]) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            while not self.is_over.wait(0.1):
                outcome = ask(self.server, channel, "ListBots", b"", self.token)
                if outcome.code is not CODE.OK or outcome.seconds > SECONDS:
                    self.faults.append(f"ListBots: {outcome}")
                said = health.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS)
                if said.status != health_pb2.HealthCheckResponse.SERVING:
                    self.faults.append(f"health: {said}")
                self.answered += 1


class Callers:
    """People of every role that may make a call, in turn; each makes a few calls, so that none meets a rate limit."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.asked = 0

    def next(self, method: str) -> str:
        roles: Sequence[Role] = sorted(METHODS[method].roles)
        self.asked += 1
        return self.server.token(f"caller-{self.asked // 8}", roles[self.asked % len(roles)])


@pytest.fixture(scope="module")
def extreme_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("extremes")) as server:
        author = server.token("author")
        for name in ("ann", "bob", "eve"):  # that run elsewhere and never come, so that nothing is played
            server.call("Connect", pb.ConnectRequest(name=name, games=["toy"]), author)
        yield server


@pytest.mark.long
def test_every_field_at_its_extremes_is_answered_within_a_second_of_processor_time(extreme_server: Server) -> None:
    server, callers = extreme_server, Callers(extreme_server)
    bystander = Bystander(server, server.token("bystander", "spectator"))
    bystander.start()
    faults = []
    try:
        with grpc.insecure_channel(server.addresses[0]) as channel:
            for method, found in requests().items():
                for extreme in found:
                    outcome = ask(server, channel, method, extreme.data, callers.next(method))
                    is_answer = outcome.code in ANSWERS and "too many requests" not in outcome.detail
                    if not is_answer or outcome.seconds > SECONDS or len(outcome.detail) > 2_000:
                        faults.append(f"{method}: {extreme.name}: {outcome}")
                        assert outcome.code is not CODE.DEADLINE_EXCEEDED, faults
    finally:
        bystander.is_over.set()
        bystander.join(timeout=PATIENCE_SECONDS)
    assert not faults, "\n".join(faults)
    assert not bystander.faults, "\n".join(bystander.faults)
    assert bystander.answered
    assert "Traceback" not in server.log
    assert server.process.poll() is None


ANSWERS = (
    CODE.OK, CODE.INVALID_ARGUMENT, CODE.NOT_FOUND, CODE.PERMISSION_DENIED, CODE.FAILED_PRECONDITION,
    CODE.RESOURCE_EXHAUSTED,
)  # fmt: skip


def test_a_request_is_tried_for_every_field_of_every_call() -> None:
    """The walk over the descriptors misses nothing: also what lies inside messages and maps."""
    tried = {(method, each.name.partition(" ")[0]) for method, found in requests().items() for each in found}
    assert {("CompareBots", "alpha"), ("StartTest", "terms.beta"), ("StartTest", "terms.options.key")} <= tried
    assert {("StartTest", "terms.options.value.text"), ("StartTest", "terms.time_control.value")} <= tried
    assert {("StartTournament", "toml"), ("SubmitBot", "manifest.archive_size"), ("VoidMatches", "match_ids")} <= tried
    for method in pb.DESCRIPTOR.services_by_name["ArenaService"].methods:
        assert {each.name for each in method.input_type.fields} <= {
            path.partition(".")[0] for called, path in tried if called == method.name
        }


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("a." * 32_000 + "a = 1", "bot.toml: is larger than 8192 bytes"),
        ("a." * 4_000 + "a = 1", "bot.toml: a key has more than 8 dots (at line 1)"),
        ("x = " + "9" * 5_000, "bot.toml: a whole number is too large"),
    ],
    ids=["large", "dots", "digits"],
)
def test_a_manifest_costs_its_server_nothing(extreme_server: Server, tmp_path: Path, manifest: str, said: str) -> None:
    (tmp_path / "bot.toml").write_text(manifest)
    before = processor_seconds(extreme_server)
    with pytest.raises(grpc.RpcError) as caught:
        extreme_server.submit("slow", pack(tmp_path), extreme_server.token("author"))
    assert (caught.value.code(), said in str(caught.value.details())) == (CODE.INVALID_ARGUMENT, True)
    assert processor_seconds(extreme_server) - before < SECONDS
