"""A judgement of one finished match, as plain data with the same bytes anywhere.

Points are out of 100: the share of opponents that a seat beats, half by its place at the end and half by its lead, so
that a clear win is worth more than a narrow one.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, pairwise
from math import hypot
from typing import Any

from referee.game import Seat
from referee.mistakes import UserError

JUDGE = "3"
"""The judge's version, raised whenever a judgement of the same record could change."""
EFFORTS = range(1, 6)
DEFAULT_EFFORT = 2
BLUNDER_GAIN, BLUNDER_ERRORS = 5.0, 2.0
"""A decision is a blunder if a better one would have gained at least this, in points and in standard errors."""

MIN_ERROR = 0.5
"""Errors are rounded to tenths; the end has none."""


class Worlds(StrEnum):
    """The worlds that the judge plays on from, in the order shown to an author."""

    KNEW = "knew"
    """Imagined from what the deciding seat knew: could it have known better?"""
    LUCK = "luck"
    """The true state with future chance redrawn: was it the better bet?"""
    HINDSIGHT = "hindsight"
    """The true state with the actual chance: would it have turned out better?"""


class Opinion(StrEnum):
    """The second judge's opinion on a blunder, without a heuristic."""

    AGREES = "agrees"
    UNSURE = "unsure"
    DISAGREES = "disagrees"


class Phase(StrEnum):
    """The thirds of a match, by its steps."""

    OPENING = "opening"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Second:
    """The better option remeasured by the second judge."""

    gain: float
    error: float
    opinion: Opinion


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """One decision with a choice, of a bot that was asked.

    `own` is the gain of the choice over usual play, of either sign; it adds up. `gain` is the gain of the best other
    option over the one chosen, shrunk towards 0 where little was tried. Errors are standard errors and never 0.
    """

    step: int
    seat: Seat
    kind: str
    clause: str
    phase: Phase
    how: str
    """`answered`, or `late` or `refused` where the safe default was played instead."""
    options: int
    worlds: int
    """The number of worlds in which the options were tried."""
    own: float
    own_error: float
    gain: float
    error: float
    action: str
    """The type of the chosen action, such as `BuyGoods`."""
    chosen: str
    better: str
    """The best other option in plain English; like `chosen` empty unless the decision was looked at twice."""
    second: Second | None = None
    """Of a blunder only, and not where the first judge plays at random too."""

    @property
    def is_blunder(self) -> bool:
        """Whether a better option certainly gains enough to be shown."""
        return bool(self.better) and self.gain >= BLUNDER_GAIN and self.gain > BLUNDER_ERRORS * self.error


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The points of every seat after a step (0 is the set-up), with standard errors, which are 0 at the end."""

    step: int
    points: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SeatJudgement:
    """A seat's course through the match: `start + own + others + unexplained = end`, except for rounding.

    `unexplained` is chance and the judge's own mistakes, which it cannot tell apart.
    """

    seat: Seat
    bot: str
    start: float
    end: float
    own: float
    own_error: float
    others: float | None
    """The effect of the other seats' choices; None if only some seats were judged."""
    unexplained: float


