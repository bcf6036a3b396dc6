"""What counts as a finding: everything but an answer that came too late once and in time when it was tried again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.fuzz.__main__ import fuzz
from tests.fuzz.http2 import BrokenPromiseError
from tests.fuzz.surfaces import Surface

BATCH = 8
Take = Callable[[Sequence[bytes]], None]


def numbers(_seed: int) -> Iterator[bytes]:
    """Yield a new input each time."""
    return (str(number).encode() for number in count())


def found(folder: Path, take: Take) -> set[bytes]:
    """Fuzz a surface for one batch and return the inputs that were kept."""
    surface = Surface("made-up", lambda: (), take, BATCH, numbers)
    tried = 0
    while not tried:  # on a busy machine the time may be over before the first batch
        tried, broken = fuzz(surface, 1, 0.01, folder)
    kept = [file.read_bytes() for file in broken]
    assert len(kept) == len(set(kept))
    return set(kept)


def refuse(items: Sequence[bytes], *bad: bytes) -> None:
    """Break a promise if all of these are there together."""
    if all(each in items for each in bad):
        raise RuntimeError("broken")


def test_one_input_of_a_batch_is_blamed(tmp_path: Path) -> None:
    assert found(tmp_path, lambda items: refuse(items, b"5")) == {b"5"}


def test_inputs_that_break_a_promise_only_together_are_kept_together(tmp_path: Path) -> None:
    assert found(tmp_path, lambda items: refuse(items, b"2", b"5")) == {str(each).encode() for each in range(BATCH)}


@pytest.mark.parametrize("error", [RuntimeError("broken"), BrokenPromiseError(b"3", "the server ended")])
def test_a_promise_that_is_broken_once_is_a_finding(tmp_path: Path, error: Exception) -> None:
    assert b"3" in found(tmp_path, first_time(error))


@pytest.mark.parametrize("error", [TimeoutError(), BrokenPromiseError(b"3", "late", is_slow=True)])
def test_a_busy_machine_is_no_finding(tmp_path: Path, error: Exception) -> None:
    assert not found(tmp_path, first_time(error))


@pytest.mark.parametrize("error", [TimeoutError(), BrokenPromiseError(b"3", "late", is_slow=True)])
def test_an_answer_that_is_late_every_time_is_a_finding(tmp_path: Path, error: Exception) -> None:
    def take(items: Sequence[bytes]) -> None:
        if b"3" in items:
            raise error

    assert found(tmp_path, take) == {b"3"}


def first_time(error: Exception) -> Take:
    """Return a way to take inputs that fails the first time only."""
    errors = [error]

    def take(_items: Sequence[bytes]) -> None:
        if errors:
            raise errors.pop()

    return take
