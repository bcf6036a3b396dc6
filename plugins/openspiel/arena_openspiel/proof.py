"""The contract case of any of OpenSpiel's games, and what is found out about it by playing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any

import pyspiel
from arena_openspiel.game import Drawn, Ended, Event, Moved, Spiel, State, in_one_line, made_from
from arena_openspiel.listed import Listed
from arena_openspiel.setting import (
    VARIANT_TITLES,
    VARIANTS,
    Chance,
    Dynamics,
    Setting,
    asked,
    full_name,
    kind_of,
    replayed,
    setting_of,
)
from arena_openspiel.twins import twin

from referee.contract.case import Configuration, ContractCase
from referee.game import CannotImagineError, Seat
from referee.rng import Rng, seeded

MAX_SEATS = 5  # what the ratings hold
MATCHES = 8  # played at random to find out about a game
MAX_STATES = 40  # looked at in each
MAX_CHOICES = 5_000  # in a match
MAX_WORLD_MS = 5.0  # that a view may take for its world, on average
PATIENT = 200  # worlds before their average counts
ALTERNATIVES = 4  # of an action compared


class UnsuitableError(Exception):
    """A game does not fit the arena; the text says why."""


def suits(name: str) -> None:
    """Refuse a game that OpenSpiel declares in a way that does not fit the arena: an UnsuitableError says why."""
    kind = kind_of(name)
    if name not in VARIANTS and not kind.default_loadable:
        raise UnsuitableError("it has no standard form without parameters")
    if kind.dynamics == Dynamics.MEAN_FIELD:
        raise UnsuitableError("it is for a population, not for players")
    if kind.max_num_players < 2:
        raise UnsuitableError("it is for one player")
    if kind.utility == pyspiel.GameType.Utility.IDENTICAL:
        raise UnsuitableError("it is cooperative: all seats have the same score")
    if kind.chance_mode == Chance.SAMPLED_STOCHASTIC:
        raise UnsuitableError("it draws its chance itself, which could not be replayed")


def seats_of(name: str) -> tuple[int, int]:
    """Return the smallest and the largest table of a game."""
    kind = kind_of(name)
    if "{seats}" in VARIANTS.get(name, ""):
        return 2, MAX_SEATS
    if "players" in kind.parameter_specification:
        smallest, largest = max(2, kind.min_num_players), min(MAX_SEATS, kind.max_num_players)
    else:
        smallest = largest = pyspiel.load_game(VARIANTS.get(name, name)).num_players()
    if not 2 <= smallest <= largest <= MAX_SEATS:
        raise UnsuitableError(f"it seats {smallest}, and tables have two to {MAX_SEATS}")
    return smallest, largest


def found_out(name: str) -> Listed:
    """Return what can be said about a game, by OpenSpiel's word and by playing it at random.

    Whether it imagines is left open where something is hidden: `imagines` tries it.
    """
    suits(name)
    kind = kind_of(name)
    seats = seats_of(name)
    title = VARIANT_TITLES.get(name, kind.long_name)
    settings = [setting_of(full_name(name, number)) for number in sorted({seats[0], seats[1]})]
    is_open = all(setting.is_open for setting in settings)
    has_chance = kind.chance_mode != Chance.DETERMINISTIC
    if is_open:
        return Listed(title, seats, False, has_chance, True, True)
    public = all(_shows_moves(setting, spiel) for setting, spiel in _samples(settings))
    return Listed(title, seats, True, has_chance, False, public)


def _samples(settings: Sequence[Setting]) -> Iterator[tuple[Setting, Any]]:
    for setting in settings:
        for seed in range(MATCHES):
            for spiel in states_of(setting, seed):
                yield setting, spiel


def states_of(setting: Any, seed: int) -> list[Any]:
    """Return positions all over one match that is played at random, the last one included."""
    rng = seeded(seed)
    state = State(setting.name, setting.game.new_initial_state(), rng)
    listed: list[Any] = []
    spiel, made = state.spiel, 0
    while not spiel.is_terminal():
        if made > MAX_CHOICES:
            raise UnsuitableError(f"random play does not end within {MAX_CHOICES} choices")
        if spiel.is_chance_node():
            spiel.apply_action(drawn(spiel, rng))
            continue
        listed.append(spiel.clone())
        made += 1
        if spiel.is_simultaneous_node():
            chosen = [spiel.legal_actions(seat) or [pyspiel.INVALID_ACTION] for seat in range(spiel.num_players())]
            spiel.apply_actions([rng.choice(list(each)) for each in chosen])
        else:
            spiel.apply_action(rng.choice(list(spiel.legal_actions())))
    stride = max(1, -(-len(listed) // MAX_STATES))
    return [*listed[::stride], spiel.clone()]


def drawn(spiel: Any, rng: Rng) -> int:
    """Return one of the actions of chance, each equally likely: any position will do."""
    return int(rng.choice([action for action, probability in spiel.chance_outcomes() if probability > 0]))


def _shows_moves(setting: Any, spiel: Any) -> bool:
    """Return whether all seats could tell the choices of the seat that is asked from each other."""
    if spiel.is_terminal():
        return True
    if spiel.is_simultaneous_node():
        return False
    mover = spiel.current_player()
    actions = spiel.legal_actions()
    stride = max(1, len(actions) // ALTERNATIVES)
    after = [spiel.child(action) for action in actions[::stride]]
    for seat in range(spiel.num_players()):
        if seat != mover and len({setting.text_of(each, seat) for each in after}) < len(after):
            return False
    return True


def imagines(name: str) -> bool:
    """Return whether every view of a game with secrets can be imagined soon enough, and tells nothing it must not.

    OpenSpiel's resampling may crash the process.
    """
    seats = seats_of(name)
    game = made_from(name, Listed("", seats, True, True, True, False))
    asked_for, changed, spent = 0, 0, 0.0
    for setting, spiel in _samples([setting_of(full_name(name, number)) for number in sorted(set(seats))]):
        state = State(setting.name, spiel, seeded(1))
        for seat in range(0 if spiel.is_terminal() else spiel.num_players()):
            begun = process_time()
            view = game.observe(state, seat)
            try:
                world = game.imagine(view, seat, seeded(asked_for))
            except CannotImagineError:
                return False
            spent += process_time() - begun
            asked_for += 1
            if 1_000 * spent > max(asked_for, PATIENT) * MAX_WORLD_MS:
                return False
            other = State(setting.name, twin(setting, spiel, seat, seeded(asked_for)), seeded(1))
            if game.observe(world, seat) != view or game.observe(other, seat) != view:
                return False  # the view tells something of the real position, or the world is not the same
            changed += world.spiel.history() != spiel.history()
    return changed > 0


def check_invariants(state: State) -> None:
    """Assert that the position is what its history leads to."""
    if isinstance(state.spiel, Ended):
        return
    again = replayed(state.setting, state.spiel.history())
    assert again is not None
    assert asked(again) == asked(state.spiel)
    assert str(again) == str(state.spiel)
    if state.spiel.is_terminal():
        assert again.returns() == state.spiel.returns()


def scrambled(state: State, seat: Seat | None, rng: Rng) -> State:
    """Return a twin of a position that looks the same to a seat, with other chance to come."""
    return State(state.name, twin(state.setting, state.spiel, seat, rng), rng.fork("scrambled"))


class Story:
    """What a seat was told of a match, move by move; a position's own history must tell it the same."""

    def __init__(self, game: Spiel, seat: Seat) -> None:
        self._game, self._seat = game, seat
        self._heard: list[Event] = []

    def hear(self, event: Event) -> None:
        """Keep what the seat was told."""
        self._heard.append(event)

    def check(self, state: State) -> None:
        """Assert that the moves of this position would have been told alike."""
        if not isinstance(state.spiel, Ended):
            assert list(self._told(state)) == self._heard

    def _told(self, state: State) -> Iterator[Event]:
        """Yield what the seat would have been told since the first decision."""
        setting, history = state.setting, state.spiel.history()
        spiel, at, begun = setting.game.new_initial_state(), 0, False
        while at < len(history):
            if spiel.is_chance_node():
                if begun and setting.is_open:
                    yield Drawn(in_one_line(spiel.action_to_string(-1, history[at])))
                spiel.apply_action(history[at])
                at += 1
                continue
            begun, seats = True, asked(spiel)
            made = history[at : at + spiel.num_players()] if spiel.is_simultaneous_node() else [history[at]]
            for seat in seats:
                action = made[seat] if spiel.is_simultaneous_node() else made[0]
                event = Moved(seat, in_one_line(spiel.action_to_string(seat, action)))
                yield self._game.witness(event, self._seat)
            spiel.apply_actions(made) if spiel.is_simultaneous_node() else spiel.apply_action(made[0])
            at += len(made)


def case_of(game: Spiel, *, unproven: bool = False) -> ContractCase:
    """Return the contract case of a game, at its smallest, its usual and its largest table."""
    sizes = sorted({game.table_sizes[0], game.preferred_seats, game.table_sizes[-1]})
    options = {"unproven": True} if unproven else {}
    name = game.slug.removeprefix("spiel_")
    longest = max(pyspiel.load_game(full_name(name, seats)).max_game_length() for seats in sizes)
    return ContractCase(
        game=game,
        configurations=tuple(Configuration(seats, options) for seats in sizes),
        max_choices=lambda seats: longest * seats,
        check_invariants=check_invariants,
        scramble=scrambled,
        remember=lambda view, seat: Story(game, seat),
    )
