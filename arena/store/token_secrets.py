"""Token secrets: shown once, and stored only as hashes."""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256

from arena.store.database import Store
from arena.store.tokens import Role, Token
from referee.mistakes import UserError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NOBODY = sha256(b"").hexdigest()  # compared with when there is no such token, so that both take the same time


def create(store: Store, name: str, role: Role, now: str) -> tuple[Token, str]:
    """Enter a token and return it with its text, which cannot be recovered later."""
    if not NAME.fullmatch(name):
        raise UserError(
            f"name: {name!r} is not allowed; expected letters from a to z, digits, '.', '_' and '-', at most 64"
        )
    token = Token(secrets.token_hex(6), name, role, now, None)
    secret = secrets.token_urlsafe(32)
    store.tokens.add(token, _hash(secret))
    return token, f"{token.id}.{secret}"


def find(store: Store, text: str) -> Token | None:
    """Return the token with this text; None if it is unknown, wrong or revoked."""
    if not text.isascii():
        return None
    token_id, _, secret = text.partition(".")
    found = store.tokens.with_hash(token_id)
    is_right = hmac.compare_digest(NOBODY if found is None else found[1], _hash(secret))
    if found is None or not is_right or found[0].revoked_at is not None:
        return None
    return found[0]


def is_good(store: Store, token_id: str) -> bool:
    """Return whether a token is still valid."""
    found = store.tokens.with_hash(token_id)
    return found is not None and found[0].revoked_at is None


def _hash(secret: str) -> str:
    # The secret has 256 random bits, so one fast hash is enough against guessing.
    return sha256(secret.encode()).hexdigest()
