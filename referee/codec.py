"""The codec: game values to protobuf messages and to plain JSON data, mapped by name and compiled once per type.

    codec = codec_for(GAMES["norenberc"])
    message = codec.action.encode(action)     # a referee.games.norenberc.v1.Action
    action == codec.action.decode(message)
    plain = codec.action.to_plain(action)     # {"sell_goods": {"count": 2}}, for records
    action == codec.action.from_plain(plain)

A dataclass is the message of its name, a union a message with a `oneof kind`, an enum member the proto value of its
prefixed name. Values are written out as straight-line Python functions, so that a decision costs microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from referee.derived_messages import derived_stubs
from referee.game import AnyGame
from referee.message_names import enum_value_name, is_enum, snake
from referee.ranges import Declared, fields_of, union_members
from referee.values import is_value_type

SCALARS: dict[type, tuple[int, ...]] = {
    bool: (FieldDescriptor.TYPE_BOOL,),
    int: (
        *(FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64),
        *(FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64),
        *(FieldDescriptor.TYPE_SFIXED32, FieldDescriptor.TYPE_SFIXED64),
    ),
    str: (FieldDescriptor.TYPE_STRING,),
    float: (FieldDescriptor.TYPE_DOUBLE,),  # a shorter one would not be read back as it was
    bytes: (FieldDescriptor.TYPE_BYTES,),
}


class ProtocolError(Exception):
    """A message cannot be read; the text names the field and what was expected there."""


@dataclass(frozen=True, slots=True)
class Translation:
    """Four directions for one type: to and from its message, to and from plain JSON data."""

    message: Any
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    to_plain: Callable[[Any], Any]
    from_plain: Callable[[Any], Any]


class Codec:
    """The translations of one game, each compiled when first needed, and its `Prompt` message."""

    def __init__(self, stubs: Any, game: AnyGame) -> None:
        self.stubs = stubs
        self.prompt = stubs.Prompt
        self._types = game.types
        self._compiler = _Compiler(stubs)
        self._made: dict[str, Translation] = {}

    @property
    def options(self) -> Translation:
        """Return the translation of a match's options."""
        return self._made_once("Options", self._compiler.dataclass)

    @property
    def action(self) -> Translation:
        """Return the translation of actions."""
        return self._made_once("Action", self._compiler.union)

    @property
    def view(self) -> Translation:
        """Return the translation of views."""
        return self._made_once("View", self._compiler.dataclass)

    @property
    def event(self) -> Translation:
        """Return the translation of events."""
        return self._made_once("Event", self._compiler.union)

    def _made_once(self, name: str, make: Callable[[Any, Any], Translation]) -> Translation:
        """Return the translation between a message and the game's type of the same name."""
        if name not in self._made:
            self._made[name] = make(getattr(self._types, name.lower()), getattr(self.stubs, name))
        return self._made[name]

    def inner(self, kind: Any) -> Translation | None:
        """Return the translation of a type inside those requested so far; None for a plain number, name or text."""
        return self._compiler.done.get(kind) or self._compiler.unions.get(kind)


_codecs: dict[str, Codec] = {}


def codec_for(game: AnyGame) -> Codec:
    """Return the codec of a game, with the messages of `stubs_of`."""
    if game.slug not in _codecs:
        _codecs[game.slug] = Codec(stubs_of(game), game)
    return _codecs[game.slug]


def stubs_of(game: AnyGame) -> Any:
    """Return a game's messages: `v1/<slug>_pb2` beside the module that defines it, or else derived from its types."""
    package = type(game).__module__.rpartition(".")[0]
    name = f"{package}.v1.{game.slug}_pb2"
    try:
        return import_module(name) if package else derived_stubs(game)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the stubs are there, and lack something else
    return derived_stubs(game)


