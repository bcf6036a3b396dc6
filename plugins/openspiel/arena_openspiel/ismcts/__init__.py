"""A bot that plays the arena's games by OpenSpiel's ISMCTS."""
