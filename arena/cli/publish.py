"""The --html option: pages written as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from arena.cli.output import say
from referee.mistakes import UserError


def html_option(about: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command write pages as files."""
    return click.option("--html", type=click.Path(path_type=Path), metavar="FOLDER|FILE.html", help=about)


def write_site(write: Callable[[ModuleType], list[Path]], target: Path, *, as_json: bool = False) -> None:
    """Call `write` with `arena.web.site` to write pages, and report where they are."""
    from arena.web import site  # templates and a web server are slow to import

    try:
        files = write(site)
    except OSError as error:
        raise UserError(f"--html: {target} cannot be written: {error}") from None
    if files == [target]:
        say(f"Wrote {target}; it is self-contained.", {"file": str(target)}, as_json=as_json)
    else:
        pages = {"folder": str(target), "pages": [file.relative_to(target).as_posix() for file in files]}
        say(f"Wrote {len(files)} pages; begin with {target / 'index.html'}.", pages, as_json=as_json)
