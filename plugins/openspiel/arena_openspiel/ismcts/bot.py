"""A bot that plays the arena's games by OpenSpiel's information-set Monte-Carlo tree search."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from hashlib import blake2b
from typing import Any

import grpc
import numpy as np
from arena_openspiel import ours
from open_spiel.python.algorithms import ismcts

from referee.codec import codec_for
from referee.games import GAMES
from referee.rng import Rng
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


def choose(prompt: pb.Prompt, match: pb.MatchStarted, simulations: int) -> int:
    """Search from what the prompt shows and return the place of the best option."""
    if prompt.option_count == 1:
        return 0
    rules = GAMES[match.game]
    codec = codec_for(rules)
    view = codec.view.decode(getattr(prompt.game, prompt.game.WhichOneof("game")).view)
    name = f"{prompt.match_id}/{match.seat}/{prompt.prompt_id}".encode()
    dice = Rng(int.from_bytes(blake2b(name, digest_size=8).digest(), "big"))
    world = rules.imagine(view, match.seat, dice.fork("root"))
    game = ours.load(match.game, seats=match.seats)
    root = At(game, world, match.seat)
    random_state = np.random.RandomState(dice.index(1 << 32))
    bot = ismcts.ISMCTSBot(
        game, ours.Playouts(dice.fork("playouts")), uct_c=1.4, max_simulations=simulations, random_state=random_state
    )
    bot.set_resampler(ours.resampler(dice.fork("worlds")))
    policy = bot.get_policy(root)
    return int(max(policy, key=lambda each: (each[1], -each[0]))[0])


class At(ours.ArenaState):
    """An imagined position, where those who decide together with us are still to decide."""

    def __init__(self, game: Any, world: Any, seat: int) -> None:
        super().__init__(game)
        self.stand_at(world, before=seat)


async def play(simulations: int) -> None:
    """Say hello, then answer prompts until the referee says goodbye or hangs up."""
    matches: dict[str, pb.MatchStarted] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1, concurrency=1)
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
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id)
                    answer.option_index = choose(prompt, matches[prompt.match_id], simulations)
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))


def main() -> None:
    """Play; a lost connection ends the bot with one line."""
    parser = argparse.ArgumentParser(description="Play the arena's games by OpenSpiel's ISMCTS.")
    parser.add_argument("--simulations", type=int, default=30, help="for each decision")
    simulations = parser.parse_args().simulations
    try:
        asyncio.run(play(simulations))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")


if __name__ == "__main__":
    main()
