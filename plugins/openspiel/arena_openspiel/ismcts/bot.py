"""A bot that plays the arena's games by OpenSpiel's information-set Monte-Carlo tree search."""

from __future__ import annotations

import argparse
from hashlib import blake2b
from typing import Any

import numpy as np
from arena_openspiel import ours
from open_spiel.python.algorithms import ismcts

from referee.answering import answer_prompts, by_index, question_of, run
from referee.rng import Rng
from referee.v1 import play_pb2 as pb


def choose(prompt: pb.Prompt, match: pb.MatchStarted, simulations: int) -> int:
    """Search from what the prompt shows and return the place of the best option."""
    if prompt.option_count == 1:
        return 0
    question = question_of(prompt, match)
    name = f"{prompt.match_id}/{match.seat}/{prompt.prompt_id}".encode()
    dice = Rng(int.from_bytes(blake2b(name, digest_size=8).digest(), "big"))
    world = question.game.imagine(question.view, match.seat, dice.fork("root"))
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


def main() -> None:
    """Play; a lost connection ends the bot with one line."""
    parser = argparse.ArgumentParser(description="Play the arena's games by OpenSpiel's ISMCTS.")
    parser.add_argument("--simulations", type=int, default=30, help="for each decision")
    simulations = parser.parse_args().simulations
    run(answer_prompts(by_index(lambda prompt, match: choose(prompt, match, simulations)), concurrency=1))


if __name__ == "__main__":
    main()
