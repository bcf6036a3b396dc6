"""One server for all tests that only talk to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.arena.server.running_server import Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with running(folder, "--unix", folder / "socket") as server:
        yield server
