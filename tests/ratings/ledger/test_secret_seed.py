"""T2.8, T2.9: secrets, commitments and the seeds that follow from them."""

from __future__ import annotations

import pytest

from ratings.ledger.secret_seed import awaited_sources, commitment, new_secret, nonce_fault, secret_seed

SECRET = "000102030405060708090a0b0c0d0e0f"


def test_T2_8_E20_the_worked_commitment_and_seed() -> None:
    assert commitment("cup", SECRET) == "bb97bee7e001fcd78a97080958f315b6c5dfcd23e250109f210eb4c35f6ef1dd"
    assert secret_seed(SECRET) == 95942355382072366971235790760632042211116614795723927823974705292827174764799


def test_T2_9_E20_the_worked_seed_with_a_beacon_and_a_nonce() -> None:
    worked = 109443054851339763056913998716517591977001842391150914491812197753191925341580
    assert secret_seed(SECRET, ["3 17 22", "ann"]) == worked
    assert secret_seed(SECRET, ["ann", "3 17 22"]) != worked


def test_T2_8_no_two_secrets_are_alike_and_each_has_128_bits() -> None:
    drawn = {new_secret() for _ in range(200)}
    assert len(drawn) == 200
    assert {len(bytes.fromhex(secret)) for secret in drawn} == {16}
    assert commitment("cup", SECRET) != commitment("cap", SECRET), "it binds the name too"


def test_T2_9_the_beacon_comes_before_the_nonces() -> None:
    assert awaited_sources({"beacon": "a lottery", "nonces": ["bob", "ann"]}) == ["beacon", "bob", "ann"]
    assert awaited_sources({}) == []


@pytest.mark.parametrize("text", ["", "a|b", "a:b", "x" * 201, "two\nlines", "é"])
def test_T2_9_a_text_that_could_be_read_in_two_ways_is_refused(text: str) -> None:
    assert nonce_fault(text)
    assert not nonce_fault("3 17 22 31 40 44")
