"""The service: what each call of arena.v1 does, which roles may make it, and how it is refused."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, TypeVar

import grpc
import trio
from google.protobuf.message import DecodeError, Message

from arena.bots.archive import LIMITS, ArchiveError
from arena.plan import correcting
from arena.remote.messages import pack, state_of
from arena.remote.questions import read_terms
from arena.reports.bot import bots, queued, report
from arena.reports.compare import compare_bots, read_rate
from arena.reports.leaderboard import gather
from arena.reports.match import facts_of
from arena.reports.reader import Reader
from arena.reports.standings import order_words, standings
from arena.reports.test_report import list_of_tests
from arena.reports.tournament import forecast_of, summary
from arena.sandbox.levels import SandboxError
from arena.server.bridge import DONE, Call, CallStatus
from arena.server.build_queue import MAX_OF_ONE, QueueFullError
from arena.server.limits import Limiter, Rate
from arena.server.remote import RemoteBots
from arena.server.submissions import NotYoursError, QuotaError, SmokeError, Submissions, check_owner
from arena.server.tests import Tests
from arena.server.tournaments import OVER, BusyError, TooManyError, Tournaments
from arena.store import token_secrets
from arena.store.database import Store, open_to_read
from arena.store.rows import Results, StoredMatch
from arena.store.tokens import Role, Token
from arena.v1 import arena_pb2 as pb
from ratings.ledger.chain import LedgerError, export_lines
from ratings.sequential.test import DEFAULT_ERROR
from referee.logs import log
from referee.mistakes import NotFoundError, UserError

SERVICE = "arena.v1.ArenaService"
REQUESTS = Rate(burst=60, per_second=20)  # of one token
SUBMISSIONS = Rate(burst=10, per_second=0.1)  # of one token
FAILURES = Rate(burst=20, per_second=0.5)  # without a valid token, of one address
MAX_CALLS = 32  # open, of one token
MAX_UPLOADS = 24  # open, of all authors: each may hold a whole archive in memory
UPLOAD_SECONDS = 300.0  # for a whole archive, however slowly it arrives
LARGEST_CHUNK = 256 << 10
PATIENCE_SECONDS = 30.0  # for the client's next message
LONGEST_REASON = 1_000
EXPORT_CHUNK = 256 << 10
MAX_LAST = 1_000
MAX_VOIDS = 10_000

M = TypeVar("M", bound=Message)
T = TypeVar("T")

EVERYBODY = frozenset(Role)
AUTHORS = frozenset((Role.AUTHOR, Role.ORGANISER))
ORGANISERS = frozenset((Role.ORGANISER,))
Code = grpc.StatusCode


class RefusalError(Exception):
    """A call is refused with this status and one line."""

    def __init__(self, code: grpc.StatusCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


STATUS_OF: Mapping[type[Exception], grpc.StatusCode] = {
    SandboxError: Code.FAILED_PRECONDITION,  # before UserError, which it is too
    NotFoundError: Code.NOT_FOUND,  # likewise
    UserError: Code.INVALID_ARGUMENT,
    ArchiveError: Code.INVALID_ARGUMENT,
    DecodeError: Code.INVALID_ARGUMENT,
    NotYoursError: Code.PERMISSION_DENIED,
    QueueFullError: Code.RESOURCE_EXHAUSTED,
    QuotaError: Code.RESOURCE_EXHAUSTED,
    BusyError: Code.FAILED_PRECONDITION,
    TooManyError: Code.RESOURCE_EXHAUSTED,
    LedgerError: Code.FAILED_PRECONDITION,
    trio.TooSlowError: Code.DEADLINE_EXCEEDED,
}
SAID_OF: Mapping[type[Exception], str] = {
    DecodeError: "the request is not a message of this call",
    trio.TooSlowError: f"no message for {PATIENCE_SECONDS:.0f} seconds",
}


@dataclass(slots=True, eq=False)
class Service:
    """The state behind the calls; the service itself keeps only rate limits."""

    store: Store
    db: Path
    submissions: Submissions
    tournaments: Tournaments
    tests: Tests
    remote: RemoteBots
    public_address: str = ""
    requests: Limiter = field(default_factory=lambda: Limiter(REQUESTS))
    uploads: Limiter = field(default_factory=lambda: Limiter(SUBMISSIONS))
    failures: Limiter = field(default_factory=lambda: Limiter(FAILURES))
    calls: Counter[str] = field(default_factory=Counter)
    uploading: Counter[str] = field(default_factory=Counter)
    reader: Reader = field(init=False)

    def __post_init__(self) -> None:
        self.reader = Reader(self.db)

    async def answer(self, call: Call) -> CallStatus:
        """Handle a call from its first message to its status."""
        method = METHODS[call.method]
        token: Token | None = None
        try:
            token = await self._authenticate(call)
            call.admit()
            _take_permit(self.requests, token.id)
            if token.role not in method.roles:
                allowed = ", ".join(sorted(method.roles))
                raise RefusalError(
                    Code.PERMISSION_DENIED,
                    f"role {token.role} may not call {call.method}; expected one of: {allowed}",
                )
            with self._counted(token):
                await method.answer(self, call, token)
        except Exception as error:
            code, reason = _refusal(error)
            if code is Code.INTERNAL:
                log.exception("call.failed", method=call.method, token=token and token.id)
            else:
                log.info(
                    "call.refused",
                    method=call.method,
                    client=call.client,
                    token=token and token.id,
                    code=code.name,
                    reason=reason,
                )
            return code, reason
        return DONE

    async def _authenticate(self, call: Call) -> Token:
        kind, _, text = call.metadata.get("authorization", "").partition(" ")
        found = None
        if kind.lower() == "bearer" and text:
            found = await trio.to_thread.run_sync(token_secrets.find, self.store, text.strip())
        if found is None:
            _take_permit(self.failures, call.client)
            reason = "invalid token" if text else "no token; expected the metadata authorization: Bearer TOKEN"
            raise RefusalError(Code.UNAUTHENTICATED, reason)
        return found

    @contextmanager
    def _counted(self, token: Token) -> Iterator[None]:
        if self.calls[token.id] >= MAX_CALLS:
            raise RefusalError(Code.RESOURCE_EXHAUSTED, f"this token already has {MAX_CALLS} open calls")
        self.calls[token.id] += 1
        try:
            yield
        finally:
            self.calls[token.id] -= 1
            if not self.calls[token.id]:
                del self.calls[token.id]


def _refusal(error: Exception) -> tuple[grpc.StatusCode, str]:
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        (error,) = error.exceptions
    if isinstance(error, RefusalError):
        return error.code, _one_line(str(error))
    for kind, code in STATUS_OF.items():
        if isinstance(error, kind):
            return code, SAID_OF.get(kind) or _one_line(str(error))
    return Code.INTERNAL, "internal error; see the server log"


def _one_line(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))
    return shown if len(shown) <= LONGEST_REASON else f"{shown[:LONGEST_REASON]}…"


def _take_permit(limiter: Limiter, client: str) -> None:
    seconds = limiter.wait_seconds(client)
    if seconds:
        raise RefusalError(Code.RESOURCE_EXHAUSTED, f"too many requests; retry in {seconds:.1f} s")


async def _receive(call: Call, kind: type[M]) -> M | None:
    with trio.fail_after(PATIENCE_SECONDS):
        data = await call.receive()
    return None if data is None else kind.FromString(data)


async def _request(call: Call, kind: type[M]) -> M:
    request = await _receive(call, kind)
    if request is None:
        raise RefusalError(Code.INVALID_ARGUMENT, "the request is missing")
    return request


async def _read(function: Callable[..., T], *arguments: object) -> T:
    return await trio.to_thread.run_sync(partial(function, *arguments))


# Bots.


async def submit_bot(service: Service, call: Call, token: Token) -> None:
    """Receive an archive and accept it as a version."""
    _take_permit(service.uploads, token.id)
    if service.uploading[token.name] >= MAX_OF_ONE:
        raise QueueFullError(f"you already have {MAX_OF_ONE} submissions in progress")
    if service.uploading.total() >= MAX_UPLOADS:
        raise RefusalError(Code.RESOURCE_EXHAUSTED, f"{MAX_UPLOADS} submissions are in progress; try again in a moment")
    service.uploading[token.name] += 1
    try:
        first = await _request(call, pb.SubmitBotRequest)
        if first.WhichOneof("part") != "manifest":
            raise RefusalError(Code.INVALID_ARGUMENT, "the first message must be a manifest")
        manifest = first.manifest
        await _read(check_owner, service.store, manifest.name, token.name)
        with trio.move_on_after(UPLOAD_SECONDS) as patience:
            content = await _archive(call, manifest)
        if patience.cancelled_caught:
            raise RefusalError(Code.DEADLINE_EXCEEDED, f"upload exceeded {UPLOAD_SECONDS:.0f} seconds")
        accepted = await service.submissions.accept(content, manifest.name, token.name)
        response = pb.SubmitBotResponse(accepted=pack(accepted, pb.AcceptedVersion()))
    except SmokeError as error:
        refused = pb.RefusedVersion(reason=_one_line(str(error)), game=error.game, output=error.output)
        response = pb.SubmitBotResponse(refused=refused)
        log.info("bot.refused", bot=manifest.name, author=token.name, reason=str(error))
    finally:
        service.uploading[token.name] -= 1
        service.uploading += Counter()  # drops zero counts
    await call.send(response.SerializeToString())


async def _archive(call: Call, manifest: pb.SubmissionManifest) -> bytes:
    size = manifest.archive_size
    if size > LIMITS.packed_bytes:
        raise RefusalError(
            Code.RESOURCE_EXHAUSTED, f"archive_size: {size} bytes exceed the limit of {LIMITS.packed_bytes}"
        )
    content = bytearray()
    while (part := await _receive(call, pb.SubmitBotRequest)) is not None:
        if part.WhichOneof("part") != "chunk":
            raise RefusalError(Code.INVALID_ARGUMENT, "expected chunks of the archive after the manifest")
        if len(part.chunk) > LARGEST_CHUNK:
            raise RefusalError(
                Code.INVALID_ARGUMENT, f"chunk: {len(part.chunk)} bytes exceed the limit of {LARGEST_CHUNK}"
            )
        content += part.chunk
        if len(content) > size:
            raise RefusalError(Code.INVALID_ARGUMENT, f"archive_size: more than the {size} bytes announced")
    if len(content) < size:
        raise RefusalError(Code.INVALID_ARGUMENT, f"archive_size: received {len(content)} of {size} bytes")
    digest = sha256(content).hexdigest()
    if digest != manifest.archive_sha256.lower():
        raise RefusalError(Code.INVALID_ARGUMENT, f"archive_sha256: the archive has {digest}, not the digest announced")
    return bytes(content)


async def list_bots(service: Service, call: Call, token: Token) -> None:
    """Send the list of bots; queued submissions only to their author and to organisers."""
    await _request(call, pb.ListBotsRequest)
    found = await _read(bots, service.reader.store)
    queue = service.submissions.queue.of(None if token.role is Role.ORGANISER else token.name)
    found += [queued(ticket.name, ticket.author, is_being_built=ticket.has_turn.is_set()) for ticket in queue]
    response = pb.ListBotsResponse(bots=[pack(bot, pb.BotSummary()) for bot in found])
    await call.send(response.SerializeToString())


async def get_bot(service: Service, call: Call, token: Token) -> None:
    """Send a bot's report; its output only to its author and to organisers."""
    request = await _request(call, pb.GetBotRequest)
    last = request.last if request.HasField("last") else 10
    if not 1 <= last <= MAX_LAST:
        raise RefusalError(Code.INVALID_ARGUMENT, f"last: {last} is not allowed; expected 1 to {MAX_LAST}")
    found = await _read(report, service.reader.store, request.name, last)
    message = pack(found, pb.BotReport())
    if not token.speaks_for(found.author):
        for forfeit in message.forfeits:
            forfeit.output = ""
    await call.send(pb.GetBotResponse(bot=message).SerializeToString())


