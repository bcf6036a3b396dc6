"""Small SVG charts: ratings with intervals, rating histories, and the course of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log

from markupsafe import Markup

from arena.reports.bot import VersionCourse
from arena.web.rendering import version_of
from ratings.fit.shown import shown_interval
from referee.markup import Point, circle, label, line, picture, points, polygon, rectangle, tag

BAR_WIDTH, BAR_HEIGHT = 140.0, 20.0
PLOT = (640.0, 220.0)
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 12.0, 30.0
EVIDENCE_LEFT = 84.0
LETTER = 7.0  # approximate width of a label's letter
MAX_POINTS = 400  # more would be closer than the pixels of a screen


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


@dataclass(frozen=True, slots=True)
class _Plot:
    """The frame of a chart: from 0 to `last` across, and from `low` to `high` upwards."""

    last: int
    low: float
    high: float
    left: float = LEFT

    def at(self, x: float, value: float) -> Point:
        """Return the position of a value."""
        width, height = PLOT
        return (
            self.left + (width - self.left - RIGHT) * x / max(1, self.last),
            TOP + (height - TOP - BOTTOM) * (self.high - value) / (self.high - self.low),
        )

    def rule(self, value: float, style: str) -> Markup:
        """Draw a value as a line across."""
        y = self.at(0, value)[1]
        return line((self.left, y), (PLOT[0] - RIGHT, y), style)

    def axes(
        self, beside: Iterable[tuple[float, object]], below: Iterable[tuple[float, object]], unit: str
    ) -> list[Markup]:
        """Draw a labelled grid line for every value beside the chart, and the labels and the unit below it."""
        width, height = PLOT
        pieces = []
        for value, text in beside:
            place = (self.left - 6, self.at(0, value)[1])
            pieces += [self.rule(value, "grid"), label(place, text, "label", anchor="end")]
        for x, text in below:
            pieces.append(label((self.at(x, self.low)[0], height - BOTTOM + 12), text, "label"))
        return [*pieces, label((width - RIGHT, height - 6), unit, "label", anchor="end")]

    def curve(self, values: Iterable[tuple[float, float]], style: str) -> Markup:
        """Draw values as a line."""
        return tag("polyline", points=points(self.at(x, value) for x, value in values), cls=f"curve {style}")

    def runner(self, number: int, values: Sequence[tuple[float, float]]) -> list[Markup]:
        """Draw values as a line in a seat's colour with a dot at its end."""
        return [
            self.curve(values, f"seat-line-{number % 5}"),
            circle(self.at(*values[-1]), 4, f"piece seat-{number % 5}"),
        ]


def _labelled(ticks: Iterable[int]) -> list[tuple[int, int]]:
    return [(tick, tick) for tick in ticks]


def evidence(curves: Sequence[Sequence[float]], bound: float, about: str) -> Markup:
    """Draw the evidence for both sides over the blocks, on a logarithmic scale, and its bound.

    The curves and the bound are natural logarithms.
    """
    values = [value for curve in curves for value in curve]
    low, high = min(-log(10), *values), max(bound, *values) + log(2)
    last = max(len(curve) for curve in curves) - 1
    plot = _Plot(last, low, high, EVIDENCE_LEFT)
    decades = range(ceil(low / log(10)), floor(high / log(10)) + 1)
    beside = [(decade * log(10), _odds(decade)) for decade in decades[:: max(1, ceil(len(decades) / 7))]]
    pieces = plot.axes(beside, _labelled(_ticks(0, last) if last else []), "blocks")
    pieces.append(plot.rule(bound, "bound"))
    for number, curve in enumerate(curves):
        pieces += plot.runner(number, _thinned(curve))
    return picture((0, 0, *PLOT), pieces, about, "plot")


def _odds(decade: int) -> str:
    if abs(decade) >= 5:
        return f"10^{decade}"
    return f"{10**decade:,} to 1" if decade >= 0 else f"1 to {10**-decade:,}"


def span(low: float | None, middle: float | None, high: float | None, about: str) -> Markup:
    """Draw a difference in Elo as a point on its interval, with zero in the middle; open ends run off the scale."""
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


