"""Backups: everything comes back as it was, elsewhere too, and nothing in a foreign file is believed."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import stat
import tarfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.bots.directory import read_bot
from arena.store import backup
from arena.store.backup import restore_backup, write_backup
from arena.store.beside import bots_folder
from arena.store.database import open_store, open_to_read
from arena.store.heads import heads_file
from referee.mistakes import UserError
from tests.arena.small_tournament import ROOT, small_database

NOW = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A played database with one submitted bot, and a tournament that somebody runs."""
    path = small_database(tmp_path)
    store = open_store(path)
    bot = read_bot(ROOT / "sample_bots" / "greedy")
    folder = bots_folder(path) / bot.version
    shutil.copytree(bot.path, folder, ignore=shutil.ignore_patterns("__pycache__"))
    kept = read_bot(folder)
    store.bots.add(kept.label, "greedy", kept.version, kept.location, kept.stored(), NOW)
    store.leases.take("cup", "elsewhere 1 2 3", 1e12)
    store.close()
    return path


def entries(db: Path) -> list[Any]:
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute("SELECT * FROM entry ORDER BY seq").fetchall()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_backup_is_restored_elsewhere_with_its_ledger_heads_and_bots(db: Path, tmp_path: Path) -> None:
    made = write_backup(db, tmp_path / "b.tar")
    other = tmp_path / "another place"
    other.mkdir()
    assert restore_backup(tmp_path / "b.tar", other / "new.db") == made
    assert entries(other / "new.db") == entries(db)
    assert heads_file(other / "new.db").read_bytes() == heads_file(db).read_bytes()
    store = open_to_read(other / "new.db")
    version = store.bots.version("greedy")
    assert version is not None
    bot = read_bot(Path(version.path))
    assert (bot.path.parent, bot.version, made.bots) == (other / "new-bots", version.version, 1)
    assert store.leases.holder("cup", 0.0) is None, "nobody runs it there"
    assert sorted(made.elsewhere) == sorted({each.path for each in store.bots.versions()} - {version.path})
    store.close()


def test_a_backup_is_the_same_bytes_again_and_only_its_owner_reads_it(db: Path, tmp_path: Path) -> None:
    for name in ("one.tar", "two.tar"):
        write_backup(db, tmp_path / name)
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()
    restore_backup(tmp_path / "one.tar", tmp_path / "new.db")
    assert {mode(tmp_path / name) for name in ("one.tar", "new.db")} == {0o600}
    assert mode(tmp_path / "new-bots") == (0o711 if os.getuid() == 0 else 0o700)
    (folder,) = (tmp_path / "new-bots").iterdir()
    assert (mode(folder), mode(folder / "bot.toml")) == (0o755, 0o555), "as a submitted bot's are"


def test_a_backup_taken_while_somebody_writes_is_the_state_of_one_moment(db: Path, tmp_path: Path) -> None:
    before = entries(db)
    store = open_store(db)
    with store.write() as connection:
        connection.execute("DELETE FROM standing")
        write_backup(db, tmp_path / "b.tar")
    store.close()
    restore_backup(tmp_path / "b.tar", tmp_path / "new.db")
    assert entries(tmp_path / "new.db") == before
    restored = open_to_read(tmp_path / "new.db")
    assert restored.pools.accounts("toy:1")
    restored.close()


@pytest.mark.parametrize("present", ["new.db", "new.db-wal", "new.db.heads", "new-bots"])
def test_nothing_is_overwritten(db: Path, tmp_path: Path, present: str) -> None:
    write_backup(db, tmp_path / "b.tar")
    (tmp_path / present).write_text("mine")
    with pytest.raises(UserError, match=rf"{present} already exists; a backup is restored to new files only"):
        restore_backup(tmp_path / "b.tar", tmp_path / "new.db")
    with pytest.raises(UserError, match=r"b\.tar: already exists; expected a new file"):
        write_backup(db, tmp_path / "b.tar")
    assert (tmp_path / present).read_text() == "mine"


def test_a_full_disk_is_noticed_before_anything_is_written(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(db, tmp_path / "b.tar")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=1 << 20))
    present = sorted(tmp_path.iterdir())
    expected = r"the disk has 1 MiB free; \d+ MiB are needed"
    with pytest.raises(UserError, match=expected):
        write_backup(db, tmp_path / "c.tar")
    with pytest.raises(UserError, match=expected):
        restore_backup(tmp_path / "b.tar", tmp_path / "new.db")
    assert sorted(tmp_path.iterdir()) == present


def test_a_broken_chain_is_not_backed_up(db: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("DROP TRIGGER entry_is_never_changed")
        connection.execute("UPDATE entry SET payload = replace(payload, 'toy', 'tuy') WHERE seq = 9")
        connection.commit()
    with pytest.raises(UserError, match="is damaged, and a backup would be too: T13: entry 9 does not match its hash"):
        write_backup(db, tmp_path / "b.tar")
    assert not (tmp_path / "b.tar").exists()


# Foreign files.

Files = dict[str, bytes]


def rewritten(source: Path, target: Path, change: Callable[[Files, list[tarfile.TarInfo]], None]) -> Path:
    """Write a backup again with other files, or with further members, and a manifest that agrees with its files."""
    with tarfile.open(source) as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]  # files all
    manifest = json.loads(files.pop("manifest.json"))
    more: list[tarfile.TarInfo] = []
    change(files, more)
    manifest["members"] = [
        {"name": name, "size": len(content), "sha256": sha256(content).hexdigest()} for name, content in files.items()
    ]
    with tarfile.open(target, "w") as tar:
        for name, content in {"manifest.json": json.dumps(manifest).encode(), **files}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        for member in more:
            tar.addfile(member)
    return target


