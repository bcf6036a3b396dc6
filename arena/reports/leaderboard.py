"""Leaderboards: bots ranked by strength, read from the database."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from arena.fitting.fits import PoolFit, ballot
from arena.plan.schedules.schedule import SWISS_ORDER, OrderWords
from arena.plan.settings import TournamentSettings
from arena.reports.columns import Column, decimals, percent, thousands
from arena.reports.drift import drift_words, tournament_drift
from arena.reports.standings import StandingLine, order_words, standings
from arena.reports.tournament import entrants
from arena.store.database import Store
from arena.store.local_time import local_now
from arena.store.rows import PoolExtent, RoundState, StoredTournament, StoredVersion
from ratings.fit.fit import CONFIDENCE, ELO_PER_NAT, NOT_COMPARABLE, FittedRating
from ratings.fit.overall import MIN_MATCHES, Ballot, overall_order
from ratings.fit.shown import shown_error, shown_los, shown_places, shown_rating
from ratings.ledger.accounts import Account
from ratings.points.points import MIN_SEATS, UNIT
from ratings.sequential.claims import Claim, Claims, ClaimWord, foot
from ratings.sequential.compare import watched_half_width
from referee.mistakes import NotFoundError

INACTIVE_AFTER = timedelta(days=30)
FORM_LENGTH = 5


@dataclass(frozen=True, slots=True)
class RatingPool:
    """T8: one game under one version of its rules."""

    name: str
    game: str
    rules_version: int


@dataclass(frozen=True, slots=True)
class Line:
    """One bot version on a leaderboard; ratings in Elo."""

    rank: int | None
    """None for house bots, which are not ranked (T3), and for bots that the fit does not know yet."""
    bot: str
    version: str
    label: str
    elo: float
    """T9: the running Elo of the ledger."""
    rating: float | None
    """T8: the fitted rating, the rating of record."""
    error: float | None
    """Half of its 95 % interval."""
    los: float | None
    """T8.8: the likelihood of being stronger than the next ranked bot, for one look."""
    matches: int
    mean_place: float
    win_share: float
    """Matches won alone; a shared first place is not a win."""
    points_share: float
    """T1.4: mean points per match: the share of opponents beaten."""
    forfeits: int
    component: int | None
    """T8: ratings of different components are not comparable; None while there is no fit of the bot."""
    is_house: bool
    is_inactive: bool
    is_retired: bool
    places: str
    """T8.9: the 95 % interval of its place, such as 2-5; empty for house bots and where there is no fit."""
    claim: str = ""
    """T16.4: a tournament's claim about it and the next ranked bot: >, =, ?, < or -; empty if there is none."""
    shown_rating: str = ""
    """T8.7: the rating, its error and the LOS as lists show them; empty where there is none."""
    shown_error: str = ""
    shown_los: str = ""


SHORT_VERSION = 12

LEADERBOARD_COLUMNS: tuple[Column[Line], ...] = (
    Column("rank", "rank"),
    Column("bot", "bot", is_figure=False),
    Column("version", "version", lambda version: version[:SHORT_VERSION], is_figure=False),
    Column("rating", "rating", shown_rating, "Fitted over all matches: the rating of record.", is_descending=True),
    Column("error", "± 95 %", shown_error, "Half of the rating's 95 % interval, for one look planned beforehand."),
    Column("places", "places", str, "The 95 % interval of the place."),
    Column(
        "los",
        "LOS (one look)",
        shown_los,
        "The likelihood of being stronger than the next ranked bot, for a single look; it decides nothing.",
        is_descending=True,
    ),
    Column(
        "claim",
        "next",
        str,
        "The latest tournament's claim about it and the next: > better, = equal within 25 Elo, ? open, < the other way"
        " round, - one of the two was not in the first round.",
        is_figure=False,
    ),
    Column("elo", "Elo", shown_rating, "The ledger's running number, which depends on the order.", is_descending=True),
    Column("matches", "matches", thousands, is_descending=True),
    Column("mean_place", "mean place", decimals(2)),
    Column("win_share", "wins", percent, "Matches won alone.", is_descending=True),
    Column("forfeits", "forfeits", thousands, is_descending=True),
)
"""The columns that terminals and pages show. A new one is a field of Line, a line here, and a message field."""


