"""T11: the Swiss order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan.standings import SwissStanding, swiss_order
from arena.plan.swiss import PlayedGame, PlayedRound, PlayedTable, draw_key
from tests.arena.plan.test_swiss import little_annealing
from tests.arena.swiss_playing import THREE_TO_FIVE, Tournament, names


def table(*bots: str, places: tuple[int, ...], scores: tuple[int, ...] | None = None) -> PlayedTable:
    return PlayedTable(bots, (PlayedGame(0, places, scores),))


def order(standings: tuple[SwissStanding, ...]) -> str:
    return "".join(line.bot for line in standings)


def line_of(standings: tuple[SwissStanding, ...], bot: str) -> SwissStanding:
    return next(line for line in standings if line.bot == bot)


def test_T11_everything_tied_is_decided_by_the_draw_of_round_0() -> None:
    bots = ["a", "b", "c", "d"]
    rounds = [PlayedRound((table(*bots, places=(1, 1, 1, 1)),))]
    for seed in range(4):
        wanted = sorted(bots, key=lambda bot: draw_key(seed, 0, bot))
        assert order(swiss_order(rounds, seed=seed)) == "".join(wanted)


def test_T11_1_points_come_first() -> None:
    rounds = [PlayedRound((table("a", "b", "c", places=(3, 1, 2)),))]
    standings = swiss_order(rounds, seed=1)
    assert order(standings) == "bca"
    assert [(line.place, line.points) for line in standings] == [(1, 1440), (2, 720), (3, 0)]


ROUNDS = [
    PlayedRound((table("a", "b", places=(1, 2)), table("c", "d", places=(1, 2)))),
    PlayedRound((table("a", "c", places=(1, 2)), table("b", "d", places=(1, 2)))),
]


def test_T11_2_then_the_mean_points_of_the_opponents() -> None:
    """Both b and c have one point; b lost to the winner and beat the last, c did too."""
    standings = swiss_order(ROUNDS, seed=1)
    assert [line.points for line in standings] == [2880, 1440, 1440, 0]
    assert line_of(standings, "a").opponents == 720
    assert line_of(standings, "b").opponents == Fraction(1440 + 0, 2)
    more = [*ROUNDS, PlayedRound((table("b", "a", places=(2, 1)), table("c", "d", places=(2, 1))))]
    standings = swiss_order(more, seed=1)
    # b met a, d, a; c met d, a, d: with a at 3/3 and d at 1/3 points a round.
    assert line_of(standings, "b").opponents == Fraction(1440 + 480 + 1440, 3)
    assert line_of(standings, "c").opponents == Fraction(480 + 1440 + 480, 3)
    assert order(standings)[:2] == "ab"


def test_T11_2_means_are_per_round_so_that_late_entries_count_fairly() -> None:
    rounds = [
        PlayedRound((table("a", "b", places=(1, 2)), table("c", "x", places=(1, 2)))),
        PlayedRound((table("a", "late", places=(2, 1)), table("b", "c", places=(1, 2)))),
    ]
    standings = swiss_order(rounds, seed=1)
    assert line_of(standings, "late").rounds == 1
    # a met b (1 of 2 rounds) and late (1 of 1 round).
    assert line_of(standings, "a").opponents == Fraction(720 + 1440, 2)


def test_T11_3_the_cut_leaves_out_the_lowest_meeting() -> None:
    standings = swiss_order(ROUNDS, seed=1)
    assert line_of(standings, "b").opponents_cut == 1440
    assert line_of(standings, "d").opponents_cut == 720


def test_T11_4_points_are_weighted_by_the_opponents_of_the_table() -> None:
    standings = swiss_order(ROUNDS, seed=1)
    assert line_of(standings, "a").weighted == 1440 * 1440 + 1440 * 1440
    assert line_of(standings, "b").weighted == 0 * 2880 + 1440 * 0
    three = [PlayedRound((table("a", "b", "c", places=(1, 2, 3)),))]
    assert line_of(swiss_order(three, seed=1), "a").weighted == 1440 * Fraction(720 + 0, 2)


def test_T11_5_shares_of_the_raw_score_count_only_if_the_game_says_so() -> None:
    rounds = [
        PlayedRound((table("a", "b", places=(1, 2), scores=(10, 9)), table("c", "d", places=(1, 2), scores=(30, 10))))
    ]
    assert order(swiss_order(rounds, seed=1)) == "cabd"
    standings = swiss_order(rounds, seed=1)
    assert line_of(standings, "c").score_share == Fraction(3, 4)
    assert line_of(standings, "b").score_share == Fraction(9, 19)
    plain = swiss_order([PlayedRound((table("a", "b", places=(1, 2)), table("c", "d", places=(1, 2))))], seed=1)
    assert {line.score_share for line in plain} == {0}
    nothing = [PlayedRound((table("a", "b", places=(1, 1), scores=(0, 0)),))]
    assert {x.score_share for x in swiss_order(nothing, seed=1)} == {Fraction(1, 2)}


def test_T11_6_head_to_head_counts_only_if_all_who_are_tied_have_met() -> None:
    rounds = [
        PlayedRound((table("a", "b", places=(1, 2)), table("c", "d", places=(1, 2)))),
        PlayedRound((table("b", "a", places=(1, 2)), table("d", "c", places=(1, 2)))),
    ]
    standings = swiss_order(rounds, seed=1)
    assert {line.points for line in standings} == {1440}
    assert {line.head_to_head for line in standings} == {0}, "a has not met c"
    alone = [PlayedRound(each.tables[:1]) for each in rounds]
    assert {line.head_to_head for line in swiss_order(alone, seed=1)} == {Fraction(1, 2)}


def test_T11_6_head_to_head_is_by_games_and_comes_before_the_draw() -> None:
    """Two of three games between equals in points went to the winner; the other gained as much on a third bot."""
    for winner, loser in (("a", "b"), ("b", "a")):
        games = (PlayedGame(0, (1, 2, 3)), PlayedGame(1, (1, 2, 3)), PlayedGame(2, (3, 1, 2)))
        standings = swiss_order([PlayedRound((PlayedTable((winner, loser, "c"), games),))], seed=1)
        assert order(standings) == winner + loser + "c"
        assert [line.points for line in standings] == [960, 960, 240]
        assert [line.head_to_head for line in standings] == [Fraction(2, 3), Fraction(1, 3), 0]


def test_T11_wins_are_never_used() -> None:
    """One win and one last place are worth as much as two second places of three; only the draw decides."""
    rounds = [
        PlayedRound((table("a", "x", "y", places=(1, 2, 3)), table("b", "u", "v", places=(2, 1, 3)))),
        PlayedRound((table("a", "u", "v", places=(3, 2, 1)), table("b", "x", "y", places=(2, 3, 1)))),
    ]
    for seed in range(6):
        standings = swiss_order(rounds, seed=seed)
        a, b = line_of(standings, "a"), line_of(standings, "b")
        assert (a.points, a.opponents) == (b.points, b.opponents)


def test_T11_byes_and_house_bots_are_left_out_of_the_opponents_and_house_bots_are_not_ranked() -> None:
    rounds = [
        PlayedRound((table("a", "house", places=(1, 2)), table("b", "c", places=(1, 2))), ("d",)),
        PlayedRound((table("a", "b", places=(1, 2)),), ("c", "d")),
    ]
    standings = swiss_order(rounds, seed=1, house_bots=("house",))
    assert order(standings)[0] == "a"
    assert "house" not in {line.bot for line in standings}
    assert line_of(standings, "a").opponents == Fraction(1440, 2)
    assert line_of(standings, "a").opponents_cut == 0
    assert line_of(standings, "d") == SwissStanding(
        line_of(standings, "d").place, "d", 1440, 2, Fraction(0), Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 30), st.integers(0, 10**6))
def test_T11_everybody_is_placed_once_and_by_points_first(bots: int, seed: int) -> None:
    tournament = Tournament(names(bots), THREE_TO_FIVE, seed=seed, house_bots=("house",))
    with little_annealing():
        tournament.play(3)
    standings = swiss_order(tournament.rounds, seed=seed, house_bots=("house",))
    assert sorted(line.bot for line in standings) == sorted(tournament.bots)
    assert [line.place for line in standings] == list(range(1, bots + 1))
    assert [line.points for line in standings] == sorted((line.points for line in standings), reverse=True)
    for line in standings:
        assert line.points == tournament.entrants[line.bot].score
    shuffled = [PlayedRound(each.tables[::-1], each.byes) for each in tournament.rounds]
    assert swiss_order(shuffled, seed=seed, house_bots=("house",)) == standings


def test_T10_2_rating_rounds_never_enter_points_tie_breaks_or_the_order() -> None:
    """Whatever happens in rating rounds, the Swiss order is that of the points rounds, to the last fraction."""
    wanted = swiss_order(ROUNDS, seed=1)
    upside_down = [
        replace(played, tables=tuple(replace(table, bots=table.bots[::-1]) for table in played.tables), is_rating=True)
        for played in ROUNDS
    ]
    assert swiss_order([*ROUNDS, *upside_down, *upside_down], seed=1) == wanted
