"""T16.2 and T19.11: focus rounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import sha256
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from arena.plan.swiss import Entrant, TableSizes, draw_key, focus_order, focus_runs, is_focus_round, pair_focus
from arena.plan.swiss.focus import IsOpen
from ratings.sequential.claims import Claims
from ratings.sequential.evidence import CountedBlock
from tests.arena.swiss_playing import FOUR, names


def opened(order: Sequence[str], places: Collection[int]) -> IsOpen:
    """The neighbours after these places are open, and no others."""
    pairs = {frozenset((order[place], order[place + 1])) for place in places}
    return lambda one, other: frozenset((one, other)) in pairs


def run_key(seed: int, round_number: int, bot: str) -> bytes:
    return sha256(f"run|{seed}|{round_number}|{bot}".encode()).digest()


def runs_by_the_clause(
    order: Sequence[str], is_open: IsOpen, seats: int, seed: int, round_number: int, top: int
) -> list[tuple[str, ...]]:
    """T16.2 word for word: take the heaviest run, strike its bots, look again."""
    struck: set[str] = set()
    taken: list[tuple[str, ...]] = []
    while len(taken) < len(order) // seats:
        best: tuple[int, bytes, tuple[str, ...]] | None = None
        for first in range(len(order) - seats + 1):
            run = tuple(order[first : first + seats])
            if struck.intersection(run):
                continue
            weight = sum(
                is_open(order[place], order[place + 1]) for place in range(first, first + seats - 1) if place + 1 < top
            )
            key = (-weight, run_key(seed, round_number, run[0]), run)
            if weight and (best is None or key < best):
                best = key
        if best is None:
            break
        taken.append(best[2])
        struck.update(best[2])
    return taken


def test_T16_2_the_run_with_the_most_open_pairs_comes_first() -> None:
    order = names(16)
    runs = focus_runs(order, opened(order, {4, 5, 6, 11}), 4, seed=1, round_number=9)
    assert runs[0] == ("bot4", "bot5", "bot6", "bot7")
    assert len(runs) == 2
    assert {"bot11", "bot12"} <= set(runs[1])
    assert not {"bot4", "bot5", "bot6", "bot7"} & set(runs[1])


def test_T16_2_ties_go_to_the_smallest_key_of_the_first_bot() -> None:
    order = names(8)
    everything = opened(order, range(7))
    firsts = set()
    for round_number in range(1, 40):
        runs = focus_runs(order, everything, 4, seed=3, round_number=round_number)
        expected = min(range(5), key=lambda first: run_key(3, round_number, order[first]))
        assert runs[0] == tuple(order[expected : expected + 4])
        assert len(runs) == (2 if expected in (0, 4) else 1)
        firsts.add(expected)
    assert firsts == set(range(5))


def test_T16_2_bots_whose_neighbours_are_decided_rest() -> None:
    order = names(12)
    assert focus_runs(order, opened(order, ()), 4, seed=1, round_number=1) == []
    runs = focus_runs(order, opened(order, {0}), 4, seed=1, round_number=1)
    assert runs == [("bot0", "bot1", "bot2", "bot3")]


def test_T19_11_with_top_only_pairs_within_the_first_places_count() -> None:
    order = names(12)
    everything = opened(order, range(11))
    for top, seen in ((3, {0, 1, 2}), (2, {0, 1})):
        runs = focus_runs(order, everything, 4, seed=1, round_number=1, top=top)
        assert len(runs) == 1
        assert seen <= {order.index(bot) for bot in runs[0]}
    assert focus_runs(order, everything, 4, seed=1, round_number=1, top=1) == []
    assert focus_runs(order, everything, 4, seed=1, round_number=1, top=99) == focus_runs(
        order, everything, 4, seed=1, round_number=1
    )


@given(
    st.integers(2, 5),
    st.integers(0, 25),
    st.sets(st.integers(0, 24)),
    st.integers(0, 2**64),
    st.integers(1, 30),
)
def test_T16_2_runs_are_those_of_the_clause_word_for_word(
    seats: int, bots: int, places: set[int], seed: int, top: int
) -> None:
    order = names(bots)
    is_open = opened(order, {place for place in places if place + 1 < bots})
    found = focus_runs(order, is_open, seats, seed=seed, round_number=7, top=top)
    assert found == runs_by_the_clause(order, is_open, seats, seed, 7, top)


def test_T19_11_every_tenth_rating_round_is_ordinary() -> None:
    ordinary = [number for number in range(1, 41) if not is_focus_round(number, 16, FOUR)]
    assert ordinary == [10, 20, 30, 40]
    assert is_focus_round(1, 4, FOUR)
    assert not is_focus_round(1, 3, FOUR)
    assert is_focus_round(1, 12, TableSizes(3, 5, 4))


def test_T19_11_the_order_is_by_rating_and_then_by_the_draw_of_the_round() -> None:
    ratings = {"bot0": 10, "bot1": -5, "bot2": 10, "bot3": 10}
    order = focus_order(names(5), ratings, seed=8, round_number=2)
    tied = sorted(("bot0", "bot2", "bot3"), key=lambda bot: draw_key(8, 2, bot))
    assert order == [*tied, "bot4", "bot1"]


@given(st.permutations(names(11)))
def test_T16_2_a_focus_round_does_not_depend_on_how_the_bots_are_listed(listed: list[str]) -> None:
    ratings = {bot: 100 * number for number, bot in enumerate(names(11))}
    claims = Claims(tuple(names(11)))
    paired = [
        pair_focus(
            [Entrant(bot) for bot in bots], FOUR, seed=5, round_number=12, ratings=ratings, is_open=claims.is_open
        )
        for bots in (listed, names(11))
    ]
    assert paired[0] == paired[1]


def test_T16_2_tables_are_neighbours_seated_by_the_draw_and_the_rest_have_no_bye() -> None:
    bots = names(11)
    ratings = {bot: -1000 * number for number, bot in enumerate(bots)}
    pairing = pair_focus(
        [Entrant(bot) for bot in bots],
        FOUR,
        seed=5,
        round_number=12,
        ratings=ratings,
        is_open=Claims(tuple(bots)).is_open,
    )
    assert pairing.byes == ()
    assert [table.number for table in pairing.tables] == list(range(1, len(pairing.tables) + 1))
    assert pairing.tables
    for table in pairing.tables:
        places = sorted(bots.index(bot) for bot in table.bots)
        assert places == list(range(places[0], places[0] + 4))
        assert list(table.bots) == sorted(table.bots, key=lambda bot: draw_key(5, 12, bot))
    # Neighbours are 1000 apart: every table costs 3 x 1 + 2 x 4 + 9 million.
    assert pairing.cost == 20_000_000 * len(pairing.tables)


def test_T16_2_games_go_where_the_order_is_open_until_it_is_decided() -> None:
    """The better bot always wins: after enough rounds everybody rests."""
    bots = names(8)
    ratings = {bot: -1000 * number for number, bot in enumerate(bots)}
    claims = Claims(tuple(bots))
    played = 0
    for round_number in range(1, 100):
        pairing = pair_focus(
            [Entrant(bot) for bot in bots],
            FOUR,
            seed=1,
            round_number=round_number,
            ratings=ratings,
            is_open=claims.is_open,
        )
        if not pairing.tables:
            break
        played += len(pairing.tables)
        blocks = []
        for table in pairing.tables:
            places = tuple(1 + sorted(table.bots).index(bot) for bot in table.bots)
            blocks.append(CountedBlock(table.bots, (places,) * 4))
        claims.close(round_number, blocks)
    assert not any(claims.is_open(one, other) for one, other in pairwise(bots))
    # A pair needs 28 blocks, and the seven pairs share them.
    assert 28 * 7 / 3 <= played < 28 * 7
