"""Signed notes: a text with Ed25519 signatures below it, in the formats of C2SP.

A note (signed-note), the keys of its signers, and the cosignatures of witnesses (tlog-cosignature) are those that
transparency logs use, so that other tools can check them.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from referee.mistakes import UserError

SIGNED, COSIGNED = b"\x01", b"\x04"  # the algorithms of C2SP: Ed25519, and Ed25519 over a text with a time
PRIVATE = "PRIVATE+KEY"
KEY_BYTES, SIGNATURE_BYTES, ID_BYTES, TIME_BYTES = 32, 64, 4, 8
NAME = re.compile(r"[!-*,-~]{1,100}")  # printable ASCII without space and plus
MAX_NOTE_BYTES = 64 << 20
DASH = "\N{EM DASH}"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public key of a signer, and its name."""

    name: str
    public: bytes

    def __str__(self) -> str:
        return f"{self.name}+{self.id_of(SIGNED).hex()}+{_encoded(SIGNED + self.public)}"

    def id_of(self, algorithm: bytes) -> bytes:
        """Return by what a signature names its key."""
        return sha256(f"{self.name}\n".encode() + algorithm + self.public).digest()[:ID_BYTES]

    @staticmethod
    def parse(text: str) -> PublicKey:
        """Read a public key such as `arena.example+1a2b3c4d+A…`; a UserError says what was expected."""
        name, _, rest = text.strip().partition("+")
        digits, _, encoded = rest.partition("+")
        raw = _decoded(encoded)
        if raw is not None and len(raw) == 1 + KEY_BYTES and raw[:1] in (SIGNED, COSIGNED) and NAME.fullmatch(name):
            found = PublicKey(name, raw[1:])
            if found.id_of(raw[:1]).hex() == digits:
                return found
        raise UserError(
            f"{text.strip()[:80]!r} is not a public key; expected NAME+HASH+KEY, as arena ledger key prints"
        )

    def is_of(self, text: str, signature: bytes) -> bool:
        """Return whether this key has signed a text."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key with the name of its owner."""

    name: str
    seed: bytes

    def __repr__(self) -> str:
        return f"Signer({self.name!r})"  # without its secret

    @property
    def public_key(self) -> PublicKey:
        """The public key."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return PublicKey(self.name, Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw())

    def signature(self, text: str) -> bytes:
        """Sign a text."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())

    def sign(self, text: str) -> str:
        """Return the base64 of a signature line: the key's id and the signature."""
        return _encoded(self.public_key.id_of(SIGNED) + self.signature(text))

    def cosign(self, text: str, at: int) -> str:
        """Return the base64 of a witness's signature line: the key's id, the time and the signature over both."""
        signature = self.signature(_with_time(text, at))
        return _encoded(self.public_key.id_of(COSIGNED) + at.to_bytes(TIME_BYTES, "big") + signature)


@dataclass(frozen=True, slots=True)
class Note:
    """A text, which ends with a line break, and its signature lines: names and base64."""

    text: str
    signatures: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.text + "\n" + "".join(f"{DASH} {name} {encoded}\n" for name, encoded in self.signatures)

    def signed_by(self, signer: Signer) -> Note:
        """Return the note with a signature more."""
        return Note(self.text, (*self.signatures, (signer.name, signer.sign(self.text))))

    def cosigned_by(self, signer: Signer, at: int) -> Note:
        """Return the note with a witness's signature more."""
        return Note(self.text, (*self.signatures, (signer.name, signer.cosign(self.text, at))))

    def is_signed_by(self, public_key: PublicKey) -> bool:
        """Return whether a key has signed or cosigned the text; a wrong signature under its id is refused."""
        claims = [_claimed(encoded, public_key) for name, encoded in self.signatures if name == public_key.name]
        made = [claim for claim in claims if claim is not None]
        return bool(made) and all(
            public_key.is_of(self.text if at is None else _with_time(self.text, at), signature)
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


def make_signer(name: str) -> Signer:
    """Return a new key; a UserError refuses a name that a note cannot have."""
    if not NAME.fullmatch(name):
        raise UserError(f"NAME: {name!r} is not allowed; expected ASCII without spaces and plus signs, such as a host")
    return Signer(name, os.urandom(KEY_BYTES))


def write_signer(signer: Signer, file: Path) -> None:
    """Write a private key to a new file that only its owner may read; a UserError says why it cannot."""
    text = f"{PRIVATE}+{signer.name}+{signer.public_key.id_of(SIGNED).hex()}+{_encoded(SIGNED + signer.seed)}\n"
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        out.write(text)


def read_signer(file: Path) -> Signer:
    """Read a private key; a UserError names the file, never its content."""
    text = read_text(file).strip()
    name, _, rest = text.removeprefix(f"{PRIVATE}+").partition("+")
    digits, _, encoded = rest.partition("+")
    raw = _decoded(encoded)
    is_key = text.startswith(f"{PRIVATE}+") and NAME.fullmatch(name) is not None
    if is_key and raw is not None and len(raw) == 1 + KEY_BYTES and raw[:1] == SIGNED:
        signer = Signer(name, raw[1:])
        if signer.public_key.id_of(SIGNED).hex() == digits:
            return signer
    raise UserError(f"{file}: is not a private key; arena ledger key makes one")


def read_public_key(given: str) -> PublicKey:
    """Return a public key that is given as its text or as a file with it."""
    try:
        is_file = Path(given).is_file()
    except (OSError, ValueError):
        is_file = False
    return PublicKey.parse(read_text(Path(given)) if is_file else given)


def read_note(file: Path) -> Note:
    """Read a note from a file; a UserError names the file."""
    try:
        return Note.parse(read_text(file))
    except UserError as error:
        raise UserError(f"{file}: {str(error).removeprefix(f'{file}: ')}") from None


def read_text(file: Path) -> str:
    """Return the text of a small file; a UserError says why it cannot be read."""
    try:
        if file.stat().st_size > MAX_NOTE_BYTES:
            raise UserError(f"{file}: is too large")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{file}: is not text in UTF-8") from None


def _signature_line(line: str) -> tuple[str, str] | None:
    words = line.split(" ")
    if len(words) != 3 or words[0] != DASH or not NAME.fullmatch(words[1]) or not _decoded(words[2]):
        return None
    return words[1], words[2]


def _claimed(encoded: str, public_key: PublicKey) -> tuple[int | None, bytes] | None:
    """Return the time, if it has one, and the signature of a line that names a key; None if it names another."""
    raw = _decoded(encoded) or b""
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


def _encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
