"""T13: the append-only chain of entries in SQLite, each sealed with the hash of the one before."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import IO, Any

FIRST_PREVIOUS = bytes(32)

SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (
    seq INTEGER PRIMARY KEY,
    key TEXT UNIQUE NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    prev BLOB NOT NULL,
    hash BLOB UNIQUE NOT NULL
);
CREATE TRIGGER IF NOT EXISTS entry_is_never_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER IF NOT EXISTS entry_is_never_deleted BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
CREATE TRIGGER IF NOT EXISTS entry_is_only_appended BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry)
  OR EXISTS (SELECT 1 FROM entry WHERE key = NEW.key)
  OR EXISTS (SELECT 1 FROM entry WHERE hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'ledger entries are only appended, each key once'); END;
"""


INSERT = "INSERT INTO entry (seq, key, kind, payload, prev, hash) VALUES (?,?,?,?,?,?)"


class LedgerError(Exception):
    """The ledger refuses an entry, or is corrupt."""


class Kind(StrEnum):
    """T13.3: the kinds of entries."""

    GENESIS = "GENESIS"
    POOL = "POOL"
    BOT = "BOT"
    ANCHOR = "ANCHOR"
    TOURNAMENT = "TOURNAMENT"
    NONCE = "NONCE"
    ENTER = "ENTER"
    LEAVE = "LEAVE"
    ROUND = "ROUND"
    MATCH = "MATCH"
    RATE = "RATE"
    VOID = "VOID"
    FORFEIT = "FORFEIT"
    STRIKE = "STRIKE"
    DISQUALIFY = "DISQUALIFY"
    REVERSE = "REVERSE"
    ADJUST = "ADJUST"
    FIT = "FIT"
    MEND = "MEND"
    TEST = "TEST"
    VERDICT = "VERDICT"
    CLAIM = "CLAIM"
    CHECKPOINT = "CHECKPOINT"
    END = "END"


KEYS = {
    Kind.POOL: "pool:{pool}",
    Kind.BOT: "bot:{bot}",
    Kind.ANCHOR: "anchor:{pool}:{bot}",
    Kind.TOURNAMENT: "tournament:{tournament}",
    Kind.NONCE: "nonce:{tournament}:{source}",
    Kind.ENTER: "enter:{tournament}:{round}:{bot}",
    Kind.LEAVE: "leave:{tournament}:{round}:{bot}",
    Kind.ROUND: "round:{tournament}:{round}",
    Kind.MATCH: "match:{match}",
    Kind.RATE: "rate:{match}:{bot}",
    Kind.VOID: "void:{match}",
    Kind.FORFEIT: "forfeit:{match}:{bot}",
    Kind.STRIKE: "strike:{match}:{bot}",
    Kind.DISQUALIFY: "disqualify:{tournament}:{bot}",
    Kind.REVERSE: "rev:{match}:{bot}",
    Kind.ADJUST: "adjust:{epoch}:{pool}:{bot}",
    Kind.FIT: "fit:{pool}:{through}",
    Kind.MEND: "mend:{tournament}:{round}:{pool}",
    Kind.CHECKPOINT: "checkpoint:{tournament}:{round}",
    Kind.END: "end:{tournament}",
}
"""T13.3: the keys that follow from the body of an entry."""

Body = Mapping[str, Any]
"""The content of an entry without its place in the chain: text, integers, booleans, lists and mappings."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry without a place in the chain yet."""

    kind: Kind
    key: str
    body: Body

    @classmethod
    def of(cls, kind: Kind, body: Body) -> Draft:
        """T13.3: an entry whose key follows from its body."""
        return cls(kind, KEYS[kind].format_map(body), body)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the chain."""

    seq: int
    kind: Kind
    key: str
    body: Body


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain: once published, any earlier change can be detected."""

    seq: int
    hash: bytes

    @property
    def hex(self) -> str:
        """The hash in hex."""
        return self.hash.hex()


def key_of(kind: Kind, **parts: str) -> str:
    """T13.3: the key of an entry to look up."""
    return KEYS[kind].format_map(parts)


