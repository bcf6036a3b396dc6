"""Leaderboards: of every game, over all games, and the best of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from arena.reports.leaderboard import (
    LEADERBOARD_COLUMNS,
    NO_OVERALL,
    OVERALL,
    FormPlace,
    Line,
    OverallLine,
    PoolBoard,
    find_pool,
    form_of,
    newest,
    overall,
    remarks,
)
from arena.reports.reader import Reader
from arena.web.charts import interval, scale_of
from arena.web.pages.listing import ListQuery, listed
from arena.web.rendering import game_title

TOP = 5
RECENT_TOURNAMENTS = 8

SORTS: Mapping[str, Callable[[Line], Any]] = {column.key: column.value for column in LEADERBOARD_COLUMNS} | {
    "bot": lambda line: line.bot.casefold()
}

BESIDE = ("version", "error")  # columns shown inside another: the version with the name, the interval with the rating
PAGE_COLUMNS = tuple(column for column in LEADERBOARD_COLUMNS if column.key not in BESIDE)


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A leaderboard line with its drawings."""

    line: Line
    left: Markup  # the cells left of the bot
    right: Markup  # the cells right of it, up to its form; built here, since a template takes three times as long
    form: tuple[FormPlace, ...]


def rows_of(reader: Reader, board: PoolBoard, lines: Sequence[Line]) -> list[LeaderboardRow]:
    """Return lines with their intervals, all on one scale, and their form."""
    scale = scale_of([(line.rating, line.error or 0.0) for line in board.lines if line.rating is not None])
    return [
        LeaderboardRow(line, *_cells(line, scale), form_of(reader.store, board.pool.name, line.label)) for line in lines
    ]


BOT_AT = [column.key for column in PAGE_COLUMNS].index("bot")


def _cells(line: Line, scale: tuple[float, float]) -> tuple[Markup, Markup]:
    cells = []
    for column in PAGE_COLUMNS:
        value = column.value(line)
        text = escape(column.cell(line) or "–")
        beside = ""
        if column.key == "rating" and line.rating is not None:
            beside = f' <span class="quiet">± {line.shown_error}</span>'
        cells.append(
            f'<td class="number nowrap" data-value="{"" if value is None else escape(value)}">{text}{beside}</td>'
        )
        if column.key == "rating":
            drawn = "" if line.rating is None else interval(line.rating, line.error or 0.0, scale)
            cells.append(f"<td>{drawn}</td>")
    return Markup("".join(cells[:BOT_AT])), Markup("".join(cells[BOT_AT + 1 :]))


def game_page(reader: Reader, name: str, asked: ListQuery, *, is_whole: bool = False) -> dict[str, Any]:
    """The context of one game's leaderboard."""
    pool = find_pool(reader.pools(), name)
    board = reader.board(pool, all_versions=asked.all_versions)
    page = listed(board.lines, asked, lambda line: line.label, SORTS, is_whole=is_whole)
    return {
        "pool": pool,
        "title": game_title(pool.game),
        "board": board,
        "list": page,
        "rows": rows_of(reader, board, page.rows),
        "columns": PAGE_COLUMNS,
        "remarks": remarks(board),
        "others": [other for other in reader.pools() if other != pool],
    }


OVERALL_SORTS: Mapping[str, Callable[[OverallLine], Any]] = {
    "rank": lambda line: line.rank,
    "bot": lambda line: line.bot.casefold(),
    "votes": lambda line: line.votes,
    "games": lambda line: len(line.games),
}


def overall_lines(reader: Reader) -> list[OverallLine]:
    """T8.13: the bots over all games."""
    pools = newest(reader.pools())
    token = tuple((pool.name, reader.extent(pool.name)) for pool in pools)
    return reader.settled("overall", token, lambda: overall([reader.board(pool) for pool in pools], reader.fit))


def overall_page(reader: Reader, asked: ListQuery, *, is_whole: bool = False) -> dict[str, Any]:
    """The context of the overall leaderboard."""
    page = listed(overall_lines(reader), asked, lambda line: line.label, OVERALL_SORTS, is_whole=is_whole)
    return {"list": page, "rows": page.rows, "about": OVERALL, "empty": NO_OVERALL}


def best_of_all(reader: Reader) -> dict[str, Any]:
    """The best of each game and over all, and the latest tournaments, for the first page."""
    boards = [reader.board(pool) for pool in newest(reader.pools())]
    lines = overall_lines(reader)
    return {
        "boards": [
            (
                board,
                game_title(board.pool.game),
                rows_of(reader, board, [line for line in board.lines if line.rank is not None][:TOP]),
            )
            for board in boards
        ],
        "overall": lines[:TOP],
        "overall_count": len(lines),
        "tournaments": reader.summaries(RECENT_TOURNAMENTS),
    }
