"""The places where the arena reads untrusted input: what is good there, and how to hand over what may not be.

A surface takes data and returns; it raises when the data was neither understood nor refused in the way that was
promised for it.
"""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

import grpc
import trio
from google.protobuf.message import DecodeError

import arena.cli
from arena.bench.server import Referee, open_referee
from arena.bots.archive import ArchiveError, pack, unpack
from arena.bots.directory import read_bot
from arena.plan.timetable import read_timetable
from arena.plan.tournament_file import beside, parse_plan, read_file
from arena.store.database import open_store, open_to_read
from arena.web.app import create_app
from arena.web.serving import serve
from referee import record
from referee.codec import ProtocolError
from referee.game import IllegalActionError
from referee.games import GAMES
from referee.mistakes import UserError
from referee.order import Ending
from referee.playout import play, random_chooser
from referee.record import RecordError, verify
from referee.rng import seeded
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
from referee.wire import wire_for
from tests.arena.web.filled_database import BOTS, QUITTER, FilledTournament
from tests.contract.case import OURS, load_case
from tests.fuzz import http2
from tests.fuzz.mutation import many
from tests.kept_folder import kept_folder
from tests.patience import patience

ROOT = Path(__file__).parent.parent.parent
RANDOM_BOT = ROOT / "sample_bots" / "python"
GOLDEN = ROOT / "tests" / "golden"
MAX_STEPS = 12  # of play before the decisions that answers are tried on


@dataclass(frozen=True, slots=True)
class Surface:
    """One place: examples of what is good, and a way to hand over some data; it raises where a promise is broken."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    take: Callable[[Sequence[bytes]], None]
    batch: int = 1
    """How many are handed over together, where that saves a start."""
    drawn: Callable[[int], Iterator[bytes]] | None = None
    """Inputs by a seed, where mutated examples would be too far from what can be understood."""

    def inputs(self, seed: int) -> Iterator[bytes]:
        """Yield inputs without end."""
        return many(seed, self.seeds()) if self.drawn is None else self.drawn(seed)


def one_by_one(take: Callable[[bytes], None]) -> Callable[[Sequence[bytes]], None]:
    """Return a way to hand over several, made of one for a single."""

    def all_of(items: Sequence[bytes]) -> None:
        for item in items:
            take(item)

    return all_of


# Files.

MANIFEST = b"""name = "random"
command = ["python3", "bot.py"]
games = ["toy", "norenberc"]
memory_mb = 256
concurrency = 4
build = ["make"]
"""
DOTTED = b"""name = "random"
[a.b."c d".e]
f.g . 'h' = { i.j = 0x7fff, k = [1.5, "l.m"] }
"""
TOURNAMENT = f"""name = "cup"
game = "toy"
seed = 7
rounds = 2
rating_rounds = 1
preset = "quick"
format = "swiss"
seats = 3
until = "07:00"
house_bots = ["{RANDOM_BOT}"]
anchors = {{ random = 1000 }}
time_control = {{ bank_ms = 1000, grace_ms = 0 }}
[[bot]]
path = "{RANDOM_BOT}"
name = "ann"
[[bot]]
path = "{RANDOM_BOT}"
name = "bob"
""".encode()
TIMETABLE = b"""zone = "Europe/Berlin"
[scheduled.cup]
at = "02:00"
until = "07:00"
days = "mon-fri"
game = "toy"
bots = ["*"]
rounds = 1
"""


@contextmanager
def folder() -> Iterator[Path]:
    """Give a directory for a moment."""
    made = Path(tempfile.mkdtemp(prefix="arena-fuzz-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def take_manifest(data: bytes) -> None:
    """A bot's manifest is read, or a UserError says why not."""
    with folder() as place:
        (place / "bot.toml").write_bytes(data)
        with refusing(UserError):
            read_bot(place)


def take_tournament(data: bytes) -> None:
    """A tournament file is read, or a UserError says why not."""
    with folder() as place:
        (place / "cup.toml").write_bytes(data)
        with refusing(UserError):
            parse_plan(read_file(place / "cup.toml"), beside(place))


def take_timetable(data: bytes) -> None:
    """A timetable is read, or a UserError says why not."""
    with folder() as place:
        (place / "scheduled.toml").write_bytes(data)
        with refusing(UserError):
            read_timetable(place / "scheduled.toml")


def take_archive(data: bytes) -> None:
    """An archive is unpacked inside its directory, or an ArchiveError says why not."""
    with folder() as place:
        (place / "in").mkdir()
        with refusing(ArchiveError):
            unpack(data, place / "in")
        assert os.listdir(place) == ["in"], "it wrote beside its directory"


