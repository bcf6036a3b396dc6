"""Judging play: what every decision of a finished match cost, found by playing on from its record."""
