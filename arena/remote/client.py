"""The client of a server: one connection, its calls, and errors as one clear line."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import grpc

from arena.plan.correcting import Disqualified, VoidMatch
from arena.plan.schedules.schedule import SWISS_ORDER, OrderWords
from arena.plan.test_request import TestQuestion
from arena.remote.address import ServerAddress
from arena.remote.messages import unpack
from arena.remote.questions import packed_terms
from arena.reports.bot import BotReport, BotSummary
from arena.reports.compare import CompareReport
from arena.reports.leaderboard import Leaderboard, OverallLine, PoolBoard
from arena.reports.match import MatchFacts
from arena.reports.standings import StandingLine
from arena.reports.test_report import TestLine, TestReport
from arena.reports.tournament import TournamentSummary
from arena.store.rows import Results
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from referee.mistakes import UserError

CHUNK = 64 << 10
CALL_SECONDS = 60.0
SUBMIT_SECONDS = 900.0
OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # Despite its name, gRPC uses it as the timeout of the server's side of the handshake.
    ("grpc.min_reconnect_backoff_ms", 20_000),
)


class ServerError(UserError):
    """A server refused a call or cannot be reached; the message is one line."""

    def __init__(self, line: str, code: grpc.StatusCode) -> None:
        super().__init__(line)
        self.code = code


def open_channel(server: ServerAddress) -> grpc.Channel:
    """Connect: with TLS if others could listen or a certificate is given, plain on this machine."""
    credentials = credentials_for(server)
    if credentials is None:
        return grpc.insecure_channel(server.address, options=OPTIONS)
    return grpc.secure_channel(server.address, credentials, options=OPTIONS)


def credentials_for(server: ServerAddress) -> grpc.ChannelCredentials | None:
    """Return the channel credentials of a server; None for plain text."""
    if server.tls_ca is None and (server.is_local or server.allow_plaintext):
        return None
    roots = None
    if server.tls_ca is not None:
        try:
            roots = server.tls_ca.read_bytes()
        except OSError as error:
            raise UserError(f"tls_ca: {server.tls_ca} cannot be read: {error.strerror}") from None
    return grpc.ssl_channel_credentials(roots)


@contextmanager
def connect(server: ServerAddress) -> Iterator[Client]:
    """Yield a client of a server; a ServerError carries its refusal, or says that it cannot be reached."""
    with open_channel(server) as channel:
        try:
            yield Client(rpc.ArenaServiceStub(channel), server)
        except grpc.RpcError as error:
            raise ServerError(_said(server, error), error.code()) from None


def _words(found: Any) -> OrderWords:
    """Return a server's description of an order; an older server knows only the Swiss order."""
    return unpack(found.order, OrderWords) if found.HasField("order") else SWISS_ORDER


def _said(server: ServerAddress, error: Any) -> str:
    code, detail = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE and "shutting down" not in detail:
        return f"server: {server.address} cannot be reached: {detail}"
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return f"token: {detail}" if server.token else "token: missing; expected your token, preferably in ARENA_TOKEN"
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return f"server: {server.address} is not an arena server: {detail}"
    return detail or f"server: {code.name}"


