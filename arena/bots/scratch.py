"""Scratch folders: temporary, and named after the process that owns them.

A process that is killed cannot remove its own; whoever comes next removes those of the dead.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.sandbox.owners import is_left

FOLDER = "arena-"  # followed by the process that owns it


def make_folder() -> Path:
    """Make a folder that this process owns and has to remove."""
    return Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Lend a folder, after those of the dead are removed."""
    sweep_folders()
    folder = make_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_folders() -> None:
    """Remove what arenas that were killed have left among the temporary files."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}[0-9]*-*"):
        if is_left(folder.name, FOLDER):
            shutil.rmtree(folder, ignore_errors=True)
