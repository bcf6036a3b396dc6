"""Steady mistakes: many small losses of one pattern are named, and chance, one blunder or good play never is."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from arena.analysis.judgement import JudgedDecision, SteadyMistake
from arena.analysis.steady import ERRORS, LOSS, TIMES, steady_mistakes
from arena.cli.play_report import print_steady
from tests.arena.web.judgements import decision


def decisions(kind: str, action: str, owns: Sequence[float], usual: str = "Usual") -> list[JudgedDecision]:
    return [
        decision(step, 0, kind=kind, action=action, usual=usual, own=own, own_error=1.0)
        for step, own in enumerate(owns, start=1)
    ]


def test_many_small_losses_of_one_action_are_named_with_what_usual_play_does() -> None:
    good = decisions("act", "Wait", [0.5] * 10, usual="Wait")
    (found,) = steady_mistakes([*good, *decisions("act", "Steal", [-2.0] * 9, usual="Wait")])
    assert found == SteadyMistake("act", "Steal", "Wait", 9, -18.0, 3.0)


def test_a_kind_is_named_where_none_of_its_actions_is() -> None:
    """Three actions, each too rare to be a habit: together they are one."""
    mixed = [each for action in ("One", "Two", "Three") for each in decisions("plan", action, [-4.0] * 3)]
    (found,) = steady_mistakes(mixed)
    assert (found.kind, found.action, found.times, found.own) == ("plan", "", 9, -36.0)


def test_one_blunder_among_good_decisions_is_no_habit() -> None:
    assert steady_mistakes(decisions("act", "Steal", [-60.0, 0.0, 0.1, 0.2, 0.0, 0.1])) == ()


@pytest.mark.parametrize("owns", [[-9.0] * (TIMES - 1), [-LOSS / 20] * 10, [1.0] * 20])
def test_rare_small_and_good_patterns_are_not_named(owns: Sequence[float]) -> None:
    assert steady_mistakes(decisions("act", "Steal", owns)) == ()


def test_a_sum_within_three_errors_is_not_named() -> None:
    """The judge's own errors alone may have made it."""
    unsure = [decision(step, 0, kind="act", action="Steal", own=-2.0, own_error=4.0) for step in range(1, 17)]
    assert -ERRORS * 16 < sum(each.own for each in unsure) < -LOSS
    assert steady_mistakes(unsure) == ()


def test_chance_alone_is_seldom_named() -> None:
    """Of 400 seats with a dozen patterns each and nothing but the judge's errors, fewer than one in twenty."""
    dice = random.Random(5)
    named = 0
    for _ in range(400):
        made = [
            decision(step, 0, kind=f"kind {step % 4}", action=f"Action{step % 12}", own=dice.gauss(0, 4), own_error=4.0)
            for step in range(1, 97)
        ]
        named += bool(steady_mistakes(made))
    assert named < 20


def test_it_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_steady(steady_mistakes(decisions("act", "Steal", [-2.0] * 9, usual="Wait")))
    assert capsys.readouterr().out == (
        "  steady mistake, act: Steal, 9 times: -18 ± 3 in all; usual play mostly takes Wait\n"
    )
