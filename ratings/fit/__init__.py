"""Fitted ratings with error bars; any reordering of floats here changes FIT entries, which are kept to the last bit."""
