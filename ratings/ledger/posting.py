"""T13: writing to the ledger: functions over an SQLite connection that the caller owns.

Every entry and its derived rows are written in one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ratings.ledger.accounts import BANK, FORMULA, Accounts, check_formula
from ratings.ledger.chain import (
    Body,
    Draft,
    Entry,
    Kind,
    LedgerError,
    append,
    find,
    head,
    key_of,
    record,
    same_body,
    transaction,
)
from ratings.ledger.derived_tables import store_accounts, stored_accounts
from ratings.ledger.entry_bodies import (
    FORMAT,
    GENESIS_KEY,
    MATCH_NAMES,
    RoundTable,
    fixture_body,
    is_rated,
    match_body,
    tournament_body,
    void_draft,
)
from ratings.ledger.fit_record import FitRecord
from ratings.ledger.queries import clean_replay, seat_corrections
from ratings.ledger.test_entries import TestEntry, verdict_body, verdict_key
from ratings.points.points import check_places
from ratings.points.result import Fixture, LedgerResult
from ratings.sequential.claims import Claim, Claims, claim_body, claim_key
from ratings.sequential.test import SequentialTest

# Entries written once: each function returns False if the entry already exists.


def record_genesis(connection: sqlite3.Connection, name: str) -> bool:
    """Begin the ledger of an arena."""
    return record(connection, Draft(Kind.GENESIS, GENESIS_KEY, {"name": name, "format": FORMAT}))


def record_pool(connection: sqlite3.Connection, pool: str, game: str, rules_version: int) -> bool:
    """T13.8: open a pool: one game under one version of its rules. False if it is already open."""
    draft = Draft.of(Kind.POOL, {"pool": pool, "game": game, "rules": rules_version, "formula": FORMULA})
    opened = find(connection, draft.key)
    if opened is not None:
        check_formula(opened.body)
    return record(connection, draft)


def record_bot(
    connection: sqlite3.Connection, bot: str, name: str, version_hash: str, parent: str | None = None
) -> bool:
    """T9: enter a bot version; in a pool it starts at its parent version's rating at that time."""
    if bot == BANK:
        raise LedgerError(f"T13: no bot may be called {BANK}")
    if parent is not None and find(connection, key_of(Kind.BOT, bot=parent)) is None:
        raise LedgerError(f"T13: {bot} has the parent {parent}, which is not in the ledger")
    body = {"bot": bot, "name": name, "version": version_hash, "parent": parent}
    return record(connection, Draft.of(Kind.BOT, body))


def record_anchor(connection: sqlite3.Connection, pool: str, bot: str, rating: int) -> bool:
    """T9.6: freeze a house bot at a rating in milli-Elo."""
    _check_entered(connection, pool, (bot,))
    with transaction(connection):
        draft = Draft.of(Kind.ANCHOR, {"pool": pool, "bot": bot, "rating": rating})
        is_new = record(connection, draft)
        if is_new:
            accounts = stored_accounts(connection)
            accounts.apply(Entry(head(connection).seq, draft.kind, draft.key, draft.body))
            store_accounts(connection, accounts)
        return is_new


def record_tournament(connection: sqlite3.Connection, tournament: str, settings: Body) -> bool:
    """T13: enter a tournament with its settings, its seed and the version of the software."""
    return record(connection, Draft.of(Kind.TOURNAMENT, tournament_body(tournament, settings)))


def record_nonce(connection: sqlite3.Connection, tournament: str, source: str, value: str) -> bool:
    """T2.9: enter a value that is mixed into the seed of a tournament, and where it comes from."""
    return record(connection, Draft.of(Kind.NONCE, {"tournament": tournament, "source": source, "value": value}))


def record_end(connection: sqlite3.Connection, tournament: str, reason: str, rounds: int, secret: str | None) -> bool:
    """T10.8: enter the end of a tournament, which opens the secret of its seed; None if its seed was given."""
    (matches,) = connection.execute("SELECT count(*) FROM posted_match WHERE tournament = ?", (tournament,)).fetchone()
    body = {"tournament": tournament, "reason": reason, "rounds": rounds, "matches": matches}
    return record(connection, Draft.of(Kind.END, body | ({} if secret is None else {"secret": secret})))


