"""A small line chart as an SVG file, for the pictures of the documentation."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 156, 72, 56


@dataclass(frozen=True, slots=True)
class Line:
    """A curve with its name, which is written at its end."""

    name: str
    points: tuple[tuple[float, float], ...]
    colour: str
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over a logarithmic axis, from 0 to `y_max`; higher values are cut off."""

    title: str
    x_title: str
    y_title: str
    y_max: float
    lines: tuple[Line, ...]

    def write(self, path: Path) -> None:
        """Write the chart."""
        path.write_text(self.svg, encoding="utf-8")

    @property
    def svg(self) -> str:
        """The chart as SVG, on white, so that it reads on a dark page too."""
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
            ' font-family="sans-serif" font-size="13" role="img">',
            f"<title>{escape(self.title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
            f'<text x="{LEFT}" y="28" font-size="16" fill="#1c1c1c">{escape(self.title)}</text>',
            *self._grid(),
            *self._curves(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _x(self, value: float) -> float:
        values = [x for line in self.lines for x, _ in line.points]
        low, high = log10(min(values)), log10(max(values))
        return LEFT + (log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def _y(self, value: float) -> float:
        return HEIGHT - BOTTOM - min(value, self.y_max) / self.y_max * (HEIGHT - TOP - BOTTOM)

    def _grid(self) -> list[str]:
        parts = []
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        for step in range(6):
            value = self.y_max * step / 5
            y = self._y(value)
            parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e2e2e2"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#4a4a4a">{value:g}</text>')
        values = [x for line in self.lines for x, _ in line.points]
        low, high = min(values), max(values)
        ticks = [
            first * 10**power
            for power in range(floor(log10(low)), ceil(log10(high)) + 1)
            for first in (1, 3)
            if low <= first * 10**power <= high
        ]
        for value in ticks:
            x = self._x(value)
            parts.append(f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}" stroke="#4a4a4a"/>')
            parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle" fill="#4a4a4a">{value:,.0f}</text>')
        middle = (LEFT + right) / 2
        parts.append(
            f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle" fill="#1c1c1c">'
            f"{escape(self.x_title)} (logarithmic)</text>"
        )
        parts.append(f'<text x="12" y="{TOP - 16}" fill="#1c1c1c">{escape(self.y_title)}</text>')
        return parts

    def _curves(self) -> list[str]:
        parts = []
        ends = sorted((self._y(line.points[-1][1]), number) for number, line in enumerate(self.lines))
        labels: dict[int, float] = {}
        lowest = 0.0
        for y, number in ends:
            # Names are at the ends of their curves, moved apart where they would overlap.
            labels[number] = lowest = max(y, lowest + 17)
        for number, line in enumerate(self.lines):
            path = " ".join(f"{self._x(x):.1f},{self._y(y):.1f}" for x, y in line.points)
            dash = ' stroke-dasharray="6 5"' if line.is_dashed else ""
            parts.append(f'<polyline points="{path}" fill="none" stroke="{line.colour}" stroke-width="2.2"{dash}/>')
            x = self._x(line.points[-1][0]) + 8
            parts.append(
                f'<text x="{x:.1f}" y="{labels[number] + 4:.1f}" fill="{line.colour}">{escape(line.name)}</text>'
            )
        return parts
