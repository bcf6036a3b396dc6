"""The course of a match, with scripted seats and a mock clock: who is asked what, what it costs, how it ends."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from arena_toy.game import BIDS, Action, Bid, State, Toy

from referee.codec import codec_for
from referee.game import Decision, Seat
from referee.games import GAMES
from referee.match import OpenPrompt
from referee.order import Ending, MatchOrder, MatchResult, TimeControl, told_id
from referee.record import How, places_after_forfeits, read, replay, verify
from referee.v1 import play_pb2 as pb
from referee.wire import wire_for
from tests.contract.case import OURS, load_case
from tests.records import without_times
from tests.wire.scripted_link import RELAXED, Script, Table, play_scripted, random_script, silent

TOY = GAMES["toy"]
HIDING = ("furstenfeld", "nuremberg", "toy")  # the events of the other games are public
STRUCK = (How.LATE, How.REFUSED)
FIRST = pb.Answer(option_index=0)


def illegal(_question: OpenPrompt) -> pb.Answer:
    return pb.Answer(option_index=-1)


def first(_question: OpenPrompt) -> pb.Answer:
    return FIRST


def until(count: int, before: Script, after: Script) -> Script:
    """Return a script that changes after a number of questions."""
    return lambda question: (before if question.prompt_id <= count else after)(question)


def hows(table: Table, seat: Seat) -> list[How]:
    """Return how a seat's choices came about, the forced ones left out."""
    steps = read(table.result.record).steps
    chosen = [choice.how for step in steps for choice in step.choices if choice.seat == seat]
    return [how for how in chosen if how is not How.FORCED]


def shaped(changes: Mapping[str, Any]) -> Any:
    """Return the toy with some of its functions replaced; living where the toy lives, it has its messages."""
    wire_for(TOY)
    return type("ShapedToy", (Toy,), {**changes, "__module__": Toy.__module__})()


# Simultaneous decisions


@pytest.mark.parametrize(("slug", "seats"), [("toy", 3), ("toy", 4), ("norenberc", 3), ("norenberc", 4)])
def test_answers_in_every_order_of_arrival_give_the_same_record(slug: str, seats: int) -> None:
    """One table is played for every order in which the answers to a common question can arrive."""
    records = set()
    arrivals = set()
    for order in permutations(range(seats)):

        def arrange(asked: Sequence[int], order: tuple[int, ...] = order) -> list[int]:
            arrivals.add(tuple(seat for seat in order if seat in asked))
            return [seat for seat in order if seat in asked]

        table = play_scripted(GAMES[slug], [random_script(seat) for seat in range(seats)], seed=3, order=arrange)
        assert table.result.ending is Ending.COMPLETED
        records.add(without_times(table.result.record))
    assert len(records) == 1
    assert {order for order in arrivals if len(order) == seats} == set(permutations(range(seats)))


def test_all_seats_of_a_step_are_asked_before_any_answer_is_read() -> None:
    open_questions: list[int] = []

    def count(question: OpenPrompt) -> pb.Answer:
        open_questions.append(sum(chair.question is not None for chair in question.chair.match.chairs))
        return FIRST

    play_scripted(TOY, [count] * 3)
    assert open_questions[:3] == [3, 2, 1]


# What is asked


@pytest.mark.parametrize("slug", OURS)
def test_forced_moves_never_travel_and_are_recorded(slug: str) -> None:
    game = GAMES[slug]
    configuration = load_case(slug).configurations[0]
    table = play_scripted(
        game, [random_script(seat) for seat in range(configuration.seats)], options=configuration.options
    )
    assert table.result.ending is Ending.COMPLETED
    prompts = [prompt for link in table.links for prompt in link.prompts]
    assert prompts
    assert all(prompt.option_count > 1 or prompt.options_truncated for prompt in prompts)
    record = verify(table.result.record)
    chosen = [choice.how for step in record.steps for choice in step.choices]
    assert chosen.count(How.ANSWERED) == len(prompts) == table.result.asked
    assert len(chosen) == table.result.decisions
    assert set(chosen) <= {How.ANSWERED, How.FORCED}


