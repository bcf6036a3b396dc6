"""Tournaments: the list, standings with their tie-breaks, rounds, the cross-table and the quality of the pairing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from markupsafe import Markup, escape

from arena.bots.label import name_of
from arena.plan.swiss import PlayedRound, missed_targets
from arena.reports.closed_rounds import history, kept, standings
from arena.reports.columns import Column
from arena.reports.latest import drama_of
from arena.reports.lead import Race, race_of
from arena.reports.leaderboard import Line, PoolBoard, any_look_error, boards_of
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine, columns_of, order_words
from arena.reports.tournament import (
    MatchLine,
    corrected_matches,
    duels,
    latest_matches,
    metrics,
    progress,
    quality_of,
    round_lines,
    round_matches,
)
from arena.store.rows import StoredTournament, TournamentState
from arena.web import charts
from arena.web.live import MAX_TABLES
from arena.web.pages.listing import ListQuery, listed
from arena.web.rendering import game_title
from ratings.fit.shown import shown_error
from ratings.points.points import UNIT
from ratings.points.result import Fixture

MAX_DUEL_BOTS = 40  # maximum entrants of a square cross-table
LATEST = 12
MAX_RANKED = 100  # bots shown of a rating order
OPTIONAL = ("score_share", "head_to_head")  # columns left out when empty


LiveTables: TypeAlias = Sequence[Fixture] | None
"""Live matches; None where the tournament is not played in this process."""


def list_page(reader: Reader, asked: ListQuery) -> dict[str, Any]:
    """The context of the list of tournaments."""
    page = listed(reader.summaries(), asked, lambda each: each.tournament, {}, search=reader.found_tournaments)
    return {"list": page, "rows": page.rows}


def live_head(head: str, live_tables: LiveTables) -> str:
    """Return a page's head, the live matches included."""
    return ".".join((head, *sorted(each.match_id[:8] for each in live_tables or ())))


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A standings line with its cells, built here since a template takes three times as long."""

    line: StandingLine
    left: Markup
    right: Markup


def _cells(line: StandingLine, columns: Sequence[Column[StandingLine]]) -> tuple[Markup, Markup]:
    """Return the cells left and right of the bot."""
    cells = [
        f'<td class="{"number" if column.is_figure else "reason"}">{escape(column.cell(line))}</td>'
        for column in columns
    ]
    bot = [column.key for column in columns].index("bot")
    return Markup("".join(cells[:bot])), Markup("".join(cells[bot + 1 :]))


@dataclass(frozen=True, slots=True)
class RatingLine:
    """T11, T16.4: a bot in a tournament's rating order, and the claim about it and the next."""

    line: Line
    watched: str  # T15.5: half of the model's interval valid at any look
    claim: str  # the claim in words, for screen readers


@dataclass(frozen=True, slots=True)
class RatingOrder:
    """T11: the rating order of a tournament in one game, with the claims between neighbours."""

    title: str
    lines: tuple[RatingLine, ...]
    more: int  # bots that are not shown
    foot: str
    drift: str


CLAIMS = {
    ">": "better than the next",
    "<": "worse than the next, against this order",
    "=": "equal to the next within 25 Elo",
    "?": "not yet told apart from the next",
    "-": "not compared: one of them joined after the first round",
    "": "",
}


def rating_orders(reader: Reader, stored: StoredTournament) -> list[RatingOrder]:
    """T11, T16.4: the rating order of a tournament, game by game; none before a round is closed."""
    if not history(reader, stored).rounds:
        return []

    def work_out() -> list[RatingOrder]:
        boards = boards_of(reader.store, reader.fit, (), stored)
        return [_rating_order(each) for each in boards if each.fitted is not None]

    return kept(reader, "rating order", stored.id, work_out)


def _rating_order(found: PoolBoard) -> RatingOrder:
    ranked = [line for line in found.lines if line.rank is not None and line.rating is not None]
    lines = tuple(
        RatingLine(line, shown_error(any_look_error(line, found.confidence)), CLAIMS[line.claim])
        for line in ranked[:MAX_RANKED]
    )
    return RatingOrder(game_title(found.pool.game), lines, len(ranked) - len(lines), found.foot, found.drift)


