"""How many lines of play exist to a small depth from fixed seeds, pinned in every game's counts.toml.

A line counts every choice open to every seat, so a rule that lists an option too many or too few changes a number.
`python -m tests.rules.test_counts` refreshes the files; explain a changed count in the change that brings it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

from referee.contract.case import Configuration
from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.playout import random_chooser, step
from referee.rng import seeded
from tests.contract.case import load_case

HERE = Path(__file__).parent
MAX_DEPTH = 4
MAX_OPENED = 600  # positions whose options are counted at one depth
STARTS = ((1, 0), (2, 0), (3, 25), (4, 60))  # seed, steps played at random before the count begins


@dataclass(frozen=True)
class Count:
    """A position and how many lines of play lead on from it, by depth."""

    configuration: Configuration
    seed: int
    played: int
    lines: tuple[int, ...]


def count_lines(game: AnyGame, configuration: Configuration, seed: int, played: int) -> tuple[int, ...]:
    """Return the number of lines of 1, 2, … steps, as deep as the number of positions allows."""
    start = game.new(configuration.seats, seed, game.options(configuration.options))
    choose = random_chooser(seeded(seed))
    for _ in range(played):
        if game.pending(start):
            step(game, start, choose)
    positions = [start]
    lines: list[int] = []
    while len(lines) < MAX_DEPTH:
        lines.append(sum(branches(game, position) for position in positions))
        if lines[-1] > MAX_OPENED:
            break
        positions = [following for position in positions for following in followers(game, position)]
    return tuple(lines)


def branches(game: AnyGame, state: Any) -> int:
    """Return how many ways the next step can go: none when the match is over."""
    pending = game.pending(state)
    return prod(len(game.legal_actions(state, decision.seat)) for decision in pending) if pending else 0


def followers(game: AnyGame, state: Any) -> Iterator[Any]:
    pending = game.pending(state)
    if not pending:
        return
    seats = [decision.seat for decision in pending]
    for actions in product(*(game.legal_actions(state, seat) for seat in seats)):
        following = game.clone(state)
        game.apply(following, dict(zip(seats, actions, strict=True)))
        yield following


def counts_of(slug: str) -> list[Count]:
    """Count for the fewest and the most seats of every variant."""
    configurations = load_case(slug).configurations
    variants: dict[tuple[tuple[str, object], ...], list[Configuration]] = {}
    for configuration in configurations:
        variants.setdefault(tuple(sorted(configuration.options.items())), []).append(configuration)
    sample = []
    for of_variant in variants.values():
        by_seats = sorted(of_variant, key=lambda configuration: configuration.seats)
        sample += [by_seats[0], by_seats[-1]]
    return [
        Count(configuration, seed, played, count_lines(GAMES[slug], configuration, seed, played))
        for configuration in sample
        for seed, played in STARTS
    ]


def file_of(slug: str) -> Path:
    return HERE / slug / "counts.toml"


def as_toml(counts: list[Count]) -> str:
    parts = ["# Lines of play of 1, 2, … steps from a position; made by python -m tests.rules.test_counts\n"]
    for count in counts:
        options = ", ".join(f'{key} = "{value}"' for key, value in count.configuration.options.items())
        parts.append(
            f"[[position]]\nseats = {count.configuration.seats}\noptions = {{ {options} }}\n".replace("{  }", "{}")
            + f"seed = {count.seed}\nsteps_played = {count.played}\nlines = {list(count.lines)}\n"
        )
    return "\n".join(parts)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_the_lines_of_play_are_as_many_as_ever(slug: str) -> None:
    pinned = tomllib.loads(file_of(slug).read_text(encoding="utf-8"))["position"]
    assert pinned == tomllib.loads(as_toml(counts_of(slug)))["position"]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_the_counts_reach_deep_enough_to_mean_something(slug: str) -> None:
    pinned = tomllib.loads(file_of(slug).read_text(encoding="utf-8"))["position"]
    assert {position["seats"] for position in pinned} >= {GAMES[slug].table_sizes[0], GAMES[slug].table_sizes[-1]}
    assert max(len(position["lines"]) for position in pinned) >= 2
    assert max(max(position["lines"]) for position in pinned) > 100


def main() -> None:
    """Write every counts.toml."""
    for slug in BUILT_IN:
        file_of(slug).write_text(as_toml(counts_of(slug)), encoding="utf-8")


if __name__ == "__main__":
    main()
