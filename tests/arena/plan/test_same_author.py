"""T5.4 to T5.6: bots of one author sit apart while another draw is possible, and their number can be limited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.watching import Silent
from arena.plan.entrants import enter_bot, withdraw_bot
from arena.plan.entries import read_entries, submitted_plan
from arena.plan.rounds import read_history
from arena.plan.settings import SameAuthor, TournamentSettings
from arena.plan.swiss import Entrant, TableSizes, focus_runs, pair, quality
from arena.plan.swiss.history import PlayedRound, PlayedTable
from arena.plan.swiss.pairing import numbered_authors
from arena.plan.swiss.seats import SeatSwaps
from arena.plan.swiss.tables import AUTHOR_WEIGHT, PairingProblem, repair, separate, slice_tables
from arena.plan.tournament_file import Plan, beside, parse_plan
from arena.play.runner import Runner
from arena.reports.audit import Examiner
from arena.store.database import Store, open_store
from arena.store.local_time import local_now
from ratings.ledger.audit import Fault, audit
from ratings.ledger.chain import Kind, entries
from ratings.points.points import UNIT
from referee.order import OrderError
from tests.arena.small_tournament import small_plan
from tests.arena.swiss_playing import FOUR, THREE_TO_FIVE, TWO

NOW = "2026-01-01T00:00:00+00:00"


def same_author_pairs(tables: Sequence[Sequence[str]], authors: dict[str, str]) -> int:
    """Count the pairs of one author at a table, written independently of the product."""
    return sum(
        one in authors and authors.get(one) == authors.get(other)
        for table in tables
        for one, other in combinations(table, 2)
    )


def fewest(authors: dict[str, str], tables: int) -> int:
    """The fewest pairs of one author that any draw has: every author spread evenly over the tables."""
    found = 0
    for count in Counter(authors.values()).values():
        each, more = divmod(count, tables)
        found += (tables - more) * each * (each - 1) // 2 + more * (each + 1) * each // 2
    return found


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([2, 4, 5]),
    st.integers(3, 9),
    st.lists(st.sampled_from([*"abcdefg", None]), min_size=45, max_size=45),
    st.integers(0, 99),
)
def test_T5_4_authors_sit_apart_while_another_draw_is_possible(
    size: int, tables: int, owners: list[str | None], seed: int
) -> None:
    """Separated and repaired, no draw has fewer pairs of one author, whatever the scores and meetings."""
    random = Random(seed)
    bots = [f"bot{at}" for at in range(tables * size)]
    authors = {bot: owner for bot, owner in zip(bots, owners, strict=False) if owner is not None}
    met = [{other: random.randrange(3) for other in range(len(bots)) if other != at} for at in range(len(bots))]
    scores = sorted((random.randrange(9) * UNIT // 2 for _ in bots), reverse=True)
    problem = PairingProblem(scores, met, [0] * len(bots), 16 * UNIT**2, numbered_authors(bots, authors))
    found = slice_tables([size] * tables)
    separate(problem, found, [False] * tables)
    repair(problem, found, [False] * tables)
    assert sorted(bot for table in found for bot in table) == list(range(len(bots)))
    assert same_author_pairs([[bots[at] for at in table] for table in found], authors) == fewest(authors, tables)


@pytest.mark.parametrize(("sizes", "count"), [(FOUR, 12), (TWO, 10), (THREE_TO_FIVE, 13)])
@pytest.mark.parametrize("is_rating", [False, True])
def test_T5_4_whole_rounds_keep_authors_apart(sizes: TableSizes, count: int, is_rating: bool) -> None:
    """Annealed too, in points and in rating rounds, with odd-sized tables."""
    authors = {f"bot{at}": f"author {at // 3}" for at in range(count - 1)}
    entrants = [Entrant(f"bot{at}", at // 3 * UNIT, mates=((f"bot{at ^ 4}",),)) for at in range(count)]
    ratings = {f"bot{at}": at * 400 for at in range(count)} if is_rating else None
    found = pair(entrants, sizes, seed=count, round_number=3, authors=authors, ratings=ratings)
    assert len(found.tables) > 2
    assert same_author_pairs([table.bots for table in found.tables], authors) == 0


def test_T5_4_friends_of_equal_score_are_parted_and_free_draws_are_not() -> None:
    """Sixteen bots of four authors, each author's bots with one score: free, they meet; apart, never."""
    authors = {f"bot{at}": f"author {at // 4}" for at in range(16)}
    entrants = [Entrant(f"bot{at}", at // 4 * UNIT) for at in range(16)]
    free = pair(entrants, FOUR, seed=1, round_number=3)
    apart = pair(entrants, FOUR, seed=1, round_number=3, authors=authors)
    assert same_author_pairs([table.bots for table in free.tables], authors) > 12
    assert same_author_pairs([table.bots for table in apart.tables], authors) == 0


def test_T5_4_single_games_keep_authors_apart_where_seats_are_exchanged() -> None:
    """T6.4 exchanges bots of equal score for better seats, and never seats two of one author together for that."""
    authors = {f"bot{at}": f"author {at % 4}" for at in range(16)}
    debts = [(60, 0, 0, -60, 0) if at % 2 else (-60, 0, 0, 60, 0) for at in range(16)]
    for seed in range(6):
        entrants = [Entrant(f"bot{at}", debts=debts[at]) for at in range(16)]
        found = pair(entrants, FOUR, seed=seed, round_number=2, is_block=False, authors=authors)
        assert same_author_pairs([table.bots for table in found.tables], authors) == 0


def test_T5_4_an_exchange_for_seats_never_joins_two_of_one_author() -> None:
    """Bots 0 and 1 want one seat, 2 and 3 the other: the first exchange would seat 1 and 2 of one author together."""
    problem = PairingProblem(
        [0] * 4, [{}] * 4, [0] * 4, 16 * UNIT**2, numbered_authors([*"abcd"], dict(zip("adbc", "xxyy", strict=True)))
    )
    wishes = [[0, 60], [0, 60], [60, 0], [60, 0]]
    tables = [[0, 1], [2, 3]]
    SeatSwaps(problem, tables, [False] * 2, [2, 2], lambda table, _number: [wishes[bot] for bot in table]).run()
    assert tables == [[3, 1], [2, 0]]


def test_T5_4_large_rounds_without_annealing_keep_authors_apart() -> None:
    """With 400 bots tables are repaired only: bots far down the list are found for a swap too."""
    authors = {f"bot{at}": f"author {at % 100}" for at in range(400)}
    authors |= {f"bot{at}": "club" for at in range(100)}  # as many as there are tables
    entrants = [Entrant(f"bot{at}", (400 - at) * UNIT // 40) for at in range(400)]
    found = pair(entrants, FOUR, seed=4, round_number=5, authors=authors)
    assert same_author_pairs([table.bots for table in found.tables], authors) == 0


def test_T5_4_the_order_of_the_bots_changes_nothing() -> None:
    authors = {f"bot{at}": f"author {at % 7}" for at in range(12)}
    entrants = [Entrant(f"bot{at}", at % 5 * UNIT) for at in range(12)]
    one, other = (pair(listed, FOUR, seed=9, round_number=2, authors=authors) for listed in (entrants, entrants[::-1]))
    assert one == other


def test_T6_1_separate_takes_the_nearest_table_and_the_cheapest_swap() -> None:
    """Bot 1 leaves bot 0 for table 1, and changes places with bot 2, whose score is nearer."""
    problem = PairingProblem(
        [9, 9, 8, 5, 9, 9], [{}] * 6, [0] * 6, 16 * UNIT**2, numbered_authors([*"abcdef"], {"a": "x", "b": "x"})
    )
    tables = [[0, 1], [2, 3], [4, 5]]
    separate(problem, tables, [False] * 3)
    assert tables == [[2, 1], [0, 3], [4, 5]], "at the same distance the cheapest: 1 + 16, not 16 + 1"
    assert problem.pair_cost(0, 1) == AUTHOR_WEIGHT
    assert problem.pair_cost(0, 2) == 1


def test_T5_4_nobody_known_or_everybody_alone_costs_nothing() -> None:
    assert numbered_authors(["a", "b"], {}) == []
    assert numbered_authors(["a", "b"], {"a": "x", "b": "y"}) == []
    assert numbered_authors(["a", "b", "c"], {"a": "x", "c": "x"}) == [0, -2, 0]


def test_T5_5_focus_runs_with_two_of_one_author_come_last() -> None:
    """Six neighbours in a row, all open: the runs of a and b, of one author, wait for the others."""
    order = [*"abcdefgh"]
    runs = focus_runs(order, lambda _one, _other: True, 2, seed=1, round_number=1, authors={"a": "x", "b": "x"})
    assert ("a", "b") not in runs or runs[-1] == ("a", "b")
    for seed in range(20):
        apart = focus_runs(order, lambda _one, _other: True, 4, seed=seed, round_number=1, authors={"a": "x", "d": "x"})
        assert ("a", "b", "c", "d") not in apart[:1]


def test_T7_pairs_of_one_author_are_counted_where_one_is_known() -> None:
    rounds = [PlayedRound((PlayedTable(("a", "b", "c"), ()), PlayedTable(("d", "e", "f"), ())))]
    authors = {"a": "x", "b": "x", "c": "x", "d": "y", "e": "x"}
    found = quality(rounds, preferred=3, authors=authors)
    assert found.same_author == 3
    assert found.as_integers()["same_author"] == 3
    assert "same_author" not in quality(rounds, preferred=3).as_integers(), "as in ledgers without authors"


# In tournaments.


def cup(folder: Path, **changes: Any) -> Plan:
    plain = small_plan(folder)
    bots = [bot | {"author": "ann" if number < 3 else "bob"} for number, bot in enumerate(plain["bot"][:6])]
    return parse_plan(plain | {"bot": bots, "rounds": 2, "rating_rounds": 1} | changes, beside(folder))


def test_T5_4_a_tournament_names_authors_in_its_entry_and_old_ones_are_free(tmp_path: Path) -> None:
    entered = cup(tmp_path).settings
    assert entered.same_author is SameAuthor.APART
    assert sorted(entered.authors.values()) == ["ann"] * 3 + ["bob"] * 3
    plain = entered.to_plain()
    assert TournamentSettings.from_plain(plain) == entered
    old = {key: value for key, value in plain.items() if key not in ("authors", "same_author", "bots_per_author")}
    read = TournamentSettings.from_plain(old)
    assert (read.same_author, read.authors, read.bots_per_author) == (SameAuthor.FREE, {}, 0)


def test_T5_6_too_many_of_one_author_are_refused_with_one_line(tmp_path: Path) -> None:
    with pytest.raises(OrderError, match="bots: ann has 3 bots; expected at most 2 of one author"):
        cup(tmp_path, bots_per_author=2)
    assert cup(tmp_path, bots_per_author=3).settings.bots_per_author == 3
    with pytest.raises(OrderError, match=r"same_author: 'near' is not allowed; expected one of: apart, free"):
        cup(tmp_path, same_author="near")


def submit(store: Store, name: str, author: str) -> None:
    store.bots.add(f"{name}@{name * 4}", name, name * 4, "", {"games": [], "concurrency": 1}, NOW, author)


def test_T5_6_everybody_means_the_newest_bots_of_each_author(tmp_path: Path) -> None:
    """One author who submits many bots does not stop a tournament of everybody; a list of names is refused."""
    store = open_store(tmp_path / "arena.db", create=True)
    for name, author in (("a1", "ann"), ("b1", "bob"), ("a2", "ann"), ("a3", "ann")):
        submit(store, name, author)
    text = 'name = "cup"\ngame = "toy"\nseats = 2\nrounds = 1\nbots_per_author = 2\nbots = {}'
    everybody = submitted_plan(store, read_entries(text.format('["*"]')), lambda _label: True)
    assert [bot.manifest.name for bot in everybody.bots] == ["a2", "a3", "b1"]
    assert sorted(everybody.settings.authors.values()) == ["ann", "ann", "bob"]
    named = submitted_plan(store, read_entries(text.format('["a1", "*"]')), lambda _label: True)
    assert [bot.manifest.name for bot in named.bots] == ["a1", "a3", "b1"]
    with pytest.raises(OrderError, match="bots: ann has 3 bots; expected at most 2 of one author"):
        submitted_plan(store, read_entries(text.format('["a1", "a2", "a3"]')), lambda _label: True)
    store.close()


def test_T5_4_a_tournament_played_apart_verifies_late_entries_included(tmp_path: Path) -> None:
    """Six bots of two authors at tables of two: nobody meets a friend; late entries bring their author along."""
    database = tmp_path / "arena.db"
    store = open_store(database, create=True)
    plan = cup(tmp_path, seats=2, min_seats=2, max_seats=2, bots_per_author=3)
    runner = Runner(plan, store, Silent(), local_now)
    runner.enter()
    late = plan.bots[0].renamed("late")
    with store.write() as connection:
        connection.execute("INSERT INTO bot (name, author) VALUES ('late', 'ann')")
    with pytest.raises(OrderError, match="ann has 4 bots"):
        enter_bot(store, "cup", late, NOW)
    withdraw_bot(store, "cup", plan.bots[0].manifest.name)
    enter_bot(store, "cup", late, NOW)
    trio.run(runner.run)
    authors = read_history(store, store.tournaments.find("cup")).authors
    assert authors[late.label] == "ann"
    rounds = store.tournaments.rounds("cup")
    assert len(rounds) == 3
    for each in rounds[:2]:
        assert same_author_pairs([table.seats for table in each.tables], authors) == 0
    entry = store.evidence.settings("cup")
    assert entry is not None
    assert entry["authors"] == plan.settings.authors
    with store.reading() as connection:
        assert audit(connection, examine=Examiner(store, with_pairings=True)).findings == ()
    store.close()


def test_T5_4_the_audit_draws_by_the_authors_of_the_chain(tmp_path: Path) -> None:
    """The same entries without their authors are drawn otherwise: the audit says so."""
    store = open_store(tmp_path / "arena.db", create=True)
    runner = Runner(cup(tmp_path, seats=2, min_seats=2, max_seats=2, seed=5), store, Silent(), local_now)
    runner.enter()
    trio.run(runner.run)
    examiner = Examiner(store, with_pairings=True)
    faults = []
    with store.reading() as connection:
        for entry in entries(connection):
            if entry.kind is Kind.TOURNAMENT:
                settings = {**entry.body["settings"], "same_author": "free", "bots_per_author": 2}
                entry = replace(entry, body={**entry.body, "settings": settings})
            faults += list(examiner(entry))
    said = [fault.message for fault in faults if fault.fault is Fault.PAIRING]
    assert any("does not follow from the results before it" in message for message in said)
    assert any("ann has 3 bots; expected at most 2" in message for message in said)
    store.close()
