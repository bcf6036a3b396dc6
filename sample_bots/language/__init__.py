"""The language bot: asks a language model which option to take."""
