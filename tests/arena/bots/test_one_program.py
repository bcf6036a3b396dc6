"""One hash, one program: what a version hashes, and that nothing else is run."""

from __future__ import annotations

import py_compile
import shutil
from collections.abc import Sequence
from importlib.util import cache_from_source
from pathlib import Path

import pytest
import trio

from arena.bots.clean_copy import clean_copy
from arena.bots.directory import content_version, read_bot
from arena.bots.process import BotProcess
from arena.sandbox.levels import Level
from tests import parts

NO_FILES = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def written_bot(folder: Path, command: Sequence[str] = ("python3", "bot.py")) -> Path:
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    words = ", ".join(f'"{word}"' for word in command)
    (folder / "bot.toml").write_text(f'name = "plain"\ncommand = [{words}]\n')
    (folder / "bot.py").write_text("import thoughts\n")
    (folder / "thoughts.py").write_text('print("honest")\n')
    return folder


def add_bytecode(folder: Path) -> None:
    """Leave bytecode of another program, which Python loads without looking at the source."""
    other = folder.parent / "other.py"
    other.write_text('print("another program")\n')
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    (folder / "__pycache__").mkdir()
    bytecode = folder / "__pycache__" / Path(cache_from_source("thoughts.py")).name
    assert py_compile.compile(str(other), str(bytecode), invalidation_mode=unchecked)
    (folder / "__pycache__" / "hidden.py").write_text('print("a hidden program")\n')


async def output_of(folder: Path, level: Level, sockets: Path) -> str:
    bot = await BotProcess.start(read_bot(folder), f"unix:{sockets}/none", "ticket", level)
    detail = await bot.watch()
    await bot.stop()
    assert not any(folder is not None and folder.exists() for folder in bot.folders), "copies are removed"
    return f"{bot.output.text()}{detail}"


@pytest.mark.parametrize("kind", ["for untrusted bots", "landlock", "none"])
@pytest.mark.parametrize(
    "command", [("python3", "bot.py"), ("python3", "-E", "bot.py"), ("python3", "__pycache__/hidden.py")]
)
def test_what_is_not_hashed_is_not_run(kind: str, command: Sequence[str], tmp_path: Path) -> None:
    if kind == "landlock":
        parts.landlock()
    level = parts.sandbox_for_untrusted_bots() if kind == "for untrusted bots" else Level(kind)
    folder = written_bot(tmp_path / "bot", command)
    version = content_version(folder)
    add_bytecode(folder)
    assert content_version(folder) == version
    printed = trio.run(output_of, folder, level, tmp_path)
    if "__pycache__" in command[-1]:
        assert "a hidden program" not in printed
        assert printed.endswith("exit code 2"), printed
    else:
        assert printed == "honest\nexit code 0"


def test_python_finds_the_bytecode_where_nobody_copies_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the test above would fail without the copy."""
    monkeypatch.setattr("arena.bots.process.clean_copy", lambda _bot: None)
    folder = written_bot(tmp_path / "bot")
    add_bytecode(folder)
    assert trio.run(output_of, folder, Level.NONE, tmp_path) == "another program\nexit code 0"


def test_a_bot_without_bytecode_runs_where_it_is_and_leaves_none(tmp_path: Path) -> None:
    folder = written_bot(tmp_path / "bot")
    assert clean_copy(read_bot(folder)) is None
    assert trio.run(output_of, folder, Level.NONE, tmp_path) == "honest\nexit code 0"
    assert not (folder / "__pycache__").exists()


def test_versions_of_ordinary_bots_have_kept_their_hashes(tmp_path: Path) -> None:
    folder = written_bot(tmp_path / "bot")
    (folder / "data").mkdir()
    (folder / "data" / "weights.bin").write_bytes(bytes(range(256)))
    before = "991a266333b52ac97a210fd471a72486acd80f1a8541869797874267e4dad240"
    assert content_version(folder) == before
    add_bytecode(folder)
    assert content_version(folder) == before


def test_a_bot_below_a_folder_of_bytecode_is_hashed_like_any_other(tmp_path: Path) -> None:
    below = written_bot(tmp_path / "__pycache__" / "bot")
    assert content_version(below) == content_version(written_bot(tmp_path / "bot")) != NO_FILES


def test_a_link_to_a_directory_counts_by_where_it_leads(tmp_path: Path) -> None:
    folder = written_bot(tmp_path / "bot")
    for name in ("weak", "strong"):
        (folder / name).mkdir()
        (folder / name / "policy.py").write_text(f'print("{name}")\n')
    (folder / "used").symlink_to("weak")
    weak = content_version(folder)
    (folder / "used").unlink()
    (folder / "used").symlink_to("strong")
    assert content_version(folder) != weak


def test_links_of_a_copy_lead_where_they_led(tmp_path: Path) -> None:
    folder = written_bot(tmp_path / "bot")
    (folder / "data").mkdir()
    (folder / "inside").symlink_to("data")
    (folder / "outside").symlink_to("..")
    (folder / "linked.py").symlink_to("bot.py")
    (folder / "gone").symlink_to("nowhere")
    add_bytecode(folder)
    (folder / "data" / "__pycache__").symlink_to(folder / "__pycache__")
    copy = clean_copy(read_bot(folder))
    assert copy is not None
    try:
        assert (copy / "inside").resolve() == copy / "data"
        assert (copy / "outside").resolve() == tmp_path
        assert (copy / "linked.py").read_text() == (folder / "bot.py").read_text()
        names = {path.relative_to(copy).as_posix() for path in copy.rglob("*")}
        assert names == {"bot.py", "bot.toml", "thoughts.py", "linked.py", "data", "inside", "outside"}
    finally:
        shutil.rmtree(copy)