def take_record(data: bytes) -> None:
    """A record verifies, or a RecordError says why not; also one whose seals were made to fit what was changed."""
    text = data.decode("utf-8", "replace")
    for each in (text, resealed(text)):
        with refusing(RecordError):
            verify(each)


def resealed(text: str) -> str:
    """Return a record with new seals, as a forger would make them."""
    seal, lines = "", []
    for line in text.split("\n"):
        body, mark, _ = line.rpartition(record.SEAL)
        if mark and line.isascii():
            seal = record._chain(seal, body + "}")
            line = f'{body}{mark}{seal}"}}'
        lines.append(line)
    return "\n".join(lines)


@contextmanager
def refusing(*kinds: type[Exception]) -> Iterator[None]:
    """Let a refusal of these kinds pass if it is one line that can be printed."""
    try:
        yield
    except kinds as error:
        text = str(error)
        assert text, "a refusal says what is wrong"
        assert "\n" not in text, f"a refusal is one line: {text!r}"


# Answers.


@cache
def decisions(slug: str) -> tuple[list[tuple[Any, int, Sequence[Any]]], list[bytes]]:
    """Return some states of a game with a seat that is asked, and good answers."""
    case = load_case(slug)
    game, wire = case.game, wire_for(GAMES[slug])
    asked, answers = [], []
    for number, configuration in enumerate(case.configurations[:3]):
        state, _ = game.begin(configuration.seats, number, game.options(configuration.options))
        for _step in zip(range(MAX_STEPS), play(game, state, random_chooser(seeded(number))), strict=False):
            for decision in game.pending(state):
                options = game.legal_actions(state, decision.seat)
                asked.append((game.clone(state), decision.seat, options))
                for action in (options[0], options[-1]):
                    answers.append(written_out(wire, slug, action))
    return asked[::3], answers


def written_out(wire: Any, slug: str, action: Any) -> bytes:
    """Return an answer with its action in full."""
    message = wire.codec.action.encode(action)
    answer = pb.Answer(match_id="m", prompt_id=1)
    if slug in pb.GameAction.DESCRIPTOR.fields_by_name:
        getattr(answer.action, slug).CopyFrom(message)
    else:
        answer.action.plug_in.Pack(message)
    return answer.SerializeToString()


def take_answer(slug: str, data: bytes) -> None:
    """An answer is understood and legal, or refused; a refused one leaves the state as it was."""
    game, wire = GAMES[slug], wire_for(GAMES[slug])
    try:
        answer = pb.Answer.FromString(data)
    except DecodeError:
        return
    for state, seat, options in decisions(slug)[0]:
        before = game.digest(state)
        with refusing(ProtocolError, IllegalActionError):
            game.check(state, seat, wire.chosen(answer, options))
        assert game.digest(state) == before, "checking has changed the state"


# A live stream.


def frames() -> list[bytes]:
    """Return frames that a bot may send."""
    found = [
        pb.BotMessage(hello=pb.Hello(ticket="fuzz", protocol_version=1)),
        pb.BotMessage(answer=pb.Answer(match_id="live", prompt_id=1, option_index=0)),
        pb.BotMessage(answer=pb.Answer(match_id="live", prompt_id=2, option_index=2**31 - 1)),
        *(pb.BotMessage(answer=pb.Answer.FromString(data)) for data in decisions("toy")[1][:4]),
    ]
    whole = pb.PlayRequest(messages=found[1:4])
    return [whole.SerializeToString(), *(pb.PlayRequest(messages=[each]).SerializeToString() for each in found)]


def take_frames(items: Sequence[bytes]) -> None:
    """A bot sends them, first instead of its hello and then in the middle of a match: the match ends as it should."""
    asyncio.run(_live(items))


async def _live(items: Sequence[bytes]) -> None:
    async with open_referee() as referee, asyncio.timeout(120):
        for ticket in ("honest", "fuzz"):
            referee.say("admit", {"ticket": ticket, "bot": ticket})
        async with grpc.aio.insecure_channel(referee.address) as channel:
            for item in items:
                stream = raw_stream(channel)
                await stream.write(item)
                stream.cancel()
        playing = asyncio.create_task(_honest(referee))
        disturbing = asyncio.create_task(_disturb(referee, items))
        result = await referee.match("live", "toy", ["honest", "fuzz"])
        for task in (playing, disturbing):
            task.cancel()
        await asyncio.gather(playing, disturbing, return_exceptions=True)
        assert result.ending is not Ending.VOIDED, result.reason
        assert result.seat_endings[0] is Ending.COMPLETED, "the other seat was harmed"
        verify(result.record)


