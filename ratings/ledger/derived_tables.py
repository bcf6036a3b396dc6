"""T13: the tables derived from the chain of entries.

The chain is the truth. These tables are written in the same transaction, and can be rebuilt from it at any time.
"""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from operator import attrgetter

from ratings.ledger.accounts import Account, Accounts, SeatCorrections, Total
from ratings.ledger.chain import Body, Kind, create_chain, entries, find, key_of, transaction
from ratings.ledger.entry_bodies import is_rated, position
from ratings.ledger.queries import account_of

DERIVED = {
    "standing": """CREATE TABLE IF NOT EXISTS standing (
        pool TEXT NOT NULL, bot TEXT NOT NULL, start INTEGER NOT NULL, rating INTEGER NOT NULL,
        is_anchor INTEGER NOT NULL, games INTEGER NOT NULL, matches INTEGER NOT NULL, wins INTEGER NOT NULL,
        shared_wins INTEGER NOT NULL, place_sum INTEGER NOT NULL, points INTEGER NOT NULL, forfeits INTEGER NOT NULL,
        last_seq INTEGER NOT NULL, PRIMARY KEY (pool, bot)) WITHOUT ROWID""",
    "rating_change": """CREATE TABLE IF NOT EXISTS rating_change (
        pool TEXT NOT NULL, bot TEXT NOT NULL, seq INTEGER NOT NULL, match_id TEXT NOT NULL,
        delta INTEGER NOT NULL, after INTEGER NOT NULL, PRIMARY KEY (pool, bot, seq)) WITHOUT ROWID""",
    "posted_match": """CREATE TABLE IF NOT EXISTS posted_match (
        seq INTEGER PRIMARY KEY, pool TEXT NOT NULL, tournament TEXT NOT NULL, round INTEGER NOT NULL,
        table_number INTEGER NOT NULL, game_number INTEGER NOT NULL, is_void INTEGER NOT NULL)""",
    "pool_total": """CREATE TABLE IF NOT EXISTS pool_total (
        pool TEXT PRIMARY KEY, bank INTEGER NOT NULL, matches INTEGER NOT NULL, voids INTEGER NOT NULL)""",
}
"""The derived tables with their CREATE statements."""

INDEXES = (
    "CREATE INDEX IF NOT EXISTS standing_by_rating ON standing (pool, rating DESC)",
    "CREATE INDEX IF NOT EXISTS posted_match_by_pool ON posted_match (pool, seq)",
    "CREATE INDEX IF NOT EXISTS posted_match_by_round ON posted_match (tournament, round, table_number, game_number)",
)


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the chain and the derived tables, where missing.

    The caller sets journal_mode=WAL, synchronous=FULL and, to keep posting flat in a large ledger, a cache of 64 MB
    (cache_size=-65536): keys and hashes are random, so writes are spread over their indexes.
    """
    create_chain(connection)
    for statement in (*DERIVED.values(), *INDEXES):
        connection.execute(statement)


def rebuild(connection: sqlite3.Connection) -> None:
    """T13.11: drop the derived tables and rebuild them from the entries."""
    with transaction(connection):
        for table in DERIVED:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        create_tables(connection)
        accounts, posted = replay(connection)
        connection.executemany(
            "INSERT INTO posted_match VALUES (?,?,?,?,?,?,?)",
            [(seq, body["pool"], *position(body), is_void) for seq, body, is_void in posted],
        )
        store_accounts(connection, accounts)


def replay(connection: sqlite3.Connection) -> tuple[Accounts, list[tuple[int, Body, bool]]]:
    """T13: apply every entry to empty accounts; return them and every posted match (seq, body, whether void)."""
    accounts = Accounts()
    posted: dict[str, tuple[int, Body]] = {}
    voids = set()
    unrated = set()
    corrected: dict[str, SeatCorrections] = {}
    for entry in entries(connection):
        match_id = entry.body.get("match", "")
        if entry.kind is Kind.MATCH and not is_rated(entry.body):
            unrated.add(match_id)
            continue
        accounts.apply(entry)
        if entry.kind is Kind.MATCH:
            posted[match_id] = (entry.seq, entry.body)
        elif entry.kind is Kind.VOID and match_id not in unrated:
            voids.add(match_id)
            if match_id in posted:
                accounts.apply_void(corrected.get(match_id, SeatCorrections()).applied(posted[match_id][1]))
            else:
                accounts.apply_given_up(entry.body["pool"])
        elif entry.kind in (Kind.FORFEIT, Kind.STRIKE) and match_id in posted:
            corrections = corrected.setdefault(match_id, SeatCorrections())
            before = corrections.applied(posted[match_id][1])
            corrections.of_kind(entry.kind).add(entry.body["bot"])
            accounts.apply_places(before, corrections.applied(posted[match_id][1]))
    return accounts, [(seq, body, match_id in voids) for match_id, (seq, body) in posted.items()]


account_row, total_row = (attrgetter(*(column.name for column in fields(each))) for each in (Account, Total))
"""The row of an account in `standing`, and of a total in `pool_total`."""


def stored_accounts(connection: sqlite3.Connection) -> Accounts:
    """Return accounts that are fetched from the tables on demand."""

    def fetch_account(pool: str, bot: str) -> Account | None:
        row = connection.execute("SELECT * FROM standing WHERE pool = ? AND bot = ?", (pool, bot)).fetchone()
        return account_of(row) if row else None

    def fetch_total(pool: str) -> Total | None:
        row = connection.execute("SELECT pool, bank, matches, voids FROM pool_total WHERE pool = ?", (pool,)).fetchone()
        return Total(*row) if row else None

    def fetch_parent(bot: str) -> str | None:
        entry = find(connection, key_of(Kind.BOT, bot=bot))
        return entry.body["parent"] if entry else None

    return Accounts(fetch_account, fetch_total, fetch_parent)


def store_accounts(connection: sqlite3.Connection, accounts: Accounts) -> None:
    """Write the loaded accounts back into the tables."""
    connection.executemany(
        "INSERT OR REPLACE INTO standing VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", map(account_row, accounts.loaded.values())
    )
    connection.executemany(
        "INSERT INTO rating_change (pool, bot, seq, match_id, delta, after) VALUES (?,?,?,?,?,?)", accounts.changes
    )
    connection.executemany(
        "INSERT OR REPLACE INTO pool_total VALUES (?,?,?,?)", map(total_row, accounts.totals.values())
    )
