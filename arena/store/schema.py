"""The tables of the database, one migration after another."""

from __future__ import annotations

import json
import sqlite3
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ratings.ledger import derived_tables
from ratings.ledger.chain import transaction

if TYPE_CHECKING:
    from sqlite_utils import Database

MIGRATIONS_TABLE = "_sqlite_migrations"
MIGRATION_SET = "arena"
MIGRATIONS_LAYOUT = (
    f"""CREATE TABLE "{MIGRATIONS_TABLE}" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
)""",
    f"""CREATE UNIQUE INDEX "idx_{MIGRATIONS_TABLE}_migration_set_name"
    ON "{MIGRATIONS_TABLE}" ("migration_set", "name")""",
)
"""As sqlite-utils makes it, to the letter."""
Migration = Callable[[sqlite3.Connection], None]
_STEPS: list[Migration] = []


def migration(step: Migration) -> Migration:
    """Declare the next migration; its name is kept in every database that has gone through it."""
    _STEPS.append(step)
    return step


def pending(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the migrations that a database of the arena still lacks, in their order."""
    rows = connection.execute(f"SELECT name FROM {MIGRATIONS_TABLE} WHERE migration_set = ?", (MIGRATION_SET,))
    applied = {name for (name,) in rows}
    return [step.__name__ for step in _STEPS if step.__name__ not in applied]


def lay_out(connection: sqlite3.Connection) -> None:
    """Give a new file all its tables at once, with the same notes on migrations as if it had gone through them.

    There is nothing to bring over, and sqlite-utils takes longer to load than all of this.
    """
    now = str(datetime.now(UTC))
    with transaction(connection):
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
            return  # somebody else was quicker
        for statement in MIGRATIONS_LAYOUT:
            connection.execute(statement)
        for step in _STEPS:
            step(connection)
            connection.execute(
                f"INSERT INTO {MIGRATIONS_TABLE} (migration_set, name, applied_at) VALUES (?, ?, ?)",
                (MIGRATION_SET, step.__name__, now),
            )


def bring_up_to_date(connection: sqlite3.Connection, *, stop_before: str | None = None) -> None:
    """Carry out the migrations that are still to come, each in one transaction."""
    with _without_pandas():
        from sqlite_utils import Database, Migrations  # takes its time to load, and most files need no migration

    migrations = Migrations(MIGRATION_SET)
    for step in _STEPS:
        migrations(name=step.__name__)(_of_database(step))
    migrations.apply(Database(connection), stop_before=stop_before)


def _of_database(step: Migration) -> Callable[[Database], None]:
    def migrate(database: Database) -> None:
        step(database.conn)

    return migrate


@contextmanager
def _without_pandas() -> Iterator[None]:
    """Let sqlite-utils do without pandas: it loads it wherever it is installed, for half a second and no use here."""
    if "pandas" in sys.modules:
        yield
        return
    sys.modules["pandas"] = None  # type: ignore[assignment]  # what tells an import that there is no such module
    try:
        yield
    finally:
        del sys.modules["pandas"]


@migration
def m001_bots_tournaments_matches(db: sqlite3.Connection) -> None:
    """The first layout."""
    for statement in (
        """CREATE TABLE bot (
            name TEXT PRIMARY KEY, author TEXT, newest TEXT, is_retired INTEGER NOT NULL DEFAULT 0)""",
        """CREATE TABLE bot_version (
            label TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES bot (name), version TEXT NOT NULL, parent TEXT,
            path TEXT NOT NULL, manifest TEXT NOT NULL, added_at TEXT NOT NULL)""",
        """CREATE TABLE tournament (
            id TEXT PRIMARY KEY, settings TEXT NOT NULL, running TEXT NOT NULL, state TEXT NOT NULL,
            reason TEXT NOT NULL DEFAULT '',
            is_stop_requested INTEGER NOT NULL DEFAULT 0, started_at TEXT NOT NULL, changed_at TEXT NOT NULL)""",
        """CREATE TABLE round (
            tournament TEXT NOT NULL REFERENCES tournament (id), number INTEGER NOT NULL, game TEXT NOT NULL,
            is_rating INTEGER NOT NULL, pairing TEXT NOT NULL, state TEXT NOT NULL, seconds REAL NOT NULL DEFAULT 0,
            PRIMARY KEY (tournament, number))""",
        """CREATE TABLE match (
            id TEXT PRIMARY KEY, tournament TEXT NOT NULL, round INTEGER NOT NULL, table_number INTEGER NOT NULL,
            game_number INTEGER NOT NULL, attempt INTEGER NOT NULL, game TEXT NOT NULL, seed TEXT NOT NULL,
            ending TEXT NOT NULL, reason TEXT NOT NULL, decisions INTEGER NOT NULL, asked INTEGER NOT NULL,
            sandbox TEXT NOT NULL, record_digest TEXT NOT NULL, stored_at TEXT NOT NULL,
            FOREIGN KEY (tournament, round) REFERENCES round (tournament, number))""",
        """CREATE TABLE seat (
            match TEXT NOT NULL REFERENCES match (id), seat INTEGER NOT NULL,
            bot TEXT NOT NULL REFERENCES bot_version (label), place INTEGER, score INTEGER, ending TEXT NOT NULL,
            PRIMARY KEY (match, seat)) WITHOUT ROWID""",
        "CREATE TABLE record (match TEXT PRIMARY KEY REFERENCES match (id), content BLOB NOT NULL)",
        """CREATE TABLE bot_output (
            match TEXT NOT NULL REFERENCES match (id), seat INTEGER NOT NULL, output TEXT NOT NULL,
            PRIMARY KEY (match, seat)) WITHOUT ROWID""",
        "CREATE INDEX match_by_round ON match (tournament, round, table_number, game_number, attempt)",
        "CREATE INDEX seat_by_bot ON seat (bot, match)",
        "CREATE INDEX bot_version_by_name ON bot_version (name, added_at)",
    ):
        db.execute(statement)
    derived_tables.create_tables(db)


@migration
def m002_fit_cache(db: sqlite3.Connection) -> None:
    """Keep the last fit of every pool, so that leaderboards of large pools need not wait for one."""
    db.execute(
        """CREATE TABLE fit_cache (
            pool TEXT PRIMARY KEY, through INTEGER NOT NULL, matches INTEGER NOT NULL, voids INTEGER NOT NULL,
            software TEXT NOT NULL, error_source TEXT NOT NULL, ratings TEXT NOT NULL, covariance BLOB)"""
    )


@migration
def m003_tokens_and_served_tournaments(db: sqlite3.Connection) -> None:
    """Know who may do what on a server, and which tournaments it is to go on with when it starts."""
    db.execute(
        """CREATE TABLE token (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, secret_hash TEXT NOT NULL,
            created_at TEXT NOT NULL, revoked_at TEXT)"""
    )
    db.execute(
        """CREATE TABLE served_tournament (
            tournament TEXT PRIMARY KEY REFERENCES tournament (id), organiser TEXT NOT NULL,
            is_wanted INTEGER NOT NULL)"""
    )


@migration
def m004_game_numbers(db: sqlite3.Connection) -> None:
    """Call the number of a game in its block by the same name everywhere: a game is a slug."""
    columns = {column for _, column, *_ in db.execute("PRAGMA table_info(posted_match)")}
    if "game" in columns:  # a ledger made by this version has the new name from the start
        db.execute("ALTER TABLE posted_match RENAME COLUMN game TO game_number")


@migration
def m005_fits_of_record(db: sqlite3.Connection) -> None:
    """Keep with every fit what its FIT entry says of it (T13.7); fits kept before are done anew."""
    db.execute("DROP TABLE fit_cache")
    db.execute(
        """CREATE TABLE fit_cache (
            pool TEXT PRIMARY KEY, through INTEGER NOT NULL, matches INTEGER NOT NULL, voids INTEGER NOT NULL,
            software TEXT NOT NULL, error_source TEXT NOT NULL, field TEXT NOT NULL, lines TEXT NOT NULL,
            ratings TEXT NOT NULL, covariance BLOB)"""
    )


@migration
def m006_remote_bots(db: sqlite3.Connection) -> None:
    """Mark bots that run elsewhere as such; they used to have a directory here, with a command that stood for none."""
    rows = db.execute("SELECT label, path, manifest FROM bot_version WHERE manifest LIKE '%arena-remote%'").fetchall()
    for label, path, text in rows:
        manifest = json.loads(text)
        if manifest.pop("command", None) == ["arena-remote"]:
            try:
                manifest["concurrency"] = tomllib.loads(Path(path, "bot.toml").read_text("utf-8"))["concurrency"]
            except (OSError, ValueError, KeyError):
                manifest["concurrency"] = 1
            manifest["hosting"] = "remote"
            values = (json.dumps(manifest, sort_keys=True), label)
            db.execute("UPDATE bot_version SET path = '', manifest = ? WHERE label = ?", values)


@migration
def m007_leases(db: sqlite3.Connection) -> None:
    """Let one runner at a time play a tournament."""
    db.execute("CREATE TABLE lease (tournament TEXT PRIMARY KEY, holder TEXT NOT NULL, until REAL NOT NULL)")


@migration
def m008_judgements(db: sqlite3.Connection) -> None:
    """Keep what the judge says of matches: derived data, which no entry of the ledger stands behind."""
    db.execute(
        """CREATE TABLE judgement (
            record_digest TEXT NOT NULL, judge TEXT NOT NULL, worlds TEXT NOT NULL, effort INTEGER NOT NULL,
            content BLOB NOT NULL, PRIMARY KEY (record_digest, judge, worlds, effort)) WITHOUT ROWID"""
    )


@migration
def m009_forecasts(db: sqlite3.Connection) -> None:
    """Keep what a tournament was last said to need, so that no reader has to work it out again."""
    db.execute(
        """CREATE TABLE forecast (
            tournament TEXT PRIMARY KEY REFERENCES tournament (id), round INTEGER NOT NULL, games INTEGER NOT NULL,
            seconds REAL, open_neighbours INTEGER NOT NULL, neighbours INTEGER NOT NULL, top INTEGER NOT NULL,
            budget INTEGER NOT NULL)"""
    )


@migration
def m010_workers(db: sqlite3.Connection) -> None:
    """Keep which worker of a cluster played a match, how fast it was, and what another one made of the same match."""
    db.execute(
        """CREATE TABLE played_on (
            match TEXT PRIMARY KEY REFERENCES match (id), worker TEXT NOT NULL, calibration INTEGER) WITHOUT ROWID"""
    )
    db.execute("CREATE INDEX played_on_by_worker ON played_on (worker)")
    db.execute(
        """CREATE TABLE recheck (
            match TEXT PRIMARY KEY REFERENCES match (id), worker TEXT NOT NULL, record_digest TEXT NOT NULL,
            is_equal INTEGER NOT NULL, checked_at TEXT NOT NULL) WITHOUT ROWID"""
    )


@migration
def m011_strikes(db: sqlite3.Connection) -> None:
    """Keep why answers of bots were not taken, for their authors."""
    db.execute(
        """CREATE TABLE strike (
            match TEXT NOT NULL REFERENCES match (id), number INTEGER NOT NULL, step INTEGER NOT NULL,
            seat INTEGER NOT NULL, clause TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (match, number))
            WITHOUT ROWID"""
    )


@migration
def m012_software(db: sqlite3.Connection) -> None:
    """Keep which software refereed a match, as its record says too."""
    db.execute("ALTER TABLE match ADD COLUMN software TEXT NOT NULL DEFAULT ''")
