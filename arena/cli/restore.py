"""arena restore: a backup becomes a database again, here or on another machine."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.backup import backup_options, print_contents
from arena.cli.output import print_json
from arena.store.backup import restore_backup
from arena.store.beside import bots_folder


@click.command("restore")
@backup_options
def command(file: Path, db: Path, as_json: bool) -> None:
    """Restore a backup as a new database with its bots and heads.

    The database, the folder of its bots and the file of its heads must not exist yet. Everything is checked before it
    gets its name: hashes, the file, the chain of entries and the published heads. An unfinished tournament resumes
    with `arena tournament resume`, and ends with the same ledger.

    \b
    Example: arena restore arena-monday.tar --db restored.db
    """
    found = restore_backup(file, db)
    if as_json:
        print_json({"db": str(db), "bots_folder": str(bots_folder(db)), "contents": found})
    else:
        print_contents(found, db)