def test_an_open_ended_decision_is_asked_even_with_one_option() -> None:
    def pending(self: Toy, state: State) -> tuple[Decision, ...]:
        return tuple(replace(decision, open_ended=True) for decision in Toy.pending(self, state))

    def legal_actions(self: Toy, state: State, seat: Seat) -> Sequence[Action]:
        return Toy.legal_actions(self, state, seat)[:1]

    forced = play_scripted(shaped({"legal_actions": legal_actions}), [first] * 2)
    assert forced.result.asked == 0
    asked = play_scripted(shaped({"pending": pending, "legal_actions": legal_actions}), [first] * 2)
    assert asked.result.asked == asked.result.decisions > 0
    assert all(prompt.option_count == 1 and prompt.options_truncated for prompt in asked.links[0].prompts)


def test_a_typed_action_outside_the_list_is_played_where_it_is_legal() -> None:
    """Only the lowest card is listed; the bot bids its highest."""

    def legal_actions(self: Toy, state: State, seat: Seat) -> Sequence[Action]:
        return Toy.legal_actions(self, state, seat)[:2]

    game = shaped({"legal_actions": legal_actions})

    def highest(question: OpenPrompt) -> pb.Answer:
        hand = question.chair.match.state.hands[question.chair.seat]
        if question.decision.kind == "VETO":
            return FIRST
        action = pb.GameAction()
        action.plug_in.Pack(codec_for(TOY).action.encode(Bid(hand[-1])))
        return pb.Answer(action=action)

    table = play_scripted(game, [highest, first])
    record = verify(table.result.record)
    opening = record.steps[0].choices[0]
    assert opening.how is How.ANSWERED
    assert opening.action == Bid(TOY.new(2, 1, TOY.options({})).hands[0][-1])


@pytest.mark.parametrize("slug", ["toy", "norenberc", "furstenfeld"])
def test_prompts_are_numbered_by_seat_and_carry_the_view_of_that_seat(slug: str) -> None:
    game = GAMES[slug]
    table = play_scripted(game, [random_script(seat) for seat in range(3)], seed=5)
    codec = codec_for(game)
    asked = dict.fromkeys(range(3), 0)
    state = game.new(3, 5, game.options({}))
    for step in read(table.result.record).steps:
        for choice in step.choices:
            if choice.how is How.ANSWERED:
                prompt = table.links[choice.seat].prompts[asked[choice.seat]]
                asked[choice.seat] += 1
                assert prompt.prompt_id == asked[choice.seat]
                assert game_prompt(slug, prompt).view == codec.view.encode(game.observe(state, choice.seat))
        game.apply(state, {choice.seat: choice.action for choice in step.choices})
    assert list(asked.values()) == [len(link.prompts) for link in table.links]


@pytest.mark.parametrize("slug", OURS)
def test_events_reach_each_seat_exactly_once_in_order_and_redacted(slug: str) -> None:
    """What a seat is told in all its prompts is what it saw happen until it was last asked, and nothing else."""
    game, configuration = GAMES[slug], load_case(slug).configurations[0]
    seats = range(configuration.seats)
    scripts = [random_script(seat) for seat in seats]
    table = play_scripted(game, scripts, seed=9, options=configuration.options)
    encode = codec_for(game).event.encode
    seen: dict[Seat, list[Any]] = {seat: [] for seat in seats}
    until_asked: dict[Seat, int] = dict.fromkeys(seats, 0)
    hidden = 0

    def happen(events: Sequence[Any]) -> None:
        nonlocal hidden
        for event in events:
            for seat in seats:
                witnessed = game.witness(event, seat)
                hidden += witnessed != event
                if witnessed is not None:
                    seen[seat].append(encode(witnessed))

    _state, opening = game.begin(configuration.seats, 9, game.options(configuration.options))
    happen(opening)
    for step, _state, events in replay(read(table.result.record)):
        for choice in step.choices:
            if choice.how is How.ANSWERED:
                until_asked[choice.seat] = len(seen[choice.seat])
        happen(events)
    for seat in seats:
        told = [event for prompt in table.links[seat].prompts for event in game_prompt(slug, prompt).events]
        assert told == seen[seat][: until_asked[seat]]
        assert told
    assert bool(hidden) == (slug in HIDING), "where a game hides things, the test must have seen it"


