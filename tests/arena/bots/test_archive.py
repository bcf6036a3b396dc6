"""Archives from an enemy: every trick is refused with the member's name, and nothing is left behind."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from arena.bots import archive
from arena.bots.archive import (
    ArchivedBot,
    ArchiveError,
    ArchiveLimits,
    BuildError,
    BuildLimits,
    pack,
    store,
    sweep,
    unpack,
)
from arena.bots.directory import content_version, read_bot
from arena.sandbox.levels import Level
from referee.mistakes import UserError
from tests import parts

MANIFEST = b'name = "tiny"\ncommand = ["./run"]\n'
Add = Callable[[tarfile.TarFile], None]


def tar_of(*members: tuple[str, bytes], mode: int = 0o644) -> bytes:
    def add(tar: tarfile.TarFile) -> None:
        for name, content in members:
            put(tar, name, content, mode=mode)

    return tar_with(add)


def tar_with(*parts: Add) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for part in parts:
            part(tar)
    return stream.getvalue()


def put(
    tar: tarfile.TarFile,
    name: str,
    content: bytes = b"",
    kind: bytes = tarfile.REGTYPE,
    link: str = "",
    mode: int = 0o644,
) -> None:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.mode, member.size = kind, link, mode, len(content)
    tar.addfile(member, io.BytesIO(content))


def zip_of(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            packed.writestr(name, content)
    return stream.getvalue()


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "data").mkdir(parents=True)
    (folder / "bot.toml").write_bytes(MANIFEST)
    (folder / "run").write_text("#!/bin/sh\necho hello\n")
    (folder / "run").chmod(0o755)
    (folder / "data" / "weights.bin").write_bytes(os.urandom(5_000))
    return folder


def test_packing_is_deterministic_and_comes_back_as_the_same_version(bot: Path, tmp_path: Path) -> None:
    first = pack(bot)
    for file in bot.rglob("*"):
        os.utime(file, (1, 1))
    (bot / "__pycache__").mkdir()
    (bot / "__pycache__" / "bot.pyc").write_bytes(b"x")
    assert pack(bot) == first, "neither times nor caches matter"
    (tmp_path / "out").mkdir()
    unpack(first, tmp_path / "out")
    assert content_version(tmp_path / "out") == content_version(bot)
    assert not (tmp_path / "out" / "__pycache__").exists()


def test_a_zip_is_as_good_as_a_tar(bot: Path, tmp_path: Path) -> None:
    members = [(file.relative_to(bot).as_posix(), file.read_bytes()) for file in bot.rglob("*") if file.is_file()]
    (tmp_path / "out").mkdir()
    unpack(zip_of(*members), tmp_path / "out")
    assert content_version(tmp_path / "out") == content_version(bot)


def test_a_tar_made_of_the_current_directory_is_understood(tmp_path: Path) -> None:
    def add(tar: tarfile.TarFile) -> None:
        put(tar, "./", kind=tarfile.DIRTYPE, mode=0o755)
        put(tar, "./bot.toml", MANIFEST)

    unpack(tar_with(add), tmp_path)
    assert (tmp_path / "bot.toml").read_bytes() == MANIFEST


GOOD = ("bot.toml", MANIFEST)


def link(kind: bytes, target: str) -> Add:
    return lambda tar: put(tar, "innocent", kind=kind, link=target)


TRICKS: list[tuple[str, bytes, str]] = [
    ("absolute path", tar_of(GOOD, ("/etc/passwd", b"x")), "/etc/passwd: its path is absolute"),
    ("parent path", tar_of(GOOD, ("a/../../x", b"x")), "a/../../x: its path leads out of the archive"),
    ("parent path in a zip", zip_of(GOOD, ("../x", b"x")), "../x: its path leads out of the archive"),
    ("absolute path in a zip", zip_of(GOOD, ("/x", b"x")), "/x: its path is absolute"),
    ("windows path", zip_of(GOOD, ("a\\..\\..\\x", b"x")), "a character that is not allowed"),
    ("drive", zip_of(GOOD, ("C:x", b"x")), "a character that is not allowed"),
    ("line break in a name", tar_of(GOOD, ("a\nb", b"x")), "'a\\nb': its name has a character that is not allowed"),
    ("symlink out", tar_with(link(tarfile.SYMTYPE, "/etc/passwd")), "innocent: is a link to /etc/passwd"),
    ("symlink inside", tar_with(link(tarfile.SYMTYPE, "bot.toml")), "innocent: is a link to bot.toml"),
    ("hard link", tar_with(link(tarfile.LNKTYPE, "/etc/shadow")), "innocent: is a link to /etc/shadow"),
    ("symlink in a zip", zip_of(GOOD, (with_mode("innocent", 0o120777), b"/etc")), "innocent: is a link"),
    ("device", tar_with(link(tarfile.CHRTYPE, "")), "innocent: is neither a plain file nor a directory"),
    ("fifo", tar_with(link(tarfile.FIFOTYPE, "")), "innocent: is neither a plain file nor a directory"),
    ("device in a zip", zip_of(GOOD, (with_mode("dev", 0o020666), b"")), "dev: is neither a plain file nor a dir"),
    ("setuid", tar_of(GOOD, ("su", b"x"), mode=0o4755), "has the permissions 4755"),
    ("setuid in a zip", zip_of(GOOD, (with_mode("su", 0o104755), b"x")), "su: has the permissions 4755"),
    ("the same name twice", tar_of(GOOD, GOOD), "bot.toml: appears twice"),
    ("the same name in capitals", tar_of(GOOD, ("BOT.toml", b"x")), "BOT.toml: appears twice"),
    ("a file as a directory", tar_of(GOOD, ("a", b"x"), ("a/b", b"x")), "a/b: is inside a, which is a file"),
    ("a directory as a file", tar_of(GOOD, ("a/b", b"x"), ("a", b"x")), "a: appears twice"),
    ("a long path", tar_of(GOOD, ("x" * 201, b"")), "its path has 201 characters; the limit is 200"),
    ("a deep path", tar_of(GOOD, ("a/" * 12 + "b", b"")), "is 13 directories deep; the limit is 12"),
    ("10,000 files", tar_of(GOOD, *((f"f{n}", b"") for n in range(10_000))), "f1999: too many files; the limit"),
    ("10,000 files in a zip", zip_of(GOOD, *((f"f{n}", b"") for n in range(10_000))), "too many files"),
    ("a huge manifest", tar_of(("bot.toml", os.urandom(8_193))), "bot.toml: is larger than 8192 bytes"),
    ("a tar bomb", tar_of(GOOD, ("zeros", bytes(60 << 20))), "unpacks to more than 100 times its size"),
    ("a zip bomb", zip_of(GOOD, ("zeros", bytes(60 << 20))), "unpacks to more than 100 times its size"),
    ("no manifest", tar_of(("run", b"x")), "the archive has no bot.toml at its top"),
    ("a directory around it", tar_of(("mybot/bot.toml", MANIFEST)), "found mybot/bot.toml: pack the files of that"),
    ("something else", b"MZ" + bytes(100), "neither a tar.gz nor a zip"),
    ("nothing", b"", "neither a tar.gz nor a zip"),
    ("a cut tar", tar_of(GOOD, ("data", os.urandom(9_000)))[:5_000], "the archive is damaged"),
    ("a cut zip", zip_of(GOOD, ("data", os.urandom(9_000)))[:5_000], "the zip is damaged: it has no central directory"),
    ("not a tar inside", gzip.compress(os.urandom(5_000)), "the archive is damaged"),
]  # fmt: skip


@pytest.mark.parametrize(("packed", "reason"), [row[1:] for row in TRICKS], ids=[row[0] for row in TRICKS])
def test_a_trick_is_refused_by_name_and_leaves_nothing(packed: bytes, reason: str, tmp_path: Path) -> None:
    root = tmp_path / "deep" / "store"
    with pytest.raises(ArchiveError) as refused:
        trio.run(store, packed, root, Level.NONE)
    assert reason in str(refused.value)
    assert [file for file in tmp_path.rglob("*") if file not in (root, root.parent)] == []


def test_a_header_that_claims_a_gigabyte_is_not_believed(tmp_path: Path) -> None:
    """A long-name header is read whole by the tar library: it must not get more than an archive may hold."""

    def add(tar: tarfile.TarFile) -> None:
        member = tarfile.TarInfo("././@LongLink")
        member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
        assert tar.fileobj is not None
        tar.fileobj.write(member.tobuf(tarfile.GNU_FORMAT))
        for _ in range(1 << 6):
            tar.fileobj.write(bytes(1 << 20))

    with pytest.raises(ArchiveError):
        unpack(tar_with(add), tmp_path)


def test_a_lying_zip_size_does_not_get_past_the_limits(tmp_path: Path) -> None:
    """The sizes in a zip's headers are the author's word: what comes out is counted."""
    packed = bytearray(zip_of(GOOD, ("zeros", bytes(60 << 20))))
    real = (60 << 20).to_bytes(4, "little")
    assert packed.count(real) == 2
    with pytest.raises(ArchiveError):
        unpack(bytes(packed.replace(real, (10).to_bytes(4, "little"))), tmp_path)
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) < 8 << 20


def test_a_table_of_contents_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    entries = b"PK\x01\x02" + bytes(42)
    ending = b"PK\x05\x06" + bytes(8) + (46 * 100_000).to_bytes(4, "little") + bytes(6)
    with pytest.raises(ArchiveError, match="central directory has 4600000 bytes"):
        unpack(b"PK\x03\x04" + entries * 100_000 + ending, tmp_path)


def test_too_large_an_archive_is_refused_unread(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="the limit is 100"):
        unpack(tar_of(GOOD, ("data", os.urandom(500))), tmp_path, ArchiveLimits(packed_bytes=100))


def test_too_much_in_all_is_refused(tmp_path: Path) -> None:
    members = tar_of(GOOD, ("a", os.urandom(600_000)), ("b", os.urandom(600_000)))
    with pytest.raises(ArchiveError, match="b: the files exceed 1000000 bytes in total"):
        unpack(members, tmp_path, ArchiveLimits(total_bytes=1_000_000))


def test_a_stored_version_is_named_by_its_content_and_never_changes(bot: Path, tmp_path: Path) -> None:
    root = tmp_path / "store"
    stored = trio.run(store, pack(bot), root, Level.NONE)
    assert stored.bot.path == root / content_version(bot)
    assert stored.bot.version == stored.source_version == content_version(bot)
    assert read_bot(stored.bot.path) == stored.bot
    before = (stored.bot.path / "run").stat()
    again: ArchivedBot = trio.run(store, pack(bot), root, Level.NONE)
    assert again.bot == stored.bot
    assert (stored.bot.path / "run").stat().st_ino == before.st_ino, "storing twice changes nothing"
    assert before.st_mode & 0o777 == 0o555
    assert [file.name for file in root.iterdir()] == [stored.bot.version]


def test_a_tampered_version_is_noticed_when_it_is_stored_again(bot: Path, tmp_path: Path) -> None:
    root = tmp_path / "store"
    stored = trio.run(store, pack(bot), root, Level.NONE)
    (stored.bot.path / "run").unlink()
    with pytest.raises(ArchiveError, match="the stored version was changed"):
        trio.run(store, pack(bot), root, Level.NONE)


def test_a_bad_manifest_is_refused_with_its_key_and_without_our_paths(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        trio.run(store, tar_of(("bot.toml", b'name = "x"\ncommand = ["x"]\ncolour = 1\n')), tmp_path, Level.NONE)
    assert str(refused.value).startswith("bot.toml: colour: unknown key")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_arena_left_half_stored_is_swept(tmp_path: Path) -> None:
    (tmp_path / f"{archive.INCOMING}abc" / "source").mkdir(parents=True)
    (tmp_path / "0123").mkdir()
    assert sweep(tmp_path) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["0123"]


def buildable(build: str, **files: bytes) -> bytes:
    manifest = f'name = "built"\ncommand = ["./run"]\nbuild = ["/bin/sh", "-c", {build!r}]\n'.encode()
    return tar_of(("bot.toml", manifest), *files.items())


@pytest.fixture(params=["sandbox", "plain"])
def level(request: pytest.FixtureRequest) -> Level:
    if request.param == "plain":
        return Level.NONE
    return parts.sandbox_for_untrusted_bots()


def test_a_build_step_makes_what_runs(level: Level, tmp_path: Path) -> None:
    packed = buildable("echo making; cat part > run; ln run copy; mkdir out; echo x > out/y", part=b"#!/bin/sh\n")
    stored = trio.run(store, packed, tmp_path, level)
    assert stored.build_log == "making\n"
    assert (stored.bot.path / "run").read_bytes() == (stored.bot.path / "copy").read_bytes() == b"#!/bin/sh\n"
    assert stored.bot.version == content_version(stored.bot.path) != stored.source_version
    assert [file.name for file in tmp_path.iterdir()] == [stored.bot.version]


FAILING_BUILDS = [
    ("echo wrong; exit 3", 120, "the build step ended with exit code 3", "wrong"),
    ("echo waiting; sleep 1000", 3, "the build step did not end within 3 seconds", "waiting"),
    ("(trap '' TERM; sleep 1000) & echo waiting; trap '' TERM; wait; sleep 1000", 3, "did not end within 3", "waiting"),
    ("yes flood | head -c 1000000; sleep 1000", 3, "did not end within 3 seconds", "bytes dropped"),
    ("ln -s /etc/passwd stolen", 120, "result is refused: ./stolen: is a link to /etc/passwd", ""),
    ("rm bot.toml", 120, "result is refused: the archive has no bot.toml", ""),
]


@pytest.mark.parametrize(
    ("script", "seconds", "reason", "printed"), FAILING_BUILDS, ids=[row[0][:20] for row in FAILING_BUILDS]
)
def test_a_build_that_fails_tells_its_author_why(
    level: Level, script: str, seconds: float, reason: str, printed: str, tmp_path: Path
) -> None:
    limits = BuildLimits(seconds=seconds)
    with pytest.raises(BuildError) as failed:
        trio.run(store, buildable(script), tmp_path, level, archive.LIMITS, limits)
    assert reason in str(failed.value)
    assert printed in failed.value.log
    assert list(tmp_path.iterdir()) == []
