"""The messages keep the rules of their style, by our own checks and by buf's where buf is there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import parts
from tools.proto_style import compiled, problems
from tools.stubs import ROOT, TREES, Tree

BUF = shutil.which("buf", path=os.pathsep.join((str(ROOT / ".buf/node_modules/.bin"), os.environ.get("PATH", ""))))

BROKEN = """
syntax = "proto3";
package other.place;
message lower_case { int32 CamelCase = 1; int32 class = 2; oneof Choice { int32 a = 3; } optional int32 fine = 4; }
// Said.
message Said {
  // Said.
  enum Inner { FIRST = 0; INNER_SECOND = 1; }
  // Said.
  Inner type = 1;
}
service Lonely { rpc Ask(Said) returns (Said); }
"""

FAULTS = """
broken/v1/broken.proto: package other.place does not match the directory
broken/v1/broken.proto: package other.place does not end in a version
other.place.lower_case: has no comment
other.place.lower_case: is not TitleCase
other.place.lower_case.CamelCase: has no comment
other.place.lower_case.CamelCase: is not lower_snake_case
other.place.lower_case.class: has no comment
other.place.lower_case.class: some language reserves this word
other.place.lower_case.a: has no comment
other.place.lower_case.fine: has no comment
other.place.lower_case.Choice: has no comment
other.place.lower_case.Choice: is not lower_snake_case
other.place.Said.type: some language reserves this word
other.place.Said.Inner.FIRST: has no comment
other.place.Said.Inner.FIRST: does not begin with INNER_
other.place.Said.Inner.INNER_SECOND: has no comment
other.place.Said.Inner: its first value is not INNER_UNSPECIFIED = 0
other.place.Lonely: has no comment
other.place.Lonely: is not TitleCase with the ending Service
other.place.Lonely.Ask: has no comment
other.place.Lonely.Ask: takes or returns .other.place.Said; expected .other.place.AskRequest
other.place.Lonely.Ask: takes or returns .other.place.Said; expected .other.place.AskResponse
"""


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.protos.relative_to(ROOT).as_posix())
def test_messages_keep_the_rules(tree: Tree, tmp_path: Path) -> None:
    files = compiled(tree, tmp_path)
    assert [file.name for file in files if file.message_type] == [file.name for file in files] != []
    assert [problem for file in files for problem in problems(file)] == []


def test_every_fault_is_found(tmp_path: Path) -> None:
    (tmp_path / "broken/v1").mkdir(parents=True)
    (tmp_path / "broken/v1/broken.proto").write_text(BROKEN)
    (file,) = compiled(Tree(tmp_path, tmp_path), tmp_path)
    assert list(problems(file)) == FAULTS.strip().splitlines()


def test_buf_finds_nothing() -> None:
    if BUF is None:
        parts.lack("buf", "the checks above stand in for it")
    run = subprocess.run([str(BUF), "lint"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
