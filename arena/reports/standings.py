"""T11: the Swiss order of a tournament as everybody reads it: CLI, JSON, messages and pages alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.plan.rounds import played_round
from arena.plan.standings import SwissStanding, swiss_order
from arena.plan.swiss import PlayedRound
from arena.reports.columns import Column, decimals
from arena.store.database import Store
from arena.store.rows import RoundState, StoredTournament
from ratings.points import UNIT
from referee.game import has_comparable_scores
from referee.games import GAMES


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of the Swiss order, in points."""

    place: int
    bot: str
    points: float
    rounds: int
    opponents: float
    opponents_cut: float
    weighted: float
    score_share: float
    head_to_head: float


STANDING_COLUMNS: tuple[Column[StandingLine], ...] = (
    Column("place", "place"),
    Column("bot", "bot", is_figure=False),
    Column(
        "points",
        "points",
        decimals(3),
        "A round is worth up to one point: the share of opponents beaten, a tie counting half.",
    ),
    Column("rounds", "rounds", about="Rounds that count for points, byes included."),
    Column(
        "opponents",
        "opponents",
        decimals(3),
        "First tie-break: the mean of the final points per round of all opponents met.",
    ),
    Column("opponents_cut", "without lowest", decimals(3), "Second: the same without the lowest opponent."),
    Column(
        "weighted",
        "weighted",
        decimals(3),
        "Third: each round's points times the mean final points of the table's opponents, added up.",
    ),
    Column(
        "score_share",
        "score share",
        decimals(3),
        "Fourth: shares of the tables' raw scores, in games whose raw scores compare.",
    ),
    Column(
        "head_to_head",
        "head to head",
        decimals(3),
        "Fifth: points among those still equal, if all of them have met; then the lot. Wins never count.",
    ),
)
"""T11: equal points are told apart by the columns after them, from left to right."""


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """A closed round as pairing and standings see it."""

    number: int
    is_rating: bool
    played: PlayedRound


def closed_rounds(store: Store, tournament: str) -> list[ClosedRound]:
    """Return the closed rounds of a tournament, rating rounds too."""
    return [
        ClosedRound(
            each.number,
            each.is_rating,
            played_round(each, store.matches(tournament, each.number), with_scores=_compares(each.game)),
        )
        for each in store.rounds(tournament)
        if each.state is RoundState.CLOSED
    ]


def _compares(slug: str) -> bool:
    """T11.5: tell whether a game declares its raw scores comparable; one that is not installed does not."""
    return slug in GAMES and has_comparable_scores(GAMES[slug])


def standings_of(settings: Mapping[str, Any], rounds: Sequence[ClosedRound]) -> tuple[StandingLine, ...]:
    """T10, T11: the Swiss order over the rounds that count for points; before the first is closed, nobody."""
    lines = swiss_order(
        [each.played for each in rounds if not each.is_rating],
        seed=settings["seed"],
        house_bots=settings["house_bots"],
    )
    return tuple(map(_line, lines))


def standings(store: Store, stored: StoredTournament) -> tuple[StandingLine, ...]:
    """T11: the Swiss order of a tournament over its closed rounds."""
    return standings_of(stored.settings, closed_rounds(store, stored.id))


def _line(line: SwissStanding) -> StandingLine:
    return StandingLine(
        place=line.place,
        bot=line.bot,
        points=line.points / UNIT,
        rounds=line.rounds,
        opponents=float(line.opponents / UNIT),
        opponents_cut=float(line.opponents_cut / UNIT),
        weighted=float(line.weighted / UNIT / UNIT),
        score_share=float(line.score_share),
        head_to_head=float(line.head_to_head),
    )
