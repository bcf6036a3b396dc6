"""The contract's promises as a class of tests for one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.contract.case import Configuration, ContractCase
from referee.contract.promises import ONCE, PROMISES


def contract_tests(case: ContractCase) -> type:
    """Return a class that holds every promise as a test, for each configuration of the case; call it `Test...`."""
    tests: dict[str, Any] = {promise.__name__: _test(case, promise) for promise in PROMISES}
    return type("TestContract", (), tests)


def _test(case: ContractCase, promise: Callable[[ContractCase, Configuration], None]) -> Any:
    configurations = case.configurations[:1] if promise in ONCE else case.configurations

    @pytest.mark.parametrize("configuration", configurations, ids=[_name(case, each) for each in configurations])
    def test(self: object, configuration: Configuration) -> None:
        promise(case, configuration)

    test.__doc__ = promise.__doc__
    return test


def _name(case: ContractCase, configuration: Configuration) -> str:
    variant = "-".join(f"{key}={value}" for key, value in configuration.options.items())
    return f"{case.game.slug}-{configuration.seats}-{variant}".rstrip("-")