def raw_stream(channel: Any) -> Any:
    """Open a stream on which bytes travel as they are."""
    return channel.stream_stream("/referee.v1.RefereeService/Play")()


async def _honest(referee: Referee) -> None:
    async with grpc.aio.insecure_channel(referee.address) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket="honest", protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                if message.WhichOneof("kind") == "prompt":
                    prompt = message.prompt
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))


async def _disturb(referee: Referee, items: Sequence[bytes]) -> None:
    hello = pb.PlayRequest(messages=[pb.BotMessage(hello=pb.Hello(ticket="fuzz", protocol_version=1))])
    async with grpc.aio.insecure_channel(referee.address) as channel:
        stream = raw_stream(channel)
        await stream.write(hello.SerializeToString())
        # The welcome and the beginning of the match may come in one frame, with the first question behind them.
        kinds: set[str | None] = set()
        while "match_started" not in kinds:
            kinds = {message.WhichOneof("kind") for message in pb.PlayResponse.FromString(await stream.read()).messages}
        for item in items:
            await stream.write(item)
        stream.cancel()


# Command lines and addresses.

COMMANDS = (
    "leaderboard --json", "bots list", "bots show ann", "tournament list", "tournament show cup --round 1",
    "tournament standings cup", "match show 3f", "match logs 3f --seat 1", "ledger verify --quiet",
    "ledger show --limit 3",
    "replay show 3f --step 2", "replay verify 3f", "games list", "tokens list", "ledger export",
    "analyse 3f --effort 1 --seat 0 --worlds luck", "bots report ann --tournament cup",
)  # fmt: skip
"""Words that are mutated; none of them starts anything that stays."""

STARTING = (
    "serve",
    "web",
    "demo",
    "play",
    "connect",
    "test",
    "run",
    "resume",
    "doctor",
    "bench",
    "watch",
    "submit",
    "check-bot",
)
ADDRESSES = (
    "/", "/overall", "/games/toy:1?all=1&sort=elo&order=desc&q=a&page=2", "/bots", "/bots/ann", "/tournaments",
    "/sign-in", "/tournaments/cup", "/tournaments/cup/live", "/tournaments/cup/rounds/1",
    "/tournaments/cup/cross-table", "/matches?before=3", "/compare?a=ann&b=bob", "/rules/norenberc",
    "/rules/norenberc/B4.1",
    "/matches/MATCH?step=2&seat=1", "/matches/MATCH/step?step=last&seat=spectator", "/matches/MATCH/record",
    "/matches/MATCH?find=1&who=1&kind=bid&fault=1&step=0", "/static/style.css",
)  # fmt: skip


@cache
def database() -> Path:
    """Return a database with a small tournament."""
    path = kept_folder("arena-fuzz") / "arena.db"
    store = open_store(path, create=True)
    FilledTournament(store, "cup", "toy", BOTS, 1).play_round(1, QUITTER)
    store.close()
    return path


def take_words(data: bytes) -> None:
    """The command line ends with an exit code of its own and never with a traceback."""
    words = [word.replace("\0", "") for word in data.decode("utf-8", "surrogateescape").split()]
    if not words or any(word in STARTING for word in words):
        return
    with folder() as place, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
        here, code = os.getcwd(), None
        os.chdir(place)
        shutil.copy(database(), place / "arena.db")
        try:
            with mock.patch.object(sys, "argv", ["arena", *words]):
                arena.cli.main()
        except SystemExit as ended:
            code = ended.code
        finally:
            os.chdir(here)
        assert code in (0, 1, 2), f"exit code {code}"
        assert "Traceback" not in said.getvalue(), said.getvalue()


def addresses() -> list[bytes]:
    """Return addresses of pages that are there."""
    store = open_to_read(database())
    match = store.matches.of("cup")[0].id
    store.close()
    return [address.replace("MATCH", match).encode() for address in ADDRESSES]


@cache
def site() -> Any:
    """Return the application of the small tournament."""
    return create_app(database())


def take_address(data: bytes) -> None:
    """A page answers, or says that it is not there; nothing ends in an internal error."""
    if b"/events" in data:
        return  # a stream has no end
    path, _, query = data.partition(b"?")
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "root_path": "", "headers": [],
        "path": "/" + path.decode("utf-8", "replace").lstrip("/"), "raw_path": path, "query_string": query,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    sent: list[Any] = []

    incoming = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not incoming:
            await asyncio.Event().wait()  # the reader stays to the end
        return incoming.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    async def visit() -> None:
        async with asyncio.timeout(60):
            await site()(scope, receive, send)

    asyncio.run(visit())
    assert sent[0]["status"] < 500, sent[-1]


