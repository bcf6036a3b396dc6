"""The race: every decision is tried in a few worlds, the worst of them in more, and the worst of those in many.

All options of a decision meet the same worlds and dice, so that chance cancels out of their differences. The budget is
a number of worlds, never of seconds: a slow machine judges the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from arena.analysis.judgement import Worlds
from arena.analysis.moments import JudgedMoment
from arena.analysis.playing_on import NoisyPolicy, RandomPolicy, RolloutPolicy, Sight, dice_for, play_on
from referee.game import AnyGame, Seat
from referee.heuristic import TO_THE_END
from referee.rng import Rng


@dataclass(frozen=True, slots=True)
class Lap:
    """One lap of the race."""

    sight: Sight
    """How far rollouts go."""
    worlds: int
    survivors: int
    """The number of a seat's decisions that take part: those that may cost most, by gain and error so far."""
    others: int
    """The number of options that take part beside the chosen one: those with the largest gain so far."""
    bias: float
    """The systematic error of a cut or of random play, in points, which more worlds do not reduce."""


STAGES = (
    Lap(Sight.SHORT, 3, 100_000, 100_000, 6.0),
    Lap(Sight.LONG, 6, 16, 3, 3.0),
    Lap(Sight.FAR, 24, 8, 2, 3.0),
)
UNCUT_BIAS = 1.0
"""The same for rollouts to the end: no policy plays exactly as the seats would have."""
PRIOR, UNUSUAL_PRIOR = 5.0, 8.0
"""Points: most decisions lose little, so a large loss needs strong evidence; less where usual play would never have
made that choice."""
NOISE = 15.0
"""The minimum spread of values between worlds, in points: a few worlds underestimate their own error."""
MIN_NOISE = 1.0
"""The same for effects, most of which are zero because the choice was the usual one."""
MIN_ERROR = 0.1


class WorldSource:
    """Where the worlds of one record come from, and how they are played on."""

    def __init__(self, game: AnyGame, worlds: Worlds, rng: Rng, seats: int, steps: int) -> None:
        self.game, self.worlds, self.rng, self.seats, self.steps = game, worlds, rng, seats, steps
        self._known: tuple[Any, Any] = (None, None)  # the state that was looked at last, and what the seat knew

    def open_world(self, moment: JudgedMoment, number: int) -> Any:
        """Return one of the worlds in which a decision is examined."""
        game, rng = self.game, self.rng.fork(f"world {moment.step} {moment.seat} {number}")
        match self.worlds:
            case Worlds.KNEW:
                return game.imagine(self._view(moment), moment.seat, rng)
            case Worlds.LUCK:
                return game.redraw(moment.before, rng)
            case Worlds.HINDSIGHT:
                return game.clone(moment.before)

    def _view(self, moment: JudgedMoment) -> Any:
        """Return what a seat knew at a moment, which is asked for many worlds in a row."""
        if self._known[0] is not moment:
            self._known = (moment, self.game.observe(moment.before, moment.seat))
        return self._known[1]

    def try_options(
        self,
        policy: RolloutPolicy,
        moment: JudgedMoment,
        at: Sequence[int],
        numbers: range,
        sight: Sight,
    ) -> list[list[list[int]]]:
        """Return by world and option, for the given options, the value for every seat in hundredths."""
        game, found = self.game, []
        horizon, left = self.horizon(policy, moment.step, sight)
        for number in numbers:
            world = self.open_world(moment, number)
            dice = self.rng.fork(f"dice {moment.step} {number}")
            streams = dice_for(self.seats, dice)
            choices = dict(moment.choices)
            if self.worlds is Worlds.KNEW:  # simultaneous choices of the others were not known either
                for seat in choices:
                    if seat != moment.seat:
                        choices[seat] = policy.pick(world, seat, dice.fork(f"now {seat}"))
            values = []
            for place in at:
                state = game.clone(world)
                choices[moment.seat] = moment.options[place]
                game.apply_checked(state, choices)
                play_on(game, policy, state, streams, horizon)
                values.append(policy.rated(state, left))
            found.append(values)
        return found

    def horizon(self, policy: RolloutPolicy, step: int, sight: Sight) -> tuple[int, int]:
        """Return the number of steps to play from here, to the end if it is near, and the number left after them."""
        horizon, left = policy.scale.sights[sight], self.steps - step
        return (TO_THE_END, 0) if left <= max(horizon, policy.scale.near) else (horizon, left - horizon)


