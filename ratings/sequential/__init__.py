"""Sequential tests, comparisons and claims, in integers; a change of rounding here changes published verdicts."""
