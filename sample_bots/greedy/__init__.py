"""The greedy bot: one heuristic per game."""
