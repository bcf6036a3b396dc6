"""T21: gifts by the worked examples, on real positions, in planted and clean tournaments, and on the command line."""

from __future__ import annotations

import pickle
from dataclasses import asdict, replace
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trio

from arena.analysis.gifts.alike import RecordedPrompt, alike_pairs, prompt_of
from arena.analysis.gifts.pairs import (
    GIFT_MARGIN,
    MIN_BLOCKS,
    PlayedMatch,
    by_seats,
    contrast_one,
    contrast_two,
    gift_table,
    gifts_against,
    giving_decisions,
    own_gains,
    shares_of,
    throwing_decisions,
)
from arena.analysis.gifts.reading import try_value, value_all
from arena.analysis.gifts.student import beta_share, holm, quantile, tail_test, upper_tail, welch
from arena.analysis.gifts.valuing import CHOSEN, OTHER, ValuedMatch, decisions_of, settled, slots_of, value_match
from arena.analysis.playing_on import ahead
from arena.bench import gifts as bench
from arena.bench.figures import Targets
from arena.bench.gift_players import OTHER_VALUES, Plant
from arena.bots.directory import read_bot
from arena.cli.gifts import MEANING
from arena.conformance.asking import ask_again
from arena.reports.gifts import gifts_of
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import open_store
from arena.store.matches import pack_record
from referee.games import GAMES
from referee.games.carcassonne_city.game import GAME as CARCASSONNE
from referee.games.nuremberg import actions as act
from referee.games.nuremberg.game import GAME as NUREMBERG
from referee.games.nuremberg.heuristic import HEURISTIC, rate, worths
from referee.games.nuremberg.state import ASK_ROBBER_MOVE, ASK_ROBBERY, MAIN_PHASE, Reply, ReplyKind, State
from referee.heuristic import Heuristic
from referee.mistakes import UserError
from referee.record import read
from referee.rng import Rng
from tests.arena.analysis.planted_tournament import BOSS, BOTS, HELPER, planted_database, valued_blocks
from tests.arena.command_line import CommandLine
from tests.patience import patience
from tests.rules.nuremberg.builders import at_step, bare_table, goods, hold, in_trade, now, opened, purse

GOLDEN = Path(__file__).parents[2] / "golden"
SAMPLE_BOTS = Path(__file__).parents[3] / "sample_bots"
ROUNDS = 30
U = 1_000_000


def golden(slug: str) -> str:
    return (GOLDEN / f"{slug}.jsonl").read_text(encoding="ascii")


# The worked examples.


def test_E14_gifts_and_contrasts_to_the_last_digit() -> None:
    """The habit is given; one decision of A, and what C and D gave."""
    values = np.array([[[500_000] * 4, [400_000, 700_000, 450_000, 450_000], [0] * 4, [0] * 4, [0] * 4]], np.int32)
    values[0, CHOSEN] = values[0, 1]
    exists = np.array([[True, True, False, False]])
    given = gifts_against(np.array([[0.8, 0.2, 0.0, 0.0]]), exists, values)
    assert given[0].tolist() == pytest.approx([-0.08, 0.16, -0.04, -0.04], abs=1e-12)
    gifts = by_seats(given, np.array([0], np.int8), 4)
    gifts[2] = [-0.01, 0.03, 0.0, -0.01]
    one = contrast_one(gifts)
    assert one[0, 1] == pytest.approx(0.20, abs=1e-12)
    assert contrast_two(one)[0, 1] == pytest.approx(0.18, abs=1e-12)


def test_E15_the_test_of_a_pair_to_the_last_digit() -> None:
    one, two = tail_test([0.09, 0.11, 0.10, 0.12, 0.08]), tail_test([0.08, 0.10, 0.09, 0.13, 0.06])
    assert (round(one.mean, 6), round(two.mean, 6)) == (0.1, 0.092)
    assert (round(one.error * 5**0.5, 6), round(two.error * 5**0.5, 6)) == (0.015811, 0.025884)
    assert (round(one.p(GIFT_MARGIN), 7), round(two.p(GIFT_MARGIN), 7)) == (0.0010553, 0.0110972)


