"""The vector of one seat's views, kept from one observation to the next.

Most of a view is as it was when the seat was asked before, so only what differs is encoded. The code that compares two
views and writes the difference is compiled once per layout, as straight-line Python over the fields.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from arena.lab.arrays import Form, Layout, MisfitError, Row, Slot

Columns: TypeAlias = "array[float]"
Write: TypeAlias = Callable[[Any, Any, Columns, int], None]
"""Write into columns, from a first one on, in what a new value differs from an old one."""

MAX_KEPT = 1024  # encoded values of one field; the same ones recur often

# What a value without room or outside its range raises here; the layout itself then says what is wrong with it.
UNKNOWN = (KeyError, ValueError, BufferError, MisfitError)


class SeatVector:
    """The last view of a seat, and its vector."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._write = writer(layout.form)
        self._view: Any = None
        self._columns = array("f", bytes(4 * layout.width))
        self._vector: Row = np.frombuffer(self._columns, dtype=np.float32)  # the same memory

    def of(self, view: Any) -> Row:
        """Return the vector of the seat's next view, which changes with it; a MisfitError names what does not fit."""
        before, self._view = self._view, None  # so that nothing builds on a vector that is half written
        if before is None or not self._update(before, view):
            flat = self._layout.flat(view)
            self._vector[:] = 0
            self._layout.fill(self._vector[np.newaxis], [flat])
        self._view = view
        return self._vector

    def _update(self, before: Any, view: Any) -> bool:
        """Write what differs; return False if some of it does not fit."""
        try:
            self._write(before, view, self._columns, 0)
        except UNKNOWN:
            return False
        return True


class Encoded(dict[Any, Any]):
    """The columns of every value of one form, each encoded when it is first met."""

    def __init__(self, form: Form) -> None:
        self._form, self._layout = form, Layout(form, "value")

    def __missing__(self, value: Any) -> Columns:
        flat = self._form.flatten(value)
        if len(flat) != len(self._form.slots):
            raise MisfitError("a list is longer than declared")
        if len(self) >= MAX_KEPT:
            self.clear()
        made = self[value] = array("f", self._layout.rows([flat])[0].tobytes())
        return made


class Numbers(dict[Any, float]):
    """The column of every number of one range, and of None where it may be absent."""

    def __init__(self, slot: Slot) -> None:
        form = Form((slot,), lambda value: (value,), lambda flat: flat[0])
        self._layout, self._absent = Layout(form, "number"), not slot.is_certain

    def __missing__(self, value: Any) -> float:
        if value is None and self._absent:
            return 0.0
        made = float(self._layout.rows([[int(value)]])[0, 0])
        if len(self) >= 4 * MAX_KEPT:
            self.clear()
        self[value] = made
        return made


def one_hot(form: Form) -> dict[int, Columns]:
    """Return the columns of every member of an enum, and of None, by their ids: they are never let go."""
    width = len(form.members)
    made = {id(None): array("f", bytes(4 * width))}
    for place, member in enumerate(form.members):
        made[id(member)] = array("f", [float(each == place) for each in range(width)])
    return made


def writer(form: Form) -> Write:
    """Return the function that writes the differences of one form."""
    if form.fields:
        return _of_fields(form)
    if form.item is not None:
        of_list = _of_numbers if form.item.is_number else _of_members if form.item.members else _of_list
        return of_list(form, form.item)
    if form.present is not None and form.present.fields:
        return _of_optional(form, form.present)
    return _of_whole(form)


def _of_fields(form: Form) -> Write:
    """Compare field by field; numbers and enums are written in place."""
    scope: dict[str, Any] = {}
    lines, at = ["def write(old, new, columns, first):"], 0
    for number, (name, field) in enumerate(form.fields):
        lines.append(f"    a = old.{name}; b = new.{name}")
        inner = field.present or field
        is_plain = len(inner.slots) == len(field.slots) == 1
        if is_plain and inner.is_number:
            scope[f"of_{number}"] = Numbers(inner.slots[0])
            lines.append(f"    if b != a: columns[first + {at}] = of_{number}[b]")
        elif is_plain and inner.members:
            scope[f"of_{number}"] = one_hot(inner)
            lines.append(f"    if b is not a: columns[first + {at}:first + {at + field.width}] = of_{number}[id(b)]")
        else:
            scope[f"of_{number}"] = writer(field)
            lines.append(f"    if b is not a and b != a: of_{number}(a, b, columns, first + {at})")
        at += field.width
    exec("\n".join(lines), scope)  # made of the names of our own fields
    write: Write = scope["write"]
    return write


def _of_whole(form: Form) -> Write:
    """Write the whole value."""
    encoded, width = Encoded(form), form.width

    def write(_old: Any, new: Any, columns: Columns, first: int) -> None:
        columns[first : first + width] = encoded[new]

    return write


def _of_optional(form: Form, present: Form) -> Write:
    """Write the whole value where it appears or goes, and else in what it differs."""
    whole, inner, lead = _of_whole(form), writer(present), form.width - present.width

    def write(old: Any, new: Any, columns: Columns, first: int) -> None:
        if old is None or new is None:
            whole(old, new, columns, first)
        else:
            inner(old, new, columns, first + lead)

    return write


def _of_numbers(form: Form, item: Form) -> Write:
    """Write the items of a list of numbers that differ."""
    counts, numbers = Numbers(form.slots[0]), Numbers(item.slots[0])
    nothing = array("f", bytes(4 * (form.width - 1)))

    def write(old: Any, new: Any, columns: Columns, first: int) -> None:
        count, before = len(new), len(old)
        if count != before:
            columns[first] = counts[count]  # which refuses a list that is too long
        for was, now in zip(old, new, strict=False):
            first += 1
            if was is not now:
                columns[first] = numbers[now]
        if count > before:
            for now in new[before:]:
                first += 1
                columns[first] = numbers[now]
        elif count < before:
            columns[first + 1 : first + 1 + before - count] = nothing[: before - count]

    return write


def _of_members(form: Form, item: Form) -> Write:
    """Write the items of a list of enums that differ."""
    counts, hot, width = Numbers(form.slots[0]), one_hot(item), item.width
    nothing = array("f", bytes(4 * (form.width - 1)))

    def write(old: Any, new: Any, columns: Columns, first: int) -> None:
        count, before = len(new), len(old)
        if count != before:
            columns[first] = counts[count]
        first += 1
        for was, now in zip(old, new, strict=False):
            if was is not now:
                columns[first : first + width] = hot[id(now)]
            first += width
        if count > before:
            for now in new[before:]:
                columns[first : first + width] = hot[id(now)]
                first += width
        elif count < before:
            columns[first : first + width * (before - count)] = nothing[: width * (before - count)]

    return write


def _of_list(form: Form, item: Form) -> Write:
    """Compare item by item; items beyond the shorter list are written whole."""
    counts, encoded, inner, width = Numbers(form.slots[0]), Encoded(item), writer(item), item.width
    nothing = array("f", bytes(4 * width))

    def write(old: Any, new: Any, columns: Columns, first: int) -> None:
        count, before = len(new), len(old)
        if count != before:
            columns[first] = counts[count]
        first += 1
        for was, now in zip(old, new, strict=False):
            if was is not now and was != now:
                inner(was, now, columns, first)
            first += width
        for now in new[before:]:
            columns[first : first + width] = encoded[now]
            first += width
        for _ in range(before - count):
            columns[first : first + width] = nothing
            first += width

    return write
