"""The service: the handler of each arena.v1 call, the roles that may make it, and its refusals."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from inspect import iscoroutinefunction
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeVar

import grpc
import trio
from google.protobuf.message import DecodeError, Message

from arena.bots.archive import LIMITS, ArchiveError
from arena.bots.label import name_of
from arena.plan import correcting
from arena.plan import entrants as plan_entrants
from arena.remote.messages import fill, pack, state_of
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
from arena.server.admission import Budget, CallLimit, FullError
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
from ratings.ledger.secret_seed import BEACON
from ratings.sequential.test import DEFAULT_ERROR
from referee.games import GAMES
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
SHORT_MESSAGE = 16 << 10  # parsed without a separate thread
EXPORT_CHUNK = 256 << 10
MAX_LAST = 1_000
MAX_VOIDS = 10_000
MAX_FILLERS = 64

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
    SandboxError: Code.FAILED_PRECONDITION,  # before UserError, its parent class
    NotFoundError: Code.NOT_FOUND,  # likewise
    UserError: Code.INVALID_ARGUMENT,
    ArchiveError: Code.INVALID_ARGUMENT,
    DecodeError: Code.INVALID_ARGUMENT,
    NotYoursError: Code.PERMISSION_DENIED,
    QueueFullError: Code.RESOURCE_EXHAUSTED,
    FullError: Code.RESOURCE_EXHAUSTED,
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
    calls: CallLimit = field(default_factory=lambda: CallLimit("calls", Budget(MAX_CALLS)))
    uploading: CallLimit = field(default_factory=lambda: CallLimit("submissions", Budget(MAX_OF_ONE, MAX_UPLOADS)))
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
            with self.calls.passing(token.id):
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


RpcHandler: TypeAlias = Callable[[Service, Call, Token], Awaitable[None]]


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
    # Cut first: a client may have sent most of it.
    shown = "".join(sign if sign.isprintable() else "�" for sign in " ".join(text[: 2 * LONGEST_REASON].split()))
    return shown if len(shown) <= LONGEST_REASON else f"{shown[:LONGEST_REASON]}…"


def _take_permit(limiter: Limiter, client: str) -> None:
    seconds = limiter.wait_seconds(client)
    if seconds:
        raise RefusalError(Code.RESOURCE_EXHAUSTED, f"too many requests; retry in {seconds:.1f} s")


async def _receive(call: Call, kind: type[M]) -> M | None:
    with trio.fail_after(PATIENCE_SECONDS):
        data = await call.receive()
    if data is None:
        return None
    return kind.FromString(data) if len(data) <= SHORT_MESSAGE else await _read(kind.FromString, data)


async def _request(call: Call, kind: type[M]) -> M:
    request = await _receive(call, kind)
    if request is None:
        raise UserError("the request is missing")
    return request


def _unary(kind: type[Message], handler: Callable[[Service, Any, Token], Any]) -> RpcHandler:
    """Return the handler of a call with one request and one response; a function that is not async runs in a thread."""

    async def answer(service: Service, call: Call, token: Token) -> None:
        request = await _request(call, kind)
        if iscoroutinefunction(handler):
            response = (await handler(service, request, token)).SerializeToString()
        else:
            response = await _read(lambda: handler(service, request, token).SerializeToString())
        await call.send(response)

    return answer


async def _read(function: Callable[..., T], *arguments: object) -> T:
    return await trio.to_thread.run_sync(partial(function, *arguments))


# Bots.


async def submit_bot(service: Service, call: Call, token: Token) -> None:
    """Receive an archive and accept it as a version."""
    _take_permit(service.uploads, token.id)
    response = pb.SubmitBotResponse()
    with service.uploading.passing(token.name):
        first = await _request(call, pb.SubmitBotRequest)
        if first.WhichOneof("part") != "manifest":
            raise UserError("the first message must be a manifest")
        manifest = first.manifest
        await _read(check_owner, service.store, manifest.name, token.name)
        with trio.move_on_after(UPLOAD_SECONDS) as patience:
            content = await _archive(call, manifest)
        if patience.cancelled_caught:
            raise RefusalError(Code.DEADLINE_EXCEEDED, f"upload exceeded {UPLOAD_SECONDS:.0f} seconds")
        try:
            fill(response, accepted=await service.submissions.accept(content, manifest.name, token.name))
        except SmokeError as error:
            refused = pb.RefusedVersion(reason=_one_line(str(error)), game=error.game, output=error.output)
            response.refused.CopyFrom(refused)
            log.info("bot.refused", bot=manifest.name, author=token.name, reason=str(error))
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
            raise UserError("expected chunks of the archive after the manifest")
        if len(part.chunk) > LARGEST_CHUNK:
            raise UserError(f"chunk: {len(part.chunk)} bytes exceed the limit of {LARGEST_CHUNK}")
        content += part.chunk
        if len(content) > size:
            raise UserError(f"archive_size: more than the {size} bytes announced")
    if len(content) < size:
        raise UserError(f"archive_size: received {len(content)} of {size} bytes")
    digest = (await _read(sha256, content)).hexdigest()
    if digest != manifest.archive_sha256.lower():
        raise UserError(f"archive_sha256: the archive has {digest}, not the digest announced")
    return bytes(content)


async def list_bots(service: Service, _request: pb.ListBotsRequest, token: Token) -> Message:
    """Return the list of bots; queued submissions only to their author and to organisers."""
    found = await _read(bots, service.reader.store)
    queue = service.submissions.queue.of(None if token.role is Role.ORGANISER else token.name)
    found += [queued(ticket.name, ticket.author, is_being_built=ticket.has_turn.is_set()) for ticket in queue]
    return await _read(partial(fill, pb.ListBotsResponse(), bots=found))


def get_bot(service: Service, request: pb.GetBotRequest, token: Token) -> Message:
    """Return a bot's report; its output only to its author and to organisers."""
    last = request.last if request.HasField("last") else 10
    if not 1 <= last <= MAX_LAST:
        raise UserError(f"last: {last} is not allowed; expected 1 to {MAX_LAST}")
    found = report(service.reader.store, request.name, last, service.reader.fit)
    response = fill(pb.GetBotResponse(), bot=found)
    if not token.speaks_for(found.author):
        for forfeit in response.bot.forfeits:
            forfeit.output = ""
    return response


