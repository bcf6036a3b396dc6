"""Bot archives: packed reproducibly, and unpacked as untrusted input."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import struct
import tarfile
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

import trio

from arena.bots.directory import BYTECODE, LARGEST_MANIFEST, MANIFEST, BotDirectory, content_version, read_bot
from arena.bots.one_file import as_directory
from arena.bots.process import KeptOutput
from arena.bots.scratch import scratch_folder
from arena.sandbox.child import Child
from arena.sandbox.levels import Level, Limits, launch, runtime_environment
from referee.mistakes import UserError

INCOMING = ".incoming-"
CHUNK = 1 << 16
BUILD = "/build"  # the build directory inside the sandbox
ALWAYS_FINE = 1 << 20  # bytes that any archive may unpack to, whatever its ratio
# Copies the bot below $0, builds it there and packs the result to standard output.
PACK_AFTER_BUILD = """
work=$0/bot
cp -R . "$work" && chmod -R u+w "$work" && cd "$work" || exit 125
"$@" >&2 || exit
exec tar --create --gzip --hard-dereference --exclude=__pycache__ --file=- .
"""
DAMAGES = (
    tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, struct.error,
    EOFError, ValueError, IndexError, OverflowError, NotImplementedError,
)  # fmt: skip
END_OF_ZIP, ZIP64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"


class ArchiveError(Exception):
    """An archive is refused; the message names the member and the fault."""


class BuildError(Exception):
    """A build step failed; `log` is its output."""

    def __init__(self, reason: str, log: str) -> None:
        super().__init__(reason)
        self.log = log


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Limits of an archive."""

    packed_bytes: int = 32 << 20
    total_bytes: int = 128 << 20
    ratio: int = 100  # unpacked to packed; only archive bombs exceed it
    files: int = 2_000
    path_length: int = 200
    depth: int = 12


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Limits of a build step."""

    seconds: float = 120.0
    memory_mb: int = 2_048
    disk_mb: int = 512


@dataclass(frozen=True, slots=True)
class ArchivedBot:
    """A stored version: the files that run, their source, and the build log."""

    bot: BotDirectory
    source_version: str
    build_log: str = ""


LIMITS = ArchiveLimits()
BUILD_LIMITS = BuildLimits()


def pack(bot: Path) -> bytes:
    """Return a bot's files as a tar.gz; the same files give the same bytes, whatever their times and owners."""
    with as_directory(bot) as directory:
        return _packed(directory)


def _packed(directory: Path) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(directory.rglob("*"), key=lambda file: file.relative_to(directory).as_posix()):
            name = file.relative_to(directory).as_posix()
            if BYTECODE in file.relative_to(directory).parts:
                continue
            if file.is_symlink():
                raise ArchiveError(f"{name}: is a link; expected a file")
            if file.is_dir():
                continue
            if not file.is_file():
                raise ArchiveError(f"{name}: is neither a file nor a directory")
            member = tarfile.TarInfo(name)
            member.size = file.stat().st_size
            member.mode = 0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644
            with file.open("rb") as content:
                archive.addfile(member, content)
    return gzip.compress(plain.getvalue(), mtime=0)


def unpack(archive: bytes, into: Path, limits: ArchiveLimits = LIMITS) -> None:
    """Unpack a tar.gz or zip into an empty directory; an ArchiveError leaves partial files behind."""
    if len(archive) > limits.packed_bytes:
        raise ArchiveError(f"the archive has {len(archive)} bytes; the limit is {limits.packed_bytes}")
    if archive[:2] == b"\x1f\x8b":
        members = _tar_members(archive, limits)
    elif archive[:4] in (b"PK\x03\x04", END_OF_ZIP):
        members = _zip_members(archive, limits)
    else:
        raise ArchiveError("the archive is neither a tar.gz nor a zip")
    try:
        _write(members, into, limits)
    except DAMAGES as error:
        raise ArchiveError(f"the archive is damaged: {error}") from None
    if not (into / MANIFEST).is_file():
        found = sorted(file.relative_to(into).as_posix() for file in into.rglob(MANIFEST))
        hint = f"; found {found[0]}: pack the files of that directory, not the directory" if found else ""
        raise ArchiveError(f"the archive has no {MANIFEST} at its top{hint}")


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    is_directory: bool
    read: Callable[[int], bytes]


