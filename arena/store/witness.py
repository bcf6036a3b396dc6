"""T22.7: a witness: it signs a checkpoint only if it extends what it has signed before.

Two checkpoints of one ledger that contradict each other cannot both have its signature.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.store.heads import read_checkpoint
from arena.store.notes import Note
from ratings.ledger.chain import FIRST_PREVIOUS, Head, entry_hash
from referee.keys import PublicKey, Signer
from referee.mistakes import UserError


class RefusedError(Exception):
    """A witness does not sign; the message says why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a witness knows of a ledger: its key, and the last head it has signed."""

    key: str
    entries: int
    hash: str


def cosign(
    note: Note, payloads: Iterable[str], state: Path, signer: Signer, trusted: PublicKey | None, at: int
) -> Note:
    """T22.7: return a checkpoint with the witness's signature, once its state file has it.

    `payloads` are the entries of the ledger from the first on. A ledger that is seen for the first time needs its
    `trusted` key. A RefusedError says what contradicts what was signed before.
    """
    origin, end = read_checkpoint(note)
    with _locked(state):
        known = _read_state(state)
        seen = known.get(origin)
        key = _key(origin, seen, trusted)
        if not note.is_signed_by(key):
            raise RefusedError(f"the checkpoint bears no valid signature of {key}")
        if seen is not None and end.seq < seen.entries:
            raise RefusedError(f"it has {end.seq} entries, and I have signed {seen.entries}")
        _check_chain(payloads, end, seen)
        _write_state(state, known | {origin: Seen(str(key), end.seq, end.hex)})
    return note.cosigned_by(signer, at)


def _key(origin: str, seen: Seen | None, trusted: PublicKey | None) -> PublicKey:
    if seen is None:
        if trusted is None:
            raise UserError(f"{origin} is new to this witness; expected its public key in `trust`")
        if trusted.name != origin:
            raise UserError(f"trust: the key is that of {trusted.name}, and the checkpoint that of {origin}")
        return trusted
    if trusted is not None and str(trusted) != seen.key:
        raise UserError(f"trust: {origin} was first seen with the key {seen.key}")
    return PublicKey.parse(seen.key)


def _check_chain(payloads: Iterable[str], end: Head, seen: Seen | None) -> None:
    """Follow the chain of entries through the head that was signed before to the one that is to be signed."""
    last = Head(0, FIRST_PREVIOUS)
    for seq, payload in enumerate(payloads, start=1):
        if seq > end.seq:
            break
        last = Head(seq, entry_hash(last.hash, payload))
        if seen is not None and seq == seen.entries and last.hex != seen.hash:
            raise RefusedError(f"entry {seq} is {last.hex}, and I have signed it as {seen.hash}")
    if last.seq != end.seq:
        raise RefusedError(f"the ledger given ends with entry {last.seq}, and the checkpoint has {end.seq}")
    if last.hash != end.hash:
        raise RefusedError(f"entry {end.seq} is {last.hex}, and the checkpoint has {end.hex}")


def payloads_of(lines: Iterable[str]) -> Iterator[str]:
    """Yield the payloads of an exported ledger; a UserError names a line that is none of one."""
    for number, line in enumerate(lines, start=1):
        try:
            payload = json.loads(line)["payload"]
        except (ValueError, LookupError, TypeError):
            payload = None
        if not isinstance(payload, str):
            raise UserError(f"entries: line {number} is not an entry; expected the output of arena ledger export")
        yield payload


@contextmanager
def _locked(state: Path) -> Iterator[None]:
    """Keep two runs from signing at the same time."""
    try:
        descriptor = os.open(state.with_name(f"{state.name}.lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UserError(f"state: cannot write {state}: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _read_state(state: Path) -> dict[str, Seen]:
    try:
        plain: Any = json.loads(state.read_text(encoding="utf-8"))
        return {
            origin: Seen(str(each["key"]), int(each["entries"]), str(each["hash"])) for origin, each in plain.items()
        }
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(f"state: cannot read {state}: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        # Never begin again: a witness that forgets would sign a second history.
        raise UserError(f"state: {state} is not the state of a witness") from None


def _write_state(state: Path, known: dict[str, Seen]) -> None:
    plain = {
        origin: {"key": seen.key, "entries": seen.entries, "hash": seen.hash} for origin, seen in sorted(known.items())
    }
    written = state.with_name(f"{state.name}.new")
    try:
        with written.open("w", encoding="utf-8") as out:
            json.dump(plain, out, indent=2)
            out.write("\n")
            out.flush()
            os.fsync(out.fileno())
        written.replace(state)
    except OSError as error:
        raise UserError(f"state: cannot write {state}: {error.strerror}") from None
