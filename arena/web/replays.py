"""Replays: a match at any step, from one viewpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from arena.reports.story import MANNERS
from arena.store.rows import StoredMatch
from arena.web.changes import gains, with_rings
from arena.web.recent import Recent
from referee.boards import draw
from referee.drawing import Drawing
from referee.game import AnyGame, Decision, Seat
from referee.mistakes import UserError
from referee.record import Choice, How, Reading, Record, RecordError, replay

CHECKPOINT_EVERY = 16  # steps between kept positions; others are replayed from the previous one
KEPT_REPLAYS = 12
FAULTS = (How.LATE, How.REFUSED, How.HOUSE)  # how a failed bot's choices were made


class Eyes(Enum):
    """Viewpoints other than seats."""

    OPEN = "open"
    """Everything face up, as after a game."""
    SPECTATOR = "spectator"
    """What everybody at the table saw."""


Viewer: TypeAlias = Eyes | Seat


@dataclass(frozen=True, slots=True)
class Told:
    """A decision as a viewer sees it; `chosen` is None where only its effects are public."""

    seat: Seat
    kind: str
    clause: str
    chosen: str | None
    manner: str
    own_ms: float | None
    comment: str  # the bot's comment; empty during the match, and for viewers who may not see the choice


@dataclass(frozen=True, slots=True)
class Moment:
    """A match after one of its steps, as a viewer may see it."""

    step: int
    told: tuple[Told, ...]
    events: tuple[str, ...]
    drawing: Drawing
    next: tuple[Decision, ...]
    scores: tuple[int, ...] | None  # the final scores; None before the end
    outcome: str
    gains: tuple[tuple[tuple[str, str], ...], ...]  # what each seat gained and lost in the step, by label


class Course:
    """The course of a match, with a position kept every few steps; it may still be running."""

    def __init__(self, game: AnyGame, seats: int, seed: int, options: Any) -> None:
        self._game = game
        self._seats = seats
        first, opening = game.begin(seats, seed, options)
        self._checkpoints: list[Any] = [game.clone(first)]
        self._choices: list[tuple[Choice, ...]] = []
        self._asked: list[tuple[Decision, ...]] = [game.pending(first)]
        self._events: list[Sequence[Any]] = [opening]
        self._scores = [game.scores_so_far(first)]

    def _note(self, choices: tuple[Choice, ...], state: Any, events: Sequence[Any]) -> None:
        """Add a step that led to this state; the state is copied."""
        self._asked.append(self._game.pending(state))
        self._events.append(events)
        self._scores.append(self._game.scores_so_far(state))
        if (len(self._choices) + 1) % CHECKPOINT_EVERY == 0:
            self._checkpoints.append(self._game.clone(state))
        # Last, so that another thread never sees an incomplete step.
        self._choices.append(choices)

    @property
    def slug(self) -> str:
        """Return the game."""
        return self._game.slug

    @property
    def steps(self) -> int:
        """Return the number of steps."""
        return len(self._choices)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of decision that came up."""
        return tuple(sorted({decision.kind for asked in self._asked for decision in asked}))

    @property
    def think_times(self) -> list[tuple[int, Seat, float]]:
        """Return thinking times: step, seat and milliseconds of every timed answer."""
        return [
            (step, choice.seat, choice.times_us[0] / 1000)
            for step, choices in enumerate(self._choices, start=1)
            for choice in choices
            if choice.times_us[0]
        ]

    def score_curve(self, seat: Seat) -> list[tuple[int, int]]:
        """Return the steps at which a seat's running score changed, with that score; nothing if the game has none.

        The first and the last step are always included.
        """
        told = [(step, scores[seat]) for step, scores in enumerate(self._scores) if scores is not None]
        return [point for at, point in enumerate(told) if at in (0, len(told) - 1) or point[1] != told[at - 1][1]]

    @property
    def deciders(self) -> list[tuple[Seat, ...]]:
        """Return the seats that decided, by step; everybody at the table sees that."""
        return [tuple(decision.seat for decision in asked) for asked in self._asked[: self.steps]]

    def lead_since(self, seat: Seat) -> int | None:
        """Return the step since which a seat's running score was above all others; None if it was not at the end."""
        since = None
        for step in range(self.steps, -1, -1):
            scores = self._scores[step]
            if scores is None or any(other >= scores[seat] for at, other in enumerate(scores) if at != seat):
                break
            since = step
        return since

    def moves(self, viewer: Viewer) -> Iterator[tuple[int, tuple[Told, ...]]]:
        """Yield every step with its decisions, as far as the viewer may know them."""
        for step in range(1, self.steps + 1):
            yield step, tuple(self._told(step, viewer))

    def find(
        self, after: int, seat: Seat | None, kind: str | None, viewer: Viewer = Eyes.OPEN, *, is_fault: bool = False
    ) -> int | None:
        """Return the next step after one that answers a decision of this seat and kind, as far as they are given.

        With `is_fault` it is one in which the safe default was played for a bot, as far as the viewer may see it.
        """
        for step in range(after + 1, self.steps + 1):
            for decision, choice in zip(self._asked[step - 1], self._choices[step - 1], strict=True):
                is_told = viewer in (Eyes.OPEN, choice.seat) and choice.how in FAULTS
                if seat in (None, decision.seat) and kind in (None, decision.kind) and (is_told or not is_fault):
                    return step
        return None

    def _state(self, step: int) -> Any:
        game, apply = self._game, self._game.apply_checked
        state = game.clone(self._checkpoints[step // CHECKPOINT_EVERY])
        for number in range(step // CHECKPOINT_EVERY * CHECKPOINT_EVERY, step):
            apply(state, {choice.seat: choice.action for choice in self._choices[number]})
        return state

    def moment(self, step: int, viewer: Viewer) -> Moment:
        """Return the match after a step, as far as the viewer may know it."""
        game = self._game
        before = self._drawing(self._state(step - 1), viewer) if step else None
        state = self._state(step)
        drawing = self._drawing(state, viewer)
        outcome = game.outcome(state)
        return Moment(
            step=step,
            told=tuple(self._told(step, viewer)),
            events=tuple(self._witnessed(step, viewer)),
            drawing=with_rings(before, drawing),
            next=self._asked[step],
            scores=None if outcome is None else outcome.scores,
            outcome="" if outcome is None else outcome.reason,
            gains=() if before is None else tuple(map(gains, before.panels, drawing.panels)),
        )

    def _drawing(self, state: Any, viewer: Viewer) -> Drawing:
        """Draw a state as a viewer may know it."""
        seat = None if isinstance(viewer, Eyes) else viewer
        view = self._game.observe(state, seat)
        if viewer is Eyes.OPEN:
            own = {each: self._game.observe(state, each) for each in range(self._seats)}
        else:
            own = {} if seat is None else {seat: view}
        return draw(self._game, view, own, self._seats)

    def drawing(self, step: int, viewer: Viewer) -> Drawing:
        """Return the position after a step as a viewer may know it, without signs of what has changed."""
        return self._drawing(self._state(step), viewer)

    def advised(self, step: int, seat: Seat, better: str) -> Drawing | None:
        """Return the position that another option of a seat would have led to; None if there is none of that name.

        Everything is face up in it.
        """
        game, before = self._game, self._state(step - 1)
        action = self._options(before, step, seat).get(better)
        if action is None:
            return None
        choices = {choice.seat: choice.action for choice in self._choices[step - 1]}
        # Chance falls as it did: the state brings its own.
        game.apply_checked(before, choices | {seat: action})
        return self._drawing(before, Eyes.OPEN)

    def options(self, step: int, seat: Seat) -> tuple[str, ...]:
        """Return what a seat could have chosen in a step, in words; nothing if it was not asked."""
        return tuple(self._options(self._state(step - 1), step, seat))

    def _options(self, before: Any, step: int, seat: Seat) -> dict[str, Any]:
        if seat not in [decision.seat for decision in self._asked[step - 1]]:
            return {}
        return {self._game.describe(action): action for action in self._game.legal_actions(before, seat)}

    def _told(self, step: int, viewer: Viewer) -> Iterator[Told]:
        if step == 0:
            return
        for decision, choice in zip(self._asked[step - 1], self._choices[step - 1], strict=True):
            # How a choice was made hints at the choice, so both are shown or neither.
            if viewer in (Eyes.OPEN, choice.seat):
                chosen, manner = self._game.describe(choice.action), MANNERS[choice.how].strip(" []")
                own_ms = choice.times_us[0] / 1000
                yield Told(choice.seat, decision.kind, decision.clause, chosen, manner, own_ms, choice.comment)
            else:
                yield Told(choice.seat, decision.kind, decision.clause, None, "", None, "")

    def _witnessed(self, step: int, viewer: Viewer) -> Iterator[str]:
        seat = None if isinstance(viewer, Eyes) else viewer
        for event in self._events[step]:
            told = event if viewer is Eyes.OPEN else self._game.witness(event, seat)
            if told is not None:
                yield self._game.describe(told)


class Replay(Course):
    """A match replayed from its record, with every digest checked."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.game, record.seats, record.header["seed"], record.options)
        self.record = record
        for step, state, events in replay(record):
            self._note(step.choices, state, events)


class LiveCourse(Course):
    """A live match, as far as its record goes."""

    def __init__(self, header_line: str) -> None:
        self._reading = Reading(header_line)
        header, game = self._reading.header, self._reading.game
        super().__init__(game, len(header["bots"]), header["seed"], self._reading.options)
        self._state_now = game.clone(self._checkpoints[0])

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the bots by seat."""
        return tuple(self._reading.header["bots"])

    def add(self, lines: Sequence[str]) -> None:
        """Play further lines; a RecordError if they do not follow."""
        for line in lines:
            step = self._reading.add(line)
            events = self._game.apply(self._state_now, {choice.seat: choice.action for choice in step.choices})
            self._note(step.choices, self._state_now, events)


class Replays:
    """A cache of recent replays."""

    def __init__(self, load: Callable[[StoredMatch], Record]) -> None:
        self._load = load
        self._recent: Recent[Replay] = Recent(KEPT_REPLAYS)

    def get(self, match: StoredMatch) -> Replay:
        """Return a match's replay; a UserError says why its record cannot be replayed."""
        try:
            return self._recent.get(match.id, lambda: Replay(self._load(match)))
        except RecordError as error:
            raise UserError(f"match {match.id[:12]}: the record is refused: {error}") from None