def live_part(
    reader: Reader, name: str, asked: ListQuery, live_tables: LiveTables = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """The context of the live part of a tournament's page."""
    # Read first: a page newer than its head is fetched again, an older one never would be.
    head = live_head(reader.etag(name), live_tables)
    stored = reader.tournament(name)
    lines = standings(reader, stored)
    page = listed(lines, asked, lambda line: line.bot, {}, is_whole=is_whole)
    words = order_words(stored)
    shown = columns_of(words, lines)
    columns = [column for column in shown if column.key not in OPTIONAL or any(map(column.value, lines))]
    race: Race | None = kept(reader, "race", stored.id, lambda: race_of(stored, history(reader, stored)))
    return {
        "race": race,
        "race_drawn": None if race is None else _race_drawn(race),
        "drama": drama_of(reader, stored),
        **_matrix(reader, stored),
        "tournament": stored,
        "progress": progress(reader.store, stored),
        "list": page,
        "rows": [StandingRow(line, *_cells(line, columns)) for line in page.rows],
        "orders": rating_orders(reader, stored),
        "rounds": round_lines(reader.store, name),
        "corrected": corrected_matches(reader.store, name),
        "latest": latest_matches(reader.store, name, LATEST),
        "head": head,
        "is_live": live_tables is not None,
        "live_tables": list(live_tables or ())[:MAX_TABLES],
        "more_live": max(0, len(live_tables or ()) - MAX_TABLES),
        "columns": columns,
        "order_words": words,
    }


def tournament_page(
    reader: Reader, name: str, asked: ListQuery, live_tables: LiveTables = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """The context of a tournament's page."""
    found = live_part(reader, name, asked, live_tables, is_whole=is_whole)
    stored: StoredTournament = found["tournament"]
    quality = kept(reader, "quality", stored.id, lambda: quality_of(stored, history(reader, stored)))  # T7
    return found | {
        "quality": metrics(quality),
        "missed": missed_targets(quality),
        "has_closed": bool(history(reader, stored).rounds),
        "is_running": stored.state is TournamentState.RUNNING,
        "ledger_head": reader.ledger_head(),
    }


def _race_drawn(race: Race) -> Markup:
    best = ", ".join(name_of(bot) for bot, _ in race.runners)
    return charts.race([values for _, values in race.runners], race.rounds, f"The points of {best}, round by round.")


def _matrix(reader: Reader, stored: StoredTournament) -> dict[str, Any]:
    """The square cross-table, if there are few enough entrants."""
    lines = standings(reader, stored)

    def work_out() -> dict[tuple[str, str], tuple[float, int]]:
        return duels(history(reader, stored).rounds, [line.bot for line in lines])

    is_small = len(lines) <= MAX_DUEL_BOTS
    return {"lines": lines, "matrix": kept(reader, "duels", stored.id, work_out) if is_small else None}


@dataclass(frozen=True, slots=True)
class TableOfGames:
    """A table of a round with its games."""

    number: int
    bots: tuple[str, ...]
    games: tuple[MatchLine, ...]
    live_tables: tuple[Fixture, ...]  # its live games


def round_page(
    reader: Reader, name: str, number: int, asked: ListQuery, live_tables: LiveTables = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """The context of a round's page; a NotFoundError if there is no such round."""
    stored = reader.tournament(name)
    found = reader.round(name, number)
    games: dict[int, list[MatchLine]] = defaultdict(list)
    for match in round_matches(reader.store, name, number):
        games[match.table].append(match)
    tables = [
        TableOfGames(
            table.table,
            table.seats,
            tuple(games[table.table]),
            tuple(each for each in live_tables or () if (each.round, each.table) == (number, table.table)),
        )
        for table in found.tables
    ]
    page = listed(tables, asked, lambda table: " ".join(table.bots), {}, is_whole=is_whole)
    return {
        "tournament": stored,
        "round": found,
        "list": page,
        "rows": page.rows,
        "byes": found.byes,
        "last": reader.last_round(name),
    }


@dataclass(frozen=True, slots=True)
class RoundCell:
    """A bot's result in one round."""

    text: str
    about: str
    round: int


def cross_page(reader: Reader, name: str, asked: ListQuery, *, is_whole: bool = False) -> dict[str, Any]:
    """The context of the cross-table: the square if there are few entrants, and results round by round."""
    stored = reader.tournament(name)
    lines = standings(reader, stored)
    rounds = list(enumerate(history(reader, stored).rounds, start=1))
    page = listed(lines, asked, lambda line: line.bot, {}, is_whole=is_whole)
    places = {line.bot: line.place for line in lines}
    return {
        "tournament": stored,
        "list": page,
        "rows": page.rows,
        **_matrix(reader, stored),
        "cells": {line.bot: [_round_cell(*each, line.bot, places) for each in rounds] for line in page.rows},
        "numbers": [number for number, _ in rounds],
    }


def _round_cell(number: int, played: PlayedRound, bot: str, places: dict[str, int]) -> RoundCell:
    if bot in played.byes:
        return RoundCell("bye", "a round without a table", number)
    table = next((table for table in played.tables if bot in table.bots), None)
    if table is None:
        return RoundCell("–", "did not take part", number)
    others = [other for other in table.bots if other != bot]
    points = table.points[table.bots.index(bot)] if table.points else 0
    met = ", ".join(str(places.get(other, "house")) for other in others)
    return RoundCell(f"{points / UNIT:.2f} ({met})", f"against {', '.join(map(name_of, others))}", number)
