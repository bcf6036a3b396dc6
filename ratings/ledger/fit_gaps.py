"""T13.7, T13.14: closed rounds without their FIT entry, and the MEND entries that replace it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ratings.ledger.chain import Entry, Kind

KINDS = (Kind.TOURNAMENT, Kind.ROUND, Kind.MATCH, Kind.CHECKPOINT, Kind.FIT, Kind.MEND)
"""The kinds of entries that reveal gaps."""


@dataclass(slots=True)
class FitGaps:
    """T13.7: a closed round is followed by a fit of its pool before the tournament, or the pool, continues."""

    missing: dict[tuple[str, str], Entry] = field(default_factory=dict)
    """The CHECKPOINT entries without a fit, by their key and the pool."""
    waiting: dict[str, Entry] = field(default_factory=dict)
    """The last CHECKPOINT of a pool, while its fit may still follow."""
    mended: list[Entry] = field(default_factory=list)
    """T13.14: the MEND entries that filled a gap."""
    _tournaments: set[str] = field(default_factory=set)
    _pools: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """The pools that a round was played in."""

    def read(self, entry: Entry) -> Iterator[str]:
        """Read the next entry; yield the faults of a MEND entry."""
        body = entry.body
        match entry.kind:
            case Kind.TOURNAMENT:
                self._tournaments.add(body["tournament"])
            case Kind.MATCH if body["tournament"] in self._tournaments:
                self._pools.setdefault((body["tournament"], body["round"]), set()).add(body["pool"])
            case Kind.ROUND | Kind.CHECKPOINT if body["tournament"] in self._tournaments:
                self._go_on(entry)
            case Kind.FIT:
                self.waiting.pop(body["pool"], None)
            case Kind.MEND:
                key = f"checkpoint:{body['tournament']}:{body['round']}"
                closed = self.missing.pop((key, body["pool"]), None)
                if closed is None:
                    yield f"{entry.key}: no fit of {body['pool']} is missing after {key}"
                else:
                    self.mended.append(entry)
            case _:
                pass

    def _go_on(self, entry: Entry) -> None:
        tournament = entry.body["tournament"]
        place = (tournament, entry.body["round"])
        played = self._pools.get(place, set())
        for pool, closed in list(self.waiting.items()):
            if pool in played or closed.body["tournament"] == tournament:
                self.missing[closed.key, pool] = closed
                del self.waiting[pool]
        if entry.kind is Kind.CHECKPOINT:
            self.waiting |= dict.fromkeys(sorted(played), entry)
            self._pools.pop(place, None)
