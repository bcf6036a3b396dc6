"""Backups: a database, its published heads and its bots in one self-verifying tar file.

The database is copied by SQLite's online backup, a snapshot that neither waits for a writer nor blocks one. The
first member is a manifest with the size and the hash of every other one, so that a reader knows what to expect before
it writes anything. Nothing is compressed: records are already compressed in the database, and a plain tar cannot grow.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import stat
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, Any

from arena.bots.archive import ArchiveError, ArchiveLimits, check_name, make_root
from arena.bots.directory import BYTECODE
from arena.store.beside import PRIVATE_FILE, bots_folder
from arena.store.database import open_to_read
from arena.store.evidence import UNREADABLE
from arena.store.heads import heads_file, read_heads
from ratings.ledger.chain import LedgerError, verified_head
from referee.mistakes import UserError
from referee.software import SOFTWARE

FORMAT = 1
MANIFEST, DATABASE, HEADS, BOTS = "manifest.json", "arena.db", "arena.db.heads", "arena-bots"
LARGEST_MANIFEST = 64 << 20
LARGEST_HEADER = 1 << 20
"""Bytes that a tar reader may request in one piece: a header that claims more is not from a backup."""
CHUNK = 1 << 16
NAMES = ArchiveLimits(path_length=400, depth=16)
"""Limits of a submitted bot's file names, with room for the folders of a backup."""
READ_BY_ALL = 0o555
"""The mode of submitted files: read-only and not secret; permissions are not part of a bot's version."""
MODES = {DATABASE: PRIVATE_FILE, HEADS: 0o644}
"""Heads are meant to be published."""
SPARE_BYTES = 16 << 20
"""Disk space that a backup leaves free."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup: the ledger's last entry, and what is included and what is not."""

    software: str
    entries: int
    head: str
    matches: int
    bots: int
    """The bot versions whose files are in it."""
    elsewhere: tuple[str, ...]
    """The directories of bots outside the bots folder, which are not in it."""


def write_backup(db: Path, output: Path) -> Contents:
    """Write a backup of a database to a new file, read it back and return its contents.

    A UserError says why it cannot be written; then no file is left behind.
    """
    if os.path.lexists(output):
        raise UserError(f"{output}: already exists; expected a new file")
    bots = bots_folder(db)
    with _scratch_beside(output) as folder:
        snapshot, written = folder / DATABASE, folder / "backup.tar"
        files = {DATABASE: snapshot}
        paths, figures = _snapshot(db, snapshot)
        with suppress(FileNotFoundError):  # after the snapshot, which then counts no head that is not in it
            _copy_heads(heads_file(db), folder / HEADS, figures[0])
            files[HEADS] = folder / HEADS
        kept = [path for path in paths if not Path(path).is_absolute() and (bots / path).is_dir()]
        for path in kept:
            files |= _bot_files(bots, path)
        elsewhere = tuple(str(bots / path) for path in paths if path not in kept)
        contents = Contents(SOFTWARE, *figures, len(kept), elsewhere)
        _check_room(folder, snapshot.stat().st_size + sum(file.stat().st_size for file in files.values()))
        _write_tar(written, contents, files)
        snapshot.unlink()
        with tempfile.TemporaryDirectory(dir=folder) as again:
            _check_database(Path(again), _unpack(written, Path(again), with_bots=False))
        os.rename(written, output)
    return contents


def _copy_heads(heads: Path, copy: Path, entries: int) -> None:
    """Copy the heads of a snapshot's entries: those published since are not in it."""
    lines = heads.read_text(encoding="ascii", errors="replace").splitlines(keepends=True)
    firsts = [line.partition(" ")[0] for line in lines]
    kept = [line for line, first in zip(lines, firsts, strict=True) if not first.isdigit() or int(first) <= entries]
    copy.write_text("".join(kept), encoding="ascii", errors="replace")


def restore_backup(backup: Path, db: Path) -> Contents:
    """Restore a backup as a new database with its heads and bots, and return its contents.

    A UserError says what prevents it, or what is wrong with the backup; then nothing is left behind.
    """
    folder, heads = bots_folder(db), heads_file(db)
    for file in (db, db.with_name(f"{db.name}-wal"), db.with_name(f"{db.name}-shm"), heads, folder):
        if os.path.lexists(file):
            raise UserError(f"db: {file} already exists; a backup is restored to new files only")
    with _scratch_beside(db) as scratch:
        contents = _unpack(backup, scratch, with_bots=True)
        _check_database(scratch, contents)
        # The database last: once it exists, so does the rest.
        if (scratch / BOTS).is_dir():
            os.rename(scratch / BOTS, folder)
        if (scratch / HEADS).exists():
            os.rename(scratch / HEADS, heads)
        os.rename(scratch / DATABASE, db)
    return contents


