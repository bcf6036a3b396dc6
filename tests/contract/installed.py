"""A package that is installed for some processes only: modules in a folder, with the metadata of their entry points."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, name: str, entry_points: str, modules: Mapping[str, str]) -> dict[str, str]:
    """Write modules and metadata into a folder, and return the environment of processes that find them there."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text(entry_points, "utf-8")
    for path, text in modules.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))}
