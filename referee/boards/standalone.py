"""A position as one self-contained SVG: all its figures on a sheet, with the style inside.

The style is the boards' own with its variables resolved, since few programs except browsers know them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from markupsafe import Markup

from referee.boards import STYLE
from referee.boards.generic import shown_fields
from referee.drawing import Drawing, Figure
from referee.game import AnyGame, Seat
from referee.markup import Point, circle, join, label, number, rectangle, tag

WIDTH, GAP, LINE = 1200.0, 16.0, 20.0
CARD, BESIDE, CARD_LETTER = (1200.0, 630.0), 770.0, 15.0  # a card, where its words begin, and how wide a letter is
COLUMNS = {"wide": 12, "half": 6, "pair": 6, "small": 4, "quarter": 3, "tiny": 2}  # of twelve
TALLEST = 900.0  # of one figure
WRAPPER = textwrap.TextWrapper(150, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
VIEW_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')


def standalone(game: AnyGame, view: Any, seats: Mapping[Seat, Any]) -> str:
    """Return a viewer's view, and the hidden knowledge of the given seats, as a whole SVG."""
    drawing = game.board(view, seats)
    if drawing is None:  # a table is not an SVG
        return _sheet([f"{name}: {text}" for name, text in shown_fields(view)], (), ())
    return _sheet([" · ".join(f"{name}: {text}" for name, text in drawing.facts)], drawing.figures, _panels(drawing))


def _panels(drawing: Drawing) -> Iterator[str]:
    for panel in drawing.panels:
        facts = [*panel.facts, *panel.hidden]
        said = [panel.score, *(f"{name}: {text}" for name, text in facts), panel.note]
        yield f"Seat {panel.seat}: " + " · ".join(part for part in said if part)


def _sheet(head: Iterable[str], figures: tuple[Figure, ...], foot: Iterable[str]) -> str:
    above, y = _lines(head, GAP)
    placed, y = _placed(figures, y)
    below, y = _lines(foot, y)
    return _whole([*above, *placed, *below], WIDTH, y + GAP)


def _lines(texts: Iterable[str], y: float) -> tuple[list[Markup], float]:
    """Return texts in lines no wider than the sheet, the first at this height, and the height after the last."""
    lines = [line for text in texts for line in WRAPPER.wrap(text)]
    labels = [label((GAP, y + LINE * (at + 0.5)), line, anchor="start") for at, line in enumerate(lines)]
    return labels, y + LINE * len(lines)


def _whole(pieces: list[Markup], width: float, height: float) -> str:
    return tag(
        "svg", Markup(f"<style>{resolved_style()}</style>"), rectangle((0, 0), width, height, "ground"), join(pieces),
        xmlns="http://www.w3.org/2000/svg", width=width, height=height, viewBox=f"0 0 {number(width)} {number(height)}",
        font_family="DejaVu Sans, Liberation Sans, Arial, sans-serif",
    )  # fmt: skip


def _placed(figures: tuple[Figure, ...], y: float) -> tuple[list[Markup], float]:
    """Return figures row by row, the first at this height, and the height after the last."""
    pieces: list[Markup] = []
    for row in _rows(figures):
        x, tallest = GAP, 0.0
        for figure, width in row:
            left, top, across, down = _box(figure)
            height = min(TALLEST, width * down / across)
            inside = figure.body[figure.body.index(">") + 1 :]
            box = " ".join(map(number, (left, top, across, down)))
            opening = f'<svg x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
            pieces.append(Markup(f'{opening} viewBox="{box}">{inside}'))  # our own figures
            pieces.append(label((x, y + height + LINE / 2), figure.caption, "label label-small", "start"))
            x += width + GAP
            tallest = max(tallest, height + LINE)
        y += tallest + GAP
    return pieces, y


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line beside the board of a card: its text, a number at its end, and the colour of a seat."""

    text: str
    figure: str = ""
    seat: Seat | None = None


def card(drawing: Drawing | None, title: str, lines: Sequence[CardLine]) -> str:
    """Return the preview of a link: the board, if there is one, and a few lines beside it."""
    width, height = CARD
    pieces: list[Markup] = []
    left = BESIDE
    # A plug-in game may have no board, only a table of its view.
    figures = () if drawing is None else tuple(each for each in drawing.figures if VIEW_BOX.search(each.body))
    if figures:
        placed, down = _placed(tuple(replace(figure, caption="") for figure in figures), 0.0)
        box = f"0 0 {number(WIDTH)} {number(down)}"
        place = {"x": GAP, "y": GAP, "width": BESIDE - 2 * GAP, "height": height - 2 * GAP}
        pieces.append(tag("svg", join(placed), **place, viewBox=box, preserveAspectRatio="xMidYMid meet"))
    else:
        left = 4 * GAP
    y = 5 * GAP
    room = int((width - left - GAP) / CARD_LETTER)
    for text in textwrap.wrap(title, room * 3 // 4, max_lines=3, placeholder=" …"):
        pieces.append(_words((left, y), text, 30, "bold"))
        y += 40
    y += 14
    for each in lines:
        if each.seat is not None:
            pieces.append(circle((left + 10, y), 10, f"piece seat-{each.seat % 5}"))
        taken = 2 + len(each.figure)
        text = each.text if len(each.text) + taken <= room else f"{each.text[: room - taken - 1]}…"
        pieces.append(_words((left + (28 if each.seat is not None else 0), y), text, 24))
        if each.figure:
            pieces.append(_words((width - GAP, y), each.figure, 24, "bold", "end"))
        y += 40
    pieces.append(_words((left, height - 2 * GAP), "Meistersinger", 24, "bold"))
    return _whole(pieces, width, height)


def _words(at: Point, text: str, size: int, weight: str = "normal", anchor: str = "start") -> Markup:
    return tag(
        "text", text, x=at[0], y=at[1], font_size=size, font_weight=weight, text_anchor=anchor,
        dominant_baseline="central", cls="ink",
    )  # fmt: skip


def _rows(figures: tuple[Figure, ...]) -> Iterator[list[tuple[Figure, float]]]:
    """Yield rows of figures with their widths, each row filled up."""
    row: list[tuple[Figure, float]] = []
    taken = 0
    for figure in figures:
        columns = COLUMNS[figure.size]
        if taken + columns > 12:
            yield row
            row, taken = [], 0
        row.append((figure, (WIDTH - GAP) * columns / 12 - GAP))
        taken += columns
    if row:
        yield row


def _box(figure: Figure) -> tuple[float, float, float, float]:
    found = VIEW_BOX.search(figure.body)
    assert found is not None, figure.caption
    left, top, width, height = map(float, found.groups())
    return left, top, width, height


@cache
def resolved_style() -> str:
    """Return the style of boards with every variable and mixture replaced by its colour."""
    text = re.sub(r"/\*.*?\*/", "", STYLE.read_text(encoding="utf-8"), flags=re.DOTALL)
    colours = dict(re.findall(r"(--[\w-]+): ([^;]+);", text))
    text = re.sub(r":root \{.*?\}", "", text, flags=re.DOTALL)
    text = re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], text)
    text = re.sub(r"color-mix\(in srgb, (#\w{6}) (\d+)%, (#\w{6})\)", _mixed, text)
    return f".ground {{ fill: {colours['--sheet']}; }}\n.ink {{ fill: {colours['--ink']}; }}\n{text.strip()}"


def _mixed(found: re.Match[str]) -> str:
    share = int(found[2]) / 100
    one, other = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (found[1], found[3]))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in zip(one, other, strict=True))