@dataclass(frozen=True, slots=True)
class Swing:
    """A change of one seat's curve from one of its points to the next."""

    step: int
    seat: Seat
    change: float
    error: float
    """The standard error of the change, at least half a point."""

    @property
    def in_errors(self) -> float:
        """The size of the change in standard errors."""
        return abs(self.change) / self.error


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one match, with `decisions` in order of play."""

    judge: str
    digest: str
    """Of the record: the end of its digest chain."""
    game: str
    rules_version: int
    worlds: Worlds
    effort: int
    is_weak: bool
    """Whether the game has no heuristic, so that everything depends on random play."""
    steps: int
    seats: tuple[SeatJudgement, ...]
    """Of the seats that were judged."""
    curve: tuple[CurvePoint, ...]
    decisions: tuple[JudgedDecision, ...]

    def blunders(self, seat: Seat | None = None) -> tuple[JudgedDecision, ...]:
        """Return the decisions worth showing, of one seat or of all, the costliest first."""
        found = [each for each in self.decisions if each.is_blunder and seat in (None, each.seat)]
        return tuple(sorted(found, key=lambda each: (-each.gain, each.step, each.seat)))

    def of_seat(self, seat: Seat) -> Judgement:
        """Return the judgement of one seat; a UserError if it is not at the table."""
        if seat not in [each.seat for each in self.seats]:
            raise UserError(f"seat: {seat} is not allowed; expected 0 to {len(self.seats) - 1}")
        seats = tuple(each for each in self.seats if each.seat == seat)
        decisions = tuple(each for each in self.decisions if each.seat == seat)
        return dataclasses.replace(self, seats=seats, decisions=decisions)

    @property
    def swing(self) -> Swing | None:
        """The largest swing of the match in its errors: by which one seat's curve fell or rose from an earlier point.

        None without a point.
        """
        found: list[Swing] = []
        for seat in range(len(self.curve[0].points) if self.curve else 0):
            course = [(point.points[seat], point.errors[seat], point.step) for point in self.curve]
            for now, low, high in zip(course, accumulate(course, min), accumulate(course, max), strict=True):
                for end in (low, high):
                    error = max(MIN_ERROR, hypot(now[1], end[1]))
                    found.append(Swing(now[2], seat, now[0] - end[0], error))
        return max(found, key=lambda turn: (turn.in_errors, -turn.step, -turn.seat), default=None)

    @property
    def margin(self) -> float:
        """The points of 100 between the best two seats at the end."""
        last = sorted(self.curve[-1].points, reverse=True) if self.curve else []
        return last[0] - last[1] if len(last) > 1 else 100.0

    @property
    def drama(self) -> float:
        """How much there is to see: the swing in its errors, less of it the clearer the end."""
        return 0.0 if self.swing is None else self.swing.in_errors * (1 - self.margin / 100)

    @property
    def sharpest_turn(self) -> Swing | None:
        """The turn that is largest in its errors; None without two points of the curve.

        The points share their noise, so the error of a change is at most this.
        """
        turns = [
            Swing(
                now.step,
                seat,
                now.points[seat] - before.points[seat],
                max(MIN_ERROR, hypot(now.errors[seat], before.errors[seat])),
            )
            for before, now in pairwise(self.curve)
            for seat in range(len(now.points))
        ]
        return max(turns, key=lambda turn: (turn.in_errors, -turn.step, -turn.seat), default=None)

    def to_json(self) -> str:
        """Return the judgement as one line of JSON, the same bytes for the same record anywhere."""
        return json.dumps(self.to_plain(), separators=(",", ":"), ensure_ascii=True)

    def to_plain(self) -> dict[str, Any]:
        """Return the judgement as plain data."""
        return dataclasses.asdict(self)

    @staticmethod
    def from_json(text: str) -> Judgement:
        """Read the output of `to_json`."""
        return Judgement.from_plain(json.loads(text))

    @staticmethod
    def from_plain(plain: Mapping[str, Any]) -> Judgement:
        """Rebuild a judgement from plain data."""
        return Judgement(
            **{
                **plain,
                "worlds": Worlds(plain["worlds"]),
                "seats": tuple(SeatJudgement(**each) for each in plain["seats"]),
                "curve": tuple(
                    CurvePoint(each["step"], tuple(each["points"]), tuple(each["errors"])) for each in plain["curve"]
                ),
                "decisions": tuple(_decision(each) for each in plain["decisions"]),
            }
        )


def _decision(plain: Mapping[str, Any]) -> JudgedDecision:
    second = plain["second"]
    if second is not None:
        second = Second(second["gain"], second["error"], Opinion(second["opinion"]))
    return JudgedDecision(**{**plain, "phase": Phase(plain["phase"]), "second": second})
