"""A bot's record in the arena: its versions, ratings with their history, opponents, matches and forfeits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from arena.fitting.fits import PoolFit
from arena.reports.drift import tournament_drift
from arena.store.database import Store
from arena.store.rows import BotMatch
from ratings.fit.drift import Drift
from ratings.fit.fit import ELO_PER_NAT
from ratings.fit.shown import shown_error
from ratings.points.points import UNIT


@dataclass(frozen=True, slots=True)
class BotSummary:
    """One line of the list of bots."""

    name: str
    author: str | None
    newest: str
    versions: int
    is_retired: bool
    matches: int
    games: dict[str, float]
    """The running Elo of the newest version with matches, by pool."""
    state: str = ""
    """"queued" or "being built" for a submission that is not a version yet."""


def queued(name: str, author: str, *, is_being_built: bool) -> BotSummary:
    """Return the line of a submission that is queued or being built."""
    return BotSummary(name, author, "", 0, False, 0, {}, "being built" if is_being_built else "queued")


@dataclass(frozen=True, slots=True)
class VersionReport:
    """One version of a bot."""

    label: str
    version: str
    parent: str | None
    added_at: str
    path: str
    public_key: str = ""
    """T22.9: the key that signs its answers, if it runs elsewhere and has one."""


@dataclass(frozen=True, slots=True)
class RatingStep:
    """One change of a rating, in Elo; the match is empty for a correction by the operator."""

    match: str
    change: float
    after: float


@dataclass(frozen=True, slots=True)
class RatingReport:
    """A version's rating in one pool, with its last changes; Elo."""

    label: str
    pool: str
    elo: float
    matches: int
    wins: int
    shared_wins: int
    mean_place: float
    points_share: float
    forfeits: int
    history: tuple[RatingStep, ...]
    drift_in: str = ""
    """T8.15: the latest tournament of this pool that it played in; empty if there is none."""
    drift: float | None = None
    """T8.15: how much stronger it was in that tournament's last round than in the first; None if that is not known."""
    drift_error: float | None = None
    """Its standard error."""

    @property
    def shown_drift(self) -> str:
        """T8.15: the drift in words; empty if it is not known."""
        if self.drift is None or self.drift_error is None:
            return ""
        change, error = round(self.drift), shown_error(self.drift_error)
        return f"{change:+d} Elo from the first to the last round of {self.drift_in} (standard error {error})"


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Head to head: matches at the same table, and the points from them: one for finishing ahead, half for a tie."""

    game: str
    opponent: str
    matches: int
    points: float


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A match that the bot forfeited, and its kept output."""

    line: BotMatch
    output: str


@dataclass(frozen=True, slots=True)
class BotReport:
    """Everything known about a bot, or about one of its versions."""

    name: str
    author: str | None
    is_retired: bool
    versions: tuple[VersionReport, ...]
    ratings: tuple[RatingReport, ...]
    duels: tuple[HeadToHead, ...]
    recent: tuple[BotMatch, ...]
    forfeits: tuple[Forfeit, ...]
    forfeit_count: int


def bots(store: Store) -> list[BotSummary]:
    """Return all bots by name."""
    found: dict[str, BotSummary] = {}
    labels: dict[str, set[str]] = {}
    for bot, label, pool, rating, matches in store.bots.standings():
        before = found.get(bot.name) or BotSummary(bot.name, bot.author, bot.newest, 0, bot.is_retired, 0, {})
        labels.setdefault(bot.name, set()).add(label)
        games = before.games if pool is None else before.games | {pool: rating / 1000}
        found[bot.name] = replace(before, versions=len(labels[bot.name]), matches=before.matches + matches, games=games)
    return list(found.values())