@dataclass(frozen=True, slots=True)
class PoolBoard:
    """The leaderboard of one pool, best first; components one after the other, the largest first."""

    pool: RatingPool
    extent: PoolExtent
    fitted: PoolExtent | None
    """The extent of the fit; None if there is no fit, and then the running Elo ranks."""
    error_source: str | None
    lines: tuple[Line, ...]
    components: int
    has_anchors: bool
    """Ratings are measured against bots of known strength, not against the mean of the pool."""
    is_of_record: bool
    """T13.7: the ratings are those of the last FIT entry; else they are provisional."""
    spread: float
    """T8.7: the spread of the pool, sigma, in Elo."""
    phi: float
    """T8.7: how much more the games of a block agree than independent ones."""
    notes: tuple[str, ...]
    """T8.7, T8.11, T8.12: the fit's remarks on itself and on the pool."""
    head: str
    """T13.10: the head of the ledger as it was read."""
    claimed_in: str = ""
    """T16.4: the tournament whose claims stand between neighbours; empty if there are none."""
    foot: str = ""
    """T16.4: the sentence under a list with claims."""
    confidence: float = CONFIDENCE
    """T8.5: standard errors on either side of a 95 % interval."""
    drift: str = ""
    """T8.15: that strengths changed during the tournament asked for; empty otherwise."""

    @property
    def is_current(self) -> bool:
        """Whether the fit includes every match."""
        return self.fitted == self.extent


@dataclass(frozen=True, slots=True)
class OverallLine:
    """T8.13: one bot version over several games."""

    rank: int
    bot: str
    version: str
    label: str
    games: tuple[str, ...]
    """The games that vote on it: those with matches enough."""
    votes: float
    """Its share of the votes."""
    shown_votes: str
    """T8.7: the share as lists show it."""
    ahead_of: int
    """Bots that it stands before."""


def pools(store: Store) -> list[RatingPool]:
    """Return all pools that have matches, by game, the newest rules first."""
    split = ((name, *name.rpartition(":")) for name in store.pools.names())
    found = [RatingPool(name, game, int(version)) for name, game, _, version in split]
    return sorted(found, key=lambda pool: (pool.game, -pool.rules_version))


def newest_pools(store: Store, games: Collection[str] = ()) -> list[RatingPool]:
    """Return the newest pool of every game, or of some; a NotFoundError if one has no matches.

    A game with its rules version (toy:1) names an older pool.
    """
    everything = pools(store)
    return [find_pool(everything, game) for game in games] if games else newest(everything)


def newest(everything: Iterable[RatingPool]) -> list[RatingPool]:
    """Return the first pool of every game in the order of `pools`: that with the newest rules."""
    return [next(group) for _, group in groupby(everything, key=lambda pool: pool.game)]


def find_pool(everything: Sequence[RatingPool], wanted: str) -> RatingPool:
    """Return a pool by its name (toy:1), or the newest of a game; a NotFoundError if there is none."""
    for pool in everything:
        if wanted in (pool.name, pool.game):
            return pool
    known = ", ".join(pool.game for pool in newest(everything)) or "none yet"
    raise NotFoundError(f"game: {wanted!r} has no matches here; expected one of: {known}")


@dataclass(frozen=True, slots=True)
class FormPlace:
    """One of a bot's last places."""

    place: int
    seats: int
    match: str


def form_of(store: Store, pool: str, bot: str) -> tuple[FormPlace, ...]:
    """Return the last places of a bot in a pool, the latest last."""
    rows = store.matches.form(pool, bot, FORM_LENGTH)
    return tuple(FormPlace(place, seats, match) for place, seats, match in reversed(rows) if place is not None)


def board(
    store: Store,
    pool: RatingPool,
    fit: PoolFit | None,
    now: datetime,
    *,
    only: Collection[str] | None = None,
    house: Collection[str] = (),
    all_versions: bool = False,
) -> PoolBoard:
    """Rank the bots of a pool by the fit (T11), or by the running Elo without one.

    Lists the newest version of every bot, or all versions, or `only` some labels. Anchors and `house` bots are listed
    and not ranked.
    """
    accounts = store.pools.accounts(pool.name)
    known = {version.label: version for version in store.bots.versions()}
    if only is not None:
        accounts = [account for account in accounts if account.bot in only]
    elif not all_versions:
        accounts = _newest(accounts, known)
    active = store.pools.last_matches(pool.name)
    fitted = {} if fit is None else {label: fit.ratings[at] for label, at in fit.index().items()}
    lines = [
        _line(
            account,
            known.get(account.bot),
            fitted.get(account.bot),
            is_house=account.is_anchor or account.bot in house,
            is_inactive=_is_inactive(active.get(account.bot), now),
        )
        for account in accounts
    ]
    return PoolBoard(
        pool,
        store.pools.extent(pool.name),
        None if fit is None else fit.extent,
        None if fit is None else fit.error_source,
        tuple(_ranked(_ordered(lines), fit)),
        len({line.component for line in lines if line.component is not None}),
        # T20.4: anchors that cannot place the pool yet do not fix the scale.
        fit is not None and any(line.is_anchor for line in fit.ratings) and NOT_COMPARABLE not in fit.notes,
        fit is not None and fit.is_of_record,
        0.0 if fit is None else ELO_PER_NAT * fit.sigma,
        1.0 if fit is None else fit.phi,
        () if fit is None else fit.notes,
        store.heads.latest(),
        confidence=CONFIDENCE if fit is None else fit.confidence,
    )


