"""The tables and views of the database, laid out and migrated with sqlite-utils.

sqlite-utils is slow to load, more so where pandas is installed, so it is imported only when a file is laid out or
migrated; everything else uses SQL on the connection.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.store.beside import bots_folder
from arena.store.views import VIEWS
from ratings.ledger import chain, derived_tables
from ratings.ledger.chain import transaction

if TYPE_CHECKING:
    from sqlite_utils import Database

MIGRATIONS_TABLE = "_sqlite_migrations"
MIGRATION_SET = "arena"
Migration = Callable[["Database"], None]


def pending(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the migrations that a database of the arena still lacks, in their order."""
    rows = connection.execute(f"SELECT name FROM {MIGRATIONS_TABLE} WHERE migration_set = ?", (MIGRATION_SET,))
    applied = {name for (name,) in rows}
    return [step.__name__ for step in MIGRATIONS if step.__name__ not in applied]


def unknown(connection: sqlite3.Connection) -> list[str]:
    """Return the names of migrations applied by a later version."""
    known = {step.__name__ for step in MIGRATIONS}
    rows = connection.execute(
        f"SELECT name FROM {MIGRATIONS_TABLE} WHERE migration_set = ? ORDER BY name", (MIGRATION_SET,)
    )
    return [name for (name,) in rows if name not in known]


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Apply the migrations that a file still lacks, in one transaction; a new file lacks all of them."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations(MIGRATION_SET)
    for step in MIGRATIONS:
        migrations()(step)
    with transaction(connection):  # a second process waits here, and finds nothing to do
        migrations.apply(Database(connection))


def m001_first_layout(db: Database) -> None:
    """The tables of 0.1.0, the ledger beside them, search by name, and the views for analysts."""
    _create_bots(db)
    _create_tournaments(db)
    _create_matches(db)
    _create_derived(db)
    _create_served(db)
    derived_tables.create_tables(db.conn)
    for name, select in VIEWS.items():
        db.create_view(name, select)


def m002_paths_in_the_bots_folder(db: Database) -> None:
    """A submitted version is found by its name in the bots folder, wherever the database is moved with it."""
    folder = bots_folder(Path(db.execute("PRAGMA database_list").fetchone()[2]))
    for label, path in db.execute("SELECT label, path FROM bot_version WHERE path <> ''").fetchall():
        if Path(path).is_relative_to(folder):
            relative = str(Path(path).relative_to(folder))
            db.execute("UPDATE bot_version SET path = ? WHERE label = ?", (relative, label))


def m003_struck_seats_in_the_views(db: Database) -> None:
    """The views for analysts leave struck seats out (T13.15)."""
    for name, select in VIEWS.items():
        db.create_view(name, select, replace=True)


def m004_secrets_of_tournaments(db: Database) -> None:
    """T2.8: what the seed of a tournament follows from is kept beside its settings, which the ledger shows."""
    _create(
        db, "secret", {"tournament": str, "secret": str},
        pk="tournament", foreign_keys=[("tournament", "tournament", "id")],
    )  # fmt: skip


SEARCHED = {"bot": "name", "tournament": "id"}
"""The tables that are searched by name, with the column."""


def expected_triggers() -> dict[str, str]:
    """T13.2: all triggers of a database, by name: those that guard the chain, and those that keep the search up."""
    found = chain.triggers()
    for table, column in SEARCHED.items():
        index = f'"{table}_fts"'
        add = f'INSERT INTO {index} (rowid, "{column}") VALUES (new.rowid, new."{column}");'
        drop = f'INSERT INTO {index} ({index}, rowid, "{column}") VALUES(\'delete\', old.rowid, old."{column}");'
        for name, when, does in (("ai", "INSERT", add), ("ad", "DELETE", drop), ("au", "UPDATE", f"{drop} {add}")):
            found[f"{table}_{name}"] = f'CREATE TRIGGER "{table}_{name}" AFTER {when} ON "{table}" BEGIN {does} END'
    return found


MIGRATIONS: list[Migration] = [
    m001_first_layout,
    m002_paths_in_the_bots_folder,
    m003_struck_seats_in_the_views,
    m004_secrets_of_tournaments,
]
"""In order; the name of each is kept in every database to which it was applied."""


def _create_bots(db: Database) -> None:
    _create(
        db, "bot", {"name": str, "author": str, "newest": str, "is_retired": int},
        pk="name", optional=("author", "newest"), defaults={"is_retired": 0},
    )  # fmt: skip
    _create(
        db, "bot_version",
        {"label": str, "name": str, "version": str, "parent": str, "path": str, "manifest": str, "added_at": str},
        pk="label", optional=("parent",), foreign_keys=[("name", "bot", "name")],
    )  # fmt: skip
    db.table("bot_version").create_index(["name", "added_at"], "bot_version_by_name")
    _enable_search(db, "bot")


