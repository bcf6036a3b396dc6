"""OpenSpiel's games as objects: loaded by name and parameters, with what can be asked of each."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyspiel

from referee.game import Seat

Information, Chance, Dynamics = pyspiel.GameType.Information, pyspiel.GameType.ChanceMode, pyspiel.GameType.Dynamics

# Games of other standard parameters, under names of their own, because seats know other things in them.
VARIANTS = {
    "bridge_play": "bridge(use_double_dummy_result=False)",
    "goofspiel_imp_info": "goofspiel(imp_info=True)",
    "texas_holdem": (
        "universal_poker(numPlayers={seats},numRounds=4,numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,blind={blinds},firstPlayer={first},stack={stacks})"
    ),
}
VARIANT_TITLES = {
    "bridge_play": "Contract Bridge with the play of the cards",
    "goofspiel_imp_info": "Goofspiel with hidden bids",
    "texas_holdem": "No-limit Texas hold'em",
}
PROBE_SECONDS, PROBE_BYTES = 20, 4 << 30
PROBE = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({PROBE_SECONDS}, {PROBE_SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({PROBE_BYTES}, {PROBE_BYTES}))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import pyspiel
try:
    state = pyspiel.load_game(sys.argv[1]).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    str(state), state.legal_actions()
except Exception as error:
    print(" ".join(str(error).split()) or type(error).__name__)
    sys.exit(1)
if state.is_terminal():
    print("the game is over before anybody has moved")
    sys.exit(1)
"""
BLINDS, STACK = (50, 100), 20_000


def full_name(name: str, seats: int, parameters: str = "") -> str:
    """Return a game for a number of seats as OpenSpiel loads it."""
    base, _, inside = VARIANTS.get(name, name).partition("(")
    # Heads-up, the button posts the small blind and acts first before the flop and last after it.
    blinds = (*BLINDS, *[0] * (seats - 2)) if seats > 2 else BLINDS[::-1]
    first = (3, 1, 1, 1) if seats > 2 else (2, 1, 1, 1)
    numbers = {"blinds": blinds, "first": first, "stacks": (STACK,) * seats}
    words = {key: " ".join(map(str, value)) for key, value in numbers.items()}
    parts = [inside.removesuffix(")").format(seats=seats, **words)] if inside else []
    if "players" in kind_of(name).parameter_specification:
        parts.append(f"players={seats}")
    if parameters:
        parts.append(parameters)
    return f"{base}({','.join(parts)})"


def kind_of(name: str) -> Any:
    """Return OpenSpiel's description of a game; a KeyError says that it has none of this name."""
    return _kinds()[VARIANTS.get(name, name).partition("(")[0]]


@cache
def _kinds() -> dict[str, Any]:
    return {kind.short_name: kind for kind in pyspiel.registered_games()}


def names() -> list[str]:
    """Return the names of all games, variants included."""
    return sorted({*_kinds(), *VARIANTS})


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change in a match."""

    name: str
    """The game with its parameters, as OpenSpiel loads it."""
    game: Any
    is_open: bool
    """Whether nothing is hidden; choices made together are seen as soon as all are made."""
    text_of: Callable[[Any, Seat], str]
    """What a seat knows in a state, in OpenSpiel's words."""
    public: Any
    """An observer of what everybody sees; None if OpenSpiel has none."""


@cache
def fault_of(name: str) -> str:
    """Return why a game with parameters cannot be played, found out by a process of its own; empty if it can.

    Some parameters crash OpenSpiel, and with it the process that checks a tournament.
    """
    run = subprocess.run(
        [sys.executable, "-c", PROBE, name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
    )
    if run.returncode < 0:
        return f"OpenSpiel crashes, or needs more than {PROBE_SECONDS} s or {PROBE_BYTES >> 30} GiB, with {name}"
    return (run.stdout.strip() or f"code {run.returncode}") if run.returncode else ""


def tried(name: str, parameters: str) -> Setting:
    """Load a game that may have parameters, which are tried first; a ValueError says why they are refused."""
    if parameters and (fault := fault_of(name)):
        raise ValueError(f"parameters: {fault}")
    return setting_of(name)


@cache
def setting_of(name: str) -> Setting:
    """Load a game by its name with parameters; a ValueError says what OpenSpiel has against it."""
    try:
        game = pyspiel.load_game(name)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        raise ValueError(f"parameters: {' '.join(str(error).split())}") from None
    kind = game.get_type()
    is_open = is_open_kind(kind)
    has_all = kind.provides_information_state_string and not (is_open and kind.provides_observation_string)
    return Setting(name, game, is_open, _information if has_all else _observation, None if is_open else _public(game))


def is_open_kind(kind: Any) -> bool:
    """Return whether all is seen by everybody, by OpenSpiel's declaration."""
    return kind.information in (Information.PERFECT_INFORMATION, Information.ONE_SHOT)


def _information(spiel: Any, seat: Seat) -> str:
    """What a seat knows and has known: perfect recall."""
    return str(spiel.information_state_string(seat))


def _observation(spiel: Any, seat: Seat) -> str:
    """What a seat sees now."""
    return str(spiel.observation_string(seat))


def _public(game: Any) -> Any:
    """Return an observer of what everybody sees."""
    kind = pyspiel.IIGObservationType(public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    try:
        observer = game.make_observer(kind, {})
        if observer is None:  # passed on, it would crash the process
            return None
        observation = pyspiel._Observation(game, observer)
    except (pyspiel.SpielError, RuntimeError):
        return None
    return observation if observation.has_string() else None


def public_text(setting: Setting, spiel: Any) -> str:
    """Return what everybody sees, in OpenSpiel's words; empty if it has none."""
    if setting.is_open:
        return str(spiel)
    if setting.public is None:
        return ""
    setting.public.set_from(spiel, 0)
    return setting.public.string_from(spiel, 0) or ""


def asked(spiel: Any) -> tuple[Seat, ...]:
    """Return who decides now."""
    if spiel.is_terminal():
        return ()
    if spiel.is_simultaneous_node():
        return tuple([seat for seat in range(spiel.num_players()) if spiel.legal_actions(seat)])
    return (spiel.current_player(),)


def replayed(setting: Setting, history: Sequence[int]) -> Any:
    """Return the state that a history leads to, or None if one of its actions is illegal on the way."""
    spiel, at, players = setting.game.new_initial_state(), 0, setting.game.num_players()
    try:
        while at < len(history):
            if spiel.is_terminal():
                return None
            if spiel.is_simultaneous_node():
                together = history[at : at + players]
                for seat, action in enumerate(together):
                    if action not in (spiel.legal_actions(seat) or (pyspiel.INVALID_ACTION, 0)):
                        return None
                spiel.apply_actions(together)
                at += players
            elif history[at] in spiel.legal_actions():
                spiel.apply_action(history[at])
                at += 1
            else:
                return None
    except (pyspiel.SpielError, RuntimeError):
        return None
    return spiel


def followed(setting: Setting, history: Sequence[int]) -> Any:
    """Return the state that a history leads to which is known to be legal."""
    spiel, at, players = setting.game.new_initial_state(), 0, setting.game.num_players()
    while at < len(history):
        if spiel.is_simultaneous_node():
            spiel.apply_actions(history[at : at + players])
            at += players
        else:
            spiel.apply_action(history[at])
            at += 1
    return spiel
