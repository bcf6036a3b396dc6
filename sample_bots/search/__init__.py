"""The search bot: Monte-Carlo tree search over imagined worlds, for every game."""
