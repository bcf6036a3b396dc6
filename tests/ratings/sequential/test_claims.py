"""T16: what may be claimed about the order of a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from math import log, tanh
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.ledger.chain import canonical_json
from ratings.points.points import competition_places
from ratings.sequential.claims import (
    Claim,
    Claims,
    ClaimWord,
    claim_body,
    claim_bound,
    claim_faults,
    claim_key,
    foot,
    is_decided,
    neighbour_claims,
    stop_reason,
)
from ratings.sequential.compare import slope
from ratings.sequential.e_values import DOWN, UP, log_e_value
from ratings.sequential.evidence import CountedBlock
from ratings.sequential.forecast import block_variance, default_variance, forecast_words, games_needed, open_gaps

FOUR = ("a", "b", "c", "d")


def straight(bots: Sequence[str] = FOUR) -> CountedBlock:
    """A block that ends in the order of its bots in every game."""
    return CountedBlock(tuple(bots), tuple(tuple(range(1, len(bots) + 1)) for _ in bots))


def drawn(bots: Sequence[str] = FOUR) -> CountedBlock:
    return CountedBlock(tuple(bots), tuple((1,) * len(bots) for _ in bots))


def test_T16_1_E7_the_bound_of_sixteen_entrants() -> None:
    assert claim_bound(16) == 8_476_372
    assert claim_bound(2) == 3_688_880
    with pytest.raises(ValueError, match=r"T16\.1"):
        claim_bound(1)


def test_T16_1_a_pair_is_claimed_at_the_first_close_at_which_its_evidence_has_reached_the_bound() -> None:
    claims = Claims(FOUR)
    made: list[Claim] = []
    for number in range(1, 40):
        made += claims.close(number, [straight()])
    assert [(claim.first, claim.second, claim.word) for claim in made if claim.second == "d"][:1] == [
        ("a", "d", ClaimWord.BETTER)
    ]
    assert {(claim.first, claim.second) for claim in made} == {
        (one, other) for one in FOUR for other in FOUR if one < other
    }
    for claim in made:
        difference = straight().difference(claim.first, claim.second)
        before, then = (log_e_value(Counter([(4, difference)] * n), UP) for n in (claim.round - 1, claim.round))
        assert before < claims.bound <= then == claim.evidence


def test_T19_10_equal_bots_are_claimed_equal_within_the_gap() -> None:
    claims = Claims(("b", "a"))
    made = [claim for number in range(1, 400) for claim in claims.close(number, [drawn(("a", "b"))])]
    assert [(claim.first, claim.second, claim.word) for claim in made] == [("a", "b", ClaimWord.EQUAL)]
    gap = {2: round(1e6 * tanh(25 * log(10) / 800))}
    counts = Counter([(2, 0)] * made[0].round)
    assert made[0].evidence == log_e_value(counts, DOWN, gap) >= claims.bound
    assert log_e_value(Counter([(2, 0)] * (made[0].round - 1)), DOWN, gap) < claims.bound


def test_T16_1_a_claim_once_made_stays() -> None:
    claims = Claims(("a", "b"))
    for number in range(1, 20):
        claims.close(number, [straight(("a", "b"))])
    first = claims.made["a", "b"]
    for number in range(20, 200):
        assert claims.close(number, [straight(("b", "a"))]) == []
    assert claims.made == {("a", "b"): first}
    assert claims.word("a", "b") is ClaimWord.BETTER


def test_T19_10_a_claim_against_the_fitted_order_is_shown_turned_and_decided() -> None:
    claims = Claims(("a", "b"), made={("a", "b"): Claim("b", "a", ClaimWord.BETTER, 3, 4_000_000)})
    assert neighbour_claims(("a", "b"), claims) == (ClaimWord.WORSE,)
    assert neighbour_claims(("b", "a"), claims) == (ClaimWord.BETTER,)
    assert is_decided(neighbour_claims(("a", "b"), claims))


def test_T19_10_pairs_with_later_entrants_are_never_claimed_and_never_open() -> None:
    claims = Claims(("a", "b"))
    for number in range(1, 60):
        claims.close(number, [straight(("late", "a", "b"))])
    assert set(claims.made) == {("a", "b")}
    assert claims.word("late", "a") is ClaimWord.NOT_JUDGED
    assert not claims.is_open("a", "late")


def test_T19_10_unmet_pairs_are_open() -> None:
    assert Claims(FOUR).is_open("a", "d")


def test_T19_10_tables_of_different_size_go_into_one_product() -> None:
    claims = Claims(FOUR)
    claims.close(1, [straight(("a", "b")), straight(("c", "a", "b")), straight()])
    counts = claims.counts["a", "b"]
    assert counts == {(2, 2880): 1, (3, 3 * 720): 1, (4, 4 * 480): 1}
    expected = sum((1 + 0.9 / 2**j) * (1 + 0.9 / 2**j / 2) * (1 + 0.9 / 2**j / 3) / 5 for j in range(5))
    assert log_e_value(counts, UP) == int(1e6 * log(expected))


def test_T19_2_blocks_that_lack_a_rotation_are_passed_over() -> None:
    claims = Claims(FOUR)
    claims.close(1, [CountedBlock(FOUR, ((1, 2, 3, 4),))])
    assert claims.counts == {}


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_T16_1_claims_do_not_depend_on_the_order_of_tables_or_names_of_a_round(seed: int) -> None:
    random = Random(seed)
    names = ["d", "a", "c", "b", "e"]
    one, other = Claims(tuple(names)), Claims(tuple(sorted(names)))
    for number in range(1, 12):
        blocks = []
        for _ in range(3):
            bots = tuple(random.sample(names, 3))
            games = tuple(competition_places([random.randrange(9) * ord(bot) for bot in bots]) for _ in bots)
            blocks.append(CountedBlock(bots, games))
        assert one.close(number, blocks) == other.close(number, blocks[::-1])
    assert one.made == other.made


def test_T16_3_the_reasons_say_which() -> None:
    decided, some_open = (
        (ClaimWord.BETTER, ClaimWord.EQUAL, ClaimWord.WORSE),
        (ClaimWord.OPEN,) * 7 + (ClaimWord.BETTER,) * 8,
    )
    assert stop_reason(decided, "the budget is used up") == "every neighbour is decided at 5 % for the whole tournament"
    assert (
        stop_reason(decided, "the budget is used up", top=10, alpha=Decimal("0.01"))
        == "every neighbour in the first 10 places is decided at 1 % for the whole tournament"
    )
    assert stop_reason(some_open, "the budget is used up") == "the budget is used up, 7 of 15 neighbours are open"
    assert (
        stop_reason((ClaimWord.OPEN, ClaimWord.NOT_JUDGED, ClaimWord.BETTER), "the deadline has come")
        == "the deadline has come, 1 of 2 neighbours is open"
    )


def test_T16_3_only_the_first_places_count_if_asked() -> None:
    claims = Claims(FOUR, made={("a", "b"): Claim("a", "b", ClaimWord.BETTER, 1, 9_000_000)})
    assert neighbour_claims(FOUR, claims) == (ClaimWord.BETTER, ClaimWord.OPEN, ClaimWord.OPEN)
    assert neighbour_claims(FOUR, claims, top=2) == (ClaimWord.BETTER,)


def test_T16_4_the_foot_of_the_list() -> None:
    assert foot() == "Any of these > is wrong with probability at most 5 % for the whole tournament."


def test_T16_5_the_forecast_is_that_of_the_formula() -> None:
    one = 2 * (log(16 * 15 / 0.05) + 1.2) * 0.05 / (slope(4) * 30) ** 2
    floor_gap = 2 * (log(16 * 15 / 0.05) + 1.2) * 0.05 / (slope(4) * 12.5) ** 2
    assert games_needed([30, -30], 16, 4, 0.05) == pytest.approx(1.5 * 4 / 3 * 2 * one, abs=1)
    assert games_needed([3], 16, 4, 0.05) == pytest.approx(1.5 * 4 / 3 * floor_gap, abs=1)
    assert games_needed([], 16, 4, 0.05) == 0


def test_T19_12_the_variance_before_anything_is_measured() -> None:
    """Two even bots at a table of two: the mean of two games worth 1 or -1 each."""
    assert default_variance(2) == 0.5
    assert default_variance(4) == pytest.approx(5 / 54)
    assert block_variance([], 4) == default_variance(4)
    assert block_variance([{(4, 1920): 1}, {(3, 720): 9}], 4) == default_variance(4)


def test_T16_5_the_measured_variance_is_around_the_mean_of_each_pair() -> None:
    evidence = [{(4, 5760): 1, (4, 0): 1}, {(4, -2880): 3, (2, 2880): 5, (2, -2880): 5}]
    assert block_variance(evidence, 4) == pytest.approx(0.5 / 3)


def test_T16_5_open_neighbours_are_forecast_and_others_are_not() -> None:
    claims = Claims(FOUR, made={("a", "b"): Claim("a", "b", ClaimWord.BETTER, 1, 9_000_000)})
    order = [("a", 1700.0), ("b", 1600.0), ("c", 1570.0), ("d", 1560.0)]
    assert open_gaps(order, claims) == [30.0, 10.0]
    assert open_gaps(order, claims, top=3) == [30.0]
    assert all(claims.is_open(one, other) for (one, _), (other, _) in pairwise(order[1:]))


def test_T16_5_the_forecast_in_words() -> None:
    assert forecast_words(4123, 6_600, top=10) == "about 4,100 games, 1 h 50 min, until the first 10 places are decided"
    assert forecast_words(87) == "about 87 games, until every neighbour is decided"
    assert forecast_words(9960, 30) == "about 10,000 games, 1 min, until every neighbour is decided"
    assert forecast_words(100, 7_230) == "about 100 games, 2 h, until every neighbour is decided"


def played() -> Claims:
    claims = Claims(FOUR)
    for number in range(1, 25):
        claims.close(number, [straight()])
    return claims


def test_T17_a_claim_entry_holds_what_the_clause_lists() -> None:
    claims = played()
    claim = claims.made["a", "d"]
    assert claim_key("cup", claim) == "claim:cup:a:d"
    body = claim_body("cup", claim, claims)
    assert (body["word"], body["round"], body["evidence"], body["bound"], body["entrants"]) == (
        ">",
        claim.round,
        claim.evidence,
        claim_bound(4),
        4,
    )
    assert canonical_json(body)


def test_T17_every_claim_is_recomputed() -> None:
    claims = played()
    entered = {claim_key("cup", claim): claim_body("cup", claim, claims) for claim in claims.made.values()}
    assert len(entered) >= 3
    assert claim_faults("cup", claims, entered) == []
    missing = {key: body for key, body in entered.items() if key != "claim:cup:a:d"}
    assert claim_faults("cup", claims, missing) == [
        f"T17: claim:cup:a:d is missing; the blocks allow it in round {claims.made['a', 'd'].round}"
    ]
    # Of the last round drawn an arena that was killed may not have entered them yet; it does before the next.
    last = claims.made["a", "d"].round
    assert claim_faults("cup", claims, missing, due=last) == []
    assert len(claim_faults("cup", claims, missing, due=last + 1)) == 1
    added = {**entered, "claim:cup:d:a": entered["claim:cup:a:d"]}
    assert claim_faults("cup", claims, added) == ["T17: claim:cup:d:a is not allowed by the blocks of the tournament"]
    early = {**entered, "claim:cup:a:d": {**entered["claim:cup:a:d"], "round": 1, "evidence": 1}}
    assert claim_faults("cup", claims, early)[0].startswith("T17: claim:cup:a:d is wrong in evidence, round;")


def test_T17_4_a_tournament_of_several_games_claims_a_pair_once_in_each() -> None:
    claims = played()
    claim = claims.made["a", "d"]
    keys = {claim_key("cup", claim, game) for game in ("norenberc", "nuremberg")}
    assert keys == {"claim:cup:a:d:norenberc", "claim:cup:a:d:nuremberg"}
    entered = {
        claim_key("cup", claim, "norenberc"): claim_body("cup", claim, claims, "norenberc")
        for claim in claims.made.values()
    }
    assert entered["claim:cup:a:d:norenberc"]["game"] == "norenberc"
    assert claim_faults("cup", claims, entered, "norenberc") == []
    assert claim_faults("cup", claims, entered, "nuremberg") != []
