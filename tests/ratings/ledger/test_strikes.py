"""T13.15: a disqualified bot's seat is struck from a match, and the others rank among themselves."""

from __future__ import annotations

import sqlite3
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.ledger import chain, derived_tables, posting, queries
from ratings.ledger.audit import Fault, audit
from ratings.ledger.chain import Draft, Kind, LedgerError
from ratings.points.points import (
    MIN_SEATS,
    STRUCK,
    UNIT,
    block_points,
    check_places,
    competition_places,
    game_points,
    struck_places,
)
from tests.ratings.ledger.small_ledger import BOTS, POOL, empty_ledger, fixture, played_round, result, small_ledger
from tests.ratings.ledger.test_ledger import bank_of, derived_rows, ratings_of


def disqualified(connection: sqlite3.Connection, bot: str, results: str = "strike") -> list[bool]:
    """Disqualify a bot, and correct all its matches, as the arena does."""
    posting.disqualify(connection, "cup", bot, 4, results, "collusion", "tester")
    correct = {"strike": posting.strike_match, "forfeit": posting.forfeit_match}[results]
    played = [body["match"] for body in queries.match_bodies(connection, POOL) if bot in body["seating"]]
    return [correct(connection, match_id, bot, "disqualified: collusion", "tester") for match_id in played]


places_of_tables = st.lists(st.integers(0, 4), min_size=2, max_size=5).map(competition_places)


@given(places_of_tables, st.sets(st.integers(0, 4)))
def test_T13_15_the_others_keep_their_order_at_a_table_of_their_own(places: tuple[int, ...], seats: set[int]) -> None:
    left = [seat for seat in range(len(places)) if seat not in seats]
    found = struck_places(places, seats)
    for one, other in combinations(left, 2):
        before, after = (ranking[one] - ranking[other] for ranking in (places, found))
        assert (before > 0, before == 0) == (after > 0, after == 0)
    assert all(found[seat] == STRUCK for seat in range(len(places)) if seat not in left)
    if len(left) >= MIN_SEATS:
        check_places([found[seat] for seat in left])
        points = game_points(found)
        assert [points[seat] for seat in left] == list(game_points([found[seat] for seat in left]))
        assert sum(points) == len(left) * UNIT // 2, "a mean of half a point among those who are left"


def test_E12_a_block_of_four_after_a_strike() -> None:
    games = [(1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4), (1, 2, 4, 3)]
    assert block_points(games, 4)[:3] == (1320, 960, 480)
    struck = [struck_places(places, {3}) for places in games]
    assert struck == [(1, 2, 3, STRUCK), (2, 1, 3, STRUCK), (1, 3, 2, STRUCK), (1, 2, 3, STRUCK)]
    assert block_points(struck, 4) == (1260, 720, 180, 0)


def test_T13_15_a_strike_gives_back_the_ratings_and_the_fit_knows_a_table_of_three() -> None:
    connection = empty_ledger()
    (played,) = played_round(connection, 1, ((3, 2, 1, 4),))
    assert disqualified(connection, "bob") == [True]
    assert set(ratings_of(connection).values()) == {1_500_000}, "the running Elo ignores the match"
    assert bank_of(connection) == 0
    (counted,) = queries.results(connection, POOL)
    assert (counted.bots, counted.places) == (("ann", "cat", "dan"), (2, 1, 3))
    accounts = {account.bot: account for account in queries.standing(connection, POOL)}
    assert {bot: (a.games, a.matches, a.wins, a.points) for bot, a in accounts.items()} == {
        "ann": (1, 1, 0, 720), "bob": (1, 0, 0, 0), "cat": (1, 1, 1, 1440), "dan": (1, 1, 0, 0),
    }  # fmt: skip
    key = chain.key_of(Kind.STRIKE, match=played.fixture.match_id, bot="bob")
    entry = chain.find(connection, key)
    assert entry is not None
    assert (entry.body["places"], entry.body["reason"]) == ([2, STRUCK, 1, 3], "disqualified: collusion")
    assert not posting.strike_match(connection, played.fixture.match_id, "bob", "again", "tester")
    with pytest.raises(LedgerError, match="of eve is not in the ledger"):
        posting.strike_match(connection, played.fixture.match_id, "eve", "why", "tester")
    assert audit(connection).is_clean


