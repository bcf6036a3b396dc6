"""OpenSpiel as a plug-in: a distribution of its own, not installed with the arena."""