async def retire_bot(service: Service, call: Call, token: Token) -> None:
    """Retire one of the caller's own bots, or any bot for an organiser."""
    request = await _request(call, pb.RetireBotRequest)
    author = await _read(service.store.bots.author_of, request.name)
    if not token.speaks_for(author):
        raise NotYoursError(f"bot: {request.name!r} is not yours")
    await _read(service.store.bots.set_retired, request.name, True)
    log.info("bot.retired", bot=request.name, by=token.name)
    await call.send(pb.RetireBotResponse(name=request.name).SerializeToString())


async def connect(service: Service, call: Call, token: Token) -> None:
    """Enter a remote bot and return its ticket."""
    request = await _request(call, pb.ConnectRequest)
    concurrency = request.concurrency or 1
    label = await service.submissions.enter_remote(request.name, tuple(request.games), concurrency, token.name)
    ticket = service.remote.connect(label, token.id)
    log.info("bot.admitted", bot=label, author=token.name)
    response = pb.ConnectResponse(label=label, address=service.public_address, ticket=ticket)
    await call.send(response.SerializeToString())


# Tournaments.


async def start_tournament(service: Service, call: Call, token: Token) -> None:
    """Start a tournament inside this program."""
    request = await _request(call, pb.StartTournamentRequest)
    plan = await service.tournaments.start(request.toml, token.name)
    response = pb.StartTournamentResponse(tournament=plan.name, bots=[bot.label for bot in plan.bots])
    await call.send(response.SerializeToString())