@contextmanager
def _scratch_beside(file: Path) -> Iterator[Path]:
    """Yield a private folder on the same disk as a file to be written."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{file.name}-", dir=file.absolute().parent) as folder:
            yield Path(folder)
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from None


def _check_room(folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < wanted + SPARE_BYTES:
        needed = (wanted + SPARE_BYTES) >> 20
        raise UserError(f"{folder.parent}: the disk has {free >> 20} MiB free; {needed} MiB are needed")


# Writing.


def _snapshot(db: Path, copy: Path) -> tuple[list[str], tuple[int, str, int]]:
    """Copy a snapshot of a database; return the paths of its bots, and its entries, head and matches."""
    store = open_to_read(db)
    try:
        _check_room(copy.parent, db.stat().st_size)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            store.connection.backup(connection)
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            connection.execute("DELETE FROM lease")  # nobody runs a tournament in the copy
            paths = connection.execute("SELECT DISTINCT path FROM bot_version WHERE path <> '' ORDER BY path")
            found = [path for (path,) in paths]
            head = verified_head(connection)
            (matches,) = connection.execute("SELECT count(*) FROM match").fetchone()
    except LedgerError as error:
        raise UserError(f"db: {db} is damaged, and a backup would be too: {error}") from None
    finally:
        store.close()
    copy.chmod(PRIVATE_FILE)
    return found, (head.seq, head.hex, matches)


def _bot_files(folder: Path, path: str) -> dict[str, Path]:
    """Return the files of a bot by their names in a backup."""
    found = {}
    for file in sorted((folder / path).rglob("*")):
        within = file.relative_to(folder)
        if BYTECODE in within.parts or (file.is_dir() and not file.is_symlink()):
            continue
        if file.is_symlink() or not file.is_file():
            raise UserError(f"{file}: is not a plain file; the bots folder may hold only plain files")
        name = f"{BOTS}/{within.as_posix()}"
        _checked_name(name)
        found[name] = file
    return found


def _write_tar(output: Path, contents: Contents, files: Mapping[str, Path]) -> None:
    sizes = {name: file.stat().st_size for name, file in files.items()}
    members = [{"name": name, "size": sizes[name], "sha256": _digest(file)} for name, file in files.items()]
    manifest = json.dumps({"format": FORMAT, "contents": asdict(contents), "members": members}, indent=1).encode()
    with output.open("xb") as stream:
        output.chmod(PRIVATE_FILE)
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
            tar.addfile(_member(MANIFEST, len(manifest)), io.BytesIO(manifest))
            for name, file in files.items():
                with file.open("rb") as content:
                    tar.addfile(_member(name, sizes[name]), content)
        stream.flush()
        os.fsync(stream.fileno())


def _member(name: str, size: int) -> tarfile.TarInfo:
    """Return a header without times and owners: the same files give the same bytes."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o755 if name.startswith(f"{BOTS}/") else PRIVATE_FILE
    return member


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


# Reading: a backup may come from anywhere, and nothing in it is trusted before it is checked.


class _Careful:
    """A file for a tar reader, which would otherwise load a header of any length into memory."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.seek, self.tell, self._read = stream.seek, stream.tell, stream.read

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, unless that is more than a backup's header can have."""
        if not 0 <= size <= LARGEST_HEADER:
            raise tarfile.ReadError(f"a header of {size} bytes")
        return self._read(size)


def _unpack(backup: Path, into: Path, *, with_bots: bool) -> Contents:
    """Unpack a backup into an empty folder and return its declared contents; bots are at least read and compared."""
    try:
        with backup.open("rb") as stream, tarfile.open(fileobj=_Careful(stream), mode="r:") as tar:  # type: ignore[call-overload]  # reading is all it does
            return _unpack_members(tar, into, with_bots=with_bots)
    except OSError as error:
        raise UserError(f"{backup}: cannot be read or unpacked: {error.strerror or error}") from None
    except (ArchiveError, tarfile.TarError, EOFError, *UNREADABLE) as error:
        raise UserError(f"{backup}: is not a valid backup of an arena: {error}") from None


