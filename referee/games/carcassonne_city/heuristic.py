"""Carcassonne: The City, greedily: lay the tile, and post the follower, after which the own points look best.

Whatever stands on a street or market is scored at the end at the latest (C11.6), so a follower is sure of his points;
the question is only whether they are worth his absence. A residential area counts only what touches it now: residents
never come home, and a player who posts them early is short of followers. Points of the others count against us, at a
discount.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city.components import PART_KINDS, STRIDE, FeatureKind
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.increments import rate_guard, rate_pieces, rate_places, tried_all
from referee.games.carcassonne_city.promises import absence, feature_points, worths
from referee.games.carcassonne_city.state import State
from referee.games.carcassonne_city.steps import AskFollower
from referee.heuristic import Heuristic

RESIDENCE = 1.6  # how much longer a resident is absent than others: he never comes home


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return how every option leaves us against the best opponent; the highest is played."""
    match options[0]:
        case act.PlaceTile():
            return rate_places(state, seat, options)
        case act.PlaceGate() | act.BuildWall():
            return rate_pieces(state, seat, options)
    if any(isinstance(option, act.PlaceFollower) for option in options):
        return [follower_gain(state, seat, option) for option in options]
    if any(isinstance(option, act.PostGuard) for option in options):
        return rate_guard(state, seat, options)
    return tried_all(state, seat, options)


def quick_followers(state: State, seat: int) -> list[act.Action]:
    """Return the places for a follower on the tile just laid, but for the areas, which take long to rate."""
    if not state.agenda.steps or not isinstance(state.agenda.now(), AskFollower) or state.active != seat:
        return [act.DECLINE]
    options = GAME.legal_actions(state, seat)
    return [
        option
        for option in options
        if not (isinstance(option, act.PlaceFollower) and option.kind is FeatureKind.RESIDENTIAL)
    ]


def follower_gain(state: State, seat: int, option: act.Action) -> float:
    """Return what a follower on a feature of the tile just laid brings, less what he is worth at hand."""
    if not isinstance(option, act.PlaceFollower):
        return 0.0
    number = len(state.board.tiles) - 1
    tile = state.board.tiles[number]
    part = act.PLACE_FOLLOWER[tile].index(option)
    root = find(state.features.parents, STRIDE * number + part)
    stays = RESIDENCE if PART_KINDS[tile][part] is FeatureKind.RESIDENTIAL else 1.0
    return feature_points(state, root) - absence(state, seat, stays)


def settle(state: State, choices: Mapping[int, Any], seat: int, later: Sequence[Mapping[int, Any]]) -> State:
    """T21.3: the position after a choice; after a tile, with the follower that the seat would post on it."""
    after = GAME.clone(state)
    GAME.apply_checked(after, choices)
    if isinstance(choices[seat], act.PlaceTile):
        followers = quick_followers(after, seat)
        if len(followers) > 1:
            gains = [follower_gain(after, seat, option) for option in followers]
            GAME.apply_checked(after, {seat: followers[gains.index(max(gains))]})
    return after


HEURISTIC = Heuristic(rate, worths, settle=settle)