def retire_bot(service: Service, request: pb.RetireBotRequest, token: Token) -> Message:
    """Retire one of the caller's own bots, or any bot for an organiser."""
    if not token.speaks_for(service.store.bots.author_of(request.name)):
        raise NotYoursError(f"bot: {request.name!r} is not yours")
    service.store.bots.set_retired(request.name, True)
    log.info("bot.retired", bot=request.name, by=token.name)
    return pb.RetireBotResponse(name=request.name)


async def connect(service: Service, request: pb.ConnectRequest, token: Token) -> Message:
    """Enter a remote bot and return its ticket."""
    if len(request.games) > len(GAMES):
        raise UserError(f"games: {len(request.games)} games; expected at most {len(GAMES)}, each once")
    concurrency = request.concurrency or 1
    label = await service.submissions.enter_remote(
        request.name, tuple(request.games), concurrency, token.name, request.public_key
    )
    ticket = service.remote.connect(label, token.id)
    log.info("bot.admitted", bot=label, author=token.name)
    key = request.public_key.strip()
    return pb.ConnectResponse(label=label, address=service.public_address, ticket=ticket, public_key=key)


# Tournaments.


async def start_tournament(service: Service, request: pb.StartTournamentRequest, token: Token) -> Message:
    """Start a tournament inside this program."""
    plan = await service.tournaments.start(request.toml, token.name)
    return pb.StartTournamentResponse(tournament=plan.name, bots=[bot.label for bot in plan.bots])


def stop_tournament(service: Service, request: pb.StopTournamentRequest, _token: Token) -> Message:
    """Ask a tournament to stop."""
    service.tournaments.stop(request.tournament)
    return pb.StopTournamentResponse(tournament=request.tournament)


def enter_bot(service: Service, request: pb.EnterBotRequest, _token: Token) -> Message:
    """Let a bot join a tournament."""
    label, number = service.tournaments.enter(request.tournament, request.bot)
    return pb.EnterBotResponse(bot=label, round=number)


def withdraw_bot(service: Service, request: pb.WithdrawBotRequest, _token: Token) -> Message:
    """T10.4: take a bot out of a tournament."""
    label, number = plan_entrants.withdraw_bot(service.store, request.tournament, request.bot)
    return pb.WithdrawBotResponse(bot=label, round=number)


def add_nonce(service: Service, request: pb.AddNonceRequest, token: Token) -> Message:
    """T2.9: mix a value into a seed: an author's own, or the beacon's by an organiser.

    An organiser who could give the authors' values would choose the seed alone.
    """
    is_theirs = token.role is Role.ORGANISER if request.source == BEACON else request.source == token.name
    if not is_theirs:
        raise NotYoursError(f"source: the nonce of {request.source[:80]!r} is not yours to give")
    missing = service.store.tournaments.add_nonce(request.tournament, request.source, request.value)
    return pb.AddNonceResponse(missing=missing)


