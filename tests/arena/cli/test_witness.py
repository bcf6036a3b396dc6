"""Signed heads and witnesses: who has signed what, and that nobody signs two histories."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from arena.store.database import open_store
from arena.store.heads import heads_file, read_heads
from arena.store.notes import Note
from ratings.ledger.chain import canonical_json, entry_hash
from referee.keys import PublicKey
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import small_database


@pytest.fixture
def public(command_line: CommandLine, tmp_path: Path) -> str:
    """The public key of a ledger whose last head was published with a signature."""
    database = small_database(tmp_path)
    told = command_line("ledger", "key", "arena.example", "--output", "arena.db.key")
    assert (told.code, told.err) == (0, "")
    publish(database)
    return told.out.strip()


@pytest.fixture
def witness(command_line: CommandLine) -> str:
    return str(command_line("ledger", "key", "witness.example", "--output", "witness.key", "--json").data["public_key"])


def publish(database: Path, times: int = 1) -> None:
    store = open_store(database)
    for _ in range(times):
        store.heads.publish()
    store.close()


def rewrite(database: Path, seq: int, change: dict[str, Any]) -> None:
    """Change an entry and reseal the chain and every published head, as the organiser could."""
    with sqlite3.connect(database, isolation_level=None) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        prev = bytes(32)
        for number, payload in connection.execute("SELECT seq, payload FROM entry ORDER BY seq").fetchall():
            text = canonical_json(json.loads(payload) | change) if number == seq else payload
            values = (text, prev, prev := entry_hash(prev, text), number)
            connection.execute("UPDATE entry SET payload = ?, prev = ?, hash = ? WHERE seq = ?", values)
    connection.close()


def sign(command_line: CommandLine, *more: str, ledger: tuple[str, ...] = ("--db", "arena.db")) -> Any:
    assert command_line("ledger", "checkpoint", "--output", "cup.checkpoint").code == 0
    words = ("witness", "cup.checkpoint", "--key", "witness.key", "--state", "seen.json", *ledger)
    return command_line(*words, "--output", "cup.signed", "--json", *more)


def test_T22_6_every_head_is_signed_once_there_is_a_key(command_line: CommandLine, public: str, tmp_path: Path) -> None:
    publish(tmp_path / "arena.db", 2)
    published = read_heads(heads_file(tmp_path / "arena.db"))
    key = PublicKey.parse(public)
    assert [each.is_signed_by(key) for each in published[-3:]] == [True, True, True]
    assert not any(each.signer for each in published[:-3]), "from before there was a key"
    assert command_line("ledger", "verify", "--key", public).code == 0


@pytest.mark.parametrize("fault", ["unsigned", "wrong", "other key"])
def test_T22_6_a_head_with_a_wrong_signature_or_none_is_a_fault(
    command_line: CommandLine, public: str, tmp_path: Path, fault: str
) -> None:
    publish(tmp_path / "arena.db")
    file = heads_file(tmp_path / "arena.db")
    *before, last = file.read_text().splitlines()
    words = last.split(" ")
    if fault == "unsigned":
        words = words[:3]
    elif fault == "wrong":
        words[4] = words[4][:20] + ("A" if words[4][20] != "A" else "B") + words[4][21:]
    else:
        public = command_line("ledger", "key", "arena.example", "--output", "other.key").out.strip()
    file.write_text("\n".join([*before, " ".join(words)]) + "\n")
    told = command_line("ledger", "verify", "--key", public)
    assert told.code == 1
    said = "is not signed" if fault == "unsigned" else "has a wrong signature"
    assert f"the head of entry {words[0]} {said}; expected one of {public}" in told.out


def test_T22_6_a_key_that_signed_nothing_is_a_fault(command_line: CommandLine, public: str, witness: str) -> None:
    told = command_line("ledger", "verify", "--key", witness)
    assert (told.code, "no published head is signed by witness.example" in told.out) == (1, True)


def test_a_broken_key_leaves_heads_unsigned_and_never_stops_a_tournament(public: str, tmp_path: Path) -> None:
    (tmp_path / "arena.db.key").write_text("nonsense")
    publish(tmp_path / "arena.db")
    assert read_heads(heads_file(tmp_path / "arena.db"))[-1].signer == ""


def test_T22_7_a_witness_signs_what_extends_what_it_has_seen(
    command_line: CommandLine, public: str, witness: str, tmp_path: Path
) -> None:
    first = sign(command_line, "--trust", public)
    assert (first.code, first.err, first.data["is_signed"]) == (0, "", True)
    checked = ("ledger", "verify", "--checkpoint", "cup.signed", "--key", public, "--key", witness)
    assert command_line(*checked).code == 0
    note = Note.parse((tmp_path / "cup.signed").read_text())
    assert [name for name, _ in note.signatures] == ["arena.example", "witness.example"]
    match = json.loads(command_line("ledger", "export").out.splitlines()[-1])
    assert match
    reason = ("--reason", "by hand", "--who", "organiser")
    played = sqlite3.connect(tmp_path / "arena.db").execute("SELECT id FROM match LIMIT 1").fetchone()[0]
    assert command_line("ledger", "void", played, *reason).code == 0
    assert command_line("ledger", "export", "--output", "ledger.jsonl").code == 0
    second = sign(command_line, ledger=("--entries", "ledger.jsonl"))
    assert (second.code, second.data["is_signed"]) == (0, True), "it has grown, and its key is known"
    assert command_line(*checked).code == 0
    older = command_line("witness", "cup.signed", "--key", "witness.key", "--state", "seen.json", "--db", "arena.db")
    assert older.code == 0, "the same head again"


def test_T22_7_a_witness_refuses_another_history(
    command_line: CommandLine, public: str, witness: str, tmp_path: Path
) -> None:
    database = tmp_path / "arena.db"
    assert sign(command_line, "--trust", public).code == 0
    seen = (tmp_path / "seen.json").read_bytes()
    rewrite(database, 3, {"extra": 1})
    refused = sign(command_line)
    assert (refused.code, refused.data["is_signed"]) == (1, False)
    assert "and I have signed it as" in refused.data["reason"]
    assert (tmp_path / "seen.json").read_bytes() == seen, "it knows what it knew"
    told = command_line("ledger", "verify", "--checkpoint", "cup.signed", "--key", public, "--key", witness)
    assert (told.code, "was signed as" in told.out) == (1, True), "and its old signature exposes it"


def test_T22_7_a_witness_refuses_a_shorter_ledger(command_line: CommandLine, public: str, witness: str) -> None:
    assert sign(command_line, "--trust", public).code == 0
    with sqlite3.connect("arena.db") as connection:
        connection.execute("DROP TRIGGER entry_is_never_deleted")
        connection.execute("DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)")
    connection.close()
    refused = sign(command_line)
    assert refused.code == 1
    assert " entries, and I have signed " in refused.data["reason"]


def test_T22_7_a_witness_refuses_a_checkpoint_of_something_else(
    command_line: CommandLine, public: str, witness: str, tmp_path: Path
) -> None:
    assert command_line("ledger", "key", "arena.example", "--output", "thief.key").code == 0
    assert command_line("ledger", "checkpoint", "--key", "thief.key", "--output", "forged").code == 0
    words = ("--key", "witness.key", "--state", "seen.json", "--trust", public)
    refused = command_line("witness", "forged", *words, "--db", "arena.db")
    assert (refused.code, refused.out) == (1, f"refused: the checkpoint bears no valid signature of {public}\n")
    assert command_line("ledger", "checkpoint", "--output", "cup.checkpoint").code == 0
    lines = command_line("ledger", "export").out.splitlines(keepends=True)
    (tmp_path / "short.jsonl").write_text("".join(lines[:-1]))
    short = command_line("witness", "cup.checkpoint", *words, "--entries", "short.jsonl")
    assert (short.code, f"ends with entry {len(lines) - 1}, and the checkpoint has {len(lines)}" in short.out) == (
        1,
        True,
    )
    (tmp_path / "swapped.jsonl").write_text("".join([*lines[:-2], lines[-1], lines[-2]]))
    swapped = command_line("witness", "cup.checkpoint", *words, "--entries", "swapped.jsonl")
    assert (swapped.code, "and the checkpoint has" in swapped.out) == (1, True)
    assert not (tmp_path / "seen.json").exists(), "nothing was signed"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "arena.example is new to this witness; expected its public key in `trust`"),
        (("--trust", "nonsense"), "is not a public key"),
        (("--trust", "{witness}"), "--trust: the key is that of witness.example, and the checkpoint that of arena."),
        (("--state", "nowhere/seen.json", "--trust", "{public}"), "--state: cannot write nowhere/seen.json"),
        (("--state", "text", "--trust", "{public}"), "--state: text is not the state of a witness"),
        (("--key", "text", "--trust", "{public}"), "text: is not a private key"),
        (("--db", "arena.db", "--trust", "{public}"), "expected the ledger, as either --entries or --db"),
        (("--entries", "text", "--trust", "{public}"), "--entries: line 1 is not an entry"),
    ],
)
def test_what_a_witness_cannot_be_asked_is_refused_in_one_line(
    command_line: CommandLine, public: str, witness: str, tmp_path: Path, words: tuple[str, ...], line: str
) -> None:
    assert command_line("ledger", "checkpoint", "--output", "cup.checkpoint").code == 0
    assert command_line("ledger", "export", "--output", "ledger.jsonl").code == 0
    (tmp_path / "text").write_text("nonsense\n")
    asked = ["--key", "witness.key", "--state", "seen.json", "--entries", "ledger.jsonl"]
    asked += [word.format(public=public, witness=witness) for word in words]
    told = command_line("witness", "cup.checkpoint", *asked)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert line in told.err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("ledger", "checkpoint"), "--key: missing, and arena.db.key does not exist; arena ledger key makes a key"),
        (("ledger", "verify", "--key", "nonsense"), "--key: 'nonsense' is not a public key"),
        (("ledger", "verify", "--checkpoint", "text"), "text: it is not a signed note"),
        (("ledger", "key", "two words", "--output", "new.key"), "NAME: 'two words' is not allowed"),
        (("ledger", "key", "name", "--output", "text"), "text: cannot be written: File exists"),
        (("ledger", "reproduce", "--statement", "new"), "--statement: it is signed; expected --statement together"),
        (("ledger", "check-statement", "text", "--key", "x"), "text: it is not a signed note"),
        (("ledger", "check-statement", "text"), "--key: missing; expected the public key of those who made"),
    ],
)
def test_what_cannot_be_signed_or_checked_is_refused_in_one_line(
    command_line: CommandLine, tmp_path: Path, words: tuple[str, ...], line: str
) -> None:
    small_database(tmp_path)
    (tmp_path / "text").write_text("nonsense\n")
    told = command_line(*words)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert line in told.err
