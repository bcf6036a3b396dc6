"""T13: the ledger as the arena uses it: functions over an SQLite connection that the caller owns.

The chain of entries is the truth. The tables beside it (`standing`, `rating_change`, `posted_match`, `pool_total`)
follow from it, are written in the same transaction, and can be rebuilt from it at any time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ratings.book import (
    BANK,
    Account,
    Book,
    RatingChange,
    Total,
    adjust_key,
    clean_ratings,
    forfeit_key,
    forfeited,
    match_key,
    rate_key,
    void_key,
)
from ratings.chain import (
    Body,
    Draft,
    Entry,
    Head,
    Kind,
    LedgerError,
    append,
    canonical_json,
    create_chain,
    entries,
    entries_of_key,
    entry_of,
    find,
    head,
    parse_payload,
    record,
    same_body,
    transaction,
)
from ratings.claims import Claim, Claims, claim_body, claim_key
from ratings.fit_record import FitRecord
from ratings.formulas import CURRENT, FIRST
from ratings.points import check_places
from ratings.result import Fixture, LedgerResult, Result
from ratings.trial import Trial
from ratings.trial_ledger import TestEntry, read_test, verdict_body, verdict_key

FORMAT = 1
"""The version of the entries' layout, written into the first of them."""

DERIVED = {
    "standing": """CREATE TABLE IF NOT EXISTS standing (
        pool TEXT NOT NULL, bot TEXT NOT NULL, start INTEGER NOT NULL, rating INTEGER NOT NULL,
        is_anchor INTEGER NOT NULL, games INTEGER NOT NULL, matches INTEGER NOT NULL, wins INTEGER NOT NULL,
        shared_wins INTEGER NOT NULL, place_sum INTEGER NOT NULL, points INTEGER NOT NULL, forfeits INTEGER NOT NULL,
        last_seq INTEGER NOT NULL, PRIMARY KEY (pool, bot)) WITHOUT ROWID""",
    "rating_change": """CREATE TABLE IF NOT EXISTS rating_change (
        pool TEXT NOT NULL, bot TEXT NOT NULL, seq INTEGER NOT NULL, match_id TEXT NOT NULL,
        delta INTEGER NOT NULL, after INTEGER NOT NULL, PRIMARY KEY (pool, bot, seq)) WITHOUT ROWID""",
    "posted_match": """CREATE TABLE IF NOT EXISTS posted_match (
        seq INTEGER PRIMARY KEY, pool TEXT NOT NULL, tournament TEXT NOT NULL, round INTEGER NOT NULL,
        table_number INTEGER NOT NULL, game_number INTEGER NOT NULL, is_void INTEGER NOT NULL)""",
    "pool_total": """CREATE TABLE IF NOT EXISTS pool_total (
        pool TEXT PRIMARY KEY, bank INTEGER NOT NULL, matches INTEGER NOT NULL, voids INTEGER NOT NULL)""",
}
"""The tables that follow from the chain, with the statements that create them."""

MATCH_NAMES = ("match", "pool", "tournament", "round", "table", "game", "seating", "seed")
"""What the entry of a correction repeats of its match."""

INDEXES = (
    "CREATE INDEX IF NOT EXISTS standing_by_rating ON standing (pool, rating DESC)",
    "CREATE INDEX IF NOT EXISTS posted_match_by_pool ON posted_match (pool, seq)",
    "CREATE INDEX IF NOT EXISTS posted_match_by_round ON posted_match (tournament, round, table_number, game_number)",
)


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of a round as it was drawn: base seating, seeds, and how many games its block has."""

    table: int
    seats: tuple[str, ...]
    seeds: tuple[int, ...] | int
    """T2: one for every game; or, by the rule of older ledgers, one number for all of them."""
    games: int

    def body(self) -> dict[str, Any]:
        """T13: what the entry of its round says of it."""
        seeds = {"seed": self.seeds} if isinstance(self.seeds, int) else {"seeds": self.seeds}
        return {"table": self.table, "seats": self.seats, "games": self.games, **seeds}


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the chain and what follows from it, where missing.

    The caller sets journal_mode=WAL, synchronous=FULL and, to keep posting flat in a large ledger, a cache of 64 MB
    (cache_size=-65536): keys and hashes are random, so their indexes are written all over.
    """
    create_chain(connection)
    for statement in (*DERIVED.values(), *INDEXES):
        connection.execute(statement)


