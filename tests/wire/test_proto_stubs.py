"""The committed stubs are what the messages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.stubs import ROOT, TREES, Tree, make_stubs

every_tree = pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.protos.relative_to(ROOT).as_posix())


def stubs_in(folder: Path, packages: set[Path]) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for package in packages
        for pattern in ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py")
        for file in (folder / package).glob(pattern)
    }


@every_tree
def test_stubs_are_as_the_compiler_makes_them(tree: Tree, tmp_path: Path) -> None:
    """Not a byte differs, none is missing, and none is left over from a message that is gone."""
    make_stubs(tree, tmp_path)
    packages = {Path(file).parent for file in tree.files()}
    made, committed = stubs_in(tmp_path, packages), stubs_in(tree.stubs, packages)
    assert made, "nothing was made, so nothing was compared"
    assert sorted(committed) == sorted(made)
    stale = [name for name in made if made[name] != committed[name]]
    assert stale == [], "run make proto and commit what it writes"


@every_tree
def test_every_folder_of_stubs_is_a_package(tree: Tree) -> None:
    missing = [file for file in tree.files() if not (tree.stubs / file).with_name("__init__.py").is_file()]
    assert missing == []


def test_no_stub_lies_outside_the_trees() -> None:
    known = {(tree.stubs / file).parent for tree in TREES for file in tree.files()}
    found = {
        file.parent
        for package in ("arena", "referee", "ratings", "sample_bots", "tests")
        for file in (ROOT / package).rglob("*_pb2.py")
        if "site-packages" not in file.parts and "node_modules" not in file.parts
    }
    assert found == known
