"""Leaderboards, bots and matches, as people read them."""

from __future__ import annotations

import csv
import importlib
import io
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from arena.fitting import fits as pool_fit
from arena.fitting.audit import kept_fault
from arena.fitting.fits import Fitter, post_fit, read_fit
from arena.reports.leaderboard import NO_OVERALL, OVERALL, OverallLine, board, newest_pools, overall
from arena.store.database import Store, open_store, open_to_read
from ratings.fit.fit import fit
from ratings.ledger import chain, derived_tables, posting, queries
from ratings.ledger.fit_record import list_digest
from ratings.points.result import Fixture, LedgerResult, Result
from referee.mistakes import UserError
from tests.arena.command_line import CommandLine, Outcome
from tests.arena.small_tournament import BOTS, QUITTER, small_database
from tests.sql import select

NOW = datetime.fromisoformat("2026-01-02T03:04:05+00:00")
POOL = "toy:1"


class Arena:
    """A database to which results are posted by hand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store: Store = open_store(path, create=True)
        self.rounds = 0

    def enter(self, *labels: str) -> None:
        for label in labels:
            name, _, version = label.partition("@")
            self.store.bots.add(label, name, version, "/bots", {}, NOW.isoformat())

    def post(self, seating: Sequence[str], places: Sequence[int], times: int = 1, pool: str = POOL) -> list[str]:
        """Post the same result some times; return the ids of the matches."""
        game, _, rules = pool.partition(":")
        posting.record_pool(self.store.connection, pool, game, int(rules))
        posted = []
        for _ in range(times):
            self.rounds += 1
            fixture = Fixture("cup", self.rounds, 1, 0, tuple(seating), self.rounds)
            hashes = tuple(label.partition("@")[2] for label in seating)
            posted.append(LedgerResult(fixture, pool, tuple(places), "engine", hashes, "digest"))
        posting.post_matches(self.store.connection, posted)
        return [each.fixture.match_id for each in posted]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(tmp_path / "arena.db")
    yield arena
    arena.store.close()


@pytest.fixture
def four(arena: Arena) -> Arena:
    """Four bots: ann before bob before cat before dan, mostly."""
    labels = ("ann@1", "bob@1", "cat@1", "dan@1")
    arena.enter(*labels)
    arena.post(labels, (1, 2, 3, 4), 12)
    arena.post(labels, (2, 1, 4, 3), 6)
    arena.post(labels, (1, 1, 3, 3), 2)
    return arena


def test_T11_bots_are_ranked_by_the_fit_with_interval_and_los_to_the_next(four: Arena) -> None:
    """Every figure is the fit's own; wins alone and shared first places are kept apart."""
    (pool,) = newest_pools(four.store)
    found = board(four.store, pool, read_fit(four.store, None, POOL), NOW)
    own = fit(list(queries.results(four.store.connection, POOL)))
    lines = own.ratings()
    assert [line.label for line in found.lines] == [line.bot for line in lines] == ["ann@1", "bob@1", "cat@1", "dan@1"]
    assert [line.rank for line in found.lines] == [1, 2, 3, 4]
    for shown, wanted in zip(found.lines, lines, strict=True):
        assert (shown.rating, shown.error) == pytest.approx((wanted.rating, wanted.error))
    for shown, following in zip(found.lines[:-1], found.lines[1:], strict=True):
        assert shown.los == pytest.approx(own.los(shown.label, following.label), abs=1e-5)
    assert found.lines[-1].los is None
    ann = found.lines[0]
    assert (ann.matches, ann.win_share, ann.mean_place) == (20, 12 / 20, (12 + 2 * 6 + 2) / 20)
    assert ann.points_share == pytest.approx((12 * 3 + 6 * 2 + 2 * 2.5) / 3 / 20)
    assert ann.elo == select(four.store, "SELECT rating FROM standing WHERE bot = 'ann@1'")[0][0] / 1000


def test_T8_a_fit_that_was_kept_says_the_same_as_the_fit(four: Arena) -> None:
    fitted = read_fit(four.store, four.path, POOL)
    kept = four.store.fits.kept(POOL)
    again = read_fit(four.store, four.path, POOL)
    assert fitted is not None
    assert kept is not None
    assert again is not None
    assert again.ratings == fitted.ratings
    assert (again.extent, again.error_source) == (fitted.extent, fitted.error_source)
    for one in range(4):
        for other in range(4):
            los = fitted.los(one, other)
            assert los is not None
            assert again.los(one, other) == pytest.approx(los, abs=1e-6)


