"""Tournaments: the list, standings with their tie-breaks, rounds, the cross-table and the quality of the pairing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.plan.rounds import counted, played_round
from arena.plan.standings import SwissStanding, swiss_order
from arena.plan.swiss import PlayedRound, Quality, missed_targets, quality
from arena.reports.reader import Reader
from arena.store.rows import RoundState, StoredMatch, StoredRound, StoredTournament, TournamentState
from arena.store.tournaments import MAX_ROUNDS
from arena.web.broadcasts import MOST_TABLES, TableOnAir
from arena.web.pages.listing import Asked, listed
from ratings.points import UNIT
from referee.order import Ending, OrderError

MATRIX_MOST = 40
"""Entrants up to which the cross-table is a square."""

LATEST = 12

OnAir: TypeAlias = Sequence[TableOnAir] | None
"""Matches that are being played; None where the tournament is not played in this process."""

TIE_BREAKS = (
    ("points", "Points", "A round is worth up to one point: the share of opponents beaten, a tie counting half."),
    ("opponents", "Opponents", "First tie-break: the mean of the final points per round of all opponents met."),
    ("cut", "Without lowest", "Second: the same without the lowest opponent."),
    (
        "weighted",
        "Weighted",
        "Third: each round's points times the mean final points of the table's opponents, added up.",
    ),
    ("share", "Score share", "Fourth: shares of the tables' raw scores, where raw scores compare."),
    (
        "duel",
        "Head to head",
        "Fifth: points among those still equal, if all of them have met; then the lot. Wins never count.",
    ),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """One line of the list of tournaments."""

    id: str
    state: TournamentState
    reason: str
    games: tuple[str, ...]
    bots: int
    rounds_closed: int
    rounds_planned: int
    matches: int
    started_at: str


def name_of(label: str) -> str:
    """Return the name of a bot from the label of one of its versions."""
    name, at, _ = label.rpartition("@")
    return name if at else label


def version_of(label: str) -> str:
    """Return what tells the versions of a bot apart, shortened."""
    return label.rpartition("@")[2][:7] if "@" in label else ""


def summaries(reader: Reader, most: int | None = None) -> list[Summary]:
    """Return the tournaments, the latest first."""

    def work_out() -> list[Summary]:
        found = []
        for stored in reversed(reader.store.tournaments()[-(most or 0) :]):
            closed, planned = _round_counts(reader, stored)
            matches = reader.store.match_count(stored.id)
            games = tuple(dict.fromkeys(game["game"] for game in stored.settings["games"]))
            found.append(
                Summary(
                    stored.id,
                    stored.state,
                    stored.reason,
                    games,
                    len(stored.settings["bots"]),
                    closed,
                    planned,
                    matches,
                    stored.started_at,
                )
            )
        return found

    return reader.kept(("summaries", most), work_out)


def _round_counts(reader: Reader, stored: StoredTournament) -> tuple[int, int]:
    counts = reader.store.round_counts(stored.id)
    planned = stored.settings["points_rounds"] + stored.settings["rating_rounds"]
    return counts.get(RoundState.CLOSED, 0), max(planned, sum(counts.values()))


def list_page(reader: Reader, asked: Asked) -> dict[str, Any]:
    """What the list of tournaments shows."""
    page = listed(summaries(reader), asked, lambda each: each.id, {})
    return {"list": page, "rows": page.rows}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    state: TournamentState
    reason: str
    round: int
    rounds: int
    done: int
    planned: int
    """Matches of the round that is played."""
    matches: int

    @property
    def sentence(self) -> str:
        """Say it in one sentence, for the eye and for the ear."""
        if self.state is not TournamentState.RUNNING:
            return f"{(self.reason or self.state.value).capitalize()}."
        if not self.round:
            return "The first round is being paired."
        return f"Round {self.round} of {self.rounds}: {self.done} of {self.planned} matches played."


def closed_rounds(reader: Reader, tournament: str) -> int:
    """Return how many rounds are closed; what follows from them is the same while this is."""
    return reader.store.round_counts(tournament).get(RoundState.CLOSED, 0)


def played_rounds(reader: Reader, tournament: str) -> list[PlayedRound]:
    """Return the closed rounds as standings see them."""
    return reader.settled(
        ("played", tournament),
        closed_rounds(reader, tournament),
        lambda: [
            played_round(each, reader.store.matches(tournament, each.number))
            for each in reader.store.rounds(tournament)
            if each.state is RoundState.CLOSED
        ],
    )


def standings(reader: Reader, stored: StoredTournament) -> tuple[SwissStanding, ...]:
    """9.11: the Swiss order over the closed rounds; before the first is closed, nobody."""
    settings = stored.settings
    return reader.settled(
        ("standings", stored.id),
        closed_rounds(reader, stored.id),
        lambda: swiss_order(played_rounds(reader, stored.id), seed=settings["seed"], house_bots=settings["house_bots"]),
    )


def quality_rows(reader: Reader, stored: StoredTournament) -> tuple[list[tuple[str, str, str]], tuple[str, ...]]:
    """9.7: the metrics of the pairing in words, each with what it means, and the targets that are missed."""
    settings = stored.settings
    found: Quality = reader.settled(
        ("quality", stored.id),
        closed_rounds(reader, stored.id),
        lambda: quality(
            played_rounds(reader, stored.id),
            preferred=settings["games"][0]["sizes"][2],
            points_rounds=settings["points_rounds"],
            house_bots=settings["house_bots"],
        ),
    )
    rows = [
        (
            "Pairs that met again",
            f"{found.repeats} of {found.pairs}",
            "How often two bots shared a table a second time.",
        ),
        ("Most meetings of a pair", str(found.most_meetings), "In rounds that count for points."),
        (
            "Mean score spread",
            f"{float(found.mean_spread):.3f} points",
            "Between the best and the last of a table when it was paired.",
        ),
        ("Largest score spread", f"{found.spread_most / UNIT:.2f} points", "The widest table."),
        (
            "Largest seat imbalance",
            f"{found.seat_imbalance / 60:.2f} games",
            "How much more often than its share a bot had one seat.",
        ),
        ("Odd tables", str(found.odd_range), "Rounds at tables of another size: most less fewest of a bot."),
        ("Byes", f"{found.byes}, at most {found.most_byes} a bot", "Rounds without a table."),
    ]
    return rows, missed_targets(found)


def progress(reader: Reader, stored: StoredTournament) -> Progress:
    """Return how far a tournament is, by its last round alone."""
    closed, planned = _round_counts(reader, stored)
    number = reader.store.last_round(stored.id)
    matches = reader.store.match_count(stored.id)
    done = games = 0
    if number > closed:
        (last,) = reader.store.rounds(stored.id, number, number)
        games = games_planned(stored, last)
        done = len(counted(reader.store.matches(stored.id, number)))
    return Progress(stored.state, stored.reason, number, planned, done, games, matches)


def games_planned(stored: StoredTournament, stored_round: StoredRound) -> int:
    """Return how many games a round has: one a table, or one for each of its seats when blocks are played."""
    tables = stored_round.pairing["tables"]
    return sum(len(table["bots"]) if stored.settings["block"] else 1 for table in tables)


@dataclass(frozen=True, slots=True)
class Played:
    """A match on a tournament's page, its seats in order of their places."""

    match: StoredMatch
    seats: tuple[tuple[int | None, str, int | None, str], ...]
    """Place, bot, score, and how it ended for this bot where it did not end well."""


