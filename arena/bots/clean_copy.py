"""One hash, one program: a bot runs without the bytecode in its directory, which its version does not hash.

Python loads bytecode without looking at the source if told so, so that two programs could share one version.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from arena.bots.directory import BYTECODE, BotDirectory
from arena.bots.one_file import is_one_file, write_directory
from arena.bots.scratch import make_folder


def has_bytecode(directory: Path) -> bool:
    """Return whether a directory has files or folders that are no part of its version."""
    return any(BYTECODE in (*folders, *files) for _path, folders, files in os.walk(directory))


def clean_copy(bot: BotDirectory) -> Path | None:
    """T22.1: return a copy of a bot's directory without bytecode, to be removed; None if it has none.

    A one-file bot always runs in such a copy: nothing beside its file is its own.
    """
    is_file = is_one_file(bot.path)
    if not is_file and not has_bytecode(bot.path):
        return None
    copy = make_folder()
    copy.chmod(0o755)  # readable by a sandboxed bot's uid, as its own directory must be
    try:
        if is_file:
            write_directory(bot.path, copy)
        else:
            _copy(bot.path, copy)
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise
    return copy


def _copy(source: Path, copy: Path) -> None:
    for path, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name != BYTECODE]
        here, there = Path(path), copy / Path(path).relative_to(source)
        for name in folders:
            if (here / name).is_symlink():
                (there / name).symlink_to(_target(here / name, source))
            else:
                (there / name).mkdir()
        for name in files:
            if name != BYTECODE and (here / name).is_file():
                shutil.copy2(here / name, there / name)  # a link to a file is hashed as the file, and copied as one


def _target(link: Path, source: Path) -> Path:
    """Return the text of a link to a directory that leads from the copy to the same place."""
    text = link.readlink()
    is_inside = not text.is_absolute() and link.resolve().is_relative_to(source)
    return text if is_inside else link.resolve()