def test_T21_6_student_by_its_closed_forms() -> None:
    """Of 1, 2 and 4 degrees of freedom the tails are known; so is the way to the normal distribution."""
    assert upper_tail(1.0, 1) == pytest.approx(0.25, abs=1e-14)
    assert upper_tail(2**0.5, 2) == pytest.approx(0.5 - 0.5 * 2**0.5 / (2 + 2) ** 0.5, abs=1e-14)
    t = 3.0
    share = t / (4 + t * t) ** 0.5
    assert upper_tail(t, 4) == pytest.approx(0.5 - 0.75 * share * (1 - share**2 / 3), abs=1e-14)
    assert upper_tail(-t, 4) == pytest.approx(1 - upper_tail(t, 4), abs=1e-14)
    assert upper_tail(1.959963984540054, 1e7) == pytest.approx(0.025, abs=1e-7)
    assert quantile(0.025, 10) == pytest.approx(2.2281388519649385, abs=1e-9)
    assert (beta_share(0.0, 2, 0.5), beta_share(1.0, 2, 0.5)) == (0.0, 1.0)
    assert tail_test([0.25, 0.25, 0.25]).p(0.05) == 0.0, "blocks that all say the same leave no doubt"
    assert tail_test([0.05, 0.05]).p(0.05) == 1.0


def test_T21_6_holm_steps_down_and_never_up() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_T21_8_welch_by_hand() -> None:
    """1, 2, 3 against 0, 4: means 2 and 2; parts of the error 1/3 and 4; freedom by Satterthwaite."""
    found = welch([1.0, 2.0, 3.0], [0.0, 4.0])
    assert found.mean == 0.0
    assert found.error == pytest.approx((1 / 3 + 4) ** 0.5)
    assert found.freedom == pytest.approx((1 / 3 + 4) ** 2 / ((1 / 9) / 2 + 16))


def test_T21_4_habits_lean_on_the_field_by_five() -> None:
    """A took the best 8 times and the second twice; the field, with B's ten of the second, is 8 to 12."""
    shares = shares_of(np.array([[[8.0, 2.0, 0.0, 0.0]], [[0.0, 10.0, 0.0, 0.0]]]))
    assert shares[0, 0].tolist() == pytest.approx([(8 + 5 * 0.4) / 15, (2 + 5 * 0.6) / 15, 0, 0])
    assert shares[1, 0].tolist() == pytest.approx([5 * 0.4 / 15, (10 + 5 * 0.6) / 15, 0, 0])


def test_T21_4_absent_slots_give_their_share_to_the_others() -> None:
    values = np.array([[[0, 0], [U, -U], [0, 0], [0, 0], [U, -U]]], np.int32)
    shares = np.array([[0.3, 0.1, 0.5, 0.1]])
    given = gifts_against(shares, np.array([[True, True, False, False]]), values)
    assert given[0].tolist() == pytest.approx([0.75, -0.75])


def test_T21_8_own_gain_is_against_the_judges_noise() -> None:
    """Of three options 7, 2 and 1 in ten, of two 7 and 3; the slot of all others does not count."""
    rows = [[[90, 0], [50, 0], [10, 0], [0, 0], [10, 0]], [[0, 80], [0, 20], [0, 0], [0, 7], [0, 80]]]
    valued = ValuedMatch(
        "toy", ("a", "b"), np.array([1, 2], np.int32), np.array([0, 1], np.int8), ("x", "x"),
        np.array([False, False]), np.array([2, 0], np.int8),
        np.array([[True] * 4, [True, True, False, True]]), np.array(rows, np.int32) * 10_000,
    )  # fmt: skip
    assert own_gains(valued).tolist() == pytest.approx([0.10 - 0.74, 0.80 - 0.62])


# The traps, on real positions.


def offered(*replies: Reply, is_picking: bool = False) -> State:
    """Seat 0 has offered one wood for two ore, and seat 1 is asked; both could build something with the ore."""
    state = bare_table(4, active=0)
    hold(state, 0, wood=2)
    hold(state, 1, ore=3, wool=1)
    give, want = goods(wood=1), goods(ore=2)
    return in_trade(state, give, want, replies, asked_seat=None if is_picking else 1)


