"""A table: one in-process match, asked decision by decision, with every seat's observation as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.lab.observations import Encoding, Observation, encoding_at
from arena.lab.seat_vector import SeatVector
from referee.boards.standalone import standalone
from referee.game import AnyGame, Decision, Outcome, Seat, check_seats
from referee.games import GAMES
from referee.policy import LazyViews

Rewards: TypeAlias = Literal["places", "score"] | Callable[[Outcome], Sequence[float]]
Illegal: TypeAlias = Literal["raise", "default"]
REWARDS, ILLEGAL, RENDER_MODES = ("places", "score"), ("raise", "default"), ("rgb_array", "svg")


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


class Ask:
    """A decision that a seat has to make, with its options and the action for each of them."""

    __slots__ = ("_encoding", "_numbers", "decision", "options")

    def __init__(self, decision: Decision, options: Sequence[Any], encoding: Encoding) -> None:
        self.decision, self.options, self._encoding = decision, options, encoding
        self._numbers: Sequence[int] | None = None

    @property
    def numbers(self) -> Sequence[int]:
        """Return the action of every option, -1 for one that cannot be chosen."""
        if self._numbers is None:  # the seats of policies are asked without
            self._numbers = self._encoding.numbers_of(self.options)
        return self._numbers

    @property
    def left_out(self) -> int:
        """Return how many listed options cannot be chosen."""
        return self.numbers.count(-1)


class Table:
    """One match after another with the same game, seats and options."""

    def __init__(
        self, game: str, seats: int | None, options: Mapping[str, object] | None, max_options: int | None,
        illegal: Illegal, *, flat: bool = False,
    ) -> None:  # fmt: skip
        if game not in GAMES:
            raise ValueError(f"game: {game!r} is unknown; expected one of: {', '.join(GAMES)}")
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal: {illegal!r} is not allowed; expected one of: {', '.join(ILLEGAL)}")
        if max_options is not None and max_options < 1:
            raise ValueError(f"max_options: {max_options} is not allowed; expected 1 or more")
        if max_options is not None and flat:
            raise ValueError("max_options: it counts rows, and a flat action space has none; leave one of them out")
        self.game: AnyGame = GAMES[game]
        self.seats = self.game.preferred_seats if seats is None else seats
        check_seats(self.game, self.seats)
        self.options = self.game.options(dict(options or {}))
        self.encoding = encoding_at(self.game, self.seats, self.options, max_options, flat=flat)
        self.arrays = self.encoding.arrays
        self.is_flat = flat
        first = SeatVector(self.arrays.view)
        self._vectors = [first, *(SeatVector(self.arrays.view, first) for _ in range(1, self.seats))]
        self._is_strict = illegal == "raise"
        self._seeds = np.random.default_rng()
        self.seed = 0
        self.state: Any = None
        self.lazy_views = LazyViews(self.game, None)
        self.asks: dict[Seat, Ask] = {}
        self._choices: dict[Seat, Any] = {}
        self._waiting: tuple[Seat, ...] = ()

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
        game, state, choices = self.game, self.state, self._choices
        legal_actions, encoding = game.legal_actions, self.encoding
        self.asks = asks = {}
        while pending := game.pending(state):
            for decision in pending:
                listed = legal_actions(state, decision.seat)
                if len(listed) == 1 and not decision.open_ended:
                    choices[decision.seat] = listed[0]
                else:
                    asks[decision.seat] = Ask(decision, listed, encoding)
            if asks:
                break
            self._play()
            choices = self._choices
        self._waiting = tuple(asks)

    def _play(self) -> None:
        choices, self._choices = self._choices, {}
        self.game.apply_checked(self.state, choices)
        self.lazy_views.step += 1

    def waiting(self) -> tuple[Seat, ...]:
        """Return the seats that have not answered yet."""
        return self._waiting

    def index_of(self, seat: Seat, action: Any) -> int | None:
        """Return which option of a waiting seat an action stands for; None if it is illegal.

        An illegal action is a ValueError instead, unless the safe default is to be played for it.
        """
        numbers = self.asks[seat].numbers
        if isinstance(action, int | np.integer) or (isinstance(action, np.ndarray) and action.ndim == 0):
            # A single number, however a library wraps it.
            wanted = int(action) if not isinstance(action, np.ndarray) or action.dtype.kind in "iu" else -1
            if wanted >= 0 and wanted in numbers:
                return numbers.index(wanted)
        if self._is_strict:
            expected = "one of the mask" if self.is_flat else f"0 to {len(numbers) - 1 - self.asks[seat].left_out}"
            raise ValueError(f"action: {action!r} is not an option of seat {seat}; expected {expected}")
        return None

    def answer(self, seat: Seat, action: Any) -> bool:
        """Take a seat's answer; the step is played after the last answer that it needs. False if it was illegal.

        An illegal answer is a ValueError, or is replaced by the safe default of the rules, as a referee does.
        """
        index = self.index_of(seat, action)
        self.choose(seat, index)
        return index is not None

    def choose(self, seat: Seat, index: int | None) -> None:
        """Take one of a seat's listed options, or the safe default of the rules."""
        option = self.game.default_action(self.state, seat) if index is None else self.asks[seat].options[index]
        self._choices[seat] = option
        waiting = self._waiting = tuple([each for each in self._waiting if each != seat])
        if not waiting:
            self._play()
            self._ask()

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
        """Return a seat's observation, with its options if it is asked and has not answered; from its view alone.

        It stays as it is for as long as somebody holds one of its arrays.
        """
        vector = self._vectors[seat].of(self.game.observe(self.state, seat))
        if seat not in self._waiting:
            return self.encoding.observation(vector, (), ())
        ask = self.asks[seat]
        return self.encoding.observation(vector, ask.options, ask.numbers)

    def mask(self, seat: Seat) -> NDArray[np.bool_]:
        """Return which actions are legal for a seat now; none where it is not asked."""
        mask = np.zeros(self.encoding.choices, dtype=np.bool_)
        if seat in self._waiting:
            mask[[number for number in self.asks[seat].numbers if number >= 0]] = True
        return mask

    def info(self, seat: Seat) -> dict[str, Any]:
        """Return additional facts for a seat: the kind of decision, and whether some listed options have no action."""
        if seat not in self._waiting:
            return {}
        ask = self.asks[seat]
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
