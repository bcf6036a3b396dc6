"""The pool of this machine: referee processes, each with its own bot processes dialling in."""

from __future__ import annotations

import json
import secrets
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import trio

from arena.bots.directory import Bot, RemoteBot
from arena.bots.process import BotProcess, BotStartError, KeptOutput
from arena.bots.scratch import scratch_folder
from arena.play.concurrency import MAX_MATCHES, max_matches_of, processors_here, share_of
from arena.play.dialling import connections, is_reached
from arena.play.lines import as_line, read_lines
from arena.play.match_queue import MatchQueue, Slot, Turn, slots_of
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import (
    MAX_ATTEMPTS,
    PoolConfig,
    Provenance,
    Room,
    RunningBot,
    StartBot,
    VerifyRecord,
    fault_of,
    voided,
)
from arena.play.warm import Forked, WarmProcess, open_warm_process
from arena.sandbox import cgroups
from arena.sandbox.levels import Level, SandboxPolicy, choose
from referee.games import GAMES
from referee.logs import log
from referee.order import MAX_CONNECTIONS, Ending, MatchOrder, MatchResult, SeatOrder

GOODBYE_SECONDS = 1.0
CUT_SECONDS = 5.0  # for a bot that was cut off to exit on its own
VERDICT_SECONDS = 1.0  # that a match waits to learn how a bot that left it has ended
PEEK_SECONDS = 5.0  # that a spectator waits for a referee
MAX_EXCUSES = 2  # matches of one bot in a run that are void because its referee did not answer us either
MAX_FELLED = 2  # referees whose memory one bot may fill in a run; a third is denied: a match is played three times
REFEREE_MB = 1_024  # memory limit of a referee; one with hundreds of bots uses a tenth
MAX_PROCESSES = 64  # bot processes that play or are kept alive at one referee
ASKED_AHEAD = 2  # times the capacity: a later match may find its bots free when an earlier one does not


class RefereeError(Exception):
    """The referee process has ended or refused an order: our own fault."""


async def start_here(bot: Bot, address: str, ticket: str, level: Level) -> RunningBot:
    """Start a hosted bot as a local process; only a server can reach one that runs elsewhere."""
    if isinstance(bot, RemoteBot):
        raise BotStartError(f"{bot.label} runs elsewhere; it can only play on a server")
    return await BotProcess.start(bot, address, ticket, level)


@dataclass(slots=True, eq=False)
class _Client:
    """A bot process at one referee, and the number of matches it is playing."""

    bot: Bot
    ticket: str
    socket: Path
    """Its own socket, in a folder that no other bot sees."""
    playing: int = 0
    used: int = 0
    is_started: bool = False
    process: RunningBot | None = None
    admitted: trio.Event = field(default_factory=trio.Event)
    """Set once its referee listens for it, or has said why not."""
    fault: str = ""
    ended: trio.Event = field(default_factory=trio.Event)
    """Set once its process has ended and the cause is known."""
    matches: int = 0
    """Matches completed."""
    filed: int = 0
    """Bytes of output that belong to finished matches."""

    @property
    def offset(self) -> int:
        """Where the output of a match starting now begins; output since the last match belongs to it."""
        if self.process is None:
            return 0
        return self.filed if self.playing == 1 else self.process.output.total

    @property
    def is_talkative(self) -> bool:
        """Whether its output is split by match: it has printed something, or has not played a match yet."""
        return self.process is not None and (not self.matches or self.process.output.total > 0)


@dataclass(slots=True, eq=False)
class _Referee:
    """One referee process: its folder, its bots, and the matches whose results are due."""

    process: Forked
    folder: Path
    max_matches: int
    clients: dict[Slot, _Client] = field(default_factory=dict)
    admitted: dict[str, _Client] = field(default_factory=dict)
    """All its clients, by ticket: playing ones, and ended ones that are still seated."""
    results: dict[str, trio.MemorySendChannel[MatchResult | str]] = field(default_factory=dict)
    peeks: dict[tuple[str, int], list[trio.MemorySendChannel[list[str]]]] = field(default_factory=dict)
    playing: int = 0
    """The number of its matches."""
    is_apart: bool = False
    """Whether it plays a match of a game whose rules may crash, and so no other."""
    busy: Fraction = Fraction(0)
    """Their shares of a processor, together."""
    alive: bool = True
    sending: trio.Lock = field(default_factory=trio.Lock)

    def playing_at(self, slot: Slot) -> int | None:
        """The number of matches that a slot's process plays; None where there is none."""
        client = self.clients.get(slot)
        return None if client is None else client.playing

    def has_room(self, slots: Mapping[Slot, int], is_apart: bool) -> bool:
        """Return whether it may play one more match: matches and processes are limited, and some play alone."""
        if self.is_apart or (is_apart and self.playing) or self.playing >= self.max_matches:
            return False
        needed = sum(not self.playing_at(slot) for slot in slots)
        hosted = sum(client.playing > 0 and not client.bot.is_remote for client in self.clients.values())
        return not needed or hosted + needed <= MAX_PROCESSES

    async def send(self, verb: str, value: object) -> None:
        try:
            self.sending.acquire_nowait()  # without a turn of the event loop: the next match waits for this
        except trio.WouldBlock:
            await self.sending.acquire()
        try:
            await self.process.stdin.send_all(as_line({verb: value}))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.alive = False
        finally:
            self.sending.release()


