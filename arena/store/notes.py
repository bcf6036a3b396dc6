"""Signed notes: a text with Ed25519 signatures below it, in the formats of C2SP.

A note (signed-note), the keys of its signers, and the cosignatures of witnesses (tlog-cosignature) are those that
transparency logs use, so that other tools can check them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.keys import (
    COSIGNED,
    ID_BYTES,
    NAME,
    SIGNATURE_BYTES,
    SIGNED,
    PublicKey,
    Signer,
    from_base64,
    in_base64,
    read_text,
)
from referee.mistakes import UserError

TIME_BYTES = 8
DASH = "\N{EM DASH}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text, which ends with a line break, and its signature lines: names and base64."""

    text: str
    signatures: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.text + "\n" + "".join(f"{DASH} {name} {encoded}\n" for name, encoded in self.signatures)

    def signed_by(self, signer: Signer) -> Note:
        """Return the note with a signature more."""
        return Note(self.text, (*self.signatures, (signer.name, signature_line(signer, self.text))))

    def cosigned_by(self, signer: Signer, at: int) -> Note:
        """Return the note with a witness's signature more."""
        return Note(self.text, (*self.signatures, (signer.name, cosignature_line(signer, self.text, at))))

    def is_signed_by(self, public_key: PublicKey) -> bool:
        """Return whether a key has signed or cosigned the text; a wrong signature under its id is refused."""
        claims = [_claimed(encoded, public_key) for name, encoded in self.signatures if name == public_key.name]
        made = [claim for claim in claims if claim is not None]
        return bool(made) and all(
            public_key.has_signed((self.text if at is None else _with_time(self.text, at)).encode(), signature)
            for at, signature in made
        )

    @staticmethod
    def parse(text: str) -> Note:
        """Read a note; a UserError says what was expected."""
        body, blank, rest = text.rpartition("\n\n")
        lines = [_signature_line(line) for line in rest.removesuffix("\n").split("\n")] if blank else []
        signatures = [line for line in lines if line is not None]
        if not signatures or len(signatures) != len(lines) or not rest.endswith("\n"):
            raise UserError("it is not a signed note; expected a text, an empty line and lines with signatures")
        return Note(f"{body}\n", tuple(signatures))


def is_signature(public_key: PublicKey, text: str, encoded: str) -> bool:
    """Return whether a signature line's base64 is that of a key over a text."""
    return Note(text, ((public_key.name, encoded),)).is_signed_by(public_key)


def read_note(file: Path) -> Note:
    """Read a note from a file; a UserError names the file."""
    try:
        return Note.parse(read_text(file))
    except UserError as error:
        raise UserError(f"{file}: {str(error).removeprefix(f'{file}: ')}") from None


def _signature_line(line: str) -> tuple[str, str] | None:
    words = line.split(" ")
    if len(words) != 3 or words[0] != DASH or not NAME.fullmatch(words[1]) or not from_base64(words[2]):
        return None
    return words[1], words[2]


def _claimed(encoded: str, public_key: PublicKey) -> tuple[int | None, bytes] | None:
    """Return the time, if it has one, and the signature of a line that names a key; None if it names another."""
    raw = from_base64(encoded) or b""
    key, rest = raw[:ID_BYTES], raw[ID_BYTES:]
    if key == public_key.id_of(SIGNED) and len(rest) == SIGNATURE_BYTES:
        return None, rest
    if key == public_key.id_of(COSIGNED) and len(rest) == TIME_BYTES + SIGNATURE_BYTES:
        return int.from_bytes(rest[:TIME_BYTES], "big"), rest[TIME_BYTES:]
    return None


def cosigned_at(note: Note, public_key: PublicKey) -> Iterator[int]:
    """Yield when a witness has signed a note, in seconds since 1970."""
    for name, encoded in note.signatures:
        claim = _claimed(encoded, public_key) if name == public_key.name else None
        if claim is not None and claim[0] is not None:
            yield claim[0]


def _with_time(text: str, at: int) -> str:
    return f"cosignature/v1\ntime {at}\n{text}"


def signature_line(signer: Signer, text: str) -> str:
    """Return the base64 of a signature line: the key's id and the signature."""
    return in_base64(signer.public_key.id_of(SIGNED) + signer.signature(text.encode()))


def cosignature_line(signer: Signer, text: str, at: int) -> str:
    """Return the base64 of a witness's signature line: the key's id, the time and the signature over both."""
    signature = signer.signature(_with_time(text, at).encode())
    return in_base64(signer.public_key.id_of(COSIGNED) + at.to_bytes(TIME_BYTES, "big") + signature)
