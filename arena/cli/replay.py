"""arena replay: verify, show and export match records."""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from arena.cli.options import FILE, Source, db_option, reading, server_options, source_options
from arena.cli.output import print_json, printable, write_csv
from arena.cli.publish import write_site
from arena.remote.address import ServerAddress
from arena.reports.story import Viewpoint, as_data, rows, tell
from referee.mistakes import UserError
from referee.record import Record, RecordError, verify, without_comments

MATCH_ID = re.compile(r"[0-9a-f]{1,64}")
SEAL_KEY = b'"seal":"'
FORMATS = ("jsonl", "csv")
COLUMNS = (
    "match_id", "game", "step", "seat", "bot", "kind", "clause", "how", "action", "text",
    "own_us", "stall_us", "transport_us", "comment",
)  # fmt: skip


@click.group("replay")
def command() -> None:
    """Verify, show or export match records.

    A record is a file, or a match of a database or a server, named by the beginning of its ID.

    \b
    Example: arena replay show records/00001-*.jsonl
    """


def load_text(file: str, source: Source) -> str:
    """Return a record's text, from a file or by match id; a UserError says why there is none."""
    if is_match_id(file):
        return source.ask(
            lambda store: store.matches.record(store.matches.find(file).id), lambda client: client.replay(file)
        )
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    if SEAL_KEY not in data:
        raise UserError(f"{file}: is not a match record")
    # Every byte is kept, so that a changed one fails the seal check and not the decoding.
    return data.decode("latin-1")


def load_record(file: str, source: Source) -> Record:
    """Return a verified record; a UserError says why it is refused.

    If the match's round is still open, its bots' comments on their answers are left out.
    """
    try:
        record = verify(load_text(file, source))
    except RecordError as error:
        raise UserError(f"{file}: the record is refused: {error}") from None
    if source.server is not None or not is_match_id(file):
        return record
    store = reading(source.db)
    return record if store.matches.is_settled(store.matches.find(file)) else without_comments(record)


def is_match_id(file: str) -> bool:
    """Return whether a text names a match by its ID, and no file."""
    return MATCH_ID.fullmatch(file) is not None and not Path(file).exists()


@command.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE|ID…")
@source_options
def verify_command(files: tuple[str, ...], source: Source, as_json: bool) -> int:
    """Replay records and compare every digest; one line per file.

    The exit code is 1 if a record is refused, 2 if a file cannot be read.

    \b
    Example: arena replay verify records/*.jsonl
    """
    verdicts = [_verdict(file, source) for file in files]
    if as_json:
        print_json(verdicts)
    for verdict in verdicts:
        if verdict["verdict"] == "unreadable":
            click.echo(f"arena: {verdict['reason']}", err=True)
        elif not as_json:
            click.echo(f"{verdict['verdict']:8} {verdict['file']}  {verdict['reason']}")
    found = {verdict["verdict"] for verdict in verdicts}
    return 2 if "unreadable" in found else int("refused" in found)


def _verdict(file: str, source: Source) -> dict[str, Any]:
    try:
        record = verify(load_text(file, source))
    except UserError as error:
        return {"file": file, "verdict": "unreadable", "reason": str(error)}
    except RecordError as error:
        return {"file": file, "verdict": "refused", "reason": str(error)}
    about = f"{record.game.slug}, {record.seats} seats, {len(record.steps)} steps, {record.result['ending']}"
    signed = Counter(seat for _step, seat in record.signatures)
    told = [{"seat": seat, "key": record.header["keys"][seat], "choices": signed[seat]} for seat in sorted(signed)]
    about += "".join(f"; {each['choices']} choices of seat {each['seat']} signed by {each['key']}" for each in told)
    return {"file": file, "verdict": "verified", "reason": about, "digest": record.result_digest, "signed": told}


@command.command("show")
@click.argument("file", metavar="FILE|ID")
@click.option("--seat", type=click.IntRange(0), help="View as this seat, not as a spectator.")
@click.option("--open", "is_open", is_flag=True, help="Also show hidden information.")
@click.option("--board", "with_board", is_flag=True, help="Draw the board as text after every step.")
@source_options
def show_command(file: str, seat: int | None, is_open: bool, with_board: bool, source: Source, as_json: bool) -> None:
    """Show a match step by step.

    Every choice, its consequences, and the winner.

    \b
    Example: arena replay show records/00001-3f.jsonl --seat 1
    """
    record = load_record(file, source)
    if seat is not None and seat >= record.seats:
        raise UserError(f"--seat: {seat} is not allowed; expected 0 to {record.seats - 1}")
    if seat is not None and is_open:
        raise UserError("--open: a seat never sees everything; leave out --seat or --open")
    viewpoint = Viewpoint(seat, is_open)
    if as_json:
        print_json(as_data(record, viewpoint))
        return
    for line in tell(record, viewpoint, with_board=with_board):
        click.echo(printable(line))


@command.command("export")
@click.argument("files", nargs=-1, required=True, metavar="FILE|ID…")
@click.option(
    "--format", "form", default="jsonl", show_default=True, type=click.Choice(FORMATS), help="JSON Lines or CSV."
)
@click.option("--output", type=click.Path(dir_okay=False), help="Write to this file instead of standard output.")
@click.option(
    "--html", type=FILE, metavar="FILE.html", help="Write one match of the database as a self-contained page."
)
@server_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
def export_command(
    files: tuple[str, ...],
    form: str,
    output: str | None,
    html: Path | None,
    server: ServerAddress | None,
    db: Path,
    as_json: bool,
) -> None:
    """Export all choices of matches as a table, or one match as a page.

    The page is one file that steps through the match with its scores, and with the judge's curve and
    blunders if it was judged.

    \b
    Example: arena replay export records/*.jsonl --format csv --output choices.csv
    """
    if html is not None:
        if output is not None or server is not None or len(files) != 1 or not is_match_id(files[0]):
            raise UserError("--html: it writes one match of the database; expected its ID, and only --db and --json")
        write_site(lambda site: site.write_match(db, files[0], html), html, as_json=as_json)
        return
    out = sys.stdout if output is None else io.StringIO()
    table = (row for file in files for row in rows(load_record(file, Source(db, server))))
    if form == "csv" and not as_json:
        write_csv(out, (row | {"action": json.dumps(row["action"], ensure_ascii=False)} for row in table), COLUMNS)
    else:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in table)
    if isinstance(out, io.StringIO) and output is not None:  # only now: a refused record leaves no partial table behind
        try:
            Path(output).write_text(out.getvalue(), encoding="utf-8", newline="")
        except OSError as error:
            raise UserError(f"--output: cannot write {output}: {error.strerror}") from None
