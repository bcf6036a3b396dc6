"""Norenberc: simultaneous plans, guilds called in order, and favourites at the end of each round."""

from referee.games.norenberc.game import GAME

__all__ = ["GAME"]
