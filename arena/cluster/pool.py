"""A pool whose matches are played by the workers of a cluster."""

from __future__ import annotations

import secrets
import time
import zlib
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import chain, zip_longest
from math import ceil
from typing import Any

import trio

from arena.bots.archive import ArchiveError, pack, unpack
from arena.bots.directory import Bot, BotDirectory
from arena.bots.scratch import scratch_folder
from arena.cluster.engine import Engine, EngineLostError, open_engine
from arena.cluster.identity import WorkerInfo, chunks_for, games_here, unfit, wanted
from arena.cluster.task import Plain
from arena.play.agreement import has_timed_choices
from arena.play.concurrency import MAX_MATCHES, share_of
from arena.play.local_pool import LocalPool, open_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import MAX_ATTEMPTS, OpenPool, Pool, PoolConfig, Provenance, fault_of, voided
from arena.sandbox.levels import choose
from arena.store.rows import Recheck
from arena.store.tournaments import shown_name
from referee.logs import log
from referee.mistakes import UserError
from referee.order import Ending, MatchResult

MAX_ASKED = 1 << 14  # more matches than one arena stores while they are played
LINGER_SECONDS = 0.005  # within which the matches of a round arrive
POLL_SECONDS = 1.0
RETRY_SECONDS = 0.5
MAX_LOSSES_TOGETHER = 2  # after which a block is sent alone: one of its chunk may crash workers
MAX_RECORD_BYTES = 256 << 20
RECHECK_ATTEMPTS = 3


@dataclass(slots=True, eq=False)
class _Owed:
    """A match with the channel for its result."""

    match: MatchToPlay
    send: trio.MemorySendChannel[MatchResult]


@dataclass(slots=True, eq=False)
class _Block:
    """The matches of a table that are played together."""

    owed: list[_Owed]
    attempts: int = 0
    losses: int = 0
    avoid: set[str] = field(default_factory=set)
    """Addresses of workers that failed on it."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A worker's answer for one match."""

    result: MatchResult
    provenance: Provenance
    printed: dict[int, str]


