"""T17.5: recompute every test and claim, entry by entry, from the MATCH entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ratings.ledger.chain import Body, Entry, Kind
from ratings.ledger.entry_bodies import is_rated
from ratings.ledger.test_entries import TestEntry, read_test, seed_faults, verdict_faults
from ratings.sequential.claims import Claims, claim_faults
from ratings.sequential.evidence import CountedBlock, block_by_seat
from ratings.sequential.result_line import CHOSEN_SEED
from ratings.sequential.test import SeedBy
from ratings.sequential.test_table import seated_bot
from ratings.sequential.test_words import repeats_words

CLAIMS_FROM = "top"
"""T16: the settings of a tournament that makes claims name this."""


@dataclass(slots=True)
class _Round:
    """The tables of a round as they were drawn, and the places by seat of the games that counted at its close."""

    tables: dict[int, tuple[str, ...]]
    games: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    def blocks(self) -> Iterator[CountedBlock | None]:
        """T19.2: the block of every table; None for one that lacks a game."""
        for table, bots in sorted(self.tables.items()):
            places = (self.games.get((table, rotation)) for rotation in range(len(bots)))
            found = [each for each in places if each is not None]
            yield block_by_seat(bots, found) if len(found) == len(bots) else None


@dataclass(slots=True)
class _Test:
    """A test, up to the entry being read."""

    entry: TestEntry
    closed: list[int | None] = field(default_factory=list)
    """D of every posted block; None for dropped ones."""
    drawn: int = 0
    has_verdict: bool = False


@dataclass(slots=True)
class _ClaimingTournament:
    """A tournament that makes claims: one set of them for every game."""

    games: tuple[str, ...]
    entrants: list[str]
    claims: dict[str, Claims] = field(default_factory=dict)
    entered: dict[str, dict[str, Body]] = field(default_factory=dict)
    drawn: int = 0
    """The last round drawn; claims of earlier rounds must be entered."""

    def claims_of(self, game: str) -> Claims:
        """T16.1: the claims of a game, among the entrants of round 1."""
        if game not in self.claims:
            self.claims[game] = Claims(tuple(sorted(self.entrants)))
        return self.claims[game]


@dataclass(slots=True)
class TestAudit:
    """T17.5: reads all entries in order, and reports faults of tests and claims."""

    tests: dict[str, _Test] = field(default_factory=dict)
    _versions: dict[str, str] = field(default_factory=dict)
    """The version hash of every bot by its label."""
    _repeats: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _tournaments: dict[str, _ClaimingTournament] = field(default_factory=dict)
    _open: dict[tuple[str, int], _Round] = field(default_factory=dict)

    def read(self, entry: Entry) -> Iterator[str]:
        """Read the next entry, and yield its faults."""
        body = entry.body
        match entry.kind:
            case Kind.BOT:
                self._versions[body["bot"]] = body["version"]
            case Kind.TEST:
                yield from self._read_test(entry)
            case Kind.TOURNAMENT if CLAIMS_FROM in body["settings"]:
                games = tuple(game["game"] for game in body["settings"]["games"])
                self._tournaments[body["tournament"]] = _ClaimingTournament(games, list(body["settings"]["bots"]))
            case Kind.ENTER if body["round"] == 1 and body["tournament"] in self._tournaments:
                self._tournaments[body["tournament"]].entrants.append(body["bot"])
            case Kind.LEAVE | Kind.DISQUALIFY if body["round"] == 1 and body["tournament"] in self._tournaments:
                entrants = self._tournaments[body["tournament"]].entrants
                if body["bot"] in entrants:
                    entrants.remove(body["bot"])
            case Kind.ROUND if self._is_followed(body):
                tables = {table["table"]: tuple(table["seats"]) for table in body["tables"]}
                self._open[body["tournament"], body["round"]] = _Round(tables)
                if body["tournament"] in self.tests:
                    yield from self._read_block(body)
                else:
                    self._tournaments[body["tournament"]].drawn = body["round"]
            case Kind.MATCH if self._is_followed(body):
                yield from self._read_match(body)
            case Kind.CHECKPOINT if self._is_followed(body):
                yield from self._close(body)
            case Kind.VERDICT:
                yield from self._read_verdict(entry)
            case Kind.CLAIM:
                yield from self._read_claim(entry)

    def _is_followed(self, body: Body) -> bool:
        return body["tournament"] in self.tests or body["tournament"] in self._tournaments

    def _read_test(self, entry: Entry) -> Iterator[str]:
        test = read_test(entry.body)
        if entry.key != test.key or entry.body != test.body:
            yield f"T19.7: {entry.key} should be {test.key}"
        yield from seed_faults(test)
        pair = (test.new, test.old, test.pool)
        self._repeats[pair] += 1
        if test.count != self._repeats[pair]:
            yield f"T14.8: {entry.key} says it is test {test.count} of its pair; it is test {self._repeats[pair]}"
        for other in self.tests.values():
            if not other.has_verdict and test.has_terms_of(other.entry):
                yield f"T14.8: {entry.key} begins while test {other.entry.id} on the same terms is open"
        known = set(self._versions.values())
        for version in (test.new, test.old, *test.fillers):
            if version not in known:
                yield f"T17: {entry.key} is about {version}, which no BOT entry has"
        self.tests[entry.key.removeprefix("test:")] = _Test(test)

    def _read_block(self, body: Body) -> Iterator[str]:
        """T14.1: every block is drawn again."""
        test = self.tests[body["tournament"]]
        where = f"block {body['round']} of test {test.entry.id}"
        test.drawn += 1
        if test.has_verdict:
            yield f"T14.7: {where} begins after the verdict"
        if body["round"] != test.drawn:
            yield f"T14.7: {where} is drawn as number {test.drawn}"
        seating = [seated_bot(bot) for bot in test.entry.block_seating(body["round"])]
        wanted = [(1, test.entry.terms.seats, seating)]
        said = [
            (table["table"], table["games"], [self._versions.get(bot) for bot in table["seats"]])
            for table in body["tables"]
        ]
        if said != wanted:
            yield f"T14.1: {where} does not follow from its keys"
        for name in ("byes", "scores", "metrics"):
            if body[name]:
                yield f"T17.2: {where} has {name} {body[name]}; a block of a test has none"

    def _read_match(self, body: Body) -> Iterator[str]:
        drawn = self._open.get((body["tournament"], body["round"]))
        if drawn is not None:
            drawn.games[body["table"], body["game"]] = tuple(body["places"])
        test = self.tests.get(body["tournament"])
        if test is not None and is_rated(body) != (test.entry.terms.copies == 1):
            yield f"T14.9: match {body['match']} of test {test.entry.id} must be rated if and only if no bot sits twice"

    def _close(self, body: Body) -> Iterator[str]:
        """T14.7, T16.1: judge a round as it stood at its close; a later VOID changes nothing (T19.2)."""
        drawn = self._open.pop((body["tournament"], body["round"]), None)
        if drawn is None:
            return
        blocks = list(drawn.blocks())
        test = self.tests.get(body["tournament"])
        if test is None:
            entered = self._tournaments[body["tournament"]]
            game = entered.games[(body["round"] - 1) % len(entered.games)]
            entered.claims_of(game).close(body["round"], [block for block in blocks if block is not None])
            return
        if body["round"] != len(test.closed) + 1:
            yield f"T14.7: block {body['round']} of test {test.entry.id} is posted as number {len(test.closed) + 1}"
        by_version = {self._versions.get(bot, ""): bot for bots in drawn.tables.values() for bot in bots}
        for block in blocks[:1]:
            new, old = by_version[test.entry.new], by_version[test.entry.old]
            test.closed.append(None if block is None else block.difference(new, old))

    def _read_verdict(self, entry: Entry) -> Iterator[str]:
        test = self.tests.get(entry.key.removeprefix("verdict:"))
        if test is None:
            yield f"T17: {entry.key} belongs to no test before it"
            return
        test.has_verdict = True
        yield from verdict_faults(test.entry, entry.body, test.closed)

    def _read_claim(self, entry: Entry) -> Iterator[str]:
        entered = self._tournaments.get(entry.body["tournament"])
        if entered is None:
            yield f"T17: {entry.key} belongs to no tournament that makes claims"
            return
        game = entry.body.get("game", entered.games[0])
        entered.entered.setdefault(game, {})[entry.key] = entry.body

    def finish(self) -> Iterator[str]:
        """T17.5: compare the entered claims with those that the rounds allow."""
        for tournament, entered in self._tournaments.items():
            for game in sorted({*entered.claims, *entered.entered}):
                named = game if len(entered.games) > 1 else None
                found = entered.entered.get(game, {})
                yield from claim_faults(tournament, entered.claims_of(game), found, named, due=entered.drawn)

    def notes(self) -> Iterator[str]:
        """T17.5: tests without a verdict or by a seed that the caller chose, and pairs tested more than once."""
        for test in self.tests.values():
            if test.entry.seed_by == SeedBy.CALLER:
                yield f"test {test.entry.id}: {self._words(test.entry)}: {CHOSEN_SEED}"
            if not test.has_verdict:
                yield f"test {test.entry.id} has no verdict yet: {self._words(test.entry)}, {len(test.closed)} blocks"
        for (new, old, pool), count in self._repeats.items():
            if count > 1:
                of_pair = [each.entry for each in self.tests.values() if (each.entry.new, each.entry.old) == (new, old)]
                over_all = repeats_words(count, of_pair[-1].terms)
                yield f"{self._words(of_pair[-1])} in {pool}: {over_all}"

    def _words(self, test: TestEntry) -> str:
        labels = {version: label for label, version in self._versions.items()}
        return f"{labels.get(test.new, test.new)} against {labels.get(test.old, test.old)}"
