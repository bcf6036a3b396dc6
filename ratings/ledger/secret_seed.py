"""T2.8, T2.9: the secret from which the seed of a tournament follows: committed to before it, opened after it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

SECRET_BYTES = 16
MAX_NONCE = 200
BEACON = "beacon"
"""The source of the one nonce that is a public value; the others come from authors."""


def new_secret() -> str:
    """T2.8: draw a secret of 128 bits, in hex."""
    return secrets.token_hex(SECRET_BYTES)


def commitment(tournament: str, secret: str) -> str:
    """T2.8: what the TOURNAMENT entry says of a secret: it cannot be found from this, nor exchanged for another."""
    return sha256(f"commit|{tournament}|{secret}".encode()).hexdigest()


def secret_seed(secret: str, nonces: Iterable[str] = ()) -> int:
    """T2.8, T2.9: the seed of a tournament, from its secret and what others have added to it."""
    return int.from_bytes(sha256("|".join(("open", secret, *nonces)).encode()).digest(), "big")


def awaited_sources(settings: Mapping[str, Any]) -> list[str]:
    """T2.9: where the nonces of a tournament come from, in the order in which they enter the seed."""
    return [*([BEACON] if settings.get("beacon") else []), *settings.get("nonces", ())]


def nonce_fault(text: str) -> str:
    """T2.9: return why a text cannot be mixed into a seed; empty if it can."""
    if not 1 <= len(text) <= MAX_NONCE:
        return f"expected 1 to {MAX_NONCE} characters"
    if not (text.isascii() and text.isprintable()) or set(text) & {"|", ":"}:
        return "expected printable ASCII without '|' and ':'"
    return ""