def report(store: Store, wanted: str, last: int, fit_of: Callable[[str], PoolFit | None]) -> BotReport:
    """Return the report of a bot by its name, or of one version by its label; `last` limits histories and lists.

    `fit_of` returns the fit of a pool.
    """
    bot = store.bots.find(wanted)
    versions = tuple(
        VersionReport(
            each.label, each.version, each.parent, each.added_at, each.path, each.manifest.get("public_key", "")
        )
        for each in store.bots.versions_of(bot.name)
        if wanted in (bot.name, each.label)
    )
    labels = [version.label for version in versions]
    return BotReport(
        bot.name,
        bot.author,
        bot.is_retired,
        versions,
        tuple(_with_drift(store, _ratings(store, labels, last), fit_of)),
        tuple(
            HeadToHead(each.game, each.opponent, each.matches, each.half_points / 2)
            for each in store.matches.duels(labels)
        ),
        tuple(store.matches.of_bot(labels, last)),
        tuple(
            Forfeit(line, store.matches.outputs(line.match).get(line.seat, ""))
            for line in store.matches.of_bot(labels, last, only_forfeits=True)
        ),
        store.matches.forfeit_count(labels),
    )


def _ratings(store: Store, labels: Sequence[str], last: int) -> list[RatingReport]:
    found = []
    for label in reversed(labels):
        for account in store.pools.accounts_of(label):
            played = max(1, account.matches)
            changes = store.pools.history(account.pool, label, last)
            found.append(
                RatingReport(
                    label=label,
                    pool=account.pool,
                    elo=account.rating / 1000,
                    matches=account.matches,
                    wins=account.wins,
                    shared_wins=account.shared_wins,
                    mean_place=account.place_sum / played,
                    points_share=account.points / UNIT / played,
                    forfeits=account.forfeits,
                    history=tuple(RatingStep(each.match_id, each.delta / 1000, each.after / 1000) for each in changes),
                )
            )
    return found


def _with_drift(
    store: Store, ratings: Iterable[RatingReport], fit_of: Callable[[str], PoolFit | None]
) -> Iterator[RatingReport]:
    """T8.15: add to every rating how the version changed in its latest tournament."""
    known: dict[tuple[str, str], Drift] = {}
    for rating in ratings:
        tournament = store.matches.latest_tournament(rating.label, rating.pool)
        if tournament is None:
            yield rating
            continue
        asked = (tournament, rating.pool)
        if asked not in known:
            known[asked] = tournament_drift(store, *asked, fit_of(rating.pool))
        found = known[asked].by_bot.get(rating.label)
        change, error = (None, None) if found is None else (ELO_PER_NAT * found.change, ELO_PER_NAT * found.error)
        yield replace(rating, drift_in=tournament, drift=change, drift_error=error)


class FitPoint(NamedTuple):
    """T13.7: a fitted rating of record after `at` changes of a version's running Elo, with its 95 % interval."""

    at: int
    rating: float
    error: float


@dataclass(frozen=True, slots=True)
class VersionCourse:
    """The rating history of one version."""

    label: str
    elo: Sequence[float]
    """The running Elo before the first of its last changes, and after each."""
    fits: tuple[FitPoint, ...]


def rating_course(store: Store, pool: str, labels: Sequence[str], last: int, confidence: float) -> list[VersionCourse]:
    """Return the rating history of some versions of a bot in a pool, in this order; `last` limits each.

    `confidence` is the number of standard errors on either side of an interval in this pool (T8.5).
    """
    fits = store.fits.history(pool, labels, last)
    found = []
    for label in labels:
        changes = store.pools.history(pool, label, last)
        if changes:
            first = changes[0]
            elo = ((first.after - first.delta) / 1000, *(change.after / 1000 for change in changes))
            ours = [line for line in fits if line.label == label]
            # Of several fits after the same match, the last one counts.
            known = {sum(change.seq <= line.through for change in changes): line for line in ours}
            points = [
                FitPoint(at, line.rating / 1000, confidence * line.error / 1000) for at, line in known.items() if at
            ]
            found.append(VersionCourse(label, elo, tuple(sorted(points))))
    return found