def record_change(
    connection: sqlite3.Connection,
    tournament: str,
    round_number: int,
    bot: str,
    *,
    is_entry: bool,
    author: str | None = None,
) -> bool:
    """T10.3, T10.4: enter that a bot joins or leaves a tournament from a round on, with its author if known (T5.4)."""
    body: dict[str, object] = {"tournament": tournament, "round": round_number, "bot": bot}
    if author is not None:
        body["author"] = author
    return record(connection, Draft.of(Kind.ENTER if is_entry else Kind.LEAVE, body))


def record_round(
    connection: sqlite3.Connection,
    tournament: str,
    round_number: int,
    tables: Sequence[RoundTable],
    *,
    byes: Sequence[str] = (),
    scores: Mapping[str, int] | None = None,
    metrics: Body | None = None,
    by_lot: bool = False,
) -> bool:
    """T13: enter the pairing of a round, with the integers it was made from (T4) and its metrics (T7).

    T4.4: a round that was drawn by lot says so, and others have no word for it, as in earlier ledgers.
    """
    body: dict[str, Any] = {
        "tournament": tournament,
        "round": round_number,
        "tables": [asdict(table) for table in tables],
        "byes": byes,
        "scores": scores or {},
        "metrics": metrics or {},
    }
    if by_lot:
        body["lots"] = True
    return record(connection, Draft.of(Kind.ROUND, body))


def record_fit(connection: sqlite3.Connection, pool: str, fitted: FitRecord) -> bool:
    """T13.7: enter the fit of a pool as it stands now. False if this fit is already the last entry."""
    return record(connection, Draft.of(Kind.FIT, {"pool": pool, "through": head(connection).seq, **fitted.body}))


def record_mend(
    connection: sqlite3.Connection, closed: Entry, pool: str, fitted: FitRecord, reason: str, who: str
) -> bool:
    """T13.14: enter late the fit that was missing after a CHECKPOINT. False if it was entered before."""
    body = {"tournament": closed.body["tournament"], "round": closed.body["round"], "reason": reason, "who": who}
    return record(connection, Draft.of(Kind.MEND, {**body, "pool": pool, "through": closed.seq, **fitted.body}))


def record_checkpoint(connection: sqlite3.Connection, tournament: str, round_number: int) -> bool:
    """T13: seal a closed round: the head, and for every pool the counts, the sum of ratings and the bank."""
    with transaction(connection):
        if find(connection, key_of(Kind.CHECKPOINT, tournament=tournament, round=str(round_number))) is not None:
            return False
        end = head(connection)
        sums = connection.execute("SELECT pool, count(*), sum(rating), sum(start) FROM standing GROUP BY pool")
        pools = {pool: {"bots": bots, "ratings": ratings, "starts": starts} for pool, bots, ratings, starts in sums}
        for pool, bank, matches, voids in connection.execute("SELECT pool, bank, matches, voids FROM pool_total"):
            pools.setdefault(pool, {"bots": 0, "ratings": 0, "starts": 0})
            pools[pool] |= {"bank": bank, "matches": matches, "voids": voids}
        body = {"tournament": tournament, "round": round_number, "head": end.hex, "entries": end.seq, "pools": pools}
        return record(connection, Draft.of(Kind.CHECKPOINT, body))


# Tests and claims.


def record_test(connection: sqlite3.Connection, test: TestEntry) -> bool:
    """T17.1: enter a test, before its first game."""
    _check_entered(connection, test.pool, ())
    return record(connection, Draft(Kind.TEST, test.key, test.body))


def record_verdict(connection: sqlite3.Connection, test_id: str, progress: SequentialTest) -> bool:
    """T17.3: enter how a test ended; without a verdict it is abandoned."""
    if find(connection, f"test:{test_id}") is None:
        raise LedgerError(f"T17: there is no test {test_id} to give a verdict on")
    return record(connection, Draft(Kind.VERDICT, verdict_key(test_id), verdict_body(progress)))


