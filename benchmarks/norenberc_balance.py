"""B15: the effect of Norenberc's reconstructed tiles, in random and in greedy play.

    python -m benchmarks.norenberc_balance
    python -m benchmarks.norenberc_balance --games 1000

Prints the table of B15.1 and the shares of B15.2 and B15.3 of docs/rules/norenberc.md. All chance is seeded: the same
number of games gives the same figures.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from statistics import fmean
from typing import Any

from arena.bench.fairness import shared_wins
from arena.bench.figures import Figures, Value, save
from referee.games.norenberc.components import guild_of, is_artisan, value_of
from referee.games.norenberc.events import LodgingRefilled, NoFavourite, PlansLaid
from referee.games.norenberc.game import GAME
from referee.rng import seeded
from sample_bots.greedy.choosing import choose

GAMES_EACH = 300
CHUNK = 10  # matches per task of a process
GREAT_GUILD = 30  # B9.7: the value of artisans in one guild that brings two points more


@dataclass(frozen=True)
class Match:
    """The outcome of one match, seat by seat where it is a tuple."""

    scores: tuple[int, ...]
    wins: tuple[float, ...]
    agents: tuple[int, ...]
    artisans: tuple[int, ...]
    talers: tuple[int, ...]
    best_guilds: tuple[int, ...]
    first_on_track: int
    turns: int
    without_favourite: int
    empty_windows: int


def play_match(seats: int, greedy_seats: Sequence[int], seed: int) -> Match:
    """Play one match, these seats greedily and the others at random."""
    state = GAME.new(seats, seed, GAME.options({}))
    first, turns, unfavoured, empty = state.track[0], 0, 0, 0
    dice = [seeded(1000 * seed + seat) for seat in range(seats)]
    while decisions := GAME.pending(state):
        choices = {}
        for decision in decisions:
            seat, index = decision.seat, 0
            listed = GAME.legal_actions(state, seat)
            if len(listed) > 1 and seat in greedy_seats:
                index = choose(GAME, GAME.observe(state, seat), listed, seat)
            elif len(listed) > 1:
                index = dice[seat].index(len(listed))
            choices[seat] = listed[index]
        for event in GAME.apply(state, choices):
            turns += isinstance(event, PlansLaid)
            unfavoured += isinstance(event, NoFavourite)
            empty += event.tiles.count(0) if isinstance(event, LodgingRefilled) else 0
    outcome = GAME.outcome(state)
    assert outcome is not None
    owned = [
        [tile for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True) if owner == seat]
        for seat in range(seats)
    ]
    artisans = [[tile for tile in tiles if is_artisan(tile)] for tiles in owned]
    return Match(
        scores=outcome.scores,
        wins=shared_wins(outcome),
        agents=tuple(8 - reserve for reserve in state.reserve),
        artisans=tuple(map(len, artisans)),
        talers=tuple(state.talers),
        best_guilds=tuple(best_guild(tiles) for tiles in artisans),
        first_on_track=first,
        turns=turns,
        without_favourite=unfavoured,
        empty_windows=empty,
    )


def best_guild(artisans: Sequence[int]) -> int:
    """B9.7: the highest value that a seat holds in one guild."""
    values: Counter[int] = Counter()
    for tile in artisans:
        values[guild_of(tile)] += value_of(tile)
    return max(values.values(), default=0)


def play_one(seats: int, how: str, seed: int) -> Match:
    """Play the match with this seed; in `lone` matches one seat is greedy, a different one each time."""
    greedy = {"random": (), "greedy": range(seats), "lone": (seed % seats,)}
    return play_match(seats, greedy[how], seed)


def row(seats: int, how: str, matches: Sequence[Match]) -> list[Value]:
    """Return the figures of B15.1 as one row."""

    def mean(name: str) -> float:
        return fmean(chain.from_iterable(getattr(match, name) for match in matches))

    everybody: list[Any] = [(match.agents[seat], match.best_guilds[seat]) for match in matches for seat in range(seats)]
    first = fmean(match.wins[match.first_on_track] for match in matches)
    return [
        seats,
        how,
        f"{mean('scores'):.1f}",
        f"{fmean(max(match.scores) for match in matches):.1f}",
        f"{mean('agents'):.1f}",
        f"{100 * fmean(agents == 8 for agents, _value in everybody):.0f} %",
        f"{mean('artisans'):.1f}",
        f"{mean('talers'):.1f}",
        f"{fmean(match.turns for match in matches):.1f} (most {max(match.turns for match in matches)})",
        f"{fmean(match.without_favourite for match in matches):.2f}",
        f"{fmean(match.empty_windows for match in matches):.2f}",
        f"{100 * fmean(value >= GREAT_GUILD for _agents, value in everybody):.1f} %",
        f"{100 * first:.0f} %",
    ]


HEADINGS = (
    "seats", "play", "score", "winner", "agents", "with 8", "artisans", "talers", "turns", "no favourite",
    "empty windows", "value 30", "first on the track wins",
)  # fmt: skip


def main() -> int:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.norenberc_balance")
    parser.add_argument("--games", type=int, default=GAMES_EACH, help=f"matches of each row ({GAMES_EACH})")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    lone: list[str] = []
    figures = Figures(HEADINGS)
    with ProcessPoolExecutor(given.jobs) as pool:
        for seats in GAME.table_sizes:
            for how in ("random", "greedy", "lone"):
                matches = list(pool.map(partial(play_one, seats, how), range(given.games), chunksize=CHUNK))
                if how == "lone":
                    won = fmean(match.wins[number % seats] for number, match in enumerate(matches))
                    lone.append(f"{seats} seats: {100 * won:.0f} %")
                else:
                    figures.add(*row(seats, how, matches))
    save("norenberc_balance", {"means": figures})
    print(f"one greedy seat among random ones wins: {', '.join(lone)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