def played(match: StoredMatch) -> Played:
    """Return a match with its seats in order of their places."""
    seats = []
    for seat, bot in enumerate(match.seating):
        ending = match.seat_endings[seat]
        fault = "" if ending in (Ending.COMPLETED, Ending.VOIDED) else ending.value
        place = match.places[seat] if match.places else None
        seats.append((place, bot, match.scores[seat] if match.scores else None, fault))
    return Played(match, tuple(sorted(seats, key=lambda each: (each[0] or 99, each[1]))))


def head_on_air(head: str, on_air: OnAir) -> str:
    """Return the head of a page together with the matches that are being played."""
    return ".".join((head, *sorted(each.match_id[:8] for each in on_air or ())))


def live_part(
    reader: Reader, name: str, asked: Asked, on_air: OnAir = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """What changes on the page of a tournament while it runs."""
    stored = reader.store.tournament(name)
    lines = standings(reader, stored)
    page = listed(lines, asked, lambda line: line.bot, {}, is_whole=is_whole)
    rounds = reader.store.rounds(name)
    latest = latest_matches(reader, name)
    return {
        "tournament": stored,
        "progress": progress(reader, stored),
        "list": page,
        "rows": page.rows,
        "rounds": rounds,
        "latest": latest,
        "head": head_on_air(reader.store.tournament_head(name), on_air),
        "is_on_air": on_air is not None,
        "on_air": list(on_air or ())[:MOST_TABLES],
        "more_on_air": max(0, len(on_air or ()) - MOST_TABLES),
        "has_share": any(line.score_share for line in lines),
        "has_duels": any(line.head_to_head for line in lines),
        "tie_breaks": TIE_BREAKS,
        "name_of": name_of,
        "version_of": version_of,
        "unit": UNIT,
    }


def latest_matches(reader: Reader, tournament: str) -> list[Played]:
    """Return the matches that were stored last, the latest first."""
    return [played(match) for match in reader.store.latest_matches(tournament, LATEST)]


def tournament_page(
    reader: Reader, name: str, asked: Asked, on_air: OnAir = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """What the page of a tournament shows."""
    found = live_part(reader, name, asked, on_air, is_whole=is_whole)
    stored: StoredTournament = found["tournament"]
    rows, missed = quality_rows(reader, stored)
    return found | {
        "quality": rows,
        "missed": missed,
        "has_closed": closed_rounds(reader, name) > 0,
        "is_running": stored.state is TournamentState.RUNNING,
    }


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round with its games."""

    number: int
    bots: tuple[str, ...]
    games: tuple[Played, ...]
    on_air: tuple[TableOnAir, ...]
    """Its games that are being played now."""


def round_page(
    reader: Reader, name: str, number: int, asked: Asked, on_air: OnAir = None, *, is_whole: bool = False
) -> dict[str, Any]:
    """What the page of a round shows; an OrderError if there is no such round."""
    stored = reader.store.tournament(name)
    found = reader.store.rounds(name, number, number) if number <= MAX_ROUNDS else []
    if not found:
        raise OrderError(f"round: {name} has no round {number}")
    games: dict[int, list[Played]] = defaultdict(list)
    for match in reader.store.matches(name, number):
        games[match.table].append(played(match))
    tables = [
        Table(
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


def cross_page(reader: Reader, name: str, asked: Asked, *, is_whole: bool = False) -> dict[str, Any]:
    """What the cross-table shows: everybody against everybody in a small field, and everybody round by round."""
    stored = reader.store.tournament(name)
    lines = standings(reader, stored)
    rounds = played_rounds(reader, name)
    page = listed(lines, asked, lambda line: line.bot, {}, is_whole=is_whole)
    places = {line.bot: line.place for line in lines}
    matrix = _duels(rounds, [line.bot for line in lines]) if len(lines) <= MATRIX_MOST else None
    return {
        "tournament": stored,
        "list": page,
        "rows": page.rows,
        "lines": lines,
        "matrix": matrix,
        "cells": {line.bot: _round_cells(rounds, line.bot, places) for line in page.rows},
        "numbers": [each.number for each in reader.store.rounds(name) if each.state is RoundState.CLOSED],
        "name_of": name_of,
        "version_of": version_of,
        "unit": UNIT,
    }


def _duels(rounds: Sequence[PlayedRound], bots: Sequence[str]) -> dict[tuple[str, str], tuple[float, int]]:
    """Points of one bot against another in the games they shared: one for finishing ahead, half for a tie."""
    found: dict[tuple[str, str], tuple[float, int]] = {}
    wanted = set(bots)
    for each in rounds:
        for table in each.tables:
            for game in table.games:
                for one, bot in enumerate(table.bots):
                    for other, opponent in enumerate(table.bots):
                        if one != other and bot in wanted and opponent in wanted:
                            tied = game.places[one] == game.places[other]
                            won = 0.5 if tied else float(game.places[one] < game.places[other])
                            points, count = found.get((bot, opponent), (0.0, 0))
                            found[bot, opponent] = (points + won, count + 1)
    return found


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
