"""T13.10: heads published by themselves, in a text file beside the database that is only ever appended to.

Every line names an entry, its hash and when it was written. An organiser who keeps a copy, or yesterday's page, can
prove that nothing before it was changed or cut off.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.store.connection import Subject
from ratings.ledger.chain import head
from referee.mistakes import UserError


@dataclass(frozen=True, slots=True)
class PublishedHead:
    """A line of the file."""

    seq: int
    hash: str


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
        """Append the head as it is now; a folder that cannot be written to keeps no heads."""
        db = self._file.path()
        with self._file.reading() as connection:
            end = head(connection)
        if not db.name or end.seq == 0:
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with suppress(OSError), heads_file(db).open("a", encoding="ascii") as file:
            file.write(f"{end.seq} {end.hash.hex()} {now}\n")

    def hash_of(self, seq: int) -> str | None:
        """Return the hash of an entry; None if there is no such entry."""
        found = self._file.column("SELECT hash FROM entry WHERE seq = ?", seq)
        return bytes(found[0]).hex() if found else None


def read_heads(file: Path) -> list[PublishedHead]:
    """Read a file of heads; a UserError names a line that is none. A last line that was cut short is left out."""
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
        seq, _, rest = line.partition(" ")
        text = rest.partition(" ")[0]
        if not seq.isascii() or not seq.isdigit() or len(text) != 64 or set(text) - set("0123456789abcdef"):
            raise UserError(
                f"{file}, line {number}: {line[:80]!r} is not a head; expected an entry's number and its hash"
            )
        found.append(PublishedHead(int(seq), text))
    return found
