"""A bot that plays every game at random: the whole client, on the published messages alone."""

import asyncio
import os
import random

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


async def main() -> None:
    """Say hello, then answer prompts until the referee hangs up."""
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
                    chosen = dice[prompt.match_id].randrange(prompt.option_count)
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=chosen)
                    answers.append(pb.BotMessage(answer=answer))
                elif kind == "match_ended":
                    dice.pop(message.match_ended.match_id, None)
            if answers:
                await stream.write(pb.PlayRequest(messages=answers))


if __name__ == "__main__":
    asyncio.run(main())
