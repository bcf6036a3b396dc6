"""Carcassonne: The City (Die Stadt) by Klaus-Jürgen Wrede; the rules are in docs/rules/carcassonne_city.md."""
