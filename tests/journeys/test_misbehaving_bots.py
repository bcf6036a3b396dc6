"""Real bot processes that are slow, crash, lie or vanish: each has its ending, and the others' match stays whole."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
import trio

from arena.bots.directory import BotDirectory
from arena.bots.process import KEPT_OUTPUT
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import Pool
from referee.order import Ending, MatchResult, TimeControl
from referee.record import How, read, verify
from tests.patience import patience

MakeBot = Callable[[str], BotDirectory]

# A busy machine keeps honest bots waiting too: there is little time only where a bot uses it up on purpose.
CALM = TimeControl(bank_ms=120_000, increment_ms=0, cap_ms=60_000, strike_limit=2, grace_ms=60_000, join_ms=60_000)
IMPATIENT = dataclasses.replace(CALM, cap_ms=3_000, strike_limit=1)
UNFORGIVING = dataclasses.replace(CALM, grace_ms=400)
SECONDS = patience(12)

# behaviour, time control, how the bot's seat ends, what the bot must have been told
MISBEHAVIOURS = [
    ("silent", IMPATIENT, Ending.FORFEIT_TIMEOUT, "no answer within 3 s"),
    ("slow_outside", IMPATIENT, Ending.FORFEIT_TIMEOUT, "no answer within 3 s"),
    ("slow_inside", CALM, Ending.COMPLETED, "match_ended"),
    ("crash_midway", CALM, Ending.FORFEIT_CRASH, "match_started"),
    ("crash_at_start", CALM, Ending.FORFEIT_CRASH, ""),
    ("leaves", UNFORGIVING, Ending.FORFEIT_DISCONNECT, "match_started"),
    ("leaves_and_returns", CALM, Ending.COMPLETED, "asked 2"),
    ("illegal_action", CALM, Ending.FORFEIT_ILLEGAL, "refused T3 seat 1 does not hold the card 99 strikes=1"),
    ("illegal_index", CALM, Ending.FORFEIT_ILLEGAL, "option_index 12345 is out of range"),
    ("other_games_action", CALM, Ending.FORFEIT_ILLEGAL, "not a packed arena_toy.v1.Action"),
    ("no_choice", CALM, Ending.FORFEIT_ILLEGAL, "the answer has no choice"),
    ("garbage", CALM, Ending.FORFEIT_ILLEGAL, "is not a PlayRequest"),
    ("unknown_match", CALM, Ending.FORFEIT_ILLEGAL, "match 'no such match' is not being played by this bot"),
    ("other_seats_prompt", CALM, Ending.FORFEIT_ILLEGAL, "prompt 2 is not open for this bot"),
    ("old_prompt", CALM, Ending.FORFEIT_ILLEGAL, "is not open for this bot"),
    ("hello_again", CALM, Ending.FORFEIT_ILLEGAL, "hello is said once"),
    ("one_stray", CALM, Ending.COMPLETED, "strikes=1"),
    ("huge_frame", UNFORGIVING, Ending.FORFEIT_DISCONNECT, "status RESOURCE_EXHAUSTED"),
    ("unsolicited", CALM, Ending.FORFEIT_ILLEGAL, "status "),  # with a write under way, grpc.aio may say INTERNAL
    ("output_flood", CALM, Ending.COMPLETED, "bytes dropped"),
    ("honest", CALM, Ending.COMPLETED, "match_ended"),
]


@pytest.mark.parametrize(
    ("behaviour", "control", "ending", "told"), MISBEHAVIOURS, ids=[row[0] for row in MISBEHAVIOURS]
)
def test_a_misbehaving_bot_harms_only_itself(
    behaviour: str, control: TimeControl, ending: Ending, told: str, make_bot: MakeBot, random_bot: BotDirectory
) -> None:
    bad = make_bot(behaviour)
    fixture = MatchToPlay("journey", "toy", {}, (random_bot, bad, random_bot, random_bot), 5, control)
    honest = MatchToPlay("beside", "toy", {}, (random_bot,) * 4, 6, control)
    results: dict[str, MatchResult] = {}

    async def journey() -> str:
        async def one(pool: Pool, fixture: MatchToPlay) -> None:
            results[fixture.match_id] = await pool.play(fixture)

        async with open_pool(concurrency=4) as pool:
            with trio.fail_after(SECONDS):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(one, pool, fixture)
                    nursery.start_soon(one, pool, honest)
            with trio.move_on_after(SECONDS):  # it may hear of the end later than we do, and print later still
                while told not in pool.output_of(bad.label):  # noqa: ASYNC110  # nobody tells
                    await trio.sleep(0.01)
        return pool.output_of(bad.label)

    output = trio.run(journey)
    result = results["journey"]
    assert result.seat_endings == (Ending.COMPLETED, ending, Ending.COMPLETED, Ending.COMPLETED), output
    assert result.ending == ending
    assert told in output
    assert len(output) <= 3 * KEPT_OUTPUT
    if ending is not Ending.COMPLETED:
        assert result.ranks[1] == 4, "a seat that forfeited ranks last"
    record = verify(result.record)
    others = [choice for step in record.steps for choice in step.choices if choice.seat != 1]
    assert {choice.how for choice in others} <= {How.ANSWERED, How.FORCED}, "the others played on by their own choice"
    assert results["beside"].ending is Ending.COMPLETED, "the match beside it was not disturbed"
    verify(results["beside"].record)


def test_after_a_forfeit_the_house_plays_safe_defaults(make_bot: MakeBot, random_bot: BotDirectory) -> None:
    fixture = MatchToPlay("house", "toy", {}, (random_bot, make_bot("crash_midway")), 8, CALM)

    async def journey() -> MatchResult:
        async with open_pool() as pool:
            return await pool.play(fixture)

    record = read(trio.run(journey).record)
    mine = [choice for step in record.steps for choice in step.choices if choice.seat == 1]
    assert mine[0].how is How.ANSWERED
    assert {choice.how for choice in mine[1:]} <= {How.HOUSE, How.FORCED}
    assert any(choice.how is How.HOUSE for choice in mine)


def test_a_bot_whose_command_is_missing_forfeits_with_the_reason(make_bot: MakeBot, random_bot: BotDirectory) -> None:
    bad = make_bot("honest")
    (bad.path / "bot.toml").write_text('name = "lost"\ncommand = ["no-such-program"]\n')
    from arena.bots.directory import read_bot

    lost = read_bot(bad.path)

    async def journey() -> tuple[MatchResult, str]:
        async with open_pool() as pool:
            result = await pool.play(MatchToPlay("lost", "toy", {}, (random_bot, lost), 8, CALM))
            return result, pool.output_of(lost.label)

    result, output = trio.run(journey)
    assert result.seat_endings == (Ending.COMPLETED, Ending.FORFEIT_CRASH)
    assert "no-such-program" in output


def test_bots_that_crash_are_started_again_for_the_next_match(make_bot: MakeBot, random_bot: BotDirectory) -> None:
    bad = make_bot("crash_midway")

    async def journey() -> list[MatchResult]:
        async with open_pool() as pool:
            return [await pool.play(MatchToPlay(f"again{n}", "toy", {}, (random_bot, bad), n, CALM)) for n in range(3)]

    results = trio.run(journey)
    assert [result.seat_endings[1] for result in results] == [Ending.FORFEIT_CRASH] * 3
    hows = [
        [choice.how for step in read(result.record).steps for choice in step.choices if choice.seat == 1]
        for result in results
    ]
    assert all(how[0] is How.ANSWERED for how in hows), "a fresh process answered each first prompt"
