"""T13.7: a fit as the ledger keeps it: its list with the digest, and the figures of the pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ratings.ledger.accounts import FORMULA
from ratings.ledger.chain import canonical_json

SETTINGS = {"precision": "record"}
"""T13.7: the settings of a fit of record: its precision, from a cold start."""

RecordedLine = tuple[str, int, int]
"""A bot with its rating and standard error in milli-Elo."""


@dataclass(frozen=True, slots=True)
class FitRecord:
    """A fit of record: its list in the order of the bots' names, and the figures of the pool in millionths."""

    matches: int
    voids: int
    lines: tuple[RecordedLine, ...]
    sigma: int
    phi: int
    tau: int
    formula: int = FORMULA

    @property
    def body(self) -> dict[str, Any]:
        """T13.7: the body of a FIT entry, without its pool and last entry."""
        return {
            "formula": self.formula,
            "settings": SETTINGS,
            "matches": self.matches,
            "voids": self.voids,
            "bots": len(self.lines),
            "sigma": self.sigma,
            "phi": self.phi,
            "tau": self.tau,
            "ratings": [list(line) for line in self.lines],
            "digest": list_digest(self.lines),
        }


def list_digest(lines: Iterable[RecordedLine]) -> str:
    """T13.7: SHA-256 over a canonical list of bot, rating and standard error in milli-Elo."""
    return sha256(canonical_json([list(line) for line in lines]).encode()).hexdigest()
