"""T13: the accounts derived from the entries: ratings, banks and counts, in memory and in integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ratings.ledger.chain import Body, Draft, Entry, Kind, LedgerError
from ratings.points.elo import START, RatedSeat, rate
from ratings.points.points import MIN_SEATS, STRUCK, forfeited_places, game_points, struck_places

BANK = "bank"
"""The name of the bank in place of a bot; no bot may have it."""


@dataclass(slots=True)
class Account:
    """One bot version in one pool."""

    pool: str
    bot: str
    start: int
    rating: int
    is_anchor: bool = False
    games: int = 0
    """T9: rated games, including void ones; they determine K."""
    matches: int = 0
    """Matches that count; here and below, void matches do not."""
    wins: int = 0
    shared_wins: int = 0
    place_sum: int = 0
    points: int = 0
    forfeits: int = 0
    last_seq: int = 0


@dataclass(slots=True)
class Total:
    """The totals of a pool."""

    pool: str
    bank: int = 0
    matches: int = 0
    voids: int = 0


class RatingChange(NamedTuple):
    """One step in the history of a rating; the match is empty for an epoch's correction."""

    pool: str
    bot: str
    seq: int
    match_id: str
    delta: int
    after: int


FORMULA = 1
"""T13.8: the version of the rating formulas; every POOL and FIT entry names it."""


def check_formula(pool: Body) -> None:
    """T13.8: raise a LedgerError unless a POOL entry names the current formula."""
    if pool["formula"] != FORMULA:
        raise LedgerError(f"T13.8: {pool['pool']} is rated by formula {pool['formula']}, but only {FORMULA} is known")


@dataclass(slots=True)
class SeatCorrections:
    """T13.12, T13.15: the bots that forfeited a match after it was entered, and those whose seats were struck."""

    forfeited: set[str] = field(default_factory=set)
    struck: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.forfeited or self.struck)

    def of_kind(self, kind: Kind) -> set[str]:
        """Return the bots that FORFEIT or STRIKE entries name."""
        return self.forfeited if kind is Kind.FORFEIT else self.struck

    def applied(self, match: Body) -> Body:
        """Return the body of a match with the places that count now."""
        if not self:
            return match
        forfeited, struck = (
            [seat for seat, bot in enumerate(match["seating"]) if bot in bots] for bots in (self.forfeited, self.struck)
        )
        return {**match, "places": list(struck_places(forfeited_places(match["places"], forfeited), struck))}

    def can_strike(self, match: Body, bot: str) -> bool:
        """T13.15: return whether two seats would be left without those of a bot."""
        left = [other for other in match["seating"] if other != bot and other not in self.struck]
        return len(left) >= MIN_SEATS


