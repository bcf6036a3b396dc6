"""One served database and one browser for all tests of the web page that only read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.browser import CHROMIUM, HOW_TO_GET_IT, chromium, served
from tests.web.filled_database import filled_database


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled_database(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="session")
def address(database: Path) -> Iterator[str]:
    with served(database) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None and os.environ.get("CI") != "true":
        pytest.skip(HOW_TO_GET_IT)
    with chromium() as found:
        yield found
