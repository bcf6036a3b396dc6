"""The referee process: orders on standard input, results on standard output, one per line.

In:  {"admit": {"ticket", "bot"}}, with its own "address" if it is to have one · {"dismiss": ticket} ·
     {"exited": {"ticket", "detail"}} · {"dialled": {"ticket", "is_reached"}} · {"match": order} ·
     {"cancel": match_id} · {"watch": match_id}, {"look": match_id}, before its match · {"peek": {"match_id", "after"}};
     the end of the input shuts the referee down.
Out: {"ready": [addresses]} · {"result": result} · {"error": {"match_id", "reason"}} ·
     for a bot with its own address: {"admitted": {"ticket", "fault"}}, once it can dial, {"cut": {"ticket",
     "reason"}}, when it broke a bound, and {"absent": ticket}, to be answered by "dialled" before it is blamed ·
     {"full": {"ticket", "held_mb"}}, before it ends for lack of memory, with the bot that filled it or "" ·
     {"event": {"match_id", "text"}} for a watched match, as a spectator sees it, and its board if requested ·
     {"peeked": {"match_id", "after", "lines"}}, the next lines of the record of a match that is being played
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import resource
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from referee.clock import StallMeter
from referee.listener import tell_mistakes
from referee.logs import configure_logs
from referee.match import Match
from referee.order import MatchOrder, OrderError, find_game
from referee.record import Recorder
from referee.server import RefereeServer
from referee.standard_output import say_line

MEMORY_LOOK_SECONDS = 0.25
SPARE_BYTES = 2 << 30  # stacks of threads and the like, which are reserved and never held
FULL = 3  # the exit code
MAX_PEEKED = 128  # lines in one answer: spectators must not keep the bots waiting


class Referee:
    """Carries out the arena's commands."""

    def __init__(self, server: RefereeServer, group: asyncio.TaskGroup) -> None:
        self.server = server
        self.group = group
        self.matches: dict[str, asyncio.Task[None]] = {}
        self.records: dict[str, Recorder] = {}
        self.watched: set[str] = set()
        self.looked_at: set[str] = set()

    def obey(self, line: bytes) -> None:
        """Carry out one line; a bad one is answered with an error and changes nothing."""
        value: Any = None
        try:
            verb, value = _command(line)
            getattr(self, f"_{verb}")(value)
        except (OrderError, KeyError, TypeError, ValueError) as error:
            match_id = value.get("match_id") if isinstance(value, dict) else None
            say("error", {"match_id": match_id, "reason": str(error)})

    def _admit(self, value: Any) -> None:
        if "address" in value:
            opening = self.server.admit_at(value["address"], value["ticket"], value["bot"])
            self.group.create_task(self._open(value["ticket"], opening))
        else:
            self.server.admit(value["ticket"], value["bot"])

    async def _open(self, ticket: str, opening: Awaitable[None]) -> None:
        fault = ""
        try:
            await opening
        except RuntimeError as error:
            fault = f"cannot listen: {error}"
        say("admitted", {"ticket": ticket, "fault": fault})

    def _dialled(self, value: Any) -> None:
        link = self.server.links.get(value["ticket"])
        if link is not None and link.dialled is not None and not link.dialled.done():
            link.dialled.set_result(value["is_reached"])

    def _dismiss(self, ticket: Any) -> None:
        self.server.dismiss(ticket)

    def _exited(self, value: Any) -> None:
        link = self.server.links.get(value["ticket"])
        if link is not None:
            link.exited(value["detail"])

    def _match(self, value: Any) -> None:
        order = MatchOrder.from_plain(value)
        game = find_game(order.game)
        missing = [seat.bot for seat in order.seats if seat.ticket not in self.server.links]
        if missing:
            raise OrderError(f"seats: {missing[0]} was not admitted")
        if order.match_id in self.matches:
            raise OrderError(f"match_id: {order.match_id} is already being played")
        links = [self.server.links[seat.ticket] for seat in order.seats]
        match = Match(order, game, game.options(order.options), links, self.server.meter)
        if order.match_id in self.watched:
            match.watch = functools.partial(tell, match)
        if order.match_id in self.looked_at:
            match.look = functools.partial(show, match)
        self.records[order.match_id] = match.recorder
        self.matches[order.match_id] = self.group.create_task(self._play(match))

    async def _play(self, match: Match) -> None:
        try:
            await match.play(lambda result: say("result", result.to_plain()))
        finally:
            del self.matches[match.order.match_id], self.records[match.order.match_id]
            self.watched.discard(match.order.match_id)
            self.looked_at.discard(match.order.match_id)

    def _cancel(self, match_id: Any) -> None:
        if match_id in self.matches:
            self.matches[match_id].cancel()

    def _watch(self, match_id: Any) -> None:
        self.watched.add(match_id)

    def _look(self, match_id: Any) -> None:
        self.looked_at.add(match_id)

    def _peek(self, value: Any) -> None:
        match_id, after = value["match_id"], value["after"]
        lines = self.records[match_id].written(after, MAX_PEEKED) if match_id in self.records else []
        say("peeked", {"match_id": match_id, "after": after, "lines": lines})