def _write(members: Iterator[_Member], into: Path, limits: ArchiveLimits) -> None:
    seen: dict[str, bool] = {}  # normalised name: whether it is a directory
    files = total = 0
    for member in members:
        path = check_name(member.name, limits)
        if path is None or BYTECODE in path.parts:
            continue
        files += 1
        if files > limits.files:
            raise ArchiveError(f"{member.name}: too many files; the limit is {limits.files}")
        _note(path, member, seen)
        target = into / path
        if member.is_directory:
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        most = LARGEST_MANIFEST if path == PurePosixPath(MANIFEST) else limits.total_bytes
        size = 0
        with target.open("xb") as file:
            while chunk := member.read(CHUNK):
                size += len(chunk)
                total += len(chunk)
                if size > most:
                    raise ArchiveError(f"{member.name}: is larger than {most} bytes")
                if total > limits.total_bytes:
                    raise ArchiveError(f"{member.name}: the files exceed {limits.total_bytes} bytes in total")
                file.write(chunk)
        target.chmod(0o555)  # executable and read-only: permissions are not part of a version


def check_name(name: str, limits: ArchiveLimits = LIMITS) -> PurePosixPath | None:
    """Return a name as a safe relative path, None for the top itself; an ArchiveError names the fault."""
    if len(name) > limits.path_length:
        raise ArchiveError(f"{name[:60]!r}…: its path has {len(name)} characters; the limit is {limits.path_length}")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise ArchiveError(f"{name!r}: its name is not UTF-8") from None
    if not name.isprintable() or "\\" in name or ":" in name:
        raise ArchiveError(f"{name!r}: its name has a character that is not allowed")
    if name.startswith("/"):
        raise ArchiveError(f"{name}: its path is absolute")
    if ".." in name.split("/"):
        raise ArchiveError(f"{name}: its path leads out of the archive")
    path = PurePosixPath(name)
    if len(path.parts) > limits.depth:
        raise ArchiveError(f"{name}: is {len(path.parts)} directories deep; the limit is {limits.depth}")
    return path if path.parts else None


def _note(path: PurePosixPath, member: _Member, seen: dict[str, bool]) -> None:
    """Refuse names that are equal on any file system, and files that are also directories."""
    for parent in [*path.parents][:-1]:
        if seen.setdefault(_comparable(parent), True) is False:
            raise ArchiveError(f"{member.name}: is inside {parent}, which is a file")
    key = _comparable(path)
    if key in seen and not (seen[key] and member.is_directory):
        raise ArchiveError(f"{member.name}: appears twice")
    seen[key] = member.is_directory


def _comparable(path: PurePosixPath) -> str:
    return unicodedata.normalize("NFC", str(path)).casefold()


class _Bounded:
    """Reads a compressed stream, bounded by the plausible content of an archive of its size."""

    def __init__(self, stream: gzip.GzipFile | IO[bytes], packed: int, limits: ArchiveLimits) -> None:
        self.stream = stream
        self.given = 0
        # Besides its content, a tar has up to three blocks per member.
        self.most = limits.total_bytes + limits.files * 2048 + ALWAYS_FINE
        self.ratio = limits.ratio
        self.packed = packed

    def read(self, size: int = CHUNK) -> bytes:
        """Return up to `size` bytes; raise an ArchiveError once there are too many."""
        # A header may claim any length: never ask for more than the total limit.
        chunk = self.stream.read(min(size, self.most - self.given + 1))
        self.given += len(chunk)
        if self.given > self.most:
            raise ArchiveError(f"the archive unpacks to more than {self.most} bytes")
        if self.given > ALWAYS_FINE + self.ratio * self.packed:
            raise ArchiveError(f"the archive unpacks to more than {self.ratio} times its size")
        return chunk


