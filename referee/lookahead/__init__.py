"""Look-ahead: the rules as a service beside a bot, so that a bot in any language can search.

It is above the rest of the referee and nothing there imports it: it is a separate program, run inside the limits
of its bot. It knows of a match only what the bot sends it from its own prompt.
"""
