"""T11: the Swiss order of a tournament, by exact fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby

from arena.plan.rounds import History
from arena.plan.schedules import SCHEDULES
from arena.plan.schedules.fixed import drawn
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import PlayedGame, PlayedRound, draw_key
from ratings.points.points import BYE_POINTS, STRUCK


@dataclass(frozen=True, slots=True)
class SwissStanding:
    """One line of the Swiss order; points and sums of points in units of 1/1440."""

    place: int
    bot: str
    points: int
    rounds: int
    opponents: Fraction
    """T11.2: mean final points per round of all opponents, each meeting counted."""
    opponents_cut: Fraction
    """T11.3: the same without the lowest."""
    weighted: Fraction
    """T11.4: round points times the mean final points of the table's opponents, over all rounds."""
    score_share: Fraction
    """T11.5: shares of the table's raw score, over all games; zero where raw scores are not comparable."""
    head_to_head: Fraction
    """T11.6: points against those equal so far, if all of them have met; else zero."""
    disqualified: str = ""
    """T10.7: why it is ranked behind all others; empty if it is not disqualified."""

    @staticmethod
    def without_points(bot: str) -> SwissStanding:
        """Return the line of a bot that has played no round that counts."""
        nothing = Fraction(0)
        return SwissStanding(0, bot, 0, 0, nothing, nothing, nothing, nothing, nothing)


@dataclass(slots=True)
class _Record:
    """The sum of a bot's rounds."""

    points: int
    rounds: int
    tables: list[tuple[int, tuple[str, ...]]]
    """For every table its round points and its opponents, house bots left out."""
    score_share: Fraction


def swiss_order(
    rounds: Sequence[PlayedRound], *, seed: int, house_bots: Collection[str] = (), disqualified: Collection[str] = ()
) -> tuple[SwissStanding, ...]:
    """T11: everybody who took part, best first; house bots are not ranked. Wins are never used.

    T10.2: only points rounds make the order and its tie-breaks. T10.7: disqualified bots are left out like house bots.
    """
    house = frozenset((*house_bots, *disqualified))
    rounds = [played for played in rounds if not played.is_rating]
    records = _records(rounds, house)
    finals = {bot: Fraction(record.points, record.rounds) for bot, record in records.items()}
    lines = {bot: _criteria(record, records, finals) for bot, record in records.items()}
    duels = _Duels(rounds)
    # T11.7: the draw of round 0 decides where nothing else does.
    ordered = sorted(records, key=lambda bot: (*(-value for value in lines[bot]), draw_key(seed, 0, bot), bot))
    standings: list[SwissStanding] = []
    for _, equal in groupby(ordered, key=lambda bot: lines[bot]):
        group = list(equal)
        shares = duels.shares(group)
        # Python sorts are stable: bots that are equal here too stay in the order of the draw.
        for bot in sorted(group, key=lambda bot: -shares[bot]):
            points, opponents, cut, weighted, share = lines[bot]
            place, played = len(standings) + 1, records[bot].rounds
            standings.append(
                SwissStanding(place, bot, int(points), played, opponents, cut, weighted, share, shares[bot])
            )
    return tuple(standings)


def order_of(settings: TournamentSettings, history: History) -> tuple[SwissStanding, ...]:
    """T10.7, T11.11: return the final order of a tournament: by points (T11), or as its schedule decides.

    Disqualified bots stand last, without points, and the places close up.
    """
    out = history.disqualified
    lines = {
        line.bot: line
        for line in swiss_order(history.rounds, seed=settings.seed, house_bots=settings.house_bots, disqualified=out)
    }
    order = SCHEDULES[settings.format].order(settings, history)
    if order is None:
        order = (*lines, *(drawn(list(out), settings.seed) if history.rounds else ()))
    ordered = sorted(order, key=lambda bot: bot in out)
    return tuple(
        replace(lines.get(bot) or SwissStanding.without_points(bot), place=place, disqualified=out.get(bot, ""))
        for place, bot in enumerate(ordered, start=1)
    )


def _records(rounds: Iterable[PlayedRound], house: frozenset[str]) -> dict[str, _Record]:
    records: dict[str, _Record] = defaultdict(lambda: _Record(0, 0, [], Fraction(0)))
    for played in rounds:
        for table in played.tables:
            for base, points in enumerate(table.points):
                bot = table.bots[base]
                if bot in house:
                    continue
                record = records[bot]
                record.points += points
                record.rounds += 1
                others = tuple(mate for mate in table.bots if mate != bot and mate not in house)
                record.tables.append((points, others))
                record.score_share += sum((_share(game, base) for game in table.games), Fraction(0))
        for bot in played.byes:
            if bot not in house:
                records[bot].points += BYE_POINTS
                records[bot].rounds += 1
        for bot in played.absent:
            if bot not in house:
                records[bot].rounds += 1
    return dict(records)


def _share(game: PlayedGame, seat: int) -> Fraction:
    """T11.5: a seat's share of the table's raw score, struck seats left out.

    Of nothing at all everybody has the same share; where scores do not compare, nobody has one.
    """
    if game.scores is None:
        return Fraction(0)
    scores = [score for score, place in zip(game.scores, game.places, strict=True) if place != STRUCK]
    return Fraction(game.scores[seat], sum(scores)) if any(scores) else Fraction(1, len(scores))


def _criteria(
    record: _Record, records: Mapping[str, _Record], finals: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction, Fraction, Fraction, Fraction]:
    """T11.1 to T11.5."""
    met = [finals[other] for _, others in record.tables for other in others]
    weighted = Fraction(0)
    for points, others in record.tables:
        if others:
            weighted += Fraction(points * sum(records[other].points for other in others), len(others))
    total = _sum(met)
    opponents = total / len(met) if met else Fraction(0)
    cut = (total - min(met)) / (len(met) - 1) if len(met) > 1 else Fraction(0)
    return Fraction(record.points), opponents, cut, weighted, record.score_share


def _sum(values: Iterable[Fraction]) -> Fraction:
    """Add fractions with few different denominators quickly."""
    numerators: dict[int, int] = defaultdict(int)
    for value in values:
        numerators[value.denominator] += value.numerator
    return sum((Fraction(top, bottom) for bottom, top in numerators.items()), Fraction(0))


class _Duels:
    """T11.6: who beat whom in shared games, looked up only where needed."""

    def __init__(self, rounds: Sequence[PlayedRound]) -> None:
        self._rounds = rounds
        self._results: dict[tuple[str, str], list[int]] | None = None

    def _between(self, one: str, other: str) -> list[int]:
        """Half points of `one` against `other`, game by game."""
        if self._results is None:
            self._results = defaultdict(list)
            for played in self._rounds:
                for table in played.tables:
                    for game in table.games:
                        for first, second in combinations(range(len(table.bots)), 2):
                            bots, places = table.bots, game.places
                            # Ties before wins: a tie is half for both.
                            tied = places[first] == places[second]
                            half_points = 1 if tied else 2 if places[first] < places[second] else 0
                            self._results[bots[first], bots[second]].append(half_points)
                            self._results[bots[second], bots[first]].append(2 - half_points)
        return self._results.get((one, other), [])

    def shares(self, group: Sequence[str]) -> dict[str, Fraction]:
        """Each one's share of points against the others; all zero for a single bot or if some pair has not met."""
        shares = dict.fromkeys(group, Fraction(0))
        if len(group) == 1 or not all(self._between(one, other) for one, other in combinations(group, 2)):
            return shares
        for one in group:
            for other in group:
                if one != other:
                    games = self._between(one, other)
                    shares[one] += Fraction(sum(games), 2 * len(games))
        return shares
