"""The wire's side of a bot in Python: hello, prompts and answers, until the referee says goodbye.

For bots that use the referee's own package; the sample bots show what any other has to do.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeAlias

import grpc.aio

from referee.codec import ProtocolError, codec_for
from referee.games import GAMES
from referee.policy import Question
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

Answering: TypeAlias = Callable[[pb.Prompt, pb.MatchStarted], Awaitable[pb.Answer]]


async def answer_prompts(
    answer: Answering,
    *,
    begin: Callable[[pb.MatchStarted], Awaitable[None]] | None = None,
    games: Sequence[str] = (),
    concurrency: int = 0,
) -> None:
    """Say hello, then answer prompts until the referee says goodbye or hangs up; `begin` hears of a match once."""
    matches: dict[str, pb.MatchStarted] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        ticket = os.environ["ARENA_TICKET"]
        hello = pb.Hello(ticket=ticket, protocol_version=1, games=games, concurrency=concurrency)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    match = message.match_started
                    if begin is not None and match.match_id not in matches:
                        await begin(match)  # not again after a reconnect
                    matches[match.match_id] = match
                elif kind == "match_ended":
                    matches.pop(message.match_ended.match_id, None)
                elif kind == "goodbye":
                    return
                elif kind == "prompt":
                    answered = await answer(message.prompt, matches[message.prompt.match_id])
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answered)]))


def by_index(choose: Callable[[pb.Prompt, pb.MatchStarted], int]) -> Answering:
    """Return what answers a prompt with the place of one of its options."""

    async def answer(prompt: pb.Prompt, match: pb.MatchStarted) -> pb.Answer:
        index = choose(prompt, match)
        return pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=index)

    return answer


def run(bot: Coroutine[Any, Any, None]) -> None:
    """Play until the referee says goodbye; a lost connection ends the process with one line."""
    try:
        asyncio.run(bot)
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")


def question_of(prompt: pb.Prompt, match: pb.MatchStarted) -> Question:
    """Read a prompt in its game's own values; a ProtocolError says that the game is not installed here."""
    if match.game not in GAMES:
        raise ProtocolError(f"{match.game}: this game is not installed here")
    game = GAMES[match.game]
    codec = codec_for(game)
    if prompt.game.WhichOneof("game") == "plug_in":
        told = codec.prompt()
        if not prompt.game.plug_in.Unpack(told):
            raise ProtocolError(f"{match.game}: the prompt is of another game, {prompt.game.plug_in.TypeName()}")
    else:
        told = getattr(prompt.game, match.game)
    return Question(
        game, prompt.match_id, prompt.prompt_id, match.seat, match.seats, prompt.kind, codec.view.decode(told.view),
        [codec.action.decode(option) for option in told.options],
        prompt.deadline.ToNanoseconds() / 1e9, prompt.time_left.ToNanoseconds() / 1e9,
    )  # fmt: skip
