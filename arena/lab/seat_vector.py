"""The vector of one seat's views, kept from one observation to the next.

Most of a view is as it was when the seat was asked before, so only what differs is encoded. The code that compares two
views and writes the difference is compiled once per layout, as straight-line Python over the fields.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache
from itertools import compress
from operator import is_not
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from arena.lab.arrays import ArrayForm, Layout, MisfitError, Row, VectorSlot
from referee.game import Within

Columns: TypeAlias = "array[float]"


class ColumnWriter(NamedTuple):
    """Two functions that write values of one form into columns, from a first one on."""

    change: Callable[[Any, Any, Columns, int], None]
    """Write in what a new value differs from the old one that stands there."""
    place: Callable[[Any, Columns, int], None]
    """Write a whole value where any other stands."""


MAX_KEPT = 1024  # encoded values of one field; the same ones recur often

# What a value without room or outside its range raises here; the layout itself then says what is wrong with it.
UNKNOWN = (KeyError, ValueError, BufferError, MisfitError)


class SeatVector:
    """The last view of a seat, and its vector; the seats of one table share what was compiled for one of them."""

    def __init__(self, layout: Layout, alike: SeatVector | None = None) -> None:
        self._layout = layout
        self._writer: ColumnWriter = writer(layout.form) if alike is None else alike._writer
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
            self._writer.change(before, view, self._columns, 0)
        except UNKNOWN:
            return False
        return True


class Encoded(dict[Any, Any]):
    """The columns of every value of one form, each encoded when it is first met."""

    def __init__(self, form: ArrayForm) -> None:
        self._form, self._layout = form, Layout(form, "value")

    def __missing__(self, value: Any) -> Columns:
        flat = self._form.flatten(value)
        if len(flat) != len(self._form.slots):
            raise MisfitError("a list is longer than declared")
        if len(self) >= MAX_KEPT:
            self.clear()
        made = self[value] = array("f", self._layout.rows([flat])[0].tobytes())
        return made


class NumberColumns(dict[Any, float]):
    """The column of every number of one range, and of None where it may be absent."""

    def __init__(self, within: Within, is_certain: bool) -> None:
        slot = VectorSlot("number", within, (), is_certain)
        self._layout = Layout(ArrayForm((slot,), lambda value: (value,), lambda flat: flat[0]), "number")
        if not is_certain:
            self[None] = 0.0
        if within.most - within.least < MAX_KEPT:
            numbers = range(within.least, within.most + 1)
            self.update(zip(numbers, self._layout.rows([[number] for number in numbers])[:, 0].tolist(), strict=True))

    def __missing__(self, value: Any) -> float:
        if value is None:
            raise MisfitError("nothing where a number is expected")
        made = float(self._layout.rows([[int(value)]])[0, 0])
        if len(self) < 4 * MAX_KEPT:  # beyond, it is a range of which no number recurs often
            self[value] = made
        return made


@cache
def numbers_of(within: Within, is_certain: bool) -> NumberColumns:
    """Return the columns of one range, which all its fields share."""
    return NumberColumns(within, is_certain)


def numbers_in(slot: VectorSlot) -> NumberColumns:
    """Return the columns of a slot's range."""
    return numbers_of(slot.within, slot.is_certain)


def one_hot(form: ArrayForm) -> dict[int, Columns]:
    """Return the columns of every member of an enum, and of None, by their ids: they are never let go."""
    made = {id(None): zeros(len(form.members))}
    for place, member in enumerate(form.members):
        made[id(member)] = array("f", [float(each == place) for each in range(len(form.members))])
    return made


def zeros(width: int) -> Columns:
    """Return columns of an absent value."""
    return array("f", bytes(4 * width))


def write(columns: Columns, first: int, new: Columns) -> None:
    """Write over columns from a first one on."""
    if new:  # an array whose memory is shared refuses to write nothing, as if that changed its size
        columns[first : first + len(new)] = new


def writer(form: ArrayForm) -> ColumnWriter:
    """Return the functions that write one form."""
    if form.fields:
        return _of_fields(form)
    if form.item is not None:
        of_list = _of_numbers if form.item.is_number else _of_members if form.item.members else _of_list
        return of_list(form, form.item)
    if form.present is not None and form.present.fields:
        return _of_optional(form, form.present)
    return _of_whole(form)


