"""Small SVG charts: ratings with intervals, rating histories, and the course of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log

from markupsafe import Markup

from ratings.fit.shown import shown_interval
from referee.markup import Point, circle, label, line, picture, points, polygon, rectangle, tag, title

BAR_WIDTH, BAR_HEIGHT = 140.0, 20.0
PLOT = (640.0, 220.0)
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 12.0, 30.0
EVIDENCE_LEFT = 84.0
LETTER = 7.0
"""Approximate width of a label's letter."""
MAX_POINTS = 400
"""More would be closer than the pixels of a screen."""


def scale_of(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the range of intervals (rating, error), with a margin."""
    if not values:
        return (1400.0, 1600.0)
    low = min(rating - error for rating, error in values)
    high = max(rating + error for rating, error in values)
    air = max(1.0, (high - low) * 0.04)
    return (low - air, high + air)


def interval(rating: float, error: float, scale: tuple[float, float]) -> Markup:
    """Draw a rating as a point on its 95 % interval."""
    low, high = scale

    def x(value: float) -> float:
        return 2 + (BAR_WIDTH - 4) * (value - low) / (high - low)

    middle = BAR_HEIGHT / 2
    start, end = x(rating - error), x(rating + error)
    pieces = [
        line((0, middle), (BAR_WIDTH, middle), "axis"),
        rectangle((start, middle - 4), max(1.0, end - start), 8, "interval", radius=4),
        circle((x(rating), middle), 4, "estimate"),
    ]
    return picture((0, 0, BAR_WIDTH, BAR_HEIGHT), pieces, shown_interval(rating, error), "interval-chart")


def _ticks(low: float, high: float, most: int = 6) -> list[int]:
    """Return a few round numbers between two."""
    for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 20_000):
        if (high - low) / step <= most:
            return list(range(ceil(low / step) * step, floor(high / step) * step + 1, step))
    return [round(low), round(high)]


def evidence(curves: Sequence[Sequence[float]], bound: float, about: str) -> Markup:
    """Draw the evidence for both sides over the blocks, on a logarithmic scale, and its bound.

    The curves and the bound are natural logarithms.
    """
    values = [value for curve in curves for value in curve]
    low, high = min(-log(10), *values), max(bound, *values) + log(2)
    longest = max(len(curve) for curve in curves)
    width, height = PLOT

    def place(at: int, value: float) -> tuple[float, float]:
        x = EVIDENCE_LEFT + (width - EVIDENCE_LEFT - RIGHT) * at / max(1, longest - 1)
        return (x, TOP + (height - TOP - BOTTOM) * (high - value) / (high - low))

    pieces = []
    decades = range(ceil(low / log(10)), floor(high / log(10)) + 1)
    for decade in decades[:: max(1, ceil(len(decades) / 7))]:
        y = place(0, decade * log(10))[1]
        shown = (
            f"{10**decade:,} to 1"
            if 0 <= decade < 5
            else f"1 to {10**-decade:,}"
            if -5 < decade < 0
            else f"10^{decade}"
        )
        pieces += [
            line((EVIDENCE_LEFT, y), (width - RIGHT, y), "grid"),
            label((EVIDENCE_LEFT - 6, y), shown, "label", anchor="end"),
        ]
    y = place(0, bound)[1]
    pieces.append(line((EVIDENCE_LEFT, y), (width - RIGHT, y), "bound"))
    for tick in _ticks(0, longest - 1) if longest > 1 else []:
        pieces.append(label((place(tick, low)[0], height - BOTTOM + 12), tick, "label"))
    pieces.append(label((width - RIGHT, height - 6), "blocks", "label", anchor="end"))
    for number, curve in enumerate(curves):
        corners = [place(at, value) for at, value in _thinned(curve)]
        pieces.append(tag("polyline", points=points(corners), cls=f"curve seat-line-{number}"))
        pieces.append(circle(corners[-1], 4, f"piece seat-{number}"))
    return picture((0, 0, width, height), pieces, about, "plot")


def span(low: float | None, middle: float | None, high: float | None, about: str) -> Markup:
    """Draw a difference in Elo as a point on its interval, with nought in the middle; open ends run off the scale."""
    reach = 1.1 * max([50.0, *(abs(each) for each in (low, middle, high) if each is not None)])
    width, height = 320.0, 44.0

    def x(value: float) -> float:
        return width / 2 + (width / 2 - 6) * value / reach

    start, end = 2.0 if low is None else x(low), width - 2 if high is None else x(high)
    pieces = [
        line((0, 14), (width, 14), "axis"),
        line((x(0), 4), (x(0), 24), "axis"),
        rectangle((start, 10), max(1.0, end - start), 8, "interval", radius=0 if None in (low, high) else 4),
        label((x(0), 36), "0", "label"),
        label((4, 36), f"{-reach:.0f} Elo", "label", anchor="start"),
        label((width - 4, 36), f"+{reach:.0f} Elo", "label", anchor="end"),
    ]
    if middle is not None:
        pieces.append(circle((x(middle), 14), 4, "estimate"))
    return picture((0, 0, width, height), pieces, about, "span-chart")


def _thinned(values: Sequence[float]) -> list[tuple[int, float]]:
    """Return the values to draw with their indices: as many as a screen can show, and the last."""
    numbered = list(enumerate(values))
    if len(numbered) <= MAX_POINTS:
        return numbered
    every = len(numbered) / MAX_POINTS
    return [numbered[floor(at * every)] for at in range(MAX_POINTS)] + numbered[-1:]


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version's rating history: its running Elo, and its fitted ratings as (number, rating, error)."""

    name: str
    elo: Sequence[float]
    fits: Sequence[tuple[int, float, float]]


def history(versions: Sequence[VersionLine], about: str) -> Markup:
    """Draw a bot's rating history over matches and versions; intervals of fitted ratings form a band."""
    values = [value for version in versions for value in version.elo]
    values += [rating + side * error for each in versions for _, rating, error in each.fits for side in (-1, 1)]
    low, high = min(values), max(values)
    air = max(5.0, (high - low) * 0.08)
    low, high = low - air, high + air
    matches = sum(len(version.elo) - 1 for version in versions)
    width, height = PLOT

    def place(at: float, value: float) -> Point:
        x = LEFT + (width - LEFT - RIGHT) * at / max(1, matches)
        return (x, TOP + (height - TOP - BOTTOM) * (high - value) / (high - low))

    pieces = []
    for tick in _ticks(low, high):
        y = place(0, tick)[1]
        pieces += [line((LEFT, y), (width - RIGHT, y), "grid"), label((LEFT - 6, y), tick, "label", anchor="end")]
    for tick in _ticks(0, matches):
        pieces.append(label((place(tick, low)[0], height - BOTTOM + 12), tick, "label"))
    pieces.append(label((width - RIGHT, height - 6), "matches", "label", anchor="end"))
    start = 0
    for version in versions:
        pieces += _band(
            [(*place(start + at, rating), place(0, rating - error)[1]) for at, rating, error in version.fits]
        )
        corners = [place(start + at, value) for at, value in _thinned(version.elo)]
        pieces.append(tag("polyline", points=points(corners), cls="curve seat-line-0"))
        pieces += [circle(place(start + at, rating), 3.5, "estimate") for at, rating, _ in version.fits]
        if start:
            top, foot = (place(start, value)[0] for value in (high, low))
            pieces.append(line((top, TOP), (foot, height - BOTTOM), "bound"))
        if len(versions) > 1 or version.name:
            pieces.append(label((place(start, high)[0] + 4, TOP + 6), version.name, "label label-small", "start"))
        start += len(version.elo) - 1
    return picture((0, 0, width, height), pieces, about, "plot")


def _band(fits: Sequence[tuple[float, float, float]]) -> list[Markup]:
    """Draw intervals, given by x, middle and lower end, as a band; a single one as a bar."""
    if len(fits) == 1:
        ((x, middle, lower),) = fits
        return [rectangle((x - 3, 2 * middle - lower), 6, 2 * (lower - middle), "band", radius=3)]
    upper = [(x, 2 * middle - lower) for x, middle, lower in fits]
    return [polygon([*upper, *((x, lower) for x, _, lower in reversed(fits))], "band")] if fits else []


COURSE = (640.0, 220.0)
TIMES = (640.0, 70.0)
EVEN_POINTS = 50
"""The points of a bot that beats as many as beat it."""


@dataclass(frozen=True, slots=True)
class CourseDot:
    """A decision on the curve of its seat that leads to its step."""

    step: int
    seat: int
    points: float
    address: str
    about: str


def _across(step: int, steps: int, width: float, left: float = LEFT) -> float:
    return left + (width - left - RIGHT) * step / max(1, steps)


def course(
    seats: Sequence[Sequence[tuple[int, float]]], steps: int, blunders: Sequence[CourseDot], about: str
) -> Markup:
    """Draw each seat's expected points of 100 after each step; blunders link to their steps."""
    width, height = COURSE

    def place(step: int, value: float) -> Point:
        return (_across(step, steps, width), TOP + (height - TOP - BOTTOM) * (100 - value) / 100)

    pieces = []
    for value in (0, 25, EVEN_POINTS, 75, 100):
        y = place(0, value)[1]
        pieces += [line((LEFT, y), (width - RIGHT, y), "grid"), label((LEFT - 6, y), value, "label", anchor="end")]
    pieces += _steps_below(steps, width, height)
    for seat, values in enumerate(seats):
        corners = points(place(step, value) for step, value in values)
        pieces.append(tag("polyline", points=corners, cls=f"curve seat-line-{seat % 5}"))
    for each in blunders:
        dot = circle(place(each.step, each.points), 7, f"piece blunder seat-{each.seat % 5}", title(each.about))
        pieces.append(tag("a", dot, href=each.address, aria_label=each.about, data_step=each.step))
    return picture((0, 0, width, height), pieces, about, "plot course", is_interactive=bool(blunders))


def score_course(
    seats: Sequence[Sequence[tuple[int, int]]], steps: int, text: Callable[[int], str], about: str
) -> Markup:
    """Draw each seat's score as steps."""
    width, height = COURSE
    scores = [score for values in seats for _, score in values]
    low, high = min(0, *scores), max(1, *scores)
    beside = {score: text(score) for score in _ticks(low, high, 5)}
    left = max(LEFT, 12 + LETTER * max(map(len, beside.values())))

    def place(step: int, score: float) -> Point:
        return (_across(step, steps, width, left), TOP + (height - TOP - BOTTOM) * (high - score) / (high - low))

    pieces = []
    for score, words in beside.items():
        y = place(0, score)[1]
        pieces += [line((left, y), (width - RIGHT, y), "grid"), label((left - 6, y), words, "label", "end")]
    pieces += _steps_below(steps, width, height, left)
    for seat, values in enumerate(seats):
        corners: list[Point] = []
        for step, score in values:
            if corners:
                corners.append((place(step, score)[0], corners[-1][1]))
            corners.append(place(step, score))
        pieces.append(tag("polyline", points=points(corners), cls=f"curve scores seat-line-{seat % 5}"))
    return picture((0, 0, width, height), pieces, about, "plot course")


def _steps_below(steps: int, width: float, height: float, left: float = LEFT) -> list[Markup]:
    """The step numbers under a chart."""
    return [
        *(label((_across(step, steps, width, left), height - BOTTOM + 12), step, "label") for step in _ticks(0, steps)),
        label((width - RIGHT, height - 6), "steps", "label", anchor="end"),
    ]


def think_times(times: Sequence[tuple[int, int, float]], steps: int, about: str) -> Markup:
    """Draw thinking times (step, seat, milliseconds) on a logarithmic scale."""
    width, height = TIMES
    tallest = log(1 + max((ms for _, _, ms in times), default=0.0)) or 1.0
    room = height - TOP - 14
    thickness = min(6.0, max(1.0, (width - LEFT - RIGHT) / max(1, steps) * 0.8))
    pieces = [line((LEFT, height - 14), (width - RIGHT, height - 14), "axis")]
    for step, seat, ms in times:
        tall = room * log(1 + ms) / tallest
        corner = (_across(step, steps, width) - thickness / 2, height - 14 - tall)
        pieces.append(rectangle(corner, thickness, tall, f"seat-{seat % 5}"))
    longest = max((ms for _, _, ms in times), default=0.0)
    pieces.append(label((LEFT - 6, TOP + 4), f"{longest:.0f} ms", "label label-small", anchor="end"))
    return picture((0, 0, width, height), pieces, about, "plot course")


def race(runners: Sequence[Sequence[float]], rounds: Sequence[int], about: str) -> Markup:
    """Draw cumulative points by round, one line per bot, in seat colours."""
    width, height = PLOT
    high = max(1.0, *(value for values in runners for value in values))

    def place(at: int, value: float) -> Point:
        return (_across(at, len(rounds), width), TOP + (height - TOP - BOTTOM) * (high - value) / high)

    pieces = []
    for tick in _ticks(0, high, 5):
        y = place(0, tick)[1]
        pieces += [line((LEFT, y), (width - RIGHT, y), "grid"), label((LEFT - 6, y), tick, "label", anchor="end")]
    for at in _ticks(1, len(rounds)) if len(rounds) > 1 else [1]:
        pieces.append(label((place(at, 0)[0], height - BOTTOM + 12), rounds[at - 1], "label"))
    pieces.append(label((width - RIGHT, height - 6), "rounds", "label", anchor="end"))
    for number, values in enumerate(runners):
        corners = [place(at, value) for at, value in enumerate(values)]
        pieces.append(tag("polyline", points=points(corners), cls=f"curve seat-line-{number % 5}"))
        pieces.append(circle(corners[-1], 4, f"piece seat-{number % 5}"))
    return picture((0, 0, width, height), pieces, about, "plot")