def test_T8_5_a_kept_fit_without_its_confidence_is_shown_to_nobody(four: Arena) -> None:
    """As release 0.1.0 kept them: with other intervals and places. The audit has nothing against such a cache."""
    fitted = read_fit(four.store, four.path, POOL)
    kept = four.store.fits.kept(POOL)
    assert fitted is not None
    assert kept is not None
    summary = json.loads(kept.summary)
    assert summary.pop("confidence") == fitted.confidence == 1.96
    rows = [[bot, rating, 2 * error, *rest] for bot, rating, error, *rest in json.loads(kept.ratings)]
    four.store.fits.keep(replace(kept, summary=json.dumps(summary), ratings=json.dumps(rows)))
    assert kept_fault(four.store, POOL) is None
    again = read_fit(four.store, None, POOL)
    assert again is not None
    assert again.ratings == fitted.ratings
    four.store.fits.keep(replace(kept, ratings=json.dumps(rows)))
    assert kept_fault(four.store, POOL) is not None


def test_T8_a_fit_of_a_small_pool_follows_new_and_void_matches_at_once(four: Arena) -> None:
    first = read_fit(four.store, four.path, POOL)
    (match,) = four.post(("dan@1", "ann@1"), (1, 2))
    second = read_fit(four.store, four.path, POOL)
    posting.void_match(four.store.connection, match, "by mistake", "tester")
    third = read_fit(four.store, four.path, POOL)
    assert first is not None
    assert second is not None
    assert third is not None
    assert [each.extent.matches for each in (first, second, third)] == [20, 21, 20]
    assert second.ratings != first.ratings
    assert [line.rating for line in third.ratings] == pytest.approx([line.rating for line in first.ratings])