@dataclass(slots=True)
class Accounts:
    """Accounts by pool and bot, fetched when first needed and changed by applying entries in order."""

    fetch_account: Callable[[str, str], Account | None] = lambda _pool, _bot: None
    fetch_total: Callable[[str], Total | None] = lambda _pool: None
    fetch_parent: Callable[[str], str | None] = lambda _bot: None
    loaded: dict[tuple[str, str], Account] = field(default_factory=dict)
    totals: dict[str, Total] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    changes: list[RatingChange] = field(default_factory=list)

    def known_account(self, pool: str, bot: str) -> Account | None:
        """Return the account if the bot has one in this pool."""
        account = self.loaded.get((pool, bot)) or self.fetch_account(pool, bot)
        if account is not None:
            self.loaded[pool, bot] = account
        return account

    def account(self, pool: str, bot: str) -> Account:
        """T9.1: return the account, opened at the parent version's rating or at 1500 if it is new."""
        account = self.known_account(pool, bot)
        if account is None:
            parent = self.parents[bot] if bot in self.parents else self.fetch_parent(bot)
            parent_account = self.known_account(pool, parent) if parent is not None else None
            start = START if parent_account is None else parent_account.rating
            account = self.loaded[pool, bot] = Account(pool, bot, start, start)
        return account

    def total(self, pool: str) -> Total:
        """Return the totals of a pool."""
        if pool not in self.totals:
            self.totals[pool] = self.fetch_total(pool) or Total(pool)
        return self.totals[pool]

    def rating_drafts(self, match_id: str, pool: str, seating: Sequence[str], places: Sequence[int]) -> list[Draft]:
        """T9.4: the RATE entries of a match, the bank's last."""
        accounts = [self.account(pool, bot) for bot in seating]
        moving = [account.bot for account in accounts if not account.is_anchor]
        if len(set(moving)) < len(moving):
            raise LedgerError(f"T9: only an anchor may hold two seats of a match, but {match_id} has another bot twice")
        changes, bank = rate([RatedSeat(a.rating, a.games, a.is_anchor) for a in accounts], places)
        about = {"match": match_id}
        drafts = [
            _draft(
                Kind.RATE,
                {**about, "factor": change.factor, "games": change.games},
                pool,
                bot,
                change.before,
                change.delta,
            )
            for bot, change in dict(zip(seating, changes, strict=True)).items()
        ]
        return [*drafts, self._bank_draft(Kind.RATE, about, pool, bank)]

    def reverse_drafts(self, match_id: str, pool: str, deltas: Sequence[tuple[str, int]]) -> list[Draft]:
        """T13.5: the REVERSE entries that undo a match, the bank's last."""
        about = {"match": match_id}
        drafts = [
            _draft(Kind.REVERSE, about, pool, bot, self.account(pool, bot).rating, -delta) for bot, delta in deltas
        ]
        return [*drafts, self._bank_draft(Kind.REVERSE, about, pool, sum(delta for _, delta in deltas))]

    def adjust_drafts(self, epoch: str, pool: str, ratings: Sequence[tuple[str, int]], note: Body) -> list[Draft]:
        """T13.6: the ADJUST entries that set ratings to a clean replay; the bank takes the difference."""
        about = {"epoch": epoch, **note}
        drafts = [
            _draft(Kind.ADJUST, about, pool, bot, before, after - before)
            for bot, after in ratings
            if after != (before := self.account(pool, bot).rating)
        ]
        return [*drafts, self._bank_draft(Kind.ADJUST, about, pool, -sum(draft.body["delta"] for draft in drafts))]

    def _bank_draft(self, kind: Kind, about: Body, pool: str, delta: int) -> Draft:
        return _draft(kind, about, pool, BANK, self.total(pool).bank, delta)

    def apply(self, entry: Entry) -> None:
        """Apply an entry to the accounts."""
        body = entry.body
        match entry.kind:
            case Kind.POOL:
                check_formula(body)
            case Kind.BOT:
                self.parents[body["bot"]] = body["parent"]
            case Kind.ANCHOR:
                account = self.account(body["pool"], body["bot"])
                if account.games:
                    raise LedgerError(
                        f"T9: {account.bot} is already rated in {account.pool} and cannot become an anchor"
                    )
                account.start = account.rating = body["rating"]
                account.is_anchor = True
                account.last_seq = entry.seq
            case Kind.MATCH:
                self.total(body["pool"]).matches += 1
                self._count(body, 1)
            case Kind.RATE | Kind.REVERSE | Kind.ADJUST:
                self._move(entry)

    def apply_void(self, match: Body) -> None:
        """T13: remove a posted match from the counts."""
        total = self.total(match["pool"])
        total.matches -= 1
        total.voids += 1
        self._count(match, -1)

    def apply_places(self, before: Body, after: Body) -> None:
        """T13.12, T13.15: count a match by its new places."""
        self._count(before, -1)
        self._count(after, 1)

    def apply_given_up(self, pool: str) -> None:
        """T13: count a void match that was never posted."""
        self.total(pool).voids += 1

    def _count(self, match: Body, sign: int) -> None:
        places = match["places"]
        winners = places.count(1)
        for seat, points in enumerate(game_points(places)):
            if places[seat] == STRUCK:
                continue
            account = self.account(match["pool"], match["seating"][seat])
            account.matches += sign
            account.place_sum += sign * places[seat]
            account.points += sign * points
            account.forfeits += sign * (seat in match["forfeits"])
            # Ties before wins: a shared first place is not a win.
            account.shared_wins += sign * (places[seat] == 1 and winners > 1)
            account.wins += sign * (places[seat] == 1 and winners == 1)

    def _move(self, entry: Entry) -> None:
        body = entry.body
        pool, bot, delta = body["pool"], body["bot"], body["delta"]
        if bot == BANK:
            self.total(pool).bank += delta
            return
        account = self.account(pool, bot)
        account.rating += delta
        account.last_seq = entry.seq
        if entry.kind is Kind.RATE:
            account.games += 1
        self.changes.append(RatingChange(pool, bot, entry.seq, body.get("match", ""), delta, account.rating))


def _draft(kind: Kind, about: Body, pool: str, bot: str, before: int, delta: int) -> Draft:
    """A change of the rating of a bot, or of the bank."""
    moved = {"pool": pool, "bot": bot, "before": before, "delta": delta, "after": before + delta}
    return Draft.of(kind, {**about, **moved})


def clean_ratings(
    pool: str, matches: Sequence[Body], parents: dict[str, str | None], anchors: dict[str, int]
) -> dict[str, int]:
    """T13: replay the running Elo over these matches only, in their order."""
    accounts = Accounts(parents=parents)
    for bot, rating in anchors.items():
        accounts.loaded[pool, bot] = Account(pool, bot, rating, rating, is_anchor=True)
    for body in matches:
        for draft in accounts.rating_drafts("", pool, body["seating"], body["places"]):
            if draft.body["bot"] != BANK:
                account = accounts.account(pool, draft.body["bot"])
                account.rating, account.games = draft.body["after"], account.games + 1
    return {account.bot: account.rating for account in accounts.loaded.values() if account.games}
