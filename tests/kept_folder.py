"""Folders that a test run keeps for as long as it lasts, such as one database for many tests."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path


def kept_folder(name: str) -> Path:
    """Make a folder, with a short path since sockets may lie in it, that is removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
