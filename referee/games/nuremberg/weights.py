"""What the heuristic counts with: every constant by name, with its default and its range, in victory points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from referee.games.nuremberg.components import COMMODITY_COUNT, HAND_LIMIT, RESOURCE_COUNT
from referee.heuristic import Weight, filled_in
from referee.rows import Doubles, Float, Struct

FADING_STEPS = 2 * COMMODITY_COUNT * HAND_LIMIT  # halves of a card that can be missing, and none
MAX_MISSING = FADING_STEPS - 1
WEIGHTS = {
    # what a position is worth beside its points
    "prestige": Weight(0.15, 0.02, 0.6),
    "harvest": Weight(2.0, 0.3, 8.0),  # of a card in an average turn
    # a hand promises a part of the best thing that it nearly pays for, some of the next, and a little for each card
    "hope": Weight(0.8, 0.3, 1.5),
    "fading": Weight(0.68, 0.2, 0.95),  # of it remains for every card that is missing; a coin counts as half a card
    "second_hope": Weight(0.4, 0.05, 1.0),
    "card": Weight(0.06, 0.005, 0.3),
    "coin": Weight(0.035, 0.003, 0.2),
    # things to build
    "settlement": Weight(1.2, 0.3, 5.0),
    "settlement_yield": Weight(3.0, 0.5, 20.0),  # of a card in an average turn
    "workshop_wish": Weight(1.6, 0.3, 6.0),
    "workshop": Weight(1.4, 0.3, 6.0),
    "workshop_ware": Weight(0.2, 0.02, 2.0),  # for every ware it doubles
    "workshop_yard": Weight(0.2, 0.02, 2.0),
    "first_card": Weight(1.3, 0.2, 5.0),  # a chip on the way to the first council card
    "overtaking": Weight(1.0, 0.1, 4.0),  # a chip that brings a better one soon
    "behind": Weight(0.6, 0.05, 3.0),  # the same, later
    "leading": Weight(0.5, 0.05, 3.0),  # a chip that can only defend
    "surplus_chip": Weight(0.05, 0.005, 1.0),
    "tower": Weight(2.0, 0.5, 5.0),  # in chips
    "wayright": Weight(1.3, 0.2, 5.0),  # a bar that wins it
    "new_road": Weight(0.8, 0.1, 4.0),  # a bar for a seat that has nowhere to settle
    "level_bar": Weight(0.4, 0.03, 3.0),  # a bar that draws level
    # trades: what they must bring beyond doing without, since they help an opponent too
    "favour": Weight(0.3, 0.02, 1.5),
    "counter": Weight(0.4, 0.05, 1.0),  # of the gain of a counter, which is seldom taken
    "proposal_gain": Weight(0.1, 0.005, 1.0),  # the least
    "proposal_cost": Weight(0.1, 0.005, 1.0),
    "reply_cost": Weight(0.1, 0.005, 1.0),
    "bank_cost": Weight(0.1, 0.005, 1.0),
    "sale_cost": Weight(0.05, 0.003, 1.0),
    # settlements placed in the advanced set-up: near what fits 500 matches from random placements best; of the weights
    # near the fit these leave no place in the turn order far behind
    "wood": Weight(1.0, 0.3, 3.0),
    "wool": Weight(0.45, 0.1, 2.0),
    "grain": Weight(0.75, 0.2, 2.0),
    "brick": Weight(0.63, 0.2, 2.0),
    "ore": Weight(0.44, 0.1, 2.0),
    "variety": Weight(0.6, 0.2, 1.0),  # the power of the harvests of one kind
}


class Weights(Struct):
    """The constants by name, for one seat, and what follows from them."""

    prestige: Float
    harvest: Float
    hope: Float
    fading: Float
    second_hope: Float
    card: Float
    coin: Float
    settlement: Float
    settlement_yield: Float
    workshop_wish: Float
    workshop: Float
    workshop_ware: Float
    workshop_yard: Float
    first_card: Float
    overtaking: Float
    behind: Float
    leading: Float
    surplus_chip: Float
    tower: Float
    wayright: Float
    new_road: Float
    level_bar: Float
    favour: Float
    counter: Float
    proposal_gain: Float
    proposal_cost: Float
    reply_cost: Float
    bank_cost: Float
    sale_cost: Float
    wood: Float
    wool: Float
    grain: Float
    brick: Float
    ore: Float
    variety: Float
    promises: Annotated[Doubles, FADING_STEPS]  # how much of a thing's worth a hand promises, by what is missing
    kinds: Annotated[Doubles, RESOURCE_COUNT]  # of harvests, by resource


def weigh(values: Mapping[str, float]) -> Weights:
    """Return the weights with these values, and the defaults of the others."""
    own = filled_in(WEIGHTS, values)
    weights = Weights(**own)
    fading: Float = own["fading"]
    for halves in range(FADING_STEPS):
        weights.promises[halves] = fading ** (halves / 2)
    for kind, name in enumerate(("wood", "wool", "grain", "brick", "ore")):
        weights.kinds[kind] = own[name]
    return weights


DEFAULTS = weigh({})