# What is written once and says the same ever after: each returns False if it was there already.


def record_genesis(connection: sqlite3.Connection, name: str) -> bool:
    """Begin the ledger of an arena."""
    return record(connection, Draft(Kind.GENESIS, "genesis", {"name": name, "format": FORMAT}))


def record_pool(connection: sqlite3.Connection, pool: str, game: str, rules_version: int) -> bool:
    """T13.8: open a pool, one game under one version of its rules, or go on with it by the formulas of today.

    False if it is open and rated by them already.
    """
    body = {"pool": pool, "game": game, "rules": rules_version}
    opened = find(connection, f"pool:{pool}")
    if opened is None:
        return record(connection, Draft(Kind.POOL, f"pool:{pool}", {**body, "formula": CURRENT}))
    if (opened.body["game"], opened.body["rules"]) != (game, rules_version):
        raise LedgerError(f"T13.8: the pool {pool} is open for another game")
    if pool_formula(connection, pool) == CURRENT:
        return False
    return record(connection, Draft(Kind.POOL, f"pool:{pool}:{CURRENT}", {**body, "formula": CURRENT}))


def pool_formula(connection: sqlite3.Connection, pool: str) -> int:
    """T13.8: return the version of the formulas by which a pool is rated now."""
    for version in range(CURRENT, FIRST, -1):
        if find(connection, f"pool:{pool}:{version}") is not None:
            return version
    opened = find(connection, f"pool:{pool}")
    return FIRST if opened is None else int(opened.body.get("formula", FIRST))


def record_bot(
    connection: sqlite3.Connection, bot: str, name: str, version_hash: str, parent: str | None = None
) -> bool:
    """T9: enter a bot version; it starts at the rating that its parent version has at its first match in a pool."""
    if bot == BANK:
        raise LedgerError(f"T13: no bot may be called {BANK}")
    if parent is not None and find(connection, f"bot:{parent}") is None:
        raise LedgerError(f"T13: {bot} has the parent {parent}, which is not in the ledger")
    body = {"bot": bot, "name": name, "version": version_hash, "parent": parent}
    return record(connection, Draft(Kind.BOT, f"bot:{bot}", body))


def record_anchor(connection: sqlite3.Connection, pool: str, bot: str, rating: int) -> bool:
    """T9.6: freeze a house bot at a rating in milli-Elo."""
    _check_entered(connection, pool, (bot,))
    with transaction(connection):
        draft = Draft(Kind.ANCHOR, f"anchor:{pool}:{bot}", {"pool": pool, "bot": bot, "rating": rating})
        is_new = record(connection, draft)
        if is_new:
            book = _stored_book(connection)
            entry = find(connection, draft.key)
            assert entry is not None
            book.apply(entry)
            _store(connection, book)
        return is_new


def record_tournament(connection: sqlite3.Connection, tournament: str, settings: Body) -> bool:
    """T13: enter a tournament with its settings, its seed and the version of the software."""
    draft = Draft(Kind.TOURNAMENT, f"tournament:{tournament}", {"tournament": tournament, "settings": settings})
    return record(connection, draft)


def record_change(
    connection: sqlite3.Connection, tournament: str, round_number: int, bot: str, *, is_entry: bool
) -> bool:
    """T10.3, T10.4: enter that a bot joins a tournament or leaves it; the round is the first that is drawn so."""
    kind = Kind.ENTER if is_entry else Kind.LEAVE
    key = f"{change_prefix(tournament, is_entry=is_entry)}{round_number}:{bot}"
    return record(connection, Draft(kind, key, {"tournament": tournament, "round": round_number, "bot": bot}))


def change_prefix(tournament: str, *, is_entry: bool) -> str:
    """The beginning of the keys of all that joined a tournament, or left it."""
    return f"{'enter' if is_entry else 'leave'}:{tournament}:"


