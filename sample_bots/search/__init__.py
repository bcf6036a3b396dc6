"""The search bot: Monte-Carlo tree search over determinizations, for every game."""
