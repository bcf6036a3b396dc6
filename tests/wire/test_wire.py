"""Frames: prompts put together from bytes are the very messages, and answers are read or refused."""

from __future__ import annotations

from typing import Any

import pytest
from arena_toy.game import BIDS, Bid
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.codec import ProtocolError, codec_for
from referee.field_bytes import NumbersField, ViewWriter, field, signed, varint
from referee.game import MAX_OPTIONS, AnyGame, Decision
from referee.games import BUILT_IN, GAMES
from referee.order import Ending, TimeControl
from referee.playout import random_chooser, step
from referee.rng import seeded
from referee.v1 import play_pb2 as pb
from referee.wire import (
    GameWire,
    duration,
    duration_bytes,
    frame,
    goodbye,
    match_ended,
    read_frame,
    refused,
    thought_ns,
    welcome,
    wire_for,
)
from tests.contract.case import OURS, load_case

BANK_NS, ALLOWED_NS = 59_123_456_789, 10_000_000_000


def wrapped(slug: str, message: Any) -> dict[str, Any]:
    """Return a game's message as its wrapper takes it: in its own place, or packed for a plug-in."""
    if slug in BUILT_IN:
        return {slug: message}
    packed = AnyMessage()
    packed.Pack(message)
    return {"plug_in": packed}


def built(game: AnyGame, decision: Decision, state: Any, events: list[Any], options: list[Any]) -> pb.RefereeMessage:
    """Build a prompt the plain way, out of message objects."""
    codec = codec_for(game)
    inner = codec.prompt(
        view=codec.view.encode(game.observe(state, decision.seat)),
        events=[codec.event.encode(event) for event in events],
        options=[codec.action.encode(action) for action in options],
    )
    prompt = pb.Prompt(
        match_id="match",
        prompt_id=7,
        kind=decision.kind,
        clause=decision.clause,
        game=pb.GamePrompt(**wrapped(game.slug, inner)),
        option_count=len(options),
        options_truncated=decision.open_ended,
        time_left=duration(BANK_NS),
        deadline=duration(ALLOWED_NS),
    )
    return pb.RefereeMessage(prompt=prompt)


@pytest.mark.parametrize("slug", OURS)
def test_a_prompt_made_of_bytes_is_the_message_made_of_objects(slug: str) -> None:
    game = GAMES[slug]
    compared = 0
    for configuration in load_case(slug).configurations[:3]:
        wire = GameWire(game)
        state = game.new(configuration.seats, 8, game.options(configuration.options))
        choose = random_chooser(seeded(8))
        events: list[Any] = []
        for number in range(200):
            for decision in game.pending(state):
                if number % 5 == 0:
                    options = list(game.legal_actions(state, decision.seat))
                    seen = [told for event in events if (told := game.witness(event, decision.seat)) is not None]
                    view = game.observe(state, decision.seat)
                    packed = [wire.event(event) for event in seen]
                    made = wire.prompt("match", 7, decision, view, packed, options, BANK_NS, ALLOWED_NS)
                    assert pb.RefereeMessage.FromString(made) == built(game, decision, state, seen, options)
                    compared += 1
            if not game.pending(state):
                break
            events = list(step(game, state, choose)[1])
    assert compared >= 6


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(st.integers(0, 1 << 14), st.integers(0, (1 << 63) - 1)))
def test_varints_are_those_of_protobuf(value: int) -> None:
    assert pb.Answer.FromString(b"\x10" + varint(value)).prompt_id == value


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(st.integers(-1 << 63, (1 << 63) - 1), st.integers(-300, 5_000)))
def test_numbers_of_any_sign_are_those_of_protobuf(value: int) -> None:
    assert pb.Answer.FromString(b"\x10" + signed(value)).prompt_id == value


@settings(deadline=None)  # the machine may be busy
@given(st.lists(st.integers(-(1 << 31), (1 << 31) - 1)), st.lists(st.integers(-300, 2_000)), st.sampled_from((4, 37)))
def test_a_row_that_grew_is_written_as_if_new(kept: list[int], come: list[int], number: int) -> None:
    row = NumbersField(number)
    assert row.rewrite((*kept, *come), tuple(kept), row.write(tuple(kept))) == row.write((*kept, *come))


