"""How a bot plays, by the judge: where it loses points, matches to look at, and the habits of better bots.

Kept judgements of a bot's matches are summed by game. `own` is the gain of its choices over usual play, in points of
100 per match; negative is a loss. Every sum has a standard error.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from arena.analysis.judgement import JUDGE, JudgedDecision, Judgement, Phase, SteadyMistake, Worlds
from arena.analysis.steady import steady_mistakes
from arena.bots.label import name_of
from arena.reports.judgement import shown_order
from arena.store.database import Store
from arena.store.judgements import JudgementKey
from arena.store.rows import StoredMatch
from referee.game import Seat
from referee.mistakes import UserError

INSTRUCTIVE = 3
MAX_MATCHES = 500
"""The latest judged matches of a version in a game: more would slow the page down and sharpen no figure."""
TELLING = 0.1
"""The smallest difference in shares of an action that is reported."""


class NothingJudgedError(UserError):
    """None of the requested matches has been judged."""


@dataclass(frozen=True, slots=True)
class Part:
    """The gain of a bot's decisions of one kind, phase or seat, in points per match."""

    name: str
    decisions: float
    """Per match."""
    own: float
    error: float
    blunders: float
    """Per match: decisions that certainly cost points."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One of the most instructive matches, with its costliest decision."""

    match: str
    game: str
    tournament: str
    seat: Seat
    place: int
    seats: int
    lost: float
    """By all the bot's blunders, in points."""
    step: int
    kind: str
    clause: str
    chosen: str
    better: str
    gain: float
    error: float


@dataclass(frozen=True, slots=True)
class Habit:
    """How often two bots choose one kind of action in one kind of decision, as shares."""

    kind: str
    action: str
    ours: float
    theirs: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How the play of another bot, or of an earlier version, differs."""

    label: str
    matches: int
    own: float
    error: float
    parts: tuple[Part, ...]
    """By kind of decision: their gain above ours, the largest advantage first."""
    habits: tuple[Habit, ...]
    """The largest differences in their choices."""


@dataclass(frozen=True, slots=True)
class GamePlay:
    """A version's play in one game."""

    game: str
    label: str
    worlds: Worlds
    is_weak: bool
    matches: int
    own: float
    error: float
    kinds: tuple[Part, ...]
    """The largest losses first."""
    phases: tuple[Part, ...]
    seats: tuple[Part, ...]
    steady: tuple[SteadyMistake, ...]
    """What it does again and again to its cost, over all these matches together."""
    next_better: Difference | None
    """The bot ranked next above it, if its matches were judged."""
    last_version: Difference | None


@dataclass(frozen=True, slots=True)
class PlayReport:
    """The judge's report on a bot."""

    name: str
    games: tuple[GamePlay, ...]
    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True)
class JudgedMatch:
    """A match with its judgement and the seats of the reported version."""

    match: StoredMatch
    judgement: Judgement
    seats: tuple[Seat, ...]

    def decisions(self) -> list[JudgedDecision]:
        """Return the decisions of the version."""
        return [each for each in self.judgement.decisions if each.seat in self.seats]


def play_report(store: Store, wanted: str, tournament: str | None = None) -> PlayReport:
    """Return the report on a bot by its name, or on one version by its label; a NothingJudgedError if it has none."""
    bot = store.bots.find(wanted)
    if tournament is not None:
        store.tournaments.find(tournament)  # an error if there is none
    versions = [each.label for each in store.bots.versions_of(bot.name)]
    labels = [wanted] if wanted in versions else versions
    found = {label: by_game for label in reversed(labels) if (by_game := judged_matches(store, label, tournament))}
    if not found:
        where = "" if tournament is None else f" of {tournament}"
        raise NothingJudgedError(f"bot: no match of {wanted}{where} has been judged")
    games: dict[str, GamePlay] = {}
    for label, by_game in found.items():  # the newest version that has played a game represents the bot
        for game, judged in by_game.items():
            if game not in games:
                before = versions[: versions.index(label)]
                games[game] = _game_play(store, game, label, judged, before, tournament)
    every = [each for game, play in games.items() for each in found[play.label][game]]
    return PlayReport(bot.name, tuple(games[game] for game in sorted(games)), _lessons(every))


def judged_matches(store: Store, label: str, tournament: str | None) -> dict[str, list[JudgedMatch]]:
    """Return the judged matches of a version by game, each with the first judgement to show."""
    keys: dict[str, list[JudgementKey]] = defaultdict(list)
    for match_id, key in store.judgements.of_bots(JUDGE, [label], tournament):
        keys[match_id].append(key)
    found: dict[str, list[JudgedMatch]] = defaultdict(list)
    for match in store.matches.by_id(list(keys)[:MAX_MATCHES]):
        content = store.judgements.text(min(keys[match.id], key=shown_order))
        if content is not None and not match.is_void:
            seats = tuple(seat for seat, bot in enumerate(match.seating) if bot == label)
            found[match.game].append(JudgedMatch(match, Judgement.from_json(content), seats))
    return found


def _game_play(
    store: Store, game: str, label: str, judged: Sequence[JudgedMatch], before: Sequence[str], tournament: str | None
) -> GamePlay:
    whole = _part("", judged)
    rival = _next_better(store, f"{game}:{judged[0].judgement.rules_version}", label)
    earlier = (difference_to(store, game, each, judged, tournament=None) for each in reversed(before))
    return GamePlay(
        game=game,
        label=label,
        worlds=judged[0].judgement.worlds,
        is_weak=judged[0].judgement.is_weak,
        matches=len(judged),
        own=whole.own,
        error=whole.error,
        kinds=tuple(sorted(_by(judged, lambda each: each.kind), key=lambda part: (part.own, part.name))),
        phases=tuple(_by(judged, lambda each: each.phase, [phase.value for phase in Phase])),
        seats=tuple(_seats(judged)),
        steady=steady_mistakes(decision for each in judged for decision in each.decisions()),
        next_better=None if rival is None else difference_to(store, game, rival, judged, tournament),
        last_version=next(filter(None, earlier), None),
    )


