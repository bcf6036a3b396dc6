"""The command line as a person runs it, from the root of the checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.patience import patience

ROOT = Path(__file__).parent.parent.parent


def run_arena(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run `arena` with these arguments and return what it printed."""
    program = Path(sys.executable).parent / "arena"
    return subprocess.run(
        [str(program), *arguments], cwd=folder, capture_output=True, text=True, timeout=patience(30), check=False
    )