def _newest(accounts: Iterable[Account], known: dict[str, StoredVersion]) -> list[Account]:
    """T9.7: a lineage's rating is its newest version's: the newest that has played here."""
    newest: dict[str, Account] = {}
    for account in accounts:
        version = known.get(account.bot)
        name = account.bot if version is None else version.name
        other = newest.get(name)
        if other is None or (version is not None and version.number > known[other.bot].number):
            newest[name] = account
    return list(newest.values())


def _ordered(lines: Iterable[Line]) -> list[Line]:
    """Sort by the fit within each component, the largest component first; unfitted bots come last, by Elo."""
    lines = list(lines)
    sizes = Counter(line.component for line in lines)

    def key(line: Line) -> tuple[bool, int, int, float, str]:
        if line.component is None or line.rating is None:
            return (True, 0, 0, -line.elo, line.label)
        return (False, -sizes[line.component], line.component, -line.rating, line.label)

    return sorted(lines, key=key)


def _ranked(lines: Sequence[Line], fit: PoolFit | None) -> Iterable[Line]:
    """Number the lines within their component, and compare each with the next ranked one."""
    ranked = [line.label for line in lines if not line.is_house and (fit is None or line.rating is not None)]
    following: dict[str, str | None] = dict(zip(ranked, [*ranked[1:], None], strict=False))
    places = {} if fit is None else fit.index()
    counts: Counter[int | None] = Counter()
    for line in lines:
        if line.label not in following:
            yield line
            continue
        counts[line.component] += 1
        los, other = None, following[line.label]
        if fit is not None and other is not None:
            los = fit.los(places[line.label], places[other])
        shown = "" if los is None else shown_los(los)
        yield dataclasses.replace(line, rank=counts[line.component], los=los, shown_los=shown)


def _line(
    account: Account,
    known: StoredVersion | None,
    fitted: FittedRating | None,
    *,
    is_house: bool,
    is_inactive: bool,
) -> Line:
    """Return the line of a bot version before it is ranked."""
    matches = max(1, account.matches)
    return Line(
        rank=None,
        bot=account.bot if known is None else known.name,
        version="" if known is None else known.version,
        label=account.bot,
        elo=account.rating / 1000,
        rating=None if fitted is None else fitted.rating,
        error=None if fitted is None else fitted.error,
        places="" if fitted is None or is_house else shown_places(fitted),
        los=None,
        shown_rating="" if fitted is None else shown_rating(fitted.rating),
        shown_error="" if fitted is None else shown_error(fitted.error),
        matches=account.matches,
        mean_place=account.place_sum / matches,
        win_share=account.wins / matches,
        points_share=account.points / UNIT / matches,
        forfeits=account.forfeits,
        component=None if fitted is None else fitted.component,
        is_house=is_house,
        is_inactive=is_inactive,
        is_retired=known is not None and known.is_retired,
    )


def _is_inactive(last_match: str | None, now: datetime) -> bool:
    """T9.7: ratings do not decay; a bot that has not played for a long time is marked."""
    return last_match is not None and now - datetime.fromisoformat(last_match) > INACTIVE_AFTER


def overall(boards: Sequence[PoolBoard], fit_of: Callable[[str], PoolFit | None]) -> list[OverallLine]:
    """T8.13: return the order over several games, of which every one is a voter."""
    lines: dict[str, Line] = {}
    games: dict[str, list[str]] = defaultdict(list)
    ballots = []
    for each in boards:
        fit = fit_of(each.pool.name)
        known = {
            line.label: line
            for line in each.lines
            if line.component is not None and not line.is_house and line.matches >= MIN_MATCHES
        }
        ballots.append(Ballot((), np.zeros((0, 0))) if fit is None else ballot(fit, known))
        for label in ballots[-1].bots:
            lines.setdefault(label, known[label])
            games[label].append(each.pool.game)
    return [
        OverallLine(
            rank,
            lines[place.bot].bot,
            lines[place.bot].version,
            place.bot,
            tuple(games[place.bot]),
            place.votes,
            shown_los(place.votes),
            place.ahead_of,
        )
        for rank, place in enumerate(overall_order(ballots), start=1)
    ]


