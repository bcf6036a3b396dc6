"""Our proto style, checked on compiled descriptors: the rules of buf's STANDARD and COMMENTS that matter to us.

They run everywhere, even without buf, and add one rule of our own: no field has a name that a language reserves.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from google.protobuf import descriptor_pb2 as pb

from tools.stubs import Tree, protoc

TITLE_CASE = re.compile(r"([A-Z][a-z0-9]*)+")
LOWER_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")

# Field numbers of descriptor.proto, which make up the paths of source locations.
FILE_MESSAGE, FILE_ENUM, FILE_SERVICE = 4, 5, 6
MESSAGE_FIELD, MESSAGE_NESTED, MESSAGE_ENUM, MESSAGE_ONEOF = 2, 3, 4, 8
MEMBER = 2  # a value of an enum, a method of a service

C_PLUS_PLUS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const const_cast
    continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto
    if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch
    template this throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq
"""
JAVA = """
    abstract assert boolean byte extends final finally implements import instanceof interface native package strictfp
    super synchronized throws transient null
"""
GO = "chan defer fallthrough func go map range select type var"
RUST = """
    as async await become box crate dyn fn gen impl in let loop macro match mod move mut override priv pub ref self
    trait typeof unsafe unsized use where yield
"""
JAVASCRIPT = "arguments constructor debugger eval function prototype with"
RESERVED = {
    *" ".join((C_PLUS_PLUS, JAVA, GO, RUST, JAVASCRIPT)).split(),
    *(word.lower() for word in keyword.kwlist),
}

Place = tuple[int, ...]  # the path of an element inside its file


def compiled(tree: Tree, folder: Path) -> list[pb.FileDescriptorProto]:
    """Return every file of a tree as a descriptor with its comments."""
    made = folder / "descriptors.binpb"
    protoc(tree, "--include_source_info", f"--descriptor_set_out={made}", *tree.files())
    return list(pb.FileDescriptorSet.FromString(made.read_bytes()).file)


def comments(file: pb.FileDescriptorProto) -> dict[Place, str]:
    """Return the comment above every element, by the element's path."""
    return {tuple(place.path): place.leading_comments.strip() for place in file.source_code_info.location}


def problems(file: pb.FileDescriptorProto) -> Iterator[str]:
    """Yield a file's faults, one line each, with the name of the element."""
    yield from _file_problems(file)
    said = comments(file)
    scope = file.package
    for number, message in enumerate(file.message_type):
        yield from _message_problems(message, scope, (FILE_MESSAGE, number), said)
    for number, enum in enumerate(file.enum_type):
        yield from _enum_problems(enum, scope, (FILE_ENUM, number), said)
    for number, service in enumerate(file.service):
        yield from _service_problems(service, scope, (FILE_SERVICE, number), said)


def _file_problems(file: pb.FileDescriptorProto) -> Iterator[str]:
    path = PurePosixPath(file.name)
    if file.package != ".".join(path.parent.parts):
        yield f"{file.name}: package {file.package} does not match the directory"
    if not re.search(r"\.v[1-9][0-9]*$", file.package):
        yield f"{file.name}: package {file.package} does not end in a version"
    if not LOWER_SNAKE.fullmatch(path.stem):
        yield f"{file.name}: the file is not named in lower_snake_case"


def _commented(name: str, path: Place, said: dict[Place, str]) -> Iterator[str]:
    if not said.get(path):
        yield f"{name}: has no comment"


def _message_problems(message: pb.DescriptorProto, scope: str, path: Place, said: dict[Place, str]) -> Iterator[str]:
    name = f"{scope}.{message.name}"
    yield from _commented(name, path, said)
    if not TITLE_CASE.fullmatch(message.name):
        yield f"{name}: is not TitleCase"
    for number, field in enumerate(message.field):
        yield from _commented(f"{name}.{field.name}", (*path, MESSAGE_FIELD, number), said)
        yield from _field_name_problems(f"{name}.{field.name}", field.name)
    # An optional field is a synthetic oneof.
    implied = {field.oneof_index for field in message.field if field.proto3_optional}
    for number, oneof in enumerate(message.oneof_decl):
        if number not in implied:
            yield from _commented(f"{name}.{oneof.name}", (*path, MESSAGE_ONEOF, number), said)
            yield from _field_name_problems(f"{name}.{oneof.name}", oneof.name)
    for number, nested in enumerate(message.nested_type):
        if nested.options.map_entry:  # the synthetic entry of a map
            continue
        yield from _message_problems(nested, name, (*path, MESSAGE_NESTED, number), said)
    for number, enum in enumerate(message.enum_type):
        yield from _enum_problems(enum, name, (*path, MESSAGE_ENUM, number), said)


def _field_name_problems(name: str, short: str) -> Iterator[str]:
    if not LOWER_SNAKE.fullmatch(short):
        yield f"{name}: is not lower_snake_case"
    if short in RESERVED:
        yield f"{name}: some language reserves this word"


def _enum_problems(enum: pb.EnumDescriptorProto, scope: str, path: Place, said: dict[Place, str]) -> Iterator[str]:
    name = f"{scope}.{enum.name}"
    yield from _commented(name, path, said)
    if not TITLE_CASE.fullmatch(enum.name):
        yield f"{name}: is not TitleCase"
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper()
    for number, value in enumerate(enum.value):
        yield from _commented(f"{name}.{value.name}", (*path, MEMBER, number), said)
        if not UPPER_SNAKE.fullmatch(value.name) or not value.name.startswith(f"{prefix}_"):
            yield f"{name}.{value.name}: does not begin with {prefix}_"
    if enum.value[0].number != 0 or enum.value[0].name != f"{prefix}_UNSPECIFIED":
        yield f"{name}: its first value is not {prefix}_UNSPECIFIED = 0"


def _service_problems(
    service: pb.ServiceDescriptorProto, scope: str, path: Place, said: dict[Place, str]
) -> Iterator[str]:
    name = f"{scope}.{service.name}"
    yield from _commented(name, path, said)
    if not TITLE_CASE.fullmatch(service.name) or not service.name.endswith("Service"):
        yield f"{name}: is not TitleCase with the ending Service"
    for number, method in enumerate(service.method):
        yield from _commented(f"{name}.{method.name}", (*path, MEMBER, number), said)
        if not TITLE_CASE.fullmatch(method.name):
            yield f"{name}.{method.name}: is not TitleCase"
        for side, used in (("Request", method.input_type), ("Response", method.output_type)):
            wanted = f".{scope}.{method.name}{side}"
            if used != wanted:
                yield f"{name}.{method.name}: takes or returns {used}; expected {wanted}"
