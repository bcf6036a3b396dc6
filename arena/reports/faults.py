"""Where bots failed in a match: strikes and forfeits by step, with reasons for readers who may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.store.database import Store
from arena.store.rows import StoredMatch
from referee.game import Seat
from referee.order import Ending

WORDS = {
    Ending.FORFEIT_CRASH: "it crashed",
    Ending.FORFEIT_DISCONNECT: "it disconnected and did not come back",
    Ending.FORFEIT_TIMEOUT: "it was late too often",
    Ending.FORFEIT_ILLEGAL: "too many of its answers were refused",
}


@dataclass(frozen=True, slots=True)
class BotFault:
    """The fault of a seat at a step."""

    seat: Seat
    is_forfeit: bool
    what: str
    """In public words; empty for a strike, of which the public sees only the safe default."""
    clause: str = ""
    reason: str = ""
    """The error sent to the bot."""
    output: str = ""
    """The last output of the bot."""


MayRead = Callable[[str], bool]
"""Returns whether the reader may see a bot's internals, by its label."""


def nobody_may(_label: str) -> bool:
    """The rule for the public."""
    return False


def faults_of(
    store: Store, match: StoredMatch, result: Mapping[str, Any], may_read: MayRead
) -> dict[int, tuple[BotFault, ...]]:
    """Return the faults in a match by step; `result` is that of its record."""
    found: dict[int, list[BotFault]] = defaultdict(list)
    readable = [may_read(label) for label in match.seating]
    if any(readable):
        for step, seat, clause, reason in store.matches.strikes(match.id):
            if readable[seat]:
                found[step].append(BotFault(seat, False, "", clause, reason))
    outputs = store.matches.outputs(match.id) if any(readable) else {}
    for seat, step in enumerate(result["forfeited_at"]):
        if step is not None:
            words = WORDS.get(Ending(result["seat_endings"][seat]), "it forfeited")
            output = outputs.get(seat, "") if readable[seat] else ""
            found[step].append(BotFault(seat, True, words, output=output))
    return {step: tuple(faults) for step, faults in found.items()}


def authors_of(store: Store, match: StoredMatch) -> dict[str, str | None]:
    """Return the author of every bot at the table, by its label."""
    return {label: store.bots.find(label).author for label in match.seating}