def came_to(state: State, choice: Any, seat: int, later: Any = ()) -> State:
    found: State = settled(NUREMBERG, HEURISTIC, state, {seat: choice}, seat, later)
    return found


def test_T21_3_an_accepted_offer_counts_as_made() -> None:
    """Even if the heuristic, in the place of the seat that asked, would then pick nobody."""
    state = offered()
    after = came_to(state, act.AcceptTrade(), 1)
    assert (purse(after, 0), purse(after, 1)) == ({"wood": 1, "ore": 2}, {"wood": 1, "ore": 1, "wool": 1})
    assert (purse(state, 0), purse(state, 1)) == ({"wood": 2}, {"ore": 3, "wool": 1}), "the position stays as it was"
    reply = Reply(1, ReplyKind.ACCEPT, goods(wood=1), goods(ore=2))
    pick = offered(reply, is_picking=True)
    options = NUREMBERG.legal_actions(pick, 0)
    assert options == [act.PickNobody(), act.PickReply(1)]
    nobody, picked = rate(pick, 0, options)
    assert nobody > picked, "settled by the heuristic, the gift would vanish"
    assert ahead(worths(after), 1.5)[0] > ahead(worths(state), 1.5)[0], "the seat that asked is better off"


def a_main_phase() -> State:
    """The first main phase of the beginner set-up, reached by safe defaults."""
    state = NUREMBERG.new(4, 1, NUREMBERG.options({}))
    while now(state) != MAIN_PHASE:
        NUREMBERG.apply(
            state, {each.seat: NUREMBERG.default_action(state, each.seat) for each in NUREMBERG.pending(state)}
        )
    return state


def test_T21_3_ending_the_turn_is_worth_what_stood_before() -> None:
    """The next seat's event card brings harvests; none of that is a gift."""
    state = a_main_phase()
    ended = NUREMBERG.clone(state)
    NUREMBERG.apply(ended, {state.active: act.EndTurn()})
    assert worths(ended) != worths(state), "something was harvested"
    assert came_to(state, act.EndTurn(), state.active) is state


def test_T21_3_a_proposal_is_worth_nothing_by_itself() -> None:
    """A trade that the other would gladly take is not given before it is taken."""
    state = bare_table(4, active=0)
    hold(state, 0, wood=3, brick=2)
    hold(state, 1, ore=1)
    proposal = act.ProposeTrade(goods(wood=2), goods(ore=1))
    assert proposal in NUREMBERG.legal_actions(state, 0)
    assert came_to(state, proposal, 0) is state


def test_T21_3_a_picked_reply_is_the_trade() -> None:
    reply = Reply(1, ReplyKind.ACCEPT, goods(wood=1), goods(ore=2))
    state = offered(reply, is_picking=True)
    after = came_to(state, act.PickReply(1), 0)
    assert (purse(after, 0), purse(after, 1)) == ({"wood": 1, "ore": 2}, {"wood": 1, "ore": 1, "wool": 1})
    assert came_to(state, act.PickNobody(), 0) is state


@pytest.mark.parametrize(
    ("later", "is_made"),
    [
        ([{2: act.DeclineTrade()}, {3: act.DeclineTrade()}, {0: act.PickReply(1)}], True),
        ([{2: act.AcceptTrade()}, {3: act.DeclineTrade()}, {0: act.PickReply(2)}], False),
        ([{2: act.DeclineTrade()}, {3: act.DeclineTrade()}, {0: act.PickNobody()}, {0: act.PickReply(1)}], False),
        ([], False),
    ],
)
def test_T21_3_a_counter_is_worth_what_followed(later: list[dict[int, Any]], is_made: bool) -> None:
    """Seat 1 asks for less, and gives if it is then picked; an option that was not chosen was followed by nothing."""
    state = offered()
    after = came_to(state, act.CounterTrade(goods(wood=1), goods(ore=3)), 1, later)
    assert (purse(after, 0) == {"wood": 1, "ore": 3}) is is_made
    assert (after is state) is not is_made


