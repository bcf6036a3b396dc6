"""The client of a thinking bot: prompts become questions in the game's own values, answers go back by index."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc

from referee.codec import codec_for
from referee.game import AnyGame
from referee.games import GAMES
from referee.rng import Rng
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


@dataclass(frozen=True, slots=True)
class Question:
    """One decision as a bot sees it; the options are in the order of the rule page."""

    game: AnyGame
    match_id: str
    prompt_id: int
    seat: int
    seats: int
    view: Any
    options: Sequence[Any]
    deadline: float  # seconds that this answer may take
    time_left: float  # seconds in the bank

    def imagine(self, rng: Rng) -> Any:
        """Return a state that the seat cannot tell from the real one."""
        return self.game.imagine(self.view, self.seat, rng)


Choose: TypeAlias = Callable[[Question], int]


def question_of(prompt: pb.Prompt, match: pb.MatchStarted) -> Question | None:
    """Read a prompt; None if its game is not installed here."""
    if match.game not in GAMES:
        return None
    game = GAMES[match.game]
    codec = codec_for(game)
    message = getattr(prompt.game, prompt.game.WhichOneof("game"))
    if prompt.game.HasField("plug_in"):
        message = codec.prompt()
        prompt.game.plug_in.Unpack(message)
    return Question(
        game,
        prompt.match_id,
        prompt.prompt_id,
        match.seat,
        match.seats,
        codec.view.decode(message.view),
        [codec.action.decode(option) for option in message.options],
        prompt.deadline.ToNanoseconds() / 1e9,
        prompt.time_left.ToNanoseconds() / 1e9,
    )


async def play(choose: Choose, concurrency: int) -> None:
    """Say hello, then answer prompts until the referee says goodbye or hangs up."""
    matches: dict[str, pb.MatchStarted] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1, concurrency=concurrency)
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
                    prompt = message.prompt
                    question = question_of(prompt, matches[prompt.match_id])
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id)
                    answer.option_index = choose(question) if question else 0
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))


def main(choose: Choose, concurrency: int) -> None:
    """Play; a lost connection ends the bot with one line."""
    try:
        asyncio.run(play(choose, concurrency))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")
