"""Tournaments: the list, standings with their tie-breaks, rounds, the cross-table and the quality of the pairing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, TypeAlias, TypeVar

from markupsafe import Markup, escape

from arena.plan.swiss import PlayedRound, Quality, missed_targets
from arena.reports.closed_rounds import history, kept, standings
from arena.reports.columns import Column
from arena.reports.latest import drama_of
from arena.reports.lead import Race, race_of
from arena.reports.leaderboard import Line, PoolBoard, any_look_error, boards_of
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine, columns_of, order_words
from arena.reports.tournament import (
    MatchLine,
    TournamentSummary,
    corrected_matches,
    duels,
    match_line,
    metrics,
    progress,
    quality_of,
    round_lines,
    round_matches,
    summary,
)
from arena.store.rows import RoundState, StoredTournament, TournamentState
from arena.store.tournaments import MAX_ROUNDS
from arena.web import charts
from arena.web.broadcasts import MAX_TABLES, TableOnAir
from arena.web.pages.listing import ListQuery, listed
from arena.web.rendering import game_title
from ratings.points.points import UNIT
from referee.mistakes import NotFoundError

MAX_DUEL_BOTS = 40
"""Entrants up to which the cross-table is a square."""

LATEST = 12

MAX_RANKED = 100
"""Bots of the rating order that a page shows."""

OPTIONAL = ("score_share", "head_to_head", "disqualified")
"""Columns that a page leaves out where nobody has anything in them."""

T = TypeVar("T")

TablesOnAir: TypeAlias = Sequence[TableOnAir] | None
"""Matches that are being played; None where the tournament is not played in this process."""


def name_of(label: str) -> str:
    """Return the name of a bot from the label of one of its versions."""
    name, at, _ = label.rpartition("@")
    return name if at else label


def version_of(label: str) -> str:
    """Return what tells the versions of a bot apart, shortened."""
    return label.rpartition("@")[2][:7] if "@" in label else ""


def summaries(reader: Reader, most: int | None = None) -> list[TournamentSummary]:
    """Return the tournaments, the latest first."""

    def work_out() -> list[TournamentSummary]:
        return [summary(reader.store, stored) for stored in reversed(reader.store.tournaments()[-(most or 0) :])]

    return reader.kept(("summaries", most), work_out)


def list_page(reader: Reader, asked: ListQuery) -> dict[str, Any]:
    """What the list of tournaments shows."""
    page = listed(summaries(reader), asked, lambda each: each.tournament, {})
    return {"list": page, "rows": page.rows}


def quality_found(reader: Reader, stored: StoredTournament) -> Quality:
    """T7: the metrics of the pairing."""
    return kept(reader, "quality", stored.id, lambda: quality_of(stored, history(reader, stored).rounds))


def head_on_air(head: str, on_air: TablesOnAir) -> str:
    """Return the head of a page together with the matches that are being played."""
    return ".".join((head, *sorted(each.match_id[:8] for each in on_air or ())))


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of the standings with its cells, which a template would take three times as long to put together."""

    line: StandingLine
    left: Markup
    right: Markup


def _cells(line: StandingLine, columns: Sequence[Column[StandingLine]]) -> tuple[Markup, Markup]:
    """Return the cells before and after the bot's own."""
    cells = [
        f'<td class="{"number" if column.is_figure else "reason"}">{escape(column.cell(line))}</td>'
        for column in columns
    ]
    bot = [column.key for column in columns].index("bot")
    return Markup("".join(cells[:bot])), Markup("".join(cells[bot + 1 :]))


@dataclass(frozen=True, slots=True)
class RatingLine:
    """T11, T16.4: a bot in the rating order of a tournament, and what is claimed of it and the next."""

    line: Line
    watched: str
    """T15.5: half of the interval that may be watched, by the model."""
    claim: str
    """The mark in words, for those who do not see it."""


@dataclass(frozen=True, slots=True)
class RatingOrder:
    """T11: the rating order of a tournament in one game, with the marks between neighbours."""

    title: str
    lines: tuple[RatingLine, ...]
    more: int
    """Bots that are not shown."""
    foot: str


CLAIMS = {
    ">": "better than the next",
    "<": "worse than the next, against this order",
    "=": "equal to the next within 25 Elo",
    "?": "not yet told apart from the next",
    "-": "not compared: one of the two was not there in the first round",
    "": "",
}


def rating_orders(reader: Reader, stored: StoredTournament) -> list[RatingOrder]:
    """T11, T16.4: the rating order of a tournament, game by game; none before a round is closed."""
    if not reader.store.round_counts(stored.id).get(RoundState.CLOSED):
        return []

    def work_out() -> list[RatingOrder]:
        boards = boards_of(reader.store, reader.fit, (), stored)
        return [_rating_order(each) for each in boards if each.fitted is not None]

    return kept(reader, "rating order", stored.id, work_out)


def _rating_order(found: PoolBoard) -> RatingOrder:
    ranked = [line for line in found.lines if line.rank is not None and line.rating is not None]
    lines = tuple(
        RatingLine(line, f"{ceil(any_look_error(line)):,}", CLAIMS[line.mark]) for line in ranked[:MAX_RANKED]
    )
    return RatingOrder(game_title(found.pool.game), lines, len(ranked) - len(lines), found.foot)


