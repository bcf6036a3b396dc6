"""The verifier: records played again in a fresh process before their result counts."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from arena.lines import as_line, read_lines


class Verifier:
    """A process that replays records, one at a time."""

    def __init__(self, process: trio.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input = process.stdin
        self._answers = read_lines(process.stdout)
        self._turn = trio.Lock()

    async def check(self, record: str) -> str | None:
        """Return None for a record that replays to the byte, else what is wrong with it."""
        async with self._turn:
            await self._input.send_all(as_line({"id": 0, "record": record}))
            error: str | None = json.loads(await anext(self._answers))["error"]
            return error


@asynccontextmanager
async def open_verifier() -> AsyncIterator[Verifier]:
    """Start a verifier process and end it on leaving."""
    process = await trio.lowlevel.open_process(
        [sys.executable, "-m", "referee.verify"], stdin=-1, stdout=-1, start_new_session=True
    )
    try:
        yield Verifier(process)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
