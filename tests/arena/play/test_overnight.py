"""How a tournament ends: deadlines, budgets and the stop rule, judged on a clock of the test's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.rounds import History
from arena.plan.swiss import PairedTable, Pairing, PlayedRound
from arena.plan.tournament_file import Plan, beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import Store, open_store

BOT = Path(__file__).parents[3] / "sample_bots" / "python"
EVENING = datetime(2030, 5, 1, 22, 0, tzinfo=UTC)


def plan(**changes: Any) -> Plan:
    bots = [{"path": str(BOT), "name": f"r{number}"} for number in range(8)]
    return parse_plan(
        {"name": "cup", "game": "toy", "seed": 7, "bot": bots, "preset": "overnight", "rounds": 2} | changes,
        beside(Path()),
    )


class Clock:
    """The time of day, set by hand."""

    def __init__(self) -> None:
        self.moment = EVENING

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "arena.db", create=True)


def closed(*seconds: float, matches: int = 0) -> History:
    """The history of rounds that took so long."""
    return History(
        rounds=[PlayedRound((), ()) for _ in seconds], longest_seconds=max(seconds, default=0.0), matches=matches
    )


def test_no_round_is_started_that_cannot_end_in_time(store: Store) -> None:
    clock = Clock()
    runner = Runner(plan(until="07:00"), store, Silent(), clock)
    runner.enter()
    hour = 3600.0
    clock.moment = EVENING + timedelta(hours=7)  # two hours are left
    assert runner._reason_to_end(closed(hour)) == ""
    assert runner._reason_to_end(closed(hour, 2.5 * hour)) == "no further round can end by 07:00"
    clock.moment = EVENING + timedelta(hours=8.5)
    assert runner._reason_to_end(closed(hour)) == "no further round can end by 07:00"


def test_the_first_round_is_always_tried(store: Store) -> None:
    clock = Clock()
    runner = Runner(plan(until="22:01"), store, Silent(), clock)
    runner.enter()
    assert runner._reason_to_end(History()) == ""


def test_a_deadline_that_has_passed_ends_the_tournament(store: Store) -> None:
    clock = Clock()
    runner = Runner(plan(until="22:01"), store, Silent(), clock)
    runner.enter()
    clock.moment = EVENING + timedelta(minutes=5)
    assert runner._reason_to_end(closed(0.0)) == "no further round can end by 22:01"


def test_T10_rating_rounds_end_with_the_match_budget(store: Store) -> None:
    """Every seat of a block is a match: as many as are seated, after bots have joined or left."""
    runner = Runner(plan(match_budget=20), store, Silent(), Clock())
    runner.enter()

    def seated(bots: int) -> Pairing:
        tables = range(1, bots // 4 + 1)
        return Pairing(tuple(PairedTable(table, ("a", "b", "c", "d")) for table in tables), (), 0)

    for bots in (4, 8, 12):
        left = closed(1.0, 1.0, matches=20 - bots)
        assert not runner._is_beyond_budget(left, 3, seated(bots))
        assert runner._is_beyond_budget(left, 3, seated(bots + 4))
        assert not runner._is_beyond_budget(left, 2, seated(bots + 4)), "points rounds are always played"


def test_T10_the_budget_is_used_as_far_as_the_rounds_drawn_fit_into_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every round that is drawn is played while it fits, whatever its size; the first that does not ends it."""
    budget, bots = 13, [{"path": str(BOT), "name": f"r{number}"} for number in range(4)]
    runner = Runner(
        plan(rounds=1, seats=2, max_seats=2, match_budget=budget, bot=bots, seed=3), store, Silent(), Clock()
    )
    drawn: list[int] = []
    is_beyond_budget = Runner._is_beyond_budget

    def noted(self: Runner, history: History, number: int, pairing: Pairing) -> bool:
        drawn.append(sum(map(self.games_at, pairing.tables)))
        return is_beyond_budget(self, history, number, pairing)

    monkeypatch.setattr(Runner, "_is_beyond_budget", noted)
    runner.enter()
    trio.run(runner.run)
    *played, refused = drawn
    assert [len(store.matches.of("cup", number)) for number in range(1, len(drawn) + 1)] == [*played, 0]
    assert sum(played) <= budget < sum(played) + refused
    assert store.tournaments.find("cup").reason.startswith("the budget is used up")


def test_all_rounds_are_played_then_it_ends(store: Store) -> None:
    runner = Runner(plan(preset="quick"), store, Silent(), Clock())
    runner.enter()
    assert runner._reason_to_end(closed(1.0)) == ""
    assert runner._reason_to_end(closed(1.0, 1.0)) == "all rounds are played"
