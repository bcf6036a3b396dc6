"""Tuning: better values for the named constants of a heuristic or a bot, found by playing."""
