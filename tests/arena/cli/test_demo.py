"""The demo: bots that differ, and the match to look at first."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from arena.cli.demo import demo_plan
from arena.cli.demo_entrants import PLAYERS, gather_entrants
from arena.reports.latest import closest_finish
from arena.store.rows import StoredMatch
from referee.games import BUILT_IN
from referee.order import Ending
from tests.arena.command_line import CommandLine


def match(name: str, scores: tuple[int, ...], places: tuple[int, ...], decisions: int = 100) -> StoredMatch:
    seats = len(scores)
    return StoredMatch(
        id=name,
        tournament="t",
        round=1,
        table=1,
        game_number=0,
        attempt=0,
        game="toy",
        seed=1,
        seating=tuple(f"{name}-{seat}@1" for seat in range(seats)),
        ending=Ending.COMPLETED,
        reason="",
        places=places,
        scores=scores,
        seat_endings=(Ending.COMPLETED,) * seats,
        record_digest="",
        decisions=decisions,
    )


CLEAR = match("clear", (10, 30, 5), (2, 1, 3))
CLOSE = match("close", (99, 100), (2, 1))


def test_the_closest_finish_is_the_smallest_lead_for_the_winners_score() -> None:
    found = closest_finish([CLEAR, CLOSE])
    assert found is not None
    assert (found.winner, found.runner_up) == ("close-1@1", "close-0@1")
    assert (found.winner_score, found.runner_up_score, found.margin) == (100, 99, Fraction(1, 100))


def test_a_tie_at_the_top_is_closer_than_any_lead_and_the_longest_tie_is_the_closest() -> None:
    tie, long_tie = match("tie", (7, 7), (1, 1)), match("long", (7, 7), (1, 2), decisions=200)
    found = closest_finish([CLOSE, tie, long_tie])
    assert found is not None
    assert found.match is long_tie
    assert not found.is_shared
    shared = closest_finish([tie])
    assert shared is not None
    assert shared.is_shared


@pytest.mark.parametrize(
    "change",
    [
        {"ending": Ending.VOIDED},
        {"void_reason": "a fault of the machine"},
        {"seat_endings": (Ending.COMPLETED, Ending.FORFEIT_CRASH)},
    ],
)
def test_a_match_that_was_not_played_to_the_end_by_all_is_not_exciting(change: dict[str, object]) -> None:
    assert closest_finish([replace(CLOSE, **change)]) is None  # type: ignore[arg-type] # one field each


def test_the_bots_of_the_demo_differ_in_what_they_do_and_not_only_in_their_names(tmp_path: Path) -> None:
    """No two have the same files, and the noisy one has the slips that its name says."""
    entrants = gather_entrants()
    names = [bot.manifest.name for bot in entrants.bots]
    assert names[:4] == ["random", "noisy-50", "greedy", "tuned"]
    assert len({bot.version for bot in entrants.bots}) == len(entrants.bots)
    for bot, player in zip(entrants.bots, PLAYERS, strict=False):
        assert bot.manifest.name == player.name
        assert bot.manifest.command[2:] == player.arguments
    assert sorted([*names[4:], *entrants.absent]) == [
        f"random-{name}" for name in ("cpp", "go", "java", "node", "rust")
    ]


def test_every_run_of_the_demo_has_its_own_name_and_seed(tmp_path: Path) -> None:
    entrants = gather_entrants()
    first, second = (demo_plan(entrants, BUILT_IN, number=number) for number in (1, 2))
    assert (first.name, second.name) == ("demo-1", "demo-2")
    assert first.settings.seed != second.settings.seed
    assert [game.slug for game in first.settings.games] == list(BUILT_IN)


def test_everybody_meets_in_every_game_of_the_demo(tmp_path: Path) -> None:
    """Four bots sit at one table, in every seat; more of them play three rounds of each game."""
    entrants = gather_entrants()
    four = demo_plan(replace(entrants, bots=entrants.bots[:4]), BUILT_IN, number=1)
    assert (four.settings.block, four.rounds) == (True, len(BUILT_IN))
    fifth = replace(entrants.bots[0], manifest=replace(entrants.bots[0].manifest, name="fifth"))
    (tmp_path / "fifth").symlink_to(fifth.path)
    five = demo_plan(
        replace(entrants, bots=(*entrants.bots[:4], replace(fifth, path=tmp_path / "fifth"))), BUILT_IN, number=1
    )
    assert (five.settings.block, five.rounds) == (False, 3 * len(BUILT_IN))


def test_the_demo_refuses_games_that_it_does_not_play(command_line: CommandLine) -> None:
    said = command_line("demo", "--game", "norenberg")
    assert (said.code, said.out) == (2, "")
    assert "(did you mean 'norenberc'?)" in said.err