def record_round(
    connection: sqlite3.Connection,
    tournament: str,
    round_number: int,
    tables: Sequence[RoundTable],
    *,
    byes: Sequence[str] = (),
    scores: Mapping[str, int] | None = None,
    metrics: Body | None = None,
) -> bool:
    """T13: enter the pairing of a round, with the integers it was made from (T4) and its metrics (T7)."""
    body = {
        "tournament": tournament,
        "round": round_number,
        "tables": [table.body() for table in tables],
        "byes": byes,
        "scores": scores or {},
        "metrics": metrics or {},
    }
    return record(connection, Draft(Kind.ROUND, f"round:{tournament}:{round_number}", body))


def record_fit(connection: sqlite3.Connection, pool: str, fitted: FitRecord) -> bool:
    """T13.7: enter the fit of a pool as it stands now. False if exactly this one is the last thing entered."""
    through = head(connection).seq
    body = {"pool": pool, "through": through, **fitted.body}
    return record(connection, Draft(Kind.FIT, fit_key(pool, through), body))


def fit_key(pool: str, through: int) -> str:
    """The key of the fit of a pool over all entries up to one."""
    return f"fit:{pool}:{through}"


def last_fit(connection: sqlite3.Connection, pool: str) -> Entry | None:
    """T13.7: return the last FIT entry of a pool, if it has one."""
    first, beyond = f"fit:{pool}:", f"fit:{pool};"
    row = connection.execute(
        "SELECT seq, kind, key, payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq DESC LIMIT 1",
        (first, beyond),
    ).fetchone()
    return None if row is None else entry_of(*row)


def strengths_digest(strengths: Mapping[str, int]) -> str:
    """The digest of a fit by the first formulas: of its strengths in micro-nat."""
    return sha256(canonical_json(strengths).encode()).hexdigest()


def record_checkpoint(connection: sqlite3.Connection, tournament: str, round_number: int) -> bool:
    """T13: seal a closed round: the head so far, and for every pool the counts, the ratings' sum and the bank."""
    key = f"checkpoint:{tournament}:{round_number}"
    with transaction(connection):
        if find(connection, key) is not None:
            return False
        end = head(connection)
        sums = connection.execute("SELECT pool, count(*), sum(rating), sum(start) FROM standing GROUP BY pool")
        pools = {pool: {"bots": bots, "ratings": ratings, "starts": starts} for pool, bots, ratings, starts in sums}
        for pool, bank, matches, voids in connection.execute("SELECT pool, bank, matches, voids FROM pool_total"):
            pools.setdefault(pool, {"bots": 0, "ratings": 0, "starts": 0})
            pools[pool] |= {"bank": bank, "matches": matches, "voids": voids}
        body = {"tournament": tournament, "round": round_number, "head": end.hex, "entries": end.seq, "pools": pools}
        return record(connection, Draft(Kind.CHECKPOINT, key, body))


# Tests and claims.


def record_test(connection: sqlite3.Connection, test: TestEntry) -> bool:
    """T17.1: enter a test, before its first game."""
    _check_entered(connection, test.pool, ())
    return record(connection, Draft(Kind.TEST, test.key, test.body))


def record_verdict(connection: sqlite3.Connection, test_id: str, trial: Trial) -> bool:
    """T17.3: enter how a test ended; without a verdict it is abandoned."""
    if find(connection, f"test:{test_id}") is None:
        raise LedgerError(f"T17: there is no test {test_id} to give a verdict on")
    return record(connection, Draft(Kind.VERDICT, verdict_key(test_id), verdict_body(trial)))


def record_claims(
    connection: sqlite3.Connection, tournament: str, claims: Claims, made: Sequence[Claim], game: str | None = None
) -> None:
    """T17.4: enter the claims made at the close of a round; `game` where a tournament has several."""
    for claim in made:
        body = claim_body(tournament, claim, claims, game)
        record(connection, Draft(Kind.CLAIM, claim_key(tournament, claim, game), body))