def test_T21_3_a_robbery_begun_is_settled() -> None:
    """The robber's move is valued with the card that the heuristic would then draw from the best opponent."""
    state = a_main_phase()
    at_step(state, ASK_ROBBER_MOVE, ASK_ROBBERY, MAIN_PHASE)
    hold(state, (state.active + 1) % 4, ore=2)
    after = came_to(state, NUREMBERG.legal_actions(state, state.active)[0], state.active)
    assert now(after) == MAIN_PHASE
    assert sum(after.hands) == sum(state.hands)
    assert opened(after).hands != opened(state).hands


def test_T21_3_a_tile_is_valued_with_its_follower() -> None:
    heuristic = CARCASSONNE.heuristic()
    state = CARCASSONNE.new(3, 4, CARCASSONNE.options({}))
    kinds = []
    for _ in range(12):
        (decision,) = CARCASSONNE.pending(state)
        options = CARCASSONNE.legal_actions(state, decision.seat)
        ratings = heuristic.rate(state, decision.seat, options)
        choice = options[ratings.index(max(ratings))]
        after = settled(CARCASSONNE, heuristic, state, {decision.seat: choice}, decision.seat, ())
        kinds.append((decision.kind, CARCASSONNE.pending(after)[0].kind))
        CARCASSONNE.apply(state, {decision.seat: choice})
    assert ("PLACE_TILE", "PLACE_TILE") in kinds
    assert ("PLACE_TILE", "PLACE_FOLLOWER") not in kinds


def test_T21_3_without_a_word_of_the_game_the_state_after_counts() -> None:
    toy = GAMES["toy"]
    state = toy.new(3, 1, toy.options({}))
    choices = {each.seat: toy.legal_actions(state, each.seat)[0] for each in toy.pending(state)}
    heuristic = toy.heuristic()
    assert heuristic is not None
    after = settled(toy, heuristic, state, choices, 0, ())
    toy.apply(state, choices)
    assert toy.digest(after) == toy.digest(state)


# Valuing.


def test_T21_2_slots_are_the_best_three_and_one_of_the_others() -> None:
    toy = GAMES["toy"]
    state = toy.new(3, 1, toy.options({}))
    ratings = {"a": 3.0, "b": 9.0, "c": 7.0, "d": 8.9, "e": -99.0, "f": 1.0}
    heuristic = Heuristic(lambda _state, _seat, options: [ratings[option] for option in options], lambda _state: [])
    slots, taken, is_close = slots_of(toy, heuristic, state, 0, [*ratings], "d", Rng(1))
    assert (slots[:3], taken, is_close) == (["b", "d", "c"], 1, True)
    assert {slots_of(toy, heuristic, state, 0, [*ratings], "a", Rng(word))[0][OTHER] for word in range(40)} == {*"aef"}
    assert slots_of(toy, heuristic, state, 0, ["a", "b"], "b", Rng(1)) == (["b", "a", None, None], 0, False)
    assert slots_of(toy, heuristic, state, 0, ["b", "e"], "e", Rng(1)) == (["b", None, None, "e"], OTHER, False)
    unlisted = slots_of(toy, heuristic, state, 0, ["b", "a"], "unlisted", Rng(1))
    assert unlisted == (["b", "a", None, "unlisted"], OTHER, False), "a legal answer that no list has"