class ClusterPool:
    """Cuts requested matches into chunks of whole blocks, each played by one worker."""

    def __init__(self, engine: Engine, config: PoolConfig, here: LocalPool, nursery: trio.Nursery) -> None:
        self.engine = engine
        self.config = config
        self.here = here
        self.nursery = nursery
        self.session = secrets.token_hex(8)
        self.level = choose(config.sandbox)
        self.workers: dict[str, WorkerInfo] = {}
        """The fit workers, by address."""
        self.counts: Counter[str] = Counter()
        self._refused: dict[str, str] = {}
        self._forming: dict[str, _Block] = {}
        self._queue: deque[_Block] = deque()
        self._running: dict[str, list[_Block]] = {}
        self._provenance: dict[str, Provenance] = {}
        self._at: dict[str, str] = {}  # worker addresses of chunks, as far as requested
        self._serial = 0
        self._wake = trio.Event()
        self._is_out_of_reach = False
        self._rechecks: dict[str, int] = {}
        self._rechecked = trio.Event()

    # The pool protocol.

    @property
    def cores(self) -> int:
        """The cores of all workers."""
        return sum(worker.cores for worker in self.workers.values())

    @property
    def capacity(self) -> int:
        """The maximum number of matches that the workers play concurrently."""
        return max(1, self.cores) * (self.config.run.concurrency or MAX_MATCHES)

    @property
    def max_asked(self) -> int:
        """Matches beyond the capacity wait here."""
        return MAX_ASKED

    def provenance_of(self, match_id: str) -> Provenance:
        """Return where a match was played."""
        return self._provenance.pop(match_id, Provenance(self.here.sandbox))

    def output_of(self, label: str) -> str:
        """Return the output of a bot at the arena; output on a worker comes with its match."""
        return self.here.output_of(label)

    def status(self) -> str:
        """Return the number of workers, running and waiting matches."""
        return f"{len(self.workers):,} workers, {self._playing:,} matches with them, {self._waiting:,} waiting"

    @property
    def _waiting(self) -> int:
        return sum(len(block.owed) for block in self._queue)

    @property
    def _playing(self) -> int:
        return sum(len(block.owed) for blocks in self._running.values() for block in blocks)

    async def play(self, match: MatchToPlay) -> MatchResult:
        """Play one match; it is replayed if a worker or the scheduler is lost."""
        if remote := ", ".join(bot.label for bot in match.bots if bot.is_remote):
            self.counts["here"] += 1
            log.info("match.played_at_arena", match_id=match.match_id, reason=f"{remote} runs elsewhere")
            return await self.here.play(match)
        send, receive = trio.open_memory_channel[MatchResult](1)
        self._form(_Owed(match, send))
        return await receive.receive()

    def _form(self, owed: _Owed) -> None:
        """Queue a block once all of its matches have been requested."""
        block = owed.match.block
        if block is None:
            self._queue.append(_Block([owed]))
        else:
            forming = self._forming.setdefault(block.name, _Block([]))
            forming.owed.append(owed)
            if len(forming.owed) < block.games:
                return
            del self._forming[block.name]
            self._queue.append(forming)
        self._wake.set()

    def is_played(self, match_id: str) -> bool:
        """Return whether a worker has a match."""
        return self.here.is_played(match_id) or bool(self._chunk_of(match_id))

    async def peek(self, match_id: str, after: int) -> list[str]:
        """Return the next lines of a match, from the worker that plays it."""
        if self.here.is_played(match_id):
            return await self.here.peek(match_id, after)
        key = self._chunk_of(match_id)
        if not key:
            return []
        with suppress(EngineLostError):
            for is_fresh in (False, True):
                if is_fresh or key not in self._at:
                    self._at[key] = await self.engine.call(self.engine.where, key)
                if address := self._at[key]:
                    lines = await self.engine.call(self.engine.peek, address, match_id, after)
                    if lines is not None:
                        return lines
        return []

    def _chunk_of(self, match_id: str) -> str:
        running = ((key, owed) for key, blocks in self._running.items() for block in blocks for owed in block.owed)
        return next((key for key, owed in running if owed.match.match_id == match_id), "")

    # Chunks.

    async def dispatch(self) -> None:
        """Cut the queue into chunks, and keep two per core with the workers and a few ahead."""
        while True:
            await self._wake.wait()
            await trio.sleep(LINGER_SECONDS)
            self._wake = trio.Event()
            while self._queue and len(self._running) < chunks_for(self.cores):
                key = self._next_key("chunk")
                self._running[key] = self._cut()
                self.nursery.start_soon(self._play_chunk, key, self._running[key])

    def _next_key(self, kind: str) -> str:
        self._serial += 1
        return f"{kind}-{self.session}-{self._serial}"

    def _cut(self) -> list[_Block]:
        """Take whole blocks for one chunk: smaller towards the end of a round, so that all workers end together.

        But never fewer matches than a core plays concurrently, or part of it would be idle.
        """
        first = self._queue[0].owed[0].match
        share = share_of(first, self.config.run.concurrency, fresh_process=self.config.fresh_process)
        least = min(self.config.run.chunk, share.denominator)
        size = max(least, min(self.config.run.chunk, ceil(self._waiting / chunks_for(self.cores))))
        chunk = [self._queue.popleft()]
        if chunk[0].losses > MAX_LOSSES_TOGETHER:
            return chunk
        matches = len(chunk[0].owed)
        while self._queue and not (block := self._queue[0]).avoid and block.losses <= MAX_LOSSES_TOGETHER:
            matches += len(block.owed)
            if matches > size:
                break
            chunk.append(self._queue.popleft())
        return chunk

    async def _play_chunk(self, key: str, chunk: list[_Block]) -> None:
        avoid = set().union(*(block.avoid for block in chunk))
        # The first game of every block, then the second: games of one block share their bots.
        games = zip_longest(*(block.owed for block in chunk))
        matches = [owed.match for owed in chain.from_iterable(games) if owed is not None]
        try:
            answer = await self._ask(key, self.session, matches, avoid, is_strict=False, priority=0)
        except EngineLostError as error:
            await self._lose(chunk, str(error))
        except ArchiveError as error:
            faults = {match.match_id: f"a bot cannot be sent to a worker: {error}" for match in matches}
            for block in chunk:
                self._release(block, {}, faults, "")
        else:
            await self._settle(chunk, answer)
        finally:
            del self._running[key]
            self._at.pop(key, None)
            self._wake.set()

    async def _ask(
        self, key: str, session: str, matches: Sequence[MatchToPlay], avoid: set[str], *, is_strict: bool, priority: int
    ) -> Plain:
        """Have matches played and return the answer; missing bots are sent with the next attempt."""
        chunk = {
            "session": session,
            "tournament": shown_name(self.config.tournament),
            "settings": {
                "concurrency": self.config.run.concurrency,
                "fresh_process": self.config.fresh_process,
                "log_level": self.config.log_level,
                "sandbox": self.config.sandbox.value,
            },
            "orders": [_order(match) for match in matches],
        }
        bots = {bot.version: bot for match in matches for bot in match.bots}
        resources = wanted(self.level, self.config.run.cluster_class)
        workers = [address for address in self.workers if address not in avoid] if avoid else []
        archives: dict[str, bytes] = {}
        for attempt in range(len(bots) + 1):
            answer = await self.engine.call(
                self.engine.play, f"{key}-{attempt}" if attempt else key, chunk, archives, resources, workers,
                is_strict and attempt == 0, priority + attempt,
            )  # fmt: skip
            self.counts["chunks"] += 1
            if "lost" in answer or "refused" in answer:
                raise EngineLostError(str(answer.get("lost", answer.get("refused"))))
            missing = answer.get("missing", ())
            if not missing:
                return answer
            self.counts["missing"] += 1
            for version in missing:
                if isinstance(bot := bots.get(version), BotDirectory):  # the arena plays tables with remote bots
                    archives[version] = await trio.to_thread.run_sync(pack, bot.path)
            workers = [str(answer.get("address", ""))]
        raise EngineLostError("a worker keeps missing bots that it was given")

    async def _lose(self, chunk: Iterable[_Block], reason: str) -> None:
        """Replay the blocks of a lost chunk; it counts against no worker."""
        self.counts["lost"] += 1
        log.warning("chunk.lost", tournament=self.config.tournament, reason=reason)
        await trio.sleep(RETRY_SECONDS)
        for block in chunk:
            block.losses += 1
            self._queue.append(block)

    async def _settle(self, chunk: Iterable[_Block], answer: Plain) -> None:
        """Check every claim of an answer, and accept a block only as a whole."""
        worker, address = str(answer.get("worker", "")), str(answer.get("address", ""))
        claims = {claim.result.match_id: claim for claim in _claims(answer, worker)}
        faults: dict[str, str] = {}

        async def judge(owed: _Owed) -> None:
            claim = claims.get(owed.match.match_id)
            if claim is None:
                faults[owed.match.match_id] = "the answer has no readable result"
            elif fault := await fault_of(owed.match, claim.result, self.config.verify):
                faults[owed.match.match_id] = fault

        async with trio.open_nursery() as nursery:
            for block in chunk:
                for owed in block.owed:
                    nursery.start_soon(judge, owed)
        for block in chunk:
            wrong = {owed.match.match_id for owed in block.owed} & faults.keys()
            for match_id in sorted(wrong):
                self.counts["refused"] += 1
                log.error("result.refused", match_id=match_id, worker=worker, reason=faults[match_id])
            is_void = any(
                claims[owed.match.match_id].result.ending is Ending.VOIDED for owed in block.owed if not wrong
            )
            if wrong or is_void:
                block.attempts += 1
                block.avoid.add(address)
                if block.attempts < MAX_ATTEMPTS and (wrong or self.workers.keys() - block.avoid):
                    self._queue.append(block)
                    continue
            self._release(block, claims, faults, address)

    def _release(self, block: _Block, claims: dict[str, _Claim], faults: dict[str, str], address: str) -> None:
        """Deliver the results of a block, all together."""
        again = []
        for owed in block.owed:
            match = owed.match
            claim = claims.get(match.match_id)
            if claim is None or match.match_id in faults:
                refused = None if claim is None else claim.result
                owed.send.send_nowait(voided(match, faults[match.match_id], refused))
                continue
            for seat, text in claim.printed.items():
                self.config.heard(match.match_id, seat, text)
            self._provenance[match.match_id] = claim.provenance
            owed.send.send_nowait(claim.result)
            if self._is_sampled(match, claim.result):
                again.append((match, claim.result))
        if again:
            for match, _result in again:
                self._rechecks[match.match_id] = 0
            self.nursery.start_soon(self._recheck, again, address)

    # Rechecks.

    def _is_sampled(self, match: MatchToPlay, result: MatchResult) -> bool:
        """Return whether to replay a match: its bots are deterministic and the clock made no choice."""
        draw = int.from_bytes(sha256(b"recheck" + match.match_id.encode()).digest()[:8], "big") / 2**64
        return (
            draw < self.config.run.recheck
            and result.ending is Ending.COMPLETED
            and all(bot.manifest.deterministic for bot in match.bots)
            and not has_timed_choices(result.record)
        )

    async def _recheck(self, sample: Sequence[tuple[MatchToPlay, MatchResult]], address: str) -> None:
        """Have matches replayed by another worker, and compare the results to the byte, times aside."""
        for attempt in range(RECHECK_ATTEMPTS):
            while not self.workers.keys() - {address}:  # noqa: ASYNC110  # workers may join at any time
                await trio.sleep(POLL_SECONDS)
            try:
                answer = await self._ask(
                    self._next_key("recheck"), f"{self.session}-recheck-{attempt}",
                    [match for match, _ in sample], {address}, is_strict=True, priority=-10,
                )  # fmt: skip
            except EngineLostError:
                await trio.sleep(RETRY_SECONDS)
                continue
            if answer.get("address") == address:
                continue
            await self._compare(sample, answer)
            break
        for match, _ in sample:
            self._rechecks.pop(match.match_id, None)
        self._rechecked.set()

    async def _compare(self, sample: Sequence[tuple[MatchToPlay, MatchResult]], answer: Plain) -> None:
        worker = str(answer.get("worker", ""))
        claims = {claim.result.match_id: claim.result for claim in _claims(answer, worker)}
        for match, first in sample:
            second = claims.get(match.match_id)
            if second is None or second.ending is Ending.VOIDED or has_timed_choices(second.record):
                continue
            if fault := await fault_of(match, second, self.config.verify):
                log.error("result.refused", match_id=match.match_id, worker=worker, reason=fault)
                continue
            is_equal = first.digest == second.digest
            self.counts["rechecked"] += 1
            if not is_equal:
                self.counts["differing"] += 1
                log.error("match.differs", match_id=match.match_id, again_on=worker)
            await self.config.rechecked(Recheck(match.match_id, worker, second.digest, is_equal))

    async def finish(self) -> None:
        """Wait for the rechecks that another worker can still play."""
        while self._rechecks and len(self.workers) > 1:
            self._rechecked = trio.Event()
            with trio.move_on_after(POLL_SECONDS):
                await self._rechecked.wait()
        if self._rechecks:
            log.warning("recheck.skipped", matches=len(self._rechecks), reason="there is no second worker")

    # Workers.

    async def watch_workers(self) -> None:
        """Track the workers, and publish our queue to the scheduler."""
        await trio.to_thread.run_sync(games_here)  # loads every game that has not been played yet
        while True:
            try:
                self._note(await self.engine.call(self.engine.workers))
                status = {
                    "tournament": shown_name(self.config.tournament),
                    "at": time.time(),
                    "waiting": self._waiting,
                    "with_workers": self._playing,
                }
                await self.engine.call(self.engine.post, self.session, status)
            except EngineLostError as error:
                if not self._is_out_of_reach:
                    log.warning("cluster.unreachable", reason=str(error))
                self._is_out_of_reach = True
                self.workers = {}
            await trio.sleep(POLL_SECONDS)

    def _note(self, found: Iterable[WorkerInfo]) -> None:
        self._is_out_of_reach = False
        present = {}
        for worker in found:
            if reason := unfit(worker, self.level, self.config.run.cluster_class):
                if self._refused.get(worker.name) != reason:
                    log.error("worker.refused", worker=worker.name, reason=reason)
                self._refused[worker.name] = reason
            else:
                present[worker.address] = worker
        for address, worker in present.items():
            if address not in self.workers:
                log.info(
                    "worker.joined", worker=worker.name, cores=worker.cores, sandbox=worker.sandbox,
                    calibration=worker.calibration,
                )  # fmt: skip
        for address, worker in self.workers.items():
            if address not in present:
                log.warning("worker.left", worker=worker.name)
        if present.keys() != self.workers.keys():
            self._wake.set()
        self.workers = present


