"""Knockouts: seeded by strength, duels of several blocks, byes, a third place, and walkovers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan.rounds import EntrantChange, History
from arena.plan.schedules import SCHEDULES
from arena.plan.schedules.knockout import bracket, seeding
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import PlayedGame, PlayedRound, PlayedTable, TableSizes, draw_key
from tests.arena.swiss_playing import names

KNOCKOUT = SCHEDULES["knockout"]
Winner = Callable[[tuple[str, ...]], str | None]


def entered(
    bots: int, *, best_of: int = 1, third: bool = False, house: tuple[str, ...] = (), least: int = 2
) -> TournamentSettings:
    game = GameSettings("toy", 1, {}, TableSizes(least, 5, least))
    return TournamentSettings(
        seed=7, bots=tuple(names(bots)), house_bots=house, games=(game,),
        format="knockout", points_rounds=0, best_of=best_of, third_place=third, top=None,
    )  # fmt: skip


def strengths(bots: tuple[str, ...]) -> dict[str, int]:
    """The first in the alphabet is the strongest."""
    return {bot: -number for number, bot in enumerate(sorted(bots))}


def stronger(bots: tuple[str, ...]) -> str:
    return min(bots)


def play(history: History, cup: TournamentSettings, winner: Winner) -> None:
    """Draw a round and let the winner of every table win all of its games; None stands for a shared block."""
    scores = strengths(cup.bots) if list(KNOCKOUT.seeded(cup, history)) else {}
    drawn = KNOCKOUT.draw(cup, history, scores)
    assert drawn is not None
    assert drawn.tables
    tables = []
    for table in drawn.tables:
        best = winner(tuple(bot for bot in table.bots if bot not in cup.house_bots))
        ranks = tuple(1 if best is None or bot == best else 2 for bot in table.bots)
        tables.append(PlayedTable(table.bots, tuple(PlayedGame(game, ranks) for game in range(len(table.bots)))))
    history.rounds.append(PlayedRound(tuple(tables)))
    history.scores.append(scores)


def play_out(cup: TournamentSettings, winner: Winner = stronger) -> History:
    history = History.of(cup.bots)
    for _ in range(200):
        if KNOCKOUT.is_over(cup, history):
            return history
        play(history, cup, winner)
    raise AssertionError("it never ends")


def test_a_bracket_keeps_the_best_apart() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@settings(deadline=None)
@given(st.integers(2, 40), st.booleans(), st.integers(1, 3))
def test_the_strongest_wins_and_every_stage_halves_the_field(bots: int, third: bool, best_of: int) -> None:
    cup = entered(bots, third=third, best_of=best_of)
    history = play_out(cup)
    order = KNOCKOUT.order(cup, history)
    assert order is not None
    assert sorted(order) == sorted(cup.bots)
    assert order[:2] == tuple(sorted(cup.bots)[:2]), "the two best meet in the final"
    if third and bots > 3:
        assert order[2] == sorted(cup.bots)[2]
    stages = (bots - 1).bit_length()
    needed = best_of // 2 + 1
    assert len(history.rounds) == stages * needed, "a duel ends when the other cannot catch up"
    duels = sum(len(played.tables) for played in history.rounds) // needed
    assert duels == bots - 1 + (third and bots > 3)


@settings(deadline=None)
@given(st.integers(2, 40), st.booleans())
def test_who_came_as_far_stands_by_seed(bots: int, third: bool) -> None:
    """If the stronger always win, everybody comes as far as the seed promises: by stages, and so by strength."""
    cup = entered(bots, third=third)
    assert KNOCKOUT.order(cup, play_out(cup)) == tuple(sorted(cup.bots))


def test_who_is_out_stands_behind_all_who_are_not() -> None:
    """Also while the third place is decided and the final is not, and while some duels of a stage are open."""
    best, second, third, fourth = sorted(names(4))
    cup = entered(4, best_of=3, third=True)
    history = History.of(cup.bots)
    play(history, cup, lambda bots: None if second in bots else max(bots))
    play(history, cup, lambda bots: None if second in bots else max(bots))
    assert KNOCKOUT.order(cup, history) == (second, third, fourth, best), "the best is out, two are not yet"
    play(history, cup, stronger)
    play(history, cup, lambda bots: None if fourth in bots else max(bots))
    play(history, cup, lambda bots: None if fourth in bots else max(bots))
    assert not KNOCKOUT.is_over(cup, history)
    assert KNOCKOUT.order(cup, history) == (second, fourth, third, best), "the final is open, the third place not"


def test_the_best_seeds_go_through_where_the_bracket_is_not_full() -> None:
    cup = entered(6)
    drawn = KNOCKOUT.draw(cup, History.of(cup.bots), strengths(cup.bots))
    assert drawn is not None
    best, second = sorted(cup.bots)[:2]
    seated = {bot for table in drawn.tables for bot in table.bots}
    assert len(drawn.tables) == 2
    assert not {best, second} & seated
    assert drawn.byes == (), "no bye points: points decide nothing here"


def test_bots_of_the_same_strength_are_seeded_by_the_draw() -> None:
    cup = entered(16)
    assert seeding(cup, {}) != sorted(cup.bots)
    assert seeding(cup, {}) == seeding(cup, dict.fromkeys(cup.bots, 0))


def test_shared_duels_get_as_many_blocks_again_and_then_the_better_seed_goes_on() -> None:
    cup = entered(2, best_of=3)
    history = play_out(cup, lambda _bots: None)
    assert len(history.rounds) == 6
    assert KNOCKOUT.order(cup, history) == tuple(sorted(cup.bots))


def test_the_first_further_block_that_is_not_shared_decides() -> None:
    cup = entered(2, best_of=2)
    history = History.of(cup.bots)
    for winner in (min, max, max):
        assert not KNOCKOUT.is_over(cup, history)
        play(history, cup, winner)
    assert KNOCKOUT.is_over(cup, history) == "the final is decided"
    assert KNOCKOUT.order(cup, history) == (max(cup.bots), min(cup.bots))


def test_T10_4_whoever_leaves_loses_its_duel() -> None:
    cup = entered(4, best_of=3)
    history = History.of(cup.bots)
    play(history, cup, stronger)
    best = min(cup.bots)
    history.catch_up([EntrantChange(2, best, is_entry=False)])
    drawn = KNOCKOUT.draw(cup, history, {})
    assert drawn is not None
    assert len(drawn.tables) == 1, "its duel is over, the other goes on"
    while not KNOCKOUT.is_over(cup, history):
        play(history, cup, stronger)
    order = KNOCKOUT.order(cup, history)
    assert order is not None
    assert order[0] == sorted(cup.bots)[1]


def test_house_bots_take_the_seats_that_a_duel_leaves_empty() -> None:
    cup = entered(4, house=("house one", "house two"), least=3)
    KNOCKOUT.check(cup)
    drawn = KNOCKOUT.draw(cup, History.of(cup.bots), strengths(cup.bots))
    assert drawn is not None
    assert all(len(table.bots) == 3 and len(set(table.bots) & set(cup.bots)) == 2 for table in drawn.tables)
    history = play_out(cup)
    assert KNOCKOUT.order(cup, history) is not None
    with pytest.raises(ValueError, match="needs 1 more bots to fill its table; expected that many house_bots"):
        KNOCKOUT.check(entered(4, least=3))


def test_T4_2_every_round_draws_its_seats_by_its_own_number() -> None:
    """And takes its own house bots, in the game whose turn it is."""
    games = tuple(GameSettings(slug, 1, {}, TableSizes(least, 5, least)) for slug, least in (("toy", 2), ("other", 3)))
    cup = replace(entered(8, best_of=3, house=("house one", "house two")), games=games)
    history = History.of(cup.bots)
    for number in (1, 2, 3):
        scores = strengths(cup.bots) if number == 1 else {}
        drawn = KNOCKOUT.draw(cup, history, scores)
        assert drawn is not None
        for table in drawn.tables:
            assert list(table.bots) == sorted(table.bots, key=lambda bot: draw_key(cup.seed, number, bot))
            house = min(cup.house_bots, key=lambda bot: draw_key(cup.seed, number, bot))
            assert set(table.bots) - set(cup.bots) == ({house} if number == 2 else set())
        play(history, cup, stronger if number == 1 else lambda _bots: None)


def test_everybody_gets_the_same_rounds_from_the_same_history() -> None:
    cup = entered(9, best_of=2)
    history = play_out(cup, lambda bots: max(bots) if "a" in max(bots) else min(bots))
    again = History.of(cup.bots)
    for played, scores in zip(history.rounds, history.scores, strict=True):
        drawn = KNOCKOUT.draw(cup, again, scores)
        assert drawn is not None
        assert [table.bots for table in drawn.tables] == [table.bots for table in played.tables]
        again.rounds.append(played)
        again.scores.append(scores)
