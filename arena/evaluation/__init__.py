"""Evaluating a bot: one call, staged from cheap to costly, with an answer in words and as data."""
