"""Options that many verbs share."""

from __future__ import annotations

from pathlib import Path

import click

DEFAULT_DB = Path("arena.db")

db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_DB,
    show_default=True,
    help="The database file.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
