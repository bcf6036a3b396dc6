"""What the heuristic counts with: every constant by name, with its default and its range, in coins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from referee.games.furstenfeld.components import BARE_GROUND, COINS_OF, HARVEST_OF, Card
from referee.heuristic import Weight, filled_in
from referee.rows import Doubles, Float, Struct

HELPERS = {  # what a round with this building is worth
    "town_hall_1": (Card.TOWN_HALL_1, Weight(1.0, 0.1, 6.0)),
    "town_hall_2": (Card.TOWN_HALL_2, Weight(1.6, 0.1, 8.0)),
    "laboratory_1": (Card.LABORATORY_1, Weight(2.0, 0.2, 10.0)),
    "laboratory_2": (Card.LABORATORY_2, Weight(3.6, 0.4, 15.0)),
    "trading_office": (Card.TRADING_OFFICE, Weight(2.0, 0.2, 10.0)),
    "market": (Card.MARKET, Weight(0.7, 0.05, 5.0)),
    "crane": (Card.CRANE, Weight(2.0, 0.2, 10.0)),
    "warehouse": (Card.WAREHOUSE, Weight(0.5, 0.05, 5.0)),
    "magistrate": (Card.MAGISTRATE, Weight(0.3, 0.03, 4.0)),
    "tour_guide": (Card.TOUR_GUIDE, Weight(4.0, 0.4, 15.0)),
    "rag_collector": (Card.RAG_COLLECTOR, Weight(1.0, 0.1, 6.0)),
}
WEIGHTS = {
    "part": Weight(26.0, 8.0, 80.0),  # a part of the palace
    "unit": Weight(1.5, 0.4, 5.0),  # what a unit of a good brings on average
    "part_in_hand": Weight(0.25, 0.05, 1.0),  # of a part on the board
    **{name: weight for name, (_, weight) in HELPERS.items()},
    # the rounds to come: so many for every part that somebody still needs, and none after the last
    "rounds_per_part": Weight(1.3, 0.4, 4.0),
    "last_round": Weight(11.0, 5.0, 20.0),
    # how much of that a building lasts, by the lots that the palace leaves
    "lasting": Weight(0.4, 0.05, 1.0),
    "lasting_room": Weight(0.15, 0.01, 0.6),
    "build_cost": Weight(1.0, 0.05, 6.0),
    "exchange_cost": Weight(0.1, 0.01, 2.0),
    "kept": Weight(0.1, 0.01, 4.0),  # the least that a card in hand is worth
    "kept_cost": Weight(0.01, 0.001, 0.5),  # of its cost
}


class Weights(Struct):
    """The constants by name, for one seat, and what follows from them."""

    part: Float
    unit: Float
    part_in_hand: Float
    town_hall_1: Float
    town_hall_2: Float
    laboratory_1: Float
    laboratory_2: Float
    trading_office: Float
    market: Float
    crane: Float
    warehouse: Float
    magistrate: Float
    tour_guide: Float
    rag_collector: Float
    rounds_per_part: Float
    last_round: Float
    lasting: Float
    lasting_room: Float
    build_cost: Float
    exchange_cost: Float
    kept: Float
    kept_cost: Float
    earnings: Annotated[Doubles, BARE_GROUND + 1]  # by what a lot shows: what it earns in a round
    per_round: Annotated[Doubles, BARE_GROUND + 1]  # the same, and how it helps


def weigh(values: Mapping[str, float]) -> Weights:
    """Return the weights with these values, and the defaults of the others."""
    own = filled_in(WEIGHTS, values)
    help_of = {card.value: own[name] for name, (card, _) in HELPERS.items()}
    weights = Weights(**own)
    for shown in range(BARE_GROUND + 1):
        earned = own["unit"] * sum(HARVEST_OF[shown]) + COINS_OF[shown]
        weights.earnings[shown] = earned
        weights.per_round[shown] = earned + help_of.get(shown or BARE_GROUND, 0.0)
    return weights


DEFAULTS = weigh({})
