"""Orders to a referee: each wrong key or value is named, with what was expected."""

from __future__ import annotations

from typing import Any

import pytest

from referee.order import MatchOrder, OrderError, SeatOrder

ORDER = MatchOrder("m", "toy", {"rounds": 2}, (SeatOrder("a", "t"), SeatOrder("b", "u")), 3)


def test_an_order_arrives_as_it_was_sent() -> None:
    assert MatchOrder.from_plain(ORDER.to_plain()) == ORDER


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a misspelt key": ({"sed": 3}, "sed: unknown key; expected one of: .* \\(did you mean 'seed'\\?\\)"),
    "a misspelt key of a seat": ({"seats": [{"bot": "a", "tickt": "t"}]}, "seats.tickt: .* \\(did you mean 'ticket'"),
    "a seat without a ticket": ({"seats": [{"bot": "a"}]}, "seats.ticket: None is not allowed; expected a text"),
    "a seat that is no table": ({"seats": ["a"]}, "seats: \\['a'\\] is not allowed; expected"),
    "a text for a number": ({"seed": "3"}, "seed: '3' is not allowed; expected a whole number"),
    "a truth for a number": ({"seed": True}, "seed: True is not allowed; expected a whole number"),
    "a list for a table": ({"options": []}, "options: \\[\\] is not allowed; expected a table of keys"),
    "a number for a truth": ({"parts_first": 1}, "parts_first: 1 is not allowed; expected true or false"),
    "a misspelt time": ({"time_control": {"bank": 3}}, "time_control.bank: .* \\(did you mean 'bank_ms'\\?\\)"),
}


@pytest.mark.parametrize(("changes", "told"), WRONG.values(), ids=WRONG)
def test_a_wrong_order_is_refused_by_name(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(OrderError, match=f"^{told}"):
        MatchOrder.from_plain(ORDER.to_plain() | changes)


@pytest.mark.parametrize("key", ["match_id", "game", "options", "seats", "seed", "time_control"])
def test_what_an_order_lacks_is_named(key: str) -> None:
    plain = {name: value for name, value in ORDER.to_plain().items() if name != key}
    with pytest.raises(OrderError, match=f"^{key}: None is not allowed; expected"):
        MatchOrder.from_plain(plain)
