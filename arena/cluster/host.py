"""The host of a worker: a complete local pool of referees and sandboxed bots, in its own process.

In, by line: {"chunk": {…}}, {"peek": {…}}, {"judge": {…}}.
Out: {"ready": {…}}, {"answer": {"id", …}}, {"about": {…}} every second.
It ends when its input ends, and everything it has started ends with it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import zlib
from base64 import b64decode, b64encode
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import trio

from arena.analysis.judges import open_judge
from arena.bots.archive import ArchiveError
from arena.bots.scratch import scratch_folder
from arena.cluster.bot_cache import BotCache
from arena.cluster.identity import calibrate
from arena.play.lines import as_line, read_lines
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.match_writer import with_last_words
from arena.sandbox.levels import SandboxPolicy, detect
from arena.store.matches import pack_record
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import TimeControl

KEPT_RESULTS = 1_024  # of a session, for a chunk requested again because its answer was lost
IDLE_SECONDS = 120.0  # after which the referees and bots of a session are closed
ABOUT_SECONDS = 1.0
RATE_SECONDS = 60.0


class CoreShares:
    """The cores of this machine: a match takes its share of one, first come first served."""

    def __init__(self, cores: int) -> None:
        self._free = Fraction(cores)
        self._waiting: deque[tuple[Fraction, trio.Event]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def taken(self, share: Fraction) -> AsyncIterator[None]:
        """Wait for a share of a core, and give it back at the end."""
        turn = (share, trio.Event())
        self._waiting.append(turn)
        self._hand_out()
        try:
            await turn[1].wait()
        except trio.Cancelled:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._give_back(share)
            raise
        try:
            yield
        finally:
            self._give_back(share)

    def _give_back(self, share: Fraction) -> None:
        self._free += share
        self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting and self._waiting[0][0] <= self._free:
            share, turn = self._waiting.popleft()
            self._free -= share
            turn.set()


class Session:
    """The matches of one run of an arena, with their own referees and bot processes.

    T2.4: bot processes remember their matches, so a session never plays a match twice: one requested again gets the
    same answer.
    """

    def __init__(self, settings: dict[str, Any], tournament: str, shares: CoreShares) -> None:
        self.settings = settings
        self.tournament = tournament
        self.shares = shares
        self.used = trio.current_time()
        self.chunks = 0
        self.matches = 0
        """The matches being played now."""
        self.printed: dict[str, dict[int, str]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.playing: dict[str, trio.Event] = {}
        self.asking = trio.Lock()  # one chunk after another
        self._pool: LocalPool | None = None
        self.opened, self.closing = trio.Event(), trio.Event()

    @property
    def pool(self) -> LocalPool:
        """The pool, once it is open."""
        assert self._pool is not None, "a session is opened before it plays"
        return self._pool

    async def run(self, cores: int) -> None:
        """Keep the pool open until the session is closed."""
        async with open_pool(
            referees=cores,
            concurrency=self.settings["concurrency"],
            processors=cores,
            fresh_process=self.settings["fresh_process"],
            log_level=self.settings["log_level"],
            sandbox=SandboxPolicy(self.settings["sandbox"]),
            heard=lambda match_id, seat, text: self.printed.setdefault(match_id, {}).update({seat: text}),
            room=self._room,
        ) as self._pool:
            self.opened.set()
            await self.closing.wait()

    @asynccontextmanager
    async def _room(self, share: Fraction) -> AsyncIterator[None]:
        """Take a match's share of a core, only now that all its bots are free."""
        async with self.shares.taken(share):
            self.matches += 1
            try:
                yield
            finally:
                self.matches -= 1

    @property
    def waiting(self) -> int:
        """The number of matches waiting for their bots."""
        return 0 if self._pool is None else self._pool.waiting

    def is_running(self, version: str) -> bool:
        """Return whether a bot has a process here."""
        if self._pool is None:
            return False
        clients = (client for referee in self._pool.referees for client in referee.clients.values())
        return any(client.bot.version == version for client in clients)