OVERALL = (
    "Every game votes on every two bots, with the likelihood that one is stronger; a bot with"
    f" {MIN_MATCHES} matches or more in more than half of the games takes part."
)
NO_OVERALL = f"There is no order over all games yet: no two bots have {MIN_MATCHES} matches in more than half of them."


ERROR_SOURCES = {
    "posterior": "the posterior of the fit and hold for one look planned beforehand",
    "approximate": "the diagonal of the fit's precision, which is approximate, as in any pool of more than 3,000 bots",
}


def any_look_error(line: Line, confidence: float) -> float:
    """T15.5: return half of the model's interval around a rating that may be watched, in Elo.

    `confidence` is the number of standard errors that the line's own error has (T8.5).
    """
    return ELO_PER_NAT * watched_half_width(max((line.error or 0.0) / confidence / ELO_PER_NAT, 1e-6))


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The boards of several games, the order over all of them and a tournament's order."""

    boards: list[PoolBoard]
    overall: list[OverallLine]
    swiss: tuple[StandingLine, ...]
    """T11: the order of the requested tournament; a knockout has its own rule for it."""
    words: OrderWords = SWISS_ORDER


def gather(
    store: Store,
    fit_of: Callable[[str], PoolFit | None],
    games: tuple[str, ...],
    tournament: str | None,
    *,
    all_versions: bool,
) -> Leaderboard:
    """Rank bots by strength, in all games or in some, among all bots or those of one tournament."""
    stored = None if tournament is None else store.tournaments.find(tournament)
    boards = boards_of(store, fit_of, games, stored, all_versions=all_versions)
    over_all = overall(boards, fit_of) if len(boards) > 1 else []
    if stored is None:
        return Leaderboard(boards, over_all, ())
    return Leaderboard(boards, over_all, standings(store, stored), order_words(stored))


def boards_of(
    store: Store,
    fit_of: Callable[[str], PoolFit | None],
    games: tuple[str, ...],
    stored: StoredTournament | None,
    *,
    all_versions: bool = False,
) -> list[PoolBoard]:
    """Return the boards of all games or of some, among all bots or those of one tournament."""
    now = local_now()
    boards = []
    for pool in newest_pools(store, games or _games_of(store, stored)):
        house = () if stored is None else TournamentSettings.of(stored).house_bots
        only = None if stored is None else {*entrants(store, stored), *house}
        fit = fit_of(pool.name)
        found = board(store, pool, fit, now, only=only, house=house, all_versions=all_versions)
        if stored is not None:
            words = drift_words(tournament_drift(store, stored.id, pool.name, fit))
            found = dataclasses.replace(found, drift=words)
        boards.append(with_claims(store, found, stored))
    return boards


def entered_claims(store: Store, stored: StoredTournament, game: str) -> Claims | None:
    """T16.1: return the claims of a tournament in one game from the ledger; None if it makes none."""
    settings = TournamentSettings.of(stored)
    if not settings.makes_claims:
        return None
    entrants = set(settings.bots)
    for number, bot, is_entry in store.tournaments.changes(stored.id):
        if number == 1:
            entrants = entrants | {bot} if is_entry else entrants - {bot}
    if len(entrants) < MIN_SEATS:
        return None
    claims = Claims(tuple(sorted(entrants)))
    for body in store.tournaments.claims(stored.id):
        if body.get("game", game) == game:
            claim = Claim(body["first"], body["second"], ClaimWord(body["word"]), body["round"], body["evidence"])
            first, second = sorted((claim.first, claim.second))
            claims.made[first, second] = claim
    return claims


def with_claims(store: Store, found: PoolBoard, of: StoredTournament | None = None) -> PoolBoard:
    """T16.4: add to a list the claims between neighbours of a given tournament, or of the latest in the pool.

    Only one tournament's claims are used: the error rate holds for one tournament, not for several.
    """
    tournament = of or _latest_claiming(store, found.pool)
    claims = None if tournament is None else entered_claims(store, tournament, found.pool.game)
    if tournament is None or claims is None:
        return found
    lines = _lines_with_claims(found, claims)
    if not any(line.claim for line in lines):
        return found
    said = foot() if of is not None else f"The claims between neighbours are those of {tournament.id}. {foot()}"
    return dataclasses.replace(found, lines=lines, claimed_in=tournament.id, foot=said)


