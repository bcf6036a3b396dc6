"""T17: TEST and VERDICT, and how they are audited."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from ratings.ledger.chain import canonical_json, parse_payload
from ratings.ledger.test_entries import (
    TestEntry,
    differences_digest,
    read_test,
    seed_faults,
    verdict_body,
    verdict_faults,
    verdict_key,
)
from ratings.sequential.test import Verdict, judge, terms

WORKED = (1920, -960, 2880) * 20
TEST = TestEntry("aa", "bb", "norenberc/3", terms(4), ("cc", "dd", "ee"), 7, "0.1.0", 1)


def test_T19_7_the_id_is_the_digest_of_what_the_entry_says_with_t() -> None:
    assert TEST.id == sha256(canonical_json(TEST.body).encode()).hexdigest()
    assert TEST.key == f"test:{TEST.id}"
    assert replace(TEST, count=2).id != TEST.id
    assert TEST.body["t"] == 1
    # Changes of the layout would orphan every stored test.
    assert TEST.id == "1325aad0274d6b1eb8e4a4197f847ad2ee7a147a4a20a72bc4531d5838bda67e"


def test_T17_a_test_is_read_back_as_it_was_written() -> None:
    again = read_test(parse_payload(canonical_json(TEST.body)))
    assert again == TEST
    assert again.id == TEST.id


def test_T17_1_an_entry_says_who_chose_the_seed_and_one_of_release_0_1_0_does_not() -> None:
    drawn = replace(TEST, seed="9f" * 32, seed_by="arena")
    assert drawn.body == TEST.body | {"seed": "9f" * 32, "seed_by": "arena"}
    assert read_test(parse_payload(canonical_json(drawn.body))) == drawn
    assert (TEST.seed_by, "seed_by" in TEST.body) == ("", False)
    assert replace(TEST, seed_by="caller").id != TEST.id, "T14.13: the id covers it"


def test_T14_13_a_seed_that_is_called_drawn_has_128_bits_at_least() -> None:
    for seed, seed_by in ((7, ""), (7, "caller"), ("0" * 32, "arena"), ("9f" * 32, "arena")):
        assert seed_faults(replace(TEST, seed=seed, seed_by=seed_by)) == []
    for seed in (7, 2**200, "9f" * 15, "x" * 64):
        (fault,) = seed_faults(replace(TEST, seed=seed, seed_by="arena"))
        assert "fewer than 128 bits" in fault
    (fault,) = seed_faults(replace(TEST, seed_by="somebody"))
    assert "expected one of: arena, caller" in fault


def test_T14_8_the_same_question_resumes_the_open_test() -> None:
    assert replace(TEST, seed=8, software="0.2.0", count=2, fillers=("cc",)).has_terms_of(TEST)
    assert replace(TEST, seed="9f" * 32, seed_by="arena", count=2).has_terms_of(TEST)
    for other in (
        replace(TEST, new="xx"),
        replace(TEST, pool="norenberc/4"),
        replace(TEST, terms=terms(4, max_blocks=10)),
        replace(TEST, seeding="per_block"),
        replace(TEST, settings={"clock": "fast"}),
    ):
        assert not other.has_terms_of(TEST)


def test_T19_13_a_verdict_entry_has_long_numbers_as_text() -> None:
    progress = judge(TEST.terms, WORKED)
    body = verdict_body(progress)
    assert verdict_key(TEST.id) == f"verdict:{TEST.id}"
    assert body == {
        "word": "better",
        "judged": 30,
        "dropped": 0,
        "differences": differences_digest(WORKED[:30]),
        "for_better": 3_148_594,
        "for_better_a": str(progress.for_better.total),
        "for_better_q": str(progress.for_better.squares),
        "for_not_better": progress.for_not_better.micronats,
        "for_not_better_a": str(progress.for_not_better.total),
        "for_not_better_q": str(progress.for_not_better.squares),
    }
    assert int(body["for_better_q"]) > 2**63
    assert canonical_json(body)


def test_T17_the_digest_is_of_decimal_numbers_joined_by_commas() -> None:
    assert differences_digest([1920, -960, 0]) == sha256(b"1920,-960,0").hexdigest()
    assert differences_digest([]) == sha256(b"").hexdigest()


def test_T17_a_true_verdict_has_no_faults_and_later_blocks_change_nothing() -> None:
    body = verdict_body(judge(TEST.terms, WORKED))
    assert verdict_faults(TEST, body, WORKED[:30]) == []
    assert verdict_faults(TEST, body, (*WORKED[:30], None, -5760, 5760)) == []


def test_T17_a_verdict_that_came_a_block_early_or_late_is_found() -> None:
    body = verdict_body(judge(TEST.terms, WORKED))
    late = {**body, "judged": 31}
    assert verdict_faults(TEST, late, WORKED) == [f"T17: the verdict of test {TEST.id} was due at block 30, not at 31"]
    early = {**body, "judged": 29}
    assert f"T17: the verdict of test {TEST.id} says judged 29; recomputed: 30" in verdict_faults(TEST, early, WORKED)
    assert "only 29 were played" in verdict_faults(TEST, body, WORKED[:29])[0]
    undecided = verdict_body(judge(TEST.terms, WORKED[:20]))
    assert "do not give a verdict" in verdict_faults(TEST, {**undecided, "word": "better"}, WORKED[:20])[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("word", "not better"),
        ("for_better", 3_148_595),
        ("for_not_better_a", "0"),
        ("for_better_q", "1"),
        ("differences", "00"),
    ],
)
def test_T17_every_number_of_a_verdict_is_recomputed(name: str, value: object) -> None:
    body = {**verdict_body(judge(TEST.terms, WORKED)), name: value}
    faults = verdict_faults(TEST, body, WORKED)
    assert len(faults) == 1
    assert f"says {name} {value!r}" in faults[0]


def test_T17_an_abandoned_test_must_not_have_been_decided() -> None:
    body = verdict_body(judge(TEST.terms, WORKED[:20]))
    assert body["word"] == Verdict.ABANDONED.value
    assert verdict_faults(TEST, body, WORKED) == []
    hidden = {**verdict_body(judge(TEST.terms, WORKED)), "word": "abandoned"}
    assert verdict_faults(TEST, hidden, WORKED) == [
        f"T17: the verdict of test {TEST.id} says word 'abandoned'; recomputed: 'better'"
    ]


def test_T17_dropped_blocks_are_part_of_the_verdict() -> None:
    blocks = (None, *WORKED)
    body = verdict_body(judge(TEST.terms, blocks))
    assert (body["judged"], body["dropped"]) == (30, 1)
    assert verdict_faults(TEST, body, blocks) == []
    assert verdict_faults(TEST, body, WORKED) != []