def record_claims(
    connection: sqlite3.Connection, tournament: str, claims: Claims, made: Sequence[Claim], game: str | None = None
) -> None:
    """T17.4: enter the claims made at the close of a round; `game` where a tournament has several."""
    for claim in made:
        body = claim_body(tournament, claim, claims, game)
        record(connection, Draft(Kind.CLAIM, claim_key(tournament, claim, game), body))


# Results.


def post_matches(connection: sqlite3.Connection, results: Sequence[LedgerResult]) -> int:
    """T9.5, T13: enter results with their ratings in canonical order, in one transaction; return the number added.

    A match that already exists changes nothing; a different result is an error, and nothing is entered.
    """
    with transaction(connection):
        accounts = stored_accounts(connection)
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
            match = Draft.of(Kind.MATCH, body)
            if not result.is_rated:
                drafts.append(match)
                continue
            ratings = accounts.rating_drafts(match_id, result.pool, result.fixture.seating, result.places)
            rows.append((seq + len(drafts) + 1, result.pool, *result.fixture.position, 0))
            for draft in (match, *ratings):
                accounts.apply(Entry(seq + len(drafts) + 1, draft.kind, draft.key, draft.body))
                drafts.append(draft)
        append(connection, drafts)
        connection.executemany("INSERT INTO posted_match VALUES (?,?,?,?,?,?,?)", rows)
        store_accounts(connection, accounts)
        return len(posted)


def _is_posted(connection: sqlite3.Connection, posted: Mapping[str, Body], match_id: str, body: Body) -> bool:
    present = posted.get(match_id)
    if present is None:
        entry = find(connection, key_of(Kind.MATCH, match=match_id))
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
        raise LedgerError(f"T13: match {fixture.match_id} has {seats} seats, but not a value for each of them")
    if _is_void(connection, fixture.match_id):
        raise LedgerError(f"T13: match {fixture.match_id} is void and takes no result")
    _check_entered(connection, result.pool, fixture.seating)


def _check_entered(connection: sqlite3.Connection, pool: str, bots: Sequence[str]) -> None:
    for key in (key_of(Kind.POOL, pool=pool), *(key_of(Kind.BOT, bot=bot) for bot in bots)):
        if not connection.execute("SELECT 1 FROM entry WHERE key = ?", (key,)).fetchone():
            raise LedgerError(f"T13: {key} is not in the ledger")


def _is_void(connection: sqlite3.Connection, match_id: str) -> bool:
    return find(connection, key_of(Kind.VOID, match=match_id)) is not None


# Corrections: each returns False if it was made before.


def void_match(connection: sqlite3.Connection, match_id: str, reason: str, who: str) -> bool:
    """T13.5: void a posted match and undo its ratings. False if it is already void."""
    with transaction(connection):
        match = find(connection, key_of(Kind.MATCH, match=match_id))
        if match is None:
            raise LedgerError(f"T13: match {match_id} is not in the ledger")
        if _is_void(connection, match_id):
            return False
        accounts = stored_accounts(connection)
        drafts = [void_draft(match.body, reason, who)]
        if is_rated(match.body):
            corrections = seat_corrections(connection, match_id)
            if not corrections:  # else the first of them has undone its ratings
                drafts += _reversal(connection, accounts, match.body)
            accounts.apply_void(corrections.applied(match.body))
            connection.execute("UPDATE posted_match SET is_void = 1 WHERE seq = ?", (match.seq,))
        return _enter(connection, accounts, drafts)


def forfeit_match(connection: sqlite3.Connection, match_id: str, bot: str, reason: str, who: str) -> bool:
    """T13.12: forfeit a posted match for a bot: it takes the last place, and the ratings are undone.

    False if the match is already void or forfeited by this bot.
    """
    return _change_places(connection, Kind.FORFEIT, match_id, bot, reason, who)


def strike_match(connection: sqlite3.Connection, match_id: str, bot: str, reason: str, who: str) -> bool:
    """T13.15: strike a bot's seat from a posted match: the others rank among themselves, and the ratings are undone.

    A match without two other seats is void. False if the match is void or this bot struck from it already.
    """
    return _change_places(connection, Kind.STRIKE, match_id, bot, reason, who)


