"""Carcassonne: The City, greedily: lay the tile, and post the follower, after which the own points look best.

Whatever stands on a street or market is scored at the end at the latest (C11.6), so a follower is sure of his points;
the question is only whether they are worth his absence. A residential area counts only what touches it now: residents
never come home, and a player who posts them early is short of followers. Points of the others count against us, at a
discount.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city.codes import (
    BUILD_WALL,
    PLACE_FOLLOWER,
    PLACE_GATE,
    PLACE_TILE,
    POST_GUARD,
    Choice,
    actions_in,
    argument_of,
    code_for,
    kind_of_choice,
)
from referee.games.carcassonne_city.components import FeatureKind
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.followers import chosen_node
from referee.games.carcassonne_city.increments import rate_guard, rate_pieces, rate_places, try_all
from referee.games.carcassonne_city.promises import absence, feature_points, worths
from referee.games.carcassonne_city.state import State, clone
from referee.games.carcassonne_city.steps import ASK_FOLLOWER, kind_of_step
from referee.games.carcassonne_city.tiles import RESIDENTIAL
from referee.games.carcassonne_city.turns import list_options, play_on, resolve
from referee.games.carcassonne_city.weights import DEFAULTS, WEIGHTS, Weights, weigh
from referee.heuristic import Heuristic
from referee.rows import Doubles, Events, Float, Int, Listing, listed

MAX_RATED = 2048  # room for the options of a decision


def rate(state: State, seat: int, options: Sequence[Any], weights: Weights | None = None) -> list[float]:
    """Return how every option leaves us against the best opponent; the highest is played."""
    listing = Listing()
    for option in options:
        listing.add(code_for(option))
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    rate_listing(state, seat, listing, ratings, DEFAULTS if weights is None else weights)
    return listed(ratings, 0, listing.count)


def rate_codes(state: State, seat: int, options: Sequence[int], weights: Weights | None = None) -> list[float]:
    """Return how every option, given as codes, leaves us against the best opponent."""
    listing = Listing()
    for option in options:
        listing.add(option)
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    rate_listing(state, seat, listing, ratings, DEFAULTS if weights is None else weights)
    return listed(ratings, 0, listing.count)


def rate_listing(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Fill in how every option of a listing leaves us against the best opponent."""
    first = kind_of_choice(Choice(listing.codes[0]))
    if first == PLACE_TILE:
        rate_places(state, seat, listing, ratings, weights)
    elif first in (PLACE_GATE, BUILD_WALL):
        rate_pieces(state, seat, listing, ratings, weights)
    elif is_offered(listing, PLACE_FOLLOWER):
        for place in range(listing.count):
            ratings[place] = gain_of(state, seat, Choice(listing.codes[place]), weights)
    elif is_offered(listing, POST_GUARD):
        rate_guard(state, seat, listing, ratings, weights)
    else:
        try_all(state, seat, listing, ratings, weights)


def is_offered(listing: Listing, kind: Int) -> bool:
    """Return whether one of the options is of a kind."""
    found = 0
    for place in range(listing.count):
        found += 1 if kind_of_choice(Choice(listing.codes[place])) == kind else 0
    return found > 0


def gain_of(state: State, seat: Int, choice: Choice, weights: Weights) -> Float:
    """Return what a follower on a feature of the tile just laid brings, less what he is worth at hand."""
    if kind_of_choice(choice) != PLACE_FOLLOWER:
        return 0.0
    stays = weights.residence if argument_of(choice) & 3 == RESIDENTIAL else 1.0
    points = feature_points(state, find(state, chosen_node(state, choice)), weights)
    return points - absence(state, seat, stays, weights)


def quick_followers(state: State, seat: int) -> list[act.Action]:
    """Return the places for a follower on the tile just laid, but for the areas, which take long to rate."""
    count: Int = state.agenda_count
    if not count or kind_of_step(state.agenda[count - 1]) != ASK_FOLLOWER or state.active != seat:
        return [act.DECLINE]
    listing = Listing()
    list_options(state, listing)
    return [
        option
        for option in actions_in(listing)
        if not (isinstance(option, act.PlaceFollower) and option.kind is FeatureKind.RESIDENTIAL)
    ]


def follower_gain(state: State, seat: int, option: act.Action, weights: Weights | None = None) -> float:
    """Return what a follower on a feature of the tile just laid brings, as `gain_of` has it."""
    return gain_of(state, seat, Choice(code_for(option)), DEFAULTS if weights is None else weights)


def settle(
    state: State, choices: Mapping[int, Any], seat: int, later: Sequence[Mapping[int, Any]],
    weights: Weights | None = None,
) -> State:  # fmt: skip
    """T21.3: the position after a choice; after a tile, with the follower that the seat would post on it."""
    after = clone(state)
    events = Events()
    resolve(after, Choice(code_for(choices[seat])), events)
    play_on(after, events)
    if isinstance(choices[seat], act.PlaceTile):
        followers = quick_followers(after, seat)
        if len(followers) > 1:
            gains = [follower_gain(after, seat, option, weights) for option in followers]
            events.count = 0
            resolve(after, Choice(code_for(followers[gains.index(max(gains))])), events)
            play_on(after, events)
    return after


def weighted(values: Mapping[str, float]) -> Heuristic:
    """Return the heuristic with other weights."""
    own = weigh(values)
    return Heuristic(
        partial(rate, weights=own), partial(worths, weights=own), settle=partial(settle, weights=own),
        rate_codes=partial(rate_codes, weights=own), weights=WEIGHTS, weighted=weighted, own_weights=own,
    )  # fmt: skip


HEURISTIC = Heuristic(
    rate, worths, settle=settle, rate_codes=rate_codes, weights=WEIGHTS, weighted=weighted, own_weights=DEFAULTS
)
