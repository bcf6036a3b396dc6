"""The latest tournament and its match to look at first: the most dramatic, or the closest finish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from arena.analysis.judgement import JUDGE, Swing
from arena.plan.settings import TournamentSettings
from arena.reports.closed_rounds import standings
from arena.reports.judgement import shown_order, text_of
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine
from arena.reports.tournament import entrants
from arena.store.judgements import JudgementKey
from arena.store.rows import RoundState, StoredMatch, StoredTournament, TournamentState
from referee.order import Ending

MAX_LOOKED_AT = 500
"""Judgements of a tournament searched for the most dramatic match, the latest first."""
PODIUM = 3


@dataclass(frozen=True, slots=True)
class CloseFinish:
    """The end of a match at the top: winner and runner-up with their scores."""

    match: StoredMatch
    winner: str
    winner_score: int
    runner_up: str
    runner_up_score: int
    is_shared: bool
    """Both are first."""

    @property
    def margin(self) -> Fraction:
        """The lead as a share of the winner's score, to compare games."""
        return Fraction(self.winner_score - self.runner_up_score, max(1, abs(self.winner_score)))


def closest_finish(matches: Iterable[StoredMatch]) -> CloseFinish | None:
    """Return the closest finish of the matches without a fault, the longest among equals."""
    finishes = [_finish(match) for match in matches if _is_whole(match)]
    return min(finishes, key=lambda each: (each.margin, -each.match.decisions, each.match.id), default=None)


def _is_whole(match: StoredMatch) -> bool:
    return (
        match.void_reason is None
        and not match.strikes
        and len(match.seating) > 1
        and all(ending is Ending.COMPLETED for ending in (match.ending, *match.seat_endings))
    )


def _finish(match: StoredMatch) -> CloseFinish:
    order = sorted(range(len(match.seating)), key=lambda seat: (match.places[seat], -match.scores[seat], seat))
    first, second = order[:2]
    return CloseFinish(
        match,
        match.seating[first],
        match.scores[first],
        match.seating[second],
        match.scores[second],
        is_shared=match.places[first] == match.places[second],
    )


@dataclass(frozen=True, slots=True)
class Drama:
    """The match of a tournament to look at first, by its swing or else by its close finish."""

    match: StoredMatch
    swing: Swing | None
    """The largest swing of the judge's curve in its errors; None without a judgement."""
    finish: CloseFinish | None

    @property
    def reason(self) -> str:
        """The reason for the choice, in half a sentence."""
        if self.swing is not None:
            points = text_of(abs(self.swing.change), self.swing.error, is_signed=False)
            return f"the surest swing of a close match: {points} points of 100 for one seat"
        return "the closest finish of the tournament"


@dataclass(frozen=True, slots=True)
class LatestTournament:
    """A finished tournament: its first places and its most dramatic match."""

    tournament: str
    games: tuple[str, ...]
    bots: int
    matches: int
    podium: tuple[StandingLine, ...]
    drama: Drama | None


def latest_tournament(reader: Reader) -> LatestTournament | None:
    """Return the finished tournament that began last; None if there is none."""
    finished = [each for each in reader.store.tournaments.all() if each.state is TournamentState.FINISHED]
    if not finished:
        return None
    stored = finished[-1]

    def work_out() -> LatestTournament:
        return LatestTournament(
            tournament=stored.id,
            games=tuple(game.slug for game in TournamentSettings.of(stored).games),
            bots=len(entrants(reader.store, stored)),
            matches=reader.store.matches.count(stored.id),
            podium=standings(reader, stored)[:PODIUM],
            drama=drama_of(reader, stored),
        )

    judged = len(_judged(reader, stored))
    return reader.settled(("latest", stored.id), (reader.store.corrections.total(), judged), work_out)


def drama_of(reader: Reader, stored: StoredTournament) -> Drama | None:
    """Return the most dramatic match in the closed rounds of a tournament; None if there is none."""
    keys = _judged(reader, stored)
    closed = reader.store.tournaments.round_counts(stored.id).get(RoundState.CLOSED, 0)

    def work_out() -> Drama | None:
        found = {match: swing for match, key in keys.items() if (swing := reader.swing(key)) is not None}
        for match in reader.store.matches.by_id(sorted(found, key=lambda each: (-found[each][0], each))):
            if not match.is_void:
                return Drama(match, found[match.id][1], None)
        finish = closest_finish(match for match in reader.store.matches.of(stored.id) if match.round <= closed)
        return None if finish is None else Drama(finish.match, None, finish)

    token = (closed, len(keys), reader.store.corrections.total())
    return reader.settled(("drama", stored.id), token, work_out)


def _judged(reader: Reader, stored: StoredTournament) -> dict[str, JudgementKey]:
    """Return the first judgement to show of every judged match, up to a limit."""

    def work_out() -> dict[str, JudgementKey]:
        keys: dict[str, JudgementKey] = {}
        for match, key in reader.store.judgements.of_tournament(JUDGE, stored.id, MAX_LOOKED_AT):
            keys[match] = min(keys.get(match, key), key, key=shown_order)
        return keys

    return reader.kept(("judged", stored.id), work_out)
