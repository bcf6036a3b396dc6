"""Submissions: what is wrong is named exactly, what is right is kept for ever, what failed leaves nothing."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from arena.store.database import open_store
from arena.v1 import arena_pb2 as pb
from tests import parts
from tests.arena.server.running_server import Server, arena, bot_archive, bot_directory, everything, running

MANIFEST = b'name = "odd"\ngames = ["toy"]\ncommand = ["python3", "bot.py"]\n'


def tar_gz(*members: tuple[tarfile.TarInfo | str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for member, content in members:
            info = tarfile.TarInfo(member) if isinstance(member, str) else member
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def link(name: str, target: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, target
    return info


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


BAD = {
    "neither a tar.gz nor a zip": (lambda: b"MZ not an archive", "the archive is neither a tar.gz nor a zip"),
    "a damaged tar.gz": (lambda: tar_gz(("bot.toml", MANIFEST))[:-30], "the archive is damaged"),
    "no manifest": (lambda: tar_gz(("bot.py", b"")), "the archive has no bot.toml at its top"),
    "a directory too deep": (
        lambda: tar_gz(("odd/bot.toml", MANIFEST)), "the archive has no bot.toml at its top; found odd/bot.toml",
    ),
    "a path that leads out": (
        lambda: tar_gz(("bot.toml", MANIFEST), ("../../evil", b"")), "../../evil: its path leads out of the archive",
    ),
    "an absolute path": (lambda: tar_gz(("bot.toml", MANIFEST), ("/tmp/evil", b"")), "/tmp/evil: its path is absolute"),
    "a link": (
        lambda: tar_gz(("bot.toml", MANIFEST), (link("hosts", "/etc/hosts"), b"")), "hosts: is a link to /etc/hosts",
    ),
    "a bomb": (
        lambda: zipped(bot_toml=MANIFEST, zeros=bytes(40 << 20)), "the archive unpacks to more than 100 times its size",
    ),
    "another name": (
        lambda: zipped(bot_toml=MANIFEST.replace(b"odd", b"even")), "name: the submission says 'odd'",
    ),
    "an unknown game": (
        lambda: zipped(bot_toml=MANIFEST.replace(b"toy", b"halma")), "bot.toml: games: 'halma' is unknown",
    ),
    "no command": (lambda: zipped(bot_toml=b'name = "odd"\n'), "bot.toml: command: missing"),
    "no TOML": (lambda: zipped(bot_toml=b"= ="), "bot.toml: "),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_archive_is_named_and_leaves_nothing(server: Server, kind: str) -> None:
    make: Callable[[], bytes]
    make, reason = BAD[kind]
    token = server.token(f"author-of-{kind.replace(' ', '-')}")
    before = everything(server.db)
    files = sorted((server.folder / "arena-bots").rglob("*"))
    with pytest.raises(grpc.RpcError) as caught:
        server.submit("odd", make(), token)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    said = str(caught.value.details())
    assert said.startswith(reason)
    assert str(server.folder) not in said
    assert everything(server.db) == before
    assert sorted((server.folder / "arena-bots").rglob("*")) == files


def test_a_version_is_named_by_its_content_and_never_changes(server: Server, tmp_path: Path) -> None:
    token = server.token("vera")
    bot = bot_directory(tmp_path, "veras")
    first = arena("bots", "submit", bot, "--server", server.addresses[0], "--json", ARENA_TOKEN=token)
    assert first.returncode == 0, first.stderr
    content = bot_archive(tmp_path / "again", "veras")
    again = server.submit("veras", content, token).accepted
    assert not again.is_new
    kept = server.folder / "arena-bots" / again.version
    before = {file.name: file.read_bytes() for file in kept.iterdir()}
    (bot / "notes.txt").write_text("a second version\n")
    second = arena("bots", "submit", bot, "--server", server.addresses[0], "--json", ARENA_TOKEN=token)
    assert second.returncode == 0, second.stderr
    report = server.call("GetBot", pb.GetBotRequest(name="veras"), token).bot
    assert report.versions[0].version == again.version
    assert report.versions[1].parent == again.label
    assert {file.name: file.read_bytes() for file in kept.iterdir()} == before


CRASHING = "import sys\nprint('no', 'board', 'today', file=sys.stderr)\nsys.exit(4)\n"


def test_a_bot_that_cannot_play_is_refused_with_what_it_printed(server: Server, tmp_path: Path) -> None:
    token = server.token("cleo")
    before = everything(server.db)
    files = sorted((server.folder / "arena-bots").rglob("*"))
    response = server.submit("crashing", bot_archive(tmp_path, "crashing", program=CRASHING), token)
    assert response.refused.reason == "its smoke match of toy ended in forfeit_crash"
    assert response.refused.output == "no board today\n"
    assert everything(server.db) == before
    assert sorted((server.folder / "arena-bots").rglob("*")) == files


def test_where_no_sandbox_holds_submissions_need_a_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without bubblewrap: the server does not start, unless told to do without."""
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = arena("serve", "--db", tmp_path / "arena.db", "--listen", "127.0.0.1:0")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].startswith("arena: sandbox: no level fit for untrusted bots")
    with running(tmp_path / "arena", sandbox=("--allow-unsandboxed",)) as server:
        content = bot_archive(tmp_path, "loose")
        assert server.submit("loose", content, server.token("ann")).accepted.is_new


def test_where_a_sandbox_holds_submissions_run_in_it_without_a_flag(tmp_path: Path) -> None:
    level = parts.sandbox_for_untrusted_bots()
    with running(tmp_path / "arena", sandbox=()) as server:
        assert server.submit("held", bot_archive(tmp_path, "held"), server.token("ann")).accepted.is_new
        assert f"sandbox={level}" in re.sub(r"\x1b\[[0-9;]*m", "", server.log)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GLOBE", "name: 'GLOBE' looks like 'globe', which is taken"),
        ("g1obe", "name: 'g1obe' looks like"),
        ("globe@f61af8c791f5", "name: '@' is not allowed in a name"),
        ("--help", "name: '--help' is not allowed"),
        ("glоbe", "name: 'glоbe' mixes the scripts Cyrillic and Latin"),
    ],
)
def test_a_name_that_could_be_mistaken_is_refused_before_the_archive_is_read(
    server: Server, name: str, said: str
) -> None:
    store = open_store(server.db)
    store.bots.add("globe@0", "globe", "0", "", {"name": "globe", "command": [], "games": []}, "today", "zoe")
    store.close()
    with pytest.raises(grpc.RpcError) as caught:
        server.submit(name, b"no archive at all", server.token("eve"))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert str(caught.value.details()).startswith(said)
