"""A bot that plays every game at random: the whole client, using only the published protos."""

import asyncio
import os
import random
import sys
from collections.abc import Callable

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

Choose = Callable[[pb.Prompt, random.Random], pb.Answer]


def at_random(prompt: pb.Prompt, dice: random.Random) -> pb.Answer:
    """Answer by position in the list of options, without reading them."""
    return pb.Answer(option_index=dice.randrange(prompt.option_count))


async def play(choose: Choose) -> None:
    """Say hello, then answer prompts until the referee says goodbye or hangs up."""
    dice: dict[str, random.Random] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1, concurrency=64)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            answers = []
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    # Seeded by match and seat: the same match is played the same way again.
                    match = message.match_started
                    dice[match.match_id] = random.Random(f"{match.match_id}/{match.seat}")
                elif kind == "prompt":
                    prompt = message.prompt
                    answer = choose(prompt, dice[prompt.match_id])
                    answer.match_id, answer.prompt_id = prompt.match_id, prompt.prompt_id
                    answers.append(pb.BotMessage(answer=answer))
                elif kind == "match_ended":
                    dice.pop(message.match_ended.match_id, None)
                elif kind == "goodbye":
                    return
            if answers:
                await stream.write(pb.PlayRequest(messages=answers))


def main(choose: Choose) -> None:
    """Play; a lost connection ends the bot with one line."""
    try:
        asyncio.run(play(choose))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")


if __name__ == "__main__":
    main(at_random)
