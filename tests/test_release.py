"""A release is refused unless it is ready, and what was tried is what is tagged."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests import parts
from tests.wire.test_proto_style import BUF
from tools.release import PACKAGES, refusals, stray_packages, tag, write_messages
from tools.stubs import ROOT

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-18\n\n### Added\n\n- Everything.\n"


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit, whose changelog has version 1.2.3."""
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Somebody")
    git(tmp_path, "config", "user.email", "somebody@example.org")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def test_a_version_that_is_ready_is_not_refused(checkout: Path) -> None:
    assert list(refusals(checkout, "1.2.3")) == []


@pytest.mark.parametrize("version", ["1.2.4", "1.2", "1x2.3"])
def test_a_version_that_the_changelog_lacks_is_refused(checkout: Path, version: str) -> None:
    assert list(refusals(checkout, version)) == [f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'"]


def test_a_version_without_a_date_is_refused(checkout: Path) -> None:
    (checkout / "CHANGELOG.md").write_text(CHANGELOG.replace(" - 2026-11-18", ""), encoding="utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message", "Forget the date")
    assert list(refusals(checkout, "1.2.3")) == ["CHANGELOG.md has no section '## [1.2.3] - YYYY-MM-DD'"]


@pytest.mark.parametrize("name", ["CHANGELOG.md", "new.py"])
def test_a_dirty_tree_is_refused(checkout: Path, name: str) -> None:
    with (checkout / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert list(refusals(checkout, "1.2.3")) == [f"the tree has 1 uncommitted changes, such as {name}"]


def test_a_tagged_version_is_refused(checkout: Path) -> None:
    tag(checkout, "1.2.3")
    assert list(refusals(checkout, "1.2.3")) == ["the tag v1.2.3 exists"]


def test_a_tag_is_annotated_and_names_the_version(checkout: Path) -> None:
    tag(checkout, "1.2.3")
    assert git(checkout, "describe") == "v1.2.3\n"
    assert git(checkout, "tag", "--list", "--format=%(objecttype) %(subject)") == "tag Meistersinger 1.2.3\n"


def test_a_stray_package_is_found() -> None:
    files = [
        "arena/cli.py",
        "meistersinger-1.dist-info/RECORD",
        "../../../bin/arena",
        "lab/x.py",
        "meistersinger-1.data/data/share/x",
    ]
    assert stray_packages(files) == ["lab"]


def test_four_packages_are_installed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert {pattern.removesuffix("*") for pattern in settings["packages"]["find"]["include"]} == PACKAGES


def test_make_release_runs_it() -> None:
    planned = subprocess.run(
        ["make", "-n", "-o", ".venv/.installed", "release", "ARGS=--no-tag"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "-m tools.release --no-tag" in planned


PROTO = 'syntax = "proto3";\npackage demo.v1;\n// Said.\nmessage Demo {\n  // Said.\n  int32 one = 1;\n}\n'


def breaking(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the comparison with the last release."""
    return subprocess.run(
        [checkout / "tools" / "breaking.sh"], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def messages(checkout: Path) -> Path:
    """The repository with a message and the script, before its first release."""
    for folder in ("proto/demo/v1", "tests/toy_game/proto/demo_toy/v1"):
        (checkout / folder).mkdir(parents=True)
        text = PROTO if folder.startswith("proto") else PROTO.replace("demo.v1", "demo_toy.v1")
        (checkout / folder / "demo.proto").write_text(text, encoding="utf-8")
    (checkout / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "breaking.sh", checkout / "tools")
    shutil.copy(ROOT / "buf.yaml", checkout)
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message", "Add messages")
    return checkout


@pytest.fixture
def with_buf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """The environment of a machine that has buf."""
    if BUF is None:
        parts.lack("buf", "it compares the messages")
    environment = {"PATH": f"{Path(BUF).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return environment


def test_before_the_first_release_messages_may_change(messages: Path, with_buf: dict[str, str]) -> None:
    done = breaking(messages, **with_buf)
    assert (done.returncode, done.stdout) == (0, "buf breaking: no release yet\n")


def test_the_messages_of_a_release_are_in_the_tree() -> None:
    """Without them nothing is compared, and nobody would notice."""
    assert (ROOT / "proto" / "released.binpb").exists()


@pytest.mark.parametrize(("environment", "code"), [({}, 0), ({"CI": "true"}, 1)])
def test_without_buf_messages_are_not_compared_which_ci_does_not_accept(
    messages: Path, environment: dict[str, str], code: int
) -> None:
    done = breaking(messages, PATH=without_buf(messages), **environment)
    assert done.returncode == code
    assert "buf breaking: the messages are not compared" in done.stderr


def without_buf(folder: Path) -> str:
    """Return a search path with only what the script needs."""
    programs = folder / "programs"
    programs.mkdir()
    for name in ("dirname", "sh"):
        (programs / name).symlink_to(shutil.which(name) or name)
    return str(programs)


def test_a_release_whose_messages_are_not_committed_is_refused(messages: Path, with_buf: dict[str, str]) -> None:
    assert with_buf
    write_messages(messages)
    assert list(refusals(messages, "1.2.3")) == ["the tree has 1 uncommitted changes, such as proto/released.binpb"]
    git(messages, "add", ".")
    git(messages, "commit", "--quiet", "--message", "Release the messages")
    write_messages(messages)
    assert list(refusals(messages, "1.2.3")) == []


def test_after_a_release_a_field_that_goes_is_found(messages: Path, with_buf: dict[str, str]) -> None:
    write_messages(messages)
    assert breaking(messages, **with_buf).returncode == 0
    message = messages / "proto/demo/v1/demo.proto"
    message.write_text(PROTO.replace("one = 1", "two = 2"), encoding="utf-8")
    done = breaking(messages, **with_buf)
    assert done.returncode != 0
    assert 'field "1" with name "one" on message "Demo" was deleted' in done.stdout
