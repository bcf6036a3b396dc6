"""arena ledger: check it, compute what follows from it anew, give it away."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import trio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.corrections import clean, epoch, void
from arena.cli.options import db_option, json_option, reading
from arena.cli.output import print_json, printable
from arena.ledger_audit import Examiner, match_count, replay_records
from arena.store import Store, open_store
from ratings import ledger
from ratings.audit import Finding, audit
from ratings.chain import export_lines
from ratings.fit import refit
from referee.order import OrderError

HASH = re.compile(r"[0-9a-f]{64}")


@click.group("ledger")
def command() -> None:
    """Check the ledger, compute its tables anew, export it, make matches void.

    \b
    Example: arena ledger verify --replay
    """


for _correction in (void, clean, epoch):
    command.add_command(_correction)


@command.command("verify")
@click.option("--replay", "with_replay", is_flag=True, help="Play every record again and compare it with its entry.")
@click.option("--head", "published", metavar="HASH", help="A head that was published: it must be in the chain.")
@click.option("--pairings/--no-pairings", default=True, show_default=True, help="Draw every round again.")
@db_option
@json_option
def verify(with_replay: bool, published: str | None, pairings: bool, db: Path, as_json: bool) -> int:
    """Check the whole ledger and name every fault; exit code 1 if there is any.

    The chain of hashes, ratings and bank, Elo and fits done again, rounds drawn again, every result against what is
    stored, and with --replay every record. The head that is printed names all of it: publish it, and nobody can
    change the ledger unseen.

    \b
    Example: arena ledger verify --replay --head 5d0c…
    """
    if published is not None and not HASH.fullmatch(published):
        raise OrderError(f"--head: {published!r} is not a hash; expected 64 digits from 0 to f")
    store = reading(db)
    # One transaction, so that a tournament that goes on meanwhile is seen at one moment.
    store.connection.execute("BEGIN")
    found_at = _entry_of(store, published)
    with _progress(as_json) as bars:
        advance = bars("entries", ledger.head(store.connection).seq)
        examiner = Examiner(store, with_pairings=pairings, advance=advance)
        expected = published if found_at is None else None
        report = audit(store.connection, expected_head=expected, refit=refit, examine=examiner)
        findings = list(report.findings)
        records = None
        if with_replay:
            records = match_count(store)
            processes = max(1, min(os.cpu_count() or 1, 8, records))
            findings += trio.run(replay_records, store, processes, bars("records", records))
    if as_json:
        print_json(
            {
                "is_clean": not findings,
                "entries": report.entries,
                "head": report.head.hex,
                "published_head_is_entry": found_at,
                "pairings_drawn": examiner.drawn if pairings else None,
                "records_replayed": records,
                "findings": [_plain(finding) for finding in findings],
            }
        )
    else:
        for finding in findings:
            click.echo(printable(str(finding)))
        drawn = f", {examiner.drawn:,} rounds drawn again" if pairings else ""
        replayed = "" if records is None else f", {records:,} records replayed"
        click.echo(f"{report.entries:,} entries read{drawn}{replayed}: {len(findings) or 'no'} faults")
        if found_at is not None:
            click.echo(f"the head given is entry {found_at}")
        click.echo(f"head {report.head.hex}")
    return int(bool(findings))


def _entry_of(store: Store, published: str | None) -> int | None:
    """Return which entry has a hash that was published, for the ledger may have grown since."""
    if published is None:
        return None
    rows = store.read("SELECT seq FROM entry WHERE hash = ?", bytes.fromhex(published))
    return rows[0][0] if rows else None


def _plain(finding: Finding) -> dict[str, Any]:
    return {"fault": finding.fault, "entry": finding.seq, "message": finding.message}


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str, int], Callable[[], None]]]:
    """Show bars on a terminal; yields a function that adds one and returns what moves it on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:

        def add(name: str, total: int) -> Callable[[], None]:
            task = progress.add_task(name, total=total)
            return lambda: progress.advance(task)

        yield add


@command.command("recompute")
@db_option
@json_option
def recompute(db: Path, as_json: bool) -> int:
    """Compute ratings, histories and totals anew from the entries, and say whether they were right.

    Exit code 1 if they were not; they are afterwards.

    \b
    Example: arena ledger recompute
    """
    store = open_store(db)
    click.get_current_context().call_on_close(store.close)
    with store.write() as connection:
        before = {table: _digest(store, table) for table in ledger.DERIVED}
        ledger.rebuild(connection)
        connection.execute("DELETE FROM fit_cache")
        after = {table: _digest(store, table) for table in ledger.DERIVED}
    wrong = [table for table in ledger.DERIVED if before[table] != after[table]]
    if as_json:
        print_json({"was_equal": not wrong, "differed": wrong})
    elif wrong:
        click.echo(f"{', '.join(wrong)} did not follow from the entries; they do now.")
    else:
        click.echo("All tables were equal to what follows from the entries.")
    return int(bool(wrong))


def _digest(store: Store, table: str) -> str:
    """Return the digest of all rows of a table, whatever their order on disk."""
    if not store.read("SELECT 1 FROM sqlite_master WHERE name = ?", table):
        return ""
    columns = [name for _, name, *_ in store.read(f"PRAGMA table_info({table})")]
    digest = sha256()
    for row in store.connection.execute(f"SELECT * FROM {table} ORDER BY {', '.join(columns)}"):
        digest.update(repr(row).encode())
    return digest.hexdigest()


@command.command("export")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead of standard output."
)
@db_option
@json_option
def export(output: Path | None, db: Path, as_json: bool) -> None:
    """Write the chain as JSON Lines: payload, prev and hash of every entry, for anybody to check.

    The hash of a line is SHA-256 of the bytes of prev and of the payload's text. With --output, --json makes the
    report on standard output JSON; the lines are JSON anyway.

    \b
    Example: arena ledger export --output ledger.jsonl
    """
    store = reading(db)
    store.connection.execute("BEGIN")
    if output is None:
        export_lines(store.connection, sys.stdout)
        return
    try:
        with output.open("w", encoding="utf-8") as out:
            head = export_lines(store.connection, out)
    except OSError as error:
        raise OrderError(f"--output: cannot write {output}: {error.strerror}") from None
    if as_json:
        print_json({"output": str(output), "entries": head.seq, "head": head.hex})
    else:
        click.echo(f"{head.seq:,} entries in {output}, head {head.hex}")
