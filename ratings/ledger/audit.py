"""T13: the audit: read the whole ledger once, recompute everything, and report every fault."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ratings.ledger.accounts import BANK, FORMULA, Accounts, SeatCorrections, Total, clean_ratings
from ratings.ledger.chain import (
    FIRST_PREVIOUS,
    KEYS,
    Body,
    Draft,
    Entry,
    Head,
    Kind,
    LedgerError,
    entry_hash,
    parse_payload,
)
from ratings.ledger.derived_tables import DERIVED, account_row, total_row
from ratings.ledger.entry_bodies import FORMAT, GENESIS_KEY, is_rated, position
from ratings.ledger.fit_record import SETTINGS, list_digest
from ratings.ledger.queries import anchors, parents, results
from ratings.ledger.secret_seed import awaited_sources, commitment
from ratings.ledger.test_audit import TestAudit
from ratings.points.points import seat_of
from ratings.points.result import Fixture, Result


class Fault(StrEnum):
    """The kinds of faults."""

    CHANGED = "changed entry"
    MISSING = "missing entry"
    SWAPPED = "swapped entries"
    FORGED = "forged hash"
    MALFORMED = "malformed entry"
    HEAD = "head differs"
    UNRATED = "match not rated"
    UNFOUNDED = "entry without cause"
    SEED = "seed differs from its commitment"
    END = "end differs"
    MATCH_ID = "match id does not fit"
    SUM = "ratings and bank do not sum"
    CONTINUITY = "rating jumps"
    REPLAY = "replay differs"
    CHECKPOINT = "checkpoint differs"
    TWICE = "bot twice in a round"
    UNRESOLVED = "pairing not resolved"
    PAIRING = "pairing differs"
    FIT = "fit differs"
    DERIVED = "table does not follow from the entries"
    STORED = "what is stored differs from its entry"
    UNENTERED = "stored without an entry"
    GUARD = "the chain is not guarded"
    FILE = "the file is damaged"
    RECORD = "record does not replay"
    TEST = "test or claim differs"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and its entry's number; None if it belongs to no single entry."""

    fault: Fault
    seq: int | None
    message: str

    def __str__(self) -> str:
        where = "" if self.seq is None else f" {self.seq}"
        return f"{self.fault}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit."""

    head: Head
    entries: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    """T17.5: not faults, but worth knowing: tests without a verdict, pairs tested again."""

    @property
    def is_clean(self) -> bool:
        """Nothing was found."""
        return not self.findings


Refit = Callable[[Sequence[Result], Mapping[str, int], Mapping[str, str], Body], str | None]
"""Redo a fit from results, anchors in milli-Elo and parents; return its difference from the entry's body."""

Find = Callable[[Fault, int | None, str], None]
"""Report a fault, the number of its entry and a message."""

Examine = Callable[[Entry], Iterable[Finding]]
"""A further check of single entries by the caller, such as pairing a ROUND again."""


def audit(
    connection: sqlite3.Connection,
    *,
    expected_head: str | None = None,
    refit: Refit | None = None,
    examine: Examine | None = None,
) -> Audit:
    """T13: check the chain and everything in it; `expected_head` is a published hash to compare with.

    With `refit` the last fit of every pool is redone, and earlier ones up to REFITTED_MATCHES.
    """
    findings: list[Finding] = []

    def find(fault: Fault, seq: int | None, message: str) -> None:
        findings.append(Finding(fault, seq, message))

    reader, replay = _ChainReader(find), _Replay(find)
    for row in connection.execute("SELECT seq, key, kind, payload, prev, hash FROM entry ORDER BY seq"):
        replay.previous_hash = reader.last_hash.hex()
        entry = reader.read(*row)
        if entry is None:
            continue
        replay.read(entry)
        if examine is not None:
            findings.extend(examine(entry))
    reader.finish()
    replay.finish()
    end = Head(reader.last_seq, reader.last_hash)
    if expected_head is not None and expected_head != end.hex:
        find(Fault.HEAD, None, f"the chain ends with {end.hex}, not with {expected_head}")
    findings.extend(_derived_faults(connection, replay))
    if refit is not None:
        findings.extend(_fit_faults(connection, replay.fits, refit))
        findings.extend(_fit_faults(connection, replay.mends, refit))
    return Audit(end, reader.count, tuple(findings), tuple(replay.test_audit.notes()))


