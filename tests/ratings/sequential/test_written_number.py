"""T14.5: numbers as they are written."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ratings.sequential.test import MIN_ERROR, error_bound, terms
from ratings.sequential.written_number import MAX_DIGITS, MAX_NUMBER, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.05", "0.05"),
        ("-20", "-20"),
        ("1e-9", "0.000000001"),
        (" .5 ", "0.5"),
        ("1E3", "1000"),
        ("0.123456789012", "0.123456789012"),
        ("0", "0"),
        (f"{MAX_NUMBER}", f"{MAX_NUMBER}"),
    ],
)
def test_T14_5_a_number_is_read_exactly(text: str, number: str) -> None:
    assert read_number(text) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "nan",
        "sNaN",
        "-inf",
        "1e-3000000",
        "1e3000000",
        "1e-99999999999999999999",
        "0e999999999",
        "1e-13",
        "0." + "9" * (MAX_DIGITS + 1),
        "0." + "9" * 900_000,
        "9" * 900_000,
        "1" + "0" * 900_000 + "e-900000",
        f"{MAX_NUMBER + 1}",
        f"-{MAX_NUMBER}.5",
        "1\0",
        "0x10",
    ],
    ids=lambda text: text[:24],
)
def test_T14_5_a_number_that_would_have_to_be_multiplied_out_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not a number; expected one such as 0\.05, of at most 12 digits"
    ) as caught:
        read_number(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("rate", ["0", "1", "-0.1", "1e-10", "0.9e-9", "1e-3000000"])
def test_T14_5_an_error_rate_outside_its_bounds_has_no_test(rate: str) -> None:
    said = f"between 0 and 1, and {MIN_ERROR} or more"
    with pytest.raises(ValueError, match=said):
        terms(4, alpha=Decimal(rate))
    with pytest.raises(ValueError, match=said):
        terms(4, beta=Decimal(rate))


def test_T14_5_the_smallest_error_rate_has_a_test_that_can_be_reported() -> None:
    agreed = terms(4, alpha=MIN_ERROR, beta=MIN_ERROR)
    assert agreed.better_bound == 20_723_266
    assert error_bound(agreed.alpha) > 20_700_000  # of its five digits, which may lie below the bound
