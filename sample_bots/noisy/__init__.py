"""The noisy bot: the greedy one, with a slip now and then."""
