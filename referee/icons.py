"""Icons for goods, resources and terrains: a few own shapes in a box of 16 by 16 around the origin.

They are drawn on boards and beside words, so that no good is known by its colour alone.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup, escape

from referee.markup import Point, moved, number, tag

ICONS: dict[str, str] = {
    # Nürnberg: resources
    "wood": "M-7 3h11a3 3 0 0 1 0 5h-11zM-7 -3h9v5h-9zM-5 -8h10a2.500 2.500 0 0 1 0 4h-10z",
    "brick": "M-8 1h7v6h-7zM1 1h7v6h-7zM-4 -6h8v6h-8z",
    "wool": "M-6 4a4 4 0 0 1 -1-6a4 4 0 0 1 5-4a4 4 0 0 1 7 1a4 4 0 0 1 2 6a4 4 0 0 1-5 4v3h-2v-2h-4v2h-2z",
    "grain": "M-1 8v-9q-5 0-5-5q5 0 6 4q1-4 6-4q0 5-5 5v9zM-3 -5q0-3 3-4q3 1 3 4q-2 0-3 2q-1-2-3-2z",
    "ore": "M-8 5l3-8l4-3l6 1l3 5l-2 6z",
    "gold": "M0 -7a7 7 0 1 0 .1 0zM-2 -3h4v6h-4z",
    # Norenberc: goods
    "beer": "M-6 -5h9v12h-9zM3 -2h4v6h-4v-2h2v-2h-2zM-6 -8h9v2h-9z",
    "cakes": "M-7 -1a7 6 0 0 1 14 0zM-6 1h12l-2 7h-8z",
    "shoes": "M-6 -7h5v7l8 3q1 2 0 5h-13z",
    "pages": "M-5 -8h7l4 4v12h-11zM-3 -2v1.500h6v-1.500zM-3 2v1.500h6v-1.500z",
    "cloth": "M-3 -7h6l5 3l-2 4l-2-1v8h-8v-8l-2 1l-2-4z",
    "swords": "M-1 -8h2l1 2v8h3v2h-4v4h-2v-4h-4v-2h3v-8z",
    # Fürstenfeld: goods
    "hops": "M0 -8l4 4l-1 2l3 2l-2 3l-4 5l-4-5l-2-3l3-2l-1-2z",
    "barley": "M-1 8v-6l-4-3v-3l4 2v-2l-4-3v-3l5 4l5-4v3l-4 3v2l4-2v3l-4 3v6z",
    "water": "M0 -8q6 7 6 10a6 6 0 0 1-12 0q0-3 6-10z",
    # Carcassonne: markets
    "fish": "M-8 -4l4 3q4-5 9-2l3 3l-3 3q-5 3-9-2l-4 3z",
    "livestock": "M-7 -5l3 1h8l3-3v4l-2 3v7h-2v-5h-6v5h-2v-7l-2-1z",
    # Coins and cards
    "coins": "M-7 4h14v4h-14zM-6 -1h14v4h-14zM-7 -6h14v4h-14z",
    "palace": "M-8 8v-12h3v3h3v-6h4v6h3v-3h3v12zM-1 8v-4h2v4z",
    "building": "M-7 8v-8l7-7l7 7v8z",
}
SYNONYMS = {"talers": "coins", "taler": "coins", "coin": "coins", "money": "coins"}
COUNTED = re.compile(rf"(\d+) ({'|'.join(sorted([*ICONS, *SYNONYMS], key=len, reverse=True))})\b")


def icon(name: str, at: Point, size: float) -> Markup:
    """Draw an icon on a board."""
    scale = number(size / 16) if size >= 16 else f"{size / 16:.2f}"
    return tag("path", d=ICONS[name], cls=f"icon icon-{name}", transform=f"{moved(at)} scale({scale})")


@cache
def inline(name: str) -> Markup:
    """Return an icon to stand before its word in a line of text, where it says nothing more."""
    path = tag("path", d=ICONS[SYNONYMS.get(name, name)])
    return tag("svg", path, viewBox="-8 -8 16 16", cls=f"glyph icon-{name}", aria_hidden="true")


def with_icons(text: str) -> Markup:
    """Put an icon before every amount of a known good in a text, which is escaped."""
    made, end = Markup(), 0
    for found in COUNTED.finditer(text):
        made += escape(text[end : found.start()]) + inline(found[2]) + found[0]
        end = found.end()
    return made + escape(text[end:])
