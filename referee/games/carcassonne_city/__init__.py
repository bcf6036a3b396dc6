"""Carcassonne: The City (Die Stadt) by Klaus-Jürgen Wrede; the rules are in docs/rules/carcassonne_city.md."""

from referee.games.carcassonne_city.game import GAME

__all__ = ["GAME"]