REFITTED_MATCHES = 50_000
"""The maximum number of matches in a pool's redone fits, besides the last one: about a second's work."""


@dataclass(slots=True)
class _ChainReader:
    """Follows the chain row by row; a fault may only show in the next row."""

    find: Find
    last_seq: int = 0
    last_hash: bytes = FIRST_PREVIOUS
    count: int = 0
    _doubtful: tuple[int, bytes] | None = None
    """The previous row, if its hash is wrong, and the hash it should have."""
    _is_link_known: bool = True
    """False after a gap or a misplaced entry, where the previous hash cannot be compared."""
    _misplaced: dict[int, int] = field(default_factory=dict)

    def read(self, seq: int, key: str, kind: str, payload: object, prev: object, sealed: object) -> Entry | None:
        self.count += 1
        if not (isinstance(payload, str) and isinstance(prev, bytes) and isinstance(sealed, bytes)):
            # SQLite keeps a value of any type in any column, so an edited file can hold anything.
            self._settle(None)
            self.find(Fault.MALFORMED, seq, "the row is not a text between two hashes")
            self._is_link_known = False
            self.last_seq = seq
            return None
        if seq != self.last_seq + 1:
            self._settle(None)
            first, last = self.last_seq + 1, seq - 1
            gone = f"entry {first} is gone" if first == last else f"entries {first} to {last} are gone"
            self.find(Fault.MISSING, first, gone)
            self._is_link_known = False
        self._settle(prev)
        entry, said_seq = self._parse(seq, key, kind, payload)
        if said_seq is not None and said_seq != seq:
            self._misplaced[seq] = said_seq
            self._is_link_known = False
        else:
            fitting = entry_hash(prev, payload)
            if fitting != sealed:
                self._doubtful = (seq, fitting)
            elif self._is_link_known and prev != self.last_hash:
                self.find(Fault.FORGED, self.last_seq, f"entry {seq} does not follow the stored entry {self.last_seq}")
            self._is_link_known = True
        self.last_seq, self.last_hash = seq, sealed
        return entry

    def _settle(self, next_prev: bytes | None) -> None:
        """Tell a changed row from a forged hash by the next row, which has the right hash."""
        if self._doubtful is None:
            return
        seq, fitting = self._doubtful
        self._doubtful = None
        if next_prev == fitting:
            self.find(Fault.FORGED, seq, "the hash is not that of the entry, but the next entry has the right one")
        else:
            self.find(Fault.CHANGED, seq, "the content does not match its hash")
        # The link to the next entry cannot be checked, and this fault is already reported.
        self._is_link_known = False

    def _parse(self, seq: int, key: str, kind: str, payload: str) -> tuple[Entry | None, int | None]:
        try:
            body = parse_payload(payload)
            said_seq, said_kind, said_key = body.pop("seq"), body.pop("kind"), body.pop("key")
            if (said_kind, said_key) != (kind, key):
                self.find(Fault.CHANGED, seq, f"{kind} {key} says it is {said_kind} {said_key}")
            return Entry(seq, Kind(said_kind), said_key, body), said_seq
        except (LedgerError, KeyError, ValueError) as error:
            self.find(Fault.MALFORMED, seq, str(error))
            return None, None

    def finish(self) -> None:
        self._settle(None)
        for seq, said in sorted(self._misplaced.items()):
            if self._misplaced.get(said) != seq:
                self.find(Fault.SWAPPED, seq, f"entry {said} is in the place of {seq}")
            elif seq < said:
                self.find(Fault.SWAPPED, seq, f"entries {seq} and {said} are swapped")


