"""Judging what a database has: one match or all of a tournament, each kept beside its match for the next who asks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import trio

from arena.analysis.judgement import JUDGE, Judgement, Worlds
from arena.analysis.judges import Case, JudgeAll, judges_here
from arena.store.database import Store
from arena.store.judgements import JudgementKey
from arena.store.rows import StoredMatch
from referee.logs import log
from referee.mistakes import UserError

BACKGROUND_WORLDS = Worlds.KNEW
"""What is judged without being asked for: what its author is shown first."""
POLL_SECONDS = 1.0
PAUSE_SECONDS = 60.0
AT_ONCE = 64
"""Matches that the background takes up before it looks again for later ones, which come first."""


def refuse_open_round(store: Store, match: StoredMatch) -> None:
    """Refuse to judge a match whose round is not closed: what it shows could still help somebody who plays on."""
    if not store.matches.is_settled(match):
        what = f"round {match.round} of " if store.tournaments.is_listed(match.tournament) else ""
        raise UserError(f"match {match.id[:12]}: {what}{match.tournament} is open; it is judged once that has closed")


def kept(store: Store, match: StoredMatch, worlds: Worlds, effort: int) -> Judgement | None:
    """Return the judgement of a match that was kept, of exactly this effort, or None."""
    content = store.judgements.text(JudgementKey(match.record_digest, JUDGE, worlds, effort))
    return None if content is None else Judgement.from_json(content)


def keep(store: Store, judgement: Judgement) -> None:
    """Keep a judgement for the next who asks."""
    key = JudgementKey(judgement.digest, judgement.judge, judgement.worlds, judgement.effort)
    store.judgements.add(key, judgement.to_json())


def cases_of(store: Store, matches: Iterable[str], worlds: Worlds, effort: int) -> Iterator[Case]:
    """Yield the matches as cases for the judges."""
    for match in matches:
        key = JudgementKey(store.matches.find(match).record_digest, JUDGE, worlds.value, effort)
        yield Case(match, key, partial(store.matches.record, match))


async def judge_matches(
    store: Store,
    matches: Iterable[str],
    worlds: Worlds,
    effort: int,
    *,
    judge_all: JudgeAll,
    done: Callable[[str, str | None], None],
) -> None:
    """Judge matches and keep what is found; `done` hears of every match, and why it could not be judged."""

    async def report(case: Case, found: str | UserError) -> None:
        if isinstance(found, str):
            await trio.to_thread.run_sync(store.judgements.add, case.key, found)
        done(case.match, None if isinstance(found, str) else str(found))

    await judge_all(cases_of(store, matches, worlds, effort), report)


def still_unjudged(store: Store, effort: int, tournament: str) -> int:
    """Return how many matches of a tournament the background has not come to."""
    return len(store.judgements.missing(JUDGE, BACKGROUND_WORLDS, effort, tournament))


async def judge_in_background(
    store: Store, effort: int, tournament: str | None = None, *, is_idle: bool = True
) -> None:
    """Judge whatever rounds have closed, for ever, one match at a time and behind everything else on this machine.

    A match that cannot be judged is noted once and passed over.
    """
    refused: set[str] = set()
    seen = -1

    def done(match: str, fault: str | None) -> None:
        if fault is None:
            log.debug("match.judged", match_id=match)
        else:
            refused.add(match)
            log.warning("match.unjudged", match_id=match, reason=fault)

    def waiting() -> list[str]:
        found = store.judgements.missing(JUDGE, BACKGROUND_WORLDS, effort, tournament, AT_ONCE + len(refused))
        return [match for match in found if match not in refused]

    while True:
        try:
            settled = await trio.to_thread.run_sync(store.judgements.settled_so_far)
            matches = [] if settled == seen else await trio.to_thread.run_sync(waiting)
            if matches:
                alone = judges_here(1, is_idle=is_idle)
                await judge_matches(store, matches, BACKGROUND_WORLDS, effort, judge_all=alone, done=done)
                continue
            seen = settled
        except (sqlite3.Error, OSError) as error:  # a full disk must not end the tournament for a judgement's sake
            log.warning("judge.paused", reason=str(error))
            await trio.sleep(PAUSE_SECONDS)
        await trio.sleep(POLL_SECONDS)