async def stop_tournament(service: Service, call: Call, token: Token) -> None:
    """Ask a tournament to stop."""
    request = await _request(call, pb.StopTournamentRequest)
    await _read(service.tournaments.stop, request.tournament)
    await call.send(pb.StopTournamentResponse(tournament=request.tournament).SerializeToString())


async def enter_bot(service: Service, call: Call, token: Token) -> None:
    """Let a bot join a tournament."""
    request = await _request(call, pb.EnterBotRequest)
    label, number = await _read(service.tournaments.enter, request.tournament, request.bot)
    await call.send(pb.EnterBotResponse(bot=label, round=number).SerializeToString())


async def withdraw_bot(service: Service, call: Call, token: Token) -> None:
    """Take a bot out of a tournament."""
    request = await _request(call, pb.WithdrawBotRequest)
    label, number = await _read(service.tournaments.withdraw, request.tournament, request.bot)
    await call.send(pb.WithdrawBotResponse(bot=label, round=number).SerializeToString())


async def disqualify_bot(service: Service, call: Call, token: Token) -> None:
    """Disqualify a bot from a tournament, in the name of the token's holder."""
    request = await _request(call, pb.DisqualifyBotRequest)
    if request.results not in tuple(Results):
        raise RefusalError(
            Code.INVALID_ARGUMENT, f"results: {request.results!r} is not allowed; expected one of: {', '.join(Results)}"
        )
    found = await _read(
        correcting.disqualify_bot, service.store, request.tournament, request.bot, Results(request.results),
        request.reason, token.name,
    )  # fmt: skip
    log.info("bot.disqualified", bot=request.bot, tournament=request.tournament, by=token.name)
    await call.send(pack(found, pb.DisqualifyBotResponse()).SerializeToString())


