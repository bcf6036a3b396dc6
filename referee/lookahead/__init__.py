"""Look-ahead: the rules as a service beside a bot, so that a bot of any language can search.

It stands above the rest of the referee and nothing there imports it: it is a program of its own, run inside the limits
of its bot. All it ever learns of a match is what the bot tells it of its own prompt.
"""
