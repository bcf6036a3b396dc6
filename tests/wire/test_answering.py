"""Prompts read in a game's own values, as bots in Python that use the referee's package read them."""

from __future__ import annotations

from typing import Any

import pytest
from arena_toy.game import Toy
from google.protobuf.any_pb2 import Any as Packed

from referee import answering
from referee.answering import question_of
from referee.codec import ProtocolError, codec_for
from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.v1 import play_pb2 as pb


def prompt_of(game: AnyGame, state: Any, seat: int) -> pb.Prompt:
    """Return the prompt that a seat is sent."""
    codec = codec_for(game)
    told = codec.prompt(
        view=codec.view.encode(game.observe(state, seat)),
        options=[codec.action.encode(action) for action in game.legal_actions(state, seat)],
    )
    prompt = pb.Prompt(match_id="m", prompt_id=3, kind=game.pending(state)[0].kind)
    prompt.deadline.FromMilliseconds(1500)
    prompt.time_left.FromSeconds(60)
    if game.slug in BUILT_IN:
        getattr(prompt.game, game.slug).CopyFrom(told)
    else:
        prompt.game.plug_in.Pack(told)
    return prompt


@pytest.mark.parametrize("slug", [*BUILT_IN, "toy"])
def test_a_prompt_is_read_as_the_question_that_it_asks(slug: str) -> None:
    game = GAMES[slug]
    state = game.new(game.preferred_seats, 3, game.options({}))
    seat = game.pending(state)[0].seat
    match = pb.MatchStarted(match_id="m", game=slug, seat=seat, seats=game.preferred_seats)
    question = question_of(prompt_of(game, state, seat), match)
    assert question.game is game
    assert question.view == game.observe(state, seat)
    assert list(question.options) == list(game.legal_actions(state, seat))
    assert (question.match_id, question.prompt_id, question.seat, question.seats) == ("m", 3, seat, match.seats)
    assert (question.kind, question.deadline, question.time_left) == (game.pending(state)[0].kind, 1.5, 60)


class Only(dict[str, AnyGame]):
    """Installed games, of which the one asked for is loaded and no other: some take seconds, and native code."""

    def values(self) -> Any:
        raise AssertionError("all games were loaded")


def test_no_other_game_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["toy"]
    monkeypatch.setattr(answering, "GAMES", Only(toy=game))
    state = game.new(2, 3, game.options({}))
    match = pb.MatchStarted(match_id="m", game="toy", seat=0, seats=2)
    assert question_of(prompt_of(game, state, 0), match).view == game.observe(state, 0)


def test_what_cannot_be_read_is_told_in_one_line() -> None:
    with pytest.raises(ProtocolError, match="chess_on_mars: this game is not installed here"):
        question_of(pb.Prompt(), pb.MatchStarted(game="chess_on_mars"))
    packed = Packed()
    packed.Pack(pb.Hello())
    prompt = pb.Prompt(game=pb.GamePrompt(plug_in=packed))
    with pytest.raises(ProtocolError, match=r"toy: the prompt is of another game, referee\.v1\.Hello"):
        question_of(prompt, pb.MatchStarted(game=Toy.slug))