def _latest_claiming(store: Store, pool: RatingPool) -> StoredTournament | None:
    """Return the latest tournament with claims and a closed round in a pool."""
    for stored in reversed(store.tournaments.all()):
        settings = TournamentSettings.of(stored)
        played = {game.pool for game in settings.games}
        is_closed = RoundState.CLOSED in store.tournaments.round_counts(stored.id)
        if settings.makes_claims and pool.name in played and is_closed:
            return stored
    return None


def _lines_with_claims(found: PoolBoard, claims: Claims) -> tuple[Line, ...]:
    ranked = [line for line in found.lines if line.rank is not None and line.rating is not None]
    words = {
        upper.label: claims.word(upper.label, lower.label)
        for upper, lower in pairwise(ranked)
        if upper.component == lower.component
    }
    return tuple(dataclasses.replace(line, claim=words.get(line.label, line.claim)) for line in found.lines)


def _games_of(store: Store, stored: StoredTournament | None) -> tuple[str, ...]:
    """Return the pools of a tournament that have matches."""
    if stored is None:
        return ()
    wanted = [game.pool for game in TournamentSettings.of(stored).games]
    present = set(store.pools.names())
    found = tuple(pool for pool in wanted if pool in present)
    if not found:
        raise NotFoundError(f"tournament: {stored.id} has no closed round yet")
    return found


def as_plain(found: Leaderboard, tournament: str | None) -> dict[str, Any]:
    """Return a leaderboard as plain data."""
    plain: dict[str, Any] = {
        "boards": [_plain_board(each) for each in found.boards],
        "overall": [dataclasses.asdict(line) for line in found.overall],
    }
    if tournament is not None:
        plain["tournament"] = tournament
        plain["swiss_order"] = [dataclasses.asdict(line) for line in found.swiss]
    return plain


def _plain_board(each: PoolBoard) -> dict[str, Any]:
    fit = None
    if each.fitted is not None:
        fit = {
            "is_current": each.is_current,
            "matches": each.fitted.matches,
            "through_entry": each.fitted.through,
            "error_source": each.error_source,
            "has_anchors": each.has_anchors,
            "components": each.components,
            "is_of_record": each.is_of_record,
            "spread": each.spread,
            "phi": each.phi,
            "confidence": each.confidence,
            "notes": list(each.notes),
        }
    return {
        "game": each.pool.game,
        "rules_version": each.pool.rules_version,
        "pool": each.pool.name,
        "matches": each.extent.matches,
        "voids": each.extent.voids,
        "head": each.head,
        "claimed_in": each.claimed_in,
        "foot": each.foot,
        "drift": each.drift,
        "fit": fit,
        "lines": [dataclasses.asdict(line) for line in each.lines],
    }


def remarks(each: PoolBoard) -> list[str]:
    """T8.7: return the sentences around a list: the zero of its ratings, their spread, and phi."""
    if each.fitted is None:
        return [
            f"No ratings have been fitted over these {each.extent.matches:,} matches yet.",
            "Bots are ordered by running Elo.",
        ]
    matches = each.fitted.matches
    zero = "house bots of known strength" if each.has_anchors else "the mean of all bots, 1500"
    source = ERROR_SOURCES.get(str(each.error_source), str(each.error_source))
    found = [
        f"Ratings are fitted over {matches:,} matches and measured from {zero}.",
        f"95 % intervals of ± {each.confidence or CONFIDENCE:g} standard errors come from {source}.",
        f"The head of the ledger is {each.head}.",
        f"The spread of the pool is {each.spread:.0f} Elo, phi is {each.phi:.2f}.",
    ]
    if not each.is_of_record:
        found.append("These ratings are provisional: they differ from the ledger's last FIT entry.")
    found += [f"{note[0].upper()}{note[1:]}." for note in each.notes]
    found += [sentence for sentence in (each.drift, each.foot) if sentence]
    if not each.is_current:
        found.append(f"The last {each.extent.matches - matches:,} matches are not in the fit yet.")
    if each.components > 1:
        found.append("Bots of different parts have never met, even through others: their ratings are not comparable.")
    return found
