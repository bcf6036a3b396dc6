"""A ledger of a million entries: the cost of posting and reading as it grows, and the duration of the audit.

python -m arena.bench.ledger_million              # one million entries in a temporary file
python -m arena.bench.ledger_million 100000       # fewer
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from ratings.ledger import chain, derived_tables, posting, queries
from ratings.ledger.audit import audit
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult

CACHE_KIB = 65_536
"""Keys and hashes are random: with SQLite's own 2 MB of cache every insert into a large ledger reads pages."""

POOL = "bench:1"
BOTS = 500
SEATS = 4
ROUND_MATCHES = 125
"""Every bot once per round: one game per table."""

ROUND_ENTRIES = ROUND_MATCHES * (SEATS + 2) + 2
LAST_ROUNDS = 5
"""Rounds before each size whose posting is timed."""

SIZES = (1_000, 100_000, 1_000_000)
SAMPLES = 20


def drawn_round(number: int, random: Random) -> list[LedgerResult]:
    """A round of made-up results."""
    bots = [f"bot{index:03d}" for index in range(BOTS)]
    random.shuffle(bots)
    results = []
    for table in range(ROUND_MATCHES):
        seating = tuple(bots[table * SEATS : (table + 1) * SEATS])
        places = list(range(1, SEATS + 1))
        random.shuffle(places)
        fixture = Fixture("bench", number, table + 1, 0, seating, random.getrandbits(64))
        results.append(LedgerResult(fixture, POOL, tuple(places), "engine", ("0" * 64,) * SEATS, "0" * 64))
    return results


def post(connection: sqlite3.Connection, number: int, random: Random) -> float:
    """Post one round with its pairing and its checkpoint; return the seconds it took."""
    results = drawn_round(number, random)
    tables = [RoundTable(each.fixture.table, each.fixture.seating, (each.fixture.seed,), 1) for each in results]
    began = perf_counter()
    posting.record_round(connection, "bench", number, tables)
    posting.post_matches(connection, results)
    posting.record_checkpoint(connection, "bench", number)
    return perf_counter() - began


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds that a call takes."""
    began = perf_counter()
    work()
    return 1000 * (perf_counter() - began)


def report(connection: sqlite3.Connection, posted: list[float]) -> None:
    """Print the costs at the present size; `posted` are the seconds of the last rounds."""
    leaderboard = median(timed(lambda: queries.standing(connection, POOL)) for _ in range(SAMPLES))
    history = median(timed(lambda: queries.history(connection, POOL, "bot007", last=200)) for _ in range(SAMPLES))
    each = 1000 * median(posted) / ROUND_MATCHES
    print(
        f"{chain.head(connection).seq:>9,} entries: posting {each:.3f} ms per match ({len(posted)} rounds of"
        f" {ROUND_MATCHES}), leaderboard of {BOTS} {leaderboard:.2f} ms, last 200 of one bot {history:.2f} ms",
        flush=True,
    )


def main() -> int:
    """Grow a ledger, printing costs at each size, then audit it."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.ledger_million")
    parser.add_argument("entries", nargs="?", type=int, default=SIZES[-1], help=f"the size to reach ({SIZES[-1]:,})")
    most = parser.parse_args().entries
    random = Random(1)
    with TemporaryDirectory() as directory:
        connection = sqlite3.connect(Path(directory) / "ledger.db")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        derived_tables.create_tables(connection)
        posting.record_genesis(connection, "benchmark")
        posting.record_pool(connection, POOL, "bench", 1)
        for index in range(BOTS):
            bot = f"bot{index:03d}"
            posting.record_bot(connection, bot, bot, "0" * 64)
        number = 0
        for size in sorted({*(size for size in SIZES if size < most), most}):
            while chain.head(connection).seq < size - LAST_ROUNDS * ROUND_ENTRIES:
                number += 1
                post(connection, number, random)
            posted = [post(connection, number + after, random) for after in range(1, LAST_ROUNDS + 1)]
            number += LAST_ROUNDS
            report(connection, posted)
        megabytes = sum(file.stat().st_size for file in Path(directory).iterdir()) / 1e6
        began, began_cpu = perf_counter(), process_time()
        found = audit(connection)
        print(
            f"audit of {found.entries:,} entries ({megabytes:.0f} MB): {perf_counter() - began:.1f} s"
            f" ({process_time() - began_cpu:.1f} s CPU), {len(found.findings)} faults (target: 60 s)"
        )
        began = perf_counter()
        derived_tables.rebuild(connection)
        print(f"tables rebuilt from the chain in {perf_counter() - began:.1f} s")
        connection.close()
        return int(not found.is_clean)


if __name__ == "__main__":
    sys.exit(main())
