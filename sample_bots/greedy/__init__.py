"""The greedy bot: one page of strategy for each game."""
