"""The files beside a database: the folder of its bots, and files that only their owner may read.

They hold seeds of open rounds and bots' output, which are private.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PRIVATE_FILE = 0o600


def bots_folder(db: Path) -> Path:
    """Return the folder beside a database that holds its submitted versions."""
    return db.resolve().with_name(f"{db.resolve().stem}-bots")


def make_private(file: Path) -> None:
    """Create an empty file that only its owner may read, unless it exists; SQLite reports why it cannot be created."""
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE_FILE))
