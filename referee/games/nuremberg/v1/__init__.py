"""The wire messages of Die Siedler von Nürnberg, as generated."""
