"""Margins: what the decisions of language models cost and where they failed, from the comments in a record.

A bot that asks a model ends every comment with a margin, such as `[812 tokens, 640 ms, $0.002100]`, and says there
whether the answer was `unusable` or the provider had an `outage`. The bot says so itself: nothing rated depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.game import Seat
from referee.record import RecordError, read

MARGIN = re.compile(
    r"\[(?:(unusable|outage), )?([0-9]{1,9}) tokens, ([0-9]{1,9}) ms(?:, \$([0-9]{1,9}\.[0-9]{6}))?\]\Z"
)


@dataclass(slots=True)
class Margin:
    """What the decisions of one bot cost."""

    decisions: int = 0
    unusable: int = 0
    outages: int = 0
    tokens: int = 0
    milliseconds: int = 0
    cost: float | None = None
    """In dollars; None where no price was set."""
    fault: str = ""
    """Why the first decision without an answer had none."""

    def add(self, comment: str) -> None:
        """Count a decision, if its comment has a margin."""
        found = MARGIN.search(comment)
        if found is None:
            return
        self.decisions += 1
        self.unusable += found[1] == "unusable"
        self.outages += found[1] == "outage"
        self.tokens += int(found[2])
        self.milliseconds += int(found[3])
        if found[4] is not None:
            self.cost = (self.cost or 0.0) + float(found[4])
        if found[1] and not self.fault:
            self.fault = comment[: found.start()].strip()

    def join(self, other: Margin) -> None:
        """Add what another match cost."""
        self.decisions += other.decisions
        self.unusable += other.unusable
        self.outages += other.outages
        self.tokens += other.tokens
        self.milliseconds += other.milliseconds
        if other.cost is not None:
            self.cost = (self.cost or 0.0) + other.cost
        self.fault = self.fault or other.fault

    def to_plain(self) -> dict[str, Any]:
        """Return the margin as plain data."""
        return {
            "decisions": self.decisions,
            "unusable": self.unusable,
            "outages": self.outages,
            "tokens": self.tokens,
            "milliseconds": self.milliseconds,
            "cost": None if self.cost is None else round(self.cost, 6),
            "fault": self.fault,
        }


def margins_of(record: str) -> dict[Seat, Margin]:
    """Return the margins of a match by seat; only of seats whose comments have any."""
    if " ms" not in record:
        return {}  # of nearly every record, which is then not read again
    found: dict[Seat, Margin] = {}
    try:
        steps = read(record).steps
    except RecordError:
        return {}  # verification says why
    for step in steps:
        for choice in step.choices:
            if choice.comment:
                found.setdefault(choice.seat, Margin()).add(choice.comment)
    return {seat: margin for seat, margin in sorted(found.items()) if margin.decisions}


def summed(margins: Iterable[Margin]) -> Margin:
    """Return what several matches cost."""
    total = Margin()
    for each in margins:
        total.join(each)
    return total
