"""CPU time of one step of a long match on the web site, compared with the smallest page of the same server.

Every answer goes through the whole application in this process: routing, headers, compression. The baseline is the
sign-in page, which needs nothing from the database.

python -m arena.bench.pages
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from arena.bench.figures import Figures, Targets
from arena.bench.recorded_match import random_chooser, record_match
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from arena.store.database import open_store
from arena.store.rows import MatchToStore, TournamentState
from arena.web.app import create_app
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.games import BUILT_IN, GAMES
from referee.order import MatchOrder, MatchResult, SeatOrder
from referee.record import read

STEPS = 900
"""The target length of the match, found by trying a few seeds; shorter games take their longest."""
SEEDS = 6
SAMPLES = 40
TARGET_MS = 100
NOW = "2026-01-01T00:00:00+00:00"


def recorded(slug: str, fixture: Fixture) -> MatchResult:
    """Play a random match and record it."""
    seats = tuple(SeatOrder(bot, "t") for bot in fixture.seating)
    return record_match(MatchOrder(fixture.match_id, slug, {}, seats, fixture.seed), random_chooser(fixture.seed))


def fill(path: Path) -> dict[str, tuple[str, int]]:
    """Store one long match of every game as the arena does; return their ids and steps."""
    store = open_store(path, create=True)
    found = {}
    for slug in BUILT_IN:
        game = GAMES[slug]
        seats = game.preferred_seats
        bots = tuple(f"bot-{seat}@0123456789ab" for seat in range(seats))
        fixtures = [Fixture(f"cup-{slug}", 1, 1, 0, bots, seed) for seed in range(SEEDS)]
        tried = [(recorded(slug, fixture), fixture) for fixture in fixtures]
        result, fixture = min(tried, key=lambda each: abs(len(read(each[0].record).steps) - STEPS))
        pool = f"{slug}:{game.rules_version}"
        for bot in fixture.seating:
            store.bots.add(bot, bot.partition("@")[0], "0" * 60, "/bots", {"name": bot}, NOW)
        settings = TournamentSettings(
            games=(GameSettings(slug, game.rules_version, {}, TableSizes(2, 5, seats)),), bots=fixture.seating,
            format="swiss", points_rounds=1, seed=5, block=False, top=None,
        )  # fmt: skip
        store.tournaments.add(fixture.tournament, settings.to_plain(), {}, [(pool, slug, game.rules_version)], NOW)
        drawn = [RoundTable(1, fixture.seating, (fixture.seed,), 1)]
        store.tournaments.add_round(fixture.tournament, 1, slug, False, drawn)
        store.matches.add(MatchToStore(fixture, 0, slug, result), NOW)
        versions = ("0" * 60,) * seats
        entered = LedgerResult(
            fixture, pool, result.ranks, "engine", versions, result.digest, result.ending, result.scores
        )
        store.tournaments.close_round(fixture.tournament, 1, [entered], [], 1.0)
        store.tournaments.set_state(fixture.tournament, TournamentState.FINISHED, "all rounds are played", NOW)
        found[slug] = (fixture.match_id, len(read(result.record).steps))
    store.close()
    return found


def fetch(app: Any, path: str, query: str = "") -> tuple[float, int]:
    """Fetch a page; return the CPU time in milliseconds and the bytes sent."""
    sent = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(b"host", b"127.0.0.1"), (b"accept-encoding", b"gzip")], "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }  # fmt: skip
    start = process_time()
    asyncio.run(app(scope, receive, send))
    spent = 1000 * (process_time() - start)
    assert sent[0]["status"] == 200, (path, sent[0]["status"])
    return spent, sum(len(message.get("body", b"")) for message in sent)


def spread_over(steps: int, ask: Callable[[int], tuple[float, int]]) -> tuple[float, float, float]:
    """Fetch steps all over a match; return the median and the longest time, and the median of the bytes."""
    found = [ask(1 + steps * (7 * number % SAMPLES) // SAMPLES) for number in range(SAMPLES)]
    return median(ms for ms, _ in found), max(ms for ms, _ in found), median(size for _, size in found)


def main() -> int:
    """Measure and print; 1 if a step of any game takes too long."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        matches = fill(path)
        app = create_app(path)
        for _ in range(3):
            fetch(app, "/sign-in")
        floor = median(fetch(app, "/sign-in")[0] for _ in range(SAMPLES))
        print(f"the smallest page: {floor:.1f} ms of CPU time")
        figures = Figures(("Game", "Steps", "First view, ms", "A step", "Longest", "× floor", "KB sent"))
        slowest = 0.0
        for slug, (match, steps) in matches.items():
            first, _ = fetch(create_app(path), f"/matches/{match}")
            app = create_app(path)
            fetch(app, f"/matches/{match}/step", "step=0")  # plays the match once, and keeps positions of it

            def ask(step: int, match: str = match, app: Any = app) -> tuple[float, int]:
                return fetch(app, f"/matches/{match}/step", f"step={step}&seat=open")

            typical, longest, size = spread_over(steps, ask)
            slowest = max(slowest, longest)
            costs = (first, typical, longest, typical / floor, size / 1000)
            figures.add(GAMES[slug].title, steps, *(f"{cost:.1f}" for cost in costs))
    targets = Targets()
    targets.check(f"the longest step took {slowest:.1f} ms (at most {TARGET_MS})", slowest <= TARGET_MS)
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
