"""The baseline: a bare gRPC server that sends the prompts of real matches and counts the answers.

The messages, their sizes, who is asked together and the bots are those of the refereed matches; there is no game, no
clock, no check and no record. Reads the conversations as JSON on standard input and says that it is ready; then every
line names the first conversation and the one after the last, and is answered with the seconds that these took.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import time
from collections import deque
from typing import Any

import grpc
import grpc.aio

from referee.quiet_stop import stop_quietly
from referee.v1 import play_pb2 as pb
from referee.wire import SERVICE, frame, read_frame, welcome

EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # missing from the published type stubs


class Echo:
    """Streams by ticket, each with its queue; answers are counted for their conversation."""

    def __init__(self, seats: int) -> None:
        self.outboxes: list[deque[bytes]] = [deque() for _ in range(seats)]
        self.wakes = [asyncio.Event() for _ in range(seats)]
        self.matches: dict[str, str] = {}
        """The id told to seat 0, by that told to any seat."""
        self.missing: dict[str, int] = {}
        self.settled: dict[str, asyncio.Future[None]] = {}
        self.there = asyncio.Semaphore(0)
        self.is_over = False

    async def play(self, _requests: Any, context: Any) -> None:
        """Serve one bot, whose ticket is its seat."""
        seat = int(read_frame(await context.read())[0].hello.ticket)
        outbox, wake = self.outboxes[seat], self.wakes[seat]
        await context.write(frame([welcome("echo")]))
        self.there.release()
        reader = asyncio.create_task(self.read(context))
        try:
            while await wake.wait() and not self.is_over:
                wake.clear()
                await context.write(frame([outbox.popleft() for _ in range(len(outbox))]))
        finally:
            reader.cancel()

    async def read(self, context: Any) -> None:
        """Count answers."""
        while (data := await context.read()) is not EOF:
            for message in read_frame(data):
                match_id = self.matches[message.answer.match_id]
                self.missing[match_id] -= 1
                if not self.missing[match_id]:
                    self.settled[match_id].set_result(None)

    async def converse(self, told_ids: list[str], steps: list[list[tuple[int, bytes]]]) -> None:
        """Send the messages of each step and wait for all its answers."""
        loop = asyncio.get_running_loop()
        match_id = told_ids[0]
        for seat, told in enumerate(told_ids):
            self.matches[told] = match_id
            self.send(seat, pb.RefereeMessage(match_started=pb.MatchStarted(match_id=told)).SerializeToString())
        for step in steps:
            self.settled[match_id] = loop.create_future()
            self.missing[match_id] = len(step)
            for seat, message in step:
                self.send(seat, message)
            await self.settled[match_id]

    async def converse_all(self, conversations: list[Any], concurrency: int) -> float:
        """Hold conversations, some concurrently, and return their duration in seconds."""
        waiting = iter(conversations)

        async def work() -> None:
            for told_ids, steps in waiting:
                await self.converse(told_ids, steps)

        started = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())
        return time.perf_counter() - started

    def end(self) -> None:
        """Let every stream end on its own; otherwise gRPC would print a traceback."""
        self.is_over = True
        for wake in self.wakes:
            wake.set()

    def send(self, seat: int, message: bytes) -> None:
        """Queue a message for the next frame of a seat."""
        self.outboxes[seat].append(message)
        self.wakes[seat].set()


async def run(address: str, concurrency: int) -> None:
    """Play all conversations, some concurrently, and print how long it took."""
    plain = json.loads(sys.stdin.readline())
    conversations = [
        (told_ids, [[(seat, base64.b64decode(message)) for seat, message in step] for step in steps])
        for told_ids, steps in plain
    ]
    echo = Echo(seats=4)
    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(echo.play)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
    server.add_insecure_port(address)
    await server.start()
    print("ready", flush=True)
    for _ in range(4):
        await echo.there.acquire()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        first, end = json.loads(line)
        print(json.dumps(await echo.converse_all(conversations[first:end], concurrency)), flush=True)
    echo.end()
    await stop_quietly(server, 5)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2])))
