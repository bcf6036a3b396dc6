"""T18.4: a small version of arena bench intransitivity, with fixed seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.bench import intransitivity as bench
from arena.bench.coverage import less_annealing
from arena.bench.figures import telling
from arena.bench.intransitivity import Rate, Row, games_of_test, main, p_value, rate
from arena.bench.pieces import OutOfTimeError, Pieces

SMALL = Row(12, 2, 12)


def test_T18_4_cycles_are_found_and_tournaments_without_them_are_not_flagged() -> None:
    with less_annealing(600):
        null, _ = rate(SMALL, 0.0, 6, 1, Pieces())
        cycles, _ = rate(SMALL, 3.0, 4, 1, Pieces())
    assert null.flagged <= 1
    assert cycles.flagged >= 3


def test_T18_4_a_missed_target_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A test that flags one tournament in ten, and every cycle."""
    monkeypatch.setattr(bench, "p_value", lambda _row, cycle, seed: [0.01 if cycle or seed % 10 == 0 else 0.5, 0.0])
    assert main([]) == 1
    told = capsys.readouterr().out
    assert "MISSED  30, 3, 15: false alarms 30 of 300 (7 to 14 %) (at most 7 %)" in told
    assert "met     30, 3, 15: cycles of 2 nat found 40 of 40 (91 to 100 %) (at least 80 %)" in told


def test_T18_4_a_test_of_two_bots_is_a_part_of_the_pool(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both seats are played in every block, and the better of the two wins more."""
    games = list(games_of_test(np.array([1.5, 0.0]), 200, 1))
    assert [game.bots for game in games[:2]] == [("bot000", "bot001"), ("bot001", "bot000")]
    assert {game.block for game in games[:2]} == {("test", 1, 1)}
    won = sum(game.bots[game.places.index(1)] == "bot000" for game in games)
    assert 280 < won < 370, "82 % of 400"
    monkeypatch.setattr(bench, "p_value", lambda row, _cycle, _seed: [0.01 if row.tested else 0.5, 0.0])
    main(["--cycles", "1", "--null", "1"])
    told = capsys.readouterr().out
    assert "\nMISSED  8, 2, 9 and a test of 40 blocks: false alarms 1 of 1" in told
    assert "\n8, 2, 9 and a test of 40 blocks: cycles of 2 nat found 1 of 1" in told, "it has no target"


def test_a_run_in_pieces_gives_the_same_and_plays_nothing_twice(tmp_path: Path) -> None:
    played = []

    def work() -> list[float]:
        played.append(1)
        with less_annealing(600):
            return p_value(SMALL, 0.0, 3)[:1]

    first = Pieces(tmp_path / "kept").get("one", work)
    assert Pieces(tmp_path / "kept", seconds=0).get("one", work) == first
    assert len(played) == 1
    with pytest.raises(OutOfTimeError):
        Pieces(tmp_path / "kept", seconds=0).get("two", work)
    assert telling(["--quick", "--kept", "file", "--seconds", "9", "--results", "folder"]) == ["--quick"]


def test_a_rate_is_told_with_what_so_few_tournaments_leave_open() -> None:
    assert str(Rate(0, 12)) == "0 of 12 (0 to 24 %)"
    assert str(Rate(21, 300)) == "21 of 300 (5 to 10 %)"
    assert str(Rate(4, 4)) == "4 of 4 (51 to 100 %)"
