"""The server of bots' streams, in this process but over a real socket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc

from referee import wire
from referee.clock import StallMeter
from referee.server import RefereeServer
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


async def greeted(channel: grpc.aio.Channel) -> Any:
    """Return the stream of a bot that was welcomed."""
    stream = RefereeServiceStub(channel).Play()
    hello = pb.Hello(ticket="ticket", protocol_version=1)
    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
    await stream.read()
    return stream


def test_what_nobody_waits_for_arrives_without_a_prompt_to_travel_with(tmp_path: Path) -> None:
    async def journey() -> list[list[int]]:
        server = RefereeServer(StallMeter())
        link = server.admit("ticket", "somebody")
        (address,) = await server.start([f"unix:{tmp_path}/s"])
        async with grpc.aio.insecure_channel(address) as channel, asyncio.timeout(120):
            stream = await greeted(channel)
            frames = []
            for strikes in ((1, 2), (3,)):  # what is told together travels in one frame, and later there is another
                for count in strikes:
                    link.tell(wire.refused("m", 1, "", "for once", count))
                frames.append(await stream.read())
            await server.stop()
        return [[message.refused.strikes for message in frame.messages] for frame in frames]

    assert asyncio.run(journey()) == [[1, 2], [3]]


def test_a_flood_of_empty_frames_is_cut_and_stays_cut(tmp_path: Path) -> None:
    """They break no rule one by one; a bot that comes back to go on is cut at its first."""

    async def journey() -> list[tuple[grpc.StatusCode, str]]:
        server = RefereeServer(StallMeter())
        server.admit("ticket", "somebody")
        (address,) = await server.start([f"unix:{tmp_path}/s"])
        ends = []
        async with grpc.aio.insecure_channel(address) as channel, asyncio.timeout(120):
            for count in (wire.MAX_STRAYS + 1, 1):
                stream = await greeted(channel)
                for _ in range(count):
                    await stream.write(pb.PlayRequest())
                ends.append((await stream.code(), await stream.details()))
            await server.stop()
        return ends

    reason = f"more than {wire.MAX_STRAYS} empty frames without an answer"
    assert asyncio.run(journey()) == [(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)] * 2


class LingeringServer(RefereeServer):
    """A server whose streams take a while to end, as on a busy machine."""

    async def _write(self, *arguments: Any) -> None:
        try:
            await super()._write(*arguments)
        finally:
            await asyncio.sleep(0.1)


def test_a_server_has_stopped_when_all_its_streams_have(tmp_path: Path) -> None:
    """Where the loop ends in the moment between a stream's end and gRPC's notice of it, gRPC prints a traceback."""

    async def journey() -> set[asyncio.Task[Any]]:
        server = LingeringServer(StallMeter())
        server.admit("ticket", "somebody")
        (address,) = await server.start([f"unix:{tmp_path}/s"])
        async with grpc.aio.insecure_channel(address) as channel:
            stream = await greeted(channel)
            stream.cancel()
            await server.stop()
            return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(journey()) == set()
