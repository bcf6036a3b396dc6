"""The prestige guild: which guild holds the prestige blazon of a round (B2.9, B8.13)."""

from __future__ import annotations

from referee.games.norenberc.state import State, price


def name_prestige_guild(state: State) -> None:
    """B8.13: the guild with the highest master, not the last prestige guild; among equals the lowest number.

    B2.9: in round 1 no guild is excluded. One prestige blazon goes from the stock to the guild.
    """
    candidates = [house for house in range(state.houses) if house != state.prestige_house]
    state.prestige_house = max(candidates, key=lambda house: price(state, house))  # the first of equals
    state.prestige_stock -= 1
    state.prestige_placed = 1