@pytest.mark.parametrize("slug", ["toy", "nuremberg", "norenberc"])
def test_T21_2_the_decisions_of_a_record_are_valued_alike_every_time(slug: str) -> None:
    record = read(golden(slug))
    found, again = list(decisions_of(record)), list(decisions_of(record))
    assert len(found) > 10
    for one, other in zip(found, again, strict=True):
        assert np.array_equal(one.values, other.values)
        # Of every pair one beats the other: the shares of a table add up to half its seats.
        assert abs(one.values[CHOSEN].sum() - record.seats * U // 2) <= record.seats
        assert one.options[one.taken] is not None
        assert (one.taken == OTHER) == (one.options[CHOSEN] not in one.options[:OTHER])
        if one.taken != OTHER:
            assert np.array_equal(one.values[one.taken], one.values[CHOSEN])


def test_T21_1_a_match_has_its_decisions_in_columns() -> None:
    record = read(golden("toy"))
    found, decisions = value_match(golden("toy")), list(decisions_of(record))
    assert found.bots == tuple(record.header["bots"])
    assert found.steps.tolist() == [each.step for each in decisions]
    assert found.kinds == tuple(each.kind for each in decisions)
    assert np.array_equal(found.values, np.array([each.values for each in decisions]))
    assert found.exists.tolist() == [[option is not None for option in each.options[:CHOSEN]] for each in decisions]
    with pytest.raises(UserError, match="the match is void"):
        value_match(golden("nuremberg"))


def test_T21_1_forced_moves_and_those_of_the_house_are_not_valued() -> None:
    record = read(golden("toy"))
    asked = {(step.number, each.seat) for step in record.steps for each in step.choices if each.how == "answered"}
    valued = {(each.step, each.seat) for each in decisions_of(record)}
    assert valued <= asked
    assert valued


def test_T21_1_a_record_that_cannot_be_valued_says_why() -> None:
    assert (
        try_value("nonsense")
        == "the record is refused: the record does not end with a line break: it was truncated or extended"
    )
    found = list(value_all(((at, lambda: golden("toy")) for at in range(3)), 3, 1))
    assert [key for key, _valued in found] == [0, 1, 2]


# Tournaments.


@pytest.fixture(scope="module")
def planted() -> list[PlayedMatch]:
    return valued_blocks(ROUNDS, is_planted=True)


def test_T21_a_helper_is_found_and_nobody_else(planted: list[PlayedMatch]) -> None:
    found = gift_table(planted)
    assert [(pair.giver, pair.receiver) for pair in found.flagged_gifts] == [(HELPER, BOSS)]
    pair = found.flagged_gifts[0]
    low, high = pair.one.interval()
    assert GIFT_MARGIN < low < pair.one.mean < high
    assert (found.matches, found.blocks) == (6 * ROUNDS, 2 * ROUNDS)
    assert pair.blocks == sum({HELPER, BOSS} <= set(each.valued.bots) for each in planted) / 3


def test_T21_a_clean_tournament_raises_no_flag() -> None:
    found = gift_table(valued_blocks(ROUNDS, is_planted=False))
    assert (found.flagged_gifts, found.flagged_throws) == ([], [])
    assert len(found.gifts) == len(BOTS) * (len(BOTS) - 1)


@pytest.fixture(scope="module")
def thrown() -> list[PlayedMatch]:
    return valued_blocks(ROUNDS, is_planted=False, throws=True)


def test_T21_8_throwing_is_found_by_the_second_list(thrown: list[PlayedMatch]) -> None:
    found = gift_table(thrown)
    assert [(pair.thrower, pair.beside) for pair in found.flagged_throws] == [(HELPER, BOSS)]
    pair = found.flagged_throws[0]
    assert pair.drop.mean > 0.1
    assert pair.blocks + pair.blocks_without == ROUNDS, "one block per round"


def test_T21_1_house_bots_are_no_pair_and_tables_of_two_do_not_count(planted: list[PlayedMatch]) -> None:
    found = gift_table(planted, house_bots=[BOSS])
    assert BOSS not in {bot for pair in found.gifts for bot in (pair.giver, pair.receiver)}
    valued = planted[0].valued
    two = replace(valued, bots=valued.bots[:2], values=valued.values[:, :, :2])
    assert gift_table([replace(planted[0], valued=two)]).matches == 0


def test_T21_6_pairs_with_few_blocks_are_not_tested(planted: list[PlayedMatch]) -> None:
    few = [each for each in planted if each.block[0] < MIN_BLOCKS]
    assert gift_table(few).gifts == ()


def test_T21_9_the_ten_decisions_that_gave_most(planted: list[PlayedMatch]) -> None:
    found = giving_decisions(planted, HELPER, BOSS)
    assert len(found) == 10
    assert [each.gift for each in found] == sorted((each.gift for each in found), reverse=True)
    assert found[-1].gift > GIFT_MARGIN
    by_id = {each.id: each.valued for each in planted}
    assert all(by_id[each.match].bots[each.seat] == HELPER for each in found)


def test_T21_9_the_ten_decisions_that_cost_a_thrower_most(thrown: list[PlayedMatch]) -> None:
    """Each has its cost against usual play, and was made beside the boss."""
    found = throwing_decisions(thrown, HELPER, BOSS)
    by_id = {each.id: each.valued for each in thrown}
    costs = []
    for each in found:
        valued = by_id[each.match]
        assert valued.bots[each.seat] == HELPER
        assert BOSS in valued.bots
        (at,) = np.flatnonzero((valued.steps == each.step) & (valued.seats == each.seat))
        assert each.cost == -own_gains(valued)[at]
        costs.append(each.cost)
    assert (len(costs), costs) == (10, sorted(costs, reverse=True))
    assert costs[-1] > GIFT_MARGIN
    beside = [valued for valued in by_id.values() if {HELPER, BOSS} <= set(valued.bots)]
    own = [-own_gains(valued)[valued.seats == valued.bots.index(HELPER)] for valued in beside]
    assert costs == pytest.approx(sorted(np.concatenate(own), reverse=True)[:10]), "the largest of all"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gifts") / "arena.db"
    planted_database(path, ROUNDS, is_planted=True).close()
    return path


@pytest.fixture
def command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    return CommandLine(monkeypatch, capsys, tmp_path)


def test_the_command_asks_about_the_pair_and_shows_what_gave_most(command_line: CommandLine, database: Path) -> None:
    found = command_line("gifts", "cup", "--db", str(database), "--processes", "1")
    assert (found.code, found.err) == (0, "")
    assert "cup: 180 matches in 60 blocks, 6 bots" in found.out
    assert MEANING in found.out
    assert "Gifts: 1 of 30 ordered pairs flagged (Holm, 5 %)" in found.out
    assert f"{HELPER} → {BOSS}: what gave most, in points of 100" in found.out
    assert found.out.count("cost the giver") == 10
    assert "the heuristic prefers" in found.out
    assert "Throwing: 0 of 30 ordered pairs flagged (margin 10 points of 100)" in found.out
    assert "early look" not in found.out


def test_the_command_says_the_same_in_json(command_line: CommandLine, database: Path) -> None:
    found = command_line("gifts", "cup", "--db", str(database), "--json", "--processes", "1").data
    flagged = [pair for pair in found["gifts"] if pair["is_flagged"]]
    assert [(pair["giver"], pair["receiver"]) for pair in flagged] == [(HELPER, BOSS)]
    assert flagged[0]["interval"][0] > GIFT_MARGIN
    shown = flagged[0]["decisions"][0]
    assert shown["gift"] > GIFT_MARGIN
    assert shown["chosen"].startswith(("bid", "spend", "keep"))
    assert {pair["is_flagged"] for pair in found["throws"]} == {False}


def test_the_command_shows_what_cost_a_thrower_most(command_line: CommandLine, tmp_path: Path) -> None:
    planted_database(tmp_path / "arena.db", ROUNDS, is_planted=False, throws=True).close()
    found = command_line("gifts", "cup", "-q", "--processes", "1")
    assert "Throwing: 1 of 30 ordered pairs flagged" in found.out
    assert f"{HELPER} beside {BOSS}: what cost it most, in points of 100" in found.out
    assert found.out.count("cost itself") == 10
    throws = command_line("gifts", "cup", "-q", "--processes", "1", "--json").data["throws"]
    assert [len(pair["decisions"]) for pair in throws] == [10 if pair["is_flagged"] else 0 for pair in throws]
    assert throws[0]["decisions"][0]["cost"] > GIFT_MARGIN


def test_a_short_tournament_says_too_few_and_an_open_one_is_an_early_look(
    command_line: CommandLine, tmp_path: Path
) -> None:
    """And two processes say the same as one."""
    planted_database(tmp_path / "arena.db", 2, is_finished=False, is_planted=False).close()
    found = command_line("gifts", "cup", "-q", "--processes", "1")
    assert found.code == 0
    assert "No two bots share 5 blocks or more: too few to say anything." in found.out
    assert "The tournament is not finished: this is an early look" in found.out
    assert command_line("gifts", "cup", "-q", "--processes", "2").out == found.out


def test_a_game_without_a_heuristic_is_one_clear_line(
    command_line: CommandLine, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["toy"]), "heuristic", lambda _self: None)
    found = command_line("gifts", "cup", "--db", str(database))
    assert found.code == 2
    assert found.err == "arena: tournament: toy has no heuristic; gifts are valued in games with one\n"
    with pytest.raises(UserError, match="toy has no heuristic"):
        value_match(golden("toy"))


