"""Prompts as a referee would send them, from the middle of random matches."""

from __future__ import annotations

from typing import Any

from referee.codec import codec_for
from referee.game import AnyGame, Seat
from referee.playout import random_chooser, step
from referee.rng import seeded
from referee.v1 import play_pb2
from referee.wire import wire_for


def position(game: AnyGame, steps: int, seed: int = 5) -> tuple[Any, Seat]:
    """Return a state after a number of random steps, and the first seat that has a choice from there on."""
    state = game.new(game.preferred_seats, seed, game.options({}))
    choose = random_chooser(seeded(seed))
    for _ in range(steps):
        step(game, state, choose)
    while all(len(game.legal_actions(state, each.seat)) == 1 for each in game.pending(state)):
        step(game, state, choose)
    return state, next(each.seat for each in game.pending(state) if len(game.legal_actions(state, each.seat)) > 1)


def prompt_of(game: AnyGame, state: Any, seat: Seat) -> play_pb2.GamePrompt:
    """Return the game's part of a prompt to a seat."""
    codec = codec_for(game)
    message = codec.prompt(
        view=codec.view.encode(game.observe(state, seat)),
        options=[codec.action.encode(option) for option in game.legal_actions(state, seat)],
    )
    prompt: play_pb2.GamePrompt = wire_for(game).wrapped(play_pb2.GamePrompt, message)
    return prompt
