"""Commands to paste: the program as the user called it, on the database or server in use."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from arena.remote.address import ServerAddress
from arena.store.database import DEFAULT_DB


def to_paste(*words: str | Path, db: Path = DEFAULT_DB, server: ServerAddress | None = None) -> str:
    """Return an arena command that works when pasted; the token is left to ARENA_TOKEN."""
    said = [*_program(), *map(str, words)]
    if server is not None:
        said += ["--server", server.address]
        said += [] if server.tls_ca is None else ["--tls-ca", str(server.tls_ca)]
        said += ["--allow-plaintext"] if server.allow_plaintext else []
    elif db != DEFAULT_DB:
        said += ["--db", str(db)]
    return shlex.join(said)


def _program() -> list[str]:
    """Return `arena` if the shell finds this program by that name, otherwise the path it was called by."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py" and called.parent.name == "arena":
        return [_from_here(Path(sys.executable)), "-m", "arena"]
    found = shutil.which("arena")
    if called.name != "arena" or (found is not None and os.path.realpath(found) == os.path.realpath(called)):
        return ["arena"]
    return [_from_here(called)]


def _from_here(program: Path) -> str:
    """Return the relative path if the program is below the working directory."""
    here = Path.cwd()
    return str(program.relative_to(here)) if program.is_relative_to(here) else str(program)
