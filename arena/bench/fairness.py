"""Win shares by seat, place in turn order and colour: every game and set-up, in random and in greedy play.

Die Siedler von Nürnberg is also played by greedy seats that propose trades (`trading`).

    python -m arena.bench.fairness
    python -m arena.bench.fairness --game nuremberg --setup beginner --games 1000
    python -m arena.bench.fairness --game nuremberg --rules 1

All seats of a match play alike, in this process and without a clock, so that any difference in wins
is due to the place. Who shares the first rank shares the win. Colours wander around the table from match to match.
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
from itertools import chain, product
from math import sqrt
from typing import Any, TypeAlias

from arena.bench.figures import Figures, Value, save
from referee.game import AnyGame, Outcome, Seat
from referee.games import BUILT_IN
from referee.games.nuremberg.components import Color
from referee.order import find_game, find_rules
from referee.rng import seeded
from sample_bots.greedy.choosing import choose

Policy: TypeAlias = Callable[[Any, Seat, Sequence[Any]], int]  # state, seat, options -> index

GAMES_EACH = 400
CHUNK = 10  # matches per task of a process
PLAYS = ("random", "greedy", "trading")
WITH_TRADES = ("nuremberg",)
ROUND_LIMIT = "round_limit"  # F11.6: nobody finished the palace
BOUNDS = {4: (0.20, 0.30), 3: (0.27, 0.40)}  # N14: what a colour of the beginner set-up may win, by table size
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
        """Return what the options call this set-up."""
        return " ".join(str(value) for _key, value in self.options) or "standard"

    @property
    def has_colors(self) -> bool:
        """Return whether the colours of the seats differ in more than their paint."""
        return self.slug == "nuremberg" and self.setup == "beginner"

    def colors(self, number: int) -> tuple[str, ...]:
        """Return the colours of the seats in the match of this number."""
        in_use = COLORS[: self.seats]
        turn = number % len(in_use)
        return in_use[turn:] + in_use[:turn]


@dataclass(frozen=True)
class Played:
    """What one match came to: the seats' shares of the win, who sat where, and why it ended."""

    wins: tuple[float, ...]
    turn_order: tuple[int, ...]
    colors: tuple[str, ...]
    reason: str


def play_chunk(table: Table, seeds: range) -> list[Played]:
    """Play the matches with these seeds."""
    return [play_one(table, seed) for seed in seeds]


def play_one(table: Table, seed: int) -> Played:
    """Play one match; forced moves are not asked, as on the wire."""
    game = find_rules(table.slug, table.rules_version)
    colors = table.colors(seed)
    options = dict(table.options)
    if table.has_colors:
        options["colors"] = ",".join(colors)
    state = game.new(table.seats, seed, game.options(options))
    order = tuple(TURN_ORDER[table.slug](state))
    outcome = finish(game, state, policy_of(game, table.play, seed))
    winners = outcome.ranks.count(1)
    wins = tuple((rank == 1) / winners for rank in outcome.ranks)
    return Played(wins, order, colors, outcome.reason)


def policy_of(game: AnyGame, play: str, seed: int) -> Policy:
    """Return how every seat of a match chooses."""
    if play == "random":
        rng = seeded(seed + 1_000_000)
        return lambda _state, _seat, listed: rng.index(len(listed))
    return lambda state, seat, listed: choose(game, game.observe(state, seat), listed, seat, trades=play == "trading")


def finish(game: AnyGame, state: Any, policy: Policy) -> Outcome:
    """Let every seat decide by the same policy until the match is over."""
    while decisions := game.pending(state):
        choices = {}
        for decision in decisions:
            listed = game.legal_actions(state, decision.seat)
            choices[decision.seat] = listed[policy(state, decision.seat, listed) if len(listed) > 1 else 0]
        game.apply(state, choices)
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome


@dataclass(frozen=True)
class Shares:
    """How often each of some places won, and how sure that is."""

    by: str
    names: tuple[str, ...]
    shares: tuple[float, ...]
    errors: tuple[float, ...]


