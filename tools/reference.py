"""Writes the generated pages of docs/reference: `python -m tools.reference`, or `make docs`.

The commands describe themselves to click and the messages carry their comments; these pages show both in Markdown.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import click
from google.protobuf import descriptor_pb2 as pb

from arena.bench.figures import Figures
from arena.bots.directory import DECLARED as MANIFEST_SETTINGS
from arena.cli import arena
from arena.plan.settings import RUNNING
from arena.plan.tournament_file import DECLARED as TOURNAMENT_SETTINGS
from referee.setting import Setting
from tools.proto_style import comments, compiled
from tools.stubs import ROOT, TREES

FOLDER = ROOT / "docs/reference"
SYNTAX = (12,)  # where a file's first comment stands

CLI_HEAD = """\
# Commands

`make docs` writes this page from the commands themselves; every command says the same with `--help` or `-h`.

Standard output is for data, logs and progress go to standard error.
The exit code is 0 on success and 1 when a check failed.
Wrong input gets one clear line and exit code 2.
"""

PROTOCOL_HEAD = """\
# Protocol

`make docs` writes this page from the comments of `proto/referee/v1/play.proto`.
Your language's stubs come from that file and from the messages of the games beside it, under `proto/referee/games/`.
[Write a bot](../tutorial/write_a_bot.md) shows the protocol at work.
"""

LOOKAHEAD_HEAD = """\
# Look-ahead

`make docs` writes this page from the comments of `proto/referee/lookahead/v1/lookahead.proto`.
[Search from any language](../howto/search_from_any_language.md) shows it at work.

A process keeps at most 10,000 worlds and plays at most 10,000 playouts in one call.
A request has at most 1 MiB.
An invalid request is refused with `INVALID_ARGUMENT` and the reason.
A freed handle is answered with `NOT_FOUND`, and one world too many with `RESOURCE_EXHAUSTED`.
"""

SERVICE_HEAD = """\
# Arena service

`make docs` writes this page from the comments of `proto/arena/v1/arena.proto`.
It is the API of `arena serve` for programs: they submit bots, start and watch tournaments, and read leaderboards.
"""


def sentences(text: str) -> str:
    """Return a paragraph with one sentence per line."""
    return re.sub(r"(?<=[.!?]) +(?=[A-Z])", "\n", " ".join(text.split()))


def cell(text: str) -> str:
    """Return text fit for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def cli_page() -> str:
    """Return the page of all commands, in the order of `arena --help`."""
    return "\n".join((CLI_HEAD, *_command_parts(arena, "arena", None)))


