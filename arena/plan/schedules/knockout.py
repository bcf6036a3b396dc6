"""Knockouts: the loser of a duel is out.

Bots are seeded by their fitted strength at the start, the strongest first, equals by draw key. The bracket has the next
power of two of spots, and the best seeds are drawn against the empty ones: they get a bye in the first stage. In
every stage the best seed meets the worst that the bracket allows, and so on.

A duel is decided by blocks (T2.1), one per round, at most `best_of` of them: more points win, as soon as the other
bot cannot catch up. If the points are equal, up to `best_of` further blocks are played, and the first that is not
shared decides; if none does, the better seed goes through. The next stage begins when all duels of one are decided.
If the game needs more than two seats, house bots take the others.

A duel is decided at the close of a round and stays decided, whatever is corrected later (T11.9); a bot that leaves
loses its duel only if that is open (T11.10).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.plan.rounds import History
from arena.plan.schedules.fixed import drawn, numbered
from arena.plan.schedules.schedule import OrderWords, Schedule
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing, PlayedTable, draw_key
from ratings.points.points import MIN_SEATS, UNIT

DECIDED = "the final is decided"


@dataclass(slots=True)
class Duel:
    """Two bots of one stage, by their seeds; one without an opponent has already won."""

    one: int
    other: int | None
    points: tuple[int, int] = (0, 0)
    blocks: int = 0
    winner: int | None = None

    def judge(self, best_of: int, gone: Collection[int], *, by_points: bool) -> None:
        """T11.10: name the winner, if there is one: by points if that decides, else the one that is not gone."""
        if self.winner is not None:
            return
        lead = self.points[0] - self.points[1]
        if self.other is None:
            self.winner = self.one
        elif by_points and abs(lead) > max(0, best_of - self.blocks) * UNIT:
            self.winner = self.one if lead > 0 else self.other
        elif self.one in gone or self.other in gone:
            self.winner = min({self.one, self.other}.difference(gone) or {self.one, self.other})
        elif by_points and self.blocks >= 2 * best_of:
            self.winner = min(self.one, self.other)

    @property
    def loser(self) -> int | None:
        """The loser; None where there was no duel."""
        return self.one if self.winner == self.other else self.other


@dataclass(slots=True)
class KnockoutStage:
    """The duels played at the same time; the last one of the final stage may be for third place."""

    duels: list[Duel]
    rounds_before: int = 0
    """The rounds that were played before it."""
    third: Duel | None = None

    def all(self) -> Iterator[Duel]:
        """Yield every duel in the order of the tables."""
        yield from self.duels
        if self.third is not None:
            yield self.third


class Knockout(Schedule):
    """Duels, seeded by rating; the loser is out."""

    about = "Duels, seeded by rating; the loser is out. Has the settings `best_of` and `third_place`."
    order_words = OrderWords("knockout order", "Ranked by round reached, whatever the points; equals by seed.")

    def check(self, settings: TournamentSettings) -> None:
        """Two bots make a duel; house bots fill the tables of games that need more."""
        if len(settings.bots) < MIN_SEATS:
            raise ValueError("a knockout needs two bots")
        needed = max(game.sizes.least for game in settings.games) - MIN_SEATS
        if len(settings.house_bots) < needed:
            raise ValueError(f"a duel needs {needed} more bots to fill its table; expected that many house_bots")

    def planned(self, settings: TournamentSettings, played: int) -> tuple[int, int]:
        """At least the possible blocks of every stage; shared duels may take more."""
        stages = (len(settings.bots) - 1).bit_length()
        return max(stages * settings.best_of, played), 0

    def seeded(self, settings: TournamentSettings, history: History) -> Iterable[str]:
        """The first round is drawn by strength, and keeps the integers for all others."""
        return () if history.rounds else settings.bots

    def draw(self, settings: TournamentSettings, history: History, scores: Mapping[str, int]) -> Pairing | None:
        """Seat the open duels."""
        seeds = seeding(settings, history.scores[0] if history.rounds else scores)
        number = len(history.rounds) + 1
        house = drawn(settings.house_bots, settings.seed, number)[: settings.game_in(number).sizes.least - MIN_SEATS]
        tables = []
        for duel in _stages(settings, history, seeds)[-1].all():
            if duel.winner is None and duel.other is not None:
                bots = (seeds[duel.one], seeds[duel.other], *house)
                tables.append(tuple(drawn(bots, settings.seed, number)))
        return numbered(tables) if tables else None

    def is_over(self, settings: TournamentSettings, history: History) -> str:
        """When the final and the duel for third place are decided."""
        # Before the first round, where only one bot is left it has won from any seed.
        seeds = seeding(settings, history.scores[0] if history.rounds else {})
        last = _stages(settings, history, seeds)[-1]
        return DECIDED if len(last.duels) == 1 and all(duel.winner is not None for duel in last.all()) else ""

    def order(self, settings: TournamentSettings, history: History) -> tuple[str, ...] | None:
        """T11.8: the winner of the final, its loser, then those who came furthest; equals by seed."""
        if not history.rounds and not self.is_over(settings, history):
            return None
        seeds = seeding(settings, history.scores[0] if history.rounds else {})
        found: list[int] = []
        for stage in reversed(_stages(settings, history if settings.keeps_bracket else _at_last_close(history), seeds)):
            found += _in_order(stage.duels)
            if stage.third is not None:
                found += _in_order([stage.third])
        return tuple(seeds[seed] for seed in dict.fromkeys(found))


def _in_order(duels: Sequence[Duel]) -> list[int]:
    """Return the pairs of one stage's duels, by seed: first the bots that are not out."""
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
    """T11.9: follow the bracket through the rounds so far; the last stage is the one that is open, or the final.

    At every close, the open duels are judged by their blocks as they stood then.
    """
    size = 1 << (len(seeds) - 1).bit_length()
    order = [seed if seed < len(seeds) else None for seed in bracket(size)]
    stages = [KnockoutStage([_duel(order[at], order[at + 1]) for at in range(0, size, 2)])]
    number = {bot: seed for seed, bot in enumerate(seeds)}
    left = history.gone_from if settings.keeps_bracket else history.left
    for count in range(len(history.rounds) + 1):
        gone = [number[bot] for bot, first in left.items() if bot in number and first <= count + 1]
        tables = [table for played in history.rounds[stages[-1].rounds_before : count] for table in played.tables]
        if count and settings.keeps_bracket:
            tables = [table.stood_at(history.rounds[count - 1].closed_by) for table in tables]
        _count(stages[-1], tables, number)
        while True:
            for duel in stages[-1].all():
                if not settings.keeps_bracket:  # 0.1.0 asked first who was gone
                    duel.judge(settings.best_of, gone, by_points=False)
                duel.judge(settings.best_of, gone, by_points=True)
            if len(stages[-1].duels) == 1 or any(duel.winner is None for duel in stages[-1].all()):
                break
            stages.append(_next_stage(stages[-1], count, has_third_place=settings.third_place))
    return stages