def game_prompt(slug: str, prompt: pb.Prompt) -> Any:
    """Return the game's part of a prompt."""
    if prompt.game.WhichOneof("game") != "plug_in":
        return getattr(prompt.game, slug)
    message = codec_for(GAMES[slug]).prompt()
    assert prompt.game.plug_in.Unpack(message)
    return message


# Strikes, forfeits, ranks


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_the_strike_over_the_limit_forfeits_and_not_one_earlier(limit: int) -> None:
    control = replace(RELAXED, strike_limit=limit)
    spared = play_scripted(TOY, [until(limit, illegal, first), first, first], control=control)
    assert spared.result.seat_endings == (Ending.COMPLETED,) * 3
    assert [refused.strikes for refused in spared.links[0].refusals()] == list(range(1, limit + 1))
    assert hows(spared, 0) == [How.REFUSED] * limit + [How.ANSWERED] * (len(hows(spared, 0)) - limit)
    struck = play_scripted(TOY, [illegal, first, first], control=control)
    assert struck.result.seat_endings == (Ending.FORFEIT_ILLEGAL, Ending.COMPLETED, Ending.COMPLETED)
    assert [refused.strikes for refused in struck.links[0].refusals()] == list(range(1, limit + 2))
    assert hows(struck, 0)[: limit + 1] == [How.REFUSED] * (limit + 1)
    assert set(hows(struck, 0)[limit + 1 :]) <= {How.HOUSE}
    assert len(struck.links[0].prompts) == limit + 1, "a seat that has forfeited is asked no more"
    assert struck.result.ranks[0] == 3


def test_the_result_says_at_which_step_each_strike_was_and_why_as_the_bot_was_told() -> None:
    table = play_scripted(TOY, [until(2, illegal, first), until(1, silent, first), first])
    steps = [step for step in read(table.result.record).steps if any(each.how in STRUCK for each in step.choices)]
    struck = [(step.number, each.seat) for step in steps for each in step.choices if each.how in STRUCK]
    assert sorted((step, seat) for step, seat, _, _ in table.result.strikes) == struck
    for seat in range(3):
        told = [(refused.clause, refused.reason) for refused in table.links[seat].refusals()]
        assert [(clause, reason) for _, at, clause, reason in table.result.strikes if at == seat] == told
    again = MatchResult.from_plain(json.loads(json.dumps(table.result.to_plain())))
    assert again == table.result


def test_late_answers_strike_and_the_last_strike_names_the_ending() -> None:
    control = replace(RELAXED, strike_limit=1)
    table = play_scripted(TOY, [until(1, illegal, silent), until(1, silent, illegal), first], control=control)
    assert table.result.seat_endings == (Ending.FORFEIT_TIMEOUT, Ending.FORFEIT_ILLEGAL, Ending.COMPLETED)
    assert [refused.reason for refused in table.links[0].refusals()][1] == "no answer within 10 s"
    assert hows(table, 0)[:2] == [How.REFUSED, How.LATE]
    assert hows(table, 1)[:2] == [How.LATE, How.REFUSED]
    assert set(table.links[0].withdrawn) == {2}


def test_every_kind_of_strike_plays_the_safe_default() -> None:
    table = play_scripted(TOY, [until(1, illegal, first), until(1, silent, first)])
    opening = read(table.result.record).steps[0].choices
    state = TOY.new(2, 1, TOY.options({}))
    assert [choice.action for choice in opening] == [TOY.default_action(state, seat) for seat in range(2)]
    assert [choice.how for choice in opening] == [How.REFUSED, How.LATE]


