"""The faults that measure make quick are the same on every run, and each changes one thing that is done."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.faults import ROOMS, ROOT, attempt, chosen, copy_project, faults_of, planted, quick_tests

MODULE = '''
"""A module."""

LIMIT = 3


def is_large(count: int, limit: int = 3) -> bool:
    """Return whether there are more than 3."""
    assert count >= 0
    if count < 0 and not limit:
        raise ValueError(f"{count + 1} is negative")
    return count > limit
'''


def test_faults_change_what_is_done_and_neither_checks_nor_messages_nor_defaults() -> None:
    found = faults_of("module.py", MODULE)
    assert [(fault.function, fault.kind, fault.line) for fault in found] == [
        ("is_large", "And -> Or", 10),
        ("is_large", "Lt -> LtE", 10),
        ("is_large", "0 -> 1", 10),
        ("is_large", "Not -> nothing", 10),
        ("is_large", "Gt -> GtE", 12),
    ]


def test_one_fault_is_planted_at_a_time() -> None:
    plain = ast.unparse(ast.parse(MODULE)) + "\n"
    changed = [planted(MODULE, fault) for fault in faults_of("module.py", MODULE)]
    assert len(set(changed)) == len(changed) == 5
    for source in changed:
        differing = [
            (one, other) for one, other in zip(plain.splitlines(), source.splitlines(), strict=True) if one != other
        ]
        assert len(differing) == 1
    assert "return count >= limit" in changed[-1]


def test_a_hundred_faults_are_chosen_whatever_the_order_of_files() -> None:
    found = [fault for room in ROOMS for fault in chosen(room)]
    assert found == [fault for room in ROOMS for fault in chosen(room)]
    assert len(found) == len({(fault.module, fault.function) for fault in found}) == 100
    tests = [test for room in ROOMS for test in room.tests]
    assert all((ROOT / test).exists() for test in (*tests, *quick_tests()))


@pytest.mark.long
def test_a_fault_is_found_in_a_copy_and_the_copy_is_mended(tmp_path: Path) -> None:
    copy_project(tmp_path)
    room = next(room for room in ROOMS if room.tests == ("tests/ratings",))
    module = "ratings/points/points.py"
    before = (tmp_path / module).read_text(encoding="utf-8")
    fault = next(fault for fault in faults_of(module, before) if fault.function == "competition_places")
    assert attempt(tmp_path, room, fault, ())
    assert (tmp_path / module).read_text(encoding="utf-8") == before
