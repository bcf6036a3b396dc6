"""A bot in one file: it plays every game at random."""

import random


def choose(view, options):  # type: ignore[no-untyped-def]  # views and options are of any game
    """Return the index of one of the options.

    `view` is what this seat may know and `options` what it can do, both in the game's own values. Add a third
    argument, `question`, for the game, the seat, the number of seats and the time.
    """
    return random.randrange(len(options))