@pytest.mark.parametrize("slug", OURS)
def test_a_view_is_written_byte_for_byte_as_protobuf_does_whatever_came_before(slug: str) -> None:
    game, codec = GAMES[slug], codec_for(GAMES[slug])
    views = ViewWriter(codec, game.types.view)
    states = [game.new(game.preferred_seats, seed, game.options({})) for seed in range(3)]
    choose, compared = random_chooser(seeded(9)), 0
    for number in range(150):
        state = states[number % 3]  # two matches share their memory, which must not matter
        for seat in [None, *range(game.preferred_seats)]:
            view = game.observe(state, seat)
            assert views.write(f"match {number % 2}", view) == codec.view.encode(view).SerializeToString()
            compared += 1
        if game.pending(state):
            step(game, state, choose)
    assert compared > 400


@settings(deadline=None)  # the machine may be busy
@given(st.integers(0, 10**18))
def test_durations_are_those_of_protobuf(nanoseconds: int) -> None:
    read = Duration.FromString(duration_bytes(nanoseconds))
    assert read == duration(nanoseconds)
    assert read.ToNanoseconds() == nanoseconds


def test_a_frame_carries_whatever_has_piled_up() -> None:
    messages = [welcome("a"), goodbye("b" * 5_000), refused("m", 3, "T3", "no", 2)]
    for count in range(4):
        read = pb.PlayResponse.FromString(frame(messages[:count])).messages
        assert [message.SerializeToString() for message in read] == messages[:count]


def test_a_frame_of_many_answers_is_read_in_order() -> None:
    answers = [pb.BotMessage(answer=pb.Answer(match_id="m", prompt_id=number)) for number in range(50)]
    data = pb.PlayRequest(messages=answers).SerializeToString()
    assert [message.answer.prompt_id for message in read_frame(data)] == list(range(50))
    assert list(read_frame(b"")) == []


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05abc", b"\x00" * 8, bytes(range(64))])
def test_a_frame_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError, match=f"a frame of {len(data)} bytes is not a PlayRequest"):
        read_frame(data)


def test_more_options_than_a_prompt_lists_are_truncated_and_said_to_be() -> None:
    game = GAMES["toy"]
    wire = wire_for(game)
    view = game.observe(game.new(2, 1, game.options({})), 0)
    decision = Decision(0, "BID", "T3")

    def asked(count: int, *, open_ended: bool = False) -> pb.Prompt:
        options = [Bid(card) for card in range(count)]
        question = Decision(0, "BID", "T3", open_ended) if open_ended else decision
        message = wire.prompt("m", 1, question, view, (), options, BANK_NS, ALLOWED_NS)
        return pb.RefereeMessage.FromString(message).prompt

    whole = asked(MAX_OPTIONS)
    assert (whole.option_count, whole.options_truncated) == (MAX_OPTIONS, False)
    cut = asked(MAX_OPTIONS + 1)
    assert (cut.option_count, cut.options_truncated) == (MAX_OPTIONS, True)
    inner = codec_for(game).prompt()
    assert cut.game.plug_in.Unpack(inner)
    assert [option.bid.card for option in inner.options] == list(range(MAX_OPTIONS))
    assert asked(3, open_ended=True).options_truncated


def test_the_cache_of_options_is_bounded_and_never_wrong() -> None:
    game = GAMES["toy"]
    wire = GameWire(game, max_cached=10)
    view = game.observe(game.new(2, 1, game.options({})), 0)
    for start in range(0, 200, 7):
        options = [Bid(card) for card in range(start, start + 7)]
        message = wire.prompt("m", 1, Decision(0, "BID", "T3"), view, (), options, BANK_NS, ALLOWED_NS)
        inner = codec_for(game).prompt()
        assert pb.RefereeMessage.FromString(message).prompt.game.plug_in.Unpack(inner)
        assert [option.bid.card for option in inner.options] == list(range(start, start + 7))
        assert wire.action_json(Bid(start)) == f'{{"bid":{{"card":{start}}}}}'


@pytest.mark.parametrize("slug", OURS)
def test_answers_by_index_and_by_action_mean_the_same(slug: str) -> None:
    game, configuration = GAMES[slug], load_case(slug).configurations[0]
    wire, codec = wire_for(game), codec_for(game)
    state = game.new(configuration.seats, 1, game.options(configuration.options))
    options = game.legal_actions(state, game.pending(state)[0].seat)
    for index, action in enumerate(options):
        typed = pb.GameAction(**wrapped(slug, codec.action.encode(action)))
        assert wire.chosen(pb.Answer(option_index=index), options) == action
        assert wire.chosen(pb.Answer(action=typed), options) == action


