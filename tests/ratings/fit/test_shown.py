"""T8.7: the figures of a fit as people read them."""

from __future__ import annotations

from dataclasses import replace

from ratings.fit.fit import FittedRating
from ratings.fit.shown import shown_error, shown_interval, shown_los, shown_places, shown_rating


def test_T8_7_an_interval_is_rounded_up_and_a_rating_to_the_nearest() -> None:
    assert (shown_rating(1534.4), shown_rating(-0.3), shown_error(40.01), shown_error(40.0)) == (
        "1534",
        "0",
        "41",
        "40",
    )
    assert shown_interval(1534.4, 40.01) == "1494 to 1575"


def test_T8_7_los_is_rounded_toward_fifty() -> None:
    assert [shown_los(los) for los in (0.9999, 0.956, 0.5, 0.4999, 0.0001)] == ["99 %", "95 %", "50 %", "50 %", "1 %"]


def test_T8_9_places_are_written_as_a_span() -> None:
    line = FittedRating("a", 1500, 30, 10, 0, False, (2, 5))
    assert shown_places(line) == "2-5"
    assert shown_places(replace(line, places=(3, 3))) == "3"
    assert shown_places(replace(line, places=None)) == ""