def _unpack_members(tar: tarfile.TarFile, into: Path, *, with_bots: bool) -> Contents:
    manifest = _read_manifest(tar)
    expected = {_checked_name(each["name"]): (int(each["size"]), str(each["sha256"])) for each in manifest["members"]}
    _check_room(into, sum(size for size, _digest in expected.values()))
    if with_bots and any(name.startswith(f"{BOTS}/") for name in expected):
        make_root(into / BOTS)
    for member in iter(tar.next, None):
        tar.members = []  # type: ignore[attr-defined]  # untyped; otherwise it keeps every header
        if member.type != tarfile.REGTYPE or member.issparse():
            raise ArchiveError(f"{member.name[:60]!r} is not a plain file")
        if member.name not in expected:
            raise ArchiveError(f"{member.name[:60]!r} is not in its manifest, or appears twice")
        size, digest = expected.pop(member.name)
        content = tar.extractfile(member)
        assert content is not None, "a plain file"
        is_wanted = with_bots or not member.name.startswith(f"{BOTS}/")
        if member.size != size or _copy(content, into / member.name if is_wanted else None) != (size, digest):
            raise ArchiveError(f"{member.name!r} does not match its manifest")
        if is_wanted:
            (into / member.name).chmod(MODES.get(member.name, READ_BY_ALL))
    if expected:
        raise ArchiveError(f"{min(expected)!r} is missing")
    for folder in (into / BOTS).rglob("*"):
        if folder.is_dir():
            folder.chmod(READ_BY_ALL | stat.S_IWUSR)  # a sandboxed bot's uid reads it
    return Contents(**{**manifest["contents"], "elsewhere": tuple(manifest["contents"]["elsewhere"])})


def _read_manifest(tar: tarfile.TarFile) -> Any:
    member = tar.next()
    if member is None or member.name != MANIFEST or not member.isreg() or member.size > LARGEST_MANIFEST:
        raise ArchiveError(f"it does not begin with {MANIFEST}")
    content = tar.extractfile(member)
    assert content is not None, "a plain file"
    manifest = json.loads(b"".join(iter(lambda: content.read(CHUNK), b"")))
    if manifest["format"] != FORMAT:
        software = str(manifest["contents"]["software"])[:40]
        raise ArchiveError(f"it has format {manifest['format']!r} of software {software!r}; {SOFTWARE} reads {FORMAT}")
    return manifest


def _checked_name(name: str) -> str:
    """Return the name of a valid member; an ArchiveError for any other."""
    if name not in (DATABASE, HEADS):
        path = check_name(name, NAMES)
        if path is None or str(path) != name or len(path.parts) < 3 or path.parts[0] != BOTS:
            raise ArchiveError(f"{name[:60]!r} is not part of a backup")
    return name


def _copy(content: IO[bytes], target: Path | None) -> tuple[int, str]:
    """Read a member, into a new file if one is given; return its size and hash."""
    digest, size = sha256(), 0
    with ExitStack() as stack:
        file: IO[bytes] | None = None
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(target.open("xb"))
        while chunk := content.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
            if file is not None:
                file.write(chunk)
        if file is not None:
            file.flush()
            os.fsync(file.fileno())
    return size, digest.hexdigest()


def _check_database(folder: Path, contents: Contents) -> None:
    """Check an unpacked database: SQLite's integrity, the expected chain, and all published heads."""
    store = open_to_read(folder / DATABASE)
    try:
        if damage := store.evidence.damage():
            raise UserError(f"the backup's database is damaged: {damage[0]}")
        head = verified_head(store.connection)
        if (head.seq, head.hex) != (contents.entries, contents.head):
            raise UserError(f"the backup's ledger ends with entry {head.seq}, but its manifest says {contents.entries}")
        for each in read_heads(folder / HEADS):
            if store.heads.hash_of(each.seq) != each.hash:
                raise UserError(f"the backup's ledger does not have entry {each.seq} as it was published")
    except (LedgerError, sqlite3.DatabaseError) as error:
        raise UserError(f"the backup's database is damaged: {error}") from None
    finally:
        store.close()
