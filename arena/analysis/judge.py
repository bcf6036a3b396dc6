"""The judge: turns a record into a judgement, without a clock, with chance from the record's digest alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from typing import Any

from arena.analysis.judgement import (
    JUDGE,
    CurvePoint,
    JudgedDecision,
    Judgement,
    Opinion,
    SeatJudgement,
    Second,
    Worlds,
)
from arena.analysis.moments import JudgedCourse, course_of
from arena.analysis.playing_on import (
    HUNDREDTHS,
    NoisyPolicy,
    RandomPolicy,
    RolloutPolicy,
    Sight,
    beaten,
    dice_for,
    play_on,
    policy_for,
)
from arena.analysis.race import STAGES, Gains, WorldSource, mean_and_error, race
from arena.analysis.steady import steady_mistakes
from referee.game import AnyGame, Seat, can_imagine
from referee.mistakes import UserError
from referee.order import Ending
from referee.record import Record, RecordError, read
from referee.rng import seeded

CURVE_POINTS = 60
CURVE_WORLDS = 4
SECOND_WORLDS = 72
"""Random play is cheap, and needs many worlds."""
FIRST_OF_SECOND = 1_000_000
"""The second judge takes worlds that the first has not seen."""
SURE = 2.0
"""Standard errors beyond which the second judge has an opinion."""


def judge(
    text: str,
    worlds: Worlds,
    effort: int,
    seats: Collection[Seat] | None = None,
    policy_of: Callable[[AnyGame, int], RolloutPolicy] = policy_for,
) -> Judgement:
    """Judge a record for all or some seats; a UserError says why it cannot be judged.

    `policy_of` gives the rollout policy of a game at a table size, so that others can be compared.
    """
    try:
        record = read(text)
        if record.result["ending"] == Ending.VOIDED:
            raise UserError("the match is void: there is no result to explain")
        for seat in seats or ():
            if seat not in range(record.seats):
                raise UserError(f"seat: {seat} is not allowed; expected 0 to {record.seats - 1}")
        policy = policy_of(record.game, record.seats)
        return _judge(record, policy, worlds, effort, range(record.seats) if seats is None else sorted(seats))
    except RecordError as error:
        raise UserError(f"the record is refused: {error}") from None


def _judge(record: Record, policy: RolloutPolicy, worlds: Worlds, effort: int, seats: Sequence[Seat]) -> Judgement:
    if worlds is Worlds.KNEW and not can_imagine(record.game):
        raise UserError(f"worlds: {record.game.slug} cannot determinize a seat's view; expected luck or hindsight")
    game, rng = record.game, seeded(int(record.result_digest, 16))
    course = course_of(record, policy, seats, rng)
    table = WorldSource(game, worlds, rng, record.seats, len(record.steps))
    gains: list[Gains] = []
    for seat in seats:
        gains += race(table, policy, [moment for moment in course.moments if moment.seat == seat], effort)
    curve = _curve(record, policy, course, table, effort)
    decisions = tuple(
        _decision(table, policy, each, effort)
        for each in sorted(gains, key=lambda each: (each.moment.step, each.moment.seat))
    )
    return Judgement(
        judge=JUDGE,
        digest=record.result_digest,
        game=game.slug,
        rules_version=game.rules_version,
        worlds=worlds,
        effort=effort,
        is_weak=isinstance(policy, RandomPolicy),
        steps=len(record.steps),
        seats=tuple(
            _seat(record, seat, gains, curve, decisions, is_whole=len(seats) == record.seats) for seat in seats
        ),
        curve=curve,
        decisions=decisions,
    )


def _curve(
    record: Record, policy: RolloutPolicy, course: JudgedCourse, table: WorldSource, effort: int
) -> tuple[CurvePoint, ...]:
    """Return the course of the match, from the true states with chance redrawn, or in hindsight as it was."""
    game, last = record.game, len(course.states) - 1
    shown = sorted({last * point // CURVE_POINTS for point in range(CURVE_POINTS + 1)} - {last})
    found = []
    # The same noise at every step, so that the curve moves by events and not by the dice.
    dice = [dice_for(record.seats, table.rng.fork(f"curve dice {number}")) for number in range(CURVE_WORLDS * effort)]
    for step in shown:
        horizon, left = table.horizon(policy, step, Sight.LONG)
        values = []
        for number in range(CURVE_WORLDS * effort):
            before = course.states[step]
            is_true = table.worlds is Worlds.HINDSIGHT
            world = game.clone(before) if is_true else game.redraw(before, table.rng.fork(f"curve {step} {number}"))
            play_on(game, policy, world, dice[number], horizon)
            values.append(policy.rated(world, left))
        pairs = [mean_and_error([value[seat] / 100 for value in values]) for seat in range(record.seats)]
        means, errors = (tuple(map(_rounded, column)) for column in zip(*pairs, strict=True))
        found.append(CurvePoint(step, means, errors))
    end = _end(record, policy, course.states[last])
    found.append(CurvePoint(last, tuple(map(_rounded, end)), (0.0,) * record.seats))
    return tuple(found)


def _end(record: Record, policy: RolloutPolicy, state: Any) -> list[float]:
    """Return the points at the end; after a forfeit only places count, as for ratings."""
    if any(failed is not None for failed in record.result["forfeited_at"]):
        return [100 * share for share in beaten(record.result["ranks"])]
    return [value * 100 / HUNDREDTHS for value in policy.rated(state, 0)]


def _seat(
    record: Record,
    seat: Seat,
    gains: Sequence[Gains],
    curve: Sequence[CurvePoint],
    decisions: Sequence[JudgedDecision],
    *,
    is_whole: bool,
) -> SeatJudgement:
    own = own_variance = others = others_variance = 0.0
    for each in gains:
        effect, error = each.effect(seat)
        if each.moment.seat == seat:
            own, own_variance = own + effect, own_variance + error**2
        else:
            others, others_variance = others + effect, others_variance + error**2
    start, end = curve[0].points[seat], curve[-1].points[seat]
    start_variance = curve[0].errors[seat] ** 2
    return SeatJudgement(
        seat=seat,
        bot=record.header["bots"][seat],
        start=start,
        end=end,
        own=_rounded(own),
        own_error=_rounded(own_variance**0.5),
        others=_rounded(others) if is_whole else None,
        others_error=_rounded(others_variance**0.5) if is_whole else None,
        unexplained=_rounded(end - start - own - others),
        unexplained_error=_rounded((start_variance + own_variance + others_variance) ** 0.5),
        steady=steady_mistakes(each for each in decisions if each.seat == seat),
    )


def _decision(table: WorldSource, policy: RolloutPolicy, gains: Gains, effort: int) -> JudgedDecision:
    moment, describe = gains.moment, table.game.describe
    own, own_error = gains.effect(moment.seat)
    is_raced = gains.worlds > STAGES[0].worlds * effort
    found = JudgedDecision(
        step=moment.step,
        seat=moment.seat,
        kind=moment.decision.kind,
        clause=moment.decision.clause,
        phase=moment.phase,
        how=moment.how.value,
        options=moment.listed,
        worlds=gains.worlds,
        own=_rounded(own),
        own_error=_error(own_error),
        gain=_rounded(gains.gain),
        error=_error(gains.error),
        action=type(moment.options[0]).__name__,
        chosen=describe(moment.options[0]) if is_raced else "",
        better=describe(moment.options[gains.best]) if is_raced else "",
        usual=type(moment.options[max(range(len(moment.usual)), key=moment.usual.__getitem__)]).__name__,
    )
    if isinstance(policy, NoisyPolicy) and found.is_blunder:
        second = RandomPolicy(table.game, policy.scale.lead)
        return dataclasses.replace(found, second=_second(table, second, gains, effort))
    return found


def _second(table: WorldSource, policy: RandomPolicy, gains: Gains, effort: int) -> Second:
    """Measure a blunder with the second judge: random play to the end, from the same kind of worlds."""
    moment = gains.moment
    numbers = range(FIRST_OF_SECOND, FIRST_OF_SECOND + SECOND_WORLDS * effort)
    tried = table.try_options(policy, moment, (0, gains.best), numbers, Sight.FAR)
    gain, error = mean_and_error([(better[moment.seat] - chosen[moment.seat]) / 100 for chosen, better in tried])
    opinion = Opinion.UNSURE
    if abs(gain) > SURE * error:
        opinion = Opinion.AGREES if gain > 0 else Opinion.DISAGREES
    return Second(_rounded(gain), _error(error), opinion)


def _rounded(points: float) -> float:
    return round(points, 1) + 0.0  # no -0.0


def _error(points: float) -> float:
    return max(0.1, round(points, 1))
