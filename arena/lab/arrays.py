"""Arrays: game values as vectors of numbers with named columns, compiled once from the declared types.

    layout = view_layout(game, seats=4)
    vector = layout.array(view)          # float32, one number for each of layout.columns
    view == layout.value(vector)         # nothing is lost

A value is first flattened, as the codec would walk it: one integer per *slot*. Slots become columns:

- an enum, and the choice of a union, is one-hot: one column per member;
- an integer is scaled to 0 … 1 by its declared range, by its logarithm if the range is wider than `LINEAR`;
- a list is padded to its declared length, with its actual length in a column `count`;
- absent values (the end of a list, None, the fields of another member) are 0 in all their columns, and present ones
  are not: the smallest number of a range is then a little above 0;
- free text is represented by `TEXT_BITS` bits of its hash, the only encoding that cannot be reversed.

A number without a declared range is taken for a 32-bit one: its logarithm is encoded, above or below the
middle of 0 … 1 by its sign, exact up to about 100,000. A list without a declared length gets twice the length
needed in some played matches. A value that does not fit is an error, never truncated.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.lab.survey import longest_lists
from referee.game import AnyGame, Within
from referee.message_names import snake
from referee.ranges import Declared, fields_of, longest, union_members

LINEAR = 256  # the widest range that is scaled linearly
TEXT_BITS = 16
ABSENT = -(1 << 40)  # in a slot: outside the range of every game
INT32 = Within(-(1 << 31), (1 << 31) - 1)
FREE_ZERO = 32  # above the logarithm of any such number: zero lies in the middle, absence at 0

Row = NDArray[np.float32]


class MisfitError(ValueError):
    """A value does not fit its columns: it violates a range or length that the game declares."""


@dataclass(frozen=True, slots=True)
class VectorSlot:
    """One integer of a flat value: its range or, for an enum, its members."""

    name: str
    within: Within
    members: tuple[str, ...] = ()
    is_certain: bool = True
    """Whether it is present in every value; otherwise 0 stands for absence."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of its columns: one for every member, or one for the number."""
        return tuple(f"{self.name}={member}" for member in self.members) if self.members else (self.name,)

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.members) or 1


@dataclass(frozen=True, slots=True)
class ArrayForm:
    """How one type is flattened and read back."""

    slots: tuple[VectorSlot, ...]
    flatten: Callable[[Any], Sequence[int]]
    restore: Callable[[Sequence[int]], Any]
    """The flattened type; None where all of it is absent."""
    fields: tuple[tuple[str, ArrayForm], ...] = ()
    """Of a dataclass: the name and form of every field."""
    members: tuple[Any, ...] = ()
    """Of an enum: its members."""
    item: ArrayForm | None = None
    """Of a list: the form of an item."""
    present: ArrayForm | None = None
    """Of an optional value: its form where there is one, which takes the last slots."""

    @property
    def absent(self) -> tuple[int, ...]:
        """Return what its slots hold where there is no value."""
        return (ABSENT,) * len(self.slots)

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return sum(slot.width for slot in self.slots)

    @property
    def is_number(self) -> bool:
        """Return whether it is a single number or bool."""
        return self.flatten is _single