def tests(connection: sqlite3.Connection) -> Iterator[tuple[TestEntry, Body | None]]:
    """T17: every test in order, with what its VERDICT entry says if it has one."""
    rows = connection.execute(
        "SELECT seq, kind, key, payload FROM entry WHERE key >= 'test:' AND key < 'test;' ORDER BY seq"
    ).fetchall()
    for row in rows:
        test = read_test(entry_of(*row).body)
        verdict = find(connection, verdict_key(test.id))
        yield test, None if verdict is None else verdict.body


# Results.


def match_body(result: LedgerResult) -> dict[str, Any]:
    """T13: what the ledger says of a match."""
    fixture = result.fixture
    return {
        "match": fixture.match_id,
        "tournament": fixture.tournament,
        "round": fixture.round,
        "table": fixture.table,
        "game": fixture.game,
        "seating": list(fixture.seating),
        "seed": fixture.seed,
        "pool": result.pool,
        "places": list(result.places),
        "scores": None if result.scores is None else list(result.scores),
        "forfeits": list(result.forfeits),
        "ending": result.ending,
        "engine": result.engine,
        "bot_hashes": list(result.bot_hashes),
        "replay": result.replay_digest,
        **({} if result.is_rated else {"rated": False}),
    }


def is_rated(match: Body) -> bool:
    """T14.9: tell whether a match counts for ratings; what it says of that is only written where it does not."""
    return bool(match.get("rated", True))


def post_matches(connection: sqlite3.Connection, results: Sequence[LedgerResult]) -> int:
    """T9.5, T13: enter results in canonical order, each with its ratings, in one transaction; return how many were new.

    A match that is there already changes nothing; with a different result it is an error, and nothing is entered.
    """
    with transaction(connection):
        book = _stored_book(connection)
        drafts: list[Draft] = []
        posted: dict[str, Body] = {}
        seq = head(connection).seq
        rows = []
        for result in sorted(results, key=lambda each: each.fixture.position):
            body = match_body(result)
            match_id = result.fixture.match_id
            if _is_posted(connection, posted, match_id, body):
                continue
            _check_result(connection, result)
            posted[match_id] = body
            if not result.is_rated:
                drafts.append(Draft(Kind.MATCH, match_key(match_id), body))
                continue
            ratings = book.rating_drafts(match_id, result.pool, result.fixture.seating, result.places)
            rows.append((seq + len(drafts) + 1, result.pool, *result.fixture.position, 0))
            batch = [Draft(Kind.MATCH, match_key(match_id), body), *ratings]
            for draft in batch:
                book.apply(Entry(seq + len(drafts) + 1, draft.kind, draft.key, draft.body))
                drafts.append(draft)
        append(connection, drafts)
        connection.executemany("INSERT INTO posted_match VALUES (?,?,?,?,?,?,?)", rows)
        _store(connection, book)
        return len(posted)


def _is_posted(connection: sqlite3.Connection, posted: Mapping[str, Body], match_id: str, body: Body) -> bool:
    present = posted.get(match_id)
    if present is None:
        entry = find(connection, match_key(match_id))
        if entry is None:
            return False
        present = entry.body
    if not same_body(present, body):
        raise LedgerError(f"T13: match {match_id} is in the ledger with a different result")
    return True


def _check_result(connection: sqlite3.Connection, result: LedgerResult) -> None:
    fixture = result.fixture
    try:
        check_places(result.places)
    except ValueError as error:
        raise LedgerError(f"{error} (match {fixture.match_id})") from None
    seats = len(fixture.seating)
    by_seat = (result.places, result.bot_hashes, result.scores if result.scores is not None else result.places)
    if any(len(values) != seats for values in by_seat) or not all(0 <= seat < seats for seat in result.forfeits):
        raise LedgerError(f"T13: match {fixture.match_id} has {seats} seats, and not everything said of it fits them")
    if find(connection, void_key(fixture.match_id)) is not None:
        raise LedgerError(f"T13: match {fixture.match_id} is void and takes no result")
    _check_entered(connection, result.pool, fixture.seating)


