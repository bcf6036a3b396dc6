"""What the heuristic counts with: every constant by name, with its default and its range, in points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from referee.games.carcassonne_city.components import FOLLOWERS
from referee.heuristic import Weight, filled_in
from referee.rows import Doubles, Float, Struct

AT_HAND = {  # what each further follower at hand is worth, with all tiles to come
    "follower_1": Weight(5.0, 0.5, 15.0),
    "follower_2": Weight(3.5, 0.3, 12.0),
    "follower_3": Weight(2.5, 0.2, 10.0),
    "follower_4": Weight(2.0, 0.1, 8.0),
    "follower_5": Weight(1.5, 0.1, 7.0),
    "follower_6": Weight(1.0, 0.05, 6.0),
    "follower_7": Weight(0.5, 0.02, 5.0),
}
WEIGHTS = {
    **AT_HAND,
    "envy": Weight(0.5, 0.05, 1.2),  # how much the points of the best opponent count against ours
    "residence": Weight(1.6, 0.5, 5.0),  # how much longer a resident is absent than others: he never comes home
    "street_growth": Weight(1.5, 0.1, 6.0),  # for every open side
    "market_growth": Weight(1.5, 0.1, 6.0),  # likewise, and for every kind of market
    "area": Weight(1.0, 0.3, 3.0),  # a factor
    "guard": Weight(1.0, 0.3, 3.0),  # likewise
    "home": Weight(1.0, 0.1, 3.0),  # likewise, of followers about to come home
}


class Weights(Struct):
    """The constants by name, for one seat, and what follows from them."""

    follower_1: Float
    follower_2: Float
    follower_3: Float
    follower_4: Float
    follower_5: Float
    follower_6: Float
    follower_7: Float
    envy: Float
    residence: Float
    street_growth: Float
    market_growth: Float
    area: Float
    guard: Float
    home: Float
    at_hand: Annotated[Doubles, FOLLOWERS + 1]  # what the followers at hand are worth, by their number


def weigh(values: Mapping[str, float]) -> Weights:
    """Return the weights with these values, and the defaults of the others."""
    own = filled_in(WEIGHTS, values)
    weights = Weights(**own)
    worth = 0.0
    for number, name in enumerate(AT_HAND):
        worth += own[name]
        weights.at_hand[number + 1] = worth
    return weights


DEFAULTS = weigh({})
