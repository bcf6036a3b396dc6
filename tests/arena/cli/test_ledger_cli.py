"""arena ledger: a sound ledger passes, and each way of tampering with a real one is found and named."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from ratings.ledger import chain, derived_tables
from ratings.ledger.audit import Fault
from ratings.ledger.chain import canonical_json, entry_hash, import_lines
from tests.arena.command_line import CommandLine, Outcome
from tests.arena.small_tournament import ROOT, play, small_database


@pytest.fixture
def forged(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a small tournament in the hands of somebody who has taken the guards of the chain away."""
    connection = sqlite3.connect(small_database(tmp_path), isolation_level=None)
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE tbl_name = 'entry' AND type = 'trigger'"
    ).fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    connection.close()


def entry(connection: sqlite3.Connection, kind: str, number: int = 0) -> tuple[int, dict[str, Any]]:
    """The number and the payload of one of the entries of a kind."""
    rows = connection.execute("SELECT seq, payload FROM entry WHERE kind = ? ORDER BY seq", (kind,)).fetchall()
    seq, payload = rows[number]
    return seq, json.loads(payload)


def rewrite(connection: sqlite3.Connection, seq: int, body: dict[str, Any]) -> None:
    connection.execute("UPDATE entry SET payload = ? WHERE seq = ?", (canonical_json(body), seq))


def reseal(connection: sqlite3.Connection) -> None:
    """Recompute all hashes, as a forger would who knows the format."""
    prev = bytes(32)
    for seq, payload in connection.execute("SELECT seq, payload FROM entry ORDER BY seq").fetchall():
        sealed = entry_hash(prev, payload)
        connection.execute("UPDATE entry SET prev = ?, hash = ? WHERE seq = ?", (prev, sealed, seq))
        prev = sealed


def faults(outcome: Outcome) -> set[tuple[str, int | None]]:
    assert outcome.code == 1
    found = {(finding["fault"], finding["entry"]) for finding in outcome.data["findings"]}
    return found - {(Fault.GUARD, None)}  # tampering here drops the triggers first


def test_a_sound_ledger_passes_every_check(command_line: CommandLine, tmp_path: Path) -> None:
    """Chain, ratings, rounds drawn again (points and rating rounds, a withdrawn bot) and every record."""
    connection = sqlite3.connect(small_database(tmp_path))
    head = chain.head(connection)
    (matches,) = connection.execute("SELECT count(*) FROM match").fetchone()
    connection.close()
    told = command_line("ledger", "verify", "--replay")
    assert (told.code, told.err) == (0, "")
    assert f"3 rounds drawn again, {matches} records replayed: no faults" in told.out
    assert f"head {head.hex}" in told.out
    data = command_line("ledger", "verify", "--replay", "--json").data
    assert data == {
        "is_clean": True, "entries": head.seq, "head": head.hex, "published_head_is_entry": None, "pairings_drawn": 3,
        "records_replayed": matches, "signed_choices": [], "findings": [], "notes": [],
    }  # fmt: skip