def disqualify_bot(service: Service, request: pb.DisqualifyBotRequest, token: Token) -> Message:
    """Disqualify a bot from a tournament, in the name of the token's holder."""
    results = request.results or Results.STRIKE
    if results not in tuple(Results):
        raise UserError(f"results: {results!r} is not allowed; expected one of: {', '.join(Results)}")
    found = correcting.disqualify_bot(
        service.store, request.tournament, request.bot, Results(results), request.reason, token.name
    )
    log.info("bot.disqualified", bot=request.bot, tournament=request.tournament, by=token.name)
    return pack(found, pb.DisqualifyBotResponse())


def void_matches(service: Service, request: pb.VoidMatchesRequest, token: Token) -> Message:
    """Void matches, in the name of the token's holder."""
    if not 1 <= len(request.match_ids) <= MAX_VOIDS:
        raise UserError(f"match_ids: {len(request.match_ids)} ids; expected 1 to {MAX_VOIDS}")
    found = correcting.void_matches(service.store, request.match_ids, request.reason, token.name)
    log.info("matches.voided", matches=len(found), by=token.name)
    return fill(pb.VoidMatchesResponse(), matches=found)


def list_tournaments(service: Service, _request: pb.ListTournamentsRequest, _token: Token) -> Message:
    """Return the list of tournaments."""
    store = service.reader.store
    found = [summary(store, stored) for stored in store.tournaments.all()]
    return fill(pb.ListTournamentsResponse(), tournaments=found)


def get_standings(service: Service, request: pb.GetStandingsRequest, _token: Token) -> Message:
    """Return the standings."""
    store = service.reader.store
    stored = store.tournaments.find(request.tournament)
    return fill(pb.GetStandingsResponse(), lines=standings(store, stored), order=order_words(stored))


async def watch_tournament(service: Service, call: Call, token: Token) -> None:
    """Send a tournament's state, then its events while it runs here and the token is valid."""
    request = await _request(call, pb.WatchTournamentRequest)
    watchers = service.tournaments.running.get(request.tournament, OVER)
    is_ended = watchers is OVER
    with watchers.watch() as events:  # before reading the state, so that no event is missed
        stored = await _read(service.reader.store.tournaments.find, request.tournament)
        status = pb.TournamentStatus(tournament=stored.id, state=state_of(stored.state), reason=stored.reason)
        await call.send(pb.WatchTournamentResponse(status=status).SerializeToString())
        expected = await _read(forecast_of, service.reader.store, stored)
        if expected is not None:
            await call.send(fill(pb.WatchTournamentResponse(), forecast=expected).SerializeToString())
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


def get_leaderboard(service: Service, request: pb.GetLeaderboardRequest, _token: Token) -> Message:
    """Return the leaderboards."""
    reader, tournament = service.reader, request.tournament if request.HasField("tournament") else None
    found = gather(reader.store, reader.fit, tuple(request.games), tournament, all_versions=request.all_versions)
    return fill(
        pb.GetLeaderboardResponse(),
        boards=found.boards,
        overall=found.overall,
        swiss_order=found.swiss,
        order=found.words,
    )


def compare(service: Service, request: pb.CompareBotsRequest, _token: Token) -> Message:
    """T15: return the comparison of two bots."""
    alpha = read_rate(request.alpha) if request.alpha else DEFAULT_ERROR
    found = compare_bots(service.reader.store, request.a, request.b, tuple(request.games), alpha)
    return fill(pb.CompareBotsResponse(), report=found)


# Tests.


async def start_test(service: Service, request: pb.StartTestRequest, token: Token) -> Message:
    """Start a test, or return the open one."""
    terms = request.terms
    if len(terms.fillers) > MAX_FILLERS:
        raise UserError(f"fillers: {len(terms.fillers)} bots; expected at most {MAX_FILLERS}")
    question = await _read(read_terms, terms)
    report, is_resumed = await service.tests.start(terms.new_bot, terms.old_bot, question, tuple(terms.fillers), token)
    return fill(pb.StartTestResponse(), report=report, is_resumed=is_resumed)


async def abandon_test(service: Service, request: pb.AbandonTestRequest, token: Token) -> Message:
    """End a test without a verdict."""
    terms = request.terms
    question = await _read(read_terms, terms)
    report = await service.tests.abandon(terms.new_bot, terms.old_bot, question, token)
    return fill(pb.AbandonTestResponse(), report=report)


def list_tests(service: Service, _request: pb.ListTestsRequest, token: Token) -> Message:
    """Return the caller's tests, or all of them to an organiser."""
    found = list_of_tests(service.reader.store, None if token.role is Role.ORGANISER else token.name)
    return fill(pb.ListTestsResponse(), tests=found)