def test_a_bot_that_never_comes_forfeits_before_the_first_decision() -> None:
    table = play_scripted(TOY, [first, first, first], missing=[1])
    assert table.result.seat_endings == (Ending.COMPLETED, Ending.FORFEIT_DISCONNECT, Ending.COMPLETED)
    assert table.links[1].prompts == []
    assert table.result.ranks[1] == 3
    assert verify(table.result.record).result["forfeited_at"] == [None, 1, None]


def test_several_forfeits_rank_last_and_the_first_to_fail_at_the_very_end() -> None:
    """T1, in a match: seat 2 fails at its first answer, seat 0 at its second, seats 1 and 3 play on."""
    control = replace(RELAXED, strike_limit=0)
    table = play_scripted(TOY, [until(1, first, illegal), first, illegal, first], control=control, seed=2)
    ranks = table.result.ranks
    assert (ranks[2], ranks[0]) == (4, 3)
    assert sorted((ranks[1], ranks[3])) in ([1, 2], [1, 1])
    assert table.result.ending is Ending.FORFEIT_ILLEGAL
    verify(table.result.record)


def test_forfeits_at_the_same_step_tie() -> None:
    control = replace(RELAXED, strike_limit=0)
    table = play_scripted(TOY, [illegal, first, silent, first], control=control)
    assert table.result.ranks[0] == table.result.ranks[2] == 3
    assert table.result.ending is Ending.FORFEIT_ILLEGAL, "the first seat in order of those that failed first"


@pytest.mark.parametrize(
    ("places", "failures", "expected"),
    [
        ((1, 2, 3, 3), (17, None, None, None), (4, 1, 2, 2)),
        ((1, 2, 3, 4, 5), (8, 3, None, None, 8), (3, 5, 1, 2, 3)),
        ((1, 2, 3, 4), (None, None, None, None), (1, 2, 3, 4)),
        ((1, 2, 2, 4), (None, None, None, None), (1, 2, 2, 4)),
        ((1, 2, 3, 4), (9, None, None, None), (4, 1, 2, 3)),
        ((1, 2, 3, 4), (9, 3, None, None), (3, 4, 1, 2)),
        ((1, 2, 3, 4), (3, 3, None, None), (3, 3, 1, 2)),
        ((1, 1, 3, 4), (None, 5, 7, None), (1, 4, 3, 2)),
        ((4, 3, 2, 1), (1, 2, 3, 4), (4, 3, 2, 1)),
        ((1, 2, 3, 4), (6, 6, 6, 6), (1, 1, 1, 1)),
    ],
)
def test_T1_2_seats_that_fail_come_last_the_first_at_the_very_end(
    places: tuple[int, ...], failures: tuple[int | None, ...], expected: tuple[int, ...]
) -> None:
    """T1: forfeits rank last, the first to fail at the very end, failing at the same step ties."""
    assert places_after_forfeits(places, failures) == expected


def test_a_stray_message_strikes_but_leaves_the_open_question_open() -> None:
    def stray(question: OpenPrompt) -> pb.Answer:
        if question.prompt_id == 1:
            question.chair.match.strike(question.chair, Ending.FORFEIT_ILLEGAL, 77, "", "prompt 77 is not open")
        return FIRST

    table = play_scripted(TOY, [stray, first])
    assert table.result.seat_endings == (Ending.COMPLETED, Ending.COMPLETED)
    assert [(refused.prompt_id, refused.strikes) for refused in table.links[0].refusals()] == [(77, 1)]
    assert hows(table, 0)[0] is How.ANSWERED


