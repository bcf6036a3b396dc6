"""A bot that misbehaves in one way, named by its argument, and prints what it is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import grpc
from arena_toy.v1 import toy_pb2
from google.protobuf.any_pb2 import Any as AnyMessage

from referee.v1 import play_pb2 as pb

PLAY = "/referee.v1.RefereeService/Play"
BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "honest"
TOO_OFTEN = 3  # one strike more than its match allows


class Connection:
    """One stream, in frames of bytes, so that anything can be sent."""

    flood: asyncio.Task[None]

    def __init__(self, channel: Any) -> None:
        self.stream = channel.stream_stream(PLAY)()

    async def hello(self) -> None:
        ticket = os.environ["ARENA_TICKET"]
        await self.send(pb.BotMessage(hello=pb.Hello(ticket=ticket, protocol_version=1)))

    async def send(self, *messages: pb.BotMessage) -> None:
        await self.stream.write(pb.PlayRequest(messages=messages).SerializeToString())

    async def answer(self, prompt: Any, **choice: Any) -> None:
        choice = choice or {"option_index": 0}
        answer = pb.Answer(**{"match_id": prompt.match_id, "prompt_id": prompt.prompt_id, **choice})
        await self.send(pb.BotMessage(answer=answer))

    async def prompts(self) -> AsyncIterator[Any]:
        async for data in self.stream:
            for message in pb.PlayResponse.FromString(data).messages:
                kind = message.WhichOneof("kind")
                if kind == "prompt":
                    yield message.prompt
                elif kind == "refused":
                    told = message.refused
                    print(f"refused {told.clause} {told.reason} strikes={told.strikes}", flush=True)
                else:
                    print(kind, flush=True)


def typed_bid(card: int) -> pb.GameAction:
    packed = AnyMessage()
    packed.Pack(toy_pb2.Action(bid=toy_pb2.Bid(card=card)))
    return pb.GameAction(plug_in=packed)


def stray(prompt: Any, **changed: Any) -> pb.BotMessage:
    fields = {"match_id": prompt.match_id, "prompt_id": prompt.prompt_id, "option_index": 0, **changed}
    return pb.BotMessage(answer=pb.Answer(**fields))


async def flood(connection: Connection, prompt: Any) -> None:
    """Send 100,000 answers that nobody has asked for."""
    # One frame alone is over the limit of 1,000: the match, soon over without the bot, cannot end the stream first.
    messages = [stray(prompt, prompt_id=number) for number in range(10_000, 12_000)]
    with contextlib.suppress(Exception):  # the stream is cut on the way
        for _ in range(50):
            await connection.send(*messages)


async def misbehave(connection: Connection, prompt: Any, number: int) -> None:
    """Do the wrong thing at one prompt."""
    match BEHAVIOUR:
        case "silent":
            return
        case "slow_inside":
            await asyncio.sleep(0.05)
            await connection.answer(prompt)
        case "slow_outside":
            await asyncio.sleep(4)
            await connection.answer(prompt)
        case "crash_midway" if number == 2:
            os._exit(3)
        case "illegal_action":
            await connection.answer(prompt, action=typed_bid(99))
        case "illegal_index":
            await connection.answer(prompt, option_index=12345)
        case "other_games_action":
            packed = AnyMessage(type_url="type.googleapis.com/nonsense", value=b"\xff\xff")
            await connection.answer(prompt, action=pb.GameAction(plug_in=packed))
        case "no_choice":
            answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id)
            await connection.send(pb.BotMessage(answer=answer))
        case "garbage":
            for _ in range(TOO_OFTEN):
                await connection.stream.write(b"\xff\xfe garbage \x00\x01" * 20)
        case "unknown_match":
            for _ in range(TOO_OFTEN):
                await connection.send(stray(prompt, match_id="no such match"))
        case "other_seats_prompt":
            for _ in range(TOO_OFTEN):
                await connection.send(stray(prompt, prompt_id=prompt.prompt_id + 1))
        case "old_prompt":
            await connection.answer(prompt)
            await connection.send(stray(prompt))
        case "one_stray" if number == 1:
            await connection.send(stray(prompt, match_id="no such match"))
            await connection.answer(prompt)
        case "hello_again":
            for _ in range(TOO_OFTEN):
                await connection.hello()
        case "huge_frame":
            await connection.stream.write(bytes(64 << 20))
        case "unsolicited":
            if number == 1:
                connection.flood = asyncio.create_task(flood(connection, prompt))
        case "output_flood":
            print("x" * (1 << 20), flush=True)
            print("y" * (1 << 20), file=sys.stderr, flush=True)
            await connection.answer(prompt)
        case _:
            await connection.answer(prompt)


async def play(connection: Connection) -> None:
    await connection.hello()
    number = 0
    async for prompt in connection.prompts():
        number += 1
        if BEHAVIOUR in ("leaves", "leaves_and_returns") and number == 2:
            return
        await misbehave(connection, prompt, number)


async def main() -> None:
    if BEHAVIOUR == "crash_at_start":
        sys.exit(7)
    address = os.environ["ARENA_ADDRESS"]
    unlimited = (("grpc.max_send_message_length", -1),)
    async with grpc.aio.insecure_channel(address, options=unlimited) as channel:
        connection = Connection(channel)
        try:
            await play(connection)
        except grpc.aio.AioRpcError:
            code = await connection.stream.code()
            print(f"status {code.name} {await connection.stream.details()}", flush=True)
    if BEHAVIOUR == "leaves_and_returns":
        async with grpc.aio.insecure_channel(address) as channel:
            connection = Connection(channel)
            await connection.hello()
            async for prompt in connection.prompts():
                print(f"asked {prompt.prompt_id}", flush=True)
                await connection.answer(prompt)
    elif BEHAVIOUR in ("leaves", "huge_frame"):
        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main())