def _next_better(store: Store, pool: str, label: str) -> str | None:
    """Return the bot ranked next above this one by running Elo, except its own other versions."""
    name = name_of(label)
    ratings = {line.bot: line.rating for line in store.pools.accounts(pool)}
    above = [
        (rating, bot) for bot, rating in ratings.items() if rating > ratings.get(label, 0) and name_of(bot) != name
    ]
    return min(above)[1] if label in ratings and above else None


def difference_to(
    store: Store, game: str, other: str, ours: Sequence[JudgedMatch], tournament: str | None
) -> Difference | None:
    """Return how another bot's play of a game differs from some judged matches; None if none of its own was judged."""
    theirs = judged_matches(store, other, tournament).get(game)
    if not theirs:
        return None
    parts = {part.name: part for part in _by(theirs, lambda each: each.kind)}
    own = {part.name: part for part in _by(ours, lambda each: each.kind)}
    nothing = Part("", 0.0, 0.0, 0.0, 0.0)
    differences = [
        _minus(name, parts.get(name, nothing), own.get(name, nothing)) for name in sorted(parts.keys() | own.keys())
    ]
    above = _minus("", _part("", theirs), _part("", ours))
    return Difference(
        label=other,
        matches=len(theirs),
        own=above.own,
        error=above.error,
        parts=tuple(sorted(differences, key=lambda part: -part.own)),
        habits=_habits(ours, theirs),
    )


def _minus(name: str, one: Part, other: Part) -> Part:
    return Part(
        name,
        _rounded(one.decisions - other.decisions),
        _rounded(one.own - other.own),
        _rounded(sqrt(one.error**2 + other.error**2)),
        _rounded(one.blunders - other.blunders),
    )


def _habits(ours: Sequence[JudgedMatch], theirs: Sequence[JudgedMatch]) -> tuple[Habit, ...]:
    counts = [
        Counter((each.kind, each.action) for match in side for each in match.decisions()) for side in (ours, theirs)
    ]
    totals = [Counter(kind for kind, _ in count.elements()) for count in counts]
    found = [
        Habit(kind, action, *(_rounded(counts[side][kind, action] / totals[side][kind], 3) for side in (0, 1)))
        for kind, action in sorted(counts[0].keys() | counts[1].keys())
        if totals[0][kind] and totals[1][kind]
    ]
    telling = [habit for habit in found if abs(habit.ours - habit.theirs) >= TELLING]
    return tuple(sorted(telling, key=lambda habit: -abs(habit.ours - habit.theirs))[:6])


def _by(
    judged: Sequence[JudgedMatch], group: Callable[[JudgedDecision], str], names: Iterable[str] | None = None
) -> list[Part]:
    wanted = names or sorted({group(each) for match in judged for each in match.decisions()})
    return [_part(name, judged, lambda each, name=name: group(each) == name) for name in wanted]  # type: ignore[misc]


def _seats(judged: Sequence[JudgedMatch]) -> list[Part]:
    """Return the sums by seat, each over the matches in which the bot sat there."""
    return [
        _part(str(seat), [replace(match, seats=(seat,)) for match in judged if seat in match.seats])
        for seat in sorted({seat for match in judged for seat in match.seats})
    ]


def _part(name: str, judged: Sequence[JudgedMatch], is_in: Callable[[JudgedDecision], bool] = lambda _: True) -> Part:
    """Sum some decisions; the error is that of the mean over matches, or the judge's own if larger."""
    sums, decisions, blunders, variance = [], 0, 0, 0.0
    for match in judged:
        inside = [each for each in match.decisions() if is_in(each)]
        sums.append(sum(each.own for each in inside))
        decisions += len(inside)
        blunders += sum(each.is_blunder for each in inside)
        variance += sum(each.own_error**2 for each in inside)
    count = len(sums)
    mean = sum(sums) / count
    spread = sqrt(sum((each - mean) ** 2 for each in sums) / max(1, count - 1) / count)
    error = max(spread, sqrt(variance) / count, 0.1)
    return Part(name, _rounded(decisions / count), _rounded(mean), _rounded(error), _rounded(blunders / count))


def _lessons(judged: Sequence[JudgedMatch]) -> tuple[Lesson, ...]:
    """Return the matches in which blunders cost the bot most."""
    found = []
    for each in judged:
        blunders = [blunder for blunder in each.judgement.blunders() if blunder.seat in each.seats]
        if blunders:
            worst, match = blunders[0], each.match
            lost = _rounded(sum(blunder.gain for blunder in blunders))
            found.append(
                Lesson(
                    match=match.id,
                    game=match.game,
                    tournament=match.tournament,
                    seat=worst.seat,
                    place=match.shown_places[worst.seat] or match.places_before[worst.seat],
                    seats=len(match.seating),
                    lost=lost,
                    step=worst.step,
                    kind=worst.kind,
                    clause=worst.clause,
                    chosen=worst.chosen,
                    better=worst.better,
                    gain=worst.gain,
                    error=worst.error,
                )
            )
    return tuple(sorted(found, key=lambda lesson: (-lesson.lost, lesson.match))[:INSTRUCTIVE])


def _rounded(value: float, digits: int = 1) -> float:
    return round(value, digits) + 0.0
