"""Folders shipped with the arena, in a checkout or an installation."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def shipped_folder(source: str, share: str, inside: str) -> Path | None:
    """Return a folder by its path in the checkout or its name in an installation if it holds a file, else None."""
    shares = (
        Path(sysconfig.get_path("data", scheme)) / "share" / "meistersinger" / share
        for scheme in (sysconfig.get_default_scheme(), f"{os.name}_user")
    )
    return next((folder for folder in (ROOT / source, *shares) if (folder / inside).is_file()), None)
