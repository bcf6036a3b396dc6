"""The prestige guild: which guild holds the prestige blazon of a round (B2.9, B8.13)."""

from __future__ import annotations

from referee.games.norenberc.state import State, price
from referee.rows import Int


def name_prestige_guild(state: State) -> None:
    """B8.13: the guild with the highest master, not the last prestige guild; among equals the lowest number.

    B2.9: in round 1 no guild is excluded. One prestige blazon goes from the stock to the guild.
    """
    state.prestige_house = highest_master(state, state.prestige_house)
    state.prestige_stock -= 1
    state.prestige_placed = 1


def highest_master(state: State, excluded: Int) -> Int:
    """B8.13: the house whose master has the highest value, the first of equals."""
    best = -1
    for house in range(state.houses):
        if house != excluded and (best < 0 or price(state, house) > price(state, best)):
            best = house
    return best
