"""T2: a bot that remembers everything it sees, in its process and on disk, foretells nothing of the games to come."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.watching import Silent
from arena.play.runner import Runner
from arena.sandbox.levels import Level
from arena.store.database import open_store
from arena.store.local_time import local_now
from referee.games import BUILT_IN
from referee.order import OrderError
from tests import parts
from tests.journeys.seers import seers, tallies


@pytest.mark.parametrize("game", BUILT_IN)
def test_T2_4_seeded_per_game_a_bot_that_remembers_foretells_nothing(tmp_path: Path, game: str) -> None:
    """Up to the first card it may be right, because nothing has been drawn yet."""
    for foretold, seen in tallies(seers(tmp_path, game), tmp_path):
        assert foretold <= seen / 10


@pytest.mark.parametrize("game", BUILT_IN)
def test_T2_5_seeded_per_block_nothing_is_left_to_remember_by(tmp_path: Path, game: str) -> None:
    """All games of the block have one seed; the processes are new, and what they wrote has gone with them."""
    parts.sandbox_for_untrusted_bots()
    plan = seers(tmp_path, game, seeding="per_block", fresh_process=True)
    assert {foretold for foretold, _seen in tallies(plan, tmp_path)} == {0}


def test_T2_5_per_block_seeding_is_refused_where_a_bot_may_leave_itself_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = seers(tmp_path, "toy", seeding="per_block", fresh_process=True)
    monkeypatch.setattr("arena.play.blocks.choose", lambda _policy: Level.LANDLOCK)
    store = open_store(tmp_path / "arena.db", create=True)
    with pytest.raises(
        OrderError, match=r"^seeding: 'per_block' is refused: seer 0@\w+ would run at sandbox level landlock"
    ):
        Runner(plan, store, Silent(), local_now).enter()
    assert store.tournaments.all() == []
    store.close()
