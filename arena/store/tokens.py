"""Tokens as stored: everything except their secrets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.store.connection import Subject
from referee.mistakes import NotFoundError


class Role(StrEnum):
    """What the holder of a token may do."""

    SPECTATOR = "spectator"  # read
    AUTHOR = "author"  # read; submit and retire their own bots
    ORGANISER = "organiser"  # read; submit; retire any bot; start and stop tournaments


@dataclass(frozen=True, slots=True)
class Token:
    """A token as stored: everything except its secret."""

    id: str
    name: str
    role: Role
    created_at: str
    revoked_at: str | None

    def speaks_for(self, author: str | None) -> bool:
        """Return whether its holder may retire a bot and read its output: only its author and organisers may."""
        return self.role is Role.ORGANISER or self.name == author


class TokenStore(Subject):
    """Tokens."""

    def add(self, token: Token, secret_hash: str) -> None:
        """Enter a token with the hash of its secret."""
        sql = "INSERT INTO token (id, name, role, secret_hash, created_at) VALUES (?,?,?,?,?)"
        self._file.run(sql, token.id, token.name, token.role, secret_hash, token.created_at)

    def all(self) -> list[Token]:
        """Return all tokens, oldest first."""
        rows = self._file.rows("SELECT id, name, role, created_at, revoked_at FROM token ORDER BY rowid")
        return [Token(id, name, Role(role), created_at, revoked_at) for id, name, role, created_at, revoked_at in rows]

    def with_hash(self, token_id: str) -> tuple[Token, str] | None:
        """Return a token and the hash of its secret, revoked or not."""
        sql = "SELECT id, name, role, created_at, revoked_at, secret_hash FROM token WHERE id = ?"
        for id, name, role, created_at, revoked_at, secret_hash in self._file.rows(sql, token_id):
            return Token(id, name, Role(role), created_at, revoked_at), secret_hash
        return None

    def revoke(self, token_id: str, now: str) -> Token:
        """End a token for good; a NotFoundError if there is none."""
        self._file.run("UPDATE token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", now, token_id)
        found = self.with_hash(token_id)
        if found is None:
            raise NotFoundError(f"token: {token_id!r} is not in this database; see arena tokens list")
        return found[0]
