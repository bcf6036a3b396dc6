"""The arena's games as games of OpenSpiel's, so that its algorithms play them: `load("norenberc", seats=3)`.

Seats that decide together are asked one after the other, and learn nothing of each other's choices before all are made.
Chance is one draw at the beginning, which names the seed of the match: with few seeds a small tree, with many the game.
What a seat knows is its view, by a fingerprint; resampling is the game's own `imagine`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from referee.codec import codec_for
from referee.game import AnyGame, Seat, can_imagine
from referee.games import GAMES
from referee.rng import Rng

PREFIX = "arena_"
SEEDS = 1 << 20  # that chance draws from, unless there are to be fewer
MAX_ACTIONS = 10_000  # listed at one decision, where the game does not say
MAX_LENGTH = 100_000  # decisions in a match: more than any game has
MAX_SEED = 1 << 32


def load(slug: str, *, seats: int = 0, seeds: int = SEEDS, options: Mapping[str, object] | None = None) -> Any:
    """Return a game of the arena's as OpenSpiel's algorithms take it; a ValueError says what is wrong."""
    register(slug)
    rules = GAMES[slug]
    rules.options(options or {})
    seats = seats or rules.preferred_seats
    if seats not in rules.table_sizes:
        raise ValueError(f"seats: {seats} is not allowed for {slug}")
    if not 1 <= seeds <= SEEDS:
        raise ValueError(f"seeds: {seeds} is not from 1 to {SEEDS}")
    # OpenSpiel's parameters are texts without commas and brackets.
    told = json.dumps(options or {}).encode().hex()
    return pyspiel.load_game(PREFIX + slug, {"players": seats, "seeds": seeds, "options": told})


@cache
def register(slug: str) -> None:
    """Tell OpenSpiel of a game, under its slug with `arena_` before it."""
    rules = GAMES[slug]
    kind = pyspiel.GameType(
        short_name=PREFIX + slug,
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.table_sizes[-1],
        min_num_players=rules.table_sizes[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"players": rules.preferred_seats, "seeds": SEEDS, "options": ""},
    )

    class Registered(ArenaGame):
        """The game under its own type, as OpenSpiel's registry wants it."""

        def __init__(self, parameters: Any = None) -> None:
            super().__init__(rules, kind, parameters or {})

    pyspiel.register_game(kind, Registered)


class ArenaGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of the arena's with its seats, seeds and options."""

    def __init__(self, rules: AnyGame, kind: Any, parameters: Mapping[str, Any]) -> None:
        self.rules = rules
        self.seats = int(parameters.get("players", rules.preferred_seats))
        self.seeds = int(parameters.get("seeds", SEEDS))
        told = bytes.fromhex(str(parameters.get("options", ""))) or b"{}"
        self.chosen_options = rules.options(json.loads(told))
        about = pyspiel.GameInfo(
            num_distinct_actions=rules.max_options or MAX_ACTIONS,
            max_chance_outcomes=self.seeds,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(kind, about, dict(parameters))

    def new_initial_state(self) -> ArenaState:
        """Return the state before the seed is drawn."""
        return ArenaState(self)

    def make_py_observer(self, _kind: Any = None, _parameters: Any = None) -> _Observer:
        """Return what tells information states, with perfect recall or not: a view has all that a seat has seen."""
        return _Observer()


class _Held:
    """A position, with the choices of those who have decided while others have not; copied by the game's `clone`."""

    def __init__(self, rules: AnyGame, state: Any, chosen: dict[Seat, Any]) -> None:
        self.rules, self.state, self.chosen = rules, state, chosen
        self.options: dict[Seat, Sequence[Any]] = {}

    def __deepcopy__(self, _memory: object) -> _Held:
        return _Held(self.rules, None if self.state is None else self.rules.clone(self.state), dict(self.chosen))

    def to_move(self) -> Seat | None:
        """Return the first seat that has not decided; None after the end."""
        for decision in self.rules.pending(self.state):
            if decision.seat not in self.chosen:
                return decision.seat
        return None

    def listed(self, seat: Seat) -> Sequence[Any]:
        """Return what a seat may choose."""
        if seat not in self.options:
            self.options[seat] = self.rules.legal_actions(self.state, seat)
        return self.options[seat]

    def choose(self, seat: Seat, place: int) -> None:
        """Take a seat's choice, and play on when it was the last one."""
        self.chosen[seat] = self.listed(seat)[place]
        if len(self.chosen) == len(self.rules.pending(self.state)):
            self.rules.apply_checked(self.state, self.chosen)
            self.chosen, self.options = {}, {}


class ArenaState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A position of a game of the arena's."""

    def __init__(self, game: ArenaGame) -> None:
        super().__init__(game)
        self.held = _Held(game.rules, None, {})
        self.seats = game.seats

    def current_player(self) -> int:
        """Return who decides now."""
        if self.held.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.held.to_move()
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.held.state is not None and self.held.to_move() is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every seed, all equally likely."""
        seeds = self.get_game().seeds
        return [(seed, 1 / seeds) for seed in range(seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.held.listed(player))))

    def _apply_action(self, action: int) -> None:
        if self.held.state is None:
            self.start(action)
        else:
            self.held.choose(self.current_player(), action)

    def start(self, seed: int) -> None:
        """Begin the match of a seed."""
        game = self.get_game()
        self.held.state = game.rules.new(game.seats, seed, game.chosen_options)

    def stand_at(self, state: Any, before: Seat) -> None:
        """Stand at a position that a bot has imagined, with this seat to decide.

        Seats before it that are asked at the same moment take their first option; resampling chooses for them again.
        """
        self.held = _Held(self.held.rules, state, {})
        while (seat := self.held.to_move()) is not None and seat != before:
            self.held.chosen[seat] = self.held.listed(seat)[0]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        return self.held.rules.describe(self.held.listed(player)[action])

    def returns(self) -> list[float]:
        """Return everybody's share of the pairs won, from -1 to 1; they add up to zero."""
        outcome = None if self.held.state is None else self.held.rules.outcome(self.held.state)
        return [0.0] * self.seats if outcome is None else utilities(outcome.ranks)

    def information_state_string(self, player: int | None = None) -> str:
        """Return a seat's view as a fingerprint."""
        seat = self.current_player() if player is None else player
        return information(self.held.rules, self.held.state, seat)

    def observation_string(self, player: int | None = None) -> str:
        """Return the same: a view has all that a seat has seen."""
        return self.information_state_string(player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ArenaState:
        """Return a position that a seat cannot tell from this one, by the game's `imagine`.

        Its `history()` is still the real one; the algorithms do not look at it.
        """
        rules, rng = self.held.rules, Rng(int(sampler() * MAX_SEED))
        made: ArenaState = self.clone()
        made.held = _Held(rules, rules.imagine(rules.observe(self.held.state, player), player, rng), {})
        for seat in self.held.chosen:
            # It has decided, but its choice is hidden until all have.
            listed = made.held.listed(seat)
            made.held.chosen[seat] = self.held.chosen[seat] if seat == player else listed[rng.index(len(listed))]
        return made

    def __str__(self) -> str:
        if self.held.state is None:
            return "before the seed is drawn"
        return self.held.rules.text_board(self.held.rules.observe(self.held.state, None))


class _Observer:
    """Tells information states through OpenSpiel's interface for games written in Python."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: ArenaState, player: int) -> None:
        """Do nothing: there are no tensors; environments for learning have arrays of their own."""

    def string_from(self, state: ArenaState, player: int) -> str:
        """Return a seat's information state."""
        return state.information_state_string(player)


class Playouts(mcts.Evaluator):  # type: ignore[misc]  # OpenSpiel has no types
    """Values positions by the game's own playouts at random, which need no step of OpenSpiel's."""

    def __init__(self, rng: Rng, count: int = 1) -> None:
        self._rng, self._count = rng, count

    def evaluate(self, state: ArenaState) -> Any:
        """Return everybody's utility, on average over the playouts."""
        rules, total = state.held.rules, np.zeros(state.seats)
        for _ in range(self._count):
            held = copy.deepcopy(state.held)
            while held.chosen:  # let the others decide whose turn it is at the same time
                seat = held.to_move()
                assert seat is not None
                held.choose(seat, self._rng.index(len(held.listed(seat))))
            rules.playout(held.state, self._rng)
            outcome = rules.outcome(held.state)
            assert outcome is not None
            total += utilities(outcome.ranks)
        return total / self._count

    def prior(self, state: ArenaState) -> list[tuple[int, float]]:
        """Return all actions, equally likely."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def resampler(rng: Rng) -> Callable[[ArenaState, int], ArenaState]:
    """Return what an ISMCTSBot takes with `set_resampler`: its own is seeded by the clock."""

    def resample(state: ArenaState, player: int) -> ArenaState:
        made: ArenaState = state.resample_from_infostate(player, lambda: rng.next64() / 2**64)
        return made

    return resample


def utilities(ranks: Sequence[int]) -> list[float]:
    """Return everybody's share of the pairs won, from -1 to 1: they add up to zero."""
    others = len(ranks) - 1
    return [sum((other > own) - (other < own) for other in ranks) / others for own in ranks]


def information(rules: AnyGame, state: Any, seat: Seat) -> str:
    """Return a seat's view as a fingerprint."""
    message = codec_for(rules).view.encode(rules.observe(state, seat))
    return f"{seat}:{blake2b(message.SerializeToString(deterministic=True), digest_size=16).hexdigest()}"


def playable() -> list[str]:
    """Return the slugs of our games that OpenSpiel's ISMCTS can play: those that can imagine."""
    return [slug for slug in GAMES if not slug.startswith("spiel_") and can_imagine(GAMES[slug])]