async def void_matches(service: Service, call: Call, token: Token) -> None:
    """Void matches, in the name of the token's holder."""
    request = await _request(call, pb.VoidMatchesRequest)
    if not 1 <= len(request.match_ids) <= MAX_VOIDS:
        raise RefusalError(
            Code.INVALID_ARGUMENT,
            f"match_ids: {len(request.match_ids)} ids; expected 1 to {MAX_VOIDS}",
        )
    found = await _read(correcting.void_matches, service.store, request.match_ids, request.reason, token.name)
    log.info("matches.voided", matches=len(found), by=token.name)
    response = pb.VoidMatchesResponse(matches=[pack(each, pb.VoidMatch()) for each in found])
    await call.send(response.SerializeToString())


async def list_tournaments(service: Service, call: Call, token: Token) -> None:
    """Send the list of tournaments."""
    await _request(call, pb.ListTournamentsRequest)

    def read() -> list[pb.TournamentSummary]:
        store = service.reader.store
        return [pack(summary(store, stored), pb.TournamentSummary()) for stored in store.tournaments.all()]

    response = pb.ListTournamentsResponse(tournaments=await _read(read))
    await call.send(response.SerializeToString())


async def get_standings(service: Service, call: Call, token: Token) -> None:
    """Send the standings."""
    request = await _request(call, pb.GetStandingsRequest)
    store = service.reader.store
    stored = await _read(store.tournaments.find, request.tournament)
    lines = await _read(standings, store, stored)
    words = pack(order_words(stored.settings), pb.OrderWords())
    response = pb.GetStandingsResponse(lines=[pack(line, pb.StandingLine()) for line in lines], order=words)
    await call.send(response.SerializeToString())