class Layout:
    """The columns of one type at one table, and the conversion both ways."""

    def __init__(self, form: ArrayForm, what: str) -> None:
        self.form, self._what = form, what
        slots = form.slots
        self.columns: tuple[str, ...] = tuple(column for slot in slots for column in slot.columns)
        """The column names, such as `talers[2]` or `phase=PLAN`."""
        firsts = np.cumsum([0, *(len(slot.columns) for slot in slots)])[:-1]
        hot = np.array([bool(slot.members) for slot in slots], dtype=bool)
        self._low = np.array([slot.within.least for slot in slots], dtype=np.int64)
        self._high = np.array([slot.within.most for slot in slots], dtype=np.int64)
        self._is_certain = np.array([slot.is_certain for slot in slots], dtype=bool)
        self._least = np.where(self._is_certain, self._low, self._low - 1)  # where absence is encoded as well
        self._hot_slots, self._number_slots = np.flatnonzero(hot), np.flatnonzero(~hot)
        self._hot_firsts, self._number_columns = firsts[hot], firsts[~hot]
        least, spans = self._least[~hot], (self._high - self._least)[~hot]
        self._number_least = least.astype(np.float64)
        wide = spans >= LINEAR
        free = spans > INT32.most
        self._wide, self._free = np.flatnonzero(wide & ~free), np.flatnonzero(free)
        self._factor = np.where(wide, 1 / np.log2(1.0 + np.maximum(spans, 1)), 1 / np.maximum(spans, 1))
        self._factor[free] = 1 / (2 * FREE_ZERO)

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.columns)

    def flat(self, value: Any) -> Sequence[int]:
        """Return a value as one integer per slot; a MisfitError names a list that is too long."""
        flat = self.form.flatten(value)
        if len(flat) != len(self._low):
            raise MisfitError(f"{self._what}: a list is longer than declared: {_longest(value)}")
        return flat

    def array(self, value: Any) -> Row:
        """Return a value as a vector; a MisfitError names the column that does not fit."""
        row: Row = self.rows([self.flat(value)])[0]
        return row

    def rows(self, flats: Sequence[Sequence[int]]) -> Row:
        """Return flat values as matrix rows."""
        made = np.zeros((len(flats), self.width), dtype=np.float32)
        self.fill(made, flats)
        return made

    def fill(self, rows: Row, flats: Sequence[Sequence[int]]) -> None:
        """Write flat values into rows of zeros."""
        if not flats:
            return
        raw = np.array(flats, dtype=np.int64)
        absent = raw == ABSENT
        misfits = (raw < self._low) & ~absent | (raw > self._high) | absent & self._is_certain
        if misfits.any():
            raise MisfitError(self._misfit(raw, misfits))
        raw = np.where(absent, self._least, raw)
        numbers = raw[:, self._number_slots] - self._number_least
        if len(self._wide):
            numbers[:, self._wide] = np.log2(1.0 + numbers[:, self._wide])
        if len(self._free):
            free = raw[:, self._number_slots[self._free]]
            scaled = FREE_ZERO + np.sign(free) * np.log2(1.0 + np.abs(free))
            numbers[:, self._free] = np.where(free < INT32.least, 0.0, scaled)
        rows[:, self._number_columns] = numbers * self._factor
        if len(self._hot_slots):
            members = raw[:, self._hot_slots]
            row, slot = np.nonzero(members >= 0)
            rows[row, self._hot_firsts[slot] + members[row, slot]] = 1

    def value(self, row: Row) -> Any:
        """Return the value that a vector encodes."""
        raw = np.empty(len(self._low), dtype=np.int64)
        numbers = row[self._number_columns].astype(np.float64) / self._factor
        numbers[self._wide] = np.exp2(numbers[self._wide]) - 1
        raw[self._number_slots] = np.rint(numbers + self._number_least)
        free = numbers[self._free]
        size = np.exp2(np.abs(free - FREE_ZERO)) - 1
        read = np.where(free == 0, INT32.least - 1, np.rint(np.sign(free - FREE_ZERO) * size))
        raw[self._number_slots[self._free]] = read
        for slot, first in zip(self._hot_slots, self._hot_firsts, strict=True):
            (chosen,) = np.nonzero(row[first : first + len(self.form.slots[slot].members)])
            raw[slot] = chosen[0] if len(chosen) else -1
        raw[(raw < self._low) & ~self._is_certain] = ABSENT
        return self.form.restore(raw.tolist())

    def _misfit(self, raw: NDArray[np.int64], misfits: NDArray[np.bool_]) -> str:
        row, place = np.argwhere(misfits)[0]
        slot = self.form.slots[place]
        expected = f"expected {slot.within.least} to {slot.within.most}"
        return f"{self._what}: {slot.name} is {raw[row, place]}; {expected}"