def _check_entered(connection: sqlite3.Connection, pool: str, bots: Sequence[str]) -> None:
    for key in (f"pool:{pool}", *(f"bot:{bot}" for bot in bots)):
        if not connection.execute("SELECT 1 FROM entry WHERE key = ?", (key,)).fetchone():
            raise LedgerError(f"T13: {key} is not in the ledger")


def void_match(connection: sqlite3.Connection, match_id: str, reason: str, who: str) -> bool:
    """T13.5: make a posted match void: give back what it did to ratings and bank. False if it is void already."""
    with transaction(connection):
        match = find(connection, match_key(match_id))
        if match is None:
            raise LedgerError(f"T13: match {match_id} is not in the ledger")
        if find(connection, void_key(match_id)) is not None:
            return False
        if not is_rated(match.body):
            append(connection, [_void_draft(match.body, reason, who)])
            return True
        bots = forfeiters(connection, match_id)
        book = _stored_book(connection)
        drafts = [_void_draft(match.body, reason, who)]
        if not bots:  # else its ratings were given back when it was forfeited
            drafts += book.reverse_drafts(match_id, match.body["pool"], _recorded_deltas(connection, match.body))
        for entry in append(connection, drafts):
            book.apply(entry)
        book.apply_void(forfeited(match.body, bots))
        connection.execute("UPDATE posted_match SET is_void = 1 WHERE seq = ?", (match.seq,))
        _store(connection, book)
        return True


def forfeit_match(connection: sqlite3.Connection, match_id: str, bot: str, reason: str, who: str) -> bool:
    """T13.12: let a bot have forfeited a posted match: it takes the last place, and what the match did to ratings and
    bank is given back. False if the match is void or forfeited by this bot already.
    """
    with transaction(connection):
        match = find(connection, match_key(match_id))
        if match is None or bot not in match.body["seating"]:
            raise LedgerError(f"T13: match {match_id} of {bot} is not in the ledger")
        key = forfeit_key(match_id, bot)
        if find(connection, void_key(match_id)) is not None or find(connection, key) is not None:
            return False
        before = forfeiters(connection, match_id)
        now = forfeited(match.body, {*before, bot})
        body = {name: now[name] for name in MATCH_NAMES} | {
            "bot": bot, "places": now["places"], "reason": reason, "who": who,
        }  # fmt: skip
        drafts = [Draft(Kind.FORFEIT, key, body)]
        book = _stored_book(connection)
        if is_rated(match.body):
            if not before:
                deltas = _recorded_deltas(connection, match.body)
                drafts += book.reverse_drafts(match_id, match.body["pool"], deltas)
            book.apply_forfeit(forfeited(match.body, before), now)
        for entry in append(connection, drafts):
            book.apply(entry)
        _store(connection, book)
        return True


def disqualify(
    connection: sqlite3.Connection, tournament: str, bot: str, round_number: int, results: str, reason: str, who: str
) -> bool:
    """T10.7: enter that a bot is disqualified from a tournament; the round is the first that it may not play.

    `results` says what becomes of its matches: "void" or "forfeit". False if exactly this was entered before.
    """
    body = {
        "tournament": tournament, "bot": bot, "round": round_number, "results": results, "reason": reason, "who": who,
    }  # fmt: skip
    return record(connection, Draft(Kind.DISQUALIFY, f"{disqualify_prefix(tournament)}{bot}", body))


def disqualify_prefix(tournament: str) -> str:
    """The beginning of the keys of all who are disqualified from a tournament."""
    return f"disqualify:{tournament}:"


def _recorded_deltas(connection: sqlite3.Connection, match: Body) -> list[tuple[str, int]]:
    """Return what a match did to the rating of every bot at its table."""
    deltas = []
    for bot in dict.fromkeys(match["seating"]):
        rated = find(connection, rate_key(match["match"], bot))
        if rated is None:
            raise LedgerError(f"T13: match {match['match']} has no rating of {bot} to give back")
        deltas.append((bot, rated.body["delta"]))
    return deltas


