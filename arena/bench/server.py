"""Many concurrent remote bots: memory, answered prompts per second, half of them killed, and a crowd of two thousand.

Two hundred bots in four processes, each with its own connection on loopback TCP, play fifty concurrent matches; then
two of the four processes are killed. First straight at one referee, then through a server in a tournament, where every
frame passes two processes and every result is stored, checked by a sample, and rated. Last, two thousand bots connect
to a server and two hundred of them play, while another client keeps making calls.

python -m arena.bench.server [--game norenberc] [--seconds 15] [--rounds 6] [--crowd 2000] [--only crowd]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from arena.bench.figures import Figures, save
from arena.bench.process_cost import cpu_seconds, resident_mb
from arena.store.database import open_store
from arena.store.token_secrets import create
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as api
from arena.v1.arena_pb2_grpc import ArenaServiceStub
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

BOTS, SEATS, CLIENTS = 200, 4, 4
TABLES = BOTS // SEATS
DIALLING = 16
CROWD_TARGET_KB = 100
"""The maximum server memory per connected bot."""
ONLY_STAYING, ONLY_LEAVING = 12, 12
"""Tables at which nobody is killed, and at which everybody is; at the others two of four are."""
TIME = TimeControl(bank_ms=600_000, cap_ms=600_000, grace_ms=1_000, join_ms=60_000)


async def play(address: str, ticket: str, dialling: asyncio.Semaphore) -> None:
    """Play one bot at random, on its own connection; few connect at a time, so that none is late with its hello."""
    dice = random.Random(ticket)
    await dialling.acquire()
    async with grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=ticket, protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            answers = []
            for message in frame.messages:
                if message.WhichOneof("kind") == "prompt":
                    prompt = message.prompt
                    index = dice.randrange(prompt.option_count)
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=index)
                    answers.append(pb.BotMessage(answer=answer))
                elif message.WhichOneof("kind") == "welcome":
                    dialling.release()
                    print(ticket, flush=True)
            if answers:
                await stream.write(pb.PlayRequest(messages=answers))


async def play_many(address: str, tickets: Sequence[str]) -> None:
    """Play many bots in one process until the referee hangs up."""
    dialling = asyncio.Semaphore(DIALLING)
    await asyncio.gather(*(play(address, ticket, dialling) for ticket in tickets), return_exceptions=True)


@dataclass
class Referee:
    """A referee process, driven by line."""

    process: asyncio.subprocess.Process
    address: str = ""
    waiting: dict[str, asyncio.Future[MatchResult]] = field(default_factory=dict)
    answered: int = 0

    def say(self, verb: str, value: Any) -> None:
        """Write one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({verb: value}).encode() + b"\n")

    async def listen(self) -> None:
        """Pass on results as they arrive."""
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            verb, value = next(iter(json.loads(line).items()))
            if verb == "ready":
                self.address = value[0]
            elif verb == "result":
                result = MatchResult.from_plain(value)
                self.answered += result.asked
                self.waiting.pop(result.match_id).set_result(result)
            else:
                raise RuntimeError(value)

    async def match(self, match_id: str, game: str, tickets: Sequence[str]) -> MatchResult:
        """Have one match played."""
        self.waiting[match_id] = asyncio.get_running_loop().create_future()
        result = self.waiting[match_id]
        seats = tuple(SeatOrder(ticket, ticket) for ticket in tickets)
        self.say("match", MatchOrder(match_id, game, {}, seats, hash(match_id) & 0xFFFF, TIME).to_plain())
        return await result


@asynccontextmanager
async def open_referee() -> AsyncIterator[Referee]:
    """Start a referee on loopback TCP and end it."""
    command = [sys.executable, "-m", "referee", "--listen", "127.0.0.1:0", "--log-level", "error"]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=1 << 28)
    referee = Referee(process)
    listening = asyncio.create_task(referee.listen())
    while not referee.address:  # noqa: ASYNC110  # a moment, once
        await asyncio.sleep(0.05)
    try:
        yield referee
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
        await listening


