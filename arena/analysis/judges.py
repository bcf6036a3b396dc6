"""Judge processes, each judging one record after another."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain

import trio

from arena.play.lines import as_line, read_lines
from arena.store.judgements import JudgementKey
from referee.mistakes import UserError


class JudgeGoneError(UserError):
    """A judge process was killed."""


class JudgeProcess:
    """A process that judges records, one at a time."""

    def __init__(self, requests: trio.abc.SendStream, answers: AsyncIterator[bytes]) -> None:
        self._input = requests
        self._answers = answers

    async def judge(self, record: str, worlds: str, effort: int) -> str:
        """Return the judgement of a record as it was written; a UserError says why there is none."""
        try:
            await self._input.send_all(as_line({"record": record, "worlds": worlds, "effort": effort}))
            text = (await anext(self._answers)).decode("ascii")
        except (StopAsyncIteration, trio.BrokenResourceError):
            raise JudgeGoneError("the judge's process ended early") from None
        if text.startswith('{"error":'):
            raise UserError(json.loads(text)["error"])
        return text


@asynccontextmanager
async def open_judge(*, is_idle: bool, is_polite: bool = False) -> AsyncIterator[JudgeProcess]:
    """Start a judge and end it on leaving.

    An idle one runs only when the machine is otherwise idle, a polite one at a low priority.
    """
    manners = ["--idle"] if is_idle else ["--polite"] if is_polite else []
    command = [sys.executable, "-m", "arena.analysis", *manners]
    process = await trio.lowlevel.open_process(command, stdin=-1, stdout=-1, start_new_session=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with aclosing(read_lines(process.stdout)) as answers:
            yield JudgeProcess(process.stdin, answers)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


@dataclass(frozen=True, slots=True)
class Case:
    """One match to judge: plain data, so that any machine can do it."""

    match: str
    key: JudgementKey
    record: Callable[[], str]
    """Reads the record when its turn comes."""


ReportJudgement = Callable[[Case, str | UserError], Awaitable[None]]
"""Called with every case's judgement as written, or with the reason why there is none."""

JudgeAll = Callable[[Iterator[Case], ReportJudgement], Awaitable[None]]
"""Judges many matches, here or elsewhere, and reports each as it is done."""


def judges_here(processes: int, *, is_idle: bool) -> JudgeAll:
    """Return judges in several processes of this machine."""
    return partial(judge_all, processes=processes, is_idle=is_idle)


async def judge_all(cases: Iterator[Case], report: ReportJudgement, *, processes: int, is_idle: bool) -> None:
    """Judge many matches with several processes, and report each as it is done."""

    async def work() -> None:
        for first in cases:  # shared: every process takes the next one
            async with open_judge(is_idle=is_idle) as judge:
                for case in chain([first], cases):
                    try:
                        found: str | UserError = await judge.judge(case.record(), case.key.worlds, case.key.effort)
                    except UserError as error:
                        found = error
                    await report(case, found)
                    if isinstance(found, JudgeGoneError):
                        break  # another process continues with the next match

    async with trio.open_nursery() as nursery:
        for _ in range(processes):
            nursery.start_soon(work)
