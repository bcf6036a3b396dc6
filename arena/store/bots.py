"""Bots and their versions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.store.beside import bots_folder
from arena.store.connection import StoreFile, Subject
from arena.store.rows import StoredBot, StoredVersion
from ratings.ledger import posting
from referee.mistakes import NotFoundError
from referee.setting import did_you_mean

MAX_NAMES = 20
"""Names listed in an error."""

VERSION = """SELECT v.label, v.name, v.version, v.rowid, v.parent, v.path, v.manifest, v.added_at, b.is_retired
    FROM bot b JOIN bot_version v ON v.name = b.name"""


class BotStore(Subject):
    """Bots and their versions.

    A directory in the bots folder is stored by its path there, so that a database can be moved with its folder; any
    other one belongs to the user, and is stored as given.
    """

    def __init__(self, file: StoreFile) -> None:
        super().__init__(file)
        self._folder = bots_folder(file.path())

    def _stored(self, path: str) -> str:
        given = Path(path)
        return str(given.relative_to(self._folder)) if path and given.is_relative_to(self._folder) else path

    def _found(self, path: str) -> str:
        return str(self._folder / path) if path else ""

    def add(
        self,
        label: str,
        name: str,
        version: str,
        path: str,
        manifest: Mapping[str, Any],
        now: str,
        author: str | None = None,
    ) -> bool:
        """Enter a bot version, the child of the newest one of that name; False if it already existed."""
        with self._file.write() as connection:
            if known := self._file.rows("SELECT parent FROM bot_version WHERE label = ?", label):
                connection.execute("UPDATE bot_version SET path = ? WHERE label = ?", (self._stored(path), label))
                posting.record_bot(connection, label, name, version, known[0][0])
                return False
            connection.execute("INSERT INTO bot (name, author) VALUES (?,?) ON CONFLICT DO NOTHING", (name, author))
            parent = self._file.value("SELECT newest FROM bot WHERE name = ?", name)
            values = (label, name, version, parent, self._stored(path), json.dumps(manifest, sort_keys=True), now)
            connection.execute("INSERT INTO bot_version VALUES (?,?,?,?,?,?,?)", values)
            connection.execute("UPDATE bot SET newest = ? WHERE name = ?", (label, name))
            posting.record_bot(connection, label, name, version, parent)
            return True

    def by_name(self, name: str) -> StoredBot | None:
        """Return a bot by its name, if there is one."""
        rows = self._file.rows("SELECT name, author, newest, is_retired FROM bot WHERE name = ?", name)
        return next((StoredBot(name, author, newest, bool(retired)) for name, author, newest, retired in rows), None)

    def names(self) -> list[str]:
        """Return the names of all bots, retired ones included."""
        return self._file.column("SELECT name FROM bot ORDER BY name")

    def search(self, text: str) -> list[str]:
        """Return the bot names that contain a text, ignoring case."""
        return self._file.search("bot", "name", text)

    def count_of(self, author: str | None) -> int:
        """Return the number of an author's bots, including retired ones."""
        return int(self._file.value("SELECT count(*) FROM bot WHERE author IS ?", author))

    def paths_of(self, author: str | None) -> list[str]:
        """Return the directories of all versions of an author's bots."""
        sql = "SELECT v.path FROM bot_version v JOIN bot b ON b.name = v.name WHERE b.author IS ? ORDER BY v.rowid"
        return [self._found(path) for path in self._file.column(sql, author) if path]

    def author_of(self, name: str) -> str | None:
        """Return the author of a bot; a NotFoundError if there is no such bot."""
        found = self.by_name(name)
        if found is None:
            raise NotFoundError(f"bot: {name!r} is not in this database{did_you_mean(name, self.names())}")
        return found.author

    def find(self, wanted: str) -> StoredBot:
        """Return a bot by the label of a version or by its name; a NotFoundError lists the existing ones."""
        found = self.by_name(self._file.value("SELECT name FROM bot_version WHERE label = ?", wanted) or wanted)
        if found is None:
            known = self.names()
            listed = (", ".join(known[:MAX_NAMES]) or "none yet") + (", …" if len(known) > MAX_NAMES else "")
            expected = f"expected one of: {listed}{did_you_mean(wanted, known)}"
            raise NotFoundError(f"bot: {wanted!r} is not in this database; {expected}")
        return found

    def set_retired(self, name: str, is_retired: bool) -> None:
        """Retire a bot from future tournaments, or bring it back."""
        self._file.run("UPDATE bot SET is_retired = ? WHERE name = ?", is_retired, name)

    def has_version(self, label: str, path: str) -> bool:
        """Return whether a version was entered from exactly this directory."""
        sql = "SELECT 1 FROM bot_version WHERE path = ? AND label = ?"
        return bool(self._file.rows(sql, self._stored(path), label))

    def versions(self) -> list[StoredVersion]:
        """Return all versions of all bots, oldest first."""
        return self._versions(self._file.rows(f"{VERSION} ORDER BY v.rowid"))

    def versions_of(self, name: str) -> list[StoredVersion]:
        """Return the versions of a bot, oldest first."""
        return self._versions(self._file.rows(f"{VERSION} WHERE b.name = ? ORDER BY v.rowid", name))

    def version(self, name: str) -> StoredVersion | None:
        """Return the version of this label, or the newest one of the bot of this name, if there is any."""
        # The label first: older bots may have such a name.
        rows = self._file.rows(f"{VERSION} WHERE v.label = ?", name)
        rows = rows or self._file.rows(f"{VERSION} WHERE b.name = ? AND v.label = b.newest", name)
        return self._versions(rows)[0] if rows else None

    def newest(self) -> list[StoredVersion]:
        """Return the newest version of every bot that is not retired, by name."""
        return self._versions(
            self._file.rows(f"{VERSION} WHERE v.label = b.newest AND NOT b.is_retired ORDER BY b.name")
        )

    def standings(self) -> list[tuple[StoredBot, str, str | None, int, int]]:
        """Return by bot, version and pool: the bot, the label, the pool, its rating in thousandths and its matches.

        A version that has not played has no pool and zeros.
        """
        rows = self._file.rows(
            """SELECT b.name, b.author, b.newest, b.is_retired, v.label, s.pool,
                coalesce(s.rating, 0), coalesce(s.matches, 0)
            FROM bot b JOIN bot_version v ON v.name = b.name LEFT JOIN standing s ON s.bot = v.label
            ORDER BY b.name, v.rowid, s.pool"""
        )
        return [
            (StoredBot(name, author, newest, bool(retired)), label, pool, rating, matches)
            for name, author, newest, retired, label, pool, rating, matches in rows
        ]

    def by_hash(self, hashes: Sequence[str]) -> dict[str, StoredVersion]:
        """Return the bot versions with these hashes, each as first entered."""
        return {version.version: version for version in reversed(self.versions()) if version.version in hashes}

    def _versions(self, rows: Sequence[Any]) -> list[StoredVersion]:
        return [
            StoredVersion(
                label, name, version, number, parent, self._found(path), json.loads(manifest), added_at, bool(retired)
            )
            for label, name, version, number, parent, path, manifest, added_at, retired in rows
        ]