class Gains:
    """The gains of the other options of one decision over the chosen one, from all laps so far."""

    def __init__(self, moment: JudgedMoment, prior: float = PRIOR) -> None:
        self.moment = moment
        others = len(moment.options) - 1
        self._weights, self._sums = [1 / prior**2] * others, [0.0] * others
        self.worlds = 0
        self.effects: list[list[float]] = []
        """By world of the first lap and by seat: the gain of the choice over usual play, in points."""

    def add(self, values: Sequence[Sequence[Sequence[int]]], places: Sequence[int], bias: float) -> None:
        """Add a lap: by world the values of the options at these places, the chosen one first."""
        seat, worlds = self.moment.seat, len(values)
        if not self.worlds:  # the first lap, in which all options take part
            self.effects = [self._effects(world) for world in values]
        self.worlds += worlds
        for at, place in enumerate(places[1:], start=1):
            gain, error = mean_and_error([(world[at][seat] - world[0][seat]) / 100 for world in values])
            weight = 1 / (error**2 + bias**2)
            self._weights[place - 1] += weight
            self._sums[place - 1] += weight * gain

    def effect(self, seat: Seat) -> tuple[float, float]:
        """Return the gain of the choice for a seat over usual play, with its standard error."""
        return mean_and_error([world[seat] for world in self.effects], MIN_NOISE)

    def _effects(self, world: Sequence[Sequence[int]]) -> list[float]:
        chosen, usual = world[0], self.moment.usual
        return [
            (chosen[seat] - sum(often * option[seat] for often, option in zip(usual, world, strict=True))) / 100
            for seat in range(len(chosen))
        ]

    def likeliest(self, others: int) -> list[int]:
        """Return the place of the option chosen and those of the best `others`."""
        order = sorted(range(1, len(self._sums) + 1), key=lambda place: (-self._gain(place), place))
        return [0, *sorted(order[:others])]

    def _gain(self, place: int) -> float:
        return self._sums[place - 1] / self._weights[place - 1]

    @property
    def best(self) -> int:
        """The best other option, by its place."""
        return self.likeliest(1)[1]

    @property
    def gain(self) -> float:
        """The gain of the best other option."""
        return self._gain(self.best)

    @property
    def error(self) -> float:
        """The standard error of the gain."""
        return max(MIN_ERROR, 1 / sqrt(self._weights[self.best - 1]))

    @property
    def hope(self) -> float:
        """The optimistic gain of the best other option: unsure decisions are tried again."""
        return self.gain + self.error


def mean_and_error(values: Sequence[float], noise: float = NOISE) -> tuple[float, float]:
    """Return the mean of some differences and its standard error, which is never 0: few worlds agree by chance."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return mean, sqrt((variance + noise**2) / count)


def prior_of(policy: RolloutPolicy, moment: JudgedMoment) -> float:
    """Return how far from zero gains are expected to be, before any is tried."""
    return UNUSUAL_PRIOR if isinstance(policy, NoisyPolicy) and not moment.usual[0] else PRIOR


def bias_of(table: WorldSource, policy: RolloutPolicy, moment: JudgedMoment, stage: Lap) -> float:
    """Return the systematic error of a lap's estimate, however many worlds it tries."""
    is_cut = table.horizon(policy, moment.step, stage.sight)[0] != TO_THE_END
    return stage.bias if is_cut or isinstance(policy, RandomPolicy) else UNCUT_BIAS


def race(table: WorldSource, policy: RolloutPolicy, moments: Sequence[JudgedMoment], effort: int) -> list[Gains]:
    """Judge all decisions of one seat, in order, the survivors in more worlds."""
    gains = [Gains(moment, prior_of(policy, moment)) for moment in moments]
    first = 0
    for stage in STAGES:
        alive = sorted(range(len(gains)), key=lambda at: (-gains[at].hope, at))[: stage.survivors]
        worlds = stage.worlds * effort
        for at in sorted(alive):
            places = gains[at].likeliest(stage.others)
            tried = table.try_options(policy, moments[at], places, range(first, first + worlds), stage.sight)
            gains[at].add(tried, places, bias_of(table, policy, moments[at], stage))
        first += worlds
    return gains
