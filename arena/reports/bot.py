"""A bot's record in the arena: its versions, ratings with their history, opponents, matches and forfeits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.store.database import Store
from ratings import ledger
from ratings.points import UNIT
from referee.order import Ending, OrderError

COUNTED = (
    "JOIN entry e ON e.key = 'match:' || m.id WHERE NOT EXISTS (SELECT 1 FROM entry v WHERE v.key = 'void:' || m.id)"
)
"""Keeps the matches `m` that the ledger counts: entered, and not void since."""


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
    """The running Elo of the newest version that has played, by pool."""


@dataclass(frozen=True, slots=True)
class VersionReport:
    """One version of a bot."""

    label: str
    version: str
    parent: str | None
    added_at: str
    path: str


@dataclass(frozen=True, slots=True)
class Change:
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
    history: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Duel:
    """Head to head: matches at the same table, and the points from them: one for finishing ahead, half for a tie."""

    game: str
    opponent: str
    matches: int
    points: float


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match from one bot's seat."""

    match: str
    game: str
    tournament: str
    round: int
    label: str
    seat: int
    seats: int
    place: int | None
    score: int | None
    ending: str
    reason: str
    stored_at: str


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A match that the bot forfeited, and what was kept of its output."""

    line: MatchLine
    output: str


@dataclass(frozen=True, slots=True)
class BotReport:
    """Everything that is known of a bot, or of one version of it."""

    name: str
    author: str | None
    is_retired: bool
    versions: tuple[VersionReport, ...]
    ratings: tuple[RatingReport, ...]
    duels: tuple[Duel, ...]
    recent: tuple[MatchLine, ...]
    forfeits: tuple[Forfeit, ...]
    forfeit_count: int


def bots(store: Store) -> list[BotSummary]:
    """Return all bots by name."""
    rows = store.read(
        """SELECT b.name, b.author, b.newest, b.is_retired, v.label, s.pool, s.rating, s.matches
        FROM bot b JOIN bot_version v ON v.name = b.name LEFT JOIN standing s ON s.bot = v.label
        ORDER BY b.name, v.rowid, s.pool"""
    )
    found: dict[str, BotSummary] = {}
    labels: dict[str, set[str]] = {}
    for name, author, newest, is_retired, label, pool, rating, matches in rows:
        before = found.get(name) or BotSummary(name, author, newest, 0, bool(is_retired), 0, {})
        labels.setdefault(name, set()).add(label)
        games = before.games if pool is None else before.games | {pool: rating / 1000}
        found[name] = BotSummary(
            name, author, newest, len(labels[name]), bool(is_retired), before.matches + (matches or 0), games
        )
    return list(found.values())


def report(store: Store, wanted: str, last: int) -> BotReport:
    """Return the report of a bot by its name, or of one version by its label; `last` limits histories and lists."""
    name = _name(store, wanted)
    author, is_retired = store.read("SELECT author, is_retired FROM bot WHERE name = ?", name)[0]
    rows = store.read(
        "SELECT label, version, parent, added_at, path FROM bot_version WHERE name = ? ORDER BY rowid", name
    )
    versions = tuple(VersionReport(*row) for row in rows if wanted in (name, row[0]))
    labels = [version.label for version in versions]
    forfeits, count = _forfeits(store, labels, last)
    return BotReport(
        name,
        author,
        bool(is_retired),
        versions,
        tuple(_ratings(store, labels, last)),
        tuple(_duels(store, labels)),
        tuple(_matches(store, labels, "1", last)),
        forfeits,
        count,
    )


def _name(store: Store, wanted: str) -> str:
    rows = store.read("SELECT name FROM bot WHERE name = ?", wanted) or store.read(
        "SELECT name FROM bot_version WHERE label = ?", wanted
    )
    if not rows:
        known = [name for (name,) in store.read("SELECT name FROM bot ORDER BY name LIMIT 21")]
        listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
        raise OrderError(f"bot: {wanted!r} is not in this database; expected one of: {listed or 'none yet'}")
    name: str = rows[0][0]
    return name


def _ratings(store: Store, labels: Sequence[str], last: int) -> list[RatingReport]:
    found = []
    for label in reversed(labels):
        rows = store.read(
            "SELECT pool, rating, matches, wins, shared_wins, place_sum, points, forfeits FROM standing WHERE bot = ?"
            " ORDER BY pool",
            label,
        )
        for pool, rating, matches, wins, shared_wins, place_sum, points, forfeits in rows:
            played = max(1, matches)
            changes = ledger.history(store.connection, pool, label, last)
            found.append(
                RatingReport(
                    label=label,
                    pool=pool,
                    elo=rating / 1000,
                    matches=matches,
                    wins=wins,
                    shared_wins=shared_wins,
                    mean_place=place_sum / played,
                    points_share=points / UNIT / played,
                    forfeits=forfeits,
                    history=tuple(Change(each.match_id, each.delta / 1000, each.after / 1000) for each in changes),
                )
            )
    return found


def _duels(store: Store, labels: Sequence[str]) -> list[Duel]:
    marks = ",".join("?" * len(labels))
    rows = store.read(
        f"""SELECT m.game, theirs.bot, count(*),
            sum(CASE WHEN ours.place = theirs.place THEN 1 WHEN ours.place < theirs.place THEN 2 ELSE 0 END)
        FROM seat ours JOIN match m ON m.id = ours.match
        JOIN seat theirs ON theirs.match = m.id AND theirs.seat <> ours.seat
        {COUNTED} AND ours.bot IN ({marks}) AND m.ending <> ?
        GROUP BY m.game, theirs.bot ORDER BY m.game, count(*) DESC, theirs.bot""",
        *labels,
        Ending.VOIDED,
    )
    return [Duel(game, opponent, matches, half_points / 2) for game, opponent, matches, half_points in rows]


def _matches(store: Store, labels: Sequence[str], where: str, last: int) -> list[MatchLine]:
    marks = ",".join("?" * len(labels))
    rows = store.read(
        f"""SELECT m.id, m.game, m.tournament, m.round, s.bot, s.seat,
            (SELECT count(*) FROM seat every WHERE every.match = m.id), s.place, s.score, s.ending, m.reason,
            m.stored_at
        FROM seat s JOIN match m ON m.id = s.match WHERE s.bot IN ({marks}) AND {where}
        ORDER BY m.stored_at DESC, m.rowid DESC LIMIT ?""",
        *labels,
        last,
    )
    return [MatchLine(*row) for row in rows]


def _forfeits(store: Store, labels: Sequence[str], last: int) -> tuple[tuple[Forfeit, ...], int]:
    is_forfeit = f"s.ending NOT IN ('{Ending.COMPLETED}', '{Ending.VOIDED}')"
    marks = ",".join("?" * len(labels))
    (count,) = store.read(f"SELECT count(*) FROM seat s WHERE s.bot IN ({marks}) AND {is_forfeit}", *labels)[0]
    found = []
    for line in _matches(store, labels, is_forfeit, last):
        rows = store.read("SELECT output FROM bot_output WHERE match = ? AND seat = ?", line.match, line.seat)
        found.append(Forfeit(line, rows[0][0] if rows else ""))
    return tuple(found), count
