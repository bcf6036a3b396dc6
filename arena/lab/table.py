"""A table: one in-process match, asked decision by decision, with every seat's observation as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from arena.lab.seat_vector import SeatVector
from arena.lab.table_arrays import TableArrays
from referee.boards.standalone import standalone
from referee.game import AnyGame, Decision, Outcome, Seat, check_seats
from referee.games import GAMES
from referee.policy import LazyViews

Rewards: TypeAlias = Literal["places", "score"] | Callable[[Outcome], Sequence[float]]
Illegal: TypeAlias = Literal["raise", "default"]
REWARDS, ILLEGAL, RENDER_MODES = ("places", "score"), ("raise", "default"), ("rgb_array", "svg")
Observation: TypeAlias = dict[str, Any]


def by_places(outcome: Outcome) -> list[float]:
    """Return 1 for the first place to -1 for the last, evenly spaced; ties share, so that the sum is always 0."""
    last = len(outcome.ranks) - 1
    if not last:
        return [0.0]
    shared = [place + (outcome.ranks.count(place) - 1) / 2 for place in outcome.ranks]
    return [1 - 2 * (place - 1) / last for place in shared]


def by_score(outcome: Outcome) -> list[float]:
    """Return every seat's score."""
    return [float(score) for score in outcome.scores]


def rewards_of(rewards: Rewards) -> Callable[[Outcome], Sequence[float]]:
    """Return the reward function of a finished match; a ValueError says what was expected."""
    if callable(rewards):
        return rewards
    if rewards not in REWARDS:
        raise ValueError(f"rewards: {rewards!r} is not allowed; expected places, score or a function of the outcome")
    return by_places if rewards == "places" else by_score


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision that a seat has to make, with its options."""

    decision: Decision
    options: Sequence[Any]
    left_out: int  # listed options without a row


class Table:
    """One match after another with the same game, seats and options."""

    def __init__(
        self, game: str, seats: int | None, options: Mapping[str, object] | None, max_options: int | None,
        illegal: Illegal,
    ) -> None:  # fmt: skip
        if game not in GAMES:
            raise ValueError(f"game: {game!r} is unknown; expected one of: {', '.join(GAMES)}")
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal: {illegal!r} is not allowed; expected one of: {', '.join(ILLEGAL)}")
        if max_options is not None and max_options < 1:
            raise ValueError(f"max_options: {max_options} is not allowed; expected 1 or more")
        self.game: AnyGame = GAMES[game]
        self.seats = self.game.preferred_seats if seats is None else seats
        check_seats(self.game, self.seats)
        self.options = self.game.options(dict(options or {}))
        self.arrays = TableArrays(self.game, self.seats, self.options, max_options)
        self._vectors = [SeatVector(self.arrays.view) for _ in range(self.seats)]
        self._is_strict = illegal == "raise"
        self._seeds = np.random.default_rng()
        self.seed = 0
        self.state: Any = None
        self.lazy_views = LazyViews(self.game, None)
        self.asks: dict[Seat, Ask] = {}
        self._choices: dict[Seat, Any] = {}

    def reset(self, seed: int | None) -> None:
        """Begin a match: with a seed, that match and a reproducible sequence after it."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.seed = int(self._seeds.integers(1 << 62)) if seed is None else int(seed)
        self.state, _ = self.game.begin(self.seats, self.seed, self.options)
        self.lazy_views = LazyViews(self.game, self.state)
        self._choices = {}
        self._ask()

    def _ask(self) -> None:
        """Play forced moves, as a referee does, up to a real decision or the end."""
        game, state, rows = self.game, self.state, self.arrays.max_options
        self.asks = {}
        while not self.asks and (pending := game.pending(state)):
            for decision in pending:
                listed = game.legal_actions(state, decision.seat)
                if len(listed) == 1 and not decision.open_ended:
                    self._choices[decision.seat] = listed[0]
                else:
                    offered = listed if len(listed) <= rows else listed[:rows]
                    self.asks[decision.seat] = Ask(decision, offered, len(listed) - len(offered))
            if not self.asks:
                self._play()

    def _play(self) -> None:
        choices, self._choices = self._choices, {}
        self.game.apply_checked(self.state, choices)
        self.lazy_views.step += 1

    def waiting(self) -> list[Seat]:
        """Return the seats that have not answered yet."""
        return [seat for seat in self.asks if seat not in self._choices]

    def answer(self, seat: Seat, index: Any) -> bool:
        """Take a seat's answer; the step is played after the last answer that it needs. False if it was illegal.

        An illegal answer is a ValueError, or is replaced by the safe default of the rules, as a referee does.
        """
        ask = self.asks[seat]
        is_legal = isinstance(index, int | np.integer) and 0 <= int(index) < len(ask.options)
        if not is_legal and self._is_strict:
            raise ValueError(f"action: {index!r} is not an option of seat {seat}; expected 0 to {len(ask.options) - 1}")
        self._choices[seat] = ask.options[int(index)] if is_legal else self.game.default_action(self.state, seat)
        if not self.waiting():
            self._play()
            self._ask()
        return is_legal

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return not self.asks

    def outcome(self) -> Outcome:
        """Return how the match ended."""
        outcome = self.game.outcome(self.state)
        assert outcome is not None  # no decision is left
        return outcome

    def observe(self, seat: Seat) -> Observation:
        """Return a seat's observation, with its options if it is asked and has not answered; from its view alone."""
        ask = None if seat in self._choices else self.asks.get(seat)
        listed = () if ask is None else ask.options
        return {
            "observation": self._vectors[seat].of(self.game.observe(self.state, seat)),
            "options": self.arrays.options(listed),
            "action_mask": self.arrays.mask(len(listed)),
        }

    def info(self, seat: Seat) -> dict[str, Any]:
        """Return additional facts for a seat: the kind of decision, and whether some legal options have no row."""
        ask = None if seat in self._choices else self.asks.get(seat)
        if ask is None:
            return {}
        return {
            "decision": ask.decision.kind,
            "clause": ask.decision.clause,
            "open_ended": ask.decision.open_ended,
            "options_left_out": ask.left_out,
        }

    def drawing(self, seat: Seat | None) -> str:
        """Return the board as an SVG, as a seat or a spectator sees it."""
        view = self.game.observe(self.state, seat)
        return standalone(self.game, view, {} if seat is None else {seat: view})
