"""A survey of what a game does not declare, made by playing: list lengths, and the actions that come up."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from referee.game import AnyGame, Seat
from referee.ranges import fields_of
from referee.rng import seeded

MATCHES = 12  # with fixed seeds, so that every machine finds the same
SPARE = 4


def played(game: AnyGame, seats: int, options: Any, matches: int) -> Iterator[tuple[Any, Seat | None, Sequence[Any]]]:
    """Play matches from fixed seeds, and yield every decision: the state, its seat and the options.

    The end of a match is yielded for all seats and the spectator, without options.
    """
    for seed in range(matches):
        state, _ = game.begin(seats, seed, options)
        dice, apply = seeded(seed), game.apply_checked
        while pending := game.pending(state):
            choices = {}
            for decision in pending:
                listed = game.legal_actions(state, decision.seat)
                choices[decision.seat] = _choice(listed, seed, dice.index(len(listed)))
                yield state, decision.seat, listed
            apply(state, choices)
        for seat in (None, *range(seats)):
            yield state, seat, ()


@cache
def longest_lists(game: AnyGame, seats: int, options: Any) -> dict[str, int]:
    """Return list capacities by class and field: the observed length if it never changed, otherwise twice that.

    Only lists without a declared length are surveyed; one that outgrows its capacity later is an error.
    """
    lengths: dict[str, tuple[int, int]] = {}
    for state, seat, listed in played(game, seats, options, MATCHES):
        for option in listed:
            _measure(option, lengths)
        _measure(game.observe(state, seat), lengths)
    return {name: most if least == most > 0 else 2 * most + SPARE for name, (least, most) in lengths.items()}


def _choice(listed: Any, seed: int, drawn: int) -> Any:
    """Choose at random, but in some matches mostly the first or the last option, which reaches rare states."""
    place = (drawn, 0, len(listed) - 1)[seed % 3]
    return listed[drawn if drawn % 4 == 0 else place]


def _measure(value: Any, lengths: dict[str, tuple[int, int]]) -> None:
    kind: Any = type(value)
    for name, field in fields_of(kind):
        content = getattr(value, name)
        if field.is_list and field.at_most is None:
            label = f"{kind.__name__}.{name}"
            least, most = lengths.get(label, (len(content), len(content)))
            lengths[label] = (min(least, len(content)), max(most, len(content)))
        for item in content if field.is_list else (content,):
            if dataclasses.is_dataclass(item):
                _measure(item, lengths)
