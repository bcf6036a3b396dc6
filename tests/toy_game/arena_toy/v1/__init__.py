"""Generated messages of the toy game."""