def test_T13_15_where_fewer_than_two_seats_are_left_the_match_is_void() -> None:
    connection = empty_ledger()
    posting.post_matches(connection, [result(fixture(1, seats=("ann", "bob")), 1, 2)])
    posting.post_matches(connection, [result(fixture(2, seats=("ann", "bob", "cat")), 1, 2, 3)])
    for bot in ("ann", "bob"):
        disqualified(connection, bot)
    assert [entry.key for entry in chain.entries(connection, Kind.VOID)] == [
        chain.key_of(Kind.VOID, match=fixture(1, seats=("ann", "bob")).match_id),
        chain.key_of(Kind.VOID, match=fixture(2, seats=("ann", "bob", "cat")).match_id),
    ]
    assert len(list(chain.entries(connection, Kind.STRIKE))) == 1
    assert list(queries.results(connection, POOL)) == []
    assert {account.matches for account in queries.standing(connection, POOL)} == {0}
    assert bank_of(connection) == 0
    assert [finding for finding in audit(connection).findings if finding.fault is not Fault.UNRESOLVED] == []


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_T13_15_strikes_forfeits_and_voids_of_one_match_are_audited_and_rebuilt(data: st.DataObject) -> None:
    connection = small_ledger()
    for bot in data.draw(st.permutations(BOTS))[: data.draw(st.integers(1, 3))]:
        disqualified(connection, bot, data.draw(st.sampled_from(["strike", "forfeit"])))
    if data.draw(st.booleans()):
        posting.void_match(connection, fixture(2).match_id, "disk full", "operator")
    accounts = queries.standing(connection, POOL)
    assert sum(account.rating - account.start for account in accounts) + bank_of(connection) == 0
    wanted = derived_rows(connection)
    derived_tables.rebuild(connection)
    assert derived_rows(connection) == wanted
    posting.post_epoch(connection, "spring", POOL, "clean up", "operator")
    assert audit(connection).is_clean


def entered(connection: sqlite3.Connection, kind: Kind, match_id: str, bot: str, places: list[int]) -> None:
    """Enter a correction as somebody would who writes entries by hand."""
    match = chain.find(connection, chain.key_of(Kind.MATCH, match=match_id))
    assert match is not None
    names = ("match", "pool", "tournament", "round", "table", "game", "seating", "seed")
    body = {name: match.body[name] for name in names}
    chain.record(connection, Draft.of(kind, {**body, "bot": bot, "places": places, "reason": "why", "who": "me"}))


def test_T13_15_forged_strikes_are_found_out() -> None:
    def faults(results: str | None, kind: Kind, places: list[int], bot: str = "dan") -> str:
        connection = empty_ledger()
        (played,) = played_round(connection, 1, ((1, 2, 3, 4),))
        if results is not None:
            posting.disqualify(connection, "cup", bot, 2, results, "why", "me")
        entered(connection, kind, played.fixture.match_id, bot, places)
        return "\n".join(map(str, audit(connection).findings))

    assert "places are [2, 1, 3, 0], but [1, 2, 3, 0] by replay" in faults("strike", Kind.STRIKE, [2, 1, 3, 0])
    assert "has no rev:" in faults("strike", Kind.STRIKE, [1, 2, 3, 0])
    assert "dan is not disqualified from cup" in faults(None, Kind.STRIKE, [1, 2, 3, 0])
    assert "with results 'void'" in faults("void", Kind.STRIKE, [1, 2, 3, 0])
    assert "with results 'strike'" in faults("strike", Kind.FORFEIT, [1, 2, 3, 4])
    assert "counts, but dan is disqualified" in faults("strike", Kind.FORFEIT, [1, 2, 3, 4])
    assert "has no such counting match" in faults("strike", Kind.STRIKE, [1, 2, 3, 0], bot="eve")


def test_T13_15_a_match_of_two_is_never_struck_from() -> None:
    connection = empty_ledger()
    order = fixture(1, seats=("ann", "bob"))
    posting.post_matches(connection, [result(order, 1, 2)])
    posting.disqualify(connection, "cup", "bob", 2, "strike", "why", "me")
    entered(connection, Kind.STRIKE, order.match_id, "bob", [1, 0])
    assert "fewer than two seats are left" in "\n".join(map(str, audit(connection).findings))


def test_T10_7_a_match_that_was_left_out_of_a_disqualification_is_named() -> None:
    connection = empty_ledger()
    played_round(connection, 1, ((1, 2, 3, 4),))
    posting.disqualify(connection, "cup", "dan", 2, "strike", "why", "me")
    (fault,) = audit(connection).findings
    assert "counts, but dan is disqualified" in fault.message
