"""The promises of the contract, kept by every game that is installed here."""

from __future__ import annotations

from referee.contract.suite import contract_tests
from referee.games import GAMES
from tests.contract.case import load_case

TestCarcassonneCity = contract_tests(load_case("carcassonne_city"))
TestFurstenfeld = contract_tests(load_case("furstenfeld"))
TestNorenberc = contract_tests(load_case("norenberc"))
TestNuremberg = contract_tests(load_case("nuremberg"))
TestToy = contract_tests(load_case("toy"))


def test_no_game_is_left_out() -> None:
    assert list(GAMES) == ["carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "toy"]