@dataclass(slots=True)
class _Replay:
    """Recomputes the entries in order, and compares."""

    find: Find
    accounts: Accounts = field(default_factory=Accounts)
    matches: dict[str, tuple[int, Body]] = field(default_factory=dict)
    voids: dict[str, Body] = field(default_factory=dict)
    corrected: dict[str, SeatCorrections] = field(default_factory=dict)
    """T13.12, T13.15: the bots that forfeited a match after it was entered, or were struck from it."""
    disqualified: dict[tuple[str, str], Entry] = field(default_factory=dict)
    """T10.7: by tournament and bot."""
    rated: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    anchored: dict[str, dict[str, int]] = field(default_factory=dict)
    house: dict[str, frozenset[str]] = field(default_factory=dict)
    """T3.2: the house bots of every tournament."""
    settings: dict[str, Body] = field(default_factory=dict)
    """By tournament."""
    nonces: set[tuple[str, str]] = field(default_factory=set)
    """T2.9: by tournament and source."""
    ended: set[str] = field(default_factory=set)
    counts: Counter[tuple[str, Kind]] = field(default_factory=Counter)
    """How many rounds were drawn and closed and how many matches entered, by tournament."""
    rounds: dict[tuple[str, int], Entry] = field(default_factory=dict)
    closed: dict[tuple[str, int], Entry] = field(default_factory=dict)
    """The CHECKPOINT of every closed round."""
    fits: dict[str, list[Entry]] = field(default_factory=dict)
    mends: dict[str, list[Entry]] = field(default_factory=dict)
    """T13.14: fits that were entered late."""
    positions: dict[tuple[str, int, int, int], list[str]] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    """The version hash of every bot."""
    newest: dict[str, str] = field(default_factory=dict)
    """T9.7: the version of every bot that was entered last, by its name."""
    previous_hash: str = ""
    """The hash of the previous entry."""
    unrated: dict[str, Body] = field(default_factory=dict)
    """T14.9: the unrated matches."""
    test_audit: TestAudit = field(default_factory=TestAudit)
    _due: dict[str, Draft] = field(default_factory=dict)
    """Entries that must come next, by key."""
    _due_for: str = ""
    _epochs: dict[tuple[str, str], dict[str, Draft]] = field(default_factory=dict)

    def read(self, entry: Entry) -> None:
        try:
            for message in self.test_audit.read(entry):
                self.find(Fault.TEST, entry.seq, message)
            self._read(entry)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, LedgerError) as error:
            self.find(Fault.MALFORMED, entry.seq, f"{entry.key} cannot be followed: {error!r}")

    def _read(self, entry: Entry) -> None:
        body = entry.body
        if entry.kind in (Kind.ROUND, Kind.MATCH, Kind.CHECKPOINT):
            self.counts[body["tournament"], entry.kind] += 1
        if entry.kind in KEYS and entry.kind not in (Kind.RATE, Kind.REVERSE, Kind.ADJUST):  # the replay makes theirs
            wanted = KEYS[entry.kind].format_map(body)
            if entry.key != wanted:
                self.find(Fault.REPLAY, entry.seq, f"{entry.key} has the content of {wanted}")
        if entry.kind not in (Kind.RATE, Kind.REVERSE):
            self._close_due(entry.seq)
        match entry.kind:
            case Kind.RATE | Kind.REVERSE:
                self._read_due(entry, self._due, "follows from no match before it, or is a duplicate")
            case Kind.MATCH:
                self._read_match(entry)
                return
            case Kind.VOID:
                self._read_void(entry)
            case Kind.FORFEIT | Kind.STRIKE:
                self._read_new_places(entry)
            case Kind.DISQUALIFY:
                self._read_disqualification(entry)
            case Kind.ADJUST:
                self._read_adjust(entry)
            case Kind.GENESIS:
                if (entry.seq, entry.key) != (1, GENESIS_KEY):
                    self.find(Fault.REPLAY, entry.seq, f"{entry.key} is not the first entry, {GENESIS_KEY}")
                if body["format"] != FORMAT:
                    self.find(Fault.MALFORMED, entry.seq, f"the layout of the entries is {body['format']}")
            case Kind.POOL:
                if body["pool"] != f"{body['game']}:{body['rules']}":
                    self.find(Fault.REPLAY, entry.seq, f"{entry.key} is of {body['game']}, rules {body['rules']}")
            case Kind.BOT:
                self.hashes[body["bot"]] = body["version"]
                if body["parent"] != self.newest.get(body["name"]):
                    before = f"the version before it is {self.newest.get(body['name'])}"
                    self.find(Fault.REPLAY, entry.seq, f"{entry.key} has the parent {body['parent']}; {before}")
                self.newest[body["name"]] = body["bot"]
            case Kind.TOURNAMENT:
                self.settings[body["tournament"]] = body["settings"]
                self.house[body["tournament"]] = frozenset(body["settings"].get("house_bots", ()))
            case Kind.NONCE:
                self._read_nonce(entry)
            case Kind.END:
                self._read_end(entry)
            case Kind.ROUND:
                self._read_round(entry)
            case Kind.ANCHOR:
                self.anchored.setdefault(body["pool"], {})[body["bot"]] = body["rating"]
            case Kind.CHECKPOINT:
                self._read_checkpoint(entry)
            case Kind.FIT:
                self._read_fit(entry)
            case Kind.MEND:
                self._read_mend(entry)
        self.accounts.apply(entry)

    def _read_nonce(self, entry: Entry) -> None:
        """T2.9: a nonce was announced with the tournament, and comes before its first round."""
        tournament, source = entry.body["tournament"], entry.body["source"]
        if source not in awaited_sources(self.settings.get(tournament, {})):
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key} was not announced with the tournament")
        if (tournament, 1) in self.rounds:
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key} comes after the first round was drawn")
        self.nonces.add((tournament, source))

    def _read_end(self, entry: Entry) -> None:
        """T10.8, T2.8: an end counts what was played, follows the last round and opens what was committed to."""
        body = entry.body
        name = body["tournament"]
        committed = self.settings.get(name, {}).get("commitment")
        opened = None if "secret" not in body else commitment(name, body["secret"])
        if committed != opened:
            self.find(Fault.SEED, entry.seq, f"{entry.key} opens {opened}, and was committed to {committed}")
        closed = self.counts[name, Kind.CHECKPOINT]
        for what, count in (("rounds", closed), ("matches", self.counts[name, Kind.MATCH])):
            if body[what] != count:
                self.find(Fault.END, entry.seq, f"{entry.key} counts {body[what]} {what}; there are {count}")
        if self.counts[name, Kind.ROUND] != closed or name not in self.settings:
            self.find(Fault.END, entry.seq, f"{entry.key} comes before its rounds are closed")
        self.ended.add(name)

    def _read_fit(self, entry: Entry) -> None:
        """T13.7: a fit covers the pool as it stands, and its digest is that of its list."""
        body = entry.body
        pool = body["pool"]
        self.fits.setdefault(pool, []).append(entry)
        total = self.accounts.totals.get(pool) or Total(pool)  # total() would open one
        self._compare_fit(entry, entry.seq - 1, total.matches, total.voids)

    def _read_mend(self, entry: Entry) -> None:
        """T13.14: a fit that was entered late covers the pool as it stood at the CHECKPOINT."""
        body = entry.body
        closed = self.closed.get((body["tournament"], body["round"]))
        if closed is None or body["pool"] not in closed.body["pools"]:
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key} is of a round that was not closed before it")
            return
        self.mends.setdefault(body["pool"], []).append(entry)
        total = closed.body["pools"][body["pool"]]
        self._compare_fit(entry, closed.seq, total["matches"], total["voids"])

    def _compare_fit(self, entry: Entry, through: int, matches: int, voids: int) -> None:
        body = entry.body
        if list_digest(body["ratings"]) != body["digest"]:
            self.find(Fault.FIT, entry.seq, "the digest is not that of the list")
        wanted = {
            "settings": SETTINGS,
            "formula": FORMULA,
            "through": through,
            "matches": matches,
            "voids": voids,
            "bots": len(body["ratings"]),
        }
        for name, value in wanted.items():
            if body[name] != value:
                self.find(Fault.FIT, entry.seq, f"{name} is {body[name]}, but {value} by replay")

    def _read_match(self, entry: Entry) -> None:
        body = entry.body
        match_id = body["match"]
        self._check_match_id(entry)
        if match_id in self.matches or match_id in self.unrated:
            self.find(Fault.REPLAY, entry.seq, f"match {match_id} is entered twice")
            return
        if match_id in self.voids:
            self.find(Fault.REPLAY, entry.seq, f"match {match_id} is void and cannot have a result")
        known = [self.hashes.get(bot) for bot in body["seating"]]
        if known != body["bot_hashes"]:
            self.find(Fault.REPLAY, entry.seq, f"match {match_id}: bot_hashes {body['bot_hashes']}, entered as {known}")
        self.positions.setdefault(position(body), []).append(match_id)
        if not is_rated(body):
            self.unrated[match_id] = body
            return
        self.matches[match_id] = (entry.seq, body)
        drafts = self.accounts.rating_drafts(match_id, body["pool"], body["seating"], body["places"])
        self.rated[match_id] = [(d.body["bot"], d.body["delta"]) for d in drafts if d.body["bot"] != BANK]
        self._expect(drafts, f"match {match_id}")
        self.accounts.apply(entry)

    def _read_void(self, entry: Entry) -> None:
        body = entry.body
        match_id, pool = body["match"], body["pool"]
        self._check_match_id(entry)
        if match_id in self.unrated:
            pass  # there is nothing to undo
        elif match_id not in self.matches:
            self.accounts.apply_given_up(pool)
            self.positions.setdefault(position(body), []).append(match_id)
        elif match_id not in self.voids:
            corrections = self.corrected.get(match_id, SeatCorrections())
            if not corrections:  # else the first of them has undone its ratings
                self._expect_reversal(match_id, pool, "void match")
            self.accounts.apply_void(corrections.applied(self.matches[match_id][1]))
        self.voids[match_id] = body

    def _read_new_places(self, entry: Entry) -> None:
        """T13.12, T13.15: a forfeit moves its bot to the last place, a strike takes its seat away.

        Either is of a match that counts, undoes its ratings once, and follows from a disqualification.
        """
        body = entry.body
        match_id, bot = body["match"], body["bot"]
        self._check_match_id(entry)
        match = self.unrated.get(match_id) or self.matches.get(match_id, (0, None))[1]
        if match is None or bot not in match["seating"] or match_id in self.voids:
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key}: {bot} has no such counting match")
            return
        corrections = self.corrected.setdefault(match_id, SeatCorrections())
        if entry.kind is Kind.STRIKE and not corrections.can_strike(match, bot):
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key}: fewer than two seats are left; expected a void match")
            return
        if not corrections and match_id in self.matches:
            self._expect_reversal(match_id, body["pool"], entry.kind.lower())
        before = corrections.applied(match)
        corrections.of_kind(entry.kind).add(bot)
        after = corrections.applied(match)
        if body["places"] != after["places"]:
            places = f"places are {body['places']}, but {after['places']} by replay"
            self.find(Fault.REPLAY, entry.seq, f"{entry.key}: {places}")
        if match_id in self.matches:
            self.accounts.apply_places(before, after)
        cause = self.disqualified.get((body["tournament"], bot))
        if cause is None:
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key}: {bot} is not disqualified from {body['tournament']}")
        elif cause.body["results"] != entry.kind.lower():
            results = f"{bot} is disqualified there with results {cause.body['results']!r}"
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key}: {results}")

    def _read_disqualification(self, entry: Entry) -> None:
        """T10.7: the seats of a disqualified bot are struck, or its results void or forfeited."""
        body = entry.body
        self.disqualified[body["tournament"], body["bot"]] = entry
        if body["results"] not in ("strike", "void", "forfeit"):
            self.find(Fault.MALFORMED, entry.seq, f"{entry.key}: results are {body['results']!r}")

    def _check_match_id(self, entry: Entry) -> None:
        body = entry.body
        fixture = Fixture(*position(body), tuple(body["seating"]), body["seed"])
        if fixture.match_id != body["match"]:
            self.find(Fault.MATCH_ID, entry.seq, f"{body['match']} should be {fixture.match_id}")

    def _expect(self, drafts: Iterable[Draft], cause: str) -> None:
        self._due = {draft.key: draft for draft in drafts}
        self._due_for = cause

    def _expect_reversal(self, match_id: str, pool: str, cause: str) -> None:
        self._expect(self.accounts.reverse_drafts(match_id, pool, self.rated[match_id]), f"{cause} {match_id}")

    def _read_due(self, entry: Entry, expected: dict[str, Draft], otherwise: str) -> None:
        """A change of a rating must follow exactly from an earlier entry, and come once."""
        due = expected.pop(entry.key, None)
        if due is None:
            self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key} {otherwise}")
        elif due.body != entry.body:
            self._compare(entry, due)

    def _compare(self, entry: Entry, due: Draft) -> None:
        said, wanted = entry.body, due.body
        for name in sorted(name for name in {*said, *wanted} if said.get(name) != wanted.get(name)):
            fault = Fault.CONTINUITY if name == "before" else Fault.SUM if wanted["bot"] == BANK else Fault.REPLAY
            self.find(fault, entry.seq, f"{entry.key}: {name} is {said.get(name)}, but {wanted.get(name)} by replay")

    def _close_due(self, seq: int | None) -> None:
        for key in self._due:
            fault = Fault.UNRATED if key.startswith("rate:") else Fault.REPLAY
            self.find(fault, seq, f"{self._due_for} has no {key}")
        self._due = {}

    def _read_adjust(self, entry: Entry) -> None:
        group = (entry.body["epoch"], entry.body["pool"])
        if group not in self._epochs:
            self._epochs[group] = self._epoch_drafts(entry)
        self._read_due(entry, self._epochs[group], "is not part of its epoch")

    def _epoch_drafts(self, entry: Entry) -> dict[str, Draft]:
        pool = entry.body["pool"]
        given_back = self.voids.keys() | self.corrected.keys()
        played = [b for match_id, (_, b) in self.matches.items() if b["pool"] == pool and match_id not in given_back]
        clean = clean_ratings(pool, played, self.accounts.parents, self.anchored.get(pool, {}))
        accounts = sorted((a.bot, clean.get(a.bot, a.start)) for a in self.accounts.loaded.values() if a.pool == pool)
        note = {"reason": entry.body["reason"], "who": entry.body["who"]}
        return {draft.key: draft for draft in self.accounts.adjust_drafts(entry.body["epoch"], pool, accounts, note)}

    def _read_round(self, entry: Entry) -> None:
        body = entry.body
        self.rounds[body["tournament"], body["round"]] = entry
        if body["tournament"] in self.test_audit.tests:
            return  # TestAudit draws its seats again
        if body["tournament"] in self.ended:
            self.find(Fault.END, entry.seq, f"{entry.key} is drawn after the end of its tournament")
        for source in awaited_sources(self.settings.get(body["tournament"], {})):
            if (body["tournament"], source) not in self.nonces:
                self.find(Fault.UNFOUNDED, entry.seq, f"{entry.key} is drawn before the nonce of {source} is entered")
        house = self.house.get(body["tournament"], frozenset())
        frozen = {bot for bots in self.anchored.values() for bot in bots}
        seen: set[str] = set()
        for bot in [*(bot for table in body["tables"] for bot in table["seats"]), *body["byes"]]:
            out = self.disqualified.get((body["tournament"], bot))
            if out is not None and body["round"] >= out.body["round"]:
                self.find(Fault.PAIRING, entry.seq, f"{bot} is drawn in round {body['round']}, but is disqualified")
            if bot in seen and bot not in house and bot not in frozen:
                self.find(Fault.TWICE, entry.seq, f"{bot} is drawn twice in round {body['round']}")
            seen.add(bot)

    def _read_checkpoint(self, entry: Entry) -> None:
        body = entry.body
        self.closed[body["tournament"], body["round"]] = entry
        known = self.accounts.totals.keys() | {pool for pool, _bot in self.accounts.loaded}
        if body["pools"].keys() != known:
            self.find(Fault.CHECKPOINT, entry.seq, f"its pools are {sorted(body['pools'])}, {sorted(known)} by replay")
        for pool, said in body["pools"].items():
            accounts = [account for account in self.accounts.loaded.values() if account.pool == pool]
            total = self.accounts.total(pool)
            ratings, starts = sum(a.rating for a in accounts), sum(a.start for a in accounts)
            if ratings + total.bank != starts:
                self.find(Fault.SUM, entry.seq, f"{pool}: ratings {ratings} and bank {total.bank} are not {starts}")
            found = {
                "bots": len(accounts),
                "ratings": ratings,
                "starts": starts,
                "bank": total.bank,
                "matches": total.matches,
                "voids": total.voids,
            }
            if {name: found[name] for name in said} != said:
                self.find(Fault.CHECKPOINT, entry.seq, f"{pool}: {said} is {found} by replay")
        if body["head"] != self.previous_hash:
            heads = f"it names the head {body['head']}, but the chain has {self.previous_hash}"
            self.find(Fault.CHECKPOINT, entry.seq, heads)
        if body["entries"] != entry.seq - 1:
            self.find(Fault.CHECKPOINT, entry.seq, f"it counts {body['entries']} entries before it")

    def finish(self) -> None:
        self._close_due(None)
        for message in self.test_audit.finish():
            self.find(Fault.TEST, None, message)
        for group, due in self._epochs.items():
            for key in due:
                self.find(Fault.REPLAY, None, f"epoch {group[0]} has no {key}")
        self._check_disqualified()
        for closed in self.closed:
            if closed in self.rounds:
                self._check_resolved(self.rounds[closed])
            else:
                self.find(Fault.UNRESOLVED, None, f"round {closed} was closed, but never drawn")

    def _check_disqualified(self) -> None:
        """T10.7: no match of a disqualified bot counts as played."""
        for match_id, (seq, body) in self.matches.items():
            for bot in set(body["seating"]):
                entry = self.disqualified.get((body["tournament"], bot))
                if entry is None or match_id in self.voids:
                    continue
                corrections = self.corrected.get(match_id, SeatCorrections())
                bots = {"forfeit": corrections.forfeited, "strike": corrections.struck}
                if bot not in bots.get(entry.body["results"], ()):
                    self.find(Fault.UNRESOLVED, seq, f"match {match_id} counts, but {bot} is disqualified")

    def _match_body(self, match_id: str) -> Body:
        if match_id in self.matches:
            return self.matches[match_id][1]
        return self.unrated.get(match_id) or self.voids[match_id]

    def _check_resolved(self, drawn: Entry) -> None:
        """T13.9: every game of a closed round has one result, or only void ones."""
        body = drawn.body
        for table in body["tables"]:
            seats = table["seats"]
            for game in range(table["games"]):
                where = (body["tournament"], body["round"], table["table"], game)
                found = self.positions.get(where, [])
                counting = [match_id for match_id in found if match_id not in self.voids]
                if not found or len(counting) > 1:
                    many = "no result" if not found else f"{len(counting)} results"
                    self.find(Fault.UNRESOLVED, drawn.seq, f"table {table['table']}, game {game} has {many}")
                for match_id in found:
                    played = self._match_body(match_id)["seating"]
                    wanted = {seat_of(base, game, len(seats)): bot for base, bot in enumerate(seats)}
                    if played != [wanted[seat] for seat in range(len(seats))]:
                        self.find(Fault.PAIRING, drawn.seq, f"match {match_id} was not played as drawn")


