"""Knockouts: the loser of a duel is out.

Bots are seeded by their fitted strength at the start, the strongest first, equals by draw key. The bracket has the next
power of two of spots, and the best seeds are left over for those that stay empty: they go through the first stage
without a duel. In every stage the best seed meets the worst that the bracket allows, and so on.

A duel is decided by blocks (T2.1), one in each round, at most `best_of` of them: more points win, as soon as the
other bot cannot catch up. If both have the same, up to `best_of` further blocks are played, of which the first that
is not shared decides; if none does, the better seed goes on. The next stage begins when all duels of one are decided.
A bot that leaves loses its duel. If the game needs more than two seats, house bots take the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.plan.rounds import History
from arena.plan.schedules.fixed import drawn, numbered
from arena.plan.schedules.schedule import OrderWords, Schedule
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing, PlayedRound, draw_key
from ratings.points.points import MIN_SEATS, UNIT

DECIDED = "the final is decided"


@dataclass(slots=True)
class Duel:
    """Two bots of one stage, by their seeds; one that has nobody to meet has won already."""

    one: int
    other: int | None
    points: tuple[int, int] = (0, 0)
    blocks: int = 0
    winner: int | None = None

    def judge(self, best_of: int, gone: Collection[int]) -> None:
        """Name the winner, if there is one."""
        lead = self.points[0] - self.points[1]
        if self.winner is not None:
            return
        if self.other is None or self.other in gone:
            self.winner = self.one
        elif self.one in gone:
            self.winner = self.other
        elif abs(lead) > max(0, best_of - self.blocks) * UNIT:
            self.winner = self.one if lead > 0 else self.other
        elif self.blocks >= 2 * best_of:
            self.winner = min(self.one, self.other)

    @property
    def loser(self) -> int | None:
        """Who is out; nobody where there was no duel."""
        return self.one if self.winner == self.other else self.other


@dataclass(slots=True)
class KnockoutStage:
    """The duels that are played at the same time; the last of the final stage may be for the third place."""

    duels: list[Duel]
    third: Duel | None = None

    def all(self) -> Iterator[Duel]:
        """Yield every duel in the order of the tables."""
        yield from self.duels
        if self.third is not None:
            yield self.third


class Knockout(Schedule):
    """Duels, seeded by rating; the loser is out."""

    about = "Duels, seeded by rating; the loser is out. `best_of` and `third_place` belong to it."
    order_words = OrderWords(
        "order of the knockout", "The bot that came further stands before, whatever the points; equals stand by seed."
    )

    def check(self, settings: TournamentSettings) -> None:
        """Two bots make a duel; house bots fill the tables of games that need more."""
        if len(settings.bots) < MIN_SEATS:
            raise ValueError("a knockout needs two bots")
        needed = max(game.sizes.least for game in settings.games) - MIN_SEATS
        if len(settings.house_bots) < needed:
            raise ValueError(f"a duel needs {needed} more to fill its table; expected as many house_bots")

    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """At least one block for each possible one of every stage; shared duels may take more."""
        stages = (len(settings.bots) - 1).bit_length()
        return max(stages * settings.best_of, played), 0

    def seeded(self, settings: TournamentSettings, history: History) -> Iterable[str]:
        """The first round is drawn by strength, and keeps the integers for all others."""
        return () if history.rounds else settings.bots

    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Seat the duels that are open."""
        seeds = seeding(settings, history.scores[0] if history.rounds else scores)
        number = len(history.rounds) + 1
        house = drawn(settings.house_bots, settings.seed, number)[: settings.game_in(number).sizes.least - MIN_SEATS]
        tables = []
        for duel in _stages(settings, history, seeds)[-1].all():
            if duel.winner is None and duel.other is not None:
                bots = (seeds[duel.one], seeds[duel.other], *house)
                tables.append(tuple(drawn(bots, settings.seed, number)))
        return numbered(tables)

    def is_over(self, settings: TournamentSettings, history: History) -> str:
        """When the final is decided, and the duel for the third place with it."""
        if not history.rounds:
            return ""
        last = _stages(settings, history, seeding(settings, history.scores[0]))[-1]
        return DECIDED if len(last.duels) == 1 and all(duel.winner is not None for duel in last.all()) else ""

    def order(self, settings: TournamentSettings, history: History) -> tuple[str, ...] | None:
        """The winner of the final, its loser, then those who came furthest; equals by seed."""
        if not history.rounds:
            return None
        seeds = seeding(settings, history.scores[0])
        found: list[int] = []
        for stage in reversed(_stages(settings, history, seeds)):
            found += _in_order(stage.duels)
            if stage.third is not None:
                found += _in_order([stage.third])
        return tuple(seeds[seed] for seed in dict.fromkeys(found))


