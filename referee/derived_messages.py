"""Messages derived from the types of a game that brings no stubs: one for each dataclass, as protoc would make them.

They lie in protobuf's default pool, where `Any` and reflection find them, in the package `arena_games.<slug>.v1`.
Fields are numbered in the order of their declaration, enum members from 1. A file `<slug>.proto` beside the module that
defines the game, written by `proto_text`, freezes these numbers: what it names keeps its number, wherever it is
declared, what is new gets the next one, and what is gone stays reserved.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from google.protobuf import descriptor_pb2 as pb
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from referee.game import AnyGame, Within
from referee.message_names import enum_value_name, is_enum, snake
from referee.mistakes import UserError
from referee.ranges import Declared, declared, union_members
from referee.values import fields_of, is_value_type

Field = pb.FieldDescriptorProto
TYPES: dict[Any, Any] = {
    bool: Field.TYPE_BOOL,
    int: Field.TYPE_INT64,
    str: Field.TYPE_STRING,
    float: Field.TYPE_DOUBLE,
    bytes: Field.TYPE_BYTES,
}
MEASURED = (float, bytes)  # in views only: a record and a fingerprint hold whole numbers and names
INT32 = Within(-(1 << 31), (1 << 31) - 1)
SLUG = re.compile(r"[a-z][a-z0-9_]*")
PROMPT = (("view", "View", False), ("events", "Event", True), ("options", "Action", True))

OPENING = re.compile(r"(message|enum) (\w+) \{(\})?")
NUMBERED = re.compile(r"(?:(repeated |optional )?([\w.]+) )?(\w+) = (\d+);")
RESERVED = re.compile(r"reserved (\d+(?:, \d+)*);")
SKIPPED = re.compile(r"(//.*|syntax = .*;|package .*;|oneof kind \{|\})?")


class MessageError(UserError):
    """A game's types cannot be sent as messages, or a file of frozen numbers cannot be read; the text says why."""


@dataclass(slots=True)
class FrozenNumbers:
    """The numbers of one message or enum: those frozen, and those that are given out."""

    frozen: dict[str, tuple[int, str]] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)

    def of(self, name: str, kind: str) -> int:
        """Return the number of a field: its frozen one while its type stays, or else the next one."""
        number, frozen_kind = self.frozen.get(name, (0, ""))
        if not number or frozen_kind != kind:
            number = 1 + max(self.taken, default=0)
        self.taken.add(number)
        self.used.add(number)
        return number

    def gone(self) -> list[int]:
        """Return the numbers that must not be given out again."""
        return sorted(self.taken - self.used)


@dataclass(frozen=True, slots=True)
class Described:
    """The messages of a game: their description, and the first line of every class's docstring."""

    file: pb.FileDescriptorProto
    comments: dict[str, str]


def derived_stubs(game: AnyGame) -> Any:
    """Return what a generated module would hold: messages and enums by name, and their descriptor."""
    described = describe(game)
    pool = descriptor_pool.Default()
    try:
        pool.AddSerializedFile(described.file.SerializeToString())
        found = pool.FindFileByName(described.file.name)
    except TypeError as error:
        raise MessageError(f"game {game.slug}: its messages are refused: {' '.join(str(error).split())}") from None
    made: dict[str, Any] = {"DESCRIPTOR": found}
    made |= {name: message_factory.GetMessageClass(each) for name, each in found.message_types_by_name.items()}
    made |= {name: EnumTypeWrapper(each) for name, each in found.enum_types_by_name.items()}
    return SimpleNamespace(**made)


