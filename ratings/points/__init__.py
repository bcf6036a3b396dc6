"""Integers only, apart from the array types: a changed result here changes points, RATE entries and verdicts."""
