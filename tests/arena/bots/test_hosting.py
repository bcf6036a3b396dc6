"""What is kept of the output of bots, and which part of it belongs to a match."""

from __future__ import annotations

import pytest

from arena.bots.process import KEPT_OF_A_MATCH, KEPT_OUTPUT, KeptOutput


def test_what_was_printed_since_a_match_began_is_told_from_what_came_before() -> None:
    kept = KeptOutput()
    kept.add(b"before\n")
    offset = kept.total
    assert kept.since(offset) == ""
    kept.add(b"during\n")
    assert kept.since(offset) == "during\n"
    assert kept.since(0) == "before\nduring\n"


@pytest.mark.parametrize("before", [0, 10, KEPT_OUTPUT - 3, KEPT_OUTPUT, 2 * KEPT_OUTPUT + 5, 9 * KEPT_OUTPUT])
@pytest.mark.parametrize("during", [1, 100, KEPT_OF_A_MATCH, KEPT_OF_A_MATCH + 1, 5 * KEPT_OUTPUT])
def test_of_much_output_its_end_is_kept(before: int, during: int) -> None:
    kept = KeptOutput()
    for start in range(0, before, 1_000):
        kept.add(b"x" * min(1_000, before - start))
    assert kept.total == before
    printed = bytes(97 + number % 26 for number in range(during))
    for start in range(0, during, 1_000):
        kept.add(printed[start : start + 1_000])
    assert kept.total == before + during
    end = printed[-KEPT_OF_A_MATCH:].decode()
    note = f"… {during - KEPT_OF_A_MATCH} bytes dropped …\n" if during > KEPT_OF_A_MATCH else ""
    assert kept.since(before) == note + end
