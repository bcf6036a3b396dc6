"""A pool that plays bots as policies in processes of its own: no wire, no clock and no sandbox, but the same records.

A deterministic bot with a policy answers as its program does, so that what is played this way has the same ledger, to
the byte, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.policies import find_policy, load_policy, policy_of_rung
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import OpenPool, PoolConfig, Provenance, VerifyRecord, fault_of, voided
from arena.sandbox.levels import Level
from referee.game import MAX_OPTIONS
from referee.games import GAMES
from referee.mistakes import UserError
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, told_id
from referee.policy import LazyViews, Policy, Question
from referee.record import Choice, How, Recorder
from referee.spawning import spawned
from referee.wire import wire_for


def record_policies(fixture: MatchToPlay) -> MatchResult:
    """Play a match with the policies of its bots, and record it as a referee would; a UserError names a wrong one."""
    game, bots = GAMES[fixture.game], [bot for bot in fixture.bots if isinstance(bot, BotDirectory)]
    seats, options = len(bots), game.options(fixture.options)
    seated = tuple(SeatOrder(bot.label, "", bot.version, bot.public_key) for bot in bots)
    order = MatchOrder(
        fixture.match_id, fixture.game, fixture.options, seated, fixture.seed, fixture.time_control, terms=fixture.terms
    )
    policies = [_policy(bot.path) for bot in bots]
    told_ids = [told_id(fixture.seed, fixture.match_id, seat) for seat in range(seats)]
    state, _ = game.begin(seats, fixture.seed, options)
    recorder = Recorder(order, game, options, game.digest(state), wire_for(game).action_json)
    lazy_views, prompts, decisions = LazyViews(game, state), [0] * seats, 0
    while pending := game.pending(state):
        choices = []
        for decision in pending:
            seat, how, at = decision.seat, How.FORCED, 0
            listed = game.legal_actions(state, seat)
            if len(listed) > 1 or decision.open_ended:
                how = How.ANSWERED
                prompts[seat] += 1
                question = Question(
                    game, told_ids[seat], prompts[seat], seat, seats, decision.kind, lazy_views, listed[:MAX_OPTIONS]
                )
                try:
                    at = policies[seat](question)
                except Exception as error:
                    raise UserError(f"{bots[seat].label}: {type(error).__name__}: {error}") from error
                if not 0 <= at < question.option_count:
                    raise UserError(f"{bots[seat].label}: answered {at}; expected 0 to {question.option_count - 1}")
            choices.append(Choice(seat, listed[at], how))
        game.apply_checked(state, {choice.seat: choice.action for choice in choices})
        lazy_views.step += 1
        decisions += len(choices)
        recorder.add(choices, game.digest(state))
    outcome = game.outcome(state)
    assert outcome is not None  # no decision is open
    endings = (Ending.COMPLETED,) * seats
    result = {
        "ending": Ending.COMPLETED, "reason": outcome.reason, "ranks": list(outcome.ranks),
        "scores": list(outcome.scores), "seat_endings": list(endings), "forfeited_at": [None] * seats,
    }  # fmt: skip
    record = recorder.finish(result)
    return MatchResult(
        fixture.match_id, Ending.COMPLETED, outcome.reason, tuple(outcome.ranks), tuple(outcome.scores), endings,
        decisions, sum(prompts), record, digest=recorder.digest,
    )  # fmt: skip


@cache
def _policy(path: Path) -> Policy:
    return load_policy(policy_of_rung(read_bot(path)) if path.is_dir() else find_policy(str(path)))


def _begin() -> None:
    """Nothing to prepare: policies are loaded when they are first asked."""


class PolicyPool:
    """Plays fixtures of bots with policies, one for each process."""

    def __init__(self, processes: Any, count: int, verify: VerifyRecord | None) -> None:
        self._processes, self._count, self._verify = processes, count, verify
        self._running: set[str] = set()
        self._room = trio.CapacityLimiter(count)

    @property
    def capacity(self) -> int:
        """The number of processes."""
        return self._count

    @property
    def max_asked(self) -> int:
        """No more than there are processes."""
        return self._count

    async def play(self, fixture: MatchToPlay) -> MatchResult:
        """Play a match; it is void if its record is refused."""
        self._running.add(fixture.match_id)
        try:
            result: MatchResult = await trio.to_thread.run_sync(
                self._processes.apply, record_policies, (fixture,), limiter=self._room, abandon_on_cancel=True
            )
            fault = await fault_of(fixture, result, self._verify)
        finally:
            self._running.discard(fixture.match_id)
        return voided(fixture, fault, result) if fault else result

    def provenance_of(self, match_id: str) -> Provenance:
        """Return that policies run in no sandbox."""
        return Provenance(Level.NONE.value)

    def output_of(self, label: str) -> str:
        """Policies have no output of their own."""
        return ""

    def is_played(self, match_id: str) -> bool:
        """Return whether a match is being played now."""
        return match_id in self._running

    async def peek(self, match_id: str, after: int) -> list[str]:
        """Nothing is seen of a match before it ends."""
        return []

    def status(self) -> str:
        """Nothing to report."""
        return ""


def with_policies(processes: int) -> OpenPool:
    """Return what opens a pool of policies in some processes."""

    @asynccontextmanager
    async def opened(config: PoolConfig) -> AsyncIterator[PolicyPool]:
        with spawned(processes, _begin, ()) as pool:
            yield PolicyPool(pool, processes, config.verify)

    return opened
