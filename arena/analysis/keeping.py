"""Judging the matches of a database, with every judgement kept beside its match."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from fractions import Fraction
from functools import partial
from pathlib import Path

import trio

from arena.analysis.judgement import JUDGE, Judgement, Worlds
from arena.analysis.judges import Case, JudgeAll, judges_here, open_judge
from arena.store.database import Store, open_store
from arena.store.judgements import JudgementKey
from arena.store.rows import StoredMatch
from referee.logs import log
from referee.mistakes import UserError

BACKGROUND_WORLDS = Worlds.KNEW
"""The worlds judged in the background: those shown to an author first."""
POLL_SECONDS = 1.0
PAUSE_SECONDS = 60.0
BATCH = 64
"""Matches judged in the background before looking for later ones, which come first; within them the closest do."""


def refuse_open_round(store: Store, match: StoredMatch) -> None:
    """Refuse to judge a match whose round is open: the judgement could still help a player."""
    if not store.matches.is_settled(match):
        what = f"round {match.round} of " if store.tournaments.is_listed(match.tournament) else ""
        raise UserError(f"match {match.id[:12]}: {what}{match.tournament} is open; it can be judged once it is closed")


def kept(store: Store, match: StoredMatch, worlds: Worlds, effort: int) -> Judgement | None:
    """Return the kept judgement of a match with exactly this effort, or None."""
    content = store.judgements.text(JudgementKey(match.record_digest, JUDGE, worlds, effort))
    return None if content is None else Judgement.from_json(content)


def keep(store: Store, judgement: Judgement) -> None:
    """Store a judgement."""
    key = JudgementKey(judgement.digest, judgement.judge, judgement.worlds, judgement.effort)
    store.judgements.add(key, judgement.to_json())


async def judge_now(path: Path, digest: str, record: str, effort: int) -> None:
    """Judge one record at a low priority on this machine and keep it in a database; a UserError says why not."""
    async with open_judge(is_idle=False, is_polite=True) as judge:
        found = await judge.judge(record, BACKGROUND_WORLDS, effort)
    key = JudgementKey(digest, JUDGE, BACKGROUND_WORLDS, effort)

    def add() -> None:
        with closing(open_store(path)) as store:
            store.judgements.add(key, found)

    await trio.to_thread.run_sync(add)


async def judge_matches(
    store: Store,
    matches: Iterable[str],
    worlds: Worlds,
    effort: int,
    *,
    judge_all: JudgeAll,
    done: Callable[[str, str | None], None],
) -> None:
    """Judge matches and keep the judgements; `done` gets every match, and why it could not be judged."""

    def case_of(match: str) -> Case:
        key = JudgementKey(store.matches.find(match).record_digest, JUDGE, worlds.value, effort)
        return Case(match, key, partial(store.matches.record, match))

    async def report(case: Case, found: str | UserError) -> None:
        if isinstance(found, str):
            await trio.to_thread.run_sync(store.judgements.add, case.key, found)
        done(case.match, None if isinstance(found, str) else str(found))

    await judge_all(map(case_of, matches), report)


def still_unjudged(store: Store, effort: int, tournament: str) -> int:
    """Return the number of a tournament's matches not yet judged in the background."""
    return len(store.judgements.missing(JUDGE, BACKGROUND_WORLDS, effort, tournament))


def closest_first(matches: Iterable[StoredMatch]) -> list[str]:
    """Return matches in the order of judging: the closest finish first, the longest among equals."""

    def key(match: StoredMatch) -> tuple[Fraction, int, str]:
        best = sorted(match.scores, reverse=True)[:2]
        margin = Fraction(best[0] - best[1], max(1, abs(best[0]))) if len(best) == 2 else Fraction(1)
        return margin, -match.decisions, match.id

    return [match.id for match in sorted(matches, key=key)]


async def judge_in_background(
    store: Store, effort: int, tournament: str | None = None, *, is_idle: bool = True
) -> None:
    """Judge closed rounds for ever, one match at a time, at the lowest priority on this machine.

    A match that cannot be judged is logged once and skipped.
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
        found = store.judgements.missing(JUDGE, BACKGROUND_WORLDS, effort, tournament, BATCH + len(refused))
        return closest_first(store.matches.by_id([match for match in found if match not in refused]))

    while True:
        try:
            settled = await trio.to_thread.run_sync(store.judgements.settled_so_far)
            matches = [] if settled == seen else await trio.to_thread.run_sync(waiting)
            if matches:
                alone = judges_here(1, is_idle=is_idle)
                await judge_matches(store, matches, BACKGROUND_WORLDS, effort, judge_all=alone, done=done)
                continue
            seen = settled
        except (sqlite3.Error, OSError) as error:  # a full disk must not end the tournament because of a judgement
            log.warning("judge.paused", reason=str(error))
            await trio.sleep(PAUSE_SECONDS)
        await trio.sleep(POLL_SECONDS)
