"""The promises of the game contract, kept by chess."""

from __future__ import annotations

from plugins.chess.tests.contract_case import CASE
from referee.contract.suite import contract_tests

TestContract = contract_tests(CASE)
