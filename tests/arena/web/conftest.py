"""One served database and one browser for all tests of the web page that only read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, expect

from tests import parts
from tests.arena.web.browser import CHROMIUM, HOW_TO_GET_IT, PATIENCE_MS, chromium, served, window
from tests.arena.web.filled_database import filled_database

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled_database(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="session")
def address(database: Path) -> Iterator[str]:
    with served(database) as found:
        yield found


@pytest.fixture(scope="module")  # no longer: while it is open, no test of another module can run a loop of asyncio
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        parts.lack("browser", HOW_TO_GET_IT)
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails its test when a script does, when anything is refused by the policy, or when a box pops up."""
    faults: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(message.text)

    def dismiss(dialog: Dialog) -> None:
        faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    with window(browser, (1280, 900)) as opened:
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on("console", complain)
        opened.on("dialog", dismiss)
        yield opened
    assert faults == []