def test_an_unknown_tournament_is_one_clear_line(command_line: CommandLine, tmp_path: Path) -> None:
    store = open_store(tmp_path / "arena.db", create=True)
    store.close()
    found = command_line("gifts", "nobody")
    assert found.code == 2
    assert "tournament: 'nobody' is not in this database" in found.err


def test_gifts_of_an_unreadable_record_are_left_out_and_named(tmp_path: Path) -> None:
    store = planted_database(tmp_path / "arena.db", 2, is_finished=False, is_planted=False)
    broken = store.matches.of("cup")[0].id
    with store.write() as connection:
        connection.execute("UPDATE record SET content = ? WHERE match = ?", (pack_record("forged"), broken))
    found = gifts_of(store, "cup", 1, counting=lambda _count: lambda: None)
    assert list(found.faults) == [broken]
    assert found.table.matches == 11
    assert found.is_early
    store.close()


# Most alike.


def test_T21_10_rare_agreement_weighs_most() -> None:
    """Of four prompts one is not contested; a and b agree against c and d, a and c with d."""
    answers: dict[str, list[str | None]] = {
        "a": ["x", "x", "x", "y"],
        "b": ["x", "x", "y", None],
        "c": ["x", "y", "x", "y"],
        "d": ["x", "z", "x", "x"],
    }
    found = {pair.bots: pair for pair in alike_pairs(answers)}
    assert found["a", "b"].contested == 2
    assert found["a", "b"].agreed == 1
    assert found["a", "b"].score == pytest.approx(log(3) / 2)
    assert found["a", "c"].contested == 3
    assert found["a", "c"].score == pytest.approx((log(3 / 2) + log(2)) / 3)
    assert next(pair.bots for pair in alike_pairs(answers)) == ("a", "b")
    assert alike_pairs({"a": ["x"], "b": ["x"]})[0].score == 0.0, "where all agree nothing is contested"