def history(versions: Sequence[VersionCourse], about: str) -> Markup:
    """Draw a bot's rating history over matches and versions; intervals of fitted ratings form a band."""
    values = [value for version in versions for value in version.elo]
    values += [rating + side * error for each in versions for _, rating, error in each.fits for side in (-1, 1)]
    low, high = min(values), max(values)
    air = max(5.0, (high - low) * 0.08)
    plot = _Plot(sum(len(version.elo) - 1 for version in versions), low - air, high + air)
    pieces = plot.axes(_labelled(_ticks(plot.low, plot.high)), _labelled(_ticks(0, plot.last)), "matches")
    start = 0
    for version in versions:
        x = plot.at(start, 0)[0]
        pieces += _band(
            [(*plot.at(start + at, rating), plot.at(0, rating - error)[1]) for at, rating, error in version.fits]
        )
        pieces.append(plot.curve([(start + at, value) for at, value in _thinned(version.elo)], "seat-line-0"))
        pieces += [circle(plot.at(start + at, rating), 3.5, "estimate") for at, rating, _ in version.fits]
        if start:
            pieces.append(line((x, TOP), (x, PLOT[1] - BOTTOM), "bound"))
        if len(versions) > 1:
            pieces.append(label((x + 4, TOP + 6), version_of(version.label), "label label-small", "start"))
        start += len(version.elo) - 1
    return picture((0, 0, *PLOT), pieces, about, "plot")


def _band(fits: Sequence[tuple[float, float, float]]) -> list[Markup]:
    """Draw intervals, given by x, middle and lower end, as a band; a single one as a bar."""
    if len(fits) == 1:
        ((x, middle, lower),) = fits
        return [rectangle((x - 3, 2 * middle - lower), 6, 2 * (lower - middle), "band", radius=3)]
    upper = [(x, 2 * middle - lower) for x, middle, lower in fits]
    return [polygon([*upper, *((x, lower) for x, _, lower in reversed(fits))], "band")] if fits else []


TIMES = (640.0, 70.0)


def score_course(
    seats: Sequence[Sequence[tuple[int, int]]], steps: int, text: Callable[[int], str], about: str
) -> Markup:
    """Draw each seat's score as steps."""
    scores = [score for values in seats for _, score in values]
    low, high = min(0, *scores), max(1, *scores)
    beside = [(score, text(score)) for score in _ticks(low, high, 5)]
    plot = _Plot(steps, low, high, max(LEFT, 12 + LETTER * max(len(words) for _, words in beside)))
    pieces = plot.axes(beside, _labelled(_ticks(0, steps)), "steps")
    for seat, values in enumerate(seats):
        corners = list(values[:1])
        for (_, before), (step, score) in pairwise(values):
            corners += [(step, before), (step, score)]
        pieces.append(plot.curve(corners, f"scores seat-line-{seat % 5}"))
    return picture((0, 0, *PLOT), pieces, about, "plot course")


def think_times(times: Sequence[tuple[int, int, float]], steps: int, about: str) -> Markup:
    """Draw thinking times (step, seat, milliseconds) on a logarithmic scale."""
    width, height = TIMES
    plot = _Plot(steps, 0, 1)
    longest = max((ms for _, _, ms in times), default=0.0)
    room = (height - TOP - 14) / (log(1 + longest) or 1.0)
    thickness = min(6.0, max(1.0, (width - LEFT - RIGHT) / max(1, steps) * 0.8))
    pieces = [line((LEFT, height - 14), (width - RIGHT, height - 14), "axis")]
    for step, seat, ms in times:
        tall = room * log(1 + ms)
        corner = (plot.at(step, 0)[0] - thickness / 2, height - 14 - tall)
        pieces.append(rectangle(corner, thickness, tall, f"seat-{seat % 5}"))
    pieces.append(label((LEFT - 6, TOP + 4), f"{longest:.0f} ms", "label label-small", anchor="end"))
    return picture((0, 0, width, height), pieces, about, "plot course")


def race(runners: Sequence[Sequence[float]], rounds: Sequence[int], about: str) -> Markup:
    """Draw cumulative points by round, one line per bot, in seat colours."""
    plot = _Plot(len(rounds), 0, max(1.0, *(value for values in runners for value in values)))
    below = [(at, rounds[at - 1]) for at in (_ticks(1, len(rounds)) if len(rounds) > 1 else [1])]
    pieces = plot.axes(_labelled(_ticks(0, plot.high, 5)), below, "rounds")
    for number, values in enumerate(runners):
        pieces += plot.runner(number, list(enumerate(values)))
    return picture((0, 0, *PLOT), pieces, about, "plot")
