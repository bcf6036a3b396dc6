"""T16: claims about the order of a tournament's bots, any of them wrong with probability at most 5 %."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from itertools import combinations, pairwise
from typing import Any

from ratings.points.points import MAX_SEATS, MIN_SEATS
from ratings.sequential.e_values import DOWN, UP, PointsDifference, log_e_value, mirrored
from ratings.sequential.evidence import CountedBlock
from ratings.sequential.link import mean_of_elo
from ratings.sequential.test import DEFAULT_ERROR, error_bound, percent

DEFAULT_GAP = Decimal(25)
"""T16.1: bots nearer than this many Elo may be claimed equal."""


class ClaimWord(StrEnum):
    """T16.4: the mark between two bots of a list, the upper one first."""

    BETTER = ">"
    WORSE = "<"
    """T19.10: claimed against the fitted order; it counts as decided."""
    EQUAL = "="
    OPEN = "?"
    NOT_JUDGED = "-"
    """T19.10: one of them entered after round 1; such pairs are neither claimed nor open."""


@dataclass(frozen=True, slots=True)
class Claim:
    """T16.1: the first bot of a pair is better, or the two are equal within the gap."""

    first: str
    second: str
    word: ClaimWord
    round: int
    """The round at whose close it was made."""
    evidence: int
    """The log e-value in micro-nats; for `=` the smaller of the two it needs."""


@dataclass(slots=True)
class Claims:
    """T16.1: the evidence of one tournament and the claims it has made; claims are final."""

    entrants: tuple[str, ...]
    """T19.10: the entrants of round 1."""
    alpha: Decimal = DEFAULT_ERROR
    gap: Decimal = DEFAULT_GAP
    made: dict[tuple[str, str], Claim] = field(default_factory=dict)
    """By pair, the smaller name first."""
    counts: dict[tuple[str, str], Counter[PointsDifference]] = field(default_factory=dict)
    """By pair, the smaller name first, whose D it is."""
    bound: int = field(init=False)
    _judged: frozenset[str] = field(init=False, repr=False)
    _gaps: dict[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.bound = claim_bound(len(self.entrants), self.alpha)
        self._judged = frozenset(self.entrants)
        self._gaps = {seats: mean_of_elo(self.gap, seats) for seats in range(MIN_SEATS, MAX_SEATS + 1)}

    def close(self, round_number: int, blocks: Iterable[CountedBlock]) -> list[Claim]:
        """T16.1: add the blocks of a round at its close, and return the claims they allow, by the bots' names.

        Blocks that lack a rotation are ignored (T19.2).
        """
        touched = set()
        for block in blocks:
            if not block.is_complete:
                continue
            present = sorted(self._judged.intersection(block.bots))
            for pair in combinations(present, 2):
                difference = block.difference(*pair)
                self.counts.setdefault(pair, Counter())[len(block.bots), difference] += 1
                touched.add(pair)
        found = []
        for pair in sorted(touched):
            if pair not in self.made and (claim := self._claim(pair, round_number)) is not None:
                self.made[pair] = claim
                found.append(claim)
        return found

    def _claim(self, pair: tuple[str, str], round_number: int) -> Claim | None:
        """T19.10: `>` is tried before `=`, and `=` needs both sides at the same close."""
        counts = self.counts[pair]
        for side, (first, second) in ((UP, pair), (DOWN, pair[::-1])):
            evidence = log_e_value(counts, side)
            if evidence >= self.bound:
                return Claim(first, second, ClaimWord.BETTER, round_number, evidence)
        evidence = log_e_value(counts, DOWN, self._gaps)
        if evidence >= self.bound:
            evidence = min(evidence, log_e_value(mirrored(counts), DOWN, self._gaps))
            if evidence >= self.bound:
                return Claim(*pair, ClaimWord.EQUAL, round_number, evidence)
        return None

    def word(self, upper: str, lower: str) -> ClaimWord:
        """T16.4: the mark between two bots, the upper one of the list first."""
        if not {upper, lower} <= self._judged:
            return ClaimWord.NOT_JUDGED
        claim = self.made.get((upper, lower) if upper < lower else (lower, upper))
        if claim is None:
            return ClaimWord.OPEN
        if claim.word is ClaimWord.EQUAL:
            return ClaimWord.EQUAL
        return ClaimWord.BETTER if claim.first == upper else ClaimWord.WORSE

    def is_open(self, one: str, other: str) -> bool:
        """T16.1: the pair could still be claimed; pairs that never met are open."""
        return self.word(one, other) is ClaimWord.OPEN


def claim_bound(entrants: int, alpha: Decimal = DEFAULT_ERROR) -> int:
    """T16.1: B = ceil(10^6 ln(N(N-1)/alpha)), the log e-value needed when all pairs and both sides are watched."""
    if entrants < 2:
        raise ValueError(f"T16.1: claims need two entrants, not {entrants}")
    return error_bound(alpha, sides=entrants * (entrants - 1))


def neighbour_claims(order: Sequence[str], claims: Claims, top: int | None = None) -> tuple[ClaimWord, ...]:
    """T16.3: the claims between neighbours of the fitted order, or of its first `top` places."""
    places = order if top is None else order[:top]
    return tuple(claims.word(upper, lower) for upper, lower in pairwise(places))


def is_decided(words: Sequence[ClaimWord]) -> bool:
    """T16.3: no neighbour is open, so the tournament may stop."""
    return ClaimWord.OPEN not in words


def stop_reason(
    words: Sequence[ClaimWord], cause: str, *, alpha: Decimal = DEFAULT_ERROR, top: int | None = None
) -> str:
    """T16.3: why a tournament ended.

    `cause` is given if something is open: "the budget is used up" or "the deadline has come".
    """
    if is_decided(words):
        whose = "every neighbour" if top is None else f"every neighbour in the first {top} places"
        return f"{whose} is decided at {percent(alpha)} for the whole tournament"
    judged = [word for word in words if word is not ClaimWord.NOT_JUDGED]
    left = judged.count(ClaimWord.OPEN)
    return f"{cause}, {left} of {len(judged)} neighbours {'is' if left == 1 else 'are'} open"


def foot(alpha: Decimal = DEFAULT_ERROR) -> str:
    """T16.4: the sentence under a list with claims."""
    return f"Any of these > is wrong with probability at most {percent(alpha)} for the whole tournament."


def claim_key(tournament: str, claim: Claim, game: str | None = None) -> str:
    """T17.4: the key of a CLAIM entry; `game` tells claims apart where a tournament has several games."""
    return f"claim:{tournament}:{claim.first}:{claim.second}" + (f":{game}" if game else "")


def claim_body(tournament: str, claim: Claim, claims: Claims, game: str | None = None) -> dict[str, Any]:
    """T17.4: the body of a CLAIM entry."""
    return {
        "tournament": tournament,
        **({"game": game} if game else {}),
        "first": claim.first,
        "second": claim.second,
        "word": claim.word.value,
        "round": claim.round,
        "evidence": claim.evidence,
        "bound": claims.bound,
        "entrants": len(claims.entrants),
    }


def claim_faults(
    tournament: str,
    claims: Claims,
    entered: Mapping[str, Mapping[str, Any]],
    game: str | None = None,
    *,
    due: int | None = None,
) -> list[str]:
    """T17.5: compare the CLAIM entries of a tournament, by key, with claims recomputed from its rounds.

    Give `claims` every closed round by `close` first, from the MATCH entries as they stood then (T19.2). Claims of
    round `due` and later may be missing: they are entered after the close, before the next round is drawn.
    """
    expected = {
        claim_key(tournament, claim, game): claim_body(tournament, claim, claims, game)
        for claim in claims.made.values()
    }
    faults = []
    for key in sorted({*expected, *entered}):
        if key not in entered:
            if due is not None and expected[key]["round"] >= due:
                continue
            faults.append(f"T17: {key} is missing; the blocks allow it in round {expected[key]['round']}")
        elif key not in expected:
            faults.append(f"T17: {key} is not allowed by the blocks of the tournament")
        elif (said := dict(entered[key])) != expected[key]:
            wrong = sorted(name for name in {*said, *expected[key]} if said.get(name) != expected[key].get(name))
            faults.append(f"T17: {key} is wrong in {', '.join(wrong)}; recomputed: {expected[key]}")
    return faults