def _order(match: MatchToPlay) -> Plain:
    return {
        "match_id": match.match_id,
        "game": match.game,
        "options": dict(match.options),
        "bots": [[bot.manifest.name, bot.version] for bot in match.bots],
        "seed": match.seed,
        "time_control": match.time_control.to_plain(),
        "terms": match.terms,
    }


def _claims(answer: Plain, worker: str) -> Iterable[_Claim]:
    """Yield the claims of an answer, leaving out unreadable ones."""
    results: Any = answer.get("results", ())
    for plain in results if isinstance(results, list) else ():
        with suppress(KeyError, TypeError, ValueError, AttributeError, zlib.error):
            yield _claim(plain, worker, answer.get("calibration"))


def _claim(plain: Any, worker: str, calibration: Any) -> _Claim:
    unpacker = zlib.decompressobj()
    record = unpacker.decompress(plain["record"], MAX_RECORD_BYTES)
    if not unpacker.eof:
        raise ValueError("a record is truncated or too large")
    printed = {int(seat): str(text) for seat, text in plain["printed"].items()}
    provenance = Provenance(
        str(plain["sandbox"]), worker, calibration if type(calibration) is int else None, bytes(plain["record"])
    )
    return _Claim(MatchResult.from_plain({**plain, "record": record.decode("ascii")}), provenance, printed)


def check_bots(bots: Iterable[Bot]) -> None:
    """Refuse bots that cannot be sent to a worker before anything is played; a UserError names the first."""
    for bot in {bot.version: bot for bot in bots}.values():
        if isinstance(bot, BotDirectory):
            with scratch_folder() as folder:
                try:
                    unpack(pack(bot.path), folder)
                except ArchiveError as error:
                    raise UserError(f"bots: {bot.label} cannot be sent to a cluster: {error}") from None


@asynccontextmanager
async def open_cluster_pool(given: str, config: PoolConfig) -> AsyncIterator[Pool]:
    """Open a pool on the cluster of a scheduler, given by its address or its scheduler file."""
    async with (
        open_engine(given, "cluster") as engine,
        open_here(config) as here,
        trio.open_nursery() as nursery,
    ):
        pool = ClusterPool(engine, config, here, nursery)
        nursery.start_soon(pool.dispatch)
        nursery.start_soon(pool.watch_workers)
        try:
            yield pool
            await pool.finish()
        finally:
            nursery.cancel_scope.cancel()


def on_cluster(given: str) -> OpenPool:
    """Return an opener of pools on a cluster, by the address of its scheduler or its scheduler file."""
    return partial(open_cluster_pool, given)