def test_T21_10_prompts_come_from_anywhere_in_a_record() -> None:
    record = read(golden("toy"))
    prompt = prompt_of(record)
    assert prompt is not None
    assert prompt.seat in [decision.seat for decision in prompt.game.pending(prompt.state)]
    assert len(prompt.game.legal_actions(prompt.state, prompt.seat)) > 1
    again = prompt_of(record)
    assert again is not None
    assert prompt.game.digest(again.state) == prompt.game.digest(prompt.state)


def test_T21_10_bots_are_asked_again_over_the_wire() -> None:
    """The same program answers the same, another one otherwise; a program that ends answers nothing."""
    prompts = []
    toy = GAMES["toy"]
    for seed in range(8):
        state = toy.new(3, seed, toy.options({}))
        prompts.append(RecordedPrompt(toy, toy.options({}), 3, seed % 3, state))
    asked: list[None] = []

    def answers(name: str) -> list[str | None]:
        bot = read_bot(SAMPLE_BOTS / name)
        ask = partial(ask_again, bot, prompts, patience(5.0), SandboxPolicy.OFF, lambda: asked.append(None))
        return trio.run(ask)

    found = {"greedy": answers("greedy"), "random": answers("python")}
    assert len(asked) == 16
    for given in found.values():
        assert all(answer is not None and '"bid"' in answer for answer in given)
    assert found["greedy"] != found["random"]
    (pair,) = alike_pairs(found)
    assert pair.contested + sum(one == other for one, other in zip(*found.values(), strict=True)) == 8


def test_the_command_names_bots_that_cannot_be_asked(command_line: CommandLine, tmp_path: Path) -> None:
    planted_database(tmp_path / "arena.db", 2, is_planted=False).close()
    found = command_line("gifts", "cup", "-q", "--processes", "1", "--alike", "5")
    assert found.code == 0
    assert "Most alike by 5 prompts asked again: a ranked list, no verdict" in found.out
    assert f"Not asked, or without an answer: {', '.join(BOTS)}." in found.out


# The benchmark.


