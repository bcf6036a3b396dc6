"""The verifier: records played again in a fresh process before their result counts."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import trio

from arena.play.lines import as_line, read_lines


class Verifier:
    """A process that replays records, one at a time."""

    def __init__(self, requests: trio.abc.SendStream, answers: AsyncIterator[bytes]) -> None:
        self._input = requests
        self._answers = answers
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
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with aclosing(read_lines(process.stdout)) as answers:
            yield Verifier(process.stdin, answers)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