@dataclass(slots=True, eq=False, kw_only=True)
class _Turn(Turn):
    """A match in the queue of a pool, and its slots."""

    bots: Sequence[Bot]
    woken: trio.Event = field(default_factory=trio.Event)
    """Set when it has its slots, or when referees must be replaced first."""
    referee: _Referee | None = None
    clients: list[_Client] = field(default_factory=list)


@dataclass(eq=False)
class LocalPool:
    """Plays fixtures on referee processes of this machine; a bot's processes are started once and reused.

    A match of a game that runs apart has a referee to itself: if the rules crash it, no other match is lost.

    At every referee a bot has at most one process for each slot it takes at one table, and a process plays up to
    its own `concurrency` of matches concurrently, but never more than that of the pool. A pool without one plays
    matches while their shares fit into its processors. Matches are played in the order in which they were requested,
    but one whose bots are busy lets others go ahead.
    """

    nursery: trio.Nursery
    folder: Path
    warm: WarmProcess
    count: int
    concurrency: int | None
    """Matches at each referee; None: chosen by their bots, their time control and the processors."""
    processors: int
    fresh_process: bool
    log_level: str
    sandbox: Level
    """The sandbox level of its bots, by the policy and this machine."""
    start_bot: StartBot
    watch: Callable[[str, str], None] | None
    """Called with the match and an event as a spectator sees it."""
    shows_board: bool
    """Whether the watch also gets every position."""
    heard: Callable[[str, int, str], None] | None
    """Called with the match, a seat and its bot's output."""
    verify: VerifyRecord | None
    room: Room

    def __post_init__(self) -> None:
        self.referees: list[_Referee] = []
        self._outputs: dict[str, KeptOutput] = {}
        self._changed = trio.Event()
        self._reviving = trio.Lock()
        self._queue: MatchQueue[_Turn] = MatchQueue()
        self._elsewhere: Counter[str] = Counter()  # matches of remote bots
        self._clock = 0
        self._started = 0
        self._seated = 0
        self._felled: Counter[str] = Counter()  # referees that bots have filled
        self._excused: Counter[str] = Counter()  # bots' matches that are void because they could not connect

    @property
    def capacity(self) -> int:
        """The maximum number of matches it plays concurrently."""
        return self.count * (self.concurrency or MAX_MATCHES)

    @property
    def _room(self) -> int:
        """What the shares of its matches must fit into."""
        return self.processors if self.concurrency is None else self.count

    @property
    def max_asked(self) -> int:
        """More than the capacity, so that there is a choice when bots are busy."""
        return ASKED_AHEAD * self.capacity

    @property
    def waiting(self) -> int:
        """The number of matches waiting for slots."""
        return len(self._queue)

    def provenance_of(self, match_id: str) -> Provenance:
        """Every match is played here."""
        return Provenance(self.sandbox.value)

    def status(self) -> str:
        """Nothing to report for the local machine."""
        return ""

    def output_of(self, label: str) -> str:
        """Return the kept output of a bot's newest process."""
        return self._outputs[label].text() if label in self._outputs else ""

    def is_played(self, match_id: str) -> bool:
        """Return whether a referee is playing a match now."""
        return any(match_id in referee.results for referee in self.referees)

    async def peek(self, match_id: str, after: int) -> list[str]:
        """Return the next lines of the record of a running match, hidden cards included; [] if there are none yet."""
        referee = next((referee for referee in self.referees if match_id in referee.results), None)
        if referee is None or not referee.alive:
            return []
        send, receive = trio.open_memory_channel[list[str]](1)
        referee.peeks.setdefault((match_id, after), []).append(send)
        await referee.send("peek", {"match_id": match_id, "after": after})
        with send, receive, trio.move_on_after(PEEK_SECONDS):
            return await receive.receive()
        return []

    async def play(self, fixture: MatchToPlay) -> MatchResult:
        """Play one match; void if its referee says so, if referees keep ending, or if its record is refused.

        T2.4: bot processes end with their referee and remember nothing, so the match may be replayed with the same
        seed, unless a remote bot played in it.
        """
        reason = ""
        for _attempt in range(MAX_ATTEMPTS):
            try:
                async with self._room_elsewhere(fixture.bots):
                    result = await self._attempt(fixture)
            except RefereeError as error:
                reason = str(error)
                log.warning("match.interrupted", match_id=fixture.match_id, reason=reason)
                if any(bot.is_remote for bot in fixture.bots):
                    break
                continue
            if fault := await fault_of(fixture, result, self.verify):
                log.error("result.refused", match_id=fixture.match_id, reason=fault)
                return voided(fixture, fault, result)
            if result.ending is Ending.VOIDED:
                log.warning("match.voided", match_id=fixture.match_id, reason=result.reason)
            return result
        return voided(fixture, reason)

    @asynccontextmanager
    async def _room_elsewhere(self, bots: Sequence[Bot]) -> AsyncIterator[None]:
        """Wait for remote bots: each is one process with its own limit of matches, across all referees."""
        wanted = Counter(bot.label for bot in bots if bot.is_remote)
        most = {bot.label: bot.manifest.concurrency for bot in bots}
        # A bot with two seats at a table plays there even if its limit is one match.
        while any(
            (playing := self._elsewhere[label]) > 0 and playing + more > most[label] for label, more in wanted.items()
        ):
            await self._changed.wait()
        self._elsewhere += wanted
        try:
            yield
        finally:
            self._elsewhere -= wanted
            self._announce()

    async def _attempt(self, fixture: MatchToPlay) -> MatchResult:
        referee, clients = await self._reserve(fixture)
        try:
            async with self.room(self._share(fixture)):
                return await self._play_at(referee, clients, fixture)
        finally:
            with trio.CancelScope(shield=True):
                await self._release(referee, clients, self._share(fixture))

    def _share(self, fixture: MatchToPlay) -> Fraction:
        return min(Fraction(self._room), share_of(fixture, self.concurrency, fresh_process=self.fresh_process))

    async def _play_at(self, referee: _Referee, clients: Sequence[_Client], fixture: MatchToPlay) -> MatchResult:
        send, receive = trio.open_memory_channel[MatchResult | str](1)
        try:
            for client in clients:
                await self._seat(referee, client)
            offsets = [client.offset for client in clients]
            order = MatchOrder(
                fixture.match_id, fixture.game, fixture.options,
                tuple(
                    SeatOrder(each.bot.label, each.ticket, each.bot.version, each.bot.public_key) for each in clients
                ),
                fixture.seed, fixture.time_control,
                parts_first=self.heard is not None and any(client.is_talkative for client in clients),
                terms=fixture.terms,
            )  # fmt: skip
            referee.results[fixture.match_id] = send
            if self.watch is not None:
                await referee.send("watch", fixture.match_id)
                if self.shows_board:
                    await referee.send("look", fixture.match_id)
            await referee.send("match", order.to_plain())
            if not referee.alive:
                raise RefereeError("the referee process has ended")
            answer = await receive.receive()
            if isinstance(answer, str):
                raise RefereeError(answer)
            if order.parts_first:
                await self._settle(clients)
            self._hear(fixture.match_id, clients, offsets)
            for client in clients:
                client.matches += 1
            return await self._without_host_kills(fixture, answer, clients)
        except trio.Cancelled:
            with trio.move_on_after(0.5, shield=True):
                await referee.send("cancel", fixture.match_id)
            raise
        finally:
            referee.results.pop(fixture.match_id, None)

    async def _without_host_kills(
        self, fixture: MatchToPlay, result: MatchResult, clients: Sequence[_Client]
    ) -> MatchResult:
        """Void a match that a seat lost because the host killed its bot, judged by signs that a bot cannot fake."""
        for client, ending in zip(clients, result.seat_endings, strict=True):
            if ending not in (Ending.FORFEIT_CRASH, Ending.FORFEIT_DISCONNECT) or client.process is None:
                continue
            with trio.move_on_after(VERDICT_SECONDS):
                await client.ended.wait()
            if client.process.host_kill:
                return voided(fixture, f"{client.bot.label} was killed by the host: {client.process.host_kill}")
        return result

    async def _settle(self, clients: Sequence[_Client]) -> None:
        """Let every process that plays nothing else finish its output at the end of its match."""
        async with trio.open_nursery() as nursery:
            for client in clients:
                if client.process is not None and client.playing == 1 and client.is_talkative:
                    nursery.start_soon(client.process.settle)

    def _hear(self, match_id: str, clients: Sequence[_Client], offsets: Sequence[int]) -> None:
        """Pass on the output of each process since the match began."""
        if self.heard is None:
            return
        for seat, (client, offset) in enumerate(zip(clients, offsets, strict=True)):
            if client.process is None:
                continue
            printed = client.process.output.since(offset)
            client.filed = client.process.output.total
            if printed:
                self.heard(match_id, seat, printed)

    async def _reserve(self, fixture: MatchToPlay) -> tuple[_Referee, list[_Client]]:
        """Wait for a referee at which every bot of the fixture has a free slot."""
        time = fixture.time_control
        most = [0 if self.fresh_process else max_matches_of(bot, time, self.concurrency) for bot in fixture.bots]
        slots = slots_of(bot.label for bot in fixture.bots)
        turn = _Turn(
            dict(zip(slots, most, strict=True)), self._share(fixture), runs_apart(fixture.game), bots=fixture.bots
        )
        self._queue.join(turn)
        try:
            while turn.referee is None:
                await self._revive(fixture.game)
                turn.woken = trio.Event()
                self._hand_out()
                if turn.referee is None:
                    await turn.woken.wait()
        except BaseException:
            if turn.referee is None:
                self._queue.leave(turn)
                self._announce()
            else:
                with trio.CancelScope(shield=True):
                    await self._release(turn.referee, turn.clients, turn.share)
            raise
        return turn.referee, turn.clients

    def _hand_out(self) -> None:
        """Give slots to matches that can begin; while a referee is missing, wake all waiting matches to replace it."""
        if not self._is_complete:
            for turn in self._queue:
                turn.woken.set()
            return
        for turn, referee in self._queue.hand_out(self.referees, self._room):
            self._clock += 1
            referee.playing += 1
            referee.is_apart = turn.is_apart
            referee.busy += turn.share
            turn.clients = [self._take(referee, bot, slot) for bot, slot in zip(turn.bots, turn.slots, strict=True)]
            turn.referee = referee
            turn.woken.set()

    def _announce(self) -> None:
        """Wake everything that is waiting for a change."""
        self._hand_out()
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def _take(self, referee: _Referee, bot: Bot, slot: Slot) -> _Client:
        client = referee.clients.get(slot)
        if client is None:
            self._seated += 1
            socket = referee.folder / str(self._seated) / "s"  # short: a socket path has at most 107 bytes
            client = referee.clients[slot] = _Client(bot, secrets.token_hex(16), socket)
        client.playing += 1
        client.used = self._clock
        return client

    async def _seat(self, referee: _Referee, client: _Client) -> None:
        """Start the process of a client that has none yet."""
        if client.is_started:
            return
        client.is_started = True
        await self._admit(referee, client)
        try:
            if self._felled[client.bot.label] >= MAX_FELLED:
                raise BotStartError(f"not started: it has filled the memory of {MAX_FELLED} referees in this run")
            client.process = await self.start_bot(client.bot, f"unix:{client.socket}", client.ticket, self.sandbox)
        except BotStartError as error:
            self._outputs[client.bot.label] = KeptOutput()
            self._outputs[client.bot.label].add(str(error).encode())
            await self._lost(referee, client, str(error))
        else:
            self._outputs[client.bot.label] = client.process.output
            self.nursery.start_soon(self._watch, referee, client, client.process)

    async def _admit(self, referee: _Referee, client: _Client) -> None:
        """Have the referee listen for a bot at the bot's own socket."""
        client.socket.parent.mkdir()
        referee.admitted[client.ticket] = client
        about = {"ticket": client.ticket, "bot": client.bot.label, "address": f"unix:{client.socket}"}
        await referee.send("admit", about)
        if referee.alive:
            await client.admitted.wait()
        if client.fault or not referee.alive:
            _forget(referee, client)
            raise RefereeError(client.fault or "the referee process has ended")

    async def _watch(self, referee: _Referee, client: _Client, process: RunningBot) -> None:
        """Watch a bot process until it ends, and tell the referee."""
        try:
            detail = await process.watch()
            client.ended.set()
            await self._lost(referee, client, detail)
        finally:
            await process.stop()

    async def _lost(self, referee: _Referee, client: _Client, detail: str) -> None:
        await referee.send("exited", {"ticket": client.ticket, "detail": detail})
        _forget(referee, client)
        if not client.playing:
            await self._dismiss(referee, client)
        self._announce()

    async def _dismiss(self, referee: _Referee, client: _Client) -> None:
        """Have the referee close a bot's socket, and remove its folder."""
        if referee.admitted.pop(client.ticket, None) is not None:
            await referee.send("dismiss", client.ticket)
            shutil.rmtree(client.socket.parent, ignore_errors=True)

    async def _release(self, referee: _Referee, clients: Sequence[_Client], share: Fraction) -> None:
        referee.playing -= 1
        referee.is_apart = False
        referee.busy -= share
        for client in clients:
            client.playing -= 1
            if not client.playing and client not in referee.clients.values():  # its process ended meanwhile
                await self._dismiss(referee, client)
        idle = [client for client in referee.clients.values() if not client.playing]
        if not self.fresh_process:
            idle.sort(key=lambda client: client.used)
            idle = idle[: max(0, len(referee.clients) - MAX_PROCESSES)]
        # All of them are removed before the first wait, so that no match is given a process it would lose.
        referee.clients = {slot: client for slot, client in referee.clients.items() if client not in idle}
        for client in idle:
            await self._dismiss(referee, client)
            if client.process is not None:
                await client.process.stop()
        self._announce()

    async def close(self) -> None:
        """Dismiss every bot and give them a moment to exit on their own."""
        with trio.move_on_after(GOODBYE_SECONDS):
            clients = [(referee, client) for referee in self.referees for client in referee.clients.values()]
            for referee, client in clients:
                await self._dismiss(referee, client)
            for _referee, client in clients:
                if client.process is not None:
                    await client.process.wait()

    @property
    def _is_complete(self) -> bool:
        return len(self.referees) == self.count and all(referee.alive for referee in self.referees)

    async def _revive(self, game: str) -> None:
        """Replace referees that have ended; the next game is loaded before they are forked."""
        if self._is_complete:
            return
        async with self._reviving:
            self.referees = [referee for referee in self.referees if referee.alive]
            while len(self.referees) < self.count:
                self.referees.append(await self._start_referee(game))

    async def _start_referee(self, game: str) -> _Referee:
        self._started += 1
        folder = self.folder / f"r{self._started}"
        folder.mkdir()
        asked = ("--memory-mb", str(REFEREE_MB), "--log-level", self.log_level)
        process = await self.warm.fork("referee", asked, game)
        lines = read_lines(process.stdout)
        try:
            first = json.loads(await anext(lines, b'{"error":{"reason":"the referee process has ended"}}'))
        except trio.Cancelled:
            await process.end()
            raise
        if "ready" not in first:
            raise RefereeError(first["error"]["reason"])
        referee = _Referee(process, folder, MAX_MATCHES if self.concurrency is None else self.capacity)
        self.nursery.start_soon(self._listen, referee, lines)
        return referee

    async def _listen(self, referee: _Referee, lines: AsyncIterator[bytes]) -> None:
        """Pass on results as they arrive; when the referee ends, fail the unfinished matches."""
        try:
            async for line in lines:
                verb, value = next(iter(json.loads(line).items()))
                if verb == "result":
                    channel = referee.results.pop(value["match_id"], None)
                    if channel is not None:
                        channel.send_nowait(MatchResult.from_plain(value))
                elif verb == "peeked":
                    for reader in referee.peeks.pop((value["match_id"], value["after"]), ()):
                        with suppress(trio.ClosedResourceError):  # the spectator has left
                            reader.send_nowait(value["lines"])
                elif verb == "event":
                    if self.watch is not None:
                        self.watch(value["match_id"], value["text"])
                elif verb == "admitted":
                    if (client := referee.admitted.get(value["ticket"])) is not None:
                        client.fault = value["fault"]
                        client.admitted.set()
                elif verb == "cut":
                    self._cut(referee, value["ticket"], value["reason"])
                elif verb == "full":
                    client = referee.admitted.get(value["ticket"])
                    label = "" if client is None else client.bot.label
                    self._felled[label] += 1
                    log.warning("referee.full", held_mb=value["held_mb"], bot=label)
                elif verb == "absent":
                    self.nursery.start_soon(self._dial, referee, value)
                elif value["match_id"] in referee.results:
                    referee.results.pop(value["match_id"]).send_nowait(value["reason"])
                else:
                    log.error("referee.refused", reason=value["reason"])
        finally:
            referee.alive = False
            with trio.CancelScope(shield=True):
                await self._bury(referee)

    def _cut(self, referee: _Referee, ticket: str, reason: str) -> None:
        """Give a bot that its referee cut off no more matches, tell its author why, and stop it."""
        client = referee.admitted.get(ticket)
        if client is not None and client.process is not None:
            log.warning("bot.cut", bot=client.bot.label, reason=reason)
            client.process.output.add(f"\narena: cut off this bot: {reason}\n".encode())
            _forget(referee, client)
            self.nursery.start_soon(_end, client.process)

    async def _dial(self, referee: _Referee, ticket: str) -> None:
        """Find out whether an absent bot could have connected, before it is blamed."""
        client = referee.admitted.get(ticket)
        if client is None:
            return
        is_to_blame = await is_reached(client.socket) or connections(client.socket) >= MAX_CONNECTIONS
        if not is_to_blame:
            label = client.bot.label
            self._excused[label] += 1
            log.warning("bot.excused", bot=label, times=self._excused[label], reason="its referee did not answer")
            # Only the bot itself can reach its socket: making it fail repeatedly gains nothing.
            is_to_blame = self._excused[label] > MAX_EXCUSES
        await referee.send("dialled", {"ticket": ticket, "is_reached": is_to_blame})

    async def _bury(self, referee: _Referee) -> None:
        await referee.process.stdin.aclose()
        with trio.move_on_after(2):
            await referee.process.wait()
        referee.process.kill()
        await referee.process.wait()
        for channel in list(referee.results.values()):
            channel.send_nowait("the referee process has ended")
        for client in referee.admitted.values():
            client.admitted.set()
        for client in list(referee.clients.values()):
            if client.process is not None:
                await client.process.stop()
        shutil.rmtree(referee.folder, ignore_errors=True)
        self._announce()