def live_part(
    reader: Reader, name: str, asked: ListQuery, on_air: TablesOnAir = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """What changes on the page of a tournament while it runs."""
    # Before everything else: a page that is newer than its head is fetched once more, one that is older never is.
    head = head_on_air(reader.store.tournament_head(name), on_air)
    stored = reader.store.tournament(name)
    lines = standings(reader, stored)
    page = listed(lines, asked, lambda line: line.bot, {}, is_whole=is_whole)
    words = order_words(stored)
    columns = [column for column in columns_of(words) if column.key not in OPTIONAL or any(map(column.value, lines))]
    race = _race(reader, stored)
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
        "latest": [match_line(match) for match in reader.store.latest_matches(name, LATEST)],
        "head": head,
        "is_on_air": on_air is not None,
        "on_air": list(on_air or ())[:MAX_TABLES],
        "more_on_air": max(0, len(on_air or ()) - MAX_TABLES),
        "columns": columns,
        "order_words": words,
        "name_of": name_of,
        "version_of": version_of,
    }


def tournament_page(
    reader: Reader, name: str, asked: ListQuery, on_air: TablesOnAir = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """What the page of a tournament shows."""
    found = live_part(reader, name, asked, on_air, is_whole=is_whole)
    stored: StoredTournament = found["tournament"]
    quality = quality_found(reader, stored)
    return found | {
        "quality": metrics(quality),
        "missed": missed_targets(quality),
        "has_closed": bool(history(reader, stored).rounds),
        "is_running": stored.state is TournamentState.RUNNING,
        "ledger_head": reader.store.ledger_head(),
    }


def _race(reader: Reader, stored: StoredTournament) -> Race | None:
    """Who led when, over the closed rounds."""
    return kept(reader, "race", stored.id, lambda: race_of(stored, history(reader, stored)))


def _race_drawn(race: Race) -> Markup:
    best = ", ".join(name_of(bot) for bot, _ in race.runners)
    return charts.race([values for _, values in race.runners], race.rounds, f"The points of {best}, round by round.")


def _matrix(reader: Reader, stored: StoredTournament) -> dict[str, Any]:
    """Everybody against everybody, if they are few enough for a square."""
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
    on_air: tuple[TableOnAir, ...]
    """Its games that are being played now."""


def round_page(
    reader: Reader, name: str, number: int, asked: ListQuery, on_air: TablesOnAir = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """What the page of a round shows; a NotFoundError if there is no such round."""
    stored = reader.store.tournament(name)
    found = reader.store.rounds(name, number, number) if number <= MAX_ROUNDS else []
    if not found:
        raise NotFoundError(f"round: {name} has no round {number}")
    games: dict[int, list[MatchLine]] = defaultdict(list)
    for match in round_matches(reader.store, name, number):
        games[match.table].append(match)
    tables = [
        TableOfGames(
            table["number"],
            tuple(table["bots"]),
            tuple(games[table["number"]]),
            tuple(each for each in on_air or () if (each.round, each.table) == (number, table["number"])),
        )
        for table in found[0].pairing["tables"]
    ]
    page = listed(tables, asked, lambda table: " ".join(table.bots), {}, is_whole=is_whole)
    return {
        "tournament": stored,
        "round": found[0],
        "list": page,
        "rows": page.rows,
        "byes": found[0].pairing["byes"],
        "last": reader.store.last_round(name),
        "name_of": name_of,
        "version_of": version_of,
    }


@dataclass(frozen=True, slots=True)
class RoundCell:
    """What a bot did in one round."""

    text: str
    about: str
    round: int


def cross_page(reader: Reader, name: str, asked: ListQuery, *, is_whole: bool = False) -> dict[str, Any]:
    """What the cross-table shows: everybody against everybody if they are few, and everybody round by round."""
    stored = reader.store.tournament(name)
    lines = standings(reader, stored)
    rounds = history(reader, stored).rounds
    page = listed(lines, asked, lambda line: line.bot, {}, is_whole=is_whole)
    places = {line.bot: line.place for line in lines}
    return {
        "tournament": stored,
        "list": page,
        "rows": page.rows,
        **_matrix(reader, stored),
        "cells": {line.bot: _round_cells(rounds, line.bot, places) for line in page.rows},
        "numbers": list(range(1, len(rounds) + 1)),
        "name_of": name_of,
        "version_of": version_of,
    }


def _round_cells(rounds: Sequence[PlayedRound], bot: str, places: dict[str, int]) -> list[RoundCell]:
    cells = []
    for number, each in enumerate(rounds, start=1):
        if bot in each.byes:
            cells.append(RoundCell("bye", "a round without a table", number))
            continue
        table = next((table for table in each.tables if bot in table.bots), None)
        if table is None:
            cells.append(RoundCell("–", "did not take part", number))
            continue
        others = [other for other in table.bots if other != bot]
        points = table.points[table.bots.index(bot)] if table.points else 0
        met = ", ".join(str(places[other]) if other in places else "house" for other in others)
        cells.append(
            RoundCell(
                f"{points / UNIT:.2f} ({met})", f"against {', '.join(name_of(other) for other in others)}", number
            )
        )
    return cells
