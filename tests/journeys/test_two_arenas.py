"""Two arenas on one database: whatever they run, and whichever is killed, one ledger without faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.two_arenas import play, verify


@pytest.mark.long
@pytest.mark.parametrize(("seed", "kills"), [(1, 0), (2, 2)], ids=["undisturbed", "killed"])
def test_T13_7_two_arenas_in_one_pool_leave_no_round_without_its_fit(tmp_path: Path, seed: int, kills: int) -> None:
    """`python -m tests.journeys.two_arenas` tries 20 seeds."""
    play(tmp_path, seed, kills=kills)
    assert verify(tmp_path)["findings"] == []
