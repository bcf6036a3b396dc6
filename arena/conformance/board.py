"""A board: one match of the suite, in which the bot has one seat and the house plays the others at random."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from google.protobuf import text_format

from arena.conformance.report import StepError
from referee import wire
from referee.codec import ProtocolError
from referee.game import AnyGame, Decision, IllegalActionError, Seat
from referee.order import Ending, TimeControl
from referee.playout import random_chooser, step
from referee.rng import Rng, seeded
from referee.v1 import play_pb2 as pb
from referee.values import fields_of

MS = 1_000_000
PLAYOUTS = 8  # random matches per set-up of a game, searched for its kinds of decision
MAX_SHOWN = 300  # characters of a message


@dataclass(slots=True)
class ScriptedMatch:
    """The state of a match, its open question, and the bot's answers so far."""

    game: AnyGame
    match_id: str
    seat: Seat
    seats: int
    options: Any
    state: Any
    house: Rng
    control: TimeControl
    asked: Decision | None = None
    listed: list[Any] = field(default_factory=list)
    prompt_id: int = 0
    asked_ns: int = 0
    answers: list[Any] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    _events: list[bytes] = field(default_factory=list)

    @property
    def wire(self) -> wire.GameWire:
        """Return the game's wire."""
        return wire.wire_for(self.game)

    @property
    def question(self) -> str:
        """Describe the open question."""
        kind = self.asked.kind if self.asked else "none"
        return (
            f"prompt {self.prompt_id} of match {self.match_id} ({self.game.slug}, {kind}, {len(self.listed)} options)"
        )

    def started(self) -> bytes:
        """Return the message that opens the match."""
        return self.wire.match_started(self.match_id, self.seat, self.seats, self.options, self.control)

    def find_question(self) -> bool:
        """Play the house's seats until the bot has a real choice; False if the match is over."""
        choose = random_chooser(self.house)
        while pending := self.game.pending(self.state):
            choices = {}
            for decision in pending:
                listed = list(self.game.legal_actions(self.state, decision.seat))
                if decision.seat == self.seat and (len(listed) > 1 or decision.open_ended):
                    self.asked, self.listed = decision, listed
                    return True
                choices[decision.seat] = choose(decision, listed)
            self._apply(choices)
        self.asked, self.listed = None, []
        return False

    def prompt(self) -> bytes:
        """Return the open question as a new prompt."""
        assert self.asked is not None
        self.prompt_id += 1
        self.kinds.add(self.asked.kind)
        return self.prompt_again()

    def prompt_again(self) -> bytes:
        """Return the open question under its current prompt id."""
        assert self.asked is not None
        view = self.game.observe(self.state, self.seat)
        self.asked_ns = time.monotonic_ns()
        times = (self.control.bank_ms * MS, self.control.cap_ms * MS)
        return self.wire.prompt(self.match_id, self.prompt_id, self.asked, view, self._events, self.listed, *times)

    def take(self, answer: pb.Answer) -> int:
        """Check the answer to the open question, play it, and return how long it took in nanoseconds."""
        taken_ns = time.monotonic_ns() - self.asked_ns
        self.play(self.read(answer))
        return taken_ns

    def read(self, answer: pb.Answer) -> Any:
        """Return the action of an answer to the open question; a StepError shows one that the referee would refuse."""
        try:
            action = self.wire.chosen(answer, self.listed)
            self.game.check(self.state, self.seat, action)
        except ProtocolError as error:
            raise StepError(self.question, shown(answer), str(error)) from None
        except IllegalActionError as error:
            raise StepError(self.question, shown(answer), f"a legal action: {error}") from None
        self.answers.append(action)
        return action

    def play(self, action: Any) -> None:
        """Play an action for the bot and random ones for the seats asked beside it."""
        choose = random_chooser(self.house)
        self._events = []
        choices = {
            decision.seat: action
            if decision.seat == self.seat
            else choose(decision, self.game.legal_actions(self.state, decision.seat))
            for decision in self.game.pending(self.state)
        }
        self.asked = None
        self._apply(choices)

    def _apply(self, choices: Mapping[Seat, Any]) -> None:
        for event in self.game.apply(self.state, choices):
            seen = self.game.witness(event, self.seat)
            if seen is not None:
                self._events.append(self.wire.event(seen))

    def ended(self) -> bytes:
        """Return the message that closes the match, finished or cancelled."""
        outcome = self.game.outcome(self.state)
        if outcome is None:
            return wire.match_ended(self.match_id, (), (), "the match was cancelled", Ending.VOIDED)
        return wire.match_ended(self.match_id, outcome.ranks, outcome.scores, outcome.reason, Ending.COMPLETED)


def new_board(game: AnyGame, match_id: str, control: TimeControl, seed: int = 1) -> ScriptedMatch:
    """Return a board at its first decision; the bot's seat changes with the seed."""
    seats, options = game.preferred_seats, game.options({})
    state = game.new(seats, seed, options)
    return ScriptedMatch(game, match_id, seed % seats, seats, options, state, seeded(seed).fork("house"), control)


def boards_of_every_kind(game: AnyGame, control: TimeControl) -> Iterator[ScriptedMatch]:
    """Yield a board at the first real choice of every kind that random matches reach, with any options and seat."""
    found: set[str] = set()
    for settings in ways_to_set_up(game):
        options = game.options(settings)
        for seed in range(PLAYOUTS):
            state, house = game.new(game.preferred_seats, seed, options), seeded(seed).fork("house")
            while pending := game.pending(state):
                for decision in pending:
                    is_real = decision.open_ended or len(game.legal_actions(state, decision.seat)) > 1
                    if is_real and decision.kind not in found:
                        found.add(decision.kind)
                        name, copy, chance = f"check-{decision.kind}", game.clone(state), Rng(house.word)
                        seats = game.preferred_seats
                        board = ScriptedMatch(game, name, decision.seat, seats, options, copy, chance, control)
                        board.find_question()
                        yield board
                step(game, state, random_chooser(house))


def ways_to_set_up(game: AnyGame) -> Iterator[dict[str, object]]:
    """Yield the standard options, then every other value of each enumerated option."""
    yield {}
    for option in fields_of(game.types.options):
        if isinstance(option.default, Enum):
            for member in type(option.default):
                if member is not option.default:
                    yield {option.name: member.name.lower()}
        elif isinstance(option.default, bool):
            yield {option.name: not option.default}


def shown(message: Any) -> str:
    """Return a message on one line, shortened."""
    text = f"{type(message).__name__} {{{text_format.MessageToString(message, as_one_line=True)}}}"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