async def _end(process: RunningBot) -> None:
    """Stop a bot, after a moment in which it may still print."""
    with trio.move_on_after(CUT_SECONDS):
        await process.wait()
    await process.stop()


def runs_apart(slug: str) -> bool:
    """Return whether the rules of a game may crash their process."""
    return slug in GAMES and GAMES[slug].runs_apart


def _forget(referee: _Referee, client: _Client) -> None:
    """Give a client no more matches."""
    referee.clients = {slot: other for slot, other in referee.clients.items() if other is not client}


@asynccontextmanager
async def open_pool(
    *,
    referees: int = 1,
    concurrency: int | None = None,
    processors: int | None = None,
    fresh_process: bool = False,
    log_level: str = "warning",
    sandbox: SandboxPolicy = SandboxPolicy.AUTO,
    start_bot: StartBot = start_here,
    watch: Callable[[str, str], None] | None = None,
    shows_board: bool = False,
    heard: Callable[[str, int, str], None] | None = None,
    verify: VerifyRecord | None = None,
    room: Room = nullcontext,
) -> AsyncIterator[LocalPool]:
    """Open a pool of referee processes and close it with everything it has started.

    Without a `concurrency`, matches take shares of the `processors`, which are those of this machine unless given.
    """
    level = choose(sandbox)
    cgroups.sweep()
    with scratch_folder() as folder:
        async with open_warm_process() as warm, trio.open_nursery() as nursery:
            pool = LocalPool(
                nursery, folder, warm, referees, concurrency, processors or processors_here(), fresh_process, log_level,
                level, start_bot, watch, shows_board, heard, verify, room,
            )  # fmt: skip
            try:
                yield pool
                await pool.close()
            finally:
                nursery.cancel_scope.cancel()


def open_here(config: PoolConfig) -> AbstractAsyncContextManager[LocalPool]:
    """Open a pool on this machine for a tournament or test."""
    return open_pool(
        referees=config.run.referees, concurrency=config.run.concurrency, fresh_process=config.fresh_process,
        log_level=config.log_level, sandbox=config.sandbox, start_bot=config.start_bot, heard=config.heard,
        verify=config.verify,
    )  # fmt: skip