def test_T22_8_a_file_of_heads_that_is_gone_or_cut_is_a_fault(command_line: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "arena.db.heads"
    connection = sqlite3.connect(small_database(tmp_path))
    head = chain.head(connection).hex
    published = file.read_text()
    shutil.copy(file, tmp_path / "copy")
    file.write_text("".join(published.splitlines(keepends=True)[1:]))
    assert ("head differs", None) in faults(command_line("ledger", "verify", "--json"))
    file.unlink()
    told = command_line("ledger", "verify")
    assert told.code == 1
    count = len(published.splitlines())
    assert f"{count} heads were published, but arena.db.heads is gone or empty; give a copy of the file" in told.out
    assert "no head was published" not in told.out, "the fault says the opposite"
    assert command_line("ledger", "verify", "--heads", "copy").code == 0
    kept = command_line("ledger", "verify", "--head", head)
    assert (kept.code, "no head was published" in kept.out) == (0, False)
    connection.execute("PRAGMA user_version = 0")  # as a database of 0.1.0, which did not count
    connection.close()
    before = command_line("ledger", "verify")
    assert (before.code, "no head was published" in before.out) == (0, True)


@pytest.mark.parametrize("form", ["round_robin", "gauntlet"])
def test_schedules_that_are_fixed_are_drawn_again_too(command_line: CommandLine, tmp_path: Path, form: str) -> None:
    bot = str(ROOT / "sample_bots" / "python")
    plain: dict[str, Any] = {
        "name": "fixed", "game": "toy", "format": form, "seed": 3, "seats": 2, "block": False,
        "bot": [{"path": bot, "name": name} for name in ("ann", "bob", "cat")],
    }  # fmt: skip
    play(tmp_path / "arena.db", plain | ({"challenger": "bob"} if form == "gauntlet" else {}))
    data = command_line("ledger", "verify", "--json").data
    assert data["findings"] == []
    assert data["pairings_drawn"] >= 1


def test_a_changed_result_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    """The winner and the last change places in an entry: it no longer fits its hash, nor what is stored."""
    seq, body = entry(forged, "MATCH", 2)
    rewrite(forged, seq, body | {"places": body["places"][::-1]})
    found = faults(command_line("ledger", "verify", "--json"))
    assert ("changed entry", seq) in found
    assert ("what is stored differs from its entry", seq) in found
    told = command_line("ledger", "verify")
    assert told.code == 1
    assert f"changed entry {seq}: " in told.out


def test_a_result_changed_with_all_hashes_forged_is_named(
    command_line: CommandLine, forged: sqlite3.Connection
) -> None:
    """The chain holds again, and still ratings, store, record and the published head tell."""
    head = chain.head(forged).hex
    seq, body = entry(forged, "MATCH", 2)
    rewrite(forged, seq, body | {"places": body["places"][::-1]})
    reseal(forged)
    found = faults(command_line("ledger", "verify", "--replay", "--head", head, "--json"))
    assert ("what is stored differs from its entry", seq) in found
    assert ("record does not replay", seq) in found
    assert ("head differs", None) in found
    assert any(fault == "replay differs" for fault, _ in found)


def test_a_result_changed_only_where_it_is_stored_is_named(
    command_line: CommandLine, forged: sqlite3.Connection
) -> None:
    seq, body = entry(forged, "MATCH", 1)
    forged.execute("UPDATE seat SET score = score + 1 WHERE match = ? AND seat = 0", (body["match"],))
    assert faults(command_line("ledger", "verify", "--json")) == {("what is stored differs from its entry", seq)}


def test_a_match_that_is_no_longer_stored_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    seq, body = entry(forged, "MATCH", 1)
    for table, column in (("bot_output", "match"), ("record", "match"), ("seat", "match"), ("match", "id")):
        forged.execute(f"DELETE FROM {table} WHERE {column} = ?", (body["match"],))
    found = faults(command_line("ledger", "verify", "--replay", "--json"))
    assert found == {("what is stored differs from its entry", seq), ("record does not replay", seq)}


def test_a_deleted_row_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    seq, body = entry(forged, "RATE", 5)
    forged.execute("DELETE FROM entry WHERE seq = ?", (seq,))
    found = faults(command_line("ledger", "verify", "--json"))
    assert ("missing entry", seq) in found
    assert f"{body['key']}" in command_line("ledger", "verify").out


def test_rows_cut_off_at_the_end_are_named_by_the_published_head(
    command_line: CommandLine, forged: sqlite3.Connection
) -> None:
    head = chain.head(forged)
    forged.execute("DELETE FROM entry WHERE seq = ?", (head.seq,))
    assert ("head differs", None) in faults(command_line("ledger", "verify", "--head", head.hex, "--json"))


def test_a_swapped_pair_of_rows_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    (one, _), (other, _) = entry(forged, "MATCH", 1), entry(forged, "MATCH", 2)
    rows = forged.execute(
        "SELECT key, kind, payload, prev, hash, seq FROM entry WHERE seq IN (?, ?) ORDER BY seq", (one, other)
    )
    first, second = rows.fetchall()
    forged.execute("DELETE FROM entry WHERE seq IN (?, ?)", (one, other))
    for row, seq in ((first, other), (second, one)):
        forged.execute("INSERT INTO entry (key, kind, payload, prev, hash, seq) VALUES (?,?,?,?,?,?)", (*row[:5], seq))
    assert ("swapped entries", one) in faults(command_line("ledger", "verify", "--json"))


def test_a_forged_hash_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    seq, _ = entry(forged, "MATCH", 1)
    forged.execute("UPDATE entry SET hash = ? WHERE seq = ?", (bytes(range(32)), seq))
    assert faults(command_line("ledger", "verify", "--json")) == {("forged hash", seq)}


def test_a_round_that_was_not_drawn_so_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    """The seats of a table are turned; with all hashes forged only drawing the round again shows it."""
    seq, body = entry(forged, "ROUND", 2)
    seats = body["tables"][0]["seats"]
    body["tables"][0]["seats"] = [*seats[1:], seats[0]]
    rewrite(forged, seq, body)
    reseal(forged)
    told = command_line("ledger", "verify")
    assert f"pairing differs {seq}: round:cup:3 does not follow from the results before it" in told.out
    assert "does not follow" not in command_line("ledger", "verify", "--no-pairings").out


def record_of(connection: sqlite3.Connection, match_id: str) -> list[str]:
    (content,) = connection.execute("SELECT content FROM record WHERE match = ?", (match_id,)).fetchone()
    text: str = zlib.decompress(content).decode()
    return text.splitlines()


def store_record(connection: sqlite3.Connection, match_id: str, lines: list[str]) -> None:
    content = zlib.compress("".join(f"{line}\n" for line in lines).encode())
    connection.execute("UPDATE record SET content = ? WHERE match = ?", (content, match_id))


def resealed(lines: list[str]) -> list[str]:
    """Seal the lines of a record again, as somebody would who knows the format."""
    seal, found = "", []
    for line in lines:
        body = line.rpartition(',"seal":"')[0] + "}"
        seal = blake2b(f"{seal}\n{body}".encode(), digest_size=16).hexdigest()
        found.append(f'{body[:-1]},"seal":"{seal}"}}')
    return found


def test_a_record_that_does_not_replay_is_named(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    """Without --replay records are not looked at; with it the match and the step are named."""
    seq, body = entry(forged, "MATCH", 3)
    lines = record_of(forged, body["match"])
    lines[2] = lines[2].replace('"how":"answered"', '"how":"late"', 1)
    store_record(forged, body["match"], resealed(lines))
    derived_tables.create_tables(forged)  # its guards are back
    assert command_line("ledger", "verify").code == 0
    told = command_line("ledger", "verify", "--replay")
    assert told.code == 1
    assert f"record does not replay {seq}: match {body['match']}: step 2: the digest differs" in told.out


def test_a_record_that_was_exchanged_for_another_is_named(
    command_line: CommandLine, forged: sqlite3.Connection
) -> None:
    """It replays, and is not the record of this match."""
    (seq, body), (_, other) = entry(forged, "MATCH", 3), entry(forged, "MATCH", 4)
    store_record(forged, body["match"], record_of(forged, other["match"]))
    derived_tables.create_tables(forged)
    told = command_line("ledger", "verify", "--replay")
    assert f"record does not replay {seq}: match {body['match']}: the record says match id {other['match']}" in told.out
    assert ": 1 fault\n" in told.out


def test_a_record_that_breaks_the_replay_does_not_hide_the_others(
    command_line: CommandLine, forged: sqlite3.Connection
) -> None:
    """One has a result without ranks, one is no record at all; a third is merely changed: all are named."""
    broken, garbage, changed = (entry(forged, "MATCH", number) for number in (1, 2, 5))
    lines = record_of(forged, broken[1]["match"])
    last = json.loads(lines[-1])
    digest = json.loads(lines[-2])["digest"]
    result = json.dumps({"ending": "completed"}, separators=(",", ":"))
    last = {"result": {"ending": "completed"}, "steps": last["steps"]}
    last["digest"] = blake2b(f"{digest}\n{result}".encode(), digest_size=16).hexdigest()
    lines[-1] = json.dumps(last, separators=(",", ":"))[:-1] + ',"seal":""}'
    store_record(forged, broken[1]["match"], resealed(lines))
    forged.execute("UPDATE record SET content = 'no record' WHERE match = ?", (garbage[1]["match"],))
    store_record(forged, changed[1]["match"], record_of(forged, changed[1]["match"])[:-1])
    found = faults(command_line("ledger", "verify", "--replay", "--json"))
    assert found == {("record does not replay", seq) for seq in (broken[0], garbage[0], changed[0])}


def test_verify_reads_and_never_writes(command_line: CommandLine, forged: sqlite3.Connection, tmp_path: Path) -> None:
    """A ledger without its first entry is named as that, and not mended."""
    forged.execute("DELETE FROM entry WHERE seq = 1")
    forged.close()
    before = (tmp_path / "arena.db").read_bytes()
    assert ("missing entry", 1) in faults(command_line("ledger", "verify", "--json"))
    assert (tmp_path / "arena.db").read_bytes() == before


def test_an_older_head_is_found_in_the_chain(command_line: CommandLine, forged: sqlite3.Connection) -> None:
    derived_tables.create_tables(forged)
    (sealed,) = forged.execute("SELECT hash FROM entry WHERE seq = 20").fetchone()
    told = command_line("ledger", "verify", "--no-pairings", "--head", sealed.hex())
    assert told.code == 0
    assert "the head given is entry 20" in told.out


def test_recompute_says_whether_the_tables_were_right_and_sets_them_right(
    command_line: CommandLine, forged: sqlite3.Connection
) -> None:
    assert command_line("ledger", "recompute").out == "All tables matched the entries.\n"
    honest = forged.execute("SELECT * FROM standing ORDER BY bot").fetchall()
    forged.execute("UPDATE standing SET rating = rating + 100000 WHERE bot LIKE 'ann@%'")
    forged.execute("DELETE FROM rating_change WHERE seq = (SELECT max(seq) FROM rating_change)")
    assert ("table does not follow from the entries", None) in faults(command_line("ledger", "verify", "--json"))
    told = command_line("ledger", "recompute", "--json")
    assert (told.code, told.data) == (1, {"was_equal": False, "differed": ["standing", "rating_change"]})
    assert forged.execute("SELECT * FROM standing ORDER BY bot").fetchall() == honest
    assert command_line("ledger", "recompute", "--json").data == {"was_equal": True, "differed": []}
    assert command_line("ledger", "verify").code == 0


def test_an_export_rebuilds_the_same_chain_elsewhere(
    command_line: CommandLine, forged: sqlite3.Connection, tmp_path: Path
) -> None:
    told = command_line("ledger", "export", "--output", "ledger.jsonl", "--json")
    head = chain.head(forged)
    assert told.data == {"output": "ledger.jsonl", "entries": head.seq, "head": head.hex}
    assert command_line("ledger", "export").out == (tmp_path / "ledger.jsonl").read_text(encoding="utf-8")
    elsewhere = sqlite3.connect(":memory:", isolation_level=None)
    derived_tables.create_tables(elsewhere)
    with (tmp_path / "ledger.jsonl").open(encoding="utf-8") as lines:
        assert import_lines(elsewhere, lines) == head
    elsewhere.close()


MISSING = "--db: none.db does not exist; run a tournament first or name another file"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("verify --db none.db", MISSING),
        ("recompute --db none.db", MISSING),
        ("export --db text.db", "--db: text.db cannot be used: file is not a database"),
        ("verify --head 12", "--head: '12' is not a hash; expected 64 digits from 0 to f"),
        ("export --output no/folder", "--output: cannot write no/folder: No such file or directory"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(
    command_line: CommandLine, tmp_path: Path, words: str, line: str
) -> None:
    small_database(tmp_path)
    (tmp_path / "text.db").write_text("no database\n" * 100)
    assert command_line("ledger", *words.split()) == Outcome(2, "", f"arena: {line}\n")
