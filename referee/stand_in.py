"""A bot that repeats recorded answers: it sits in for one that runs elsewhere when a match is played again.

python -m referee.stand_in answers.json   # {id of a match as its seat was told it: {prompt: an Answer in base64}}
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path

import grpc
import grpc.aio

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


def answer_to(prompt: pb.Prompt, answers: Mapping[str, Mapping[str, str]]) -> pb.Answer:
    """Return the recorded answer; to a prompt that was never asked, one that is refused."""
    known = answers.get(prompt.match_id, {}).get(str(prompt.prompt_id))
    answer = pb.Answer(option_index=-1) if known is None else pb.Answer.FromString(b64decode(known))
    answer.match_id, answer.prompt_id = prompt.match_id, prompt.prompt_id
    return answer


async def play(answers: Mapping[str, Mapping[str, str]]) -> None:
    """Answer prompts until the referee says goodbye or hangs up."""
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            asked = [message.prompt for message in frame.messages if message.HasField("prompt")]
            if asked:
                told = [pb.BotMessage(answer=answer_to(prompt, answers)) for prompt in asked]
                await stream.write(pb.PlayRequest(messages=told))


def main() -> None:
    """Play by the file of answers."""
    try:
        asyncio.run(play(json.loads(Path(sys.argv[1]).read_text())))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")


if __name__ == "__main__":
    main()
