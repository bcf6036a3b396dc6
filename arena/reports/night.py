"""What a visitor is shown first: who won last night, and the match to look at."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis.judgement import JUDGE, Worlds
from arena.reports.closed_rounds import standings
from arena.reports.excitement import CloseFinish, closest_finish
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine
from arena.reports.tournament import entrants
from arena.store.judgements import JudgementKey
from arena.store.rows import RoundState, StoredMatch, StoredTournament, TournamentState

MAX_LOOKED_AT = 500
"""Judgements of a tournament among which the most dramatic match is looked for, the latest first."""
PODIUM = 3


@dataclass(frozen=True, slots=True)
class Drama:
    """The match of a tournament to look at first, and why: how far it turned, or else how close its finish was."""

    match: StoredMatch
    swing: float | None
    """The largest turn of the judge's curve, in points of 100; None where nothing was judged."""
    finish: CloseFinish | None

    @property
    def reason(self) -> str:
        """Say in half a sentence why this one."""
        if self.swing is not None:
            return f"the largest turn of the night: {self.swing:.0f} points of 100 for one seat"
        return "the closest finish of the night"


@dataclass(frozen=True, slots=True)
class LastNight:
    """A tournament that has ended: its first places and its most dramatic match."""

    tournament: str
    games: tuple[str, ...]
    bots: int
    matches: int
    podium: tuple[StandingLine, ...]
    """The first places."""
    drama: Drama | None


def last_night(reader: Reader) -> LastNight | None:
    """Return the tournament that finished last, by when it began; None if none has."""
    finished = [each for each in reader.store.tournaments.all() if each.state is TournamentState.FINISHED]
    return night_of(reader, finished[-1]) if finished else None


def night_of(reader: Reader, stored: StoredTournament) -> LastNight:
    """Return what is told of a tournament that has ended."""

    def work_out() -> LastNight:
        return LastNight(
            tournament=stored.id,
            games=tuple(dict.fromkeys(game["game"] for game in stored.settings["games"])),
            bots=len(entrants(reader.store, stored)),
            matches=reader.store.matches.count(stored.id),
            podium=standings(reader, stored)[:PODIUM],
            drama=drama_of(reader, stored),
        )

    judged = len(_judged(reader, stored))
    return reader.settled(("night", stored.id), (reader.store.corrections.total(), judged), work_out)


def drama_of(reader: Reader, stored: StoredTournament) -> Drama | None:
    """Return the most dramatic match of the closed rounds of a tournament; None if there is none."""
    keys = _judged(reader, stored)
    closed = reader.store.tournaments.round_counts(stored.id).get(RoundState.CLOSED, 0)

    def work_out() -> Drama | None:
        found = {match: swing for match, key in keys.items() if (swing := reader.swing(key)) is not None}
        for match in reader.store.matches.by_id(sorted(found, key=lambda each: (-found[each], each))):
            if not match.is_void:
                return Drama(match, found[match.id], None)
        finish = closest_finish(match for match in reader.store.matches.of(stored.id) if match.round <= closed)
        return None if finish is None else Drama(finish.match, None, finish)

    token = (closed, len(keys), reader.store.corrections.total())
    return reader.settled(("drama", stored.id), token, work_out)


def _judged(reader: Reader, stored: StoredTournament) -> dict[str, JudgementKey]:
    """Return the judgement that is shown first of every judged match, as far as is looked."""

    def work_out() -> dict[str, JudgementKey]:
        order = list(Worlds)
        keys: dict[str, JudgementKey] = {}
        for match, key in reader.store.judgements.of_tournament(JUDGE, stored.id, MAX_LOOKED_AT):
            shown = keys.setdefault(match, key)
            keys[match] = min(shown, key, key=lambda each: (order.index(Worlds(each.worlds)), -each.effort))
        return keys

    return reader.kept(("judged", stored.id), work_out)
