"""The curve of a match as the slider of its replay: one unit across is a step, so that a script reads values off it.

It stretches with the page; lines keep their width, and labels stand beside it as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from referee.markup import Point, line, picture, points, polygon, tag, title

MAX_STEPS_OF_STRIP = 2_000
"""Longer matches draw no strip of who decided: its marks would be closer than pixels."""


@dataclass(frozen=True, slots=True)
class CourseDot:
    """A decision on its seat's curve, linked to its step."""

    step: int
    seat: int
    points: float
    address: str
    about: str


@dataclass(frozen=True, slots=True)
class Track:
    """The curve under a board: its picture, the labels of its lower and upper end, and what it shows."""

    picture: Markup
    low: str
    high: str
    about: str
    kind: str


def judged_track(
    seats: Sequence[Sequence[tuple[int, float, float]]], steps: int, dots: Sequence[CourseDot], about: str
) -> Track:
    """Draw each seat's expected points of 100 with bands of one standard error; dots link to their steps."""
    pieces = [line((0, 50), (steps, 50), "grid")]
    for seat, course in enumerate(seats):
        upper = [(float(step), _within(100 - value - error)) for step, value, error in course]
        lower = [(float(step), _within(100 - value + error)) for step, value, error in reversed(course)]
        pieces.append(polygon([*upper, *lower], f"error-band seat-{seat % 5}"))
    for seat, course in enumerate(seats):
        pieces.append(_curve([(step, 100 - value) for step, value, _ in course], seat))
    pieces += [_dot(each, 100 - each.points) for each in dots]
    return Track(_picture(pieces, steps, 100, about, has_links=bool(dots)), "0", "100", about, "judged")


def _within(value: float) -> float:
    return min(100.0, max(0.0, value))


def score_track(
    seats: Sequence[Sequence[tuple[int, int]]], steps: int, text: Callable[[int], str], about: str
) -> Track:
    """Draw each seat's running score as steps."""
    scores = [score for course in seats for _, score in course]
    low, high = min(0, *scores), max(1, *scores)
    pieces = []
    for seat, course in enumerate(seats):
        corners: list[Point] = []
        for step, score in course:
            if corners:
                corners.append((step, corners[-1][1]))
            corners.append((step, high - score))
        said = {
            "data_steps": " ".join(str(step) for step, _ in course),
            "data_texts": "|".join(text(score) for _, score in course),
        }
        pieces.append(_curve(corners, seat, **said))
    bottom, top = (text(score).partition(",")[0] for score in (low, high))
    return Track(_picture(pieces, steps, high - low, about), bottom, top, about, "scores")


def strip(deciders: Sequence[Sequence[int]], seats: int, about: str) -> Track:
    """Draw who decided at each step: a row of marks for every seat."""
    pieces = []
    for seat in range(seats) if len(deciders) <= MAX_STEPS_OF_STRIP else ():
        marks = "".join(f"M{step} {seat}v.8" for step, asked in enumerate(deciders, start=1) if seat in asked)
        if marks:
            pieces.append(tag("path", d=marks, cls=f"curve seat-line-{seat % 5}"))
    return Track(_picture(pieces, len(deciders), seats, about), "", "", about, "strip")


def _curve(corners: Sequence[Point], seat: int, **said: str) -> Markup:
    return tag("polyline", points=points(corners), cls=f"curve seat-line-{seat % 5}", data_seat=str(seat), **said)


def _dot(each: CourseDot, y: float) -> Markup:
    """A blunder: a point with round ends, which stays round however the picture is stretched."""
    path = f"M{each.step} {points([(0.0, y)]).partition(',')[2]}h0"
    pieces = [
        tag("path", d=path, cls="blunder-reach"),
        tag("path", d=path, cls="blunder-edge"),
        tag("path", d=path, cls=f"blunder-dot seat-line-{each.seat % 5}"),
    ]
    return tag("a", title(each.about), *pieces, href=each.address, aria_label=each.about, data_step=str(each.step))


def _picture(pieces: Sequence[Markup], steps: int, height: float, about: str, *, has_links: bool = False) -> Markup:
    box = (0.0, 0.0, float(max(1, steps)), float(height))
    drawn = picture(box, pieces, about, "track", is_interactive=has_links)
    return drawn.replace("<svg ", Markup('<svg preserveAspectRatio="none" '), 1)