def write_off(connection: sqlite3.Connection, fixture: Fixture, pool: str, reason: str, who: str) -> bool:
    """T13: make a match void that never had a result, so that its pairing is resolved. False if it is void already."""
    match_id = fixture.match_id
    with transaction(connection):
        if find(connection, match_key(match_id)) is not None:
            raise LedgerError(f"T13: match {match_id} has a result; make it void instead")
        if find(connection, void_key(match_id)) is not None:
            return False
        _check_entered(connection, pool, ())
        body = {
            "match": match_id,
            "pool": pool,
            "tournament": fixture.tournament,
            "round": fixture.round,
            "table": fixture.table,
            "game": fixture.game,
            "seating": list(fixture.seating),
            "seed": fixture.seed,
        }
        append(connection, [_void_draft(body, reason, who)])
        book = _stored_book(connection)
        book.apply_write_off(pool)
        _store(connection, book)
        return True


def _void_draft(match: Body, reason: str, who: str) -> Draft:
    body = {name: match[name] for name in MATCH_NAMES} | {"reason": reason, "who": who}
    return Draft(Kind.VOID, void_key(match["match"]), body)


# Reading.


def results(connection: sqlite3.Connection, pool: str, through: int | None = None, after: int = 0) -> Iterator[Result]:
    """T8: the matches of a pool that count, in order; those up to an entry that were not void by then, if given.

    With `after`, only those entered after that entry.
    """
    voids = {
        entry.body["match"]
        for entry in entries_of_key(connection, Kind.VOID, void_key(""))
        if entry.body["pool"] == pool and (through is None or entry.seq <= through)
    }
    places: dict[str, list[int]] = {  # of a match that several have forfeited, those by the last entry
        entry.body["match"]: entry.body["places"]
        for entry in entries_of_key(connection, Kind.FORFEIT, "forfeit:")
        if entry.body["pool"] == pool and (through is None or entry.seq <= through)
    }
    same: dict[Any, Any] = {}  # what many results have in common is kept once: whoever fits holds all of them
    for body in _matches(connection, pool, through, after):
        match_id = body["match"]
        if match_id not in voids:
            block = (body["tournament"], body["round"], body["table"])
            counting = places[match_id] if match_id in places else body["places"]
            parts = (tuple(body["seating"]), tuple(counting), block)
            yield Result(*(same.setdefault(part, part) for part in parts))


def is_corrected_since(connection: sqlite3.Connection, pool: str, seq: int) -> bool:
    """T13: whether a match of a pool was made void or forfeited after an entry."""
    found = connection.execute(
        """SELECT 1 FROM entry WHERE (key >= 'void:' AND key < 'void;' OR key >= 'forfeit:' AND key < 'forfeit;')
            AND seq > ? AND json_extract(payload, '$.pool') = ? LIMIT 1""",
        (seq, pool),
    )
    return found.fetchone() is not None


def forfeiters(connection: sqlite3.Connection, match_id: str) -> set[str]:
    """T13.12: the bots that have forfeited a match since it was entered."""
    first, beyond = forfeit_key(match_id, ""), forfeit_key(match_id, "")[:-1] + ";"
    rows = connection.execute("SELECT payload FROM entry WHERE key >= ? AND key < ?", (first, beyond)).fetchall()
    return {parse_payload(payload)["bot"] for (payload,) in rows}


def _matches(connection: sqlite3.Connection, pool: str, through: int | None = None, after: int = 0) -> Iterator[Body]:
    rows = connection.execute(
        "SELECT entry.seq, entry.kind, entry.key, entry.payload FROM posted_match JOIN entry USING (seq)"
        " WHERE pool = ? AND seq > ? AND seq <= ? ORDER BY seq",
        (pool, after, head(connection).seq if through is None else through),
    )
    for row in rows:
        yield entry_of(*row).body


def round_results(connection: sqlite3.Connection, tournament: str, round_number: int) -> Iterator[tuple[Body, bool]]:
    """The matches of a round as the ledger tells them, by table and game, and whether each is void."""
    rows = connection.execute(
        "SELECT entry.seq, entry.kind, entry.key, entry.payload, is_void FROM posted_match JOIN entry USING (seq)"
        " WHERE tournament = ? AND round = ? ORDER BY table_number, game_number, seq",
        (tournament, round_number),
    )
    for seq, kind, key, payload, is_void in rows:
        yield entry_of(seq, kind, key, payload).body, bool(is_void)