def _derived_faults(connection: sqlite3.Connection, replay: _Replay) -> Iterator[Finding]:
    """Compare the derived tables with the replay."""
    accounts = replay.accounts
    wanted: dict[str, list[tuple[Any, ...]]] = {
        "standing": list(map(account_row, accounts.loaded.values())),
        "rating_change": list(accounts.changes),
        "posted_match": [
            (seq, body["pool"], *position(body), int(match_id in replay.voids))
            for match_id, (seq, body) in replay.matches.items()
        ],
        "pool_total": list(map(total_row, accounts.totals.values())),
    }
    for table in DERIVED:
        differing = {tuple(row) for row in connection.execute(f"SELECT * FROM {table}")}
        differing.symmetric_difference_update(wanted[table])
        if differing:
            first = min(differing, key=repr)
            yield Finding(Fault.DERIVED, None, f"{table}: {len(differing)} rows differ, such as {first}")


def _fit_faults(connection: sqlite3.Connection, fits: Mapping[str, Sequence[Entry]], refit: Refit) -> Iterator[Finding]:
    """Redo the last fits of every pool."""
    for pool, entry in ((pool, entry) for pool, every in fits.items() for entry in _last_of(every)):
        try:
            played = list(results(connection, pool, entry.body["through"]))
            fault = refit(played, anchors(connection, pool), parents(connection), entry.body)
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, LedgerError) as error:
            fault = f"it cannot be redone: {error!r}"
        if fault is not None:
            yield Finding(Fault.FIT, entry.seq, f"{pool}: {fault}")


def _last_of(fits: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the last fit, and earlier ones up to REFITTED_MATCHES in total."""
    matches = 0
    for at, entry in enumerate(reversed(fits)):
        said = entry.body.get("matches")
        matches += said if isinstance(said, int) else 0
        if at and matches > REFITTED_MATCHES:
            return
        yield entry
