"""T17: TEST and VERDICT entries, and how an audit recomputes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import sha256
from typing import Any

from ratings.ledger.chain import Body, canonical_json
from ratings.sequential.test import SeedBy, SequentialTest, TestTerms, Verdict, judge
from ratings.sequential.test_table import block_seating


@dataclass(frozen=True, slots=True)
class TestEntry:
    """T17: everything a test is bound to before its first game."""

    __test__ = False  # not a test class for pytest

    new: str
    """Version hashes, here and below."""
    old: str
    pool: str
    terms: TestTerms
    fillers: tuple[str, ...]
    seed: int | str
    """T14.13: a drawn seed is text, a given one an integer."""
    software: str
    count: int
    """t of T14.8: the number of tests of this pair in the ledger, including this one."""
    seeding: str = "per_game"
    """T2: whether the games of a block share their seed."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Other settings of the games, such as clocks and options; text, integers, lists and mappings."""
    seed_by: str = ""
    """T14.13: who chose the seed; empty where an entry of release 0.1.0 does not say."""

    @property
    def body(self) -> dict[str, Any]:
        """T17.1: the body of the TEST entry; what an older release did not enter is left out."""
        said = {"seed_by": self.seed_by} if self.seed_by else {}
        return {
            **said,
            "new": self.new,
            "old": self.old,
            "pool": self.pool,
            **asdict(self.terms),
            "fillers": list(self.fillers),
            "seed": self.seed,
            "software": self.software,
            "seeding": self.seeding,
            "settings": dict(self.settings),
            "t": self.count,
        }

    @property
    def id(self) -> str:
        """T19.7: SHA-256 of the body, t included, in hex; so a repeat on equal terms has another id."""
        return sha256(canonical_json(self.body).encode()).hexdigest()

    @property
    def key(self) -> str:
        """T17: the key of the TEST entry."""
        return f"test:{self.id}"

    def block_seating(self, block: int) -> tuple[str, ...]:
        """T14.1: the seats of a block, by version hash, copies with their numbers."""
        terms = self.terms
        return block_seating(self.id, block, self.new, self.old, self.fillers, terms.seats, terms.copies)

    def has_terms_of(self, other: TestEntry) -> bool:
        """T14.8: return whether NEW, OLD, game and terms are the same, so that an open test is resumed.

        The seed, the fillers and the software differ from test to test and are not terms.
        """
        return other == replace(
            self, seed=other.seed, seed_by=other.seed_by, fillers=other.fillers, software=other.software,
            count=other.count,
        )  # fmt: skip


def read_test(body: Body) -> TestEntry:
    """T17: the test that a TEST entry describes."""
    return TestEntry(
        new=body["new"],
        old=body["old"],
        pool=body["pool"],
        terms=TestTerms(**{term.name: body[term.name] for term in fields(TestTerms)}),
        fillers=tuple(body["fillers"]),
        seed=body["seed"],
        software=body["software"],
        count=body["t"],
        seeding=body["seeding"],
        settings=body["settings"],
        seed_by=body.get("seed_by", ""),
    )


def seed_faults(test: TestEntry) -> list[str]:
    """T17.5: the faults of a seed: one that is called drawn must have been out of reach of trying."""
    is_long = isinstance(test.seed, str) and re.fullmatch(r"[0-9a-f]{32,}", test.seed) is not None
    if test.seed_by == SeedBy.ARENA and not is_long:
        return [f"T14.13: test {test.id} calls its seed drawn, but it has fewer than 128 bits"]
    if test.seed_by not in ("", *SeedBy):
        return [
            f"T14.13: test {test.id} says that its seed is by {test.seed_by!r}; expected one of: {', '.join(SeedBy)}"
        ]
    return []


def verdict_key(test_id: str) -> str:
    """T17: the key of the VERDICT entry, one per test."""
    return f"verdict:{test_id}"


def verdict_body(progress: SequentialTest) -> dict[str, Any]:
    """T17: the body of the VERDICT entry; a test without a verdict is abandoned.

    A and Q exceed 64 bits and are written as decimal strings (T19.13).
    """
    body: dict[str, Any] = {
        "word": (progress.verdict or Verdict.ABANDONED).value,
        "judged": len(progress.judged),
        "dropped": progress.dropped,
        "differences": differences_digest(progress.judged),
    }
    for name, process in (("for_better", progress.for_better), ("for_not_better", progress.for_not_better)):
        body[name] = process.micronats
        body[f"{name}_a"] = str(process.total)
        body[f"{name}_q"] = str(process.squares)
    return body


def differences_digest(judged: Iterable[int]) -> str:
    """T17: SHA-256 of the judged D as decimal numbers joined by commas."""
    return sha256(",".join(map(str, judged)).encode()).hexdigest()


def verdict_faults(test: TestEntry, entered: Body, differences: Sequence[int | None]) -> list[str]:
    """T17: the faults of a VERDICT entry, given D of the test's blocks by number, None for dropped ones.

    The verdict must fall at exactly its block.
    """
    blocks = entered["judged"] + entered["dropped"]
    if blocks > len(differences):
        return [f"T17: the verdict of test {test.id} is on {blocks} blocks, but only {len(differences)} were played"]
    is_abandoned = entered["word"] == Verdict.ABANDONED.value
    progress = judge(test.terms, differences[:blocks] if is_abandoned else differences)
    if progress.verdict is None and not is_abandoned:
        return [f"T17: the {len(differences)} blocks of test {test.id} do not give a verdict, but it has one"]
    if progress.blocks < blocks:
        return [f"T17: the verdict of test {test.id} was due at block {progress.blocks}, not at {blocks}"]
    expected = verdict_body(progress)
    wrong = sorted(name for name in {*expected, *entered} if expected.get(name) != entered.get(name))
    return [
        f"T17: the verdict of test {test.id} says {name} {entered.get(name)!r}; recomputed: {expected.get(name)!r}"
        for name in wrong
    ]
