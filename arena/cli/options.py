"""Options that many verbs share."""

from __future__ import annotations

from pathlib import Path

import click

from arena.store import DEFAULT_DB, Store, open_to_read

db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_DB,
    show_default=True,
    help="The database file.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def reading(db: Path) -> Store:
    """Open a database to read until the command ends."""
    store = open_to_read(db)
    click.get_current_context().call_on_close(store.close)
    return store
