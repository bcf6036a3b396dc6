"""One-off experiments, not shipped."""