def anchors(connection: sqlite3.Connection, pool: str) -> dict[str, int]:
    """T9: the anchors of a pool with their ratings in milli-Elo."""
    rows = connection.execute("SELECT bot, rating FROM standing WHERE pool = ? AND is_anchor ORDER BY bot", (pool,))
    return dict(rows.fetchall())


def parents(connection: sqlite3.Connection) -> dict[str, str]:
    """T9: the parent version of every bot that has one."""
    found = {entry.body["bot"]: entry.body["parent"] for entry in entries_of_key(connection, Kind.BOT, "bot:")}
    return {bot: parent for bot, parent in found.items() if parent is not None}


def standing(connection: sqlite3.Connection, pool: str) -> list[Account]:
    """The accounts of a pool, highest running Elo first."""
    rows = connection.execute("SELECT * FROM standing WHERE pool = ? ORDER BY rating DESC, bot", (pool,))
    return [_account(row) for row in rows]


def accounts_of(connection: sqlite3.Connection, bot: str) -> list[Account]:
    """The accounts of a bot version in all pools, by pool."""
    rows = connection.execute("SELECT * FROM standing WHERE bot = ? ORDER BY pool", (bot,))
    return [_account(row) for row in rows]


def history(connection: sqlite3.Connection, pool: str, bot: str, last: int | None = None) -> list[RatingChange]:
    """The changes of a rating in order; only the last few, if a number is given."""
    rows = connection.execute(
        "SELECT pool, bot, seq, match_id, delta, after FROM rating_change WHERE pool = ? AND bot = ?"
        " ORDER BY seq DESC LIMIT ?",
        (pool, bot, -1 if last is None else last),
    ).fetchall()
    return [RatingChange(*row) for row in reversed(rows)]


# Clean replays and epochs.


def clean_replay(connection: sqlite3.Connection, pool: str) -> dict[str, tuple[int, int]]:
    """T13: for every bot of a pool its running rating, and what it would be had the void matches not been played."""
    given_back = (*entries(connection, Kind.VOID), *entries(connection, Kind.FORFEIT))
    voids = {entry.body["match"] for entry in given_back}
    matches = [body for body in _matches(connection, pool) if body["match"] not in voids]
    of_parents: dict[str, str | None] = dict(parents(connection))
    clean = clean_ratings(pool, matches, of_parents, anchors(connection, pool), pool_formula(connection, pool))
    return {
        account.bot: (account.rating, clean.get(account.bot, account.start)) for account in standing(connection, pool)
    }


def post_epoch(connection: sqlite3.Connection, epoch: str, pool: str, reason: str, who: str) -> bool:
    """T13.6: bring every rating of a pool to its clean replay, with a reason. False if the epoch was posted before."""
    with transaction(connection):
        if find(connection, adjust_key(epoch, pool, BANK)) is not None:
            return False
        target = sorted((bot, clean) for bot, (_, clean) in clean_replay(connection, pool).items())
        book = _stored_book(connection)
        for entry in append(connection, book.adjust_drafts(epoch, pool, target, {"reason": reason, "who": who})):
            book.apply(entry)
        _store(connection, book)
        return True


# The tables that follow from the chain.


def rebuild(connection: sqlite3.Connection) -> None:
    """T13.11: drop everything that follows from the chain and compute it anew from the entries alone."""
    with transaction(connection):
        for table in DERIVED:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        create_tables(connection)
        book, posted = replay(connection)
        connection.executemany(
            "INSERT INTO posted_match VALUES (?,?,?,?,?,?,?)",
            [(seq, *_position(body), is_void) for seq, body, is_void in posted],
        )
        _store(connection, book)


