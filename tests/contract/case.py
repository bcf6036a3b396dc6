"""Where the cases of the games lie that live in this repository."""

from __future__ import annotations

from importlib import import_module

from referee.contract.case import ContractCase
from referee.games import BUILT_IN

OURS = (*BUILT_IN, "toy")
"""The games of this repository; others may be installed beside them."""


def load_case(slug: str) -> ContractCase:
    """Return the case of a game: `tests/rules/<slug>/contract_case.py`, or the toy's beside the toy."""
    package = f"tests.rules.{slug}" if slug in BUILT_IN else f"tests.{slug}_game"
    case = import_module(f"{package}.contract_case").CASE
    assert isinstance(case, ContractCase)
    return case