def _command_parts(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    context = click.Context(command, parent=parent, info_name=name, **command.context_settings)
    if parent is not None:
        yield f"## {context.command_path}\n"
    for paragraph in re.split(r"\n\s*\n", (command.help or "").strip()):
        yield _paragraph(paragraph)
    if not isinstance(command, click.Group):
        yield f"```text\n{context.command_path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
    if options:
        rows = [_option_row(option, context) for option in options]
        yield f"{Figures(('Option', 'Default', 'Meaning'), rows)}\n"
    if isinstance(command, click.Group):
        for verb in command.list_commands(context):
            inner = command.get_command(context, verb)
            assert inner is not None, f"{context.command_path} lists {verb}, but does not have it"
            yield from _command_parts(inner, verb, context)


def _paragraph(text: str) -> str:
    if not text.lstrip().startswith("\b"):
        return sentences(text) + "\n"
    lines = [line.strip() for line in text.replace("\b", "").strip().splitlines()]
    shown = [re.sub(r"^Examples?:\s*", "", line) for line in lines]
    return "\n".join(("```console", *(line for line in shown if line), "```\n"))


def _option_row(option: click.Option, context: click.Context) -> tuple[str, str, str]:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    meaning = (option.help or "").strip()
    if isinstance(option.type, click.IntRange):
        names += " `N`"
        most = " or more" if option.type.max is None else f" to {option.type.max}"
        meaning += f" {option.type.min}{most}."
    elif not option.is_flag and not option.count:
        names += f" `{option.make_metavar(context)}`".replace("|", "\\|")
    if option.multiple:
        names += " …"
    return names, _default(option), cell(meaning) or "–"


def _default(option: click.Option) -> str:
    if option.required:
        return "required"
    default = option.to_info_dict()["default"]
    if default is None or default is False or default == () or callable(default) or "UNSET" in repr(default):
        return "–"
    if option.is_flag and option.secondary_opts:
        return f"`{option.opts[0]}`"
    return "on" if default is True else f"`{default}`"


def message_page(head: str, name: str) -> str:
    """Return the page of a file of messages: its service, messages and fields."""
    with tempfile.TemporaryDirectory() as folder:
        files = compiled(TREES[0], Path(folder))
    (file,) = [file for file in files if file.name == name]
    return "\n".join((head, *_file_parts(file)))


def _file_parts(file: pb.FileDescriptorProto) -> Iterator[str]:
    said = comments(file)
    for paragraph in said[SYNTAX].split("\n\n"):
        yield sentences(paragraph) + "\n"
    for number, service in enumerate(file.service):
        yield f"## {service.name}\n\n{sentences(said[6, number])}\n"
        for position, method in enumerate(service.method):
            takes, gives = (_short(kind, file) for kind in (method.input_type, method.output_type))
            takes = f"stream {takes}" if method.client_streaming else takes
            gives = f"stream {gives}" if method.server_streaming else gives
            yield f"`{method.name}({takes})` returns `{gives}`.\n{sentences(said[6, number, 2, position])}\n"
    for number, message in enumerate(file.message_type):
        yield from _message_parts(message, (4, number), said, file)
    for number, enum in enumerate(file.enum_type):
        yield from _enum_parts(enum, (5, number), said)


def _message_parts(
    message: pb.DescriptorProto, path: tuple[int, ...], said: dict[tuple[int, ...], str], file: pb.FileDescriptorProto
) -> Iterator[str]:
    yield f"## {message.name}\n\n{sentences(said[path])}\n"
    choices = [oneof.name for oneof in message.oneof_decl]
    rows = []
    for position, field in enumerate(message.field):
        about = cell(said[*path, 2, position])
        if field.HasField("oneof_index") and not field.proto3_optional:
            about += f" One of `{choices[field.oneof_index]}`."
        rows.append((str(field.number), f"`{field.name}`", f"`{_type(field, file)}`", about))
    if rows:
        yield f"{Figures(('No.', 'Field', 'Type', 'Meaning'), rows)}\n"


def _enum_parts(enum: pb.EnumDescriptorProto, path: tuple[int, ...], said: dict[tuple[int, ...], str]) -> Iterator[str]:
    yield f"## {enum.name}\n\n{sentences(said[path])}\n"
    rows = [
        [str(value.number), f"`{value.name}`", cell(said[*path, 2, number])] for number, value in enumerate(enum.value)
    ]
    yield f"{Figures(('No.', 'Value', 'Meaning'), rows)}\n"


def _type(field: pb.FieldDescriptorProto, file: pb.FileDescriptorProto) -> str:
    name = pb.FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    if field.type_name:
        name = _short(field.type_name, file)
    prefix = "repeated " if field.label == pb.FieldDescriptorProto.LABEL_REPEATED else ""
    return ("optional " if field.proto3_optional else prefix) + name


def _short(name: str, file: pb.FileDescriptorProto) -> str:
    return name.removeprefix(f".{file.package}.").removeprefix(".")


TOURNAMENT_HEAD = """\
# Tournament file

`make docs` writes this page from the declarations that validate a file.
A tournament is a TOML file with these keys.
An unknown key is an error; paths are relative to the file.
"""

MANIFEST_NAME, MANIFEST_TABLE = "bot_manifest", "| Key | Type | Default | Meaning |"


def tournament_page() -> str:
    """Return the page of the tournament file."""
    machine = [f"`{key}`" for key in RUNNING]
    foot = (
        f"{', '.join(machine[:-1])} and {machine[-1]} say how the tournament runs on this machine;"
        " none of them changes a result."
    )
    return "\n".join((TOURNAMENT_HEAD, settings_table(TOURNAMENT_SETTINGS), "", foot))


def settings_table(declared: Iterable[Setting]) -> str:
    """Return a file's keys with their types and meanings."""
    rows = [(f"`{each.key}`", each.form_said, _default_said(each), cell(each.about)) for each in declared]
    return str(Figures(("Key", "Type", "Default", "Meaning"), rows))


def _default_said(setting: Setting) -> str:
    if setting.default_said:
        return setting.default_said
    default = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    return f"`{json.dumps(default)}`"


def manifest_page() -> str:
    """Return the bot manifest page with its table regenerated; the text around it is written by hand."""
    text = (FOLDER / f"{MANIFEST_NAME}.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(MANIFEST_TABLE)
    return f"{before}{settings_table(MANIFEST_SETTINGS)}\n\n{rest.partition(chr(10) * 2)[2]}"


PAGES: dict[str, Callable[[], str]] = {
    "cli": cli_page,
    "protocol": partial(message_page, PROTOCOL_HEAD, "referee/v1/play.proto"),
    "lookahead": partial(message_page, LOOKAHEAD_HEAD, "referee/lookahead/v1/lookahead.proto"),
    "arena_service": partial(message_page, SERVICE_HEAD, "arena/v1/arena.proto"),
    "tournament_file": tournament_page,
    MANIFEST_NAME: manifest_page,
}


def page(name: str) -> str:
    """Return a generated page as it should be committed."""
    return PAGES[name]().rstrip("\n") + "\n"


def main() -> None:
    """Write the named pages, or all."""
    for name in sys.argv[1:] or PAGES:
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