def _in_order(duels: Sequence[Duel]) -> list[int]:
    """Return who meets in duels of one stage, by seed: first those who are not out."""
    met = [seed for duel in duels for seed in (duel.one, duel.other) if seed is not None]
    out = {duel.loser for duel in duels if duel.winner is not None}
    return sorted(met, key=lambda seed: (seed in out, seed))


def seeding(settings: TournamentSettings, scores: Mapping[str, int]) -> list[str]:
    """Return the bots by strength, the best first; equals by draw key."""
    return sorted(settings.bots, key=lambda bot: (-scores.get(bot, 0), draw_key(settings.seed, 0, bot), bot))


def bracket(size: int) -> list[int]:
    """Return the seeds in the order of the bracket, so that the best two can meet in the final only, and so on."""
    order = [0]
    while len(order) < size:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


def _stages(settings: TournamentSettings, history: History, seeds: Sequence[str]) -> list[KnockoutStage]:
    """Play the bracket again from the rounds so far; the last stage is the one that is open, or the final."""
    size = 1 << (len(seeds) - 1).bit_length()
    order = [seed if seed < len(seeds) else None for seed in bracket(size)]
    stages = [KnockoutStage([_duel(order[at], order[at + 1]) for at in range(0, size, 2)])]
    number = {bot: seed for seed, bot in enumerate(seeds)}
    for count in range(len(history.rounds) + 1):
        gone = [number[bot] for bot, first in history.left.items() if bot in number and first <= count + 1]
        while True:
            for duel in stages[-1].all():
                duel.judge(settings.best_of, gone)
            if len(stages[-1].duels) == 1 or any(duel.winner is None for duel in stages[-1].all()):
                break
            stages.append(_next_stage(stages[-1], has_third_place=settings.third_place))
        if count < len(history.rounds):
            _count(stages[-1], history.rounds[count], number)
    return stages


def _duel(one: int | None, other: int | None) -> Duel:
    assert one is not None, "the better seed of a pair is always there"
    return Duel(one, other)


def _next_stage(stage: KnockoutStage, *, has_third_place: bool) -> KnockoutStage:
    winners = [duel.winner for duel in stage.duels]
    following = KnockoutStage([_duel(winners[at], winners[at + 1]) for at in range(0, len(winners), 2)])
    losers = sorted(duel.loser for duel in stage.duels if duel.loser is not None)
    if has_third_place and len(following.duels) == 1 and len(losers) == 2:
        following.third = _duel(*losers)
    return following


def _count(stage: KnockoutStage, played: PlayedRound, number: Mapping[str, int]) -> None:
    """Add the points of a round to the duels that were played in it."""
    for table in played.tables:
        points = {number[bot]: share for bot, share in zip(table.bots, table.points, strict=True) if bot in number}
        for duel in stage.all():
            if duel.other is not None and duel.winner is None and {duel.one, duel.other} == set(points):
                duel.points = (duel.points[0] + points[duel.one], duel.points[1] + points[duel.other])
                duel.blocks += 1