def _plain(value: Any) -> Any:
    """Return the value as canonical JSON holds it: NFC text, integers, booleans, None, lists and mappings."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise LedgerError(f"T13: mapping keys must be text, unlike those of {value!r}")
        return {_plain(name): _plain(item) for name, item in value.items()}
    raise LedgerError(f"T13: the ledger holds text and integers, not {value!r}")


_dump = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False).encode


def canonical_json(value: Any) -> str:
    """T13.1: canonical JSON: sorted keys, no spaces, integers only, NFC text."""
    return _dump(_plain(value))


def _refuse_float(text: str) -> Any:
    raise LedgerError(f"T13: {text} is not an integer")


_load = json.JSONDecoder(parse_float=_refuse_float, parse_constant=_refuse_float).raw_decode


def parse_payload(payload: str) -> dict[str, Any]:
    """Parse a payload; LedgerError unless it is a mapping in canonical JSON."""
    try:
        # Trailing text is caught below, by comparing with the canonical form.
        value, _ = _load(payload)
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"T13: the payload is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise LedgerError("T13: the payload is not a mapping")
    if _dump(value) != payload or not (payload.isascii() or unicodedata.is_normalized("NFC", payload)):
        raise LedgerError("T13: the payload is not in canonical form")
    return value


def entry_hash(prev: bytes, payload: str) -> bytes:
    """T13.1: SHA-256 of the previous hash and the payload."""
    return sha256(prev + payload.encode()).digest()


def create_chain(connection: sqlite3.Connection) -> None:
    """Create the table of entries and the triggers that guard it, where they are missing."""
    for statement in _statements(SCHEMA):
        connection.execute(statement)


def triggers() -> dict[str, str]:
    """T13.2: the triggers that protect the chain, by name."""
    made = (statement for statement in _statements(SCHEMA) if statement.startswith("CREATE TRIGGER"))
    return {statement.split()[5]: statement for statement in made}


def _statements(script: str) -> Iterator[str]:
    """Split a script, so that it can run inside the caller's transaction (`executescript` would commit it)."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all or nothing; join a transaction that is already open."""
    is_inner = connection.in_transaction
    connection.execute("SAVEPOINT ledger" if is_inner else "BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("RELEASE ledger" if is_inner else "COMMIT")
    except BaseException:
        if connection.in_transaction:
            if is_inner:
                connection.execute("ROLLBACK TO ledger")
                connection.execute("RELEASE ledger")
            else:
                connection.execute("ROLLBACK")
        raise


def head(connection: sqlite3.Connection) -> Head:
    """Return the end of the chain; for an empty one, entry 0 with a hash of zero bytes."""
    row = connection.execute("SELECT seq, hash FROM entry WHERE seq = (SELECT max(seq) FROM entry)").fetchone()
    return Head(*row) if row else Head(0, FIRST_PREVIOUS)


def verified_head(connection: sqlite3.Connection) -> Head:
    """T13.1: follow the chain from its beginning and return its end; a LedgerError names the first broken link."""
    last = Head(0, FIRST_PREVIOUS)
    for seq, payload, prev, sealed in connection.execute("SELECT seq, payload, prev, hash FROM entry ORDER BY seq"):
        if (seq, prev) != (last.seq + 1, last.hash) or not isinstance(payload, str):
            raise LedgerError(f"T13: entry {seq} does not continue the chain")
        if entry_hash(prev, payload) != sealed:
            raise LedgerError(f"T13: entry {seq} does not match its hash")
        last = Head(seq, sealed)
    return last


def find(connection: sqlite3.Connection, key: str) -> Entry | None:
    """Return the entry of a key, if there is one."""
    return next(selected(connection, "WHERE key = ?", key), None)


def find_hash(connection: sqlite3.Connection, hash: bytes) -> int | None:
    """Return the number of the entry with this hash, if there is one."""
    row = connection.execute("SELECT seq FROM entry WHERE hash = ?", (hash,)).fetchone()
    return None if row is None else row[0]


def entry_of(seq: int, kind: str, key: str, payload: str) -> Entry:
    """Return a stored row as an entry."""
    body = parse_payload(payload)
    for name in ("seq", "kind", "key"):
        body.pop(name, None)
    return Entry(seq, Kind(kind), key, body)


def selected(connection: sqlite3.Connection, clause: str, *values: str) -> Iterator[Entry]:
    """Yield the entries that an SQL clause selects."""
    for row in connection.execute(f"SELECT seq, kind, key, payload FROM entry {clause}", values):
        yield entry_of(*row)


def entries(connection: sqlite3.Connection, *kinds: Kind) -> Iterator[Entry]:
    """Return the entries in order, or only those of some kinds."""
    where = f"WHERE kind IN ({','.join('?' * len(kinds))})" if kinds else ""
    return selected(connection, f"{where} ORDER BY seq", *kinds)


def entries_of_key(connection: sqlite3.Connection, kind: Kind, prefix: str) -> Iterator[Entry]:
    """Return the entries of a kind in order, found by key prefix without reading the others."""
    beyond = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return selected(connection, "WHERE key >= ? AND key < ? AND kind = ? ORDER BY seq", prefix, beyond, kind)


def append(connection: sqlite3.Connection, drafts: Iterable[Draft]) -> list[Entry]:
    """T13: append entries, all or none, and return them."""
    with transaction(connection):
        last = connection.execute("SELECT seq, payload, prev, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        seq, prev = 0, FIRST_PREVIOUS
        if last:
            seq, prev = last[0], last[3]
            if entry_hash(last[2], last[1]) != prev:
                raise LedgerError(f"T13: entry {seq} does not match its hash; a broken chain takes no entries")
        rows, added = [], []
        for draft in drafts:
            if not (draft.key.isascii() or unicodedata.is_normalized("NFC", draft.key)):
                raise LedgerError(f"T13: the key {draft.key!r} is not in Unicode's composed form (NFC)")
            seq += 1
            payload = canonical_json({**draft.body, "seq": seq, "kind": draft.kind.value, "key": draft.key})
            sealed = entry_hash(prev, payload)
            rows.append((seq, draft.key, draft.kind.value, payload, prev, sealed))
            added.append(Entry(seq, draft.kind, draft.key, draft.body))
            prev = sealed
        try:
            connection.executemany(INSERT, rows)
        except sqlite3.IntegrityError as error:
            raise LedgerError(f"T13: {error}") from None
        return added


def same_body(one: Body, other: Body) -> bool:
    """Return whether two bodies are equal."""
    return canonical_json(one) == canonical_json(other)


def record(connection: sqlite3.Connection, draft: Draft) -> bool:
    """Append an entry unless it exists; False if it did, LedgerError if its key has another body."""
    with transaction(connection):
        present = find(connection, draft.key)
        if present is None:
            append(connection, [draft])
            return True
        if present.kind is not draft.kind or not same_body(present.body, draft.body):
            raise LedgerError(f"T13: {draft.key} is already entry {present.seq} with another body")
        return False


def export_lines(connection: sqlite3.Connection, out: IO[str], through: int | None = None) -> Head:
    """T13: write the chain as JSON Lines: payload, prev and hash of every entry, or up to one; return the last."""
    last = Head(0, FIRST_PREVIOUS)
    rows = connection.execute(
        "SELECT seq, payload, prev, hash FROM entry WHERE seq <= ? ORDER BY seq",
        (head(connection).seq if through is None else through,),
    )
    for seq, payload, prev, sealed in rows:
        out.write(_dump({"hash": sealed.hex(), "payload": payload, "prev": prev.hex()}) + "\n")
        last = Head(seq, sealed)
    return last


def import_lines(connection: sqlite3.Connection, lines: Iterable[str]) -> Head:
    """T13: rebuild a chain from its JSON Lines into an empty ledger, checking every link."""
    with transaction(connection):
        if head(connection).seq:
            raise LedgerError("T13: only an empty ledger can import lines")
        prev = FIRST_PREVIOUS
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise LedgerError(f"T13: line {number} is not JSON: {error}") from None
            payload = row["payload"]
            said = parse_payload(payload)
            sealed = entry_hash(prev, payload)
            if (said["seq"], row["prev"], row["hash"]) != (number, prev.hex(), sealed.hex()):
                raise LedgerError(f"T13: line {number} does not continue the chain")
            connection.execute(INSERT, (number, said["key"], said["kind"], payload, prev, sealed))
            prev = sealed
        return head(connection)
