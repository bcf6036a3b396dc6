"""Judging on a cluster: its workers return the same judgements as this machine, to the byte."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial

import trio

from arena.analysis.judgement import Judgement
from arena.analysis.judges import Case, JudgeAll, ReportJudgement
from arena.cluster.engine import Engine, EngineLostError, open_engine
from arena.cluster.identity import chunks_for, unfit, wanted
from arena.cluster.task import Plain
from arena.sandbox.levels import Level
from arena.store.judgements import JudgementKey
from arena.store.matches import pack_record
from referee.logs import log
from referee.mistakes import UserError

POLL_SECONDS = 1.0
RETRY_SECONDS = 0.5
MAX_LOSSES = 5  # workers lost over one record, which may be the cause
PRIORITY = -20  # behind the matches of tournaments and their rechecks


def judges_on(given: str) -> JudgeAll:
    """Return the judges of a cluster, by the address of its scheduler or its scheduler file."""
    return partial(_judge_all, given)


async def _judge_all(given: str, cases: Iterator[Case], report: ReportJudgement) -> None:
    async with open_engine(given, "cluster") as engine, trio.open_nursery() as nursery:
        judging = _Judging(engine, report)
        nursery.start_soon(judging.watch_workers)
        await judging.run(cases)
        nursery.cancel_scope.cancel()


class _Judging:
    """Keeps two cases per core with the workers and a few ahead: one is judged while the next waits."""

    def __init__(self, engine: Engine, report: ReportJudgement) -> None:
        self.engine = engine
        self.report = report
        self._room = trio.CapacityLimiter(chunks_for(0))
        self._session = secrets.token_hex(8)
        self._serial = 0
        self._refused: set[str] = set()

    async def watch_workers(self) -> None:
        """Track the number of cores."""
        while True:
            cores = 0
            try:
                for worker in await self.engine.call(self.engine.workers):
                    reason = unfit(worker, Level.NONE)
                    if reason and worker.name not in self._refused:
                        log.error("worker.refused", worker=worker.name, reason=reason)
                        self._refused.add(worker.name)
                    cores += 0 if reason else worker.cores
            except EngineLostError as error:
                log.warning("cluster.unreachable", reason=str(error))
            self._room.total_tokens = chunks_for(cores)
            await trio.sleep(POLL_SECONDS)

    async def run(self, cases: Iterator[Case]) -> None:
        """Judge all cases, in any order."""
        async with trio.open_nursery() as nursery:
            for case in cases:
                await self._room.acquire_on_behalf_of(case)
                nursery.start_soon(self._judge, case)

    async def _judge(self, case: Case) -> None:
        try:
            found: str | UserError = await self._found(case)
        except UserError as error:
            found = error
        finally:
            self._room.release_on_behalf_of(case)
        await self.report(case, found)

    async def _found(self, case: Case) -> str:
        """Return the judgement of a case, asking again if a worker or the scheduler is lost."""
        plain = {"record": pack_record(case.record()), "worlds": case.key.worlds, "effort": case.key.effort}
        losses = 0
        while losses < MAX_LOSSES:
            self._serial += 1
            key = f"judge-{self._session}-{self._serial}"
            try:
                answer = await self.engine.call(self.engine.judge, key, plain, wanted(Level.NONE, ""), PRIORITY)
                if "lost" in answer:
                    raise EngineLostError(str(answer["lost"]))
            except EngineLostError as error:
                losses += self.engine.is_connected
                log.warning("judgement.lost", match_id=case.match, reason=str(error))
                await trio.sleep(RETRY_SECONDS)
                continue
            if "fault" in answer:
                raise UserError(str(answer["fault"]))
            return _checked(answer, case.key)
        raise UserError(f"{MAX_LOSSES} workers were lost over it")


def _checked(answer: Plain, key: JudgementKey) -> str:
    """Return a worker's judgement if it is by this judge and of this record and request."""
    try:
        text = str(answer["judgement"]).encode("ascii").decode()
        found = Judgement.from_json(text)
    except (KeyError, ValueError, TypeError):
        raise UserError(f"the answer of {answer.get('worker')} is not a judgement") from None
    if JudgementKey(found.digest, found.judge, found.worlds, found.effort) != key:
        raise UserError(f"the answer of {answer.get('worker')} is the judgement of something else")
    return text
