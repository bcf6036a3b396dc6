"""The story of a tournament: who led when, round by round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from arena.bots.label import name_of
from arena.plan.rounds import History
from arena.plan.schedules import SCHEDULES
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import PlayedRound
from arena.store.rows import StoredTournament
from ratings.points.points import BYE_POINTS, UNIT

MAX_RUNNERS = 5
"""Bots whose points are drawn, the best at the end."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The leader after a round, by points alone."""

    round: int
    leaders: tuple[str, ...]
    """Several if they had equal points."""
    points: float
    ahead: float
    """Of the next bot, with fewer points."""
    next: str | None


@dataclass(frozen=True, slots=True)
class Race:
    """How the points of a tournament added up."""

    leads: tuple[Lead, ...]
    runners: tuple[tuple[str, tuple[float, ...]], ...]
    """The best at the end with their points after every round, from before the first."""
    rounds: tuple[int, ...]
    """The rounds that count for points."""

    @property
    def sentences(self) -> list[str]:
        """Summarise it in a few sentences."""
        said = []
        for leaders, group in groupby(self.leads, key=lambda lead: lead.leaders):
            first, *rest = [lead.round for lead in group]
            last = rest[-1] if rest else first
            when = f"after round {first}" if first == last else f"from round {first} to round {last}"
            names = " and ".join(map(name_of, leaders[:3])) + (f" and {len(leaders) - 3} more" if leaders[3:] else "")
            said.append(f"{names} led {when}." if len(leaders) == 1 else f"{names} shared the lead {when}.")
        changes = sum(one.leaders != other.leaders for one, other in pairwise(self.leads))
        times = {0: "never changed hands", 1: "changed hands once", 2: "changed hands twice"}
        said.append(f"The lead {times.get(changes, f'changed hands {changes} times')}.")
        return said


def race_of(stored: StoredTournament, history: History) -> Race | None:
    """Return how the points added up; None before a points round is closed, or where points do not decide the order."""
    settings = TournamentSettings.of(stored)
    counting = [(number, each) for number, each in enumerate(history.rounds, start=1) if not each.is_rating]
    if not counting or SCHEDULES[settings.format].order(settings, history) is not None:
        return None
    totals = _totals([each for _, each in counting], {*settings.house_bots, *history.disqualified})
    numbers = tuple(number for number, _ in counting)
    if not totals:
        return None
    best = sorted(totals, key=lambda bot: (-totals[bot][-1], bot))
    return Race(
        tuple(_lead(number, at, totals) for at, number in enumerate(numbers, start=1)),
        tuple((bot, tuple(points / UNIT for points in totals[bot])) for bot in best[:MAX_RUNNERS]),
        numbers,
    )


def _totals(rounds: Sequence[PlayedRound], house: Collection[str]) -> dict[str, list[int]]:
    """The points of every bot before the first round and after each."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0])
    for at, each in enumerate(rounds, start=1):
        won: dict[str, int] = dict.fromkeys(each.byes, BYE_POINTS)
        for table in each.tables:
            won |= dict(zip(table.bots, table.points, strict=False))
        for bot in won.keys() - house:
            course = totals[bot]
            course += [course[-1]] * (at - len(course))  # rounds that it did not play
            course.append(course[-1] + won[bot])
    for course in totals.values():
        course += [course[-1]] * (len(rounds) + 1 - len(course))
    return totals


def _lead(number: int, at: int, totals: Mapping[str, Sequence[int]]) -> Lead:
    now = {bot: course[at] for bot, course in totals.items()}
    most = max(now.values())
    behind = [(-points, bot) for bot, points in now.items() if points < most]
    second = min(behind, default=None)
    return Lead(
        number,
        tuple(sorted(bot for bot, points in now.items() if points == most)),
        most / UNIT,
        0.0 if second is None else (most + second[0]) / UNIT,
        None if second is None else second[1],
    )