class Client:
    """A server's calls, in terms of the arena's own values."""

    def __init__(self, stub: Any, server: ServerAddress) -> None:
        self.stub = stub
        self.metadata = (("authorization", f"Bearer {server.token}"),) if server.token else ()

    def _call(self, method: str, request: Any = None, *, seconds: float | None = CALL_SECONDS, **fields: Any) -> Any:
        """Make a call, with a request of these fields unless one is given."""
        asked = getattr(pb, f"{method}Request")(**fields) if request is None else request
        return getattr(self.stub, method)(asked, metadata=self.metadata, timeout=seconds)

    def submit(self, name: str, content: bytes) -> pb.SubmitBotResponse:
        """Submit an archive and return the outcome."""

        def parts() -> Iterator[pb.SubmitBotRequest]:
            digest = sha256(content).hexdigest()
            manifest = pb.SubmissionManifest(name=name, archive_size=len(content), archive_sha256=digest)
            yield pb.SubmitBotRequest(manifest=manifest)
            for start in range(0, len(content), CHUNK):
                yield pb.SubmitBotRequest(chunk=content[start : start + CHUNK])

        response: pb.SubmitBotResponse = self._call("SubmitBot", parts(), seconds=SUBMIT_SECONDS)
        return response

    def bots(self) -> list[BotSummary]:
        """Return all bots."""
        return [unpack(bot, BotSummary) for bot in self._call("ListBots").bots]

    def bot(self, name: str, last: int) -> BotReport:
        """Return the report of a bot."""
        return unpack(self._call("GetBot", name=name, last=last).bot, BotReport)

    def retire(self, name: str) -> None:
        """Retire a bot."""
        self._call("RetireBot", name=name)

    def connect(self, name: str, games: tuple[str, ...], concurrency: int, public_key: str = "") -> pb.ConnectResponse:
        """Enter a bot that runs here and return its address and ticket."""
        entered: pb.ConnectResponse = self._call(
            "Connect", name=name, games=games, concurrency=concurrency, public_key=public_key
        )
        return entered

    def start(self, toml: str) -> pb.StartTournamentResponse:
        """Start a tournament."""
        started: pb.StartTournamentResponse = self._call("StartTournament", toml=toml)
        return started

    def stop(self, tournament: str) -> None:
        """Stop a tournament."""
        self._call("StopTournament", tournament=tournament)

    def enter(self, tournament: str, bot: str) -> tuple[str, int]:
        """Let a bot join a tournament; return its label and the first round that it plays."""
        entered = self._call("EnterBot", tournament=tournament, bot=bot)
        return entered.bot, entered.round

    def add_nonce(self, tournament: str, source: str, value: str) -> list[str]:
        """Give a value for the seed of a tournament; return the sources that it still waits for."""
        return list(self._call("AddNonce", tournament=tournament, source=source, value=value).missing)

    def withdraw(self, tournament: str, bot: str) -> tuple[str, int]:
        """Withdraw a bot from a tournament; return its label and the first round without it."""
        gone = self._call("WithdrawBot", tournament=tournament, bot=bot)
        return gone.bot, gone.round

    def disqualify(self, tournament: str, bot: str, results: Results, reason: str) -> Disqualified:
        """Disqualify a bot from a tournament."""
        response = self._call("DisqualifyBot", tournament=tournament, bot=bot, results=results, reason=reason)
        found = unpack(response, Disqualified)
        return dataclasses.replace(found, results=Results(found.results))

    def void(self, match_ids: Sequence[str], reason: str) -> list[VoidMatch]:
        """Void matches: all, or none if one of them cannot be voided."""
        found = self._call("VoidMatches", match_ids=match_ids, reason=reason).matches
        return [unpack(each, VoidMatch) for each in found]

    def tournaments(self) -> list[TournamentSummary]:
        """Return all tournaments."""
        return [unpack(each, TournamentSummary) for each in self._call("ListTournaments").tournaments]

    def standings(self, tournament: str) -> tuple[OrderWords, tuple[StandingLine, ...]]:
        """Return the name and method of a tournament's order, and the standings."""
        found = self._call("GetStandings", tournament=tournament)
        return _words(found), tuple(unpack(line, StandingLine) for line in found.lines)

    def watch(self, tournament: str) -> Iterator[pb.WatchTournamentResponse]:
        """Yield a tournament's events until it ends."""
        yield from self._call("WatchTournament", tournament=tournament, seconds=None)

    def leaderboard(self, games: tuple[str, ...], tournament: str | None, *, all_versions: bool) -> Leaderboard:
        """Return the boards, the overall list, and a tournament's order."""
        found = self._call("GetLeaderboard", games=games, tournament=tournament, all_versions=all_versions)
        return Leaderboard(
            [unpack(board, PoolBoard) for board in found.boards],
            [unpack(line, OverallLine) for line in found.overall],
            tuple(unpack(line, StandingLine) for line in found.swiss_order),
            _words(found),
        )

    def compare(self, a: str, b: str, games: tuple[str, ...], alpha: str) -> CompareReport:
        """T15: compare two bots."""
        return unpack(self._call("CompareBots", a=a, b=b, games=games, alpha=alpha).report, CompareReport)

    def start_test(
        self, new: str, old: str, question: TestQuestion, fillers: Sequence[str] | None
    ) -> tuple[TestReport, bool]:
        """T14: start a test; return its state, and whether it was open before."""
        started = self._call("StartTest", terms=packed_terms(new, old, question, fillers))
        return unpack(started.report, TestReport), started.is_resumed

    def watch_test(self, test: str) -> Iterator[TestReport]:
        """T14: yield a test's state until it ends."""
        for response in self._call("WatchTest", test=test, seconds=None):
            yield unpack(response.report, TestReport)

    def abandon_test(self, new: str, old: str, question: TestQuestion, fillers: Sequence[str] | None) -> TestReport:
        """T17.3: end a test without a verdict; return its last state."""
        ended = self._call("AbandonTest", terms=packed_terms(new, old, question, fillers))
        return unpack(ended.report, TestReport)

    def tests(self) -> list[TestLine]:
        """T17: return the tests that the caller may see."""
        return [unpack(each, TestLine) for each in self._call("ListTests").tests]

    def match(self, match_id: str) -> MatchFacts:
        """Return the facts about a match beside its record."""
        return unpack(self._call("GetMatch", match_id=match_id).facts, MatchFacts)

    def replay(self, match_id: str) -> str:
        """Return a match's record."""
        record: str = self._call("GetReplay", match_id=match_id).record
        return record

    def ledger(self) -> Iterator[str]:
        """Yield the ledger in chunks."""
        for piece in self._call("ExportLedger", seconds=None):
            yield piece.lines
