"""Tokens: who may do what, as the database keeps it; a token itself is shown once and never stored."""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from arena.store.database import Store
from referee.order import OrderError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NOBODY = sha256(b"").hexdigest()  # compared with when there is no such token, so that both take the same time


class Role(StrEnum):
    """What the holder of a token may do."""

    SPECTATOR = "spectator"  # read
    AUTHOR = "author"  # read; submit and retire their own bots
    ORGANISER = "organiser"  # read; submit; retire any bot; start and stop tournaments


@dataclass(frozen=True, slots=True)
class Token:
    """A token as stored: everything but its secret."""

    id: str
    name: str
    role: Role
    created_at: str
    revoked_at: str | None


def create(store: Store, name: str, role: Role, now: str) -> tuple[Token, str]:
    """Enter a token and return it with the text to hand over; there is no other way to learn that text."""
    if not NAME.fullmatch(name):
        raise OrderError(f"--name: {name!r} is not allowed; expected letters, digits, '.', '_' and '-', at most 64")
    token = Token(secrets.token_hex(6), name, role, now, None)
    secret = secrets.token_urlsafe(32)
    with store.write() as connection:
        connection.execute(
            "INSERT INTO token (id, name, role, secret_hash, created_at) VALUES (?,?,?,?,?)",
            (token.id, name, role, _hash(secret), now),
        )
    return token, f"{token.id}.{secret}"


def tokens(store: Store) -> list[Token]:
    """Return all tokens, oldest first."""
    rows = store.read("SELECT id, name, role, created_at, revoked_at FROM token ORDER BY rowid")
    return [Token(id, name, Role(role), created_at, revoked_at) for id, name, role, created_at, revoked_at in rows]


def revoke(store: Store, token_id: str, now: str) -> Token:
    """End a token for good; the next call that brings it is refused."""
    with store.write() as connection:
        changed = connection.execute(
            "UPDATE token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (now, token_id)
        ).rowcount
    if not changed:
        raise OrderError(f"token: {token_id!r} is not in this database; see arena tokens list")
    return next(token for token in tokens(store) if token.id == token_id)


def find(store: Store, text: str) -> Token | None:
    """Return the token that a text belongs to; None if it is unknown, wrong or revoked."""
    if not text.isascii():
        return None
    token_id, _, secret = text.partition(".")
    rows = store.read(
        "SELECT id, name, role, created_at, revoked_at, secret_hash FROM token WHERE id = ?", token_id
    ) or [("", "", Role.SPECTATOR, "", "never", NOBODY)]
    found, name, role, created_at, revoked_at, secret_hash = rows[0]
    is_right = hmac.compare_digest(secret_hash, _hash(secret))
    if not is_right or not found or revoked_at is not None:
        return None
    return Token(found, name, Role(role), created_at, revoked_at)


def is_good(store: Store, token_id: str) -> bool:
    """Tell whether a token that was good before still is."""
    return store.read("SELECT revoked_at FROM token WHERE id = ?", token_id) == [(None,)]


def _hash(secret: str) -> str:
    # The secret has 256 random bits, so nothing slower than one hash is needed against guessing.
    return sha256(secret.encode()).hexdigest()
