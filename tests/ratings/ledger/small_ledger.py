"""Small ledgers to test with: four bots, one pool, a few rounds of one table each."""

from __future__ import annotations

import sqlite3

from ratings.ledger import derived_tables, posting
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult

POOL = "toy:1"
BOTS = ("ann", "bob", "cat", "dan")


def empty_ledger(path: str = ":memory:") -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    derived_tables.create_tables(connection)
    posting.record_genesis(connection, "test arena")
    posting.record_pool(connection, POOL, "toy", 1)
    for bot in BOTS:
        posting.record_bot(connection, bot, bot, f"hash of {bot}")
    return connection


def fixture(round_number: int, game: int = 0, table: int = 1, seats: tuple[str, ...] = BOTS, seed: int = 7) -> Fixture:
    turned = tuple(seats[(seat - game) % len(seats)] for seat in range(len(seats)))
    return Fixture("cup", round_number, table, game, turned, seed)


def result(order: Fixture, *places: int) -> LedgerResult:
    return LedgerResult(order, POOL, places, "engine", tuple(f"hash of {bot}" for bot in order.seating), "digest")


def played_round(
    connection: sqlite3.Connection, number: int, places: tuple[tuple[int, ...], ...]
) -> list[LedgerResult]:
    """Draw, play and close a round of one table; a game for each ranking."""
    tables = [RoundTable(1, BOTS, (7,) * len(places), len(places))]
    posting.record_round(connection, "cup", number, tables)
    results = [result(fixture(number, game), *ranking) for game, ranking in enumerate(places)]
    posting.post_matches(connection, results)
    posting.record_checkpoint(connection, "cup", number)
    return results


def small_ledger(path: str = ":memory:") -> sqlite3.Connection:
    connection = empty_ledger(path)
    posting.record_tournament(connection, "cup", {"seed": 7, "software": "0.1.0"})
    played_round(connection, 1, ((1, 1, 1, 1), (1, 1, 3, 4)))
    played_round(connection, 2, ((1, 2, 3, 4), (4, 3, 2, 1)))
    played_round(connection, 3, ((2, 1, 2, 4), (1, 2, 3, 4)))
    return connection


def unguarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Take the triggers away, as a forger with the file in hand would."""
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    return connection