def test_a_lost_bot_forfeits_in_the_middle_of_its_question() -> None:
    def vanish(question: OpenPrompt) -> None:
        question.chair.match.forfeit(question.chair, Ending.FORFEIT_CRASH)

    table = play_scripted(TOY, [first, until(2, first, vanish), first])
    assert table.result.seat_endings[1] is Ending.FORFEIT_CRASH
    assert table.links[1].withdrawn == [3]
    assert hows(table, 1)[:3] == [How.ANSWERED, How.ANSWERED, How.HOUSE]
    verify(table.result.record)


# Our own mistakes


def broken_after(count: int, function: str) -> Any:
    """Return the toy with a function that fails after a number of calls."""
    calls = 0

    def fail(self: Toy, *arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > count:
            raise IndexError("a mistake in the rules")
        return getattr(Toy, function)(self, *arguments)

    return shaped({function: fail})


MISTAKES = [
    ("apply", 2),
    ("observe", 4),
    ("legal_actions", 4),
    ("pending", 2),
    ("witness", 5),
    ("digest", 2),
    ("outcome", 0),
]


@pytest.mark.parametrize(("function", "count"), MISTAKES)
def test_a_mistake_in_the_rules_voids_the_match_and_is_never_ranked(function: str, count: int) -> None:
    assert_voided(play_scripted(broken_after(count, function), [first] * 3))


def test_a_mistake_while_a_default_is_played_voids_the_match() -> None:
    assert_voided(play_scripted(broken_after(0, "default_action"), [first, silent, first]))
    assert_voided(play_scripted(broken_after(0, "default_action"), [first, illegal, first]))


def test_a_mistake_while_an_answer_is_checked_voids_the_match_instead_of_blaming_the_bot() -> None:
    def typed(question: OpenPrompt) -> pb.Answer:
        action = pb.GameAction()
        action.plug_in.Pack(codec_for(TOY).action.encode(BIDS[1]))
        return pb.Answer(action=action)

    assert_voided(play_scripted(broken_after(0, "check"), [first, typed, first]))


def assert_voided(table: Table) -> None:
    result = table.result
    assert result.ending is Ending.VOIDED
    assert result.ranks == result.scores == ()
    assert result.seat_endings == (Ending.VOIDED,) * 3
    for link in table.links:
        assert link.told[-1].match_ended.ending == pb.ENDING_VOIDED
        assert link.left == 1
    read(result.record)


def test_the_order_names_what_the_record_keeps() -> None:
    control = TimeControl(bank_ms=1234, increment_ms=5, cap_ms=678)
    table = play_scripted(TOY, [first] * 2, seed=42, control=control, options={"rounds": 2})
    header = read(table.result.record).header
    order = table.match.order
    assert isinstance(order, MatchOrder)
    assert (header["match_id"], header["game"], header["seed"]) == (order.match_id, "toy", 42)
    assert header["bots"] == ["bot0", "bot1"]
    assert header["options"] == {"rounds": 2}
    assert header["time_control"]["bank_ms"] == 1234
    started = table.links[1].told[0].match_started
    assert (started.seat, started.seats, started.time_control.bank.ToMilliseconds()) == (1, 2, 1234)


# What a bot is told of the match


def test_T2_7_every_message_to_a_seat_carries_the_id_of_that_seat_and_no_other() -> None:
    """Starts, prompts, refusals and ends; the record, the result and its order keep the id of the match."""
    table = play_scripted(TOY, [illegal, *[first] * 2], seed=42)
    order = table.match.order
    for seat, link in enumerate(table.links):
        kinds = [message.WhichOneof("kind") for message in link.told]
        named = {getattr(message, kind).match_id for message, kind in zip(link.told, kinds, strict=True)}
        assert {*kinds} == {"match_started", "match_ended", *(["refused"] if seat == 0 else [])}
        assert named | {prompt.match_id for prompt in link.prompts} == {told_id(42, order.match_id, seat)}
        assert link.prompts
    assert table.result.match_id == json.loads(table.result.record.partition("\n")[0])["match_id"] == order.match_id
