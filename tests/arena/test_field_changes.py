"""T10.3, T10.4: bots that join a tournament and leave it between two rounds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan.rounds import Change, History, remaining
from arena.plan.schedules import SCHEDULES, Terms
from arena.plan.standings import swiss_order
from arena.plan.swiss import Entrant, PlayedGame, PlayedRound, PlayedTable, TableSizes, advance
from ratings.points import BYE_POINTS

TERMS = Terms(
    seed=3, bots=("a", "b", "c", "d"), house=(), sizes=(TableSizes(2, 2, 2),), is_block=True, withdraw_after=2,
    points_rounds=5, rating_rounds=2, challenger=None, best_of=1, has_third_place=False,
)  # fmt: skip


def play(history: History, *, is_rating: bool = False) -> None:
    """Draw a Swiss round; the first in the alphabet wins at every table."""
    scores = dict.fromkeys(SCHEDULES["swiss"].seeded(TERMS, history), 0)
    drawn = SCHEDULES["swiss"].draw(TERMS, history, scores)
    assert drawn is not None
    tables = tuple(
        PlayedTable(table.bots, tuple(PlayedGame(game, tuple(1 + (bot != min(table.bots)) for bot in table.bots))
                                      for game in range(2)))
        for table in drawn.tables
    )  # fmt: skip
    played = PlayedRound(tables, drawn.byes, is_rating=is_rating)
    history.rounds.append(played)
    history.scores.append(scores)
    history.entrants = advance(history.entrants, played, preferred=2)


def test_T10_3_for_missed_points_rounds_a_bot_has_the_bye_value_once_and_nothing_after() -> None:
    history = History.of(TERMS.bots)
    for _ in range(3):
        play(history)
    history.catch_up([Change(4, "late", is_entry=True)])
    late = history.entrants["late"]
    assert (late.score, late.byes, late.rounds) == (BYE_POINTS, 1, 3)
    line = next(line for line in swiss_order(history.rounds, seed=3) if line.bot == "late")
    assert (line.points, line.rounds) == (BYE_POINTS, 3)


def test_T10_3_rating_rounds_are_not_missed() -> None:
    history = History.of(TERMS.bots)
    play(history)
    play(history, is_rating=True)
    play(history, is_rating=True)
    history.catch_up([Change(4, "late", is_entry=True)])
    assert (history.entrants["late"].score, history.entrants["late"].rounds) == (BYE_POINTS, 1)


def test_T10_3_a_bot_that_joins_counts_as_having_had_its_bye() -> None:
    """Five bots at tables of two: somebody sits out, and it is not the one that came late."""
    history = History.of(TERMS.bots)
    play(history)
    history.catch_up([Change(2, "late", is_entry=True)])
    for _ in range(4):
        play(history)
        assert "late" not in history.rounds[-1].byes


def test_T10_3_who_is_there_before_the_first_round_has_missed_nothing() -> None:
    history = History.of(TERMS.bots)
    history.catch_up([Change(1, "early", is_entry=True)])
    assert history.entrants["early"] == Entrant("early")


def test_T10_4_whoever_leaves_keeps_its_results_and_is_paired_no_more() -> None:
    history = History.of(TERMS.bots)
    play(history)
    before = swiss_order(history.rounds, seed=3)
    history.catch_up([Change(2, "a", is_entry=False)])
    assert swiss_order(history.rounds, seed=3) == before
    for _ in range(3):
        play(history)
        assert not any("a" in table.bots for table in history.rounds[-1].tables)
        assert "a" not in history.rounds[-1].byes
    assert [entrant.bot for entrant in remaining(history, 2)] == ["b", "c", "d"]


def test_T10_3_whoever_comes_back_has_the_bye_value_only_once() -> None:
    history = History.of(TERMS.bots)
    changes = [Change(2, "a", is_entry=False), Change(4, "a", is_entry=True), Change(5, "a", is_entry=False)]
    for _ in range(3):
        history.catch_up(changes)
        play(history)
    won = history.entrants["a"].score
    history.catch_up(changes)
    assert history.entrants["a"].score == won + BYE_POINTS
    assert history.entrants["a"].rounds == 3


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from("abcdefgh"), st.booleans()), max_size=8))
def test_T10_3_a_history_is_the_same_read_at_once_or_round_by_round(rows: list[tuple[int, str, bool]]) -> None:
    """What the runner knows, which reads round after round, is what the audit and the reports find afterwards."""
    changes = [Change(*row) for row in sorted(rows, key=lambda row: row[0])]
    history = History.of(TERMS.bots)
    for _ in range(5):
        history.catch_up(changes)
        if len(remaining(history, 2)) < 2:
            return
        play(history)
    history.catch_up(changes)
    again = History.of(TERMS.bots)
    bare = {at: replace(played, absent=()) for at, played in enumerate(history.rounds)}
    for at, played in enumerate(history.rounds):
        again.catch_up(changes)
        seated = {bot for table in played.tables for bot in table.bots}
        byes = tuple(bot for bot in played.byes if bot in again.entrants and bot not in seated)
        drawn = SCHEDULES["swiss"].draw(TERMS, again, {})
        assert drawn is not None
        assert [table.bots for table in drawn.tables] == [table.bots for table in bare[at].tables]
        assert set(drawn.byes) <= set(byes)
        again.rounds.append(replace(played, byes=drawn.byes, absent=()))
        again.scores.append({})
        again.entrants = advance(again.entrants, again.rounds[-1], preferred=2)
    again.catch_up(changes)
    assert again.entrants == history.entrants
    assert again.rounds == history.rounds
