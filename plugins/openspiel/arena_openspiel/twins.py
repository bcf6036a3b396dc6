"""Twins: positions that a seat cannot tell from the real one, found by changing its history at random.

They are made without OpenSpiel's resampling, so that they test it: what a view tells of the real position beyond the
seat's knowledge differs in a twin.
"""

from __future__ import annotations

from typing import Any

import pyspiel
from arena_openspiel.setting import Setting, asked, public_text, replayed

from referee.game import Seat
from referee.rng import Rng

MAX_TRIED = 300  # changes of a history
ENOUGH = 6  # of them that the seat does not see
CANDIDATES = 64  # outcomes looked at where chance has more than that: few of a thousand deals look the same


def twin(setting: Setting, spiel: Any, seat: Seat | None, rng: Rng) -> Any:
    """Return a position with another history that looks the same to a seat; the same one where none is found."""
    if setting.is_open:
        return spiel.clone()
    known = _known(setting, spiel, seat)
    history, found, made = list(spiel.history()), spiel.clone(), 0
    movers = _movers(setting, history)
    for _ in range(MAX_TRIED if len(history) > 1 else 0):
        changed = _changed(setting, history, movers, seat, rng)
        if changed is None or changed == history:
            continue
        world = replayed(setting, changed)
        if world is None or _known(setting, world, seat) != known:
            continue
        history, found, made = changed, world, made + 1
        movers = _movers(setting, history)
        if made == ENOUGH:
            break
    return found


def _known(setting: Setting, spiel: Any, seat: Seat | None) -> tuple[object, ...]:
    """Return what a seat knows of a position, and what everybody knows: whose turn it is, and the final scores."""
    text = public_text(setting, spiel) if seat is None else setting.text_of(spiel, seat)
    options = spiel.legal_actions(seat) if seat in asked(spiel) else []
    scores = spiel.returns() if spiel.is_terminal() else None
    return text, asked(spiel), spiel.is_chance_node(), options, scores


def _movers(setting: Setting, history: list[int]) -> list[int]:
    """Return who made each entry of a history: a seat, or -1 for chance."""
    spiel, players = setting.game.new_initial_state(), setting.game.num_players()
    movers: list[int] = []
    while len(movers) < len(history):
        at = len(movers)
        if spiel.is_simultaneous_node():
            spiel.apply_actions(history[at : at + players])
            movers += range(players)
        else:
            movers.append(-1 if spiel.is_chance_node() else spiel.current_player())
            spiel.apply_action(history[at])
    return movers


def _changed(setting: Setting, history: list[int], movers: list[int], seat: Seat | None, rng: Rng) -> list[int] | None:
    """Return a history with two entries of one mover exchanged, or with one replaced, or None."""
    places = [place for place, mover in enumerate(movers) if mover != seat or mover < 0]
    if not places:
        return None
    first = rng.choice(places)
    changed = history[:]
    if rng.index(3):
        others = [place for place in places if movers[place] == movers[first]]
        second = rng.choice(others)
        changed[first], changed[second] = changed[second], changed[first]
        return changed
    before = replayed(setting, history[:first]) if not _is_together(setting, history, first) else None
    if before is None:
        other = rng.index(setting.game.num_distinct_actions())
        changed[first] = other
        return changed
    changed[first] = _alike(setting, before, history[first], seat, rng)
    return changed


def _alike(setting: Setting, before: Any, action: int, seat: Seat | None, rng: Rng) -> int:
    """Return some legal action; among very many outcomes of chance, one that the seat takes for this one, if found."""
    actions: list[int] = before.legal_actions()
    if before.is_chance_node() and len(actions) > CANDIDATES:
        known = _known(setting, before.child(action), seat)
        for _ in range(CANDIDATES):
            other = rng.choice(actions)
            if other != action and _known(setting, before.child(other), seat) == known:
                return other
    return rng.choice(actions)


def _is_together(setting: Setting, history: list[int], place: int) -> bool:
    """Return whether an entry is one of several made together."""
    try:
        before = replayed(setting, history[:place])
    except (pyspiel.SpielError, RuntimeError):
        return True
    return before is None or bool(before.is_simultaneous_node())