@pytest.mark.parametrize("index", [-1, 3, 2**31 - 1, -(2**31)])
def test_an_index_out_of_range_is_refused(index: int) -> None:
    with pytest.raises(ProtocolError, match=rf"option_index {index} is out of range; expected 0 to 2"):
        wire_for(GAMES["toy"]).chosen(pb.Answer(option_index=index), BIDS[:3])


def test_answers_that_cannot_be_understood_are_refused() -> None:
    toy, norenberc = wire_for(GAMES["toy"]), wire_for(GAMES["norenberc"])
    packed = AnyMessage()
    packed.Pack(codec_for(GAMES["norenberc"]).action.message())
    broken = AnyMessage(type_url="type.googleapis.com/arena_toy.v1.Action", value=b"\xff\xff")
    other = pb.GameAction(furstenfeld=codec_for(GAMES["furstenfeld"]).action.message())
    for wire, answer, reason in (
        (toy, pb.Answer(), "the answer has no choice"),
        (toy, pb.Answer(action=pb.GameAction()), "not a packed arena_toy.v1.Action"),
        (toy, pb.Answer(action=pb.GameAction(plug_in=packed)), "not a packed arena_toy.v1.Action"),
        (toy, pb.Answer(action=pb.GameAction(plug_in=broken)), "not a packed arena_toy.v1.Action"),
        (toy, pb.Answer(action=other), "not a packed arena_toy.v1.Action"),
        (norenberc, pb.Answer(action=other), "the action is for furstenfeld; expected norenberc"),
        (norenberc, pb.Answer(action=pb.GameAction()), "the action is for no game; expected norenberc"),
        (norenberc, pb.Answer(action=pb.GameAction(plug_in=packed)), "the action is for plug_in; expected norenberc"),
    ):
        with pytest.raises(ProtocolError, match=reason):
            wire.chosen(answer, BIDS[:3])


def test_a_thought_is_read_where_it_is_told() -> None:
    assert thought_ns(pb.Answer()) is None
    assert thought_ns(pb.Answer(thought=Duration())) == 0
    assert thought_ns(pb.Answer(thought=Duration(seconds=2, nanos=5))) == 2_000_000_005
    assert thought_ns(pb.Answer(thought=Duration(seconds=-3))) == -3_000_000_000


def test_every_ending_has_its_name_on_the_wire() -> None:
    for ending in Ending:
        ended = pb.RefereeMessage.FromString(match_ended("m", (1, 2), (30, 12), "over", ending)).match_ended
        assert pb.Ending.Name(ended.ending) == f"ENDING_{ending.name}"
        assert (list(ended.ranks), list(ended.scores), ended.reason) == ([1, 2], [30, 12], "over")
    assert len(pb.Ending.values()) == len(Ending) + 1


@pytest.mark.parametrize("slug", OURS)
def test_the_start_of_a_match_tells_seat_options_and_time(slug: str) -> None:
    game, configuration = GAMES[slug], load_case(slug).configurations[-1]
    options = game.options(configuration.options)
    control = TimeControl(bank_ms=1_500, increment_ms=20, cap_ms=999, strike_limit=4)
    message = wire_for(game).match_started("m", 1, configuration.seats, options, control)
    started = pb.RefereeMessage.FromString(message).match_started
    assert (started.game, started.seat, started.seats) == (slug, 1, configuration.seats)
    assert started.rules_version == game.rules_version
    encoded = codec_for(game).options.encode(options)
    assert started.options == pb.GameOptions(**wrapped(slug, encoded))
    told = started.time_control
    assert [told.bank.ToMilliseconds(), told.increment.ToMilliseconds(), told.decision_cap.ToMilliseconds()] == [
        1_500, 20, 999,
    ]  # fmt: skip
    assert told.strike_limit == 4


def test_a_field_is_tag_length_and_content() -> None:
    assert field(1, b"abc") == b"\x0a\x03abc"
    assert field(16, b"") == b"\x82\x01\x00"
