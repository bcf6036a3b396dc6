"""Judging play: the cost of every decision of a finished match, found by playing on from its record."""
