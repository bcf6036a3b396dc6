"""arena ledger key, checkpoint and check-statement: what an organiser signs, and what others check."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from arena.cli.options import FILE, db_option, json_option, reading
from arena.cli.output import print_json, printable, say
from arena.store.heads import checkpoint_text, key_file
from arena.store.notes import Note, read_note
from ratings.ledger import chain
from ratings.ledger.chain import canonical_json
from referee.keys import PublicKey, make_signer, read_public_key, read_signer, write_signer
from referee.mistakes import UserError

EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
STATEMENT = "arena ledger reproduce"

public_key_option = click.option(
    "--key", "keys", multiple=True, metavar="KEY", help="A public key that must have signed: its text, or a file."
)


def public_keys(given: Sequence[str]) -> list[PublicKey]:
    """Return the public keys of --key."""
    try:
        return [read_public_key(each) for each in given]
    except UserError as error:
        raise UserError(f"--key: {error}") from None


def write_note(note: Note, output: Path | None, option: str = "--output") -> None:
    """Write a note to a file, or to standard output."""
    if output is None:
        click.echo(str(note), nl=False)
        return
    try:
        output.write_text(str(note), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{option}: cannot write {output}: {error.strerror}") from None


@click.command("key")
@click.argument("name")
@click.option("--output", type=FILE, required=True, help="The new file of the private key; keep it to yourself.")
@json_option
def key(name: str, output: Path, as_json: bool) -> None:
    """Make a key for signatures and print its public part.

    NAME says whose signatures they are, such as the host of your pages. A key in DB.key signs every head that is
    published from then on. Publish the public key where people know you.

    \b
    Example: arena ledger key arena.example --output arena.db.key
    """
    signer = make_signer(name)
    write_signer(signer, output)
    public = str(signer.public_key)
    say(public, {"public_key": public, "private_key_file": str(output)}, as_json=as_json)


@click.command("checkpoint")
@click.option("--key", "key_path", type=EXISTING, help="The private key to sign with.  [default: the file DB.key]")
@click.option("--output", type=FILE, help="Write to this file instead of standard output.")
@db_option
@json_option
def checkpoint(key_path: Path | None, output: Path | None, db: Path, as_json: bool) -> None:
    """Sign the ledger's head as a checkpoint.

    It is a signed note as transparency logs have it (C2SP): a line with the name of the key, one with the number of
    entries, one with the hash of the last, and below them the signature.

    \b
    Example: arena ledger checkpoint --key arena.db.key --output cup.checkpoint
    """
    store = reading(db)
    with store.reading() as connection:
        end = chain.head(connection)
    if key_path is None and not key_file(db).is_file():
        raise UserError(f"--key: missing, and {key_file(db).name} does not exist; arena ledger key makes a key")
    signer = read_signer(key_file(db) if key_path is None else key_path)
    note = Note(checkpoint_text(signer.name, end)).signed_by(signer)
    if as_json:
        print_json({"origin": signer.name, "entries": end.seq, "head": end.hex, "note": str(note)})
    if output is not None or not as_json:
        write_note(note, output)


def signed_statement(told: dict[str, Any], key_path: Path) -> Note:
    """T22.5: return what a reproduction found, signed."""
    return Note(canonical_json(told) + "\n").signed_by(read_signer(key_path))


@click.command("check-statement")
@click.argument("file", type=EXISTING)
@public_key_option
@click.option("--db", type=EXISTING, help="A database whose ledger must be the one that was reproduced.")
@json_option
def check_statement(file: Path, keys: tuple[str, ...], db: Path | None, as_json: bool) -> int:
    """Check a statement of arena ledger reproduce, and show it.

    Every --key must have signed it. With --db its head must be in that ledger, and its sample the one that its seed
    draws there. The exit code is 1 if anything is wrong.

    \b
    Example: arena ledger check-statement cup.statement --key examiner.pub
    """
    if not keys:
        raise UserError("--key: missing; expected the public key of those who made the statement")
    note = read_note(file)
    told = _statement(file, note)
    faults = [f"it bears no valid signature of {each}" for each in public_keys(keys) if not note.is_signed_by(each)]
    counts = (told["reproduced"], len(told["differences"]), sum(told["not_reproducible"].values()))
    if sum(counts) != len(told["sample"]) or counts[2] != len(told["hindered"]):
        faults.append(f"its counts, {counts[0]:,}, {counts[1]:,} and {counts[2]:,}, do not add up to its sample")
    if db is not None:
        faults += _ledger_faults(db, told)
    if as_json:
        print_json({"is_valid": not faults, "faults": faults, "statement": told})
        return int(bool(faults))
    for fault in faults:
        click.echo(printable(f"{file}: {fault}"))
    said = "{:,} reproduced, {:,} different, {:,} not reproducible".format(*counts)
    click.echo(printable(f"{told['at']}: of {len(told['sample']):,} matches {said}; head {told['head']}"))
    return int(bool(faults))


def _ledger_faults(db: Path, told: dict[str, Any]) -> Iterator[str]:
    """T22.5: yield how a statement differs from a ledger: in its head, or in the matches that its seed draws."""
    store = reading(db)
    found = store.heads.hash_of(told["entries"])
    if found != told["head"]:
        yield f"entry {told['entries']} of {db} is {found or 'missing'}, the statement says {told['head']}"
        return
    entered = [json.loads(payload)["match"] for seq, payload in store.evidence.entered() if seq <= told["entries"]]
    if told["matches_entered"] != len(entered):
        yield f"{len(entered):,} matches were entered, the statement says {told['matches_entered']:,}"
    if strange := [match_id for match_id in told["sample"] if match_id not in set(entered)]:
        yield f"match {strange[0]} of the sample was never entered"
    elif told["sample_seed"] is not None:
        from arena.play.reproducing import drawn_ids

        if told["sample"] != drawn_ids(entered, len(told["sample"]), told["sample_seed"]):
            yield f"the sample is not the one that seed {told['sample_seed']} draws"


def _statement(file: Path, note: Note) -> dict[str, Any]:
    """Return what a statement says; a UserError if the note is none."""
    try:
        told: dict[str, Any] = json.loads(note.text)
        is_one = (
            told["kind"] == STATEMENT
            and isinstance(told["entries"], int)
            and all(isinstance(told[key], str) for key in ("head", "at"))
            and all(isinstance(told[key], list) for key in ("sample", "differences", "hindered"))
            and all(isinstance(match_id, str) for match_id in told["sample"])
            and all(isinstance(told[key], int) for key in ("reproduced", "matches_entered"))
            and isinstance(told["sample_seed"], int | None)
            and all(isinstance(count, int) for count in told["not_reproducible"].values())
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        is_one = False
    if not is_one:
        raise UserError(f"{file}: is not a statement of {STATEMENT}")
    return told
