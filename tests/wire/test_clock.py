"""Clocks: the bank, the increment, the cap, forgiven transport, and the time that we lose ourselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.clock import BEAT_NS, HICCUP_NS, MAX_STALL_NS, MS, SeatClock, StallMeter
from referee.games import GAMES
from referee.match import Match, OpenPrompt
from referee.order import Ending, TimeControl
from referee.record import Choice, How, read, verify
from referee.v1 import play_pb2 as pb
from referee.wire import duration
from tests.contract.open_games import Nim
from tests.wire.scripted_link import (
    InstantLoop,
    Mail,
    Script,
    ScriptedLink,
    Table,
    order_for,
    play_scripted,
    run_instantly,
)

TOY = GAMES["toy"]
CONTROL = TimeControl(bank_ms=10_000, increment_ms=100, cap_ms=4_000, strike_limit=2)
SECOND = 1_000 * MS


def first(_question: OpenPrompt) -> pb.Answer:
    return pb.Answer(option_index=0)


# The clock of a seat


def test_an_answer_may_take_the_bank_but_never_more_than_the_cap() -> None:
    clock = SeatClock(CONTROL)
    assert clock.allowed_ns() == 4 * SECOND
    clock.charge(7 * SECOND)
    assert clock.bank_ns == 3 * SECOND + 100 * MS
    assert clock.allowed_ns() == 3 * SECOND + 100 * MS


def test_without_a_cap_only_the_bank_limits_an_answer() -> None:
    clock = SeatClock(replace(CONTROL, cap_ms=0))
    assert clock.allowed_ns() == 10 * SECOND
    clock.charge(7 * SECOND)
    assert clock.allowed_ns() == clock.bank_ns == 3 * SECOND + 100 * MS


def test_without_a_cap_a_match_is_played_and_every_answer_may_take_the_bank() -> None:
    table = play_scripted(TOY, [first] * 2, control=replace(CONTROL, cap_ms=0))
    assert table.result.ending is Ending.COMPLETED
    for link in table.links:
        started = link.told[0].match_started.time_control
        assert (started.HasField("decision_cap"), started.HasField("bank")) == (False, True)
        assert link.prompts
        assert all(prompt.deadline == prompt.time_left for prompt in link.prompts)


def test_a_game_without_secrets_shows_every_clock_and_one_with_secrets_none() -> None:
    """Where hands are hidden, a clock that ran would tell that its seat had a choice."""
    open_table, secret = (play_scripted(game, [first] * 2, control=CONTROL) for game in (Nim(), TOY))
    for seat, link in enumerate(open_table.links):
        assert link.prompts
        for prompt in link.prompts:
            assert len(prompt.clocks) == 2
            assert prompt.clocks[seat] == prompt.time_left
    asked = [prompt for link in secret.links for prompt in link.prompts]
    assert asked
    assert not [prompt for prompt in asked if prompt.clocks]


def test_an_empty_bank_leaves_the_increment() -> None:
    clock = SeatClock(CONTROL)
    clock.charge(60 * SECOND)
    assert clock.bank_ns == clock.allowed_ns() == 100 * MS
    without = SeatClock(replace(CONTROL, increment_ms=0))
    without.charge(60 * SECOND)
    assert without.allowed_ns() == 0


@pytest.mark.parametrize(
    ("lag_ms", "elapsed_ms", "thought_ms", "forgiven_ms"),
    [
        (0, 500, 100, 0),  # the organiser forgives nothing
        (50, 500, None, 0),  # the bot says nothing
        (50, 120, 100, 20),  # what the bot did not think
        (50, 500, 100, 50),  # up to the limit
        (50, 500, 900, 0),  # a bot that claims more than there was
        (50, 30, 0, 30),  # never more than there was
        (50, 500, -900, 50),  # nor for a negative thought
    ],
)
def test_transport_is_forgiven_up_to_the_limit(
    lag_ms: int, elapsed_ms: int, thought_ms: int | None, forgiven_ms: int
) -> None:
    clock = SeatClock(replace(CONTROL, lag_ms=lag_ms))
    thought = None if thought_ms is None else thought_ms * MS
    assert clock.transport_ns(elapsed_ms * MS, thought) == forgiven_ms * MS


# The meter of our own delays


class HandClock:
    """A clock that a test turns by hand."""

    def __init__(self) -> None:
        self.now_ns = 5 * SECOND

    def __call__(self) -> int:
        return self.now_ns


def test_beats_on_time_and_hiccups_are_no_stall() -> None:
    hand = HandClock()
    meter = StallMeter(hand)
    for lateness in (0, 1, HICCUP_NS, HICCUP_NS // 2):
        hand.now_ns += BEAT_NS + lateness
        meter.beat()
    assert meter.read() == 0


def test_a_late_beat_is_a_stall_seen_before_the_beat_comes() -> None:
    hand = HandClock()
    meter = StallMeter(hand)
    hand.now_ns += BEAT_NS + 70 * MS
    assert meter.read() == 70 * MS
    meter.beat()
    assert meter.read() == 70 * MS
    hand.now_ns += BEAT_NS + 30 * MS
    meter.beat()
    assert meter.read() == 100 * MS


# Clocks in a match


def play_with_loop(scripts: list[tuple[str, int]], control: TimeControl) -> Table:
    """Play the toy with seats that think, report it, or live through a stall of ours, for these milliseconds."""

    async def play(loop: InstantLoop) -> Table:
        meter = StallMeter(loop.now_ns)
        beat = loop.create_task(meter.run())
        mail = Mail()
        links = [ScriptedLink(first, mail, f"bot{seat}") for seat in range(len(scripts))]
        match = Match(order_for(TOY, len(links), 1, control), TOY, TOY.options({}), links, meter)
        for link, (manner, ms) in zip(links, scripts, strict=True):
            link.script = timed(loop, match, manner, ms)
        result = await match.play()
        beat.cancel()
        return Table(match, links, result)

    return run_instantly(play)


def timed(loop: InstantLoop, match: Match, manner: str, ms: int) -> Script:
    def answer(question: OpenPrompt) -> pb.Answer | None:
        if question.prompt_id != 1 or manner == "prompt":
            return first(question)
        if manner == "stall":
            loop.stall(ms * MS)
            return first(question)
        if manner == "stall_and_silence":
            loop.stall(ms * MS)
            return None
        reply = first(question)
        if manner == "report":
            reply.thought.CopyFrom(duration((ms - 40) * MS))

        def arrive() -> None:
            if question.chair.question is question:
                match.answered(question, reply, match.meter.now())

        loop.call_later(ms / 1000, arrive)
        return None

    return answer


def opening(table: Table) -> list[Choice]:
    return list(read(table.result.record).steps[0].choices)


def test_thinking_is_charged_to_the_bank_and_each_answer_adds_the_increment() -> None:
    table = play_with_loop([("think", 1_500), ("prompt", 0)], CONTROL)
    own_us = opening(table)[0].times_us[0]
    assert own_us == pytest.approx(1_500_000, abs=1_000)
    second = table.links[0].prompts[1]
    assert second.time_left.ToMilliseconds() == pytest.approx(10_000 - 1_500 + 100, abs=1)
    assert second.deadline.ToMilliseconds() == 4_000
    assert table.links[1].prompts[1].time_left.ToMilliseconds() == 10_100


def test_an_answer_just_inside_the_cap_counts_and_one_just_outside_does_not() -> None:
    inside = play_with_loop([("think", 3_990), ("prompt", 0)], CONTROL)
    assert [choice.how for choice in opening(inside)] == [How.ANSWERED, How.ANSWERED]
    outside = play_with_loop([("think", 4_010), ("prompt", 0)], CONTROL)
    assert [choice.how for choice in opening(outside)] == [How.LATE, How.ANSWERED]
    assert opening(outside)[0].times_us == (4_000_000, 0, 0)
    assert outside.links[0].withdrawn == [1]
    assert [refused.reason for refused in outside.links[0].refusals()] == ["no answer within 4 s"]


def test_reported_thinking_is_charged_without_the_transport_forgiven() -> None:
    control = replace(CONTROL, lag_ms=25)
    table = play_with_loop([("report", 1_000), ("think", 1_000)], control)
    reported, silent_one = opening(table)
    assert reported.times_us[2] == 25_000
    assert reported.times_us[0] == pytest.approx(975_000, abs=1_000)
    assert silent_one.times_us[2] == 0
    assert silent_one.times_us[0] == pytest.approx(1_000_000, abs=1_000)


def test_forgiven_transport_saves_an_answer_that_came_after_the_cap() -> None:
    saved = play_with_loop([("report", 4_020), ("prompt", 0)], replace(CONTROL, lag_ms=30))
    assert opening(saved)[0].how is How.ANSWERED
    lost = play_with_loop([("report", 4_020), ("prompt", 0)], CONTROL)
    assert opening(lost)[0].how is How.LATE


def test_a_stall_of_ours_is_not_charged_to_a_bot() -> None:
    """The process stalls for longer than the cap; the answers that follow count, and cost next to nothing."""
    table = play_with_loop([("stall", 4_900), ("prompt", 0)], CONTROL)
    assert table.result.ending is Ending.COMPLETED
    for choice in opening(table):
        assert choice.how is How.ANSWERED
        own_us, stall_us, _transport = choice.times_us
        assert own_us < 20_000
        assert stall_us == pytest.approx(4_900_000, abs=20_000)
    assert table.links[0].prompts[1].time_left.ToMilliseconds() >= 10_000
    verify(table.result.record)


def test_a_stall_gives_a_silent_bot_its_time_back_before_it_is_late() -> None:
    table = play_with_loop([("stall_and_silence", 3_000), ("prompt", 0)], CONTROL)
    late = opening(table)[0]
    assert late.how is How.LATE
    assert table.result.ending is Ending.COMPLETED


def test_a_stall_past_the_limit_voids_the_match_instead_of_blaming_the_silent() -> None:
    just_below = MAX_STALL_NS // MS - 20
    assert play_with_loop([("stall_and_silence", just_below), ("prompt", 0)], CONTROL).result.ending is Ending.COMPLETED
    voided = play_with_loop([("stall_and_silence", MAX_STALL_NS // MS + 20), ("prompt", 0)], CONTROL).result
    assert voided.ending is Ending.VOIDED
    assert voided.ranks == ()
    assert voided.reason == "the referee stalled"


def test_a_bot_without_a_bank_left_is_late_immediately() -> None:
    control = TimeControl(bank_ms=0, increment_ms=0, cap_ms=4_000, strike_limit=0)
    table = play_scripted(TOY, [lambda _question: None, lambda _question: None], control=control)
    assert table.result.seat_endings == (Ending.FORFEIT_TIMEOUT, Ending.FORFEIT_TIMEOUT)
    assert table.result.ranks == (1, 1)
