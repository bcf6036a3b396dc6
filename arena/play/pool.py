"""The pool protocol: plays matches concurrently, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from fractions import Fraction
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

MAX_ATTEMPTS = 3  # times a match is played again after our own faults


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a match was played: the sandbox of its bots, and the machine with its calibration."""

    sandbox: str
    worker: str = ""
    """The name of a cluster worker; empty for a match played at the arena."""
    calibration: int | None = None
    """Thousands of hashes per CPU second: to tell machines apart, never to scale a clock."""
    packed_record: bytes = b""
    """The record as the store keeps it, if it arrived packed."""


class Pool(Protocol):
    """Plays fixtures concurrently, on this machine or on a cluster; its results agree with their orders."""

    @property
    def capacity(self) -> int:
        """The number of matches it plays concurrently, as far as is known now."""

    @property
    def max_asked(self) -> int:
        """The number of matches that may be requested concurrently; those beyond the capacity wait."""

    async def play(self, fixture: MatchToPlay) -> MatchResult:
        """Play one match; it is void if it cannot be played or if its result is refused."""

    def provenance_of(self, match_id: str) -> Provenance:
        """Return where a finished match was played; asked once, with its result in hand."""

    def output_of(self, label: str) -> str:
        """Return the kept output of a bot's newest process."""

    def is_played(self, match_id: str) -> bool:
        """Return whether a match is being played now."""

    async def peek(self, match_id: str, after: int) -> list[str]:
        """Return the next lines of the record of a running match; [] if there are none yet.

        They hold everything, hidden cards included: the caller must show no more than its reader may know.
        """

    def status(self) -> str:
        """Return the number of players and waiting matches in a few words, where that is not obvious."""


class RunningBot(Protocol):
    """A bot that knows its referee's address: a local process, or a remote bot."""

    output: KeptOutput

    @property
    def host_kill(self) -> str:
        """Why the host killed it, where that is certain; empty otherwise."""

    async def watch(self) -> str:
        """Wait until it ends and return how it ended."""

    async def settle(self) -> None:
        """Wait until it has processed everything it was sent."""

    async def wait(self) -> None:
        """Wait for it to exit on its own."""

    async def stop(self) -> None:
        """End it."""


VerifyRecord = Callable[[MatchResult], Awaitable[str | None]]
"""Replays the record of a match; the fault found, or None."""

Room = Callable[[Fraction], AbstractAsyncContextManager[object]]
"""Entered with its share of a processor while a match that has its slots is played."""

StartBot = Callable[[Bot, str, str, Level], Awaitable[RunningBot]]
"""Starts a bot, given the referee's address, its ticket there, and the sandbox; a BotStartError says why it cannot."""


def voided(fixture: MatchToPlay, reason: str, refused: MatchResult | None = None) -> MatchResult:
    """Return the result of a void match, with the record of the refused one."""
    endings = (Ending.VOIDED,) * len(fixture.bots)
    record, digest = ("", "") if refused is None else (refused.record, refused.digest)
    return MatchResult(fixture.match_id, Ending.VOIDED, reason, (), (), endings, 0, 0, record, digest=digest)


async def fault_of(fixture: MatchToPlay, result: MatchResult, verify: VerifyRecord | None) -> str:
    """T1.3: return why a result is refused; empty if it agrees with its record and order, and replays."""
    if fault := disagreement(fixture, result):
        return f"the result does not match its order and record: {fault}"
    if verify is not None and result.ending is not Ending.VOIDED and (error := await verify(result)):
        return f"the record does not replay: {error}"
    return ""


async def _forget(recheck: Recheck) -> None:
    """Discard it."""


@dataclass(frozen=True, slots=True)
class PoolConfig:
    """The pool that a tournament or test asks for."""

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
    """Called with the outcome of a replayed match."""


OpenPool = Callable[[PoolConfig], AbstractAsyncContextManager[Pool]]


async def play_all(
    pool: Pool, fixtures: Sequence[MatchToPlay], most: int, report: Callable[[int, MatchResult], Awaitable[None]]
) -> None:
    """Play fixtures, at most `most` concurrently, and report each by its number as it ends, in any order."""
    numbers = iter(range(len(fixtures)))

    async def work() -> None:
        for number in numbers:
            await report(number, await pool.play(fixtures[number]))

    async with trio.open_nursery() as nursery:
        for _ in range(min(most, len(fixtures))):
            nursery.start_soon(work)
