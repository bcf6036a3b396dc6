"""Scratch folders: temporary, and named after the owning process.

A killed process cannot remove its own folders; the next one sweeps the stale ones.
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
    """Make a folder that this process owns and must remove."""
    return Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a temporary folder; sweep stale ones first."""
    sweep_folders()
    folder = make_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_folders() -> None:
    """Remove the temporary folders of killed arenas."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}[0-9]*-*"):
        if is_left(folder.name, FOLDER):
            shutil.rmtree(folder, ignore_errors=True)
