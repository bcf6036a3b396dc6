"""The greedy bot: it plays by each game's heuristic."""
