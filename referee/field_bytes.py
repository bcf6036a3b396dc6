"""Message fields as bytes: protobuf's own output, assembled by hand where most of it recurs.

A length-delimited field is a tag, a length and its content, and a message is its fields one after another. From one
prompt of a match to the next most fields of the view do not change, and those that do are mostly a few numbers:
writing these takes a fraction of the time of filling a whole message.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import compress, count
from operator import ne
from typing import Any

from referee.codec import Codec
from referee.message_names import enum_value_name, is_enum
from referee.ranges import Declared, fields_of

MAX_REMEMBERED = 256  # matches whose last view is kept for each game
UNSIGNED = (1 << 64) - 1


def varint(value: int) -> bytes:
    """Return a number of 0 or more in protobuf's variable-length form."""
    if value < len(SHORT):
        return SHORT[value]
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def field(number: int, content: bytes) -> bytes:
    """Return a length-delimited protobuf field."""
    return TAGS[number] + varint(len(content)) + content


SHORT: tuple[bytes, ...] = ()
SHORT = tuple([varint(value) for value in range(1 << 12)])
TAGS = tuple([varint(number << 3 | 2) for number in range(256)])  # of length-delimited fields
NUMBER_TAGS = tuple([varint(number << 3) for number in range(256)])  # of varint fields
COMMON: dict[int, bytes] = {value: varint(value & UNSIGNED) for value in range(-256, 1024)}


def signed(value: int) -> bytes:
    """Return a number of any sign as protobuf writes an int32 or int64."""
    return COMMON.get(value) or varint(value & UNSIGNED)


class FieldWriter(ABC):
    """Writes one field of a message as protobuf does: nothing if it is absent."""

    @abstractmethod
    def write(self, value: Any) -> bytes:
        """Return the field with this value."""

    def rewrite(self, value: Any, last: Any, written: bytes) -> bytes:
        """Return the field with this value, after it was written with another."""
        return self.write(value)


class AnyField(FieldWriter):
    """A field of any kind, written by protobuf itself."""

    def __init__(self, message: Any, name: str, encode: Callable[[Any], Any] | None, *, is_list: bool) -> None:
        self.message = message
        self.name = name
        self.encode = encode
        self.is_list = is_list

    def write(self, value: Any) -> bytes:
        """Return the field with this value."""
        if self.encode is not None and value is not None:
            value = [self.encode(each) for each in value] if self.is_list else self.encode(value)
        written: bytes = self.message(**{self.name: value}).SerializeToString()
        return written


class NumberField(FieldWriter):
    """One number or truth value."""

    def __init__(self, number: int, always: bool) -> None:
        self.tag = NUMBER_TAGS[number]
        self.always = always

    def write(self, value: Any) -> bytes:
        """Return the field with this value."""
        if value is None or not (value or self.always):
            return b""
        return self.tag + signed(value)


class NumbersField(FieldWriter):
    """A list of numbers or truth values."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, value: Any) -> bytes:
        """Return the field with this value."""
        return field(self.number, _row(value)) if value else b""

    def rewrite(self, value: Any, last: Any, written: bytes) -> bytes:
        """Return the field with this value; for a list that has grown, only the end is new."""
        kept = len(last)
        if 0 < kept < len(value) and len(written) < 1 << 14 and value[:kept] == last:
            content = len(written) - len(TAGS[self.number]) - 1  # with a length of one byte; else it has two
            return field(self.number, written[-content if content < 1 << 7 else 1 - content :] + _row(value[kept:]))
        return self.write(value)


def _row(values: Any) -> bytes:
    try:
        return b"".join([COMMON[value] for value in values])
    except KeyError:
        return b"".join([signed(value) for value in values])


class NameField(FieldWriter):
    """One member of an enum."""

    def __init__(self, number: int, numbers: dict[str, int]) -> None:
        self.written = {name: NUMBER_TAGS[number] + varint(value) for name, value in numbers.items()}

    def write(self, value: Any) -> bytes:
        """Return the field with this value."""
        return b"" if value is None else self.written[value._name_]


class NamesField(FieldWriter):
    """A list of enum members."""

    def __init__(self, number: int, numbers: dict[str, int]) -> None:
        self.number = number
        self.written = {name: varint(value) for name, value in numbers.items()}

    def write(self, value: Any) -> bytes:
        """Return the field with this value."""
        return field(self.number, b"".join([self.written[each._name_] for each in value])) if value else b""


class ViewWriter:
    """Writes the views of a game's matches, each as a delta to the last."""

    def __init__(self, codec: Codec, view: Any) -> None:
        message = codec.view.message
        declared, numbers = dict(fields_of(view)), message.DESCRIPTOR.fields_by_name
        self.names = sorted(declared, key=lambda name: int(numbers[name].number))
        self.writers = [_writer(codec, message, name, declared[name]) for name in self.names]
        self._matches: dict[str, tuple[list[Any], list[bytes]]] = {}

    def write(self, match_id: str, view: Any) -> bytes:
        """Return a view of this match as bytes; the previous view affects only the speed."""
        values = [getattr(view, name) for name in self.names]
        known = self._matches.get(match_id)
        if known is None:
            if len(self._matches) >= MAX_REMEMBERED:
                self._matches.clear()
            written = [writer.write(value) for writer, value in zip(self.writers, values, strict=True)]
        else:
            last, written = known
            for place in compress(count(), map(ne, values, last)):
                written[place] = self.writers[place].rewrite(values[place], last[place], written[place])
        self._matches[match_id] = values, written
        return b"".join(written)


def _writer(codec: Codec, message: Any, name: str, declared: Declared) -> FieldWriter:
    """Return a field's writer; ours is used if it agrees with protobuf's own output for a few values."""
    described = message.DESCRIPTOR.fields_by_name[name]
    number: int = described.number
    by_hand: FieldWriter | None = None
    probes: Sequence[Any] = ()
    if declared.value is int or declared.value is bool:
        few = (0, 1, 300, -1, -70_000) if declared.value is int else (False, True)
        by_hand = NumbersField(number) if declared.is_list else NumberField(number, described.has_presence)
        probes = [(), few] if declared.is_list else few
    elif is_enum(declared.value):
        members = tuple(declared.value)
        numbers = {
            each.name: getattr(codec.stubs, declared.value.__name__).Value(enum_value_name(each)) for each in members
        }
        by_hand = NamesField(number, numbers) if declared.is_list else NameField(number, numbers)
        probes = [(), members] if declared.is_list else members
    known = codec.inner(declared.value)
    whole = AnyField(message, name, None if known is None else known.encode, is_list=declared.is_list)
    if by_hand is None or any(by_hand.write(probe) != whole.write(probe) for probe in probes):
        return whole
    return by_hand