def _tar_members(archive: bytes, limits: ArchiveLimits) -> Iterator[_Member]:
    stream = _Bounded(gzip.GzipFile(fileobj=io.BytesIO(archive)), len(archive), limits)
    with tarfile.open(fileobj=stream, mode="r|") as tar:  # type: ignore[call-overload]  # reading is all it does
        for member in tar:
            _check_tar_member(member)
            content = tar.extractfile(member) if member.isreg() else None
            yield _Member(member.name, member.isdir(), content.read if content is not None else lambda _: b"")
            tar.members = []  # otherwise it keeps every header


def _check_tar_member(member: tarfile.TarInfo) -> None:
    if member.issym() or member.islnk():
        raise ArchiveError(f"{member.name}: is a link to {member.linkname}; expected a file or a directory")
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE) or member.issparse():
        raise ArchiveError(f"{member.name}: is neither a plain file nor a directory")
    if member.mode & 0o7000:
        raise ArchiveError(f"{member.name}: has the permissions {member.mode:o}; expected none above 777")


def _zip_members(archive: bytes, limits: ArchiveLimits) -> Iterator[_Member]:
    _check_zip_directory(archive, limits)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        for info in packed.infolist():
            _check_zip_member(info)
            if info.is_dir():
                yield _Member(info.filename, True, lambda _: b"")
                continue
            with packed.open(info) as content:
                yield _Member(info.filename, False, _Bounded(content, info.compress_size, limits).read)


def _check_zip_directory(archive: bytes, limits: ArchiveLimits) -> None:
    """Refuse a central directory that is itself a bomb, before anything reads it."""
    end = len(archive) - 22
    if archive[end : end + 4] != END_OF_ZIP or archive[-2:] != b"\0\0":
        end = archive.rfind(END_OF_ZIP, max(0, len(archive) - (1 << 16) - 22))
    if end < 0 or len(archive) < end + 22:
        raise ArchiveError("the zip is damaged: it has no central directory")
    if archive[max(0, end - 20) : max(0, end - 16)] == ZIP64_LOCATOR:
        raise ArchiveError("the zip is in the 64-bit format, which is not supported")
    size = struct.unpack_from("<I", archive, end + 12)[0]
    if size > limits.files * (46 + limits.path_length * 4 + 256):
        raise ArchiveError(f"the zip's central directory has {size} bytes: too many for {limits.files} files")