HEADERS = b"Host: arena\r\nAccept-Encoding: gzip\r\nCookie: arena_session=x\r\n"
HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
GET_FRAME = bytes.fromhex("000006010500000001") + bytes.fromhex("828486410178")  # of /, by the tables of HPACK
DATA_FRAME = b"\0\0\3\0\1\0\0\0\1abc"
WINDOW_FRAME = b"\0\0\4\x08\0\0\0\0\0\0\0\xff\xff"
CONVERSATIONS = (
    b"GET / HTTP/1.1\r\n" + HEADERS + b"\r\n" + b"GET /bots HTTP/1.1\r\n" + HEADERS + b"\r\n",
    b"POST /sign-in HTTP/1.1\r\n" + HEADERS + b"Content-Length: 7\r\nExpect: 100-continue\r\n\r\ntoken=x",
    b"POST /sign-in HTTP/1.1\r\n" + HEADERS + b"Transfer-Encoding: chunked\r\n\r\n7\r\ntoken=x\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HEADERS + b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HEADERS + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    HTTP_2 + GET_FRAME + WINDOW_FRAME,
    HTTP_2 + GET_FRAME.replace(b"\x82", b"\x83").replace(b"\1\5", b"\1\4") + DATA_FRAME,
)  # fmt: skip
ANSWER_SECONDS = 0.3  # within which a connection has to be answered or ended


def take_conversations(items: Sequence[bytes]) -> None:
    """Whatever a client of the page sends, its connection is closed in time and the next client is served."""

    async def converse(port: int, data: bytes) -> None:
        with suppress(OSError, trio.BrokenResourceError):
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                await stream.send_all(data)
                while await stream.receive_some(1 << 16):
                    pass

    async def main() -> None:
        stop = trio.Event()
        with trio.fail_after(patience(24)):
            async with trio.open_nursery() as nursery:
                listening = partial(serve, create_app(database()), "127.0.0.1:0", shutdown=stop.wait)
                (address,) = await nursery.start(listening)
                port = int(address.rpartition(":")[2])
                async with trio.open_nursery() as clients:
                    for item in items:
                        clients.start_soon(converse, port, item)
                served = b""
                for _attempt in range(20):  # on a busy machine a slow request may be taken for an idle connection
                    with suppress(OSError, trio.BrokenResourceError):
                        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                            await stream.send_all(b"GET / HTTP/1.0\r\n\r\n")
                            served = bytes(await stream.receive_some(12))
                    if served:
                        break
                assert served == b"HTTP/1.1 200", "others are not served any more"
                stop.set()

    with mock.patch.multiple("arena.web.serving", IDLE_SECONDS=ANSWER_SECONDS, SILENT_SECONDS=1):
        trio.run(main)


def records(slug: str) -> list[bytes]:
    """Return the golden records of a game."""
    return [file.read_bytes() for file in sorted(GOLDEN.glob(f"{slug}*.jsonl"))]


def archives() -> list[bytes]:
    """Return the sample bot, packed in both ways."""
    with folder() as place:
        zipped = shutil.make_archive(str(place / "bot"), "zip", RANDOM_BOT)
        return [pack(RANDOM_BOT), Path(zipped).read_bytes()]


SURFACES = {
    surface.name: surface
    for surface in (
        Surface("frames", frames, take_frames, 40),
        *(
            Surface(f"answers-{slug}", lambda slug=slug: decisions(slug)[1], one_by_one(partial(take_answer, slug)))  # type: ignore[misc] # bound now
            for slug in OURS
        ),
        *(Surface(f"records-{slug}", partial(records, slug), one_by_one(take_record)) for slug in OURS),
        Surface("manifests", lambda: [MANIFEST, DOTTED], one_by_one(take_manifest)),
        Surface("tournaments", lambda: [TOURNAMENT, DOTTED], one_by_one(take_tournament)),
        Surface("timetables", lambda: [TIMETABLE], one_by_one(take_timetable)),
        Surface("archives", archives, one_by_one(take_archive)),
        Surface("words", lambda: [command.encode() for command in COMMANDS], one_by_one(take_words)),
        Surface("addresses", addresses, one_by_one(take_address)),
        Surface("conversations", lambda: CONVERSATIONS, take_conversations, 40),
        Surface("http2", http2.conversations, http2.take_conversations, 400, http2.drawn),
    )
}