def replay(connection: sqlite3.Connection) -> tuple[Book, list[tuple[int, Body, bool]]]:
    """T13: apply every entry to an empty book; return it and every posted match (seq, body, whether void)."""
    book = Book()
    posted: dict[str, tuple[int, Body]] = {}
    voids = set()
    unrated = set()
    forfeits: dict[str, set[str]] = {}
    for entry in entries(connection):
        match_id = entry.body.get("match", "")
        if entry.kind is Kind.MATCH and not is_rated(entry.body):
            unrated.add(match_id)
            continue
        book.apply(entry)
        if entry.kind is Kind.MATCH:
            posted[match_id] = (entry.seq, entry.body)
        elif entry.kind is Kind.VOID and match_id not in unrated:
            voids.add(match_id)
            if match_id in posted:
                book.apply_void(forfeited(posted[match_id][1], forfeits.get(match_id, ())))
            else:
                book.apply_write_off(entry.body["pool"])
        elif entry.kind is Kind.FORFEIT and match_id in posted:
            bots = forfeits.setdefault(match_id, set())
            before = forfeited(posted[match_id][1], bots)
            bots.add(entry.body["bot"])
            book.apply_forfeit(before, forfeited(posted[match_id][1], bots))
    return book, [(seq, body, match_id in voids) for match_id, (seq, body) in posted.items()]


def _position(body: Body) -> tuple[str, str, int, int, int]:
    return (body["pool"], body["tournament"], body["round"], body["table"], body["game"])


def _account(row: Sequence[Any]) -> Account:
    pool, bot, start, rating, is_anchor, *counts = row
    return Account(pool, bot, start, rating, bool(is_anchor), *counts)


def account_row(account: Account) -> tuple[str | int, ...]:
    """Return an account as its row in `standing`."""
    return (
        account.pool,
        account.bot,
        account.start,
        account.rating,
        int(account.is_anchor),
        account.games,
        account.matches,
        account.wins,
        account.shared_wins,
        account.place_sum,
        account.points,
        account.forfeits,
        account.last_seq,
    )


def _stored_book(connection: sqlite3.Connection) -> Book:
    """Return a book that fetches accounts from the tables as they are needed."""

    def fetch_account(pool: str, bot: str) -> Account | None:
        row = connection.execute("SELECT * FROM standing WHERE pool = ? AND bot = ?", (pool, bot)).fetchone()
        return _account(row) if row else None

    def fetch_total(pool: str) -> Total | None:
        row = connection.execute("SELECT pool, bank, matches, voids FROM pool_total WHERE pool = ?", (pool,)).fetchone()
        return Total(*row) if row else None

    def fetch_parent(bot: str) -> str | None:
        entry = find(connection, f"bot:{bot}")
        parent: str | None = entry.body["parent"] if entry else None
        return parent

    def fetch_formula(pool: str) -> int:
        return pool_formula(connection, pool)

    return Book(fetch_account, fetch_total, fetch_parent, fetch_formula)


def _store(connection: sqlite3.Connection, book: Book) -> None:
    """Write what the book has touched back into the tables."""
    connection.executemany(
        "INSERT OR REPLACE INTO standing VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", map(account_row, book.accounts.values())
    )
    connection.executemany(
        "INSERT INTO rating_change (pool, bot, seq, match_id, delta, after) VALUES (?,?,?,?,?,?)",
        book.changes,
    )
    connection.executemany(
        "INSERT OR REPLACE INTO pool_total VALUES (?,?,?,?)",
        [(total.pool, total.bank, total.matches, total.voids) for total in book.totals.values()],
    )


__all__ = [
    "Account",
    "Head",
    "LedgerError",
    "RatingChange",
    "RoundTable",
    "anchors",
    "clean_replay",
    "create_tables",
    "disqualify",
    "forfeit_match",
    "head",
    "history",
    "last_fit",
    "parents",
    "pool_formula",
    "post_epoch",
    "post_matches",
    "rebuild",
    "record_anchor",
    "record_bot",
    "record_checkpoint",
    "record_fit",
    "record_genesis",
    "record_pool",
    "record_round",
    "record_tournament",
    "results",
    "round_results",
    "standing",
    "void_match",
    "write_off",
]
