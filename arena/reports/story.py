"""Stories: a record replayed step by step, as text or as plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.codec import codec_for
from referee.game import AnyGame, Decision, Seat
from referee.order import Ending
from referee.record import Choice, How, Record, replay


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The viewpoint of a story: a seat's, a spectator's (no seat), or with everything face up."""

    seat: Seat | None = None
    is_open: bool = False

    def may_see_choice_of(self, seat: Seat) -> bool:
        """Return whether a choice itself is shown; a seat learns of others' choices by their effects."""
        return self.seat is None or self.seat == seat

    def seen(self, game: AnyGame, events: Iterable[Any]) -> tuple[Any, ...]:
        """Return the events that the viewpoint sees, as it sees them."""
        told = (event if self.is_open else game.witness(event, self.seat) for event in events)
        return tuple(event for event in told if event is not None)


@dataclass(frozen=True, slots=True)
class Chapter:
    """One step: its decisions with the choices made, and the events and view of the viewpoint."""

    step: int
    choices: tuple[tuple[Decision, Choice], ...]
    events: tuple[Any, ...]
    view: Any
    """The view after it; with everything face up, that of spectators."""


def chapters(record: Record, viewpoint: Viewpoint) -> Iterator[Chapter]:
    """Replay a record and yield its steps as the viewpoint saw them; a RecordError names a bad step."""
    game = record.game
    pending: tuple[Decision, ...] = ()
    for step, state, events in replay(record):
        # The first decisions are those of the set-up; `replay` has just shown that its seats can be dealt in.
        asked = pending or game.pending(game.new(record.seats, record.header["seed"], record.options))
        choices = tuple(zip(asked, step.choices, strict=True))
        view = game.observe(state, viewpoint.seat)
        yield Chapter(step.number, choices, viewpoint.seen(game, events), view)
        pending = game.pending(state)


def opening(record: Record, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield the events before the first decision, if any."""
    game = record.game
    _state, events = game.begin(record.seats, record.header["seed"], record.options)
    if events:
        yield ""
        yield "before the first step"
    for event in viewpoint.seen(game, events):
        yield f"    {game.describe(event)}"


def tell(record: Record, viewpoint: Viewpoint, *, with_board: bool = False) -> Iterator[str]:
    """Yield the story of a match, line by line: who plays, every step, and how it ended.

    With the board, each step is followed by the position in characters, as the viewpoint saw it.
    """
    header, result, describe = record.header, record.result, record.game.describe
    yield f"{record.game.title}, {record.seats} seats, seed {header['seed']}"
    yield f"match {header['match_id']}, rules {header['rules_version']}, {_options(record)}"
    for seat, bot in enumerate(header["bots"]):
        yield f"seat {seat}: {bot}" + (" (this view)" if seat == viewpoint.seat else "")
    for number, chapter in enumerate(chapters(record, viewpoint)):
        if number == 0:
            yield from opening(record, viewpoint)
        yield ""
        yield f"step {chapter.step}"
        for decision, choice in chapter.choices:
            asked = f"  seat {choice.seat}, {decision.kind} ({decision.clause})"
            if viewpoint.may_see_choice_of(choice.seat):
                yield f"{asked}: {describe(choice.action)}{MANNERS[choice.how]}"
                if choice.comment:
                    yield f"    “{choice.comment}”"
            else:
                yield asked
        for event in chapter.events:
            yield f"    {describe(event)}"
        if with_board:
            yield ""
            yield from record.game.text_board(chapter.view).splitlines()
    yield ""
    yield f"{result['ending']} after {len(record.steps)} steps: {result['reason']}"
    ranks, scores = result["ranks"], result["scores"]
    for seat in sorted(range(record.seats), key=lambda seat: ranks[seat] if ranks else seat):
        place = f"{ranks[seat]}. with {scores[seat]}: " if ranks else ""
        yield f"  {place}seat {seat} {header['bots'][seat]}{_fate(record, seat)}"


def rows(record: Record) -> Iterator[dict[str, Any]]:
    """Yield every choice of a match as one flat row, with its question, its action and its times."""
    to_plain = codec_for(record.game).action.to_plain
    for chapter in chapters(record, Viewpoint(is_open=True)):
        for decision, choice in chapter.choices:
            own_us, stall_us, transport_us = choice.times_us
            yield {
                "match_id": record.header["match_id"],
                "game": record.game.slug,
                "step": chapter.step,
                "seat": choice.seat,
                "bot": record.header["bots"][choice.seat],
                "kind": decision.kind,
                "clause": decision.clause,
                "how": choice.how.value,
                "action": to_plain(choice.action),
                "text": record.game.describe(choice.action),
                "own_us": own_us,
                "stall_us": stall_us,
                "transport_us": transport_us,
                "comment": choice.comment,
            }


def as_data(record: Record, viewpoint: Viewpoint) -> dict[str, Any]:
    """Return the story as plain data: header, steps with choices and events, result."""
    codec, describe = codec_for(record.game), record.game.describe

    def choice_data(decision: Decision, choice: Choice) -> dict[str, Any]:
        asked = {"seat": choice.seat, "kind": decision.kind, "clause": decision.clause}
        if not viewpoint.may_see_choice_of(choice.seat):
            return asked
        action = {"action": codec.action.to_plain(choice.action), "text": describe(choice.action)}
        said = {"comment": choice.comment} if choice.comment else {}
        return asked | {"how": choice.how.value} | action | {"times_us": list(choice.times_us)} | said

    return {
        "header": {key: value for key, value in record.header.items() if key not in ("digest", "seal")},
        "seat": viewpoint.seat,
        "steps": [
            {
                "step": chapter.step,
                "choices": [choice_data(decision, choice) for decision, choice in chapter.choices],
                "events": [{"event": codec.event.to_plain(event), "text": describe(event)} for event in chapter.events],
            }
            for chapter in chapters(record, viewpoint)
        ],
        "result": dict(record.result),
    }


MANNERS = {
    How.ANSWERED: "",
    How.FORCED: "  [the only move]",
    How.LATE: "  [safe default: too late]",
    How.REFUSED: "  [safe default: the answer was refused]",
    How.HOUSE: "  [safe default: played by the house]",
}


def _options(record: Record) -> str:
    options = record.header["options"]
    return ", ".join(f"{key} = {str(value).lower()}" for key, value in options.items()) or "no options"


def _fate(record: Record, seat: Seat) -> str:
    ending = record.result["seat_endings"][seat]
    if ending == Ending.COMPLETED:
        return ""
    step = record.result["forfeited_at"][seat]
    return f" ({ending}" + (f" at step {step})" if step is not None else ")")
