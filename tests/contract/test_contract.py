"""The promises of the contract, kept by every game that is installed here."""

from __future__ import annotations

import pytest

from referee.contract.suite import contract_tests
from referee.games import GAMES
from tests.contract.case import OURS, load_case

TestCarcassonneCity = contract_tests(load_case("carcassonne_city"))
TestFurstenfeld = contract_tests(load_case("furstenfeld"))
TestNorenberc = contract_tests(load_case("norenberc"))
TestNuremberg = contract_tests(load_case("nuremberg"))
TestToy = contract_tests(load_case("toy"))


def test_the_promises_of_every_game_are_collected(pytestconfig: pytest.Config) -> None:
    """Pytest passes over a class whose name it is not told, without a word."""
    of_plug_ins = ["TestContract"]
    collected = pytestconfig.getini("python_classes")
    assert [*(name for name in globals() if name.startswith("Test")), *of_plug_ins] == collected


def test_no_game_is_left_out() -> None:
    assert {"carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "toy"} == {*OURS} <= {*GAMES}
