"""The number of matches played concurrently, chosen from their bots, their time control and the processors."""

from __future__ import annotations

import functools
import json
import os
from fractions import Fraction
from random import Random

from arena.bots.directory import Bot
from arena.play.match_to_play import MatchToPlay
from referee.order import TimeControl, find_game

MAX_MATCHES = 64  # at a referee: frames carry several prompts, and a decision gets no cheaper beyond
CROWD_MS = 5  # of an answer's time, per concurrent match: an exchange takes a tenth of that, so does a bot's wait
ANSWERS = 100  # of a seat in a match, among which it divides its bank

SEED = 1
MAX_MOMENTS = 2_000


def processors_here() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def pace_ms(time: TimeControl) -> int:
    """Return the time that a seat can take for every answer of a match."""
    pace = time.increment_ms + time.bank_ms // ANSWERS
    return min(time.cap_ms, pace) if time.cap_ms else pace


def max_matches_of(bot: Bot, time: TimeControl, concurrency: int | None) -> int:
    """Return the number of matches that one process of a bot may play concurrently; None chooses it.

    Never more than the bot declares. Chosen, it is fewer where the time for an answer is so short that waiting for
    the other matches would be a large part of it.
    """
    if concurrency is None:
        concurrency = min(MAX_MATCHES, max(1, pace_ms(time) // CROWD_MS))
    return min(concurrency, bot.manifest.concurrency)


def share_of(match: MatchToPlay, concurrency: int | None, *, fresh_process: bool = False) -> Fraction:
    """Return the processors, or the share of one, that a match takes.

    With a `concurrency`, that number of matches share a processor. Without, the bots say so: one that declares a
    single match thinks, and has a processor to itself whenever it is asked, together with others if the game asks
    them together; bots that all declare more share a processor. A remote bot thinks elsewhere. A new process for
    every match takes a processor to start.
    """
    if concurrency is not None:
        return Fraction(1, concurrency)
    hosted = [max_matches_of(bot, match.time_control, None) for bot in match.bots if not bot.is_remote]
    if thinking := hosted.count(1):
        options = json.dumps(match.options, sort_keys=True, default=str)
        return Fraction(1 if thinking == 1 else min(thinking, asked_together(match.game, len(match.bots), options)))
    if hosted and fresh_process:
        return Fraction(1)
    return Fraction(1, min(hosted, default=MAX_MATCHES))


@functools.cache
def asked_together(slug: str, seats: int, options: str) -> int:
    """Return the number of seats that a game asks together at most, by playing it once."""
    try:
        game = find_game(slug)
        state = game.new(seats, SEED, game.options(json.loads(options)))
        most, dice = 1, Random(SEED)
        for _moment in range(MAX_MOMENTS):
            decisions = game.pending(state)
            if not decisions:
                break
            most = max(most, len(decisions))
            chosen = {each.seat: dice.choice(game.legal_actions(state, each.seat)) for each in decisions}
            game.apply(state, chosen)
    except Exception:  # a fault of the game is for its referee to report
        return seats
    return most