def _create_tournaments(db: Database) -> None:
    _create(
        db, "tournament",
        {
            "id": str, "settings": str, "running": str, "state": str, "reason": str, "is_stop_requested": int,
            "started_at": str, "changed_at": str,
        },
        pk="id", defaults={"reason": "", "is_stop_requested": 0},
    )  # fmt: skip
    _create(
        db, "round",
        {
            "tournament": str, "number": int, "game": str, "is_rating": int, "entry_digest": str, "state": str,
            "seconds": float,
        },
        pk=("tournament", "number"), defaults={"seconds": 0}, foreign_keys=[("tournament", "tournament", "id")],
    )  # fmt: skip
    _create(db, "lease", {"tournament": str, "holder": str, "until": float}, pk="tournament")
    _enable_search(db, "tournament")


def _create_matches(db: Database) -> None:
    of_match = [("match", "match", "id")]
    _create(
        db, "match",
        {
            "id": str, "tournament": str, "round": int, "table_number": int, "game_number": int, "attempt": int,
            "game": str, "seed": str, "ending": str, "reason": str, "decisions": int, "asked": int, "sandbox": str,
            "record_digest": str, "stored_at": str, "software": str,
        },
        pk="id", foreign_keys=[(("tournament", "round"), "round", ("tournament", "number"))],
    )  # fmt: skip
    _create(
        db, "seat", {"match": str, "seat": int, "bot": str, "place": int, "score": int, "ending": str},
        pk=("match", "seat"), optional=("place", "score"), foreign_keys=[*of_match, ("bot", "bot_version", "label")],
        without_rowid=True,
    )  # fmt: skip
    _create(db, "record", {"match": str, "content": bytes}, pk="match", foreign_keys=of_match)
    _create(
        db, "bot_output", {"match": str, "seat": int, "output": str},
        pk=("match", "seat"), foreign_keys=of_match, without_rowid=True,
    )  # fmt: skip
    _create(
        db, "strike", {"match": str, "number": int, "step": int, "seat": int, "clause": str, "reason": str},
        pk=("match", "number"), foreign_keys=of_match, without_rowid=True,
    )  # fmt: skip
    _create(
        db, "played_on", {"match": str, "worker": str, "calibration": int},
        pk="match", optional=("calibration",), foreign_keys=of_match, without_rowid=True,
    )  # fmt: skip
    _create(
        db, "recheck", {"match": str, "worker": str, "record_digest": str, "is_equal": int, "checked_at": str},
        pk="match", foreign_keys=of_match, without_rowid=True,
    )  # fmt: skip
    by_round = ["tournament", "round", "table_number", "game_number", "attempt"]
    db.table("match").create_index(by_round, "match_by_round")
    db.table("seat").create_index(["bot", "match"], "seat_by_bot")
    db.table("played_on").create_index(["worker"], "played_on_by_worker")


def _create_derived(db: Database) -> None:
    """Data that can be recomputed at any time."""
    _create(
        db, "fit_cache",
        {
            "pool": str, "through": int, "matches": int, "voids": int, "software": str, "error_source": str,
            "summary": str, "lines": str, "ratings": str, "covariance": bytes,
        },
        pk="pool", optional=("covariance",),
    )  # fmt: skip
    _create(
        db, "judgement", {"record_digest": str, "judge": str, "worlds": str, "effort": int, "content": bytes},
        pk=("record_digest", "judge", "worlds", "effort"), without_rowid=True,
    )  # fmt: skip
    _create(
        db, "forecast",
        {
            "tournament": str, "round": int, "games": int, "seconds": float, "open_neighbours": int, "neighbours": int,
            "top": int, "budget": int,
        },
        pk="tournament", optional=("seconds",), foreign_keys=[("tournament", "tournament", "id")],
    )  # fmt: skip


def _create_served(db: Database) -> None:
    """Data of a server."""
    _create(
        db, "token",
        {"id": str, "name": str, "role": str, "secret_hash": str, "created_at": str, "revoked_at": str},
        pk="id", optional=("revoked_at",),
    )  # fmt: skip
    _create(
        db, "served_tournament", {"tournament": str, "organiser": str, "is_wanted": int},
        pk="tournament", foreign_keys=[("tournament", "tournament", "id")],
    )  # fmt: skip


def _create(
    db: Database,
    name: str,
    columns: dict[str, type],
    *,
    optional: tuple[str, ...] = (),
    without_rowid: bool = False,
    **more: Any,
) -> None:
    """Create a table whose columns are all required, except the optional ones."""
    statement = db.create_table_sql(name, columns, not_null=columns.keys() - set(optional), **more)
    # sqlite-utils cannot create a WITHOUT ROWID table, which those with a row per seat should be.
    db.execute(statement.strip().removesuffix(";") + (" WITHOUT ROWID" if without_rowid else ""))


def _enable_search(db: Database, table: str) -> None:
    """Index the parts of names, by three letters each, for case-insensitive search."""
    db.table(table).enable_fts([SEARCHED[table]], create_triggers=True, tokenize="trigram")