def describe(game: AnyGame) -> Described:
    """Derive the description of a game's messages; a MessageError names the field that no message can hold."""
    if not SLUG.fullmatch(game.slug):
        raise MessageError(
            f"game {game.slug}: slug; expected lower-case letters, digits and _ where messages are derived"
        )
    file = frozen_file(game)
    try:
        numbers = {} if file is None else read_numbers(file.read_text("utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise MessageError(f"{file}: cannot be read: {error}") from None
    return _Deriver(game, numbers).described()


def frozen_file(game: AnyGame) -> Path | None:
    """Return the file in which a game freezes the numbers of its messages, beside its module; None without one."""
    origin = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    file = None if origin is None else Path(origin).with_name(f"{game.slug}.proto")
    return file if file is not None and file.is_file() else None


def read_numbers(text: str, where: str = "") -> dict[str, FrozenNumbers]:
    """Return the numbers of every message and enum of a file that `proto_text` wrote."""
    found: dict[str, FrozenNumbers] = {}
    current = FrozenNumbers()
    for place, line in enumerate(map(str.strip, text.splitlines()), 1):
        if opening := OPENING.fullmatch(line):
            current = found[opening[2]] = FrozenNumbers()
        elif numbered := NUMBERED.fullmatch(line):
            label, kind, name, number = numbered.groups(default="")
            current.frozen[name] = int(number), _kind(kind, is_list=label == "repeated ")
            current.taken.add(int(number))
        elif reserved := RESERVED.fullmatch(line):
            current.taken |= {int(number) for number in reserved[1].split(", ")}
        elif not SKIPPED.fullmatch(line):
            raise MessageError(f"{where}: line {place} is not understood; arena games proto writes this file")
    return found


def _kind(written: str, *, is_list: bool) -> str:
    """Return a field's type as far as its number depends on it: both kinds of whole numbers are written alike."""
    return f"{'repeated ' if is_list else ''}{'int64' if written == 'int32' else written}"


class _Deriver:
    """Describes a message for every type that a game's values reach, each once."""

    def __init__(self, game: AnyGame, numbers: dict[str, FrozenNumbers]) -> None:
        self.game = game
        self.numbers = numbers
        package = f"arena_games.{game.slug}.v1"
        self.file = pb.FileDescriptorProto(
            name=f"{package.replace('.', '/')}/{game.slug}.proto", package=package, syntax="proto3"
        )
        self.named: dict[Any, str] = {}
        self.unions: dict[Any, str] = {}
        self.comments: dict[str, str] = {}

    def described(self) -> Described:
        """Describe all five messages; views come last, since only their own types may hold measured values."""
        types = self.game.types
        self._dataclass(types.options, "Options", is_view=False)
        self._union(types.action, "Action", is_view=False)
        self._union(types.event, "Event", is_view=False)
        self._dataclass(types.view, "View", is_view=True)
        prompt = self.file.message_type.add(name=self._claimed("Prompt"))
        for number, (name, of, is_list) in enumerate(PROMPT, 1):
            label = Field.LABEL_REPEATED if is_list else Field.LABEL_OPTIONAL
            prompt.field.add(name=name, number=number, label=label, type=Field.TYPE_MESSAGE, type_name=self._full(of))
        return Described(self.file, self.comments)

    def _dataclass(self, kind: Any, name: str, *, is_view: bool) -> None:
        if not is_value_type(kind):
            raise self._fault(name, f"{kind!r} is not a dataclass")
        self.named[kind] = self._claimed(name)
        comment = (inspect.getdoc(kind) or "").partition("\n")[0]
        if comment and not comment.startswith(f"{kind.__name__}("):  # which dataclasses write themselves
            self.comments[name] = comment
        message, numbers = pb.DescriptorProto(name=name), self._numbers(name)
        for each in fields_of(kind):
            try:
                part = declared(each.annotated)
            except TypeError as error:
                raise self._fault(f"{name}.{each.name}", str(error)) from None
            self._add(message, numbers, each.name, part, is_view=is_view)
        self._finish(message, numbers)

    def _union(self, kind: Any, name: str, *, is_view: bool) -> None:
        self.unions[kind] = self._claimed(name)
        message, numbers = pb.DescriptorProto(name=name), self._numbers(name)
        message.oneof_decl.add(name="kind")
        for member in union_members(kind):
            if not is_value_type(member):
                raise self._fault(name, f"{member!r} is not a dataclass")
            self._add(message, numbers, snake(member.__name__), Declared(member), is_view=is_view)
            message.field[-1].oneof_index = 0
        self._finish(message, numbers)

    def _finish(self, message: pb.DescriptorProto, numbers: FrozenNumbers) -> None:
        for number in numbers.gone():
            message.reserved_range.add(start=number, end=number + 1)
        self.file.message_type.append(message)

    def _add(
        self, message: pb.DescriptorProto, numbers: FrozenNumbers, name: str, part: Declared, *, is_view: bool
    ) -> None:
        """Add a field; its own type is described first."""
        label = f"{message.name}.{name}"
        if part.value in TYPES:
            if part.value in MEASURED and not is_view:
                raise self._fault(label, f"{part.value.__name__} can only stand in a view")
            kind, type_name = TYPES[part.value], ""
            if part.value is int and part.within is not None and _is_int32(part.within):
                kind = Field.TYPE_INT32
            written = Field.Type.Name(kind).removeprefix("TYPE_").lower()
        else:
            written = self._reached(part.value, label, is_view=is_view)
            kind, type_name = Field.TYPE_MESSAGE, self._full(written)
            if is_enum(part.value):
                kind = Field.TYPE_ENUM
        made = message.field.add(name=name, number=numbers.of(name, _kind(written, is_list=part.is_list)), type=kind)
        made.label = Field.LABEL_REPEATED if part.is_list else Field.LABEL_OPTIONAL
        if type_name:
            made.type_name = type_name
        if part.is_optional and kind != Field.TYPE_MESSAGE:
            made.proto3_optional, made.oneof_index = True, len(message.oneof_decl)
            message.oneof_decl.add(name=f"_{name}")

    def _reached(self, kind: Any, label: str, *, is_view: bool) -> str:
        """Return the name of the message or enum of a type inside another, described on the first visit."""
        if is_enum(kind):
            if kind not in self.named:
                self._enum(kind)
        elif is_value_type(kind):
            if kind not in self.named:
                self._dataclass(kind, kind.__name__, is_view=is_view)
            elif self.named[kind] != kind.__name__:
                raise self._fault(
                    label, f"{kind.__name__} also is the game's {self.named[kind]}, so it has to be named so"
                )
        else:
            members = union_members(kind)
            if len(members) < 2:
                known = "int, bool, str, float, bytes, an Enum, a dataclass, a union of dataclasses, or a tuple[X, ...]"
                raise self._fault(label, f"a message cannot hold {kind!r}; expected {known}")
            if kind not in self.unions:
                message, _dot, name = label.partition(".")
                self._union(kind, message + "".join(map(str.capitalize, name.split("_"))), is_view=is_view)
            return self.unions[kind]
        return self.named[kind]

    def _enum(self, kind: Any) -> None:
        name = self.named[kind] = self._claimed(kind.__name__)
        made, numbers = self.file.enum_type.add(name=name), self._numbers(name)
        numbers.taken.discard(0)
        made.value.add(name=f"{snake(name)}_UNSPECIFIED".upper(), number=0)
        for member in kind:
            made.value.add(name=enum_value_name(member), number=numbers.of(enum_value_name(member), ""))
        for number in numbers.gone():
            made.reserved_range.add(start=number, end=number)  # of an enum, the end is reserved too

    def _numbers(self, name: str) -> FrozenNumbers:
        return self.numbers.get(name) or FrozenNumbers()

    def _claimed(self, name: str) -> str:
        if name in self.named.values() or name in self.unions.values():
            of = (
                "the game's message of that name"
                if name in ("Action", "Event", "Options", "View", "Prompt")
                else "another"
            )
            raise self._fault(name, f"two types have this name, and one is {of}")
        return name

    def _full(self, name: str) -> str:
        return f".{self.file.package}.{name}"

    def _fault(self, label: str, reason: str) -> MessageError:
        return MessageError(f"game {self.game.slug}: messages: {label}: {reason}")


def _is_int32(within: Within) -> bool:
    return INT32.least <= within.least and within.most <= INT32.most


def proto_text(described: Described) -> str:
    """Return messages as a .proto file, for bots in other languages and to freeze their numbers."""
    file = described.file
    lines = ['syntax = "proto3";', "", f"package {file.package};"]
    for enum in file.enum_type:
        gone = [reserved.start for reserved in enum.reserved_range]
        lines += ["", f"enum {enum.name} {{", *_reserved(gone)]
        lines += [*(f"  {value.name} = {value.number};" for value in enum.value), "}"]
    for message in file.message_type:
        comment = described.comments.get(message.name)
        lines += ["", *([f"// {comment}"] if comment else []), f"message {message.name} {{"]
        lines += _reserved([reserved.start for reserved in message.reserved_range])
        lines += _fields_text(message)
        if lines[-1].endswith(f"message {message.name} {{"):
            lines[-1] += "}"
        else:
            lines.append("}")
    return "\n".join(lines) + "\n"


def _reserved(numbers: list[int]) -> list[str]:
    return [f"  reserved {', '.join(map(str, numbers))};"] if numbers else []


def _fields_text(message: pb.DescriptorProto) -> Iterator[str]:
    is_union = any(oneof.name == "kind" for oneof in message.oneof_decl)
    indent = "    " if is_union else "  "
    if is_union:
        yield "  oneof kind {"
    for each in message.field:
        kind = each.type_name.rpartition(".")[2] or Field.Type.Name(each.type).removeprefix("TYPE_").lower()
        label = "repeated " if each.label == Field.LABEL_REPEATED else "optional " if each.proto3_optional else ""
        yield f"{indent}{label}{kind} {each.name} = {each.number};"
    if is_union:
        yield "  }"


def stale(game: AnyGame) -> str:
    """Return what is wrong with a game's file of frozen numbers; empty if it has none, or one that is up to date."""
    file = frozen_file(game)
    if file is None or file.read_text("utf-8") == proto_text(describe(game)):
        return ""
    return f"{file} is not what arena games proto {game.slug} writes; write it again, and look at what changed"
