"""Compiled modules run only where they were made from the source as it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from referee import native
from referee.native import RunsAs

PATH = "referee/thing.py"
SOURCE = b"THING = 1\n"


@pytest.fixture(name="tree")
def make_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A checkout with one compiled module, as `make fast` leaves it."""
    source = tmp_path / PATH
    source.parent.mkdir()
    source.write_bytes(SOURCE)
    manifest = tmp_path / "referee/compiled/manifest.json"
    manifest.parent.mkdir()
    known = (source.stat().st_mtime_ns, source.stat().st_size, native.digest_of(SOURCE))
    said = {"suffix": EXTENSION_SUFFIXES[0], "modules": ["referee.thing"], "sources": {PATH: known}}
    manifest.write_text(json.dumps(said))
    before = sys.meta_path[:]
    monkeypatch.delenv(native.SWITCH, raising=False)
    monkeypatch.setattr(native, "ROOT", tmp_path)
    monkeypatch.setattr(native, "HOME", manifest.parent)
    monkeypatch.setattr(native, "MANIFEST", manifest)
    monkeypatch.setattr(native, "_running", RunsAs.SOURCE)
    yield tmp_path
    sys.meta_path[:] = before


def found() -> str | None:
    """Where the compiled module would be loaded from."""
    spec = sys.meta_path[0].find_spec("referee.thing", None)
    return None if spec is None else spec.origin


def test_what_is_current_is_used(tree: Path) -> None:
    native.use_compiled()
    assert native.running() is RunsAs.COMPILED
    assert found() == str(tree / f"referee/compiled/referee/thing{EXTENSION_SUFFIXES[0]}")
    assert sys.meta_path[0].find_spec("referee.other", None) is None


def test_a_source_that_was_only_touched_is_current(tree: Path) -> None:
    (tree / PATH).write_bytes(SOURCE)
    native.use_compiled()
    assert native.running() is RunsAs.COMPILED


@pytest.mark.parametrize("change", [b"THING = 2\n", b"THING = 11\n", None], ids=["same size", "other size", "gone"])
def test_nothing_compiled_from_other_source_is_used(tree: Path, change: bytes | None) -> None:
    if change is None:
        (tree / PATH).unlink()
    else:
        (tree / PATH).write_bytes(change)
    native.use_compiled()
    assert native.running() is RunsAs.STALE
    assert found() is None


def test_it_can_be_switched_off(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native.SWITCH, "0")
    native.use_compiled()
    assert native.running() is RunsAs.SWITCHED_OFF
    assert found() is None


def test_modules_for_another_python_are_left_alone(tree: Path) -> None:
    said = json.loads(native.MANIFEST.read_bytes())
    native.MANIFEST.write_text(json.dumps({**said, "suffix": ".cpython-30-x86_64-linux-gnu.so"}))
    native.use_compiled()
    assert native.running() is RunsAs.FOREIGN
    assert found() is None


def test_a_checkout_without_them_runs_its_source(tree: Path) -> None:
    native.MANIFEST.unlink()
    native.use_compiled()
    assert native.running() is RunsAs.SOURCE
