"""The pages' view of the database, with results cached while the file stays the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from arena.analysis.judgement import JUDGE, Judgement, Swing
from arena.fitting.fits import PoolFit, read_fit
from arena.reports.leaderboard import PoolBoard, RatingPool, board, pools, with_claims
from arena.reports.match import load_record
from arena.reports.tournament import TournamentSummary, summary
from arena.store import token_secrets
from arena.store.database import Store, open_to_read
from arena.store.judgements import JudgementKey
from arena.store.local_time import local_now
from arena.store.rows import StoredMatch, StoredRound, StoredTournament, TournamentState
from arena.store.tokens import Token
from arena.store.tournaments import MAX_ROUNDS
from referee.mistakes import NotFoundError
from referee.record import Record

T = TypeVar("T")

MAX_SETTLED = 128
MAX_SWINGS = 20_000  # matches


class Reader:
    """One read-only connection, shared by all pages; thread-safe."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store: Store = open_to_read(path)
        self._lock = threading.RLock()
        self._version: Any = None
        self._kept: dict[Any, Any] = {}
        self._settled: OrderedDict[Any, tuple[Any, Any]] = OrderedDict()
        self.swing = lru_cache(MAX_SWINGS)(self._swing)
        # Pages ask these of the store directly; a NotFoundError if there is no such tournament or match.
        self.close = self.store.close
        self.tournament = self.store.tournaments.find
        self.etag = self.store.tournaments.etag
        self.rounds = self.store.tournaments.rounds
        self.last_round = self.store.tournaments.last_round
        self.match = self.store.matches.find
        self.matches = self.store.matches.of
        self.has_match = self.store.matches.has
        self.is_settled = self.store.matches.is_settled
        self.record_text = self.store.matches.record
        self.extent = self.store.pools.extent
        self.ledger_head = self.store.heads.latest
        self.version = self.store.data_version
        self.found_tournaments = self.store.tournaments.search
        self.found_bots = self.store.bots.search

    def kept(self, key: object, work_out: Callable[[], T]) -> T:
        """Return the cached result for a key, recomputed after every write to the file."""
        with self._lock:
            version = self.store.data_version()
            if version != self._version:
                self._version = version
                self._kept.clear()
            if key not in self._kept:
                self._kept[key] = work_out()
            found: T = self._kept[key]
            return found

    def settled(self, key: object, token: object, work_out: Callable[[], T]) -> T:
        """Return the cached result for a key, recomputed when the token changes.

        For costly results that seldom change, such as standings, which change when a round closes.
        """
        with self._lock:
            if self._settled.get(key, (None, None))[0] != token:
                self._settled[key] = (token, work_out())
                while len(self._settled) > MAX_SETTLED:
                    self._settled.popitem(last=False)
            self._settled.move_to_end(key)
            found: T = self._settled[key][1]
            return found

    def _swing(self, key: JudgementKey) -> tuple[float, Swing] | None:
        """Return the drama and the swing of a match by a kept judgement; None if that cannot be read."""
        content = self.store.judgements.text(key)
        found = None if content is None else Judgement.from_json(content)
        return None if found is None or found.swing is None else (found.drama, found.swing)

    def fit(self, pool: str) -> PoolFit | None:
        """T8: return the fitted ratings of a pool, refitted only when a round has closed, and never stored."""
        return self.settled(("fit", pool), self.extent(pool), lambda: read_fit(self.store, None, pool))

    def round(self, tournament: str, number: int) -> StoredRound:
        """Return a round of a tournament; a NotFoundError if there is none."""
        found = self.store.tournaments.rounds(tournament, number, number) if number <= MAX_ROUNDS else []
        if not found:
            raise NotFoundError(f"round: {tournament} has no round {number}")
        return found[0]

    def record(self, match: StoredMatch) -> Record:
        """Return the record of a match with its seals checked."""
        return load_record(self.store, match)

    def last_settled(self, matches: Sequence[str]) -> StoredMatch | None:
        """Return the first of some matches that may be shown in full."""
        return next(filter(self.is_settled, self.store.matches.by_id(matches)), None)

    def summaries(self, most: int | None = None) -> list[TournamentSummary]:
        """Return the tournaments, the latest first."""

        def work_out() -> list[TournamentSummary]:
            return [summary(self.store, stored) for stored in reversed(self.store.tournaments.all()[-(most or 0) :])]

        return self.kept(("summaries", most), work_out)

    def running(self) -> list[StoredTournament]:
        """Return the running tournaments, the latest first."""
        return [each for each in self.store.tournaments.all()[::-1] if each.state is TournamentState.RUNNING]

    def active_bots(self) -> list[str]:
        """Return the names of the bots that are not retired."""
        return [version.name for version in self.store.bots.newest()]

    def judged_count(self, labels: Sequence[str]) -> int:
        """Return the number of kept judgements of some bots' matches."""
        return len(self.store.judgements.of_bots(JUDGE, labels))

    def holder(self, text: str) -> Token | None:
        """Return the token with this text; None if it is unknown, wrong or revoked."""
        return token_secrets.find(self.store, text)

    def is_good(self, token: Token) -> bool:
        """Return whether a token that was valid still is."""
        return token_secrets.is_good(self.store, token.id)

    def pools(self) -> list[RatingPool]:
        """Return all pools that have matches."""
        return self.kept("pools", lambda: pools(self.store))

    def board(self, pool: RatingPool, *, all_versions: bool = False) -> PoolBoard:
        """Return the leaderboard of a pool."""

        def work_out() -> PoolBoard:
            found = board(self.store, pool, self.fit(pool.name), local_now(), all_versions=all_versions)
            return with_claims(self.store, found)

        return self.kept(("board", pool.name, all_versions), work_out)