@asynccontextmanager
async def connected(address: str, tickets: Sequence[str]) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    """Yield the playing processes, each with its share of the tickets, once all have connected."""
    share = len(tickets) // CLIENTS  # a whole number for all that is measured here
    clients = []
    try:
        for number in range(CLIENTS):
            command = [sys.executable, "-m", "arena.bench.server", "--play", address]
            pipe = asyncio.subprocess.PIPE
            client = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
            clients.append(client)
            assert client.stdin is not None
            client.stdin.write(json.dumps(tickets[number * share : (number + 1) * share]).encode() + b"\n")
        for client in clients:
            assert client.stdout is not None
            for _ in range(share):
                await client.stdout.readline()
        yield clients
    finally:
        for client in clients:
            if client.returncode is None:
                client.kill()
            await client.wait()


def kill_half(clients: Sequence[asyncio.subprocess.Process]) -> None:
    """Kill half of the playing processes."""
    for client in clients[CLIENTS // 2 :]:
        client.send_signal(signal.SIGKILL)


def tables(tickets: Sequence[str]) -> list[list[str]]:
    """Seat everybody: the second half of the tickets will be killed."""
    staying, leaving = list(tickets[: BOTS // 2]), list(tickets[BOTS // 2 :])
    found = []
    for number in range(TABLES):
        if number < ONLY_STAYING:
            sides = [staying] * 4
        elif number < ONLY_STAYING + ONLY_LEAVING:
            sides = [leaving] * 4
        else:
            sides = [staying, leaving, staying, leaving]
        found.append([side.pop() for side in sides])
    return found


async def measure(game: str, seconds: float) -> dict[str, Any]:
    """Connect, play, kill, and return the figures."""
    tickets = [f"bot-{number}" for number in range(BOTS)]
    async with open_referee() as referee:
        figures: dict[str, Any] = {"game": game, "bots": BOTS, "concurrent matches": TABLES}
        figures["memory alone, MB"] = round(resident_mb(referee.process.pid), 1)
        for ticket in tickets:
            referee.say("admit", {"ticket": ticket, "bot": ticket})
        async with connected(referee.address, tickets) as clients:
            figures["memory with all connected, MB"] = round(resident_mb(referee.process.pid), 1)
            seating = tables(tickets)
            ends, finished, most = time.monotonic() + seconds, 0, 0.0

            async def keep_playing(number: int) -> None:
                nonlocal finished, most
                while time.monotonic() < ends:
                    await referee.match(f"m{number}-{time.monotonic_ns()}", game, seating[number])
                    finished += 1
                    most = max(most, resident_mb(referee.process.pid))

            started, used = time.monotonic(), cpu_seconds(referee.process.pid)
            async with asyncio.TaskGroup() as group:
                for number in range(TABLES):
                    group.create_task(keep_playing(number))
            elapsed = time.monotonic() - started
            figures["memory at most while playing, MB"] = round(most, 1)
            figures["matches finished"] = finished
            figures["prompts answered per second"] = round(referee.answered / elapsed)
            figures["referee processor share"] = round((cpu_seconds(referee.process.pid) - used) / elapsed, 2)
            figures["after the kill"] = await kill_playing(referee, game, clients, seating)
    return figures


async def kill_playing(
    referee: Referee, game: str, clients: Sequence[Any], seating: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Kill half of the bots in the middle of fifty matches, and return how every match and seat ended."""
    playing = [asyncio.create_task(referee.match(f"k{number}", game, seats)) for number, seats in enumerate(seating)]
    await asyncio.sleep(0.3)
    early = sum(task.done() for task in playing)
    kill_half(clients)
    started = time.monotonic()
    results = await asyncio.gather(*playing)
    wrong = [
        ticket
        for seats, result in zip(seating, results, strict=True)
        for ticket, ending in zip(seats, result.seat_endings, strict=True)
        if int(ticket.removeprefix("bot-")) < BOTS // 2 and ending is not Ending.COMPLETED
    ]
    return {
        "matches over before the kill": early,
        "matches ended": dict(Counter(result.ending for result in results)),
        "seats of living bots not completed": len(wrong),
        "seconds until all had ended": round(time.monotonic() - started, 1),
    }


TOURNAMENT = """
name = "many"
game = "{game}"
bots = {bots}
rounds = {rounds}
seats = 4
min_seats = 4
max_seats = 4
block = false
referees = 2
concurrency = 25
verify = "sample"
time_control = {{bank_ms = 600000, cap_ms = 600000, grace_ms = 1000, join_ms = 10000}}
"""


@dataclass
class Server:
    """An `arena serve` with its database."""

    folder: Path
    process: asyncio.subprocess.Process
    address: str = ""

    def memory_mb(self) -> tuple[float, float]:
        """Return the resident memory of the server, and of its referees together."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        children = [pid for thread in threads for pid in thread.read_text().split()]
        referees = [pid for pid in children if b"referee\0--listen" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        return resident_mb(self.process.pid), sum(resident_mb(int(pid)) for pid in referees)

    def read(self, sql: str) -> list[Any]:
        """Read its database."""
        with closing(sqlite3.connect(self.folder / "arena.db")) as connection:
            return connection.execute(sql).fetchall()

    def endings(self) -> dict[str, int]:
        """Return the number of matches by how they ended."""
        return dict(self.read("SELECT ending, count(*) FROM match GROUP BY ending"))


@asynccontextmanager
async def open_server() -> AsyncIterator[Server]:
    """Start a server on loopback TCP and shut it down cleanly."""
    with tempfile.TemporaryDirectory(prefix="arena-benchmark-") as name:
        command = [sys.executable, "-m", "arena", "serve", "--db", f"{name}/arena.db", "--listen", "127.0.0.1:0"]
        # The bots are elsewhere, so they need no sandbox.
        command += ["--json", "--log-level", "error", "--allow-unsandboxed"]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        server = Server(Path(name), process, json.loads(await process.stdout.readline())["addresses"][0])
        try:
            yield server
        finally:
            process.terminate()
            await process.wait()


def enter(server: Server, name: str, role: Role) -> tuple[tuple[str, str], ...]:
    """Create a token and return it as metadata."""
    store = open_store(server.folder / "arena.db")
    _token, text = create(store, name, role, "today")
    store.close()
    return (("authorization", f"Bearer {text}"),)


async def admit(server: Server, stub: Any, game: str, bots: int) -> list[str]:
    """Connect bots of many authors and return their tickets."""
    tickets = []
    for number in range(bots):
        if number % 50 == 0:  # stay within one author's request limit
            token = enter(server, f"author-{number}", Role.AUTHOR)
        request = api.ConnectRequest(name=f"bot-{number:03}", games=[game])
        tickets.append((await stub.Connect(request, metadata=token)).ticket)
    return tickets


async def measure_crowd(game: str, crowd: int) -> dict[str, Any]:
    """Connect a crowd, let some of it play, and measure the cost to the server and to other clients."""
    async with open_server() as server, grpc.aio.insecure_channel(server.address) as channel:
        stub: Any = ArenaServiceStub(channel)
        memory, started = [server.memory_mb()[0]], time.monotonic()
        tickets = await admit(server, stub, game, crowd)
        memory.append(server.memory_mb()[0])
        admitting = time.monotonic() - started
        async with connected(server.address, tickets):
            memory.append(server.memory_mb()[0])
            asking = asyncio.create_task(ask_on(stub, enter(server, "spectator", Role.SPECTATOR)))
            bots = json.dumps([f"bot-{number:03}" for number in range(min(BOTS, crowd))])
            async for _event in tournament(server, stub, TOURNAMENT.format(game=game, rounds=1, bots=bots)):
                pass
            asking.cancel()
            waits, refused = await asking
        waits.sort()
        return {
            "bots connected": crowd,
            "seconds to admit them": round(admitting, 1),
            "memory alone, admitted, connected, MB": [round(figure, 1) for figure in memory],
            f"memory for each, KB (at most {CROWD_TARGET_KB})": round((memory[2] - memory[0]) * 1024 / crowd, 1),
            "matches of the tournament": server.endings(),
            "calls of others meanwhile": len(waits) + refused,
            "of which refused": refused,
            "their median and longest wait, ms": [round(waits[len(waits) // 2], 1), round(waits[-1], 1)],
        }


async def tournament(server: Server, stub: Any, toml: str) -> AsyncIterator[Any]:
    """Start a tournament and yield its events."""
    organiser = enter(server, "organiser", Role.ORGANISER)
    await stub.StartTournament(api.StartTournamentRequest(toml=toml), metadata=organiser)
    async for event in stub.WatchTournament(api.WatchTournamentRequest(tournament="many"), metadata=organiser):
        yield event


async def ask_on(stub: Any, token: tuple[tuple[str, str], ...]) -> tuple[list[float], int]:
    """Ask for the list of tournaments until cancelled; return how long each answer took, in ms, and the refusals."""
    waits, refused = [], 0
    with suppress(asyncio.CancelledError):
        while True:
            started = time.monotonic()
            try:
                await stub.ListTournaments(api.ListTournamentsRequest(), metadata=token)
                waits.append((time.monotonic() - started) * 1000)
            except grpc.aio.AioRpcError:
                refused += 1
            await asyncio.sleep(0.1)
    return waits, refused


async def measure_server(game: str, rounds: int) -> dict[str, Any]:
    """Connect all bots to a server, play a tournament, kill half in its middle, and return the figures."""
    async with open_server() as server, grpc.aio.insecure_channel(server.address) as channel:
        stub: Any = ArenaServiceStub(channel)
        figures: dict[str, Any] = {"game": game, "bots": BOTS, "concurrent matches": TABLES, "rounds": rounds}
        figures["memory alone, MB"] = round(server.memory_mb()[0], 1)
        tickets = await admit(server, stub, game, BOTS)
        most, killed = (0.0, 0.0), 0.0
        async with connected(server.address, tickets) as clients:
            figures["memory with all connected, MB"] = round(server.memory_mb()[0], 1)
            started = time.monotonic()
            async for event in tournament(server, stub, TOURNAMENT.format(game=game, rounds=rounds, bots='["*"]')):
                kind = event.WhichOneof("event")
                if kind == "match_finished":
                    most = max(most, server.memory_mb())
                if kind == "round_closed" and event.round_closed.round == rounds // 2:
                    elapsed = time.monotonic() - started
                    ((asked,),) = server.read("SELECT sum(asked) FROM match")
                    figures["prompts answered per second, pairing and storing included"] = round(asked / elapsed)
                if kind == "match_finished" and event.match_finished.round == rounds // 2 + 1 and not killed:
                    killed = time.monotonic()
                    kill_half(clients)
        figures["memory at most while playing: server, referees, MB"] = [round(each, 1) for each in most]
        figures["seconds from the kill to the end of the tournament"] = round(time.monotonic() - killed, 1)
        figures["matches ended"] = server.endings()
        living = ", ".join(f"'bot-{number:03}'" for number in range(BOTS // 2))
        ((wrong,),) = server.read(
            f"""SELECT count(*) FROM seat s JOIN bot_version v ON v.label = s.bot
            WHERE s.ending <> 'completed' AND v.name IN ({living})"""
        )
        figures["seats of living bots not completed"] = wrong
        check = [sys.executable, "-m", "arena", "ledger", "verify", "--db", str(server.folder / "arena.db")]
        verify = await asyncio.create_subprocess_exec(*check, stdout=asyncio.subprocess.DEVNULL)
        figures["the ledger is right"] = await verify.wait() == 0
    return figures


def main() -> None:
    """Measure and print, or play bots for the measuring process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="norenberc")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--crowd", type=int, default=2_000)
    parser.add_argument("--only", choices=("referee", "server", "crowd"))
    parser.add_argument("--play", metavar="ADDRESS", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play:
        asyncio.run(play_many(arguments.play, json.loads(sys.stdin.readline())))
        return
    parts: dict[str, tuple[str, Callable[[], Coroutine[Any, Any, dict[str, Any]]]]] = {
        "referee": ("straight at one referee", lambda: measure(arguments.game, arguments.seconds)),
        "server": ("through a server", lambda: measure_server(arguments.game, arguments.rounds)),
        "crowd": ("a crowd at a server", lambda: measure_crowd(arguments.game, arguments.crowd)),
    }
    tables = {}
    for name, (title, work) in parts.items():
        if arguments.only in (None, name):
            figures = asyncio.run(work())
            print(f"{title}:", json.dumps(figures, indent=2))
            tables[name] = Figures(("Figure", "Value"), [[key, shown(value)] for key, value in figures.items()])
    save("server", tables)


def shown(figure: Any) -> str:
    """Return a figure, or several, as a cell of a table."""
    if isinstance(figure, dict):
        return ", ".join(f"{key} {value}" for key, value in figure.items())
    return ", ".join(map(str, figure)) if isinstance(figure, list) else str(figure)


if __name__ == "__main__":
    main()
