"""One-file bots: a file with a function, which is a bot wherever a bot directory is.

It stands for a directory with two files: itself and a manifest, from its name. That directory is what is hashed,
packed, sent to a cluster and started, so that the same bot has one version in every form.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.bots.scratch import scratch_folder
from referee.mistakes import UserError
from referee.one_file.source import ENDINGS, PYTHON, fault_of_source, takes_view_and_options

LARGEST = 1 << 20
PROGRAM = ("python3", "-P", "-m", "referee.one_file")
"""With -P, so that a bot called like a module of Python does not shadow it."""


def is_one_file(path: Path | str) -> bool:
    """Return whether a path names a file that could be a bot by itself."""
    return str(path).endswith(ENDINGS) and os.path.isfile(path)


def is_bot(path: Path | str) -> bool:
    """Return whether a path names a bot: a directory, or a file that is one by itself."""
    return os.path.isdir(path) or is_one_file(path)


def is_policy(path: Path) -> bool:
    """Return whether a file is a policy of a question, which only simulations play, and no one-file bot."""
    return path.suffix == PYTHON and not takes_view_and_options(_content(path))


def files_of(path: Path) -> dict[str, bytes]:
    """Return the files of the directory that a one-file bot stands for, by name."""
    manifest = f"name = {json.dumps(path.stem, ensure_ascii=False)}\ncommand = {json.dumps([*PROGRAM, path.name])}\n"
    return {path.name: _content(path), "bot.toml": manifest.encode("utf-8", "surrogateescape")}


def check(path: Path) -> None:
    """Refuse a file that cannot be a bot, before anything runs it; a UserError says why."""
    if path.suffix == PYTHON and (fault := fault_of_source(_content(path))):
        raise UserError(f"{path}: {fault}")


def write_directory(path: Path, into: Path) -> None:
    """Write the directory that a one-file bot stands for, readable by a sandboxed bot's uid."""
    for name, content in files_of(path).items():
        (into / name).write_bytes(content)
        (into / name).chmod(0o644)
    into.chmod(0o755)


@contextmanager
def as_directory(path: Path) -> Iterator[Path]:
    """Yield a bot's directory: its own, or a temporary one for a one-file bot."""
    if not is_one_file(path):
        yield path
        return
    with scratch_folder() as folder:
        write_directory(path, folder)
        yield folder


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise UserError(f"{path}: is larger than {LARGEST} bytes")
    return content