async def watch_tournament(service: Service, call: Call, token: Token) -> None:
    """Send a tournament's state, then its events while it runs here and the token is valid."""
    request = await _request(call, pb.WatchTournamentRequest)
    following = service.tournaments.running.get(request.tournament, OVER)
    is_ended = following is OVER
    with following.follow() as events:  # before reading the state, so that no event is missed
        stored = await _read(service.reader.store.tournaments.find, request.tournament)
        status = pb.TournamentStatus(tournament=stored.id, state=state_of(stored.state), reason=stored.reason)
        await call.send(pb.WatchTournamentResponse(status=status).SerializeToString())
        expected = await _read(forecast_of, service.reader.store, stored)
        if expected is not None:
            await call.send(pb.WatchTournamentResponse(forecast=pack(expected, pb.Forecast())).SerializeToString())
        async for event in events:
            await _still_good(service, token)
            await call.send(event.SerializeToString())
            is_ended = event.WhichOneof("event") == "status"
    if not is_ended:
        raise RefusalError(Code.RESOURCE_EXHAUSTED, "client too slow: events were lost")


async def _still_good(service: Service, token: Token) -> None:
    if not await _read(token_secrets.is_good, service.store, token.id):
        raise RefusalError(Code.UNAUTHENTICATED, "the token was revoked")


# Results.


async def get_leaderboard(service: Service, call: Call, token: Token) -> None:
    """Send the leaderboards."""
    request = await _request(call, pb.GetLeaderboardRequest)
    tournament = request.tournament if request.HasField("tournament") else None

    def read() -> pb.GetLeaderboardResponse:
        found = gather(
            service.reader.store,
            service.reader.fit,
            tuple(request.games),
            tournament,
            all_versions=request.all_versions,
        )
        return pb.GetLeaderboardResponse(
            boards=[pack(board, pb.PoolBoard()) for board in found.boards],
            overall=[pack(line, pb.OverallLine()) for line in found.overall],
            swiss_order=[pack(line, pb.StandingLine()) for line in found.swiss],
            order=pack(found.words, pb.OrderWords()),
        )

    await call.send((await _read(read)).SerializeToString())


async def compare(service: Service, call: Call, token: Token) -> None:
    """T15: send the comparison of two bots."""
    request = await _request(call, pb.CompareBotsRequest)
    alpha = read_rate(request.alpha) if request.alpha else DEFAULT_ERROR
    found = await _read(compare_bots, service.reader.store, request.a, request.b, tuple(request.games), alpha)
    await call.send(pb.CompareBotsResponse(report=pack(found, pb.CompareReport())).SerializeToString())


# Tests.


async def start_test(service: Service, call: Call, token: Token) -> None:
    """Start a test, or return the open one."""
    terms = (await _request(call, pb.StartTestRequest)).terms
    report, is_resumed = await service.tests.start(
        terms.new_bot, terms.old_bot, read_terms(terms), tuple(terms.fillers), token
    )
    response = pb.StartTestResponse(report=pack(report, pb.TestReport()), is_resumed=is_resumed)
    await call.send(response.SerializeToString())


async def abandon_test(service: Service, call: Call, token: Token) -> None:
    """End a test without a verdict."""
    terms = (await _request(call, pb.AbandonTestRequest)).terms
    report = await service.tests.abandon(terms.new_bot, terms.old_bot, read_terms(terms), token)
    await call.send(pb.AbandonTestResponse(report=pack(report, pb.TestReport())).SerializeToString())


async def list_tests(service: Service, call: Call, token: Token) -> None:
    """Send the caller's tests, or all of them to an organiser."""
    await _request(call, pb.ListTestsRequest)
    found = await _read(list_of_tests, service.reader.store, None if token.role is Role.ORGANISER else token.name)
    response = pb.ListTestsResponse(tests=[pack(line, pb.TestLine()) for line in found])
    await call.send(response.SerializeToString())


async def watch_test(service: Service, call: Call, token: Token) -> None:
    """Send a test's report, again after every block while it is played here and the token is valid."""
    request = await _request(call, pb.WatchTestRequest)
    test, verdict = await _read(service.tests.find, request.test)
    if not await _read(service.tests.may_follow, test, token):
        raise NotYoursError(f"test: {request.test!r} does not test your bots")
    playing = service.tests.playing.get(test.id)
    if playing is None:
        report = await _read(service.tests.report, test, verdict)
        await call.send(pb.WatchTestResponse(report=pack(report, pb.TestReport())).SerializeToString())
        return
    is_over = False
    while not is_over:
        # Taken before sending, so that no block is missed.
        changed, is_over = playing.changed, playing.ended.is_set()
        response = pb.WatchTestResponse(report=pack(playing.latest, pb.TestReport()))
        await call.send(response.SerializeToString())
        if not is_over:
            await changed.wait()
            await _still_good(service, token)
    if playing.fault:
        raise BusyError(f"test: {playing.fault}")