def _of_fields(form: ArrayForm) -> ColumnWriter:
    """Compare field by field; numbers and enums are written in place."""
    scope: dict[str, Any] = {"compress": compress, "is_not": is_not}
    change, place = ["def change(old, new, columns, first):"], ["def place(new, columns, first):"]
    at = 0
    for number, (name, field) in enumerate(form.fields):
        change.append(f"    a = old.{name}; b = new.{name}")
        inner = field.present or field
        is_plain = len(inner.slots) == len(field.slots) == 1
        if is_plain and inner.is_number:
            scope[f"of_{number}"] = numbers_in(inner.slots[0])
            change.append(f"    if b != a: columns[first + {at}] = of_{number}[b]")
            place.append(f"    columns[first + {at}] = of_{number}[new.{name}]")
        elif is_plain and inner.members:
            scope[f"of_{number}"] = one_hot(inner)
            columns = f"columns[first + {at}:first + {at + field.width}]"
            change.append(f"    if b is not a: {columns} = of_{number}[id(b)]")
            place.append(f"    {columns} = of_{number}[id(new.{name})]")
        else:
            scope[f"change_{number}"], scope[f"place_{number}"] = writer(field)
            # A list of values with fields is compared field by field; comparing it as a whole would do that twice.
            differs = "b is not a" if field.item is not None and field.item.fields else "b is not a and b != a"
            change.append(f"    if {differs}:")
            call = f"change_{number}(a, b, columns, first + {at})"
            if field.item is not None and field.item.is_number:
                # Most lists of numbers keep their length, and calling a function for them takes as long again.
                scope[f"of_{number}"] = numbers_in(field.item.slots[0])
                changed = f"compress(enumerate(b, first + {at + 1}), map(is_not, a, b))"
                change.append("        if len(a) == len(b):")
                change.append(f"            for place, now in {changed}: columns[place] = of_{number}[now]")
                change.append(f"        else: {call}")
            else:
                change.append(f"        {call}")
            place.append(f"    place_{number}(new.{name}, columns, first + {at})")
        at += field.width
    exec("\n".join((*change, *place)), scope)  # made of the names of our own fields
    return ColumnWriter(scope["change"], scope["place"])


def _of_whole(form: ArrayForm) -> ColumnWriter:
    """Write the whole value."""
    encoded = Encoded(form)

    def place(new: Any, columns: Columns, first: int) -> None:
        write(columns, first, encoded[new])

    return ColumnWriter(lambda _old, new, columns, first: place(new, columns, first), place)


def _of_optional(form: ArrayForm, present: ArrayForm) -> ColumnWriter:
    """Write the whole value where it appears or goes, and else in what it differs."""
    inner, lead, nothing = writer(present), form.width - present.width, zeros(present.width)
    is_there = numbers_in(form.slots[0])

    def place(new: Any, columns: Columns, first: int) -> None:
        if lead:
            columns[first] = is_there[int(new is not None)]
        if new is None:
            write(columns, first + lead, nothing)
        else:
            inner.place(new, columns, first + lead)

    def change(old: Any, new: Any, columns: Columns, first: int) -> None:
        if old is None or new is None:
            place(new, columns, first)
        else:
            inner.change(old, new, columns, first + lead)

    return ColumnWriter(change, place)


def _of_numbers(form: ArrayForm, item: ArrayForm) -> ColumnWriter:
    """Write the items of a list of numbers that differ."""
    counts, numbers = numbers_in(form.slots[0]), numbers_in(item.slots[0])
    nothing = zeros(form.width - 1)

    def change(old: Any, new: Any, columns: Columns, first: int) -> None:
        count, before = len(new), len(old)
        if count != before:
            columns[first] = counts[count]  # which refuses a list that is too long
        first += 1
        if count <= before or new[:before] != old:  # most lists only grow
            for at, now in compress(enumerate(new, first), map(is_not, old, new)):
                columns[at] = numbers[now]
        if count > before:
            for at, now in enumerate(new[before:], first + before):
                columns[at] = numbers[now]
        elif count < before:
            write(columns, first + count, nothing[: before - count])

    def place(new: Any, columns: Columns, first: int) -> None:
        columns[first] = counts[len(new)]
        first += 1
        for now in new:
            columns[first] = numbers[now]
            first += 1
        write(columns, first, nothing[len(new) :])

    return ColumnWriter(change, place)


def _of_members(form: ArrayForm, item: ArrayForm) -> ColumnWriter:
    """Write the items of a list of enums that differ."""
    hot, width = one_hot(item), item.width

    def place(new: Any, columns: Columns, first: int) -> None:
        columns[first : first + width] = hot[id(new)]

    def change(old: Any, new: Any, columns: Columns, first: int) -> None:
        if old is not new:
            columns[first : first + width] = hot[id(new)]

    return _items(form, item, ColumnWriter(change, place))


def _of_list(form: ArrayForm, item: ArrayForm) -> ColumnWriter:
    """Write the items of a list of values that differ."""
    inner = writer(item)
    if item.fields:
        return _items(form, item, inner)

    def change(old: Any, new: Any, columns: Columns, first: int) -> None:
        if old is not new and old != new:
            inner.change(old, new, columns, first)

    return _items(form, item, ColumnWriter(change, inner.place))


def _items(form: ArrayForm, item: ArrayForm, inner: ColumnWriter) -> ColumnWriter:
    """Write a list item by item; items beyond the shorter list are written whole."""
    counts, width, nothing = numbers_in(form.slots[0]), item.width, zeros(form.width - 1)
    change_item, place_item = inner

    def change(old: Any, new: Any, columns: Columns, first: int) -> None:
        count, before = len(new), len(old)
        if count != before:
            columns[first] = counts[count]
        first += 1
        if count <= before or new[:before] != old:
            for was, now in zip(old, new, strict=False):
                change_item(was, now, columns, first)
                first += width
        else:
            first += width * before
        for now in new[before:]:
            place_item(now, columns, first)
            first += width
        if count < before:
            write(columns, first, nothing[: width * (before - count)])

    def place(new: Any, columns: Columns, first: int) -> None:
        columns[first] = counts[len(new)]
        first += 1
        for now in new:
            place_item(now, columns, first)
            first += width
        write(columns, first, nothing[width * len(new) :])

    return ColumnWriter(change, place)
