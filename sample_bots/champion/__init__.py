"""The champion: the strongest bot of this arena in every game, by a search that grows with its budget."""
