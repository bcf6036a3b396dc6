"""The pool of this machine: referee processes, with bot processes of their own dialling in."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.bots.directory import Bot, RemoteBot
from arena.bots.process import BotProcess, BotStartError, KeptOutput
from arena.bots.scratch import scratch_folder
from arena.play.lines import as_line, read_lines
from arena.play.match_queue import MatchQueue, Slot, Turn, slots_of
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import (
    MAX_ATTEMPTS,
    Demands,
    Pool,
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
from referee.logs import log
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder

GOODBYE_SECONDS = 1.0
VERDICT_SECONDS = 1.0  # that a match waits to learn how a bot has ended that left it
PEEK_SECONDS = 5.0  # that whoever looks on waits for a referee
MAX_PROCESSES = 64  # bot processes kept alive at one referee
ASKED_AHEAD = 2  # times what a pool plays at once: whoever waits may find its bots free where those before it do not


class RefereeError(Exception):
    """The referee process has ended or refused an order: a fault of ours."""


async def start_here(bot: Bot, address: str, ticket: str, level: Level) -> RunningBot:
    """Start a hosted bot as a process of ours; one that runs elsewhere is for a server to find."""
    if isinstance(bot, RemoteBot):
        raise BotStartError(f"{bot.label} runs elsewhere; it can play on a server only")
    return await BotProcess.start(bot, address, ticket, level)


@dataclass(slots=True, eq=False)
class _Client:
    """A bot process at one referee, and how many matches it is playing."""

    bot: Bot
    ticket: str
    playing: int = 0
    used: int = 0
    is_started: bool = False
    process: RunningBot | None = None
    ended: trio.Event = field(default_factory=trio.Event)
    """Set once its process has ended, and it is known how."""
    matches: int = 0
    """Those it has played to their end."""
    filed: int = 0
    """How much of its output belongs to matches that are over."""

    @property
    def mark(self) -> int:
        """Where the output of a match that begins now begins: what came after the last one is not lost."""
        if self.process is None:
            return 0
        return self.filed if self.playing == 1 else self.process.output.total

    @property
    def is_talkative(self) -> bool:
        """Whether its output is to be told apart match by match: it has printed something, or still may at first."""
        return self.process is not None and (not self.matches or self.process.output.total > 0)


@dataclass(slots=True, eq=False)
class _Referee:
    """One referee process: its address, the bots at it, and the matches it owes a result."""

    process: Forked
    address: str
    clients: dict[Slot, _Client] = field(default_factory=dict)
    results: dict[str, trio.MemorySendChannel[MatchResult | str]] = field(default_factory=dict)
    peeks: dict[tuple[str, int], list[trio.MemorySendChannel[list[str]]]] = field(default_factory=dict)
    busy: int = 0
    alive: bool = True
    sending: trio.Lock = field(default_factory=trio.Lock)

    def playing_at(self, slot: Slot) -> int | None:
        """How many matches the process of a slot plays; None where there is none."""
        client = self.clients.get(slot)
        return None if client is None else client.playing

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
    """A match in the queue of a pool, and what it is given."""

    bots: Sequence[Bot]
    woken: trio.Event = field(default_factory=trio.Event)
    """Set when it has its slots, or when referees are to be replaced first."""
    referee: _Referee | None = None
    clients: list[_Client] = field(default_factory=list)


class LocalPool:
    """Plays fixtures on referee processes of this machine; a bot's processes are started once and used again.

    At every referee a bot has at most one process for each slot it takes at one table, and a process plays as many
    matches at once as it declares, but never more than `at_once`. Matches are taken up in the order in which they were
    asked for, but one whose bots are busy lets others go ahead.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        folder: Path,
        *,
        referees: int,
        at_once: int,
        fresh_process: bool,
        log_level: str,
        sandbox: Level,
        start_bot: StartBot,
        watch: Callable[[str, str], None] | None,
        shows_board: bool,
        heard: Callable[[str, int, str], None] | None,
        verify: VerifyRecord | None,
        warm: WarmProcess,
        room: Room,
    ) -> None:
        """`watch` is told match and event as a spectator sees it; `heard` match, seat and what its bot has printed.

        With `shows_board` the watch is also told every position.
        """
        self.nursery = nursery
        self.folder = folder
        self.count = referees
        self.at_once = at_once
        self.fresh_process = fresh_process
        self.log_level = log_level
        self.sandbox = sandbox
        self.start_bot = start_bot
        self.watch = watch
        self.shows_board = shows_board
        self.heard = heard
        self.verify = verify
        self.warm = warm
        self.room = room
        self.referees: list[_Referee] = []
        self._outputs: dict[str, KeptOutput] = {}
        self._changed = trio.Event()
        self._reviving = trio.Lock()
        self._queue: MatchQueue[_Turn] = MatchQueue()
        self._elsewhere: Counter[str] = Counter()  # matches of bots that live elsewhere
        self._clock = 0
        self._started = 0

    @property
    def capacity(self) -> int:
        """How many matches it plays at once."""
        return self.count * self.at_once

    @property
    def most_asked(self) -> int:
        """More than it plays, so that there is a choice where bots are busy."""
        return ASKED_AHEAD * self.capacity

    @property
    def waiting(self) -> int:
        """How many matches wait for slots."""
        return len(self._queue)

    def provenance_of(self, match_id: str) -> Provenance:
        """Every match is played here."""
        return Provenance(self.sandbox.value)

    def status(self) -> str:
        """There is nothing to say of this machine."""
        return ""

    def output_of(self, label: str) -> str:
        """Return what the newest process of a bot has printed so far, as much as was kept."""
        return self._outputs[label].text() if label in self._outputs else ""

    def is_played(self, match_id: str) -> bool:
        """Tell whether a referee has a match in hand right now."""
        return any(match_id in referee.results for referee in self.referees)

    async def peek(self, match_id: str, after: int) -> list[str]:
        """Return the next lines of the record of a match that is being played; none when there are none yet.

        They hold everything, hidden cards included: whoever asks must show no more than its reader may know.
        """
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
        """Play one match; void if its referee says so or referees keep ending, or if its record is not to be believed.

        With a referee end the processes of its bots, and so what they remember of the match: it may be played again
        with the same seed, but not with a bot that lives on elsewhere (T2.4).
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
        """Wait for bots that live elsewhere: each is one process, with so many matches, whichever referees it is at."""
        wanted = Counter(bot.label for bot in bots if bot.is_remote)
        most = {bot.label: bot.manifest.concurrency for bot in bots}
        # One that sits at a table twice plays there even if it is made for one match.
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
            async with self.room():
                return await self._play_at(referee, clients, fixture)
        finally:
            with trio.CancelScope(shield=True):
                await self._release(referee, clients)

    async def _play_at(self, referee: _Referee, clients: Sequence[_Client], fixture: MatchToPlay) -> MatchResult:
        send, receive = trio.open_memory_channel[MatchResult | str](1)
        try:
            for client in clients:
                await self._seat(referee, client)
            marks = [client.mark for client in clients]
            order = MatchOrder(
                fixture.match_id, fixture.game, fixture.options,
                tuple(SeatOrder(each.bot.label, each.ticket) for each in clients), fixture.seed, fixture.time_control,
                parts_first=self.heard is not None and any(client.is_talkative for client in clients),
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
            self._hear(fixture.match_id, clients, marks)
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
        """Void a match that a seat has lost because the host killed its bot: no fault of the bot's.

        What happened to a bot is only ever judged by what it cannot have done itself.
        """
        for client, ending in zip(clients, result.seat_endings, strict=True):
            if ending not in (Ending.FORFEIT_CRASH, Ending.FORFEIT_DISCONNECT) or client.process is None:
                continue
            with trio.move_on_after(VERDICT_SECONDS):
                await client.ended.wait()
            if client.process.host_kill:
                return voided(fixture, f"{client.bot.label} was killed by the host: {client.process.host_kill}")
        return result

    async def _settle(self, clients: Sequence[_Client]) -> None:
        """Let every process that plays nothing else finish what it has to say to the end of its match."""
        async with trio.open_nursery() as nursery:
            for client in clients:
                if client.process is not None and client.playing == 1 and client.is_talkative:
                    nursery.start_soon(client.process.settle)

    def _hear(self, match_id: str, clients: Sequence[_Client], marks: Sequence[int]) -> None:
        """Hand on what each process has printed since the match began."""
        if self.heard is None:
            return
        for seat, (client, mark) in enumerate(zip(clients, marks, strict=True)):
            if client.process is None:
                continue
            printed = client.process.output.since(mark)
            client.filed = client.process.output.total
            if printed:
                self.heard(match_id, seat, printed)

    async def _reserve(self, fixture: MatchToPlay) -> tuple[_Referee, list[_Client]]:
        """Wait for a referee at which every bot of the fixture has a slot free."""
        most = [0 if self.fresh_process else min(self.at_once, bot.manifest.concurrency) for bot in fixture.bots]
        slots = slots_of(bot.label for bot in fixture.bots)
        turn = _Turn(dict(zip(slots, most, strict=True)), bots=fixture.bots)
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
                    await self._release(turn.referee, turn.clients)
            raise
        return turn.referee, turn.clients

    def _hand_out(self) -> None:
        """Give slots to those who can begin; while a referee is missing, wake all who wait, to replace it."""
        if not self._is_complete:
            for turn in self._queue:
                turn.woken.set()
            return
        for turn, referee in self._queue.hand_out(self.referees, self.capacity):
            self._clock += 1
            referee.busy += 1
            turn.clients = [self._take(referee, bot, slot) for bot, slot in zip(turn.bots, turn.slots, strict=True)]
            turn.referee = referee
            turn.woken.set()

    def _announce(self) -> None:
        """Let all who wait for something look again."""
        self._hand_out()
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def _take(self, referee: _Referee, bot: Bot, slot: Slot) -> _Client:
        client = referee.clients.get(slot)
        if client is None:
            client = referee.clients[slot] = _Client(bot, secrets.token_hex(16))
        client.playing += 1
        client.used = self._clock
        return client

    async def _seat(self, referee: _Referee, client: _Client) -> None:
        """Start the process of a client that has none yet."""
        if client.is_started:
            return
        client.is_started = True
        await referee.send("admit", {"ticket": client.ticket, "bot": client.bot.label})
        try:
            client.process = await self.start_bot(client.bot, referee.address, client.ticket, self.sandbox)
        except BotStartError as error:
            self._outputs[client.bot.label] = KeptOutput()
            self._outputs[client.bot.label].add(str(error).encode())
            await self._lost(referee, client, str(error))
        else:
            self._outputs[client.bot.label] = client.process.output
            self.nursery.start_soon(self._watch, referee, client, client.process)

    async def _watch(self, referee: _Referee, client: _Client, process: RunningBot) -> None:
        """Stay with a bot process to its end; tell the referee if it ends by itself."""
        try:
            detail = await process.watch()
            client.ended.set()
            await self._lost(referee, client, detail)
        finally:
            await process.stop()

    async def _lost(self, referee: _Referee, client: _Client, detail: str) -> None:
        await referee.send("exited", {"ticket": client.ticket, "detail": detail})
        for slot, other in list(referee.clients.items()):
            if other is client:
                del referee.clients[slot]
        self._announce()

    async def _release(self, referee: _Referee, clients: Sequence[_Client]) -> None:
        referee.busy -= 1
        for client in clients:
            client.playing -= 1
        idle = [client for client in referee.clients.values() if not client.playing]
        if not self.fresh_process:
            idle.sort(key=lambda client: client.used)
            idle = idle[: max(0, len(referee.clients) - MAX_PROCESSES)]
        # All of them leave before any is waited for, so that none is given to a match that would lose it.
        for slot, client in list(referee.clients.items()):
            if client in idle:
                del referee.clients[slot]
        for client in idle:
            await self._dismiss(referee, client)
        self._announce()

    async def _dismiss(self, referee: _Referee, client: _Client) -> None:
        await referee.send("dismiss", client.ticket)
        if client.process is not None:
            await client.process.stop()

    async def close(self) -> None:
        """Say goodbye to every bot and give them a moment to leave by themselves."""
        with trio.move_on_after(GOODBYE_SECONDS):
            for referee in self.referees:
                for client in list(referee.clients.values()):
                    await referee.send("dismiss", client.ticket)
            for referee in self.referees:
                for client in list(referee.clients.values()):
                    if client.process is not None:
                        await client.process.wait()

    @property
    def _is_complete(self) -> bool:
        return len(self.referees) == self.count and all(referee.alive for referee in self.referees)

    async def _revive(self, game: str) -> None:
        """Replace referees that have ended; what is played next is loaded before they are forked."""
        if self._is_complete:
            return
        async with self._reviving:
            self.referees = [referee for referee in self.referees if referee.alive]
            while len(self.referees) < self.count:
                self.referees.append(await self._start_referee(game))

    async def _start_referee(self, game: str) -> _Referee:
        self._started += 1
        # A directory for each socket: a sandboxed bot sees that of its own referee and nothing else of ours.
        folder = self.folder / f"r{self._started}"  # short: a socket path has at most 107 bytes
        folder.mkdir()
        address = f"unix:{folder / 's'}"
        process = await self.warm.fork("referee", ("--listen", address, "--log-level", self.log_level), game)
        lines = read_lines(process.stdout)
        try:
            first = json.loads(await anext(lines, b'{"error":{"reason":"the referee process has ended"}}'))
        except trio.Cancelled:
            await process.end()
            raise
        if "ready" not in first:
            raise RefereeError(first["error"]["reason"])
        referee = _Referee(process, address)
        self.nursery.start_soon(self._listen, referee, lines)
        return referee

    async def _listen(self, referee: _Referee, lines: AsyncIterator[bytes]) -> None:
        """Hand out results as they come; when the referee ends, fail what it still owes."""
        try:
            async for line in lines:
                verb, value = next(iter(json.loads(line).items()))
                if verb == "result":
                    channel = referee.results.pop(value["match_id"], None)
                    if channel is not None:
                        channel.send_nowait(MatchResult.from_plain(value))
                elif verb == "peeked":
                    for reader in referee.peeks.pop((value["match_id"], value["after"]), ()):
                        with suppress(trio.ClosedResourceError):  # whoever looked on has gone
                            reader.send_nowait(value["lines"])
                elif verb == "event":
                    if self.watch is not None:
                        self.watch(value["match_id"], value["text"])
                elif value["match_id"] in referee.results:
                    referee.results.pop(value["match_id"]).send_nowait(value["reason"])
                else:
                    log.error("referee.refused", reason=value["reason"])
        finally:
            referee.alive = False
            with trio.CancelScope(shield=True):
                await self._bury(referee)

    async def _bury(self, referee: _Referee) -> None:
        await referee.process.stdin.aclose()
        with trio.move_on_after(2):
            await referee.process.wait()
        referee.process.kill()
        await referee.process.wait()
        for channel in list(referee.results.values()):
            channel.send_nowait("the referee process has ended")
        for client in list(referee.clients.values()):
            if client.process is not None:
                await client.process.stop()
        self._announce()


@asynccontextmanager
async def open_pool(
    *,
    referees: int = 1,
    at_once: int = 16,
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

    `pool.sandbox` is the level in which its bots run, as the policy and this machine have it.
    """
    level = choose(sandbox)
    cgroups.sweep()
    with scratch_folder() as folder:
        async with open_warm_process() as warm, trio.open_nursery() as nursery:
            pool = LocalPool(
                nursery,
                folder,
                referees=referees,
                at_once=at_once,
                fresh_process=fresh_process,
                log_level=log_level,
                sandbox=level,
                start_bot=start_bot,
                watch=watch,
                shows_board=shows_board,
                heard=heard,
                verify=verify,
                warm=warm,
                room=room,
            )
            try:
                yield pool
                await pool.close()
            finally:
                nursery.cancel_scope.cancel()


def open_here(asked: Demands) -> AbstractAsyncContextManager[Pool]:
    """Open a pool on this machine for a tournament or test."""
    return open_pool(
        referees=asked.referees, at_once=asked.at_once, fresh_process=asked.fresh_process, log_level=asked.log_level,
        sandbox=asked.sandbox, start_bot=asked.start_bot, heard=asked.heard, verify=asked.verify,
    )  # fmt: skip