class _Compiler:
    """Writes the four functions of every type reachable from a game's values, each once."""

    def __init__(self, stubs: Any) -> None:
        self.stubs = stubs
        self.done: dict[Any, Translation] = {}
        self.unions: dict[Any, Translation] = {}  # apart, since a union of one class is not that class

    def dataclass(self, kind: type, message: Any) -> Translation:
        if kind in self.done:
            return self.done[kind]
        scope: dict[str, Any] = {"M": message, "K": kind, "fields": _plain_fields, "listed": _plain_list}
        encode, decode, to_plain, from_plain, names = [], [], [], [], []
        for name, field in fields_of(kind):
            names.append(name)
            if field.value in SCALARS:
                scope[f"r_{name}"] = _scalar_reader(field.value, f"{kind.__name__}.{name}")
                encode.append(f"{name}=v.{name}")
                decoded = f"tuple(m.{name})" if field.is_list else f"m.{name}"
                if field.value is bytes:
                    scope[f"p_{name}"] = bytes.hex
                    to_plain.append(f"{name!r}: {_applied(f'p_{name}', field, f'v.{name}')}")
                else:
                    to_plain.append(f"{name!r}: list(v.{name})" if field.is_list else f"{name!r}: v.{name}")
            else:
                inner = self._inner(field.value)
                scope |= {f"e_{name}": inner.encode, f"d_{name}": inner.decode}
                scope |= {f"p_{name}": inner.to_plain, f"r_{name}": inner.from_plain}
                encode.append(f"{name}={_applied(f'e_{name}', field, f'v.{name}')}")
                decoded = f"tuple([d_{name}(x) for x in m.{name}])" if field.is_list else f"d_{name}(m.{name})"
                to_plain.append(f"{name!r}: {_applied(f'p_{name}', field, f'v.{name}')}")
            decode.append(f"{name}={decoded}" + (f" if m.HasField({name!r}) else None" if field.is_optional else ""))
            read = _applied(f"r_{name}", field, f"listed(p, {name!r})" if field.is_list else f"p[{name!r}]")
            from_plain.append(f"{name}=tuple({read})" if field.is_list else f"{name}={read}")
        scope["names"] = tuple(names)
        source = (
            f"def encode(v): return M({', '.join(encode)})\n"
            f"def decode(m): return K({', '.join(decode)})\n"
            f"def to_plain(v): return {{{', '.join(to_plain)}}}\n"
            f"def from_plain(p):\n    fields(p, K, names)\n    return K({', '.join(from_plain)})\n"
        )
        exec(source, scope)  # the source is built from our own dataclasses, never from a message
        made = Translation(message, scope["encode"], scope["decode"], scope["to_plain"], scope["from_plain"])
        self.done[kind] = made
        return made

    def _inner(self, value: Any) -> Translation:
        if is_enum(value):
            return self.enum(value)
        if is_value_type(value):
            return self.dataclass(value, getattr(self.stubs, value.__name__))
        return self.union(value, self._union_message(value))

    def _union_message(self, union: Any) -> Any:
        wanted = {snake(member.__name__) for member in union_members(union)}
        for name in sorted(self.stubs.DESCRIPTOR.message_types_by_name):
            descriptor = self.stubs.DESCRIPTOR.message_types_by_name[name]
            if "kind" in descriptor.oneofs_by_name and {field.name for field in descriptor.fields} == wanted:
                return getattr(self.stubs, name)
        raise TypeError(f"no message with a oneof kind of {sorted(wanted)}")

    def union(self, union: Any, message: Any) -> Translation:
        if union in self.unions:
            return self.unions[union]
        label = message.DESCRIPTOR.name
        parts = {
            member: (snake(member.__name__), self.dataclass(member, getattr(self.stubs, member.__name__)))
            for member in union_members(union)
        }
        # One closure per member: filling the chosen field by keyword is the quickest way upb offers.
        encoders = {member: _member_encoder(message, name, part.encode) for member, (name, part) in parts.items()}
        plainers = {member: (name, part.to_plain) for member, (name, part) in parts.items()}
        decoders = {name: part.decode for name, part in parts.values()}
        readers = {name: part.from_plain for name, part in parts.values()}

        def encode(value: Any) -> Any:
            return encoders[type(value)](value)

        def decode(filled: Any) -> Any:
            name = filled.WhichOneof("kind")
            if name is None:
                raise ProtocolError(f"{label}.kind: nothing is set; expected one of {', '.join(decoders)}")
            return decoders[name](getattr(filled, name))

        def to_plain(value: Any) -> dict[str, Any]:
            name, write = plainers[type(value)]
            return {name: write(value)}

        def from_plain(plain: Any) -> Any:
            if not isinstance(plain, dict) or len(plain) != 1 or next(iter(plain)) not in readers:
                raise ProtocolError(f"{label}: {plain!r} is not one of {', '.join(readers)}")
            name, inner = next(iter(plain.items()))
            return readers[name](inner)

        made = self.unions[union] = Translation(message, encode, decode, to_plain, from_plain)
        return made

    def enum(self, kind: Any) -> Translation:
        if kind in self.done:
            return self.done[kind]
        numbers = getattr(self.stubs, kind.__name__)
        number_of = {member: numbers.Value(enum_value_name(member)) for member in kind}
        member_of = {number: member for member, number in number_of.items()}
        named = {member.name: member for member in kind}

        def decode(number: int) -> Any:
            try:
                return member_of[number]
            except KeyError:
                raise ProtocolError(f"{kind.__name__}: {number} is not one of its values") from None

        def from_plain(name: Any) -> Any:
            if not isinstance(name, str) or name not in named:
                raise ProtocolError(f"{kind.__name__}: {name!r} is not one of {', '.join(named)}")
            return named[name]

        def to_plain(member: Any) -> Any:
            return member.name

        made = self.done[kind] = Translation(numbers, number_of.__getitem__, decode, to_plain, from_plain)
        return made


def _applied(function: str, field: Declared, value: str) -> str:
    """Return the call of a function with a field's value: with each item of a list, and not with an absent value."""
    if field.is_list:
        return f"[{function}(x) for x in {value}]"
    return f"None if {value} is None else {function}({value})" if field.is_optional else f"{function}({value})"


