"""arena backup: a database with its bots and published heads in one file, even while it is in use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from arena.cli.options import FILE, db_option, json_option
from arena.cli.output import print_json
from arena.store.backup import Contents, write_backup


def backup_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add what `arena backup` and `arena restore` have in common: the file, the database and JSON."""
    return click.argument("file", type=FILE)(db_option(json_option(function)))


def print_contents(found: Contents, place: Path, size: str = "") -> None:
    """Print what a backup leaves out and what it holds, in a file or a database."""
    for path in found.elsewhere:
        click.echo(f"not in the backup: {path}")
    counts = f"{found.matches:,} matches, {found.bots:,} bot versions, {found.entries:,} entries"
    click.echo(f"{place}: {counts}{size}, checked")
    click.echo(f"head {found.head}")


@click.command("backup")
@backup_options
def command(file: Path, db: Path, as_json: bool) -> None:
    """Back up a database with its bots and published heads.

    FILE is a new tar file that only you can read. Tournaments and servers may keep running: the backup is a snapshot
    of one moment. It is read back and checked before it gets its name. Bot directories outside the bots folder are
    not included, but listed.

    \b
    Example: arena backup arena-monday.tar
    """
    found = write_backup(db, file)
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "bytes": size, "contents": found})
    else:
        print_contents(found, file, f", {size:,} bytes")
