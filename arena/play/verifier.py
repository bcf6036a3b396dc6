"""The verifier: records played again in a fresh process before their result counts."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import structlog
import trio

from arena.play.lines import as_line, read_lines
from referee.order import Ending, MatchResult

log: structlog.stdlib.BoundLogger = structlog.get_logger()


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

    async def approve(self, result: MatchResult) -> MatchResult:
        """T1.3: replay a record before its result counts; one that does not is a fault of ours and voids the match."""
        if result.ending is Ending.VOIDED:
            return result
        error = await self.check(result.record)
        if error is None:
            return result
        log.error("record.refused", match_id=result.match_id, reason=error)
        reason = f"the record does not replay: {error}"
        voided = tuple(Ending.VOIDED for _ in result.seat_endings)
        return MatchResult(result.match_id, Ending.VOIDED, reason, (), (), voided, 0, 0, result.record)


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