def _member_encoder(message: Any, name: str, encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    scope: dict[str, Any] = {"M": message, "e": encode}
    exec(f"def wrap(v): return M({name}=e(v))", scope)
    wrap: Callable[[Any], Any] = scope["wrap"]
    return wrap


def _plain_fields(plain: Any, kind: type, names: tuple[str, ...]) -> None:
    if not isinstance(plain, dict) or len(plain) != len(names) or any(name not in plain for name in names):
        raise ProtocolError(
            f"{kind.__name__}: {plain!r} does not have exactly the fields {', '.join(names) or '(none)'}"
        )


def _plain_list(plain: dict[str, Any], name: str) -> list[Any]:
    items = plain[name]
    if not isinstance(items, list):
        raise ProtocolError(f"{name}: {items!r} is not a list")
    return items


def _scalar_reader(kind: type, label: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise ProtocolError(f"{label}: {value!r} is not of type {kind.__name__}")
        return value

    def read_finite(value: Any) -> Any:
        if not isfinite(read(value)):
            raise ProtocolError(f"{label}: {value!r} is not a finite number")
        return value

    def read_hex(value: Any) -> Any:
        try:
            held = bytes.fromhex(value)
        except (TypeError, ValueError):
            held = b""
        if type(value) is not str or held.hex() != value:
            raise ProtocolError(f"{label}: {value!r} is not a row of bytes in hexadecimal digits")
        return held

    return read_hex if kind is bytes else read_finite if kind is float else read


def mismatches(game: AnyGame) -> Iterator[str]:
    """Yield every difference between a game's dataclasses and its messages; a faithful mirror yields nothing."""
    stubs = stubs_of(game)
    seen: set[Any] = set()
    for name in ("Options", "View"):
        yield from _mirror(getattr(game.types, name.lower()), getattr(stubs, name).DESCRIPTOR, stubs, seen)
    for name in ("Action", "Event"):
        yield from _mirror_union(getattr(game.types, name.lower()), getattr(stubs, name).DESCRIPTOR, stubs, seen)
    prompt = {field.name: field.message_type.name for field in stubs.Prompt.DESCRIPTOR.fields}
    if prompt != {"view": "View", "events": "Event", "options": "Action"}:
        yield f"Prompt: has {prompt}; expected a view, events and options"


def _mirror(kind: type, descriptor: Descriptor, stubs: Any, seen: set[Any]) -> Iterator[str]:
    if kind in seen:
        return
    seen.add(kind)
    ours, theirs = dict(fields_of(kind)), {field.name: field for field in descriptor.fields}
    for name in sorted(theirs.keys() - ours.keys()):
        yield f"{descriptor.name}.{name}: the message has it, the dataclass does not"
    for name, declared in ours.items():
        if name in theirs:
            yield from _mirror_field(f"{kind.__name__}.{name}", declared, theirs[name], stubs, seen)
        else:
            yield f"{kind.__name__}.{name}: the dataclass has it, the message does not"


def _mirror_field(label: str, declared: Declared, field: FieldDescriptor, stubs: Any, seen: set[Any]) -> Iterator[str]:
    if declared.is_list != field.is_repeated:
        yield f"{label}: repeated on one side only"
    if declared.is_optional != (field.has_presence and (field.message_type is None or declared.is_optional)):
        yield f"{label}: optional on one side only"
    if declared.value in SCALARS:
        if field.type not in SCALARS[declared.value]:
            yield f"{label}: {declared.value.__name__} meets a field of another type"
    elif is_enum(declared.value):
        if field.enum_type is None or field.enum_type.name != declared.value.__name__:
            yield f"{label}: {declared.value.__name__} meets another type"
            return
        ours = {enum_value_name(member) for member in declared.value}
        theirs = {value.name for value in field.enum_type.values if value.number != 0}
        if ours != theirs:
            yield f"{label}: enum values differ: {sorted(ours ^ theirs)}"
    elif field.message_type is None:
        yield f"{label}: {declared.value} meets a field that is not a message"
    elif is_value_type(declared.value):
        if field.message_type.name != declared.value.__name__:
            yield f"{label}: {declared.value} meets the message {field.message_type.name}"
        yield from _mirror(declared.value, field.message_type, stubs, seen)
    else:
        yield from _mirror_union(declared.value, field.message_type, stubs, seen)


def _mirror_union(union: Any, descriptor: Descriptor, stubs: Any, seen: set[Any]) -> Iterator[str]:
    ours = {snake(member.__name__): member for member in union_members(union)}
    theirs = {field.name: field for field in descriptor.fields}
    for name in sorted({*ours} ^ {*theirs}):
        yield f"{descriptor.name}.{name}: on one side only"
    for field in descriptor.fields:
        if field.containing_oneof is None or field.containing_oneof.name != "kind":
            yield f"{descriptor.name}.{field.name}: not in the oneof kind"
        if field.name in ours:
            member = ours[field.name]
            if field.message_type is None or field.message_type.name != member.__name__:
                yield f"{descriptor.name}.{field.name}: not the message {member.__name__}"
                continue
            yield from _mirror(member, field.message_type, stubs, seen)
