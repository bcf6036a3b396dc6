"""Bots: the list, and for each its ratings with their history, its opponents, matches and forfeits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.reports.bot import BotReport, RatingStep, bots, report
from arena.reports.reader import Reader
from arena.web.charts import history
from arena.web.pages.listing import ListQuery, listed
from arena.web.pages.tournaments import name_of, version_of
from arena.web.rendering import game_title

LAST = 20
HISTORY = 400
MAX_DUELS = 60
"""Opponents that are shown in one game, those met most often first."""


def list_page(reader: Reader, asked: ListQuery) -> dict[str, Any]:
    """What the list of bots shows."""
    everybody = reader.kept("bots", lambda: bots(reader.store))
    sorts = {
        "bot": lambda bot: bot.name.casefold(),
        "matches": lambda bot: bot.matches,
        "versions": lambda bot: bot.versions,
    }
    page = listed(everybody, asked, lambda bot: bot.name, sorts)
    return {"list": page, "rows": page.rows, "version_of": version_of, "game_title": game_title}


def bot_page(reader: Reader, name: str) -> dict[str, Any]:
    """What the page of a bot shows to everybody; a NotFoundError if there is no such bot."""
    found: BotReport = reader.kept(("bot", name), lambda: report(reader.store, name, HISTORY))
    games: dict[str, list[Any]] = {}
    for rating in found.ratings:
        games.setdefault(rating.pool, []).append(rating)
    duels: dict[str, list[Any]] = {}
    for duel in found.duels:
        duels.setdefault(duel.game, []).append(duel)
    return {
        "bot": found,
        "pools": [
            {
                "pool": pool,
                "title": game_title(pool.rpartition(":")[0]),
                "ratings": ratings,
                "fitted": _fitted(reader, pool, [rating.label for rating in ratings]),
                "plot": _plot(pool, ratings),
            }
            for pool, ratings in games.items()
        ],
        "duels": [(game, game_title(game), lines[:MAX_DUELS], len(lines)) for game, lines in duels.items()],
        "recent": found.recent[:LAST],
        "forfeits": found.forfeits[:LAST],
        "shows_output": False,
        "name_of": name_of,
        "version_of": version_of,
        "game_title": game_title,
    }


def _plot(pool: str, ratings: list[Any]) -> Any:
    """The running Elo of every version, the newest first."""
    series = [(rating.label, _course(rating.history)) for rating in ratings if rating.history]
    if not series:
        return None
    newest = ratings[0]
    return history(series, f"The running Elo in {pool}, now {newest.elo:.0f} after {newest.matches} matches.")


def _course(history: Sequence[RatingStep]) -> list[float]:
    """The Elo before the first of the changes and after each."""
    return [history[0].after - history[0].change, *(change.after for change in history)]


def _fitted(reader: Reader, pool: str, labels: list[str]) -> dict[str, tuple[float, float]]:
    fit = reader.fit(pool)
    if fit is None:
        return {}
    return {line.bot: (line.rating, line.error) for line in fit.ratings if line.bot in labels}
