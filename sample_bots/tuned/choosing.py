"""Tuned choice: every option is rated by the game's heuristic with tuned weights, and the best is taken."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from referee.game import AnyGame, can_imagine
from referee.games import GAMES
from referee.heuristic import Heuristic, read_weights, with_weights
from referee.rng import Rng

# The weights lie outside the directory whose hash is the bot's version: when one changes, this number goes up.
WEIGHTS = 4


def chooser(arguments: list[str]) -> Callable[[Any], int]:
    """Return the bot as a function of a question; the arguments are those of its command."""
    parser = argparse.ArgumentParser(description="Play by a tuned heuristic.")
    parser.add_argument("--weights", metavar="FILE", help="weights that arena tune wrote, of one game")
    parser.add_argument("--no-trades", action="store_true", help="propose no trades")
    parser.add_argument("--noise", type=int, default=0, metavar="N", help="slips in a hundred decisions")
    options = parser.parse_args(arguments)
    if not 0 <= options.noise <= 100:
        parser.error("expected --noise from 0 to 100")
    own = _read(options.weights) if options.weights else ("", {})

    @cache
    def heuristic_of(slug: str, seats: int) -> Heuristic | None:
        game = GAMES[slug]
        known = game.heuristic()
        if slug != own[0] or known is None:
            return game.tuned_heuristic(seats)
        return with_weights(known, own[1][seats]) if seats in own[1] else known

    def choose(question: Any) -> int:
        if options.noise:
            index = slip(question.match_id, question.seat, question.prompt_id, len(question.options), options.noise)
            if index is not None:
                return index
        heuristic = heuristic_of(question.game.slug, question.seats)
        return best(question.game, heuristic, question, trades=not options.no_trades)

    return choose


def slip(match_id: str, seat: int, prompt_id: int, options: int, noise: int) -> int | None:
    """Return the option of a slip, None if there is none; the same for the same match, seat and prompt."""
    name = f"{match_id}/{seat}/{prompt_id}"
    dice = Rng(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big"))
    return dice.index(options) if dice.index(100) < noise else None


def best(game: AnyGame, heuristic: Heuristic | None, question: Any, *, trades: bool) -> int:
    """Return the option rated best, the first one among equals; of a game without a heuristic the first."""
    if heuristic is None or not can_imagine(game):
        return 0
    # What a seat cannot know is drawn, always the same way, so that the same view is answered the same way.
    state = question.imagine(Rng(0))
    rate = (trades and heuristic.rate_trading) or heuristic.rate
    ratings = rate(state, question.seat, question.options)
    return ratings.index(max(ratings))


def _read(file: str) -> tuple[str, dict[int, dict[str, float]]]:
    """Return a file's game, and its weights by table size, checked."""
    text = Path(file).read_text(encoding="utf-8")
    by_seats = read_weights(text)
    slug = json.loads(text).get("game")
    known = GAMES[slug].heuristic() if slug in GAMES else None
    if known is None:
        raise ValueError(f"{file}: the weights are of game {slug!r}; expected one that is installed")
    for values in by_seats.values():
        with_weights(known, values)
    return str(slug), by_seats