async def get_match(service: Service, call: Call, token: Token) -> None:
    """Send the facts of a match; output of its bots only to their authors and to organisers."""
    request = await _request(call, pb.GetMatchRequest)

    def read() -> pb.MatchFacts:
        store = service.reader.store
        match = _settled(store, request.match_id)
        message = pack(facts_of(store, match), pb.MatchFacts())
        for seat in message.seats:
            if not token.speaks_for(store.bots.author_of(seat.bot.rpartition("@")[0])):
                seat.ClearField("output")
        return message

    facts = await _read(read)
    await call.send(pb.GetMatchResponse(facts=facts).SerializeToString())


async def get_replay(service: Service, call: Call, token: Token) -> None:
    """Send a record once its round is closed."""
    request = await _request(call, pb.GetReplayRequest)

    def read() -> tuple[str, str]:
        store = service.reader.store
        match = _settled(store, request.match_id)
        return match.id, store.matches.record(match.id)

    match_id, record = await _read(read)
    await call.send(pb.GetReplayResponse(match_id=match_id, record=record).SerializeToString())


def _settled(store: Store, match_id: str) -> StoredMatch:
    """Return a match; a RefusalError while its round or test is open."""
    match = store.matches.find(match_id)
    if not store.matches.is_settled(match):
        # Other games of the same table may share its seed, and a test's seeds follow from its id: a bot could look up
        # hidden information.
        what = f"round {match.round}" if store.tournaments.is_listed(match.tournament) else "test"
        raise RefusalError(Code.FAILED_PRECONDITION, f"match: its {what} is still being played")
    return match


async def export_ledger(service: Service, call: Call, token: Token) -> None:
    """Send a snapshot of the chain in pieces; seeds still in use go to organisers only."""
    await _request(call, pb.ExportLedgerRequest)
    async with _exported(service.db, is_whole=token.role is Role.ORGANISER) as file:
        while lines := await _read(file.readlines, EXPORT_CHUNK):
            await call.send(pb.ExportLedgerResponse(lines="".join(lines)).SerializeToString())


@asynccontextmanager
async def _exported(db: Path, *, is_whole: bool) -> AsyncIterator[IO[str]]:
    """Lend a file with the chain, which may exceed memory: whole, or up to the first running tournament."""

    def write() -> IO[str]:
        store = open_to_read(db)
        try:
            file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  # closed by the caller
            with store.reading() as connection:  # so that no tournament begins meanwhile
                export_lines(connection, file, None if is_whole else store.tournaments.public_through())
            file.seek(0)
            return file
        finally:
            store.close()

    file = await _read(write)
    try:
        yield file
    finally:
        file.close()


@dataclass(frozen=True, slots=True)
class Method:
    """A call: its roles and its handler."""

    roles: frozenset[Role]
    answer: Callable[[Service, Call, Token], Awaitable[None]]


METHODS: Mapping[str, Method] = {
    "SubmitBot": Method(AUTHORS, submit_bot),
    "ListBots": Method(EVERYBODY, list_bots),
    "GetBot": Method(EVERYBODY, get_bot),
    "RetireBot": Method(AUTHORS, retire_bot),
    "Connect": Method(AUTHORS, connect),
    "StartTournament": Method(ORGANISERS, start_tournament),
    "StopTournament": Method(ORGANISERS, stop_tournament),
    "EnterBot": Method(ORGANISERS, enter_bot),
    "WithdrawBot": Method(ORGANISERS, withdraw_bot),
    "DisqualifyBot": Method(ORGANISERS, disqualify_bot),
    "VoidMatches": Method(ORGANISERS, void_matches),
    "ListTournaments": Method(EVERYBODY, list_tournaments),
    "GetStandings": Method(EVERYBODY, get_standings),
    "WatchTournament": Method(EVERYBODY, watch_tournament),
    "GetLeaderboard": Method(EVERYBODY, get_leaderboard),
    "CompareBots": Method(EVERYBODY, compare),
    "StartTest": Method(AUTHORS, start_test),
    "WatchTest": Method(AUTHORS, watch_test),
    "AbandonTest": Method(AUTHORS, abandon_test),
    "ListTests": Method(AUTHORS, list_tests),
    "GetMatch": Method(EVERYBODY, get_match),
    "GetReplay": Method(EVERYBODY, get_replay),
    "ExportLedger": Method(EVERYBODY, export_ledger),
}
