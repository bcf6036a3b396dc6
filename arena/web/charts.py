"""Small charts in SVG: a rating with its interval, and how a rating went."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from markupsafe import Markup

from referee.boards.markup import circle, label, line, picture, points, rectangle, tag

BAR_WIDTH, BAR_HEIGHT = 140.0, 20.0
PLOT = (640.0, 220.0)
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 12.0, 30.0
MAX_POINTS = 400
"""More would lie closer than the pixels of a screen."""


def scale_of(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the least and the greatest value that intervals (rating, error) reach, with a little air."""
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
    about = f"{rating - error:.0f} to {rating + error:.0f}"
    return picture((0, 0, BAR_WIDTH, BAR_HEIGHT), pieces, about, "interval-chart")


def _marks(low: float, high: float) -> list[int]:
    """Return a few round numbers between two."""
    for step in (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000):
        if (high - low) / step <= 6:
            return list(range(ceil(low / step) * step, floor(high / step) * step + 1, step))
    return [round(low), round(high)]


def history(series: Sequence[tuple[str, Sequence[float]]], about: str) -> Markup:
    """Draw how ratings went, match by match; one line a series, in the colours of the seats."""
    values = [value for _, line_values in series for value in line_values]
    low, high = (min(values), max(values)) if values else (1500.0, 1500.0)
    air = max(5.0, (high - low) * 0.08)
    low, high = low - air, high + air
    longest = max((len(line_values) for _, line_values in series), default=1)
    width, height = PLOT

    def place(at: int, value: float) -> tuple[float, float]:
        x = LEFT + (width - LEFT - RIGHT) * at / max(1, longest - 1)
        return (x, TOP + (height - TOP - BOTTOM) * (high - value) / (high - low))

    pieces = []
    for mark in _marks(low, high):
        y = place(0, mark)[1]
        pieces += [line((LEFT, y), (width - RIGHT, y), "grid"), label((LEFT - 6, y), mark, "label", anchor="end")]
    for mark in _marks(1, longest) if longest > 1 else []:
        if 1 <= mark <= longest:
            pieces.append(label((place(mark - 1, low)[0], height - BOTTOM + 12), mark, "label"))
    pieces.append(label((width - RIGHT, height - 6), "matches", "label", anchor="end"))
    for number, (_, line_values) in enumerate(series):
        thinned = list(enumerate(line_values))
        if len(thinned) > MAX_POINTS:
            every = len(thinned) / MAX_POINTS
            thinned = [thinned[floor(at * every)] for at in range(MAX_POINTS)] + thinned[-1:]
        corners = [place(at, value) for at, value in thinned]
        pieces.append(tag("polyline", points=points(corners), cls=f"curve seat-line-{number % 5}"))
        if corners:
            pieces.append(circle(corners[-1], 4, f"piece seat-{number % 5}"))
    return picture((0, 0, width, height), pieces, about, "plot")
