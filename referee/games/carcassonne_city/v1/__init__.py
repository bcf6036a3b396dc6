"""Generated messages of the game, version 1."""
