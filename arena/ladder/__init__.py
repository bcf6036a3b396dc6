"""The ladder of every game: how its rungs are measured, and how a bot finds its rung."""