class Host:
    """Plays chunks and answers by line."""

    def __init__(self, cores: int, cache: BotCache, nursery: trio.Nursery, out: trio.abc.SendStream) -> None:
        self.cores = cores
        self.cache = cache
        self.nursery = nursery
        self.sessions: dict[str, Session] = {}
        self.shares = CoreShares(cores)
        self.played = 0
        self.recent: deque[float] = deque()
        self._out = out
        self._sending = trio.Lock()
        self._unpacking = trio.Lock()
        self._began = trio.current_time()

    async def say(self, verb: str, value: object) -> None:
        """Write a line."""
        async with self._sending:
            await self._out.send_all(as_line({verb: value}))

    async def answer(self, request: dict[str, Any]) -> None:
        """Play a chunk and answer with its results, or with the missing bots."""
        try:
            answer = await self._play(request)
        except (ArchiveError, ValueError, KeyError, TypeError, OSError) as error:
            answer = {"refused": f"{type(error).__name__}: {error}"}
        await self.say("answer", {"id": request["id"], **answer})

    async def _play(self, request: dict[str, Any]) -> dict[str, Any]:
        versions = {version for order in request["orders"] for _name, version in order["bots"]}
        self.cache.pin(versions)
        try:
            async with self._unpacking:
                for version, file in request["archives"].items():
                    await trio.to_thread.run_sync(self._keep, version, Path(file))
            if missing := self.cache.missing(versions):
                return {"missing": missing}
            session = self._session(request)
            session.chunks += 1  # before the first await: the session must not be closed meanwhile
            try:
                await session.opened.wait()
                async with trio.open_nursery() as nursery, session.asking:
                    for order in request["orders"]:
                        nursery.start_soon(self._play_once, session, order)
                        await trio.lowlevel.checkpoint()  # trio starts tasks of one batch in any order
            finally:
                session.chunks -= 1
                session.used = trio.current_time()
            return {"results": [session.answers[order["match_id"]] for order in request["orders"]]}
        finally:
            self.cache.unpin(versions)
            self.cache.sweep(lambda version: any(each.is_running(version) for each in self.sessions.values()))

    def _keep(self, version: str, file: Path) -> None:
        try:
            self.cache.keep(version, file.read_bytes())
        finally:
            file.unlink(missing_ok=True)

    def _session(self, request: dict[str, Any]) -> Session:
        name = request["session"]
        if name not in self.sessions:
            self.sessions[name] = Session(request["settings"], request["tournament"], self.shares)
            self.nursery.start_soon(self.sessions[name].run, self.cores)
        return self.sessions[name]

    async def _play_once(self, session: Session, order: dict[str, Any]) -> None:
        match_id = order["match_id"]
        if match_id in session.playing:
            await session.playing[match_id].wait()
        if match_id in session.answers:
            return
        is_over = session.playing[match_id] = trio.Event()
        try:
            session.answers[match_id] = await self._play_one(session, order)
            while len(session.answers) > KEPT_RESULTS + len(session.playing):
                session.answers.pop(next(iter(session.answers)))
            self.played += 1
            self.recent.append(trio.current_time())
        finally:
            del session.playing[match_id]
            is_over.set()

    async def _play_one(self, session: Session, order: dict[str, Any]) -> dict[str, Any]:
        fixture = MatchToPlay(
            order["match_id"], order["game"], order["options"],
            tuple(self.cache.find(name, version) for name, version in order["bots"]),
            order["seed"], TimeControl(**order["time_control"]), terms=order["terms"],
        )  # fmt: skip
        result = await session.pool.play(fixture)
        labels = [bot.label for bot in fixture.bots]
        printed = with_last_words(session.pool, labels, result, session.printed.pop(fixture.match_id, {}))
        return {
            **result.to_plain(),
            "record": b64encode(pack_record(result.record)).decode("ascii"),
            "printed": {str(seat): text for seat, text in printed.items()},
            "sandbox": session.pool.sandbox,
        }

    async def peek(self, request: dict[str, Any]) -> None:
        """Answer with the next lines of a match played here."""
        match_id = request["match_id"]
        pools = [session.pool for session in self.sessions.values() if session.opened.is_set()]
        pool = next((pool for pool in pools if pool.is_played(match_id)), None)
        lines = None if pool is None else await pool.peek(match_id, request["after"])
        await self.say("answer", {"id": request["id"], "lines": lines})

    async def judge(self, request: dict[str, Any]) -> None:
        """Judge a record on its own core, so that it does not slow down matches played here."""
        try:
            record = zlib.decompress(b64decode(request["record"])).decode("ascii")
            async with self.shares.taken(Fraction(1)), open_judge(is_idle=False) as judge:
                answer = {"judgement": await judge.judge(record, request["worlds"], request["effort"])}
        except (UserError, ValueError, KeyError, TypeError, OSError, zlib.error) as error:
            answer = {"fault": str(error)}
        await self.say("answer", {"id": request["id"], **answer})

    async def tell(self) -> None:
        """Report every second on the matches played here, and close idle sessions."""
        while True:
            await self.say("about", self._about())
            await trio.sleep(ABOUT_SECONDS)
            for name, session in list(self.sessions.items()):
                if not session.chunks and trio.current_time() - session.used > IDLE_SECONDS:
                    session.closing.set()
                    del self.sessions[name]

    def _about(self) -> dict[str, Any]:
        now = trio.current_time()
        while self.recent and self.recent[0] < now - RATE_SECONDS:
            self.recent.popleft()
        playing: Counter[str] = Counter()
        for session in self.sessions.values():
            playing[session.tournament] += session.matches
        seconds = min(RATE_SECONDS, max(1.0, now - self._began))
        return {
            "playing": dict(+playing),
            "waiting": len(self.shares) + sum(session.waiting for session in self.sessions.values()),
            "played": self.played,
            "per_second": round(len(self.recent) / seconds, 2),
            "cached_bots": len(self.cache),
        }


async def _serve(cores: int, folder: Path, cache_mb: int) -> None:
    incoming, bots = folder / "incoming", folder / "bots"
    incoming.mkdir()
    bots.mkdir(mode=0o755)
    async with trio.open_nursery() as nursery:
        host = Host(cores, BotCache(bots, cache_mb << 20), nursery, trio.lowlevel.FdStream(1))
        ready = {"sandbox": detect().level, "calibration": calibrate(), "incoming": str(incoming), "pid": os.getpid()}
        await host.say("ready", ready)
        nursery.start_soon(host.tell)
        async for line in read_lines(trio.lowlevel.FdStream(0)):
            verb, value = next(iter(json.loads(line).items()))
            nursery.start_soon({"chunk": host.answer, "peek": host.peek, "judge": host.judge}[verb], value)
        nursery.cancel_scope.cancel()


def main() -> None:
    """Serve until the input ends; it is no error if the worker is gone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cores", type=int, required=True)
    parser.add_argument("--cache-mb", type=int, required=True)
    asked = parser.parse_args()
    configure_logs("error", as_json=False)
    with scratch_folder() as folder:
        folder.chmod(0o755)  # a sandboxed bot's own uid reads it
        try:
            trio.run(_serve, asked.cores, folder, asked.cache_mb)
        except* (trio.BrokenResourceError, BrokenPipeError):
            sys.exit(1)


if __name__ == "__main__":
    main()
