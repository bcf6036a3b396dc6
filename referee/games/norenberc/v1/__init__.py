"""Generated messages of Norenberc."""