def shares(by: str, names: Sequence[str], wins: Sequence[Sequence[float]]) -> Shares:
    """Return mean and standard error of every column."""
    columns = list(zip(*wins, strict=True))
    means = [sum(column) / len(column) for column in columns]
    errors = [
        sqrt(sum((win - mean) ** 2 for win in column) / max(1, len(column) - 1) / len(column))
        for column, mean in zip(columns, means, strict=True)
    ]
    return Shares(by, tuple(names), tuple(means), tuple(errors))


def tallies(table: Table, matches: Sequence[Played]) -> Iterator[Shares]:
    """Yield the shares by seat, by place in turn order and, where colours matter, by colour."""
    seats = range(table.seats)
    yield shares("seat", [str(seat) for seat in seats], [match.wins for match in matches])
    by_turn = [[match.wins[seat] for seat in match.turn_order] for match in matches]
    yield shares("turn", [f"{place + 1}." for place in seats], by_turn)
    if table.has_colors:
        in_use = COLORS[: len(seats)]
        by_color = [[match.wins[match.colors.index(color)] for color in in_use] for match in matches]
        yield shares("colour", in_use, by_color)


def is_fair(table: Table, tally: Shares) -> bool:
    """N14: every colour of the beginner set-up wins its part, or comes so near that chance explains it."""
    if tally.by != "colour" or table.play == "trading":
        return True
    least, most = BOUNDS[len(tally.shares)]
    return all(
        least - 2 * error <= share <= most + 2 * error for share, error in zip(tally.shares, tally.errors, strict=True)
    )


def tables(slugs: Sequence[str], setup: str | None, plays: Sequence[str], rules: int | None) -> Iterator[Table]:
    """Yield every set-up of the games."""
    for slug in slugs:
        version = find_game(slug).rules_version if rules is None else rules
        for options, seats in product(SETUPS.get(slug, ({},)), reversed(find_game(slug).table_sizes)):
            for play in plays:
                table = Table(slug, seats, tuple(options.items()), version, play)
                if setup in (None, table.setup) and (play != "trading" or slug in WITH_TRADES):
                    yield table


def percents(shares: Sequence[float]) -> str:
    """Return shares as they are listed."""
    return " / ".join(f"{100 * share:.1f}" for share in shares)


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
    parts = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    unfair = 0
    late: list[str] = []
    rows: list[list[Value]] = []
    print("| Game | Set-up | Seats | Play | Wins by | Shares in % | ± |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(given.jobs) as pool:
        for table in tables(given.game or BUILT_IN, given.setup, given.play or PLAYS, given.rules):
            matches = list(chain.from_iterable(pool.map(partial(play_chunk, table), parts)))
            found = list(tallies(table, matches))
            worst = max(max(tally.errors) for tally in found)
            rows.append(
                [find_game(table.slug).title, table.setup, table.seats, table.play, given.games]
                + [percents(tally.shares) for tally in found]
                + [None] * (3 - len(found))
                + [f"{100 * worst:.1f}"]
            )
            for tally in found:
                listed = percents(tally.shares)
                named = f"{tally.by} ({', '.join(tally.names)})" if tally.by == "colour" else tally.by
                mark = "" if is_fair(table, tally) else " (out of bounds)"
                cells = (table.slug, table.setup, len(tally.shares), table.play, named, listed + mark)
                print("|", " | ".join(map(str, cells)), f"| {100 * max(tally.errors):.1f} |", flush=True)
                unfair += bool(mark)
            if locked := sum(match.reason == ROUND_LIMIT for match in matches):
                late.append(f"{table.slug} {table.setup}, {table.seats} seats, {table.play}: {locked}")
    save("fairness", {"shares": Figures(HEADINGS, rows)})
    if late:
        print(f"\nof {given.games} matches each, ended by the limit of rounds: {'; '.join(late)}")
    return int(unfair > 0)


if __name__ == "__main__":
    sys.exit(main())
