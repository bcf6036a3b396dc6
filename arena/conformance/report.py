"""The result of a check: one verdict per step, as lines or as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

MAX_PRINTED = 400  # characters of a bot's own output beside a failure


class StepError(Exception):
    """A bot did not pass a step: what was sent, what came back, and what was expected."""

    def __init__(self, sent: str, came: str, expected: str) -> None:
        super().__init__(f"sent {sent}; came back: {came}; expected: {expected}")
        self.sent = sent
        self.came = came
        self.expected = expected


class StepResult(StrEnum):
    """How a step ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOTED = "noted"  # reported, not required
    NOT_REACHED = "not_reached"  # skipped after an earlier failure
    NOT_ASKED = "not_asked"  # the bot does not claim it


LABELS = {
    StepResult.PASSED: "pass",
    StepResult.FAILED: "FAIL",
    StepResult.NOTED: "note",
    StepResult.NOT_REACHED: "  --",
    StepResult.NOT_ASKED: "  --",
}


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """One step: its name, its requirement, its result and, for a failure, what was observed."""

    step: str
    about: str
    result: StepResult
    detail: str = ""
    sent: str = ""
    came_back: str = ""
    expected: str = ""
    printed: str = ""


@dataclass(slots=True)
class Report:
    """All verdicts on a bot, with its thinking times."""

    bot: str
    sandbox: str
    verdicts: list[StepVerdict] = field(default_factory=list)
    thinking_ms: dict[str, float] = field(default_factory=dict)

    @property
    def has_passed(self) -> bool:
        """Return whether every required step passed."""
        return not any(verdict.result is StepResult.FAILED for verdict in self.verdicts)

    def to_plain(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {"passed": self.has_passed, **asdict(self)}


def lines(verdict: StepVerdict) -> Iterator[str]:
    """Yield one verdict as text: a line, and for a failure what was observed."""
    detail = f": {verdict.detail}" if verdict.detail else ""
    yield f"{LABELS[verdict.result]}  {verdict.step}  {verdict.about}{detail}"
    if verdict.result is StepResult.FAILED:
        yield f"        sent       {verdict.sent}"
        yield f"        came back  {verdict.came_back}"
        yield f"        expected   {verdict.expected}"
        for number, line in enumerate(verdict.printed.splitlines()):
            yield f"        {'printed' if number == 0 else '       '}    {line}"


def percentiles(thinking_ns: Sequence[int]) -> dict[str, float]:
    """Return percentiles of the answer times, in milliseconds."""
    if not thinking_ns:
        return {}
    ordered = sorted(thinking_ns)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] / 1e6, 3)

    return {"answers": len(ordered), "p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "most": at(1.0)}
