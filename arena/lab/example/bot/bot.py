"""A trained policy on the wire: prompts become questions, answers go back by index."""

import asyncio
import os
import sys
from types import SimpleNamespace

import grpc

# A bot runs in its own directory, so this is the file beside this one.
from policy import choose  # type: ignore[import-not-found]

from referee.codec import codec_for
from referee.games import GAMES
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


def answer(prompt: pb.Prompt, match: pb.MatchStarted) -> pb.Answer:
    """Answer a prompt; the first option if the game is not installed here."""
    answered = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
    if match.game in GAMES:
        game = GAMES[match.game]
        codec = codec_for(game)
        message = getattr(prompt.game, prompt.game.WhichOneof("game"))
        if prompt.game.HasField("plug_in"):
            message = codec.prompt()
            prompt.game.plug_in.Unpack(message)
        options = [codec.action.decode(option) for option in message.options]
        view = codec.view.decode(message.view)
        told = {"match_id": prompt.match_id, "prompt_id": prompt.prompt_id, "seat": match.seat, "seats": match.seats}
        answered.option_index = choose(SimpleNamespace(game=game, view=view, options=options, **told))
    return answered


async def play() -> None:
    """Say hello, then answer prompts until the referee says goodbye or hangs up."""
    matches: dict[str, pb.MatchStarted] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1, concurrency=16)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    matches[message.match_started.match_id] = message.match_started
                elif kind == "match_ended":
                    matches.pop(message.match_ended.match_id, None)
                elif kind == "goodbye":
                    return
                elif kind == "prompt":
                    answered = answer(message.prompt, matches[message.prompt.match_id])
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answered)]))


if __name__ == "__main__":
    try:
        asyncio.run(play())
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")
