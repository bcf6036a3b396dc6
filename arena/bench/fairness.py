"""Win shares by seat, place in turn order and colour: every game and set-up, in random and in greedy play.

Die Siedler von Nürnberg is also played by greedy seats that propose trades (`trading`).

    python -m arena.bench.fairness
    python -m arena.bench.fairness --game nuremberg --setup beginner --games 1000
    python -m arena.bench.fairness --game nuremberg --rules 1

All seats of a match play alike, in this process and without a clock, so that any difference in wins
is due to the place. A shared first rank is a shared win. Colours rotate around the table from match to match.
Ends with exit code 1 if a colour of the beginner set-up of Die Siedler von Nürnberg leaves the bounds of N14 in random
or in greedy play without proposals, for which they were made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from arena.bench.figures import Figures, Targets, save
from arena.bench.recorded_match import Chooser, bot_chooser, random_chooser
from referee.game import AnyGame, Decision, Outcome
from referee.games import BUILT_IN
from referee.games.nuremberg.components import Color
from referee.order import find_game, find_rules
from referee.playout import play

GAMES_EACH = 400
CHUNK = 10  # matches per task of a process
PLAYS = ("random", "greedy", "trading")
WITH_TRADES = ("nuremberg",)
ROUND_LIMIT = "round_limit"  # F11.6: nobody finished the palace
BOUNDS = {4: (0.20, 0.30), 3: (0.27, 0.40)}  # N14: the win shares of a colour in the beginner set-up, by table size
# Who plays first, second and so on in the first round.
TURN_ORDER: dict[str, Callable[[Any], Sequence[int]]] = {
    "carcassonne_city": lambda state: range(state.seats),
    "furstenfeld": lambda state: state.turn_order,
    "norenberc": lambda state: state.track,
    "nuremberg": lambda state: [(state.first_seat + place) % state.seats for place in range(state.seats)],
}
SETUPS: dict[str, tuple[dict[str, object], ...]] = {
    "carcassonne_city": ({},),
    "furstenfeld": ({"variant": "basic"}, {"variant": "advanced"}),
    "norenberc": ({},),
    "nuremberg": ({"setup": "beginner"}, {"setup": "advanced"}),
}
COLORS = tuple(color.name.lower() for color in Color)


@dataclass(frozen=True)
class Table:
    """One row of work: a game with its set-up, the rules it is played by, and how its seats play."""

    slug: str
    seats: int
    options: tuple[tuple[str, object], ...]
    rules_version: int
    play: str

    @property
    def setup(self) -> str:
        """Return the name of this set-up in the options."""
        return " ".join(str(value) for _key, value in self.options) or "standard"

    @property
    def has_colors(self) -> bool:
        """Return whether the colours of the seats differ in more than name."""
        return self.slug == "nuremberg" and self.setup == "beginner"

    def colors(self, number: int) -> tuple[str, ...]:
        """Return the colours of the seats in the match of this number."""
        in_use = COLORS[: self.seats]
        turn = number % len(in_use)
        return in_use[turn:] + in_use[:turn]


@dataclass(frozen=True)
class Played:
    """The outcome of one match: the seats' shares of the win, who sat where, and why it ended."""

    wins: tuple[float, ...]
    turn_order: tuple[int, ...]
    colors: tuple[str, ...]
    reason: str


def play_one(table: Table, seed: int) -> Played:
    """Play one match; forced moves are not asked, as on the wire."""
    game, colors, options = find_rules(table.slug, table.rules_version), table.colors(seed), dict(table.options)
    if table.has_colors:
        options["colors"] = ",".join(colors)
    state = game.new(table.seats, seed, game.options(options))
    order = tuple(TURN_ORDER[table.slug](state))
    chooser = chooser_of(game, table, seed)

    def choose(decision: Decision, listed: Sequence[Any]) -> Any:
        return listed[chooser(state, decision, listed) if len(listed) > 1 else 0]

    for _ in play(game, state, choose):
        pass
    outcome = game.outcome(state)
    assert outcome is not None
    return Played(shared_wins(outcome), order, colors, outcome.reason)


def shared_wins(outcome: Outcome) -> tuple[float, ...]:
    """Return each seat's share of the win: seats on the first rank divide it."""
    return tuple((rank == 1) / outcome.ranks.count(1) for rank in outcome.ranks)