async def watch_test(service: Service, call: Call, token: Token) -> None:
    """Send a test's report, again after every block while it is played here and the token is valid."""
    request = await _request(call, pb.WatchTestRequest)
    test, verdict = await _read(service.tests.find, request.test)
    if not await _read(service.tests.may_watch, test, token):
        raise NotYoursError(f"test: {request.test!r} does not test your bots")
    playing = service.tests.playing.get(test.id)
    if playing is None:
        report = await _read(service.tests.report, test, verdict)
        await call.send(fill(pb.WatchTestResponse(), report=report).SerializeToString())
        return
    is_over = False
    while not is_over:
        # Taken before sending, so that no block is missed.
        changed, is_over = playing.changed, playing.ended.is_set()
        await call.send(fill(pb.WatchTestResponse(), report=playing.latest).SerializeToString())
        if not is_over:
            await changed.wait()
            await _still_good(service, token)
    if playing.fault:
        raise BusyError(f"test: {playing.fault}")


# Matches.


def get_match(service: Service, request: pb.GetMatchRequest, token: Token) -> Message:
    """Return the facts of a match; output of its bots only to their authors and to organisers."""
    store = service.reader.store
    response = fill(pb.GetMatchResponse(), facts=facts_of(store, _settled(store, request.match_id)))
    for seat in response.facts.seats:
        if not token.speaks_for(store.bots.author_of(name_of(seat.bot))):
            seat.ClearField("output")
    return response


def get_replay(service: Service, request: pb.GetReplayRequest, _token: Token) -> Message:
    """Return a record once its round is closed."""
    store = service.reader.store
    match = _settled(store, request.match_id)
    return pb.GetReplayResponse(match_id=match.id, record=store.matches.record(match.id))


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
    with await _read(_exported, service.db, token.role is Role.ORGANISER) as file:
        while lines := await _read(file.readlines, EXPORT_CHUNK):
            await call.send(pb.ExportLedgerResponse(lines="".join(lines)).SerializeToString())


def _exported(db: Path, is_whole: bool) -> IO[str]:
    """Return a file with the chain, which may exceed memory: whole, or up to the first running tournament."""
    with closing(open_to_read(db)) as store:
        file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  # closed by the caller
        with store.reading() as connection:  # so that no tournament begins meanwhile
            export_lines(connection, file, None if is_whole else store.tournaments.public_through())
        file.seek(0)
        return file


@dataclass(frozen=True, slots=True)
class Method:
    """A call: its roles and its handler."""

    roles: frozenset[Role]
    answer: RpcHandler


METHODS: Mapping[str, Method] = {
    "SubmitBot": Method(AUTHORS, submit_bot),
    "ListBots": Method(EVERYBODY, _unary(pb.ListBotsRequest, list_bots)),
    "GetBot": Method(EVERYBODY, _unary(pb.GetBotRequest, get_bot)),
    "RetireBot": Method(AUTHORS, _unary(pb.RetireBotRequest, retire_bot)),
    "Connect": Method(AUTHORS, _unary(pb.ConnectRequest, connect)),
    "StartTournament": Method(ORGANISERS, _unary(pb.StartTournamentRequest, start_tournament)),
    "StopTournament": Method(ORGANISERS, _unary(pb.StopTournamentRequest, stop_tournament)),
    "EnterBot": Method(ORGANISERS, _unary(pb.EnterBotRequest, enter_bot)),
    "WithdrawBot": Method(ORGANISERS, _unary(pb.WithdrawBotRequest, withdraw_bot)),
    "AddNonce": Method(AUTHORS, _unary(pb.AddNonceRequest, add_nonce)),
    "DisqualifyBot": Method(ORGANISERS, _unary(pb.DisqualifyBotRequest, disqualify_bot)),
    "VoidMatches": Method(ORGANISERS, _unary(pb.VoidMatchesRequest, void_matches)),
    "ListTournaments": Method(EVERYBODY, _unary(pb.ListTournamentsRequest, list_tournaments)),
    "GetStandings": Method(EVERYBODY, _unary(pb.GetStandingsRequest, get_standings)),
    "WatchTournament": Method(EVERYBODY, watch_tournament),
    "GetLeaderboard": Method(EVERYBODY, _unary(pb.GetLeaderboardRequest, get_leaderboard)),
    "CompareBots": Method(EVERYBODY, _unary(pb.CompareBotsRequest, compare)),
    "StartTest": Method(AUTHORS, _unary(pb.StartTestRequest, start_test)),
    "WatchTest": Method(AUTHORS, watch_test),
    "AbandonTest": Method(AUTHORS, _unary(pb.AbandonTestRequest, abandon_test)),
    "ListTests": Method(AUTHORS, _unary(pb.ListTestsRequest, list_tests)),
    "GetMatch": Method(EVERYBODY, _unary(pb.GetMatchRequest, get_match)),
    "GetReplay": Method(EVERYBODY, _unary(pb.GetReplayRequest, get_replay)),
    "ExportLedger": Method(EVERYBODY, export_ledger),
}