def test_the_benchmark_draws_the_blocks_of_a_tournament() -> None:
    """The helper sits with its boss as often as in a tournament of 400 blocks; clean fields are played whole."""
    design = list(bench.pieces())
    assert len({each.name for each in design}) == len(design)
    assert sum(each.plant == bench.CLEAN for each in design) == bench.CLEAN_FIELDS
    assert {each.plant for each in design} == {*Plant, bench.CLEAN}
    assert len(OTHER_VALUES) == 2
    for piece, blocks, shared in ((design[0], 133, 36), (design[4], 200, 85)):
        tables = list(bench.tables_of(piece, list(bench.players_of(piece))))
        assert (len(tables), sum(bench.BOSS in table for table in tables)) == (blocks, shared)
        assert all(bench.HELPER in table and len(set(table)) == 4 for table in tables)
    field = next(each for each in design if each.plant == bench.CLEAN)
    tables = list(bench.tables_of(field, list(bench.players_of(field))))
    assert (len(tables), {len(set(table)) for table in tables}) == (400, {4})
    assert {name for table in tables[:3] for name in table} == set(bench.players_of(field))


@pytest.mark.nightly
def test_the_benchmark_finds_a_pair_that_feeds(tmp_path: Path) -> None:
    """A small version: 21 blocks of 8 bots, 9 of them with the pair; a pair that is found is not played on."""
    piece = bench.Piece("nuremberg", Plant.FEEDING, 2000, 8, 21)
    found = bench.resumed(tmp_path, piece, 3, has_time=True)
    assert found is not None
    assert (found.matches, found.shared, found.is_pair_flagged, found.others_flagged) == (84, 9, True, 0)
    assert found.one > 2 * GIFT_MARGIN > 2 * found.largest_honest
    assert bench.resumed(tmp_path, replace(piece, blocks=42), 3, has_time=True) == found


def test_the_benchmark_plays_on_from_its_pieces(tmp_path: Path) -> None:
    """Three blocks in two parts are the three blocks in one."""
    piece = bench.Piece("nuremberg", Plant.FIRST, 2000, 4, 3)
    assert bench.resumed(tmp_path, piece, 1, has_time=False) is None
    early = bench.resumed(tmp_path, piece, 1, has_time=True)
    assert early is not None
    assert early.blocks == 1
    assert bench.resumed(tmp_path, piece, 3, has_time=False) == early
    bench.resumed(tmp_path, piece, 3, has_time=True)
    matches, _seconds = pickle.loads((tmp_path / f"{piece.name}.pickle").read_bytes())
    whole = bench.Played()
    whole.play_on(piece, 3)
    for one, other in zip(matches, whole.matches, strict=True):
        assert (one.block, one.valued.bots) == (other.block, other.valued.bots)
        assert np.array_equal(one.valued.values, other.valued.values)


@pytest.mark.nightly
def test_the_benchmark_flags_nobody_in_a_small_clean_field() -> None:
    piece, played = bench.Piece("nuremberg", bench.CLEAN, 2000, 6, 14), bench.Played()
    played.play_on(piece, 14)
    found = bench.judge(piece, played)
    assert (found.others_flagged, found.is_pair_flagged) == (0, False)
    assert found.largest_honest > 0, "there were pairs to flag"


def test_the_benchmark_counts_what_is_there_and_checks_targets_only_when_complete() -> None:
    targets = Targets()
    design = list(bench.pieces())

    def of(piece: bench.Piece, **figures: float) -> bench.Found:
        return bench.Found(**asdict(piece), matches=4, seconds=0.4, **figures)  # type: ignore[arg-type]

    tables = bench.report([of(piece) for piece in design[:9]], targets)
    assert len(tables["planted"].rows) + len(tables["other_values"].rows) == 8
    bench.report([replace(of(piece, others_flagged=1), blocks=100) for piece in design], targets)
    assert targets.missed == [], "neither one pair of each nor a part of every field is what the targets ask for"
    bench.report([of(piece, others_flagged=1) for piece in design], targets)
    assert len(targets.missed) == len(bench.TARGETS) + 1
    assert "20 of 20 clean fields flagged, at most 1 of 20" in targets.missed