def view_layout(game: AnyGame, seats: int, options: Any = None) -> Layout:
    """Return the layout of a game's views at a table of a given size."""
    compiler = _FormCompiler(game, seats, options)
    return Layout(compiler.dataclass(game.types.view, "", is_certain=True), f"{game.slug}: view")


def action_layout(game: AnyGame, seats: int, options: Any = None) -> Layout:
    """Return the layout of a game's actions at a table of a given size."""
    compiler = _FormCompiler(game, seats, options)
    return Layout(compiler.union(game.types.action, "", is_certain=True), f"{game.slug}: option")


def _longest(value: Any) -> str:
    """Name the lists of a value with their lengths, the longest first."""
    kind: Any = type(value)
    lists = [
        (len(content), name) for name, field in fields_of(kind) if field.is_list and (content := getattr(value, name))
    ]
    return ", ".join(f"{name} has {length}" for length, name in sorted(lists, reverse=True)[:3])


class _FormCompiler:
    """Compiles the form of every type reachable from a game's values."""

    def __init__(self, game: AnyGame, seats: int, options: Any) -> None:
        self._game, self._seats, self._options = game, seats, options
        self._path: list[Any] = []

    def _length(self, kind: Any, name: str, field: Declared) -> int:
        if field.at_most is not None:
            return longest(field.at_most, self._seats)
        game: Any = self._game
        options = game.options({}) if self._options is None else self._options
        return longest_lists(game, self._seats, options).get(f"{kind.__name__}.{name}", 0)

    def dataclass(self, kind: Any, prefix: str, *, is_certain: bool) -> ArrayForm:
        """Lay out the fields of a dataclass one after another."""
        if kind in self._path:
            raise TypeError(f"{kind.__name__} is recursive, which an array cannot represent")
        self._path.append(kind)
        parts = []
        for name, field in fields_of(kind):
            part = self._field(kind, name, field, f"{prefix}{name}", is_certain=is_certain)
            parts.append((name, part))
        self._path.pop()
        scope: dict[str, Any] = {f"f_{name}": part.flatten for name, part in parts}
        # Straight-line Python, like the codec's: a view has dozens of fields, and every decision needs one.
        source = ", ".join(f"v.{name}" if part.flatten is _single else f"*f_{name}(v.{name})" for name, part in parts)
        exec(f"def flatten(v): return [{source}]", scope)  # made of the names of our own fields
        stops = np.cumsum([0, *(len(part.slots) for _, part in parts)]).tolist()

        def restore(flat: Sequence[int]) -> Any:
            return kind(
                **{
                    name: part.restore(flat[start:stop])
                    for (name, part), start, stop in zip(parts, stops, stops[1:], strict=False)
                }
            )

        slots = tuple(slot for _, part in parts for slot in part.slots)
        return ArrayForm(slots, scope["flatten"], restore, fields=tuple(parts))

    def _field(self, kind: Any, name: str, field: Declared, label: str, *, is_certain: bool) -> ArrayForm:
        if field.is_list:
            return self._list(field, label, self._length(kind, name, field), is_certain=is_certain)
        if not field.is_optional:
            return self._one(field, label, is_certain=is_certain)
        one = self._one(field, label, is_certain=False)
        if one.slots and (len(one.slots) == 1 or not dataclasses.is_dataclass(field.value)):
            lead: tuple[VectorSlot, ...] = ()  # its first slot already encodes presence
        else:
            lead = (VectorSlot(f"{label}.is_there", Within(0, 1), is_certain=is_certain),)
        absent = (*(0 for _ in lead), *one.absent)
        there = tuple(1 for _ in lead)

        def flatten(value: Any) -> Sequence[int]:
            return absent if value is None else (*there, *one.flatten(value))

        def restore(flat: Sequence[int]) -> Any:
            is_absent = flat[0] != 1 if lead else flat[0] == ABSENT
            return None if is_absent else one.restore(flat[len(lead) :])

        return ArrayForm((*lead, *one.slots), flatten, restore, present=one)

    def _list(self, field: Declared, label: str, length: int, *, is_certain: bool) -> ArrayForm:
        items = [self._one(field, f"{label}[{place}]", is_certain=False) for place in range(length)]
        count = VectorSlot(f"{label}.count", Within(0, length), is_certain=is_certain)
        width = len(items[0].slots) if items else 1
        padding = tuple(code for item in items for code in item.absent)
        flatten_item = items[0].flatten if items else _single

        if items and flatten_item is _single:

            def flatten(values: Any) -> Sequence[int]:
                return (len(values), *values, *padding[len(values) :])
        else:

            def flatten(values: Any) -> Sequence[int]:
                flat = [code for value in values for code in flatten_item(value)]
                return (len(values), *flat, *padding[len(flat) :])

        def restore(flat: Sequence[int]) -> Any:
            places = range(max(0, flat[0]))
            return tuple(items[at].restore(flat[1 + at * width : 1 + (at + 1) * width]) for at in places)

        slots = (count, *(slot for item in items for slot in item.slots))
        return ArrayForm(slots, flatten, restore, item=items[0] if items else None)

    def _one(self, field: Declared, label: str, *, is_certain: bool) -> ArrayForm:
        kind = field.value
        if kind is bool:
            return ArrayForm(
                (VectorSlot(label, Within(0, 1), is_certain=is_certain),), _single, lambda flat: flat[0] == 1
            )
        if kind is int:
            within = field.within or INT32
            return ArrayForm((VectorSlot(label, within, is_certain=is_certain),), _single, lambda flat: flat[0])
        if kind is str:
            bits = [VectorSlot(f"{label}.hash[{bit}]", Within(0, 1), is_certain=is_certain) for bit in range(TEXT_BITS)]
            return ArrayForm(tuple(bits), _text_bits, lambda _flat: "")
        if isinstance(kind, type) and issubclass(kind, Enum):
            return _enum(kind, label)
        if dataclasses.is_dataclass(kind):
            return self.dataclass(kind, f"{label}.", is_certain=is_certain)
        if kind in (float, bytes):
            raise TypeError(f"{label} is {kind.__name__}, which has no columns; expected whole numbers")
        return self.union(kind, f"{label}.", is_certain=is_certain)

    def union(self, union: Any, prefix: str, *, is_certain: bool) -> ArrayForm:
        """Lay out the choice of member, then the fields of every member; those of the others are absent."""
        members = union_members(union)
        kinds = VectorSlot(
            f"{prefix}kind", Within(0, len(members) - 1), tuple(snake(each.__name__) for each in members), False
        )
        forms = [self.dataclass(each, f"{prefix}{snake(each.__name__)}.", is_certain=False) for each in members]
        absent = [form.absent for form in forms]
        stops = np.cumsum([1, *(len(form.slots) for form in forms)]).tolist()
        places = {each: place for place, each in enumerate(members)}
        before = [sum(absent[:place], ()) for place in range(len(members))]
        after = [sum(absent[place + 1 :], ()) for place in range(len(members))]

        def flatten(value: Any) -> Sequence[int]:
            place = places[type(value)]
            own = forms[place].flatten(value)
            if len(own) != len(forms[place].slots):
                raise MisfitError(f"{type(value).__name__}: a list is longer than declared: {_longest(value)}")
            return (place, *before[place], *own, *after[place])

        def restore(flat: Sequence[int]) -> Any:
            place = flat[0]
            return forms[place].restore(flat[stops[place] : stops[place + 1]])

        return ArrayForm((kinds, *(slot for form in forms for slot in form.slots)), flatten, restore)


def _single(value: int) -> Sequence[int]:
    return (value,)


def _enum(kind: type[Enum], label: str) -> ArrayForm:
    members = tuple(kind)
    codes = {member: (place,) for place, member in enumerate(members)}
    slot = VectorSlot(label, Within(0, len(members) - 1), tuple(member.name for member in members), False)
    return ArrayForm((slot,), codes.__getitem__, lambda flat: members[flat[0]], members=members)


@cache
def _text_bits(text: str) -> Sequence[int]:
    digest = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
    return tuple(digest >> bit & 1 for bit in range(TEXT_BITS))
