"""The benchmark of the search: resumed to the same figures, and the row with the least CPU time goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.bench import search
from arena.bench.pieces import Pieces
from arena.bench.search import Row, Searcher, played, seatings


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One step, from one node to three."""
    monkeypatch.setattr(search, "TIMES", (1, 3))


def run(kept: Path, *more: str) -> int:
    return search.main(
        ["--only", "budgets", "--game", "norenberc", "--weights", "tuned", "--base", "1", "--kept", str(kept), *more]
    )


def test_a_run_in_pieces_keeps_the_blocks_of_a_whole_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    assert run(whole, "--blocks", "2") in (0, 1)
    assert run(pieces, "--blocks", "1") in (0, 1)
    assert run(pieces, "--blocks", "2", "--seconds", "0") == 3  # what is known is shown
    assert "time is up" in capsys.readouterr().out
    assert run(pieces, "--blocks", "2") in (0, 1)
    shares = [
        [(name, found[0]) for name, found in map(json.loads, kept.read_text().splitlines())] for kept in (whole, pieces)
    ]
    assert len(shares[0]) == 2
    assert shares[0] == shares[1]


def test_the_row_with_the_least_cpu_time_gains_the_next_block() -> None:
    """So that cheap rows get narrow errors before dear ones have their first blocks."""
    cheap, dear = (
        Row("norenberc", label, Searcher(nodes), Searcher(1)) for label, nodes in (("cheap", 2), ("dear", 9))
    )
    pieces = Pieces()
    for row, seconds in ((cheap, 1.0), (dear, 5.0)):
        for seed in range(10):
            pieces.done[f"{row.key}: {seed}"] = (0.5, seconds)
    del pieces.done[f"{cheap.key}: 4"], pieces.done[f"{dear.key}: 1"]
    pieces.until = 0.0
    results, is_done = played([cheap, dear], 0, 10, pieces)
    assert not is_done
    assert [len(result.shares) for result in results] == [4, 1]
    asked: list[str] = []

    def get(name: str, _work: object) -> tuple[float, float]:
        asked.append(name)
        return (0.5, 1.0 if name.startswith(cheap.key) else 5.0)

    pieces.done.clear()
    pieces.get = get  # type: ignore[assignment, method-assign]  # no match is played
    played([cheap, dear], 0, 6, pieces)
    assert [name.startswith(cheap.key) for name in asked[:8]] == [True, False, *[True] * 5, False]


def test_both_policies_sit_everywhere() -> None:
    assert seatings(2) == [(True, False), (False, True)]
    assert seatings(4) == [(True, False, True, False), (False, True, False, True)]


def test_other_weights_are_another_row() -> None:
    rows = [row for is_tuned in (True, False) for row in search.budgets("norenberc", 10, is_tuned=is_tuned)]
    assert len({row.key for row in rows}) == len(rows)
    assert "default weights" in rows[-1].key


def test_another_style_is_another_row() -> None:
    """Kept blocks of an earlier style are not taken for its own."""
    rows = list(search.ideas("norenberc", 50))
    assert len({row.key for row in rows}) == len(rows) == len(search.IDEAS)
