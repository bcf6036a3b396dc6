"""T13.10: heads published automatically, in an append-only text file beside the database.

Every line names an entry, its hash and when it was written. An organiser who keeps a copy, or yesterday's page, can
prove that nothing before it was changed or cut off. Where a key lies beside the database, every line is signed.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.store.connection import Subject
from arena.store.notes import Note, is_signature, signature_line
from ratings.ledger.chain import Head, head
from referee.keys import PublicKey, Signer, read_signer
from referee.logs import log
from referee.mistakes import UserError

HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class PublishedHead:
    """A line of the file."""

    seq: int
    hash: str
    signer: str = ""
    """The name of the key that signed it; empty if none did."""
    signature: str = ""

    def is_signed_by(self, key: PublicKey) -> bool:
        """T22.6: return whether a key has signed the checkpoint of this head."""
        text = checkpoint_text(self.signer, Head(self.seq, bytes.fromhex(self.hash)))
        return self.signer == key.name and is_signature(key, text, self.signature)


def checkpoint_text(origin: str, end: Head) -> str:
    """T22.6: the text of a checkpoint: whose ledger it is, its number of entries, and the hash of the last."""
    return f"{origin}\n{end.seq}\n{base64.b64encode(end.hash).decode('ascii')}\n"


def read_checkpoint(note: Note) -> tuple[str, Head]:
    """T22.6: return origin and head of a checkpoint; a UserError says what was expected."""
    origin, _, rest = note.text.partition("\n")
    size, _, more = rest.partition("\n")
    try:
        raw = base64.b64decode(more.partition("\n")[0], validate=True)
    except ValueError:
        raw = b""
    if not origin or not (size.isascii() and size.isdigit()) or len(raw) != HASH_BYTES:
        raise UserError("it is not a checkpoint; expected lines with an origin, a number of entries and a hash")
    return origin, Head(int(size), raw)


def key_file(db: Path) -> Path:
    """Return where the key lies that signs the heads of a database, if there is one."""
    return db.resolve().with_name(f"{db.resolve().name}.key")


def heads_file(db: Path) -> Path:
    """Return where the heads of a database are published."""
    return db.resolve().with_name(f"{db.resolve().name}.heads")


class HeadStore(Subject):
    """The heads of the ledger."""

    def latest(self) -> str:
        """T13.10: return the hash of the last entry."""
        with self._file.reading() as connection:
            return head(connection).hex

    def publish(self) -> None:
        """T13.10, T22.6: append the head as it is now, signed if there is a key; T22.8: count it.

        A folder that cannot be written to keeps no heads.
        """
        db = self._file.path()
        with self._file.reading() as connection:
            end = head(connection)
        if not db.name or end.seq == 0:
            return
        line = f"{end.seq} {end.hash.hex()} {datetime.now(UTC).isoformat(timespec='seconds')}"
        if (signer := _signer_of(db)) is not None:
            line += f" {signer.name} {signature_line(signer, checkpoint_text(signer.name, end))}"
        try:
            with heads_file(db).open("a", encoding="ascii") as file:
                file.write(f"{line}\n")
                file.flush()
                os.fsync(file.fileno())  # what is counted is there, even after a power cut
        except OSError:
            return
        with self._file.write() as connection:
            connection.execute(f"PRAGMA user_version = {self.published_count() + 1}")

    def published_count(self) -> int:
        """T22.8: return how many heads have been published, as the file's header counts them."""
        return int(self._file.value("PRAGMA user_version"))

    def hash_of(self, seq: int) -> str | None:
        """Return the hash of an entry; None if there is no such entry."""
        found = self._file.column("SELECT hash FROM entry WHERE seq = ?", seq)
        return bytes(found[0]).hex() if found else None


def _signer_of(db: Path) -> Signer | None:
    """Return the key beside a database; one that cannot be used is reported, and the head stays unsigned."""
    file = key_file(db)
    if not file.exists():
        return None
    try:
        return read_signer(file)
    except UserError as error:
        log.error("head.unsigned", reason=str(error))
        return None


def read_heads(file: Path) -> list[PublishedHead]:
    """Read a file of heads; a UserError names an invalid line. A truncated last line is left out."""
    try:
        lines = file.read_text(encoding="ascii").split("\n")[:-1]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{file}: is not a list of heads; expected lines of an entry's number and its hash") from None
    found = []
    for number, line in enumerate(lines, start=1):
        words = line.split(" ")
        seq, text = words[0], words[1] if len(words) > 1 else ""
        if not seq.isascii() or not seq.isdigit() or len(text) != 64 or set(text) - set("0123456789abcdef"):
            raise UserError(
                f"{file}, line {number}: {line[:80]!r} is not a head; expected an entry's number and its hash"
            )
        found.append(PublishedHead(int(seq), text, *(words[3:5] if len(words) == 5 else ())))
    return found
