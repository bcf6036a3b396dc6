"""Writing pages as a static site, for the verbs that offer it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import click

from arena.cli.output import print_json
from referee.order import OrderError

MISSING = "the web page needs more packages; install them with: pip install 'meistersinger[web]'"

html_option = click.option(
    "--html", type=click.Path(path_type=Path), metavar="FOLDER", help="Write web pages into this folder instead."
)


def write_site(write: Callable[[ModuleType], list[Path]], folder: Path, *, as_json: bool = False) -> None:
    """Let `write` make pages with `arena.web.site`, and say where they are."""
    try:
        from arena.web import site
    except ModuleNotFoundError as error:
        raise OrderError(f"{MISSING} ({error})") from None
    try:
        files = write(site)
    except OSError as error:
        raise OrderError(f"--html: {folder} cannot be written: {error}") from None
    if as_json:
        print_json({"folder": str(folder), "pages": [file.relative_to(folder).as_posix() for file in files]})
    else:
        click.echo(f"Wrote {len(files)} pages; begin with {folder / 'index.html'}.")
