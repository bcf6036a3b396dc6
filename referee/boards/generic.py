"""Any game: its view as a plain table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from referee.drawing import Drawing, Figure, Panel
from referee.game import Seat
from referee.markup import join, tag
from referee.values import is_value_type, names_of


def shown(value: Any) -> str:
    """Return any value of a view in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return value.name.lower().replace("_", " ")
    if value is None or value == ():
        return "–"
    if isinstance(value, tuple | list):
        return ", ".join(shown(each) for each in value)
    if is_value_type(type(value)):
        return "; ".join(f"{name} {shown(getattr(value, name))}" for name in names_of(type(value)))
    return str(value)


def shown_fields(view: Any) -> list[tuple[str, str]]:
    """Return the fields of a view in words."""
    return [(name.replace("_", " "), shown(getattr(view, name))) for name in names_of(type(view))]


def draw(view: Any, seats: Mapping[Seat, Any], seat_count: int) -> Drawing:
    """Draw a position as a table; differences in a seat's own view are in its panel."""
    rows = [tag("tr", tag("th", name, scope="row"), tag("td", text)) for name, text in shown_fields(view)]
    table = tag("table", tag("caption", "What the view says"), tag("tbody", join(rows)), cls="plain")
    public = set(shown_fields(view))
    panels = []
    for seat in range(seat_count):
        own = shown_fields(seats[seat]) if seat in seats else []
        panels.append(Panel(seat, (), tuple(pair for pair in own if pair not in public)))
    return Drawing((Figure("The table", table),), (), tuple(panels))
