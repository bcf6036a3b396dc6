"""Playing a state on: by the game's page of strategy with whims, or at random, and what is reached in points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import exp, sqrt
from typing import Any, Protocol

from referee.game import AnyGame, Outcome, Seat, checked_apply
from referee.games import GAMES
from referee.rng import Rng
from referee.strategy import page_of

WHIMS = (0, 0, 0, 0, 0, 0, 0, 1, 1, 2)
"""Of ten moves seven are the best, two the second best and one the third: a player without whims repeats himself in
every world, and the judge would call that certainty."""
NEVER = -50.0
"""What a page rates lower it never does: a whim does not either."""
HUNDREDTHS = 10_000
"""A value is a whole number of hundredths of a point, so that sums are the same on every machine."""
TO_THE_END = 1_000_000


class Sight(IntEnum):
    """How far play goes on before it is cut and the page says who stands how."""

    SHORT = 0
    LONG = 1
    FAR = 2


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is played on and rated."""

    sights: tuple[int, int, int]
    """After how many steps play is cut, by sight."""
    near: int
    """The end is near, and play goes on to it from any sight, within so many steps."""
    scale: float
    """At the end a lead of so many points makes three quarters of a clear win."""
    drift: float
    """How much more uncertain a lead is for every step that is still to come, as a variance."""
    sample: int = 1000
    """Of more options than these, so many drawn at random are rated."""


STYLES = {  # scale and drift fit how leads of this page ended in 120 whimsical matches of three seats
    "carcassonne_city": Style((2, 5, 12), 12, scale=6.0, drift=3.6, sample=8),  # up to a hundred places for a tile
    "furstenfeld": Style((15, 60, TO_THE_END), 120, scale=20.0, drift=4.0),
    "norenberc": Style((5, TO_THE_END, TO_THE_END), 40, scale=4.0, drift=0.48),  # what a plan costs shows late
    "nuremberg": Style((8, 30, TO_THE_END), 30, scale=1.5, drift=0.07),
}
PLAIN = Style((TO_THE_END,) * 3, TO_THE_END, scale=1.0, drift=0.0)
"""Without a page play goes on to the end, and places alone count."""


class Continuation(Protocol):
    """Plays for every seat of a world, and says what is reached."""

    def pick(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Return the action of a seat that is asked."""

    def rated(self, state: Any, steps_left: int) -> list[int]:
        """Return what a state is worth to every seat, in hundredths of a point."""


class RandomPlayer:
    """Takes every listed action with equal chance, and knows nothing of a position but how a match has ended."""

    def __init__(self, game: AnyGame, scale: float | None = None) -> None:
        """Without a scale places alone count, since nobody has said what a lead is worth in the game."""
        self.game, self.style, self.scale = game, PLAIN, scale

    def pick(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Return any action."""
        options = self.game.legal_actions(state, seat)
        return options[dice.index(len(options))]

    def rated(self, state: Any, steps_left: int) -> list[int]:
        """Return the share of opponents beaten, half of it by leads where their scale is known."""
        outcome = self.game.outcome(state)
        if outcome is None:
            raise AssertionError("random play goes on to the end")
        if self.scale is not None:
            return at_the_end(outcome, self.scale)
        return [round(HUNDREDTHS * share) for share in beaten(outcome.ranks)]


class WhimsicalPlayer:
    """Plays by the page of strategy, mostly the best, sometimes the second or third."""

    def __init__(self, game: AnyGame, page: Any, style: Style) -> None:
        self.game, self.page, self.style = game, page, style

    def pick(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Return the action that the page likes best, or by a whim one of the next."""
        options = self.game.legal_actions(state, seat)
        if len(options) == 1:
            return options[0]
        if len(options) > self.style.sample:
            options = [options[dice.index(len(options))] for _ in range(self.style.sample)]
        ratings = self.page.rate(state, seat, options)
        below = WHIMS[dice.index(len(WHIMS))]
        if not below:
            return options[ratings.index(max(ratings))]
        order = liked(ratings)
        return options[order[min(below, len(order) - 1)]]

    def tastes(self, count: int) -> tuple[float, ...]:
        """Return how often the first so many options are taken: what is not there goes to the last."""
        return tuple(sum(min(whim, count - 1) == place for whim in WHIMS) / len(WHIMS) for place in range(count))

    def rated(self, state: Any, steps_left: int) -> list[int]:
        """Return places and leads at the end, else what the page says of the leads."""
        outcome = self.game.outcome(state)
        if outcome is None:
            scale = sqrt(self.style.scale**2 + self.style.drift * steps_left)
            return [round(HUNDREDTHS * share) for share in ahead(self.page.worths(state), scale)]
        return at_the_end(outcome, self.style.scale)


def player_for(game: AnyGame) -> WhimsicalPlayer | RandomPlayer:
    """Return who plays a game on: by its page, or at random where it has none, as for earlier rules."""
    page = page_of(game.slug) if GAMES[game.slug] is game else None
    return RandomPlayer(game) if page is None else WhimsicalPlayer(game, page, STYLES[game.slug])


def liked(ratings: Sequence[float]) -> list[int]:
    """Return the options that a page might play, by their index, the best first."""
    order = sorted(range(len(ratings)), key=lambda index: -ratings[index])
    return [index for index in order if ratings[index] > NEVER] or order


def at_the_end(outcome: Outcome, scale: float) -> list[int]:
    """Return what the end of a match is worth to every seat in hundredths: half by places, half by leads."""
    leads = ahead(outcome.scores, scale)
    return [round(HUNDREDTHS * (share + lead) / 2) for share, lead in zip(beaten(outcome.ranks), leads, strict=True)]


def beaten(places: Sequence[int]) -> list[float]:
    """Return for every seat the share of opponents that it has beaten, half of one for a tie."""
    return [
        (sum(other > place for other in places) + 0.5 * (places.count(place) - 1)) / max(1, len(places) - 1)
        for place in places
    ]


def ahead(worths: Sequence[float], scale: float) -> list[float]:
    """Return for every seat the share of opponents that its lead is likely to beat."""
    return [
        sum(squash((worth - other) / scale) for at, other in enumerate(worths) if at != seat) / max(1, len(worths) - 1)
        for seat, worth in enumerate(worths)
    ]


def squash(lead: float) -> float:
    """Return a lead as a chance: 0 is even, 1 is three quarters."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, lead))))


def play_on(game: AnyGame, player: Continuation, state: Any, dice: Rng, horizon: int) -> None:
    """Play a state on in place for so many steps, or to its end.

    Every seat has dice of its own: where one plays otherwise, the whims of the others stay.
    """
    apply = checked_apply(game)
    streams: dict[Seat, Rng] = {}
    for _ in range(horizon):
        decisions = game.pending(state)
        if not decisions:
            return
        choices = {}
        for decision in decisions:
            seat = decision.seat
            if seat not in streams:
                streams[seat] = dice.fork(f"seat {seat}")
            choices[seat] = player.pick(state, seat, streams[seat])
        apply(state, choices)
