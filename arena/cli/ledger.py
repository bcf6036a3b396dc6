"""arena ledger: verify it, rebuild the tables derived from it, export it."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO

import click
import trio

from arena.bots.scratch import scratch_folder
from arena.cli.corrections import clean, epoch, mend, void
from arena.cli.options import FILE, connect, db_option, json_option, reading, server_options, writing
from arena.cli.output import print_json, printable, progress, say
from arena.cli.reproduce import command as reproduce_command
from arena.cli.signing import EXISTING, check_statement, checkpoint, key, public_key_option, public_keys
from arena.ladder.calibration import ledger_lines
from arena.remote.address import ServerAddress
from arena.reports.audit import Examiner, replay_records
from arena.reports.row_audit import head_faults, head_notes, row_faults
from arena.reports.signed_heads import checkpoint_faults, gone_faults, signature_faults
from arena.store.database import Store
from arena.store.heads import PublishedHead, heads_file, read_heads
from arena.store.notes import read_note
from ratings.fit.refit import refit_fault
from ratings.ledger import chain, derived_tables
from ratings.ledger.audit import Audit, Finding, audit
from ratings.ledger.chain import export_lines, find_hash, import_lines
from referee.keys import PublicKey
from referee.mistakes import UserError

HASH = re.compile(r"[0-9a-f]{64}")


@click.group("ledger")
def command() -> None:
    """Verify the ledger, rebuild its tables, export or correct it.

    \b
    Example: arena ledger verify --replay
    """


for _command in (void, clean, epoch, mend, reproduce_command, key, checkpoint, check_statement):
    command.add_command(_command)


@command.command("verify")
@click.option("--replay", "with_replay", is_flag=True, help="Replay every record and compare it with its entry.")
@click.option("--head", "published", metavar="HASH", help="A published head, which must be in the chain.")
@click.option(
    "--heads", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A copy of the published heads to compare with.  [default: the file DB.heads]",
)  # fmt: skip
@public_key_option
@click.option("--checkpoint", "checkpoints", multiple=True, type=EXISTING, help="A signed checkpoint to compare with.")
@click.option("--pairings/--no-pairings", default=True, show_default=True, help="Draw every round again.")
@click.option(
    "--entries", "exported", type=EXISTING, metavar="FILE",
    help="Check an exported ledger instead of a database; its name ends in .xz if it is compressed.",
)  # fmt: skip
@server_options
@db_option
@json_option
def verify(
    with_replay: bool,
    published: str | None,
    heads: Path | None,
    keys: tuple[str, ...],
    checkpoints: tuple[Path, ...],
    pairings: bool,
    exported: Path | None,
    server: ServerAddress | None,
    db: Path,
    as_json: bool,
) -> int:
    """Verify the whole ledger and report every fault.

    It checks the chain of hashes, recomputes ratings, bank, Elo and fits, draws every round and judges every test and
    claim again, and compares entries with stored rows. The exit code is 1 if there is any fault. Tests without a
    verdict and pairs tested again are listed, but are not errors. The printed head identifies the whole ledger: publish
    it, and nobody can change the ledger unnoticed. Heads are also appended to DB.heads when a tournament begins or
    ends, a round closes or a test ends, and checked here; a file of heads that is gone is a fault. With --key,
    signatures are checked: every key must have signed each --checkpoint, or, without one, the heads from its first
    signature on. With --server a server's entries are fetched and checked here, without its stored rows; with --entries
    those of an export.

    \b
    Example: arena ledger verify --replay --head 5d0c…
    """
    if published is not None and not HASH.fullmatch(published):
        raise UserError(f"--head: {published!r} is not a hash; expected 64 digits from 0 to f")
    trusted = public_keys(keys)
    if server is not None and exported is not None:
        raise UserError("--entries: not allowed with --server; expected one of them")
    if server is not None or exported is not None:
        if trusted or checkpoints:
            raise UserError("--key, --checkpoint: they are compared with a database; fetch one, or its head, first")
        if with_replay:
            place = "a server keeps its records" if server is not None else "an exported ledger has no records"
            raise UserError(f"--replay: {place}; check single ones with arena replay verify")
    if exported is not None:
        with ledger_lines(exported) as lines:
            return _verify_lines(lines, f"--entries: the ledger in {exported}", published, as_json=as_json)
    if server is not None:
        with connect(server) as client:
            lines = (line for piece in client.ledger() for line in _lines(piece))
            return _verify_lines(lines, f"--server: the ledger from {server.address}", published, as_json=as_json)
    store = reading(db)
    with store.reading() as connection, progress(is_shown=not as_json) as bars:

        def bar(name: str, total: int) -> Callable[[], None]:
            return partial(bars.advance, bars.add_task(name, total=total))

        found_at = _entry_of(connection, published)
        examiner = Examiner(store, with_pairings=pairings, advance=bar("entries", chain.head(connection).seq))
        expected = published if found_at is None else None
        report = audit(connection, expected_head=expected, refit=refit_fault, examine=examiner)
        kept = read_heads(heads_file(db) if heads is None else heads)
        findings = [*report.findings, *examiner.rest(), *row_faults(store), *head_faults(store, kept)]
        # A head given by hand, or a signed one, needs no heads file.
        is_compared = found_at is not None or bool(checkpoints)
        gone = [] if heads is not None or is_compared else [*gone_faults(store, kept, heads_file(db))]
        findings += gone
        findings += _signature_faults(store, kept, checkpoints, trusted)
        by_heads = () if is_compared or gone else head_notes(store, kept)
        report = replace(report, notes=(*report.notes, *examiner.notes(), *by_heads))
        records, signed = None, None
        if with_replay:
            records = store.evidence.entered_count()
            processes = max(1, min(os.cpu_count() or 1, 8, records))
            replayed = trio.run(replay_records, store, processes, bar("records", records))
            findings += replayed.findings
            signed = replayed.signed
    _print_verdict(report, findings, found_at, examiner.drawn if pairings else None, records, signed, as_json=as_json)
    return int(bool(findings))


def _signature_faults(
    store: Store, published: Sequence[PublishedHead], checkpoints: Sequence[Path], keys: Sequence[PublicKey]
) -> Iterator[Finding]:
    """T22.6: yield the faults of signatures, of checkpoints if there are any, and otherwise of the published heads."""
    for file in checkpoints:
        yield from checkpoint_faults(store, str(file), read_note(file), keys)
    if not checkpoints:
        yield from signature_faults(published, keys)


def _print_verdict(
    report: Audit,
    findings: Sequence[Finding],
    found_at: int | None,
    drawn: int | None,
    records: int | None,
    signed: Mapping[tuple[str, str], int] | None,
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_json(
            {
                "is_clean": not findings,
                "entries": report.entries,
                "head": report.head.hex,
                "published_head_is_entry": found_at,
                "pairings_drawn": drawn,
                "records_replayed": records,
                "signed_choices": None
                if signed is None
                else [{"bot": bot, "key": author, "choices": count} for (bot, author), count in signed.items()],
                "findings": [{"fault": each.fault, "entry": each.seq, "message": each.message} for each in findings],
                "notes": report.notes,
            }
        )
        return
    for line in (*findings, *report.notes):
        click.echo(printable(str(line)))
    for (bot, author), count in (signed or {}).items():
        click.echo(printable(f"{bot}: {count:,} choices signed by {author}"))
    again = "" if drawn is None else f", {drawn:,} rounds drawn again"
    replayed = "" if records is None else f", {records:,} records replayed"
    faults = "1 fault" if len(findings) == 1 else f"{len(findings) or 'no'} faults"
    click.echo(f"{report.entries:,} entries read{again}{replayed}: {faults}")
    if found_at is not None:
        click.echo(f"the head given is entry {found_at}")
    click.echo(f"head {report.head.hex}")


def _entry_of(connection: sqlite3.Connection, published: str | None) -> int | None:
    """Return the entry with a published hash: the ledger may have grown since."""
    return None if published is None else find_hash(connection, bytes.fromhex(published))


def _verify_lines(lines: Iterable[str], whose: str, published: str | None, *, as_json: bool) -> int:
    """Import entries into a separate ledger, recompute everything derived from them, and check it."""
    with (
        scratch_folder() as folder,
        closing(sqlite3.connect(Path(folder, "ledger.db"), isolation_level=None)) as connection,
    ):
        try:
            derived_tables.create_tables(connection)
            import_lines(connection, lines)
            derived_tables.rebuild(connection)
            found_at = _entry_of(connection, published)
            report = audit(connection, expected_head=published if found_at is None else None, refit=refit_fault)
        except (chain.LedgerError, ValueError, LookupError, TypeError) as error:
            raise UserError(f"{whose} is incomplete: {error}") from None
    _print_verdict(report, report.findings, found_at, None, None, None, as_json=as_json)
    return int(not report.is_clean)


@command.command("recompute")
@db_option
@json_option
def recompute(db: Path, as_json: bool) -> int:
    """Rebuild ratings, histories and totals from the entries.

    The exit code is 1 if they were wrong; they are right afterwards.

    \b
    Example: arena ledger recompute
    """
    store = writing(db)
    with store.write() as connection:
        before = {table: store.evidence.table_digest(table) for table in derived_tables.DERIVED}
        derived_tables.rebuild(connection)
        store.fits.forget()
        after = {table: store.evidence.table_digest(table) for table in derived_tables.DERIVED}
    wrong = [table for table in derived_tables.DERIVED if before[table] != after[table]]
    corrected = f"{', '.join(wrong)} did not match the entries; they do now."
    text = corrected if wrong else "All tables matched the entries."
    say(text, {"was_equal": not wrong, "differed": wrong}, as_json=as_json)
    return int(bool(wrong))


@command.command("export")
@click.option("--output", type=FILE, help="Write to this file instead of standard output.")
@server_options
@db_option
@json_option
def export(output: Path | None, server: ServerAddress | None, db: Path, as_json: bool) -> None:
    """Export the chain as JSON Lines for anyone to check.

    Every line has payload, prev and hash; the hash is SHA-256 of the bytes of prev and of the payload's text. With
    --output, --json makes the report on standard output JSON; the lines are JSON anyway.

    \b
    Example: arena ledger export --output ledger.jsonl
    """
    if output is None:
        _write_lines(sys.stdout, server, db)
        return
    try:
        with output.open("w", encoding="utf-8") as out:
            entries, head = _write_lines(out, server, db)
    except OSError as error:
        raise UserError(f"--output: cannot write {output}: {error.strerror}") from None
    text = f"{entries:,} entries in {output}, head {head}"
    say(text, {"output": str(output), "entries": entries, "head": head}, as_json=as_json)


def _write_lines(out: IO[str], server: ServerAddress | None, db: Path) -> tuple[int, str]:
    """Write the chain and return its number of entries and its head."""
    if server is None:
        store = reading(db)
        with store.reading() as connection:
            end = export_lines(connection, out)
        return end.seq, end.hex
    entries, last = 0, ""
    with connect(server) as client:
        for piece in client.ledger():
            out.write(piece)
            lines = _lines(piece)
            entries, last = entries + len(lines), lines[-1]
    return entries, json.loads(last)["hash"] if last else ""


def _lines(piece: str) -> list[str]:
    """Return the lines of a part of the ledger, split at line feeds only."""
    return piece.removesuffix("\n").split("\n")