def test_T8_6_fits_at_every_close_read_only_what_is_new_and_are_those_of_a_fit_from_the_beginning(
    four: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FIT entry and kept fit are the same bytes; a void match, a forfeit and a new bot let it begin again."""
    connection = four.store.connection
    asked: list[int] = []
    results = queries.results

    def watched(of: sqlite3.Connection, pool: str, through: int | None = None, after: int = 0) -> Iterator[Result]:
        asked.append(after)
        return results(of, pool, through, after)

    monkeypatch.setattr(queries, "results", watched)
    fitter, reads = Fitter(four.store), []

    def close() -> None:
        asked.clear()
        assert fitter.post(POOL)
        reads.append([bool(after) for after in asked])
        entered, kept, warm = four.store.fits.last(POOL), four.store.fits.kept(POOL), fitter.fit(POOL)
        cold = Fitter(four.store).fit(POOL)
        assert entered is not None
        assert warm is not None
        assert cold is not None
        assert entered["digest"] == list_digest(warm.canonical_list()) == list_digest(cold.canonical_list())
        assert np.array_equal(warm.strengths, cold.strengths)
        assert np.array_equal(warm.pairing, cold.pairing)
        with connection:
            connection.execute("DELETE FROM fit_cache")
            connection.execute("DROP TRIGGER entry_is_never_deleted")
            connection.execute("DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)")
        derived_tables.create_tables(connection)
        assert post_fit(four.store, POOL)
        assert four.store.fits.last(POOL) == entered
        assert four.store.fits.kept(POOL) == kept
        assert not fitter.post(POOL)

    close()
    match, other, _ = four.post(("dan@1", "ann@1"), (1, 2), 3)
    close()
    four.post(("bob@1", "dan@1", "cat@1"), (2, 1, 2), 3)
    close()
    posting.void_match(connection, match, "by mistake", "tester")
    close()
    posting.forfeit_match(connection, other, "dan@1", "cheated", "tester")
    close()
    four.enter("eve@1")
    four.post(("eve@1", "ann@1"), (1, 2))
    close()
    four.post(("eve@1", "dan@1"), (1, 2))
    close()
    assert reads == [[False], [True], [True], [False], [False], [True, False], [True]]


def test_a_large_pool_is_fitted_when_asked_and_says_how_old_the_fit_is(
    four: Arena, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a fit the running Elo ranks; after --fit the kept one does, and later matches are counted as unknown."""
    importlib.import_module("arena.cli.leaderboard")  # whose help names the figure as it was
    monkeypatch.setattr(pool_fit, "FITTED_UNREQUESTED", 10)
    told = command_line("leaderboard")
    assert (
        "No ratings have been fitted over these 20 matches yet.\nBots are ordered by running Elo.\nAdd --fit"
        in told.out
    )
    data = command_line("leaderboard", "--json").data["boards"][0]
    assert data["fit"] is None
    assert [line["elo"] for line in data["lines"]] == sorted((line["elo"] for line in data["lines"]), reverse=True)
    assert [line["rank"] for line in data["lines"]] == [1, 2, 3, 4]
    assert command_line("leaderboard", "--fit", "--json").data["boards"][0]["fit"]["is_current"]
    four.enter("eve@1")
    four.post(("eve@1", "ann@1"), (1, 2), 3)
    stale = command_line("leaderboard", "--json").data["boards"][0]
    assert (stale["fit"]["is_current"], stale["fit"]["matches"], stale["matches"]) == (False, 20, 23)
    assert [(line["bot"], line["rank"]) for line in stale["lines"]][-1] == ("eve", None)
    assert "The last 3 matches are not in the fit yet.\nAdd --fit to fit them again." in command_line("leaderboard").out
    assert command_line("leaderboard", "--fit", "--json").data["boards"][0]["fit"]["is_current"]


def test_reading_a_leaderboard_leaves_the_ledger_alone(four: Arena, command_line: CommandLine) -> None:
    head = chain.head(four.store.connection)
    assert command_line("leaderboard").code == 0
    assert chain.head(four.store.connection) == head
    assert four.store.fits.kept(POOL) is None
    assert command_line("leaderboard", "--fit").code == 0
    assert chain.head(four.store.connection) == head
    assert four.store.fits.kept(POOL) is not None


def test_a_leaderboard_looks_rows_up_and_never_reads_a_table_that_grows_with_the_matches(four: Arena) -> None:
    """Every step of every query for a board is a lookup by whole key, or reads tables as long as the list of bots."""
    (pool,) = newest_pools(four.store)
    queries: list[str] = []
    four.store.connection.set_trace_callback(queries.append)
    board(four.store, pool, None, NOW)
    four.store.connection.set_trace_callback(None)
    steps = [
        detail
        for query in queries
        if query.startswith("SELECT")
        for _, _, _, detail in select(four.store, f"EXPLAIN QUERY PLAN {query}")
    ]
    assert "SEARCH c USING PRIMARY KEY (pool=? AND bot=? AND seq=?)" in steps
    growing = [
        step for step in steps if step.split()[1] in ("c", "m", "entry", "posted_match", "rating_change", "match")
    ]
    allowed = ("(pool=? AND bot=? AND seq=?)", "(id=?)", "COVERING INDEX posted_match_by_pool (pool=?)")
    head = ("SEARCH entry USING INTEGER PRIMARY KEY (rowid=?)", "SEARCH entry")  # the last entry, by its number
    # The matches forfeited or struck from since, by the beginning of their keys: as many as an organiser has decided.
    forfeits = "SEARCH entry USING INDEX sqlite_autoindex_entry_1 (key>? AND key<?)"
    # One query reads them, by one search each.
    assert sum("'forfeit:'" in query and "'strike:'" in query for query in queries) == 1
    assert growing.count(forfeits) == 2
    assert all(step.endswith(allowed) or step in (*head, forfeits) for step in growing), growing
    assert len(growing) == 7


def test_T8_parts_that_never_met_are_shown_apart(arena: Arena, command_line: CommandLine) -> None:
    """Ranks restart in each part, the larger part comes first, and nobody is compared across."""
    arena.enter("ann@1", "bob@1", "cat@1", "dan@1", "eve@1")
    arena.post(("ann@1", "bob@1"), (1, 2), 5)
    arena.post(("cat@1", "dan@1", "eve@1"), (1, 2, 3), 5)
    data = command_line("leaderboard", "--json").data["boards"][0]
    assert data["fit"]["components"] == 2
    assert [(line["bot"], line["rank"]) for line in data["lines"]] == [
        ("cat", 1), ("dan", 2), ("eve", 3), ("ann", 1), ("bob", 2),
    ]  # fmt: skip
    assert [line["los"] is None for line in data["lines"]] == [False, False, True, False, True]
    told = command_line("leaderboard").out
    assert "part 1 of 2 that have not met" in told
    assert "their ratings are not comparable" in told


def test_T9_the_newest_version_stands_for_its_bot(arena: Arena, command_line: CommandLine) -> None:
    arena.enter("ann@1", "bob@1", "ann@2")
    arena.post(("ann@1", "bob@1"), (1, 2), 4)
    arena.post(("ann@2", "bob@1"), (1, 2), 4)
    shown = [line["label"] for line in command_line("leaderboard", "--json").data["boards"][0]["lines"]]
    assert sorted(shown) == ["ann@2", "bob@1"]
    every = [
        line["label"] for line in command_line("leaderboard", "--all-versions", "--json").data["boards"][0]["lines"]
    ]
    assert sorted(every) == ["ann@1", "ann@2", "bob@1"]


def test_T3_house_bots_are_listed_and_not_ranked(arena: Arena, command_line: CommandLine) -> None:
    """An anchor stands where its rating puts it; ratings are measured from it, and the next one is the next ranked."""
    arena.enter("ann@1", "house@1", "bob@1")
    posting.record_pool(arena.store.connection, POOL, "toy", 1)
    posting.record_anchor(arena.store.connection, POOL, "house@1", 1_600_000)
    arena.post(("ann@1", "house@1", "bob@1"), (1, 2, 3), 6)
    arena.post(("ann@1", "house@1", "bob@1"), (3, 2, 1), 2)
    data = command_line("leaderboard", "--json").data["boards"][0]
    assert [(line["bot"], line["rank"], line["is_house"]) for line in data["lines"]] == [
        ("ann", 1, False), ("house", None, True), ("bob", 2, False),
    ]  # fmt: skip
    assert data["lines"][1]["rating"] == pytest.approx(1600)
    assert data["fit"]["has_anchors"]
    assert data["lines"][0]["los"] > 0.5
    assert "measured from house bots of known strength" in command_line("leaderboard").out


def over_all(arena: Arena) -> dict[str, OverallLine]:
    """The order over all games, by bot."""
    fit_of = partial(read_fit, arena.store, None)
    boards = [board(arena.store, pool, fit_of(pool.name), NOW) for pool in newest_pools(arena.store)]
    return {line.bot: line for line in overall(boards, fit_of)}


def test_T8_13_every_game_votes_on_every_two_bots_with_the_likelihood_of_its_fit(arena: Arena) -> None:
    """Ann and bob have 30 matches in both games; cat has 29 in one of them, and takes no part."""
    arena.enter("ann@1", "bob@1", "cat@1")
    for pool in ("toy:1", "chess:2"):
        arena.post(("ann@1", "bob@1"), (1, 2), 20, pool)
        arena.post(("bob@1", "ann@1"), (1, 2), 10, pool)
    arena.post(("cat@1", "bob@1"), (1, 2), 30, "toy:1")
    arena.post(("cat@1", "bob@1"), (1, 2), 29, "chess:2")
    lines = over_all(arena)
    assert list(lines) == ["ann", "bob"]
    assert lines["ann"].games == ("chess", "toy")
    fits = [fit(list(queries.results(arena.store.connection, pool))) for pool in ("toy:1", "chess:2")]
    wanted = sum(each.los("ann@1", "bob@1") or 0 for each in fits) / 2
    assert lines["ann"].votes == pytest.approx(wanted, abs=1e-5)
    assert lines["bob"].votes == pytest.approx(1 - wanted, abs=1e-5)
    assert (lines["ann"].rank, lines["ann"].ahead_of, lines["bob"].ahead_of) == (1, 1, 0)


def test_T8_13_terminal_and_json_show_the_votes_and_say_how_they_came_about(
    arena: Arena, command_line: CommandLine
) -> None:
    """No anchors are needed."""
    arena.enter("ann@1", "bob@1")
    arena.post(("ann@1", "bob@1"), (1, 2), 30, "toy:1")
    arena.post(("ann@1", "bob@1"), (1, 2), 29, "chess:2")
    assert NO_OVERALL in command_line("leaderboard").out
    assert command_line("leaderboard", "--json").data["overall"] == []
    arena.post(("ann@1", "bob@1"), (1, 2), 1, "chess:2")
    ann, bob = command_line("leaderboard", "--json").data["overall"]
    assert (ann["bot"], ann["shown_votes"], ann["games"]) == ("ann", "92 %", ["chess", "toy"])
    assert (bob["bot"], bob["shown_votes"]) == ("bob", "8 %")
    told = command_line("leaderboard").out
    assert OVERALL in told
    assert NO_OVERALL not in told


def test_T8_13_parts_that_never_met_do_not_vote_on_each_other_and_house_bots_take_no_part(arena: Arena) -> None:
    """Dan and eve are compared with each other, and with nobody else."""
    arena.enter("ann@1", "bob@1", "house@1", "dan@1", "eve@1")
    for pool, game in ((POOL, "toy"), ("chess:2", "chess")):
        posting.record_pool(arena.store.connection, pool, game, int(pool.partition(":")[2]))
        posting.record_anchor(arena.store.connection, pool, "house@1", 1_500_000)
        arena.post(("ann@1", "bob@1", "house@1"), (1, 2, 3), 30, pool)
        arena.post(("dan@1", "eve@1"), (1, 2), 30, pool)
    lines = over_all(arena)
    assert set(lines) == {"ann", "bob", "dan", "eve"}
    assert [lines[name].ahead_of for name in ("ann", "bob", "dan", "eve")] == [1, 0, 1, 0]


def test_older_rules_have_a_pool_of_their_own(arena: Arena, command_line: CommandLine) -> None:
    arena.enter("ann@1", "bob@1")
    arena.post(("ann@1", "bob@1"), (1, 2), 3, "toy:9")
    arena.post(("bob@1", "ann@1"), (1, 2), 5, "toy:10")
    assert [each["pool"] for each in command_line("leaderboard", "--json").data["boards"]] == ["toy:10"]
    assert command_line("leaderboard", "--game", "toy", "--json").data["boards"][0]["matches"] == 5
    assert command_line("leaderboard", "--game", "toy:9", "--json").data["boards"][0]["matches"] == 3


# A real tournament, in the words of the commands.


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return small_database(tmp_path)


def test_the_leaderboard_of_a_tournament_has_both_orders(cup: Path, command_line: CommandLine) -> None:
    """T11: the rating order and the Swiss order with its tie-breaks, over the same bots."""
    data = command_line("leaderboard", "--tournament", "cup", "--json").data
    ranked = [line["label"] for line in data["boards"][0]["lines"]]
    assert sorted(ranked) == sorted(line["bot"] for line in data["swiss_order"])
    assert len(ranked) == len(BOTS) + 1
    assert [line["place"] for line in data["swiss_order"]] == list(range(1, len(BOTS) + 2))
    points = [line["points"] for line in data["swiss_order"]]
    assert points == sorted(points, reverse=True)
    (quitter,) = [line for line in data["boards"][0]["lines"] if line["bot"] == QUITTER]
    assert quitter["forfeits"] == quitter["matches"] == 3
    told = command_line("leaderboard", "--tournament", "cup").out
    assert "cup, rating order: toy (rules 1)" in told
    assert "cup, Swiss order" in told


def test_csv_says_what_json_says(cup: Path, command_line: CommandLine) -> None:
    rows = list(csv.DictReader(io.StringIO(command_line("leaderboard", "--csv").out)))
    lines = command_line("leaderboard", "--json").data["boards"][0]["lines"]
    assert [row["label"] for row in rows] == [line["label"] for line in lines]
    assert {row["game"] for row in rows} == {"toy:1"}
    assert [float(row["rating"]) for row in rows] == [line["rating"] for line in lines]


def test_T9_a_bot_without_a_match_for_30_days_is_marked(cup: Path) -> None:
    store = open_to_read(cup)
    (pool,) = newest_pools(store)
    (stored_at,) = select(store, "SELECT max(stored_at) FROM match")[0]
    last = datetime.fromisoformat(stored_at)
    assert not any(line.is_inactive for line in board(store, pool, None, last + timedelta(days=29)).lines)
    assert all(line.is_inactive for line in board(store, pool, None, last + timedelta(days=31)).lines)
    store.close()


def test_bots_are_listed_with_elo_and_matches(cup: Path, command_line: CommandLine) -> None:
    listed = {bot["name"]: bot for bot in command_line("bots", "list", "--json").data}
    assert list(listed) == [*BOTS, QUITTER]
    assert listed[QUITTER]["matches"] == 3
    assert listed["ann"]["versions"] == 1
    assert listed["ann"]["games"].keys() == {"toy:1"}
    assert QUITTER in command_line("bots", "list").out


def test_a_bot_is_shown_with_history_opponents_and_matches(cup: Path, command_line: CommandLine) -> None:
    """What one takes from another the other gives: head to head adds up over both."""
    shown = {name: command_line("bots", "show", name, "--last", "100", "--json").data for name in (*BOTS, QUITTER)}
    for name, data in shown.items():
        rating = data["ratings"][0]
        assert len(rating["history"]) == len(data["recent"]) == rating["matches"]
        assert rating["history"][-1]["after"] == rating["elo"]
        for duel in data["duels"]:
            opponent = duel["opponent"].partition("@")[0]
            (back,) = [each for each in shown[opponent]["duels"] if each["opponent"].partition("@")[0] == name]
            assert back["matches"] == duel["matches"] == duel["points"] + back["points"]
    assert all(duel["points"] == 0 for duel in shown[QUITTER]["duels"])
    assert len(command_line("bots", "show", "ann", "--last", "2", "--json").data["recent"]) == 2


def test_a_version_can_be_shown_by_its_label(cup: Path, command_line: CommandLine) -> None:
    label = command_line("bots", "show", "ann", "--json").data["versions"][0]["label"]
    assert command_line("bots", "show", label, "--json").data["versions"][0]["label"] == label


def test_T13_a_void_match_is_left_out_of_head_to_head(cup: Path, command_line: CommandLine) -> None:
    before = command_line("bots", "show", QUITTER, "--json").data["duels"]
    store = open_store(cup)
    (match,) = select(store, "SELECT match FROM seat WHERE bot LIKE ? LIMIT 1", f"{QUITTER}@%")[0]
    posting.void_match(store.connection, match, "by mistake", "tester")
    store.close()
    after = command_line("bots", "show", QUITTER, "--json").data["duels"]
    assert sum(duel["matches"] for duel in after) == sum(duel["matches"] for duel in before) - 2
    assert "void: by mistake" in command_line("match", "show", match).out


def test_forfeits_come_with_their_reason_and_the_output_of_the_bot(cup: Path, command_line: CommandLine) -> None:
    """A bot's output cannot steer the terminal of its reader."""
    data = command_line("bots", "show", QUITTER, "--json").data
    assert data["forfeit_count"] == 3
    assert {each["line"]["ending"] for each in data["forfeits"]} == {"forfeit_crash"}
    assert all("I cannot bear it \x1b[31many longer" in each["output"] for each in data["forfeits"])
    told = command_line("bots", "show", QUITTER).out
    assert "| I cannot bear it �[31many longer" in told
    assert "\x1b" not in told


def forfeited(cup: Path) -> tuple[str, int]:
    """A match that was forfeited, and the seat that did."""
    store = open_to_read(cup)
    match, seat = select(store, "SELECT match, seat FROM seat WHERE ending = 'forfeit_crash' ORDER BY match LIMIT 1")[0]
    store.close()
    return match, seat


def test_a_match_is_shown_with_seats_times_and_ratings(cup: Path, command_line: CommandLine) -> None:
    match, seat = forfeited(cup)
    data = command_line("match", "show", match[:16], "--json").data
    assert (data["match"]["id"], data["tournament"], data["record_fault"]) == (match, "cup", None)
    store = open_to_read(cup)
    assert [(data["sandbox"], data["stored_at"])] == select(
        store, "SELECT sandbox, stored_at FROM match WHERE id = ?", match
    )
    store.close()
    assert data["ledger"].startswith("rated, entry ")
    assert sum(sum(each["decisions"].values()) for each in data["seats"]) == data["decisions"]
    asked = sum(
        count
        for each in data["seats"]
        for how, count in each["decisions"].items()
        if how in ("answered", "late", "refused")
    )
    assert asked <= data["asked"]
    lost = data["seats"][seat]
    assert (lost["ending"], lost["place"], lost["own_ms"]) == ("forfeit_crash", 3, 0)
    assert lost["forfeited_at"] is not None
    assert lost["elo_change"] < 0
    others = [each for each in data["seats"] if each["seat"] != seat]
    assert all(each["longest_ms"] <= each["own_ms"] for each in others)
    told = command_line("match", "show", match[:16]).out
    assert f"forfeit_crash at step {lost['forfeited_at']}" in told


def test_logs_tell_every_prompt_of_a_seat_with_its_times(cup: Path, command_line: CommandLine) -> None:
    """The record's own choices, in order; what the seat saw only when asked for."""
    match, seat = forfeited(cup)
    other = (seat + 1) % 3
    store = open_to_read(cup)
    lines = [json.loads(line) for line in store.matches.record(match).splitlines()[1:-1]]
    store.close()
    recorded = [
        (line["step"], choice["action"], choice["how"], times)
        for line in lines
        for choice, times in zip(line["choices"], line["times_us"], strict=True)
        if choice["seat"] == other
    ]
    data = command_line("match", "logs", match, "--seat", str(other), "--json").data
    told = [
        (each["step"], each["action"], each["how"], [each["own_us"], each["stall_us"], each["transport_us"]])
        for each in data["choices"]
    ]
    assert told == recorded
    prompts = [each["prompt"] for each in data["choices"] if each["prompt"] is not None]
    assert prompts == list(range(1, len(prompts) + 1))
    assert all(each["options"] >= 1 and each["clause"].startswith("T") for each in data["choices"])
    assert "view" not in data["choices"][0]
    seen = command_line("match", "logs", match, "--seat", str(other), "--views", "--json").data["choices"]
    for each in seen:
        if each["kind"] == "BID":
            assert each["action"]["bid"]["card"] in each["view"]["hand"]


def test_logs_of_a_crashed_seat_end_with_its_last_words(cup: Path, command_line: CommandLine) -> None:
    match, seat = forfeited(cup)
    told = command_line("match", "logs", match, "--seat", str(seat)).out
    assert "I cannot bear it" in told
    assert "house" in told
    assert "answered" not in told


def test_replay_takes_the_beginning_of_a_match_id(cup: Path, command_line: CommandLine) -> None:
    match, _ = forfeited(cup)
    assert command_line("replay", "verify", match[:12]).out.startswith(f"verified {match[:12]}")
    assert f"match {match}" in command_line("replay", "show", match[:12]).out
    assert command_line("replay", "export", match[:12]).code == 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("leaderboard --db none.db", "--db: none.db does not exist; run a tournament first or name another file"),
        ("leaderboard --db text.db", "--db: text.db cannot be used: file is not a database"),
        ("leaderboard --game chess", "--game: 'chess' has no matches here; expected one of: toy"),
        (
            "leaderboard --tournament cap",
            "--tournament: 'cap' is not in this database; expected one of: cup (did you mean 'cup'?)",
        ),
        ("leaderboard --json --csv", "--csv: expected one of --json and --csv"),
        ("bots list --db none.db", "--db: none.db does not exist; run a tournament first or name another file"),
        (
            "bots show zoe",
            f"bot: 'zoe' is not in this database; expected one of: {', '.join((*BOTS, QUITTER))}",
        ),
        ("match show zz", "match: 'zz' is not in this database"),
        ("match logs zz", "match: 'zz' is not in this database"),
        ("replay show ffffffffffffffff", "match: 'ffffffffffffffff' is not in this database"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(cup: Path, command_line: CommandLine, words: str, line: str) -> None:
    (cup.parent / "text.db").write_text("no database\n" * 100)
    assert command_line(*words.split()) == Outcome(2, "", f"arena: {line}\n")


def test_a_seat_that_is_not_there_is_refused(cup: Path, command_line: CommandLine) -> None:
    match, _ = forfeited(cup)
    assert command_line("match", "logs", match, "--seat", "5") == Outcome(
        2, "", "arena: --seat: 5 is not allowed; expected 0 to 2\n"
    )


def test_an_empty_database_says_so(arena: Arena, command_line: CommandLine) -> None:
    assert command_line("leaderboard").out == "There are no rated matches yet.\n"
    with pytest.raises(UserError, match="expected one of: none yet"):
        newest_pools(arena.store, ["toy"])
