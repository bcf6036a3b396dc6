"""The distribution's Chromium, driven for tests and screenshots of the web site, which a real process serves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.patience import patience

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip

START_MS = patience(18) * 1000
"""A busy machine starts a browser slowly."""

PATIENCE_MS = patience(18) * 1000
"""For anything that a page has yet to show; only a very busy machine takes this long."""

HOW_TO_GET_IT = "there is no Chromium here; tools/install_browser.sh installs it"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser with its own empty profile."""
    if CHROMIUM is None:
        raise RuntimeError(HOW_TO_GET_IT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS), timeout=START_MS
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def window(browser: Browser, size: tuple[int, int], **options: Any) -> Iterator[Page]:
    """Open a page in a window of this size, with timeouts fit for a busy machine."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    context.set_default_timeout(PATIENCE_MS)
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def served(database: Path) -> Iterator[str]:
    """Serve a database with `arena web` on a free port; the address is read from its output."""
    command = [sys.executable, "-m", "arena", "web", "--db", str(database), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert "http://" in line, f"arena web said {line!r}"
        yield line[line.index("http://") :].strip()
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_MS / 1000)
        process.stdout.close()
