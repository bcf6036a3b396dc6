"""What a pool is: whatever plays matches, several at once, here or elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

import trio

from arena.bots.directory import Bot
from arena.bots.process import KeptOutput
from arena.plan.settings import RunSettings
from arena.play.agreement import disagreement
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import Level, SandboxPolicy
from arena.store.rows import Recheck
from referee.order import Ending, MatchResult

MAX_ATTEMPTS = 3  # times a match is played again for faults of ours


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a match was played: the sandbox of its bots, and the machine with how fast it once was."""

    sandbox: str
    worker: str = ""
    """The name of a worker of a cluster; empty for a match played at the arena."""
    calibration: int | None = None
    """Thousands of hashes in a second of processor time: to tell machines apart, never to scale a clock by."""
    packed_record: bytes = b""
    """The record as the store keeps it, if it came like that."""


class Pool(Protocol):
    """Plays fixtures, several at once, here or elsewhere; a result that it returns agrees with what was ordered."""

    @property
    def capacity(self) -> int:
        """How many matches it plays at once, as far as is known now."""

    @property
    def max_asked(self) -> int:
        """How many matches it may be asked for at once: those that it cannot play yet wait."""

    async def play(self, fixture: MatchToPlay) -> MatchResult:
        """Play one match; it is void if that cannot be done, or if what comes of it is not to be believed."""

    def provenance_of(self, match_id: str) -> Provenance:
        """Return where a match that it has played was played; asked once, with its result in hand."""

    def output_of(self, label: str) -> str:
        """Return what the newest process of a bot has printed so far, as much as was kept."""

    def is_played(self, match_id: str) -> bool:
        """Tell whether a match is being played right now."""

    async def peek(self, match_id: str, after: int) -> list[str]:
        """Return the next lines of the record of a match that is being played; none when there are none yet.

        They hold everything, hidden cards included: whoever asks must show no more than its reader may know.
        """

    def status(self) -> str:
        """Say in a few words who plays and what waits, where that is not plain; empty otherwise."""


class RunningBot(Protocol):
    """A bot that was told where its referee is: a process of ours, or one elsewhere."""

    output: KeptOutput

    @property
    def host_kill(self) -> str:
        """Why its host has killed it, where that is certain; empty otherwise."""

    async def watch(self) -> str:
        """Stay with it to its end, and say how it ended."""

    async def settle(self) -> None:
        """Wait until it has dealt with everything it was told."""

    async def wait(self) -> None:
        """Wait for it to leave by itself."""

    async def stop(self) -> None:
        """End it."""


VerifyRecord = Callable[[MatchResult], Awaitable[str | None]]
"""Replays the record of a match; what is wrong with it, or None."""

Room = Callable[[], AbstractAsyncContextManager[None]]
"""Entered for as long as a match is played that has its slots."""

StartBot = Callable[[Bot, str, str, Level], Awaitable[RunningBot]]
"""Starts a bot, given the referee's address, its ticket there, and the sandbox; a BotStartError says why it cannot."""


def voided(fixture: MatchToPlay, reason: str, refused: MatchResult | None = None) -> MatchResult:
    """Return the result of a match that came to nothing, with the record of the one that was refused."""
    endings = tuple(Ending.VOIDED for _ in fixture.bots)
    record, digest = ("", "") if refused is None else (refused.record, refused.digest)
    return MatchResult(fixture.match_id, Ending.VOIDED, reason, (), (), endings, 0, 0, record, digest=digest)


async def fault_of(fixture: MatchToPlay, result: MatchResult, verify: VerifyRecord | None) -> str:
    """T1.3: say why a result is not to be believed; nothing if it agrees with its record and order, and replays."""
    if fault := disagreement(fixture, result):
        return f"the result is not what was ordered and played: {fault}"
    if verify is not None and result.ending is not Ending.VOIDED and (error := await verify(result)):
        return f"the record does not replay: {error}"
    return ""


async def _forget(recheck: Recheck) -> None:
    """Keep nothing of it."""


@dataclass(frozen=True, slots=True)
class PoolConfig:
    """What a tournament or test asks of the pool that plays it."""

    run: RunSettings
    fresh_process: bool
    log_level: str
    sandbox: SandboxPolicy
    start_bot: StartBot
    heard: Callable[[str, int, str], None]
    verify: VerifyRecord
    tournament: str = ""
    """Or the id of a test."""
    rechecked: Callable[[Recheck], Awaitable[None]] = _forget
    """Told what came of a match that was played again."""


OpenPool = Callable[[PoolConfig], AbstractAsyncContextManager[Pool]]


async def play_all(
    pool: Pool, fixtures: Sequence[MatchToPlay], most: int, report: Callable[[int, MatchResult], Awaitable[None]]
) -> None:
    """Play fixtures, asking for at most so many at once, and report each by its number as it ends, in any order."""
    numbers = iter(range(len(fixtures)))

    async def work() -> None:
        for number in numbers:
            await report(number, await pool.play(fixtures[number]))

    async with trio.open_nursery() as nursery:
        for _ in range(min(most, len(fixtures))):
            nursery.start_soon(work)