def _at_last_close(history: History) -> History:
    """Return the history of a knockout of 0.1.0 as it stood at its last close: that is the bracket it was drawn by."""
    last = len(history.rounds)
    closed_by = history.rounds[-1].closed_by if history.rounds else 0
    return replace(
        history,
        rounds=[
            replace(played, tables=tuple(table.stood_at(closed_by) for table in played.tables))
            for played in history.rounds
        ],
        left={bot: first for bot, first in history.left.items() if first <= last},
    )


def _duel(one: int | None, other: int | None) -> Duel:
    assert one is not None, "the better seed of a pair is always there"
    return Duel(one, other)


def _next_stage(stage: KnockoutStage, rounds_before: int, *, has_third_place: bool) -> KnockoutStage:
    winners = [duel.winner for duel in stage.duels]
    following = KnockoutStage([_duel(winners[at], winners[at + 1]) for at in range(0, len(winners), 2)], rounds_before)
    losers = sorted(duel.loser for duel in stage.duels if duel.loser is not None)
    if has_third_place and len(following.duels) == 1 and len(losers) == 2:
        following.third = _duel(*losers)
    return following


def _count(stage: KnockoutStage, tables: Sequence[PlayedTable], number: Mapping[str, int]) -> None:
    """T11.9: count the points of the open duels from the tables of their stage."""
    points = [
        {number[bot]: share for bot, share in zip(table.bots, table.points, strict=True) if bot in number}
        for table in tables
    ]
    for duel in stage.all():
        if duel.other is not None and duel.winner is None:
            played = [each for each in points if each.keys() == {duel.one, duel.other}]
            duel.points = (sum(each[duel.one] for each in played), sum(each[duel.other] for each in played))
            duel.blocks = len(played)
