"""What the heuristic counts with: every constant by name, with its default and its range, in victory points."""

from __future__ import annotations

from collections.abc import Mapping

from referee.heuristic import Weight, filled_in
from referee.rows import Float, Struct

WEIGHTS = {
    # what a citizen does as he is hired
    "thief": Weight(1.3, 0.2, 8.0),
    "guard": Weight(0.2, 0.02, 3.0),
    "pedlar": Weight(1.0, 0.1, 6.0),
    "mayor": Weight(0.3, 0.03, 3.0),
    # artisans: the points of a guild, shared by a power of their value, and how they are diluted by others to come
    "guild": Weight(9.0, 2.0, 30.0),
    "share_power": Weight(1.5, 0.8, 3.0),
    "unhired": Weight(8.0, 1.0, 40.0),
    "unhired_each_round": Weight(14.0, 2.0, 60.0),
    "all_types": Weight(5.0, 0.5, 20.0),
    "blazons": Weight(1.0, 0.3, 3.0),  # a factor
    # talers and goods, and in the last round
    "taler": Weight(0.15, 0.03, 0.8),
    "last_taler": Weight(0.1, 0.02, 0.6),
    "taxed_taler": Weight(0.1, 0.01, 0.5),
    "good": Weight(0.55, 0.1, 2.5),
    "last_good": Weight(0.3, 0.03, 1.5),
    "surplus": Weight(0.5, 0.05, 1.0),  # of a good's worth, for those beyond three of a kind
    # agents
    "agent": Weight(0.9, 0.2, 4.0),
    "agent_now": Weight(0.3, 0.03, 2.0),
    # most goods of a type win its master and a blazon
    "prize": Weight(0.5, 0.05, 4.0),
    "prize_value": Weight(0.3, 0.05, 2.0),
    "prize_blazon": Weight(1.2, 0.1, 6.0),
    "prize_house": Weight(1.5, 0.1, 8.0),
    "last_prize": Weight(1.0, 0.1, 6.0),
    "contest": Weight(1.0, 0.2, 5.0),  # how much one good decides of it
    # citizens in front of a seat
    "nobleman": Weight(1.0, 0.3, 3.0),
    "tax_collector": Weight(0.6, 0.05, 4.0),
    "foreman": Weight(1.0, 0.3, 3.0),
    "foreman_each_round": Weight(0.5, 0.05, 3.0),
    "apprentice": Weight(2.0, 0.2, 8.0),
    "musician": Weight(0.15, 0.02, 1.0),
    # decisions
    "agent_sent": Weight(0.5, 0.05, 4.0),  # the cost of every agent sent out with another
    "theft": Weight(0.3, 0.02, 1.5),  # what a victim loses, for us
    "store_prize": Weight(1.0, 0.1, 4.0),
    "store_value": Weight(0.1, 0.01, 1.0),
    "move_first": Weight(0.1, 0.01, 2.0),
    "swap_cost": Weight(0.1, 0.01, 2.0),  # a swap helps whoever comes next as much as us
}


class Weights(Struct):
    """The constants by name, for one seat."""

    thief: Float
    guard: Float
    pedlar: Float
    mayor: Float
    guild: Float
    share_power: Float
    unhired: Float
    unhired_each_round: Float
    all_types: Float
    blazons: Float
    taler: Float
    last_taler: Float
    taxed_taler: Float
    good: Float
    last_good: Float
    surplus: Float
    agent: Float
    agent_now: Float
    prize: Float
    prize_value: Float
    prize_blazon: Float
    prize_house: Float
    last_prize: Float
    contest: Float
    nobleman: Float
    tax_collector: Float
    foreman: Float
    foreman_each_round: Float
    apprentice: Float
    musician: Float
    agent_sent: Float
    theft: Float
    store_prize: Float
    store_value: Float
    move_first: Float
    swap_cost: Float


def weigh(values: Mapping[str, float]) -> Weights:
    """Return the weights with these values, and the defaults of the others."""
    return Weights(**filled_in(WEIGHTS, values))


DEFAULTS = weigh({})
