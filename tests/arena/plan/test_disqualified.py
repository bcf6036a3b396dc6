"""T10.7: a disqualification from a Swiss tournament, by strike, void and forfeit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan.standings import swiss_order
from arena.plan.swiss import PlayedGame, PlayedRound, PlayedTable
from arena.store.database import Store, open_store
from arena.store.rows import Results
from ratings.points.points import BYE_POINTS, STRUCK, UNIT, competition_places, struck_places
from tests.arena.paper_tournament import PaperTournament, faults, game, label, paper_settings


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(tmp_path / "arena.db", create=True)
    yield found
    found.close()


def swiss(store: Store, name: str, seats: int, names: str = "abcdefgh", rounds: int = 2) -> PaperTournament:
    """A tournament played to its end; the first in the alphabet wins."""
    each = PaperTournament(store, name, paper_settings(names, "swiss", game(seats=seats), points_rounds=rounds))
    for _ in range(rounds):
        each.draw()
        each.close()
    return each


def points(each: PaperTournament) -> dict[str, int]:
    return {line.bot[0]: line.points for line in each.order}


def mates(each: PaperTournament, bot: str) -> set[str]:
    return {mate[0] for played in each.history.rounds for t in played.tables if label(bot) in t.bots for mate in t.bots}


def test_T10_7_after_a_strike_the_others_have_the_points_of_a_table_of_one_fewer(store: Store) -> None:
    each = swiss(store, "cup", 4)
    before = points(each)
    each.disqualify(label("c"), Results.STRIKE)
    wanted = dict.fromkeys(before, 0)
    for played in each.history.rounds:
        for table in played.tables:
            left = sorted(bot[0] for bot in table.bots if bot != label("c"))
            for at, bot in enumerate(left):
                wanted[bot] += UNIT * (len(left) - 1 - at) // (len(left) - 1)
    assert points(each) == wanted != before
    assert each.names_in_order[-1] == "c"
    assert each.order[-1].disqualified == "cheats"
    assert faults(store) == []


def test_T10_7_void_lifts_those_who_lost_to_the_cheat_and_strike_does_not(store: Store) -> None:
    """At tables of four, void throws away what the others did to each other."""
    struck, voided = swiss(store, "struck", 4), swiss(store, "voided", 4)
    before = points(struck)
    assert before == points(voided)
    assert mates(struck, "a") == mates(voided, "a")
    struck.disqualify(label("a"), Results.STRIKE)
    voided.disqualify(label("a"), Results.VOID)
    second = min(mates(struck, "a") - {"a"})
    last = max(mates(struck, "a"))
    # The second of a's table now leads it; voided, it is worth the same to all of them.
    assert points(struck)[second] > points(voided)[second]
    assert points(struck)[last] <= before[last] < points(voided)[last]


@pytest.mark.parametrize("results", Results)
def test_T10_7_the_cheat_has_no_points_and_is_nobodys_opponent(store: Store, results: Results) -> None:
    """Of void blocks it had half a point each: more than it had won."""
    each = swiss(store, "cup", 2)
    cheat = min(points(each).items(), key=lambda line: line[1])[0]
    each.disqualify(label(cheat), results)
    last = each.order[-1]
    assert (last.bot, last.points, last.rounds) == (label(cheat), 0, 0)
    rounds = each.history.rounds
    met: dict[str, list[str]] = {bot: [] for bot in each.settings.bots}
    for table in (table for played in rounds for table in played.tables):
        for bot in table.bots:
            met[bot] += [mate for mate in table.bots if mate not in (bot, label(cheat))]
    finals = {line.bot: Fraction(line.points, line.rounds) for line in each.order[:-1]}
    for line in each.order[:-1]:
        shares = [finals[mate] for mate in met[line.bot]]
        assert line.opponents == (sum(shares, Fraction(0)) / len(shares) if shares else 0)


def test_T10_7_a_match_of_two_is_void_and_its_block_worth_a_bye(store: Store) -> None:
    each = swiss(store, "cup", 2, rounds=1)
    (table,) = [table.bots for table in each.history.rounds[0].tables if label("a") in table.bots]
    (mate,) = set(table) - {label("a")}
    assert points(each)[mate[0]] == 0
    each.disqualify(label("a"), Results.STRIKE)
    assert points(each)[mate[0]] == BYE_POINTS
    assert {match.is_void for match in store.matches.of("cup") if label("a") in match.seating} == {True}


def test_T10_7_strike_forfeit_and_void_meet_at_one_table(store: Store) -> None:
    each = swiss(store, "cup", 4, rounds=1)
    (table,) = [table.bots for table in each.history.rounds[0].tables if label("a") in table.bots]
    first, second, third, fourth = sorted(table)
    each.disqualify(second, Results.FORFEIT)
    each.disqualify(first, Results.STRIKE)
    (played,) = [table for table in each.history.rounds[0].tables if first in table.bots]
    assert {dict(zip(played.bots, g.places, strict=True))[bot] for g in played.games for bot in (first,)} == {STRUCK}
    assert dict(zip(played.bots, played.points, strict=True)) == {first: 0, second: 0, third: UNIT, fourth: UNIT // 2}
    each.disqualify(third, Results.STRIKE)
    assert points(each)[fourth[0]] == UNIT, "two are left, and the other has forfeited"
    assert [line.bot for line in each.order[-3:]] == sorted(
        (first, second, third), key=[line.bot for line in each.order].index
    )
    assert faults(store) == []
    each.disqualify(fourth, Results.VOID)
    assert {match.is_void for match in store.matches.of("cup") if first in match.seating} == {True}
    assert faults(store) == []


def test_T11_5_the_share_of_the_raw_score_leaves_a_struck_seat_out() -> None:
    played = PlayedGame(0, (1, STRUCK, 2), (30, 60, 10))
    lines = swiss_order([PlayedRound((PlayedTable(("a", "b", "c"), (played,)),))], seed=1, disqualified=("b",))
    assert {line.bot: line.score_share for line in lines} == {"a": Fraction(3, 4), "c": Fraction(1, 4)}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.permutations(range(4)), min_size=1, max_size=5), st.integers(0, 3))
def test_T10_7_strike_keeps_the_order_of_the_others_where_all_met_at_every_table(
    keys: list[list[int]], out: int
) -> None:
    """With one table a round, the points of two bots differ as those of their own games do."""
    games = [competition_places(each) for each in keys]
    struck = [struck_places(places, {out}) for places in games]

    def ahead(rankings: list[tuple[int, ...]], one: int, other: int) -> int:
        return sum((places[one] < places[other]) - (places[one] > places[other]) for places in rankings)

    left = [seat for seat in range(4) if seat != out]
    for one in left:
        for other in left:
            assert ahead(games, one, other) == ahead(struck, one, other)
