"""T22: heads that are gone, and signatures under heads and checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.store.database import Store
from arena.store.heads import PublishedHead, read_checkpoint
from arena.store.notes import Note
from ratings.ledger.audit import Fault, Finding
from referee.keys import PublicKey
from referee.mistakes import UserError


def gone_faults(store: Store, published: Sequence[PublishedHead], file: Path) -> Iterator[Finding]:
    """T22.8: yield a fault if heads were published that the file beside the database no longer has."""
    count = store.heads.published_count()
    if len(published) < count:
        left = f"has {len(published):,} of them" if published else "is gone or empty"
        message = f"{count:,} heads were published, but {file.name} {left}; give a copy of the file, or a head you kept"
        yield Finding(Fault.HEAD, None, message)


def signature_faults(published: Sequence[PublishedHead], keys: Sequence[PublicKey]) -> Iterator[Finding]:
    """T22.6: yield the heads that a key should have signed: from the first line on that bears its name."""
    for key in keys:
        lines = list(published)
        while lines and lines[0].signer != key.name:
            lines.pop(0)
        if not lines:
            yield Finding(Fault.HEAD, None, f"no published head is signed by {key.name}")
        for each in lines:
            if not each.is_signed_by(key):
                how = "is not signed" if not each.signer else "has a wrong signature"
                yield Finding(Fault.HEAD, each.seq, f"the head of entry {each.seq} {how}; expected one of {key}")


def checkpoint_faults(store: Store, name: str, note: Note, keys: Sequence[PublicKey]) -> Iterator[Finding]:
    """T22.6, T22.7: yield the faults of a checkpoint: the chain must have it, and every key must have signed it."""
    try:
        _origin, end = read_checkpoint(note)
    except UserError as error:
        raise UserError(f"{name}: {error}") from None
    found = store.heads.hash_of(end.seq)
    if found != end.hex:
        message = f"{name}: entry {end.seq} was signed as {end.hex}, and is {found or 'gone'}"
        yield Finding(Fault.HEAD, end.seq, message)
    for key in keys:
        if not note.is_signed_by(key):
            yield Finding(Fault.HEAD, end.seq, f"{name}: it bears no valid signature of {key}")
