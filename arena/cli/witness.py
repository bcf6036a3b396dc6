"""arena witness: sign a ledger's checkpoints, each only if it extends the last."""

from __future__ import annotations

import time
from pathlib import Path

import click

from arena.cli.options import FILE, json_option, reading
from arena.cli.output import print_json
from arena.store.notes import read_note
from arena.store.witness import RefusedError, cosign, payloads_of
from referee.keys import read_public_key, read_signer
from referee.mistakes import UserError

EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("witness")
@click.argument("checkpoint", type=EXISTING)
@click.option("--key", type=EXISTING, required=True, help="Your private key, of arena ledger key.")
@click.option("--state", type=FILE, required=True, help="The file in which you keep what you have signed.")
@click.option("--entries", type=EXISTING, help="The ledger, as arena ledger export writes it.")
@click.option("--db", type=EXISTING, help="The ledger, as the database that holds it.")
@click.option("--trust", metavar="KEY", help="The ledger's public key, the first time you see it: its text or a file.")
@click.option("--output", type=FILE, help="Write the signed checkpoint here instead of to standard output.")
@json_option
def command(
    checkpoint: Path,
    key: Path,
    state: Path,
    entries: Path | None,
    db: Path | None,
    trust: str | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Sign a ledger's checkpoint if it extends all you have signed.

    A witness is anybody with a key and a small file: it follows the ledger from its first entry through the head it has
    signed last to the one in CHECKPOINT, and signs that with the time. Nobody can then show another history with its
    signature. The exit code is 1 if it refuses.

    \b
    Example: arena witness c.note --key me.key --entries l.jsonl --state s.json
    """
    if (entries is None) == (db is None):
        raise UserError("expected the ledger, as either --entries or --db")
    note, signer = read_note(checkpoint), read_signer(key)
    trusted = None if trust is None else read_public_key(trust)
    try:
        if entries is not None:
            with entries.open(encoding="utf-8") as lines:
                signed = cosign(note, payloads_of(lines), state, signer, trusted, int(time.time()))
        else:
            assert db is not None
            payloads = reading(db).evidence.payloads()
            signed = cosign(note, payloads, state, signer, trusted, int(time.time()))
    except RefusedError as refusal:
        if as_json:
            print_json({"is_signed": False, "reason": str(refusal)})
        else:
            click.echo(f"refused: {refusal}")
        return 1
    except UnicodeDecodeError:
        raise UserError(f"--entries: {entries} is not text in UTF-8") from None
    if output is not None:
        try:
            output.write_text(str(signed), encoding="utf-8")
        except OSError as error:
            raise UserError(f"--output: cannot write {output}: {error.strerror}") from None
    if as_json:
        print_json({"is_signed": True, "note": str(signed)})
    elif output is None:
        click.echo(str(signed), nl=False)
    return 0
