"""Page times on a ledger of a million entries, over HTTP from a served database.

python -m benchmarks.web_million                 # one million entries in a temporary file
python -m benchmarks.web_million 100000          # fewer
python -m benchmarks.web_million --db FILE       # a file that an earlier run wrote with --keep FILE
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from arena.bench.figures import Figures, Targets
from arena.bench.ledger_million import CACHE_KIB, timed
from arena.bench.pages import recorded
from arena.fitting.fits import read_fit
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from arena.store.database import Store, open_store
from arena.store.matches import pack_record
from arena.store.rows import MatchToStore, RoundState, TournamentState
from ratings.ledger import chain
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.order import Ending, MatchResult

BOTS, SEATS = 500, 4
ROUND_MATCHES = BOTS // SEATS
ROUNDS = 32
"""Rounds of a tournament."""

POOL = "toy:1"
SAMPLES = 15
TARGET_MS = 250
AT = "2026-01-01T00:00:00+00:00"


def fill(store: Store, entries: int) -> None:
    """Store tournaments of made-up bots until the ledger has `entries`, resuming an interrupted run."""
    random, connection = Random(1), store.connection
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA synchronous = OFF")
    labels = [f"bot{number:03d}@{number:012x}" for number in range(BOTS)]
    for label in labels:
        name, _, version = label.partition("@")
        store.bots.add(label, name, version, f"/bots/{name}", {"name": name}, AT)
    count = len(store.tournaments.all())
    while chain.head(connection).seq < entries:
        count += 1
        tournament = f"cup-{count:03d}"
        settings = TournamentSettings(
            games=(GameSettings("toy", 1, {}, TableSizes(2, 5, SEATS)),), bots=tuple(labels), format="swiss",
            points_rounds=ROUNDS, seed=count, block=False, top=None,
        )  # fmt: skip
        store.tournaments.add(tournament, settings.to_plain(), {}, [(POOL, "toy", 1)], AT)
        for number in range(1, ROUNDS + 1):
            if chain.head(connection).seq >= entries:
                break
            add_round(store, tournament, number, labels, random)
        store.tournaments.set_state(tournament, TournamentState.FINISHED, "all rounds are played", AT)


def add_round(store: Store, tournament: str, number: int, labels: list[str], random: Random) -> None:
    """Store one round as the arena does, but all its matches in one transaction."""
    bots = labels[:]
    random.shuffle(bots)
    results = []
    for table in range(ROUND_MATCHES):
        seating = tuple(bots[table * SEATS : (table + 1) * SEATS])
        places = list(range(1, SEATS + 1))
        random.shuffle(places)
        fixture = Fixture(tournament, number, table + 1, 0, seating, random.getrandbits(60))
        results.append(
            LedgerResult(fixture, POOL, tuple(places), "engine", ("0",) * SEATS, "0" * 32, scores=tuple(places))
        )
    tables = [RoundTable(each.fixture.table, each.fixture.seating, (each.fixture.seed,), 1) for each in results]
    store.tournaments.add_round(tournament, number, "toy", False, tables)
    store.matches.add_all([to_store(result) for result in results], AT)
    store.tournaments.close_round(tournament, number, results, [], 1.0)
    with store.write() as connection:
        connection.execute(
            "UPDATE round SET state = ? WHERE tournament = ? AND number = ?", (RoundState.CLOSED, tournament, number)
        )


def to_store(entered: LedgerResult) -> MatchToStore:
    """Return a match of the ledger as the store takes it, without a record."""
    fixture, places = entered.fixture, entered.places
    endings = (Ending.COMPLETED,) * SEATS
    result = MatchResult(
        fixture.match_id, Ending.COMPLETED, "all prizes are gone", places, places, endings, 30, 30, "",
        digest=entered.replay_digest,
    )  # fmt: skip
    return MatchToStore(fixture, 0, "toy", result)


def one_record(store: Store) -> str:
    """Give the last match a real record, so that its replay can be timed; return its id."""
    ask = store.connection.execute
    newest = "SELECT id, tournament, round, table_number, seed FROM match ORDER BY rowid DESC LIMIT 1"
    match, tournament, number, table, seed = ask(newest).fetchone()
    seating = tuple(bot for (bot,) in ask("SELECT bot FROM seat WHERE match = ? ORDER BY seat", (match,)))
    result = recorded("toy", Fixture(tournament, number, table, 0, seating, int(seed)))
    with store.write() as connection:
        connection.execute("INSERT OR REPLACE INTO record VALUES (?,?)", (match, pack_record(result.record)))
    return str(match)


def measure(path: Path, match: str) -> Figures:
    """Fetch every kind of page: cold, cached, and after each write."""
    store = open_store(path)
    last = store.tournaments.all()[-1].id
    (entries,) = store.connection.execute("SELECT max(seq) FROM entry").fetchall()[0]
    (rowid,) = store.connection.execute("SELECT max(rowid) / 2 FROM match").fetchall()[0]
    pages = {
        "first page": "/",
        "leaderboard": f"/games/{POOL}",
        "leaderboard, page 5 by Elo": f"/games/{POOL}?sort=elo&page=5",
        "leaderboard, search": f"/games/{POOL}?q=bot07",
        "overall": "/overall",
        "bots": "/bots",
        "bot": "/bots/bot007",
        "tournaments": "/tournaments",
        "tournament": f"/tournaments/{last}",
        "round": f"/tournaments/{last}/rounds/1",
        "cross-table": f"/tournaments/{last}/cross-table",
        "matches, the latest": "/matches",
        "matches, in the middle": f"/matches?before={rowid}",
        "replay": f"/matches/{match}?step=last",
        "one step": f"/matches/{match}/step?step=3&seat=1",
    }
    writer = sqlite3.connect(path, isolation_level=None, timeout=30)
    figures = Figures(("Page", "First, ms", "Again, ms", "After a write, ms", "Bytes"))
    print(f"{entries:,} ledger entries, {path.stat().st_size / 1e6:.0f} MB")
    command = [sys.executable, "-m", "arena", "web", "--db", str(path), "--listen", "127.0.0.1:0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        (address,) = json.loads(serving.stdout.readline())["addresses"]
        for name, page in pages.items():

            def fetch(page: str = page) -> bytes:
                with urllib.request.urlopen(address + page) as answer:
                    text: bytes = answer.read()
                    return text

            first = timed(fetch)
            again = median(timed(fetch) for _ in range(SAMPLES))
            after = []
            for number in range(5):
                writer.execute("UPDATE tournament SET changed_at = ? WHERE id = ?", (f"{AT} {name} {number}", last))
                after.append(timed(fetch))
            figures.add(name, *(round(ms, 1) for ms in (first, again, median(after))), len(fetch()))
        serving.terminate()
    writer.close()
    store.close()
    return figures


def main() -> int:
    """Fill a database, or take one, and time its pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--db", type=Path, help="time the pages of this file")
    parser.add_argument("--keep", type=Path, help="write the database here and keep it")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        path: Path = asked.db or asked.keep or Path(folder) / "arena.db"
        store = open_store(path, create=True)
        if asked.db is None:
            began = perf_counter()
            fill(store, asked.entries)
            assert read_fit(store, path, POOL, always=True) is not None
            print(f"filled and fitted in {perf_counter() - began:.0f} s", flush=True)
        match = one_record(store)
        store.close()
        figures = measure(path, match)
        if asked.json:
            rows = [dict(zip(figures.columns, row, strict=True)) for row in figures.rows]
            asked.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    targets = Targets()
    for page, _, again, *_ in figures.rows:
        targets.check(f"{page}: {again} ms (at most {TARGET_MS})", float(again or 0) <= TARGET_MS)
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