def chooser_of(game: AnyGame, table: Table, seed: int) -> Chooser:
    """Return how every seat of a match chooses."""
    if table.play == "random":
        return random_chooser(seed + 1_000_000)
    return bot_chooser(game, table.seats, "bench", "greedy", *(["--trades"] if table.play == "trading" else []))


@dataclass(frozen=True)
class Shares:
    """How often each of some places won, with standard errors."""

    means: tuple[float, ...]
    errors: tuple[float, ...]

    def __str__(self) -> str:
        return " / ".join(f"{100 * mean:.1f}" for mean in self.means)

    @classmethod
    def of(cls, wins: Sequence[Sequence[float]]) -> Shares:
        """Return mean and standard error of every column."""
        columns = np.array(wins)
        errors = columns.std(axis=0, ddof=min(1, len(wins) - 1)) / sqrt(len(wins))
        return cls(tuple(columns.mean(axis=0).tolist()), tuple(errors.tolist()))


def tallies(table: Table, matches: Sequence[Played]) -> list[Shares]:
    """Return the shares by seat, by place in turn order and, where colours matter, by colour."""
    by_turn = [[match.wins[seat] for seat in match.turn_order] for match in matches]
    found: list[Sequence[Sequence[float]]] = [[match.wins for match in matches], by_turn]
    if table.has_colors:
        in_use = COLORS[: table.seats]
        found.append([[match.wins[match.colors.index(color)] for color in in_use] for match in matches])
    return [Shares.of(wins) for wins in found]


def is_fair(colors: Shares) -> bool:
    """N14: every colour of the beginner set-up wins its share, or comes close enough for chance to explain the rest."""
    least, most = BOUNDS[len(colors.means)]
    spans = zip(colors.means, colors.errors, strict=True)
    return all(least - 2 * error <= mean <= most + 2 * error for mean, error in spans)


def tables(slugs: Sequence[str], setup: str | None, plays: Sequence[str], rules: int | None) -> Iterator[Table]:
    """Yield every set-up of the games."""
    for slug in slugs:
        version = find_game(slug).rules_version if rules is None else rules
        for options, seats in product(SETUPS.get(slug, ({},)), reversed(find_game(slug).table_sizes)):
            for how in plays:
                table = Table(slug, seats, tuple(options.items()), version, how)
                if setup in (None, table.setup) and (how != "trading" or slug in WITH_TRADES):
                    yield table


HEADINGS = ("Game", "Set-up", "Seats", "Play", "Matches", "By seat, in %", "By turn, in %", "By colour, in %", "±")


def main() -> int:
    """Play, and print one line for each set-up and way of counting."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.fairness")
    parser.add_argument("--game", choices=BUILT_IN, action="append", help="this game only; repeatable")
    parser.add_argument("--setup", help="this set-up only: standard, basic, advanced or beginner")
    parser.add_argument("--play", choices=PLAYS, action="append", help="this way of playing only")
    parser.add_argument("--rules", type=int, help="an earlier version of the rules")
    parser.add_argument("--games", type=int, default=GAMES_EACH, help=f"matches of each set-up ({GAMES_EACH})")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    seeds = range(given.first_seed, given.first_seed + given.games)
    late: list[str] = []
    figures, targets = Figures(HEADINGS), Targets()
    with ProcessPoolExecutor(given.jobs) as pool:
        for table in tables(given.game or BUILT_IN, given.setup, given.play or PLAYS, given.rules):
            matches = list(pool.map(partial(play_one, table), seeds, chunksize=CHUNK))
            found = tallies(table, matches)
            shares = [*map(str, found), *[None] * (3 - len(found))]
            worst = max(max(tally.errors) for tally in found)
            title = find_game(table.slug).title
            figures.add(title, table.setup, table.seats, table.play, given.games, *shares, f"{100 * worst:.1f}")
            if table.has_colors and table.play != "trading":
                said = f"{table.seats} seats, {table.play}: {', '.join(COLORS[: table.seats])} win {found[-1]} %"
                targets.check(f"{said} (N14: {BOUNDS[table.seats]})", is_fair(found[-1]))
            if locked := sum(match.reason == ROUND_LIMIT for match in matches):
                late.append(f"{table.slug} {table.setup}, {table.seats} seats, {table.play}: {locked}")
    save("fairness", {"shares": figures})
    if late:
        print(f"\nof {given.games} matches each, ended by the limit of rounds: {'; '.join(late)}")
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
