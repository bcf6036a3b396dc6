"""What holds for every test of a plug-in: as for all tests, and without the plug-in it is skipped and counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import parts
from tests.conftest import (  # noqa: F401  # pytest finds the hooks and the fixture by their names
    _logs_as_of_a_command,
    pytest_collection_modifyitems,
    pytest_runtest_makereport,
)
from tools.plugins import plugin_of


class _Missing(pytest.Module):
    """A test file whose plug-in is not installed."""

    def collect(self) -> Iterator[pytest.Item]:
        yield _Skipped.from_parent(self, name="needs the plug-in")


class _Skipped(pytest.Item):
    def runtest(self) -> None:
        plugin = plugin_of(self.path)
        assert plugin is not None
        parts.lack("plugins", f"{plugin.distribution} is not installed; make plugins does that")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect a single skipped test from a file whose plug-in is not installed."""
    plugin = plugin_of(module_path)
    if plugin is None or plugin.is_installed():
        return None
    return _Missing.from_parent(parent, path=module_path)
