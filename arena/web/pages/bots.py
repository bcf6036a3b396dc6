"""Bots: the list, and for each its ratings with their history, its opponents, matches and forfeits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from arena.reports.bot import BotReport, HeadToHead, RatingReport, bots, rating_course, report
from arena.reports.bot_play import NothingJudgedError, PlayReport, play_report
from arena.reports.compare import usual_line
from arena.reports.reader import Reader
from arena.web.charts import history
from arena.web.pages.listing import ListQuery, listed
from arena.web.rendering import game_title
from ratings.fit.fit import CONFIDENCE, FittedRating
from ratings.fit.shown import shown_rating
from ratings.sequential.test import DEFAULT_ERROR

LAST = 20
HISTORY = 400
MAX_RESULTS = 12  # opponents with a result on the page
MAX_DUELS = 60  # opponents shown per game, the most frequent first


def list_page(reader: Reader, asked: ListQuery) -> dict[str, Any]:
    """The context of the list of bots."""
    everybody = reader.kept("bots", lambda: bots(reader.store))
    sorts = {
        "bot": lambda bot: bot.name.casefold(),
        "matches": lambda bot: bot.matches,
        "versions": lambda bot: bot.versions,
    }
    page = listed(everybody, asked, lambda bot: bot.name, sorts, search=reader.found_bots)
    return {"list": page, "rows": page.rows}


def bot_page(reader: Reader, name: str) -> dict[str, Any]:
    """The public context of a bot's page; a NotFoundError if there is no such bot."""
    found: BotReport = reader.kept(("bot", name), lambda: report(reader.store, name, HISTORY, reader.fit))
    games: dict[str, list[RatingReport]] = defaultdict(list)
    for rating in found.ratings:
        games[rating.pool].append(rating)
    duels: dict[str, list[HeadToHead]] = defaultdict(list)
    for duel in found.duels:
        duels[duel.game].append(duel)
    return {
        "bot": found,
        "pools": [
            {
                "pool": pool,
                "title": game_title(pool.rpartition(":")[0]),
                "ratings": ratings,
                "fitted": _fitted(reader, pool, [rating.label for rating in ratings]),
                "plot": _plot(reader, pool, ratings),
            }
            for pool, ratings in games.items()
        ],
        "duels": [
            {
                "title": game_title(game),
                "lines": lines[:MAX_DUELS],
                "count": len(lines),
                "results": _results(reader, games, game, lines[:MAX_RESULTS]),
            }
            for game, lines in duels.items()
        ],
        "play": _play(reader, found),
        "recent": found.recent[:LAST],
        "forfeits": found.forfeits[:LAST],
        "shows_output": False,
    }


def _plot(reader: Reader, pool: str, ratings: Sequence[RatingReport]) -> Markup | None:
    """The rating history, oldest version first; `ratings` has the newest first."""
    fit = reader.fit(pool)
    confidence = CONFIDENCE if fit is None else fit.confidence
    courses = rating_course(reader.store, pool, [rating.label for rating in reversed(ratings)], HISTORY, confidence)
    if not courses:
        return None
    newest = ratings[0]
    now = shown_rating(newest.elo)
    about = f"The rating in {pool} over the matches: running Elo now {now} after {newest.matches} matches."
    return history(courses, about)


def _fitted(reader: Reader, pool: str, labels: Sequence[str]) -> dict[str, FittedRating]:
    fit = reader.fit(pool)
    return {} if fit is None else {line.bot: line for line in fit.ratings if line.bot in labels}


def _results(
    reader: Reader, games: Mapping[str, Sequence[RatingReport]], game: str, duels: Sequence[HeadToHead]
) -> dict[str, str]:
    """T14.11: the result of the newest version against its opponents, by opponent."""
    pool = next((pool for pool in games if pool.rpartition(":")[0] == game), None)
    if pool is None:
        return {}
    ours = games[pool][0].label

    def work_out() -> dict[str, str]:
        return {
            duel.opponent: usual_line(reader.store, pool, ours, duel.opponent, Decimal(DEFAULT_ERROR))
            for duel in duels
            if duel.opponent != ours
        }

    return reader.settled(("results", ours, pool), reader.extent(pool), work_out)


def _play(reader: Reader, bot: BotReport) -> PlayReport | None:
    """The judge's report on its play; None if none of its matches was judged."""
    labels = [version.label for version in bot.versions]

    def work_out() -> PlayReport | None:
        try:
            return play_report(reader.store, bot.name)
        except NothingJudgedError:
            return None

    judged = reader.judged_count(labels)
    return reader.settled(("play", bot.name), judged, work_out) if judged else None