def other_member(name: str, kind: bytes, **fields: Any) -> Callable[[Files, list[tarfile.TarInfo]], None]:
    def change(_files: Files, more: list[tarfile.TarInfo]) -> None:
        member = tarfile.TarInfo(name)
        member.type = kind
        for field, value in fields.items():
            setattr(member, field, value)
        more.append(member)

    return change


def put(name: str, content: bytes) -> Callable[[Files, list[tarfile.TarInfo]], None]:
    return lambda files, _more: files.update({name: content})


def flip(files: Files, _more: list[tarfile.TarInfo]) -> None:
    """Change a payload in the database, whose hash in the manifest then agrees."""
    content = files["arena.db"]
    at = content.rindex(b'"tournament":"cup"')
    files["arena.db"] = content[:at] + b'"tournament":"cap"' + content[at + 18 :]


HOSTILE = {
    "up and out": (put("arena-bots/../../evil", b"x"), "leads out of the archive"),
    "absolute": (put("/evil", b"x"), "path is absolute"),
    "beside": (put("evil", b"x"), "'evil' is not part of a backup"),
    "backslash": (put("arena-bots/a/..\\evil", b"x"), "a character that is not allowed"),
    "link": (other_member("arena-bots/a/b", tarfile.SYMTYPE, linkname="/etc"), "is not a plain file"),
    "hard link": (other_member("arena-bots/a/b", tarfile.LNKTYPE, linkname="arena.db"), "is not a plain file"),
    "device": (other_member("arena-bots/a/b", tarfile.CHRTYPE), "is not a plain file"),
    "twice": (other_member("arena.db", tarfile.REGTYPE), "is not in its manifest, or appears twice"),
    "unlisted": (other_member("arena-bots/a/b", tarfile.REGTYPE), "is not in its manifest"),
    "large header": (other_member("a", tarfile.REGTYPE, pax_headers={"comment": "x" * (2 << 20)}), "a header of"),
    "long name": (put("arena-bots/a/" + "x" * 600, b"x"), "the limit is 400"),
    "changed ledger": (flip, "damaged"),
    "other heads": (put("arena.db.heads", b"5 " + b"0" * 64 + b" now\n"), "does not have entry 5 as it was published"),
    "not heads": (put("arena.db.heads", b"hello\n"), "is not a head"),
    "not a database": (put("arena.db", b"hello"), "cannot be used|is not a database"),
}  # fmt: skip


@pytest.mark.parametrize("case", list(HOSTILE))
def test_a_hostile_backup_is_refused_in_one_line_and_leaves_nothing(db: Path, tmp_path: Path, case: str) -> None:
    change, expected = HOSTILE[case]
    write_backup(db, tmp_path / "b.tar")
    hostile = rewritten(tmp_path / "b.tar", tmp_path / "hostile.tar", change)
    present = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError, match=expected) as refused:
        restore_backup(hostile, tmp_path / "new.db")
    assert "\n" not in str(refused.value)
    assert sorted(tmp_path.rglob("*")) == present


def test_a_rewritten_backup_that_changes_nothing_is_accepted(db: Path, tmp_path: Path) -> None:
    """Else the tests above would pass whatever they change."""
    write_backup(db, tmp_path / "b.tar")
    restore_backup(rewritten(tmp_path / "b.tar", tmp_path / "c.tar", lambda *_: None), tmp_path / "new.db")


def test_a_sparse_member_that_claims_a_terabyte_is_refused(db: Path, tmp_path: Path) -> None:
    write_backup(db, tmp_path / "b.tar")
    headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 40)}
    change = other_member("arena-bots/a/b", tarfile.REGTYPE, pax_headers=headers)
    with pytest.raises(UserError, match=r"is not a valid backup of an arena"):
        restore_backup(rewritten(tmp_path / "b.tar", tmp_path / "c.tar", change), tmp_path / "new.db")


@pytest.mark.parametrize("keep", [0, 100, 700, 20_000, -20_000])
def test_a_backup_that_was_cut_short_is_refused(db: Path, tmp_path: Path, keep: int) -> None:
    write_backup(db, tmp_path / "b.tar")
    (tmp_path / "c.tar").write_bytes((tmp_path / "b.tar").read_bytes()[:keep])
    with pytest.raises(UserError, match=r"c\.tar: (is not a valid backup of an arena|cannot be read)"):
        restore_backup(tmp_path / "c.tar", tmp_path / "new.db")


def test_a_backup_of_a_later_format_names_its_software(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(backup, "FORMAT", 2)
        later.setattr(backup, "SOFTWARE", "9.0.0")
        write_backup(db, tmp_path / "b.tar")
    with pytest.raises(UserError, match=r"it has format 2 of software '9\.0\.0'; 0\.1\.0 reads 1"):
        restore_backup(tmp_path / "b.tar", tmp_path / "new.db")
