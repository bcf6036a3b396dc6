"""Ed25519 keys with the name of their owner, as C2SP writes them: those of ledgers, witnesses and authors."""

from __future__ import annotations

import base64
import binascii
import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from referee.mistakes import UserError

SIGNED, COSIGNED = b"\x01", b"\x04"  # the algorithms of C2SP: Ed25519, and Ed25519 over a text with a time
PRIVATE = "PRIVATE+KEY"
KEY_BYTES, SIGNATURE_BYTES, ID_BYTES = 32, 64, 4
NAME = re.compile(r"[!-*,-~]{1,100}")  # printable ASCII without space and plus
MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public key of a signer, and its name."""

    name: str
    public: bytes

    def __str__(self) -> str:
        return f"{self.name}+{self.id_of(SIGNED).hex()}+{in_base64(SIGNED + self.public)}"

    def id_of(self, algorithm: bytes) -> bytes:
        """Return by what a signature names its key."""
        return sha256(f"{self.name}\n".encode() + algorithm + self.public).digest()[:ID_BYTES]

    @staticmethod
    def parse(text: str) -> PublicKey:
        """Read a public key such as `arena.example+1a2b3c4d+A…`; a UserError says what was expected."""
        name, _, rest = text.strip().partition("+")
        digits, _, given = rest.partition("+")
        raw = from_base64(given)
        if raw is not None and len(raw) == 1 + KEY_BYTES and raw[:1] in (SIGNED, COSIGNED) and NAME.fullmatch(name):
            found = PublicKey(name, raw[1:])
            if found.id_of(raw[:1]).hex() == digits:
                return found
        raise UserError(
            f"{text.strip()[:80]!r} is not a public key; expected NAME+HASH+KEY, as arena ledger key prints"
        )

    def has_signed(self, data: bytes, signature: bytes) -> bool:
        """Return whether a signature is that of this key over these bytes."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, data)
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

    def signature(self, data: bytes) -> bytes:
        """Sign bytes."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(data)


def make_signer(name: str) -> Signer:
    """Return a new key; a UserError refuses a name that a note cannot have."""
    if not NAME.fullmatch(name):
        raise UserError(f"NAME: {name!r} is not allowed; expected ASCII without spaces and plus signs, such as a host")
    return Signer(name, os.urandom(KEY_BYTES))


def write_signer(signer: Signer, file: Path) -> None:
    """Write a private key to a new file that only its owner may read; a UserError says why it cannot."""
    text = f"{PRIVATE}+{signer.name}+{signer.public_key.id_of(SIGNED).hex()}+{in_base64(SIGNED + signer.seed)}\n"
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
    digits, _, given = rest.partition("+")
    raw = from_base64(given)
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


def read_text(file: Path) -> str:
    """Return the text of a small file; a UserError says why it cannot be read."""
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise UserError(f"{file}: is too large")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{file}: is not text in UTF-8") from None


def in_base64(raw: bytes) -> str:
    """Return bytes in base64."""
    return base64.b64encode(raw).decode("ascii")


def from_base64(text: str) -> bytes | None:
    """Return the bytes of a text in base64; None if it is none."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