VERBS = ("admit", "dismiss", "exited", "dialled", "match", "cancel", "watch", "look", "peek")


def _command(line: bytes) -> tuple[str, Any]:
    plain = json.loads(line)
    if not isinstance(plain, dict) or len(plain) != 1 or next(iter(plain)) not in VERBS:
        raise OrderError(f"expected one of: {', '.join(VERBS)}")
    verb, value = next(iter(plain.items()))
    return verb, value


def say(verb: str, value: object) -> None:
    """Write one line to the arena."""
    say_line({verb: value})


def tell(match: Match, event: object) -> None:
    """Report an event of a watched match as a spectator sees it."""
    seen = match.game.witness(event, None)
    if seen is not None:
        say("event", {"match_id": match.order.match_id, "text": match.game.describe(seen)})


def show(match: Match) -> None:
    """Report the board of a watched match, as a spectator sees it."""
    text = match.game.text_board(match.game.observe(match.state, None))
    say("event", {"match_id": match.order.match_id, "text": f"\n{text}\n"})


async def guard_memory(server: RefereeServer, memory_mb: int, end: Callable[[int], None] = os._exit) -> None:
    """End this process when it exceeds its memory limit, and report the bot that filled it if that is clear."""
    while memory_mb:
        await asyncio.sleep(MEMORY_LOOK_SECONDS)
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])  # noqa: ASYNC240  # of a file in memory
        held_mb = pages * resource.getpagesize() >> 20
        if held_mb > memory_mb:
            say("full", {"ticket": server.heaviest(), "held_mb": held_mb})
            end(FULL)
            return


async def run(addresses: list[str], memory_mb: int) -> None:
    """Referee until the input ends, then shut down within a second."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 28)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    meter = StallMeter()
    server = RefereeServer(meter, say)
    loop.set_exception_handler(tell_mistakes)
    try:
        say("ready", await server.start(addresses))
    except RuntimeError as error:
        say("error", {"match_id": None, "reason": f"cannot listen: {error}"})
        return
    try:
        async with asyncio.TaskGroup() as group:
            beat = group.create_task(meter.run())
            guard = group.create_task(guard_memory(server, memory_mb))
            referee = Referee(server, group)
            while line := await reader.readline():
                referee.obey(line)
            for task in (beat, guard, *referee.matches.values()):
                task.cancel()
    finally:
        await server.stop()


def main(given: Sequence[str] | None = None) -> None:
    """Parse the flags, by default those of the command line, and run."""
    parser = argparse.ArgumentParser(
        prog="python -m referee", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--listen", action="append", default=[], metavar="ADDRESS", help="unix:PATH or HOST:PORT, repeatable"
    )
    parser.add_argument(
        "--memory-mb", type=int, default=0, metavar="N", help="end when this process holds more; 0: no limit"
    )
    parser.add_argument("--log-level", default="warning", choices=("debug", "info", "warning", "error"))
    parser.add_argument("--log-json", action="store_true", help="log JSON lines instead of text")
    arguments = parser.parse_args(given)
    configure_logs(arguments.log_level, as_json=arguments.log_json)
    if arguments.memory_mb:  # a hard limit too, for allocations between two checks
        most = (arguments.memory_mb << 20) + SPARE_BYTES
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    asyncio.run(run(arguments.listen, arguments.memory_mb))


if __name__ == "__main__":
    main()