def _check_zip_member(info: zipfile.ZipInfo) -> None:
    mode = info.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        raise ArchiveError(f"{info.filename}: is a link; expected a file or a directory")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveError(f"{info.filename}: is neither a plain file nor a directory")
    if mode & 0o7000:
        raise ArchiveError(f"{info.filename}: has the permissions {mode & 0o7777:o}; expected none above 777")
    if info.flag_bits & 0x1:
        raise ArchiveError(f"{info.filename}: is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError(f"{info.filename}: is not compressed with deflate")


def make_root(root: Path) -> None:
    """Create the folder of all versions, which nobody else may list; sandboxed bots with their own uid can pass."""
    root.mkdir(parents=True, exist_ok=True, mode=0o711 if os.getuid() == 0 else 0o700)


@asynccontextmanager
async def _incoming(root: Path) -> AsyncIterator[Path]:
    """Yield a directory beside the versions, on the same disk, and remove it afterwards."""
    folder = await trio.to_thread.run_sync(_made, root)
    try:
        yield folder
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(partial(shutil.rmtree, folder, ignore_errors=True))


def _made(root: Path) -> Path:
    make_root(root)
    return Path(tempfile.mkdtemp(prefix=INCOMING, dir=root))


def sweep(root: Path) -> int:
    """Remove half-stored versions of a killed arena; call it while no other process stores here."""
    left = list(root.glob(f"{INCOMING}*"))
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return len(left)


async def store(
    archive: bytes, root: Path, level: Level, limits: ArchiveLimits = LIMITS, build_limits: BuildLimits = BUILD_LIMITS
) -> ArchivedBot:
    """Unpack an archive, build it if it has a build step, and keep it as `<root>/<version>/`, which is immutable.

    The version hashes the files after the build. Storing the same bot again changes nothing. An ArchiveError,
    a UserError about its manifest or a BuildError leaves nothing behind.
    """
    async with _incoming(root) as folder:
        source = folder / "source"
        source.mkdir()
        await trio.to_thread.run_sync(unpack, archive, source, limits)
        bot = await trio.to_thread.run_sync(_read, source)
        source_version, log = bot.version, ""
        if bot.manifest.build:
            built = folder / "built"
            built.mkdir()
            log = await build(bot, built, level, build_limits)
            bot = await trio.to_thread.run_sync(_read, built)
        return ArchivedBot(await trio.to_thread.run_sync(_keep, bot, root), source_version, log)


def _read(path: Path) -> BotDirectory:
    """Read a bot with error messages that name its files, not our directories."""
    try:
        return read_bot(path)
    except UserError as error:
        raise UserError(str(error).replace(f"{path}/", "").replace(str(path), "the archive")) from None


def _keep(bot: BotDirectory, root: Path) -> BotDirectory:
    folder = root / bot.version
    bot.path.chmod(0o755)  # readable by a sandboxed bot's uid
    try:
        os.rename(bot.path, folder)
    except OSError:
        if not folder.is_dir():
            raise
        if content_version(folder) != bot.version:
            raise ArchiveError(f"{folder}: the stored version was changed") from None
    return read_bot(folder)


async def build(bot: BotDirectory, into: Path, level: Level, limits: BuildLimits = BUILD_LIMITS) -> str:
    """Run a bot's build step on a copy of its files in a sandbox, and put the result into a directory.

    The result leaves the sandbox as an archive and is unpacked as untrusted input. Returns the build log; a BuildError
    has it too.
    """
    with tempfile.TemporaryFile() as result, scratch_folder() as folder:
        output = KeptOutput()
        detail = await _run_build(bot, folder, level, limits, result.fileno(), output)
        if detail:
            raise BuildError(f"the build step {detail}", output.text())
        result.seek(0)
        bounds = ArchiveLimits(limits.disk_mb << 20, limits.disk_mb << 20, ratio=1_000, files=10_000)
        try:
            await trio.to_thread.run_sync(lambda: unpack(result.read(), into, bounds))
        except ArchiveError as error:
            raise BuildError(f"the build result is refused: {error}", output.text()) from None
    return output.text()


async def _run_build(
    bot: BotDirectory, folder: Path, level: Level, limits: BuildLimits, result: int, output: KeptOutput
) -> str:
    """Build in a scratch directory and pack it into an open file; return the fault, or an empty text."""
    is_boxed = level in (Level.FULL, Level.DEFAULT)
    scratch = BUILD if is_boxed else str(folder)
    if not is_boxed:
        os.chmod(folder, 0o777)  # at these levels we own it, and the bot's own uid must write to it
    sizes = Limits(
        memory_mb=limits.memory_mb, processes=256, open_files=1024, file_mb=limits.disk_mb, tmp_mb=limits.disk_mb,
        cpu_seconds=int(2 * limits.seconds) + 1, processors=2.0,
    )  # fmt: skip
    environment = {"HOME": scratch, "TMPDIR": scratch, **runtime_environment(level)}
    command = ("/bin/sh", "-c", PACK_AFTER_BUILD, scratch, *bot.manifest.build)
    with launch(level, command, bot.path, environment, sizes, scratch=scratch) as ready:
        child = Child(ready, result)
    try:
        with trio.move_on_after(limits.seconds) as scope:
            code = await child.watch(output.add)
    finally:
        await child.stop()
    if scope.cancelled_caught:
        return f"did not end within {limits.seconds:g} seconds"
    return child.verdict or ("" if code == 0 else f"ended with exit code {code}")
