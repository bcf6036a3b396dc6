"""T2: a bot that remembers everything it sees, in its process and on disk, foretells nothing of the games to come."""

from __future__ import annotations

import dataclasses
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.luck import Luck
from arena.plan.tournament_file import Plan, beside, parse_plan
from arena.play.runner import Runner, local_now
from arena.sandbox.levels import Level
from arena.store.database import open_store
from referee.games import BUILT_IN, GAMES
from referee.order import OrderError
from tests import parts

SEER = Path(__file__).parent / "seer_bot.py"
TALLY = re.compile(r"foretold (\d+) of (\d+)")


def seers(folder: Path, game: str, **changes: Any) -> Plan:
    """One block of a game in which everybody remembers, and everybody reads everybody's notes."""
    bot = folder / "seer"
    bot.mkdir()
    shutil.copy(SEER, bot / "bot.py")
    (bot / "bot.toml").write_text(f'name = "seer"\ncommand = ["python3", "bot.py", "{folder / "notes"}"]\n')
    seats = GAMES[game].table_sizes[0]
    plain = {
        "name": "block", "game": game, "seed": 5, "rounds": 1, "seats": seats, "most_seats": seats, "referees": 1,
        "verify": "none", "bot": [{"path": "seer", "name": f"seer {number}"} for number in range(seats)],
    }  # fmt: skip
    return parse_plan(plain | changes, beside(folder))


def tallies(plan: Plan, folder: Path) -> list[tuple[int, int]]:
    """Play the block; return for every seat of every game how many events were foretold, and of how many."""
    store = open_store(folder / "arena.db", create=True)
    runner = Runner(plan, store, Silent(), local_now)
    runner.enter()
    trio.run(runner.run)
    printed = [store.outputs(match.id) for match in store.matches(plan.name)]
    said = [TALLY.search(text) for outputs in printed for text in outputs.values()]
    store.close()
    seats = len(plan.bots)
    found = [(int(tally[1]), int(tally[2])) for tally in said if tally is not None]
    assert len(found) == seats * seats
    return found


@pytest.mark.parametrize("game", BUILT_IN)
def test_T2_4_with_own_luck_a_bot_that_remembers_foretells_nothing(tmp_path: Path, game: str) -> None:
    """Up to the first card it may be right, because nothing has been drawn yet."""
    for foretold, seen in tallies(seers(tmp_path, game), tmp_path):
        assert foretold <= seen / 10


def test_T2_6_by_the_old_rule_the_same_bot_foretold_whole_games(tmp_path: Path) -> None:
    plan = dataclasses.replace(seers(tmp_path, "norenberc"), luck=Luck.TABLE)
    assert sorted(foretold == seen for foretold, seen in tallies(plan, tmp_path)) == [False, False, True, True]


@pytest.mark.parametrize("game", BUILT_IN)
def test_T2_5_with_shared_luck_nothing_is_left_to_remember_by(tmp_path: Path, game: str) -> None:
    """All games of the block have one seed; the processes are new, and what they wrote has gone with them."""
    parts.sandbox_for_strangers()
    plan = seers(tmp_path, game, luck="shared", fresh_process=True)
    assert {foretold for foretold, _seen in tallies(plan, tmp_path)} == {0}


def test_T2_5_shared_luck_is_refused_where_a_bot_may_leave_itself_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = seers(tmp_path, "toy", luck="shared", fresh_process=True)
    monkeypatch.setattr("arena.play.runner.choose", lambda _policy: Level.LANDLOCK)
    store = open_store(tmp_path / "arena.db", create=True)
    with pytest.raises(OrderError, match=r"^luck: 'shared' is refused: seer 0@\w+ would run at sandbox level landlock"):
        Runner(plan, store, Silent(), local_now).enter()
    assert store.tournaments() == []
    store.close()