def _change_places(connection: sqlite3.Connection, kind: Kind, match_id: str, bot: str, reason: str, who: str) -> bool:
    with transaction(connection):
        match = find(connection, key_of(Kind.MATCH, match=match_id))
        if match is None or bot not in match.body["seating"]:
            raise LedgerError(f"T13: match {match_id} of {bot} is not in the ledger")
        corrections = seat_corrections(connection, match_id)
        if _is_void(connection, match_id) or bot in corrections.of_kind(kind):
            return False
        if kind is Kind.STRIKE and not corrections.can_strike(match.body, bot):
            return void_match(connection, match_id, reason, who)
        is_first, before = not corrections, corrections.applied(match.body)
        corrections.of_kind(kind).add(bot)
        now = corrections.applied(match.body)
        body = {name: now[name] for name in MATCH_NAMES} | {
            "bot": bot, "places": now["places"], "reason": reason, "who": who,
        }  # fmt: skip
        drafts = [Draft.of(kind, body)]
        accounts = stored_accounts(connection)
        if is_rated(match.body):
            if is_first:
                drafts += _reversal(connection, accounts, match.body)
            accounts.apply_places(before, now)
        return _enter(connection, accounts, drafts)


def disqualify(
    connection: sqlite3.Connection, tournament: str, bot: str, round_number: int, results: str, reason: str, who: str
) -> bool:
    """T10.7: disqualify a bot from a tournament, from a round on; `results` are "strike", "void" or "forfeit".

    False if this was entered before.
    """
    body = {
        "tournament": tournament, "bot": bot, "round": round_number, "results": results, "reason": reason, "who": who,
    }  # fmt: skip
    return record(connection, Draft.of(Kind.DISQUALIFY, body))


def _enter(connection: sqlite3.Connection, accounts: Accounts, drafts: Sequence[Draft]) -> bool:
    """Append entries and write the accounts that they change."""
    for entry in append(connection, drafts):
        accounts.apply(entry)
    store_accounts(connection, accounts)
    return True


def _reversal(connection: sqlite3.Connection, accounts: Accounts, match: Body) -> list[Draft]:
    """T13.5: the entries that undo the ratings of a match."""
    deltas = []
    for bot in dict.fromkeys(match["seating"]):
        rated = find(connection, key_of(Kind.RATE, match=match["match"], bot=bot))
        if rated is None:
            raise LedgerError(f"T13: match {match['match']} has no rating of {bot} to undo")
        deltas.append((bot, rated.body["delta"]))
    return accounts.reverse_drafts(match["match"], match["pool"], deltas)


def give_up_match(connection: sqlite3.Connection, fixture: Fixture, pool: str, reason: str, who: str) -> bool:
    """T13: void a match without a result, which resolves its pairing. False if it is already void."""
    match_id = fixture.match_id
    with transaction(connection):
        if find(connection, key_of(Kind.MATCH, match=match_id)) is not None:
            raise LedgerError(f"T13: match {match_id} has a result; void it instead")
        if _is_void(connection, match_id):
            return False
        _check_entered(connection, pool, ())
        accounts = stored_accounts(connection)
        accounts.apply_given_up(pool)
        return _enter(connection, accounts, [void_draft(fixture_body(fixture, pool), reason, who)])


def post_epoch(connection: sqlite3.Connection, epoch: str, pool: str, reason: str, who: str) -> bool:
    """T13.6: set every rating of a pool to its clean replay. False if the epoch was posted before."""
    with transaction(connection):
        if find(connection, key_of(Kind.ADJUST, epoch=epoch, pool=pool, bot=BANK)) is not None:
            return False
        target = sorted((bot, clean) for bot, (_, clean) in clean_replay(connection, pool).items())
        accounts = stored_accounts(connection)
        drafts = accounts.adjust_drafts(epoch, pool, target, {"reason": reason, "who": who})
        return _enter(connection, accounts, drafts)
