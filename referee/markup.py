"""Markup made in Python: SVG and small pieces of HTML, with all text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

Point = tuple[float, float]
Attribute = str | float | None


def tag(name: str, *children: str, **attributes: Attribute) -> Markup:
    """Return an element; plain strings inside it are escaped, `cls` stands for class and `_` for `-`."""
    written = "".join(
        f' {_attribute_name(key)}="{escape(number(value) if isinstance(value, float) else value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return Markup(f"<{name}{written}/>" if name in VOID else f"<{name}{written}></{name}>")
    return Markup(f"<{name}{written}>{''.join(map(escape, children))}</{name}>")


VOID = frozenset({"circle", "line", "path", "polygon", "polyline", "rect", "use", "img", "br"})


def _attribute_name(key: str) -> str:
    return "class" if key == "cls" else key.replace("_", "-")


def number(value: float) -> str:
    """Return a coordinate with no more digits than a screen can show."""
    return f"{value:.1f}".removesuffix(".0")


def join(pieces: Iterable[str]) -> Markup:
    """Concatenate pieces."""
    return Markup("").join(pieces)


def points(corners: Iterable[Point]) -> str:
    """Return corners as SVG writes them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def polygon(corners: Iterable[Point], cls: str, *children: str) -> Markup:
    """Return a closed shape."""
    return tag("polygon", *children, points=points(corners), cls=cls)


def line(start: Point, end: Point, cls: str) -> Markup:
    """Return a straight line."""
    return tag("line", x1=float(start[0]), y1=float(start[1]), x2=float(end[0]), y2=float(end[1]), cls=cls)


def circle(centre: Point, radius: float, cls: str, *children: str) -> Markup:
    """Return a circle."""
    return tag("circle", *children, cx=float(centre[0]), cy=float(centre[1]), r=float(radius), cls=cls)


def rectangle(corner: Point, width: float, height: float, cls: str, *children: str, radius: float = 0) -> Markup:
    """Return an upright rectangle by its upper left corner."""
    return tag(
        "rect", *children, x=float(corner[0]), y=float(corner[1]), width=float(width), height=float(height),
        rx=float(radius) if radius else None, cls=cls,
    )  # fmt: skip


def label(at: Point, words: object, cls: str = "label", anchor: str = "middle") -> Markup:
    """Return text whose middle line runs through a point."""
    return tag(
        "text", str(words), x=float(at[0]), y=float(at[1]), cls=cls, text_anchor=anchor, dominant_baseline="central"
    )


def title(words: str) -> Markup:
    """Return the tooltip of the shape around it, which screen readers read too."""
    return tag("title", words)


def group(pieces: Sequence[str], cls: str | None = None, transform: str | None = None) -> Markup:
    """Return pieces that belong together."""
    return tag("g", *pieces, cls=cls, transform=transform)


def piece(name: str, pieces: Sequence[str], at: Point | None = None) -> Markup:
    """Return what keeps its identity from one position to the next, drawn around the origin if `at` is given.

    The name is unique in a position; a page animates a piece that is elsewhere and marks one that is new.
    """
    return tag("g", *pieces, id=f"piece-{name}", transform=None if at is None else moved(at))


def moved(at: Point) -> str:
    """Return the transformation that puts the origin somewhere."""
    return f"translate({number(float(at[0]))} {number(float(at[1]))})"


def place(names: Sequence[str], pieces: Sequence[str]) -> Markup:
    """Return what the words of a game call by a name, such as a site or a corner."""
    return tag("g", *pieces, data_place="|".join(names))


def seat_label(at: Point, seat: int, cls: str = "") -> Markup:
    """Return the number of a seat on one of its pieces: colour alone never says whose it is."""
    return label(at, seat, f"seat-number seat-ink-{seat % 5} {cls}".strip())


def picture(
    box: tuple[float, float, float, float],
    pieces: Sequence[str],
    about: str,
    cls: str = "board",
    *,
    is_interactive: bool = False,
) -> Markup:
    """Return a whole SVG; `box` is left, top, width and height, `about` its text for screen readers.

    An interactive one is a group, because an image would hide its links from them.
    """
    return tag(
        "svg", title(about), *pieces, viewBox=" ".join(number(float(side)) for side in box), cls=cls,
        role="group" if is_interactive else "img", aria_label=about if is_interactive else None,
        width=float(box[2]), height=float(box[3]), xmlns="http://www.w3.org/2000/svg",
    )  # fmt: skip
