"""The soak: random play of many matches in every configuration, bound and invariants checked at each step.

    python -m tests.soak --games 200
    python -m tests.soak --game norenberc --first-seed 1200

Ends with exit code 1 at the first broken invariant and prints what reproduces it.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from referee.contract.case import Configuration, ContractCase
from referee.games import GAMES
from referee.playout import play, random_chooser
from referee.rng import seeded
from tests.contract.case import load_case

GAMES_EACH = {"carcassonne_city": 1_000}  # every other game 2,000
CHUNK = 10  # matches per task of a process


class BrokenError(Exception):
    """A match broke a promise; the message reproduces it."""


@dataclass(frozen=True)
class Chunk:
    """Some matches of one configuration, by their seeds."""

    slug: str
    number: int
    seeds: range
    check_every: int
    """The number of steps between checks of the invariants, which are also checked at the end."""


@dataclass
class Tally:
    """What the matches of one configuration came to."""

    games: int = 0
    steps: int = 0
    choices: int = 0
    longest: int = 0
    seconds: float = 0.0

    def add(self, other: Tally) -> None:
        """Take the matches of a chunk in."""
        self.games += other.games
        self.steps += other.steps
        self.choices += other.choices
        self.longest = max(self.longest, other.longest)
        self.seconds += other.seconds


def soak(chunk: Chunk) -> Tally:
    """Play the matches of a chunk; a BrokenError names the first that breaks the bound or an invariant."""
    case = load_case(chunk.slug)
    configuration = case.configurations[chunk.number]
    tally = Tally()
    started = time.process_time()
    for seed in chunk.seeds:
        choices, step = 0, 0
        try:
            for step, choices in played(case, configuration, seed, chunk.check_every):  # noqa: B007  # the last values are what counts
                pass
        except Exception:
            again = f"--game {chunk.slug} --configuration {chunk.number} --first-seed {seed} --games 1"
            where = f"{name(case, configuration)}, seed {seed}, step {step + 1}"
            raise BrokenError(f"{where}\n{traceback.format_exc()}\nagain: {again}") from None
        tally.add(Tally(1, step, choices, choices))
    tally.seconds = time.process_time() - started
    return tally


def played(case: ContractCase, configuration: Configuration, seed: int, every: int) -> Iterator[tuple[int, int]]:
    """Play one match at random, asserting as it goes; yield how many steps and choices were made so far."""
    game = case.game
    state = game.new(configuration.seats, seed, game.options(configuration.options))
    case.check_invariants(state)
    bound = case.max_choices(configuration.seats)
    made = 0
    for step, (choices, _events) in enumerate(play(game, state, random_chooser(seeded(seed + 1_000_000))), start=1):
        made += len(choices)
        assert made <= bound, f"more than {bound} choices"
        if step % every == 0:
            case.check_invariants(state)
        yield step, made
    case.check_invariants(state)
    assert game.outcome(state) is not None, "the match is over and has no outcome"


def name(case: ContractCase, configuration: Configuration) -> str:
    """Return how a configuration is called in the table."""
    return " ".join((case.game.slug, str(configuration.seats), *map(str, configuration.options.values())))


def chunks(slugs: list[str], games: int | None, first_seed: int, only: int | None, every: int) -> Iterator[Chunk]:
    """Yield the work, every configuration of every game in turn."""
    for slug in slugs:
        wanted = games or GAMES_EACH.get(slug, 2_000)
        for number in range(len(load_case(slug).configurations)):
            if only in (None, number):
                for start in range(first_seed, first_seed + wanted, CHUNK):
                    yield Chunk(slug, number, range(start, min(start + CHUNK, first_seed + wanted)), every)


def main() -> int:
    """Soak and print one line for each configuration."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--game", choices=list(GAMES), action="append", help="soak this game only; repeatable")
    parser.add_argument("--games", type=int, help="matches of each configuration (2,000; carcassonne_city 1,000)")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--configuration", type=int, help="only the configuration with this number")
    parser.add_argument("--check-every", type=int, default=1, help="steps between two checks of the invariants")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    slugs, every = arguments.game or list(GAMES), arguments.check_every
    work = list(chunks(slugs, arguments.games, arguments.first_seed, arguments.configuration, every))
    tallies: dict[tuple[str, int], Tally] = {}
    with ProcessPoolExecutor(arguments.jobs) as pool:
        results = pool.map(soak, work)
        for done, chunk in enumerate(work, start=1):
            try:
                tally = next(results)
            except BrokenError as error:
                print(f"\nbroken: {error}", file=sys.stderr)
                pool.shutdown(cancel_futures=True)
                return 1
            tallies.setdefault((chunk.slug, chunk.number), Tally()).add(tally)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(work)} chunks, now {chunk.slug}   ", end="", file=sys.stderr, flush=True)
    print(f"{'configuration':32} {'games':>6} {'steps':>10} {'choices':>10} {'longest':>8} {'bound':>7} {'CPU s':>7}")
    for (slug, number), tally in tallies.items():
        case = load_case(slug)
        configuration = case.configurations[number]
        bound = case.max_choices(configuration.seats)
        played_out = f"{tally.games:6,} {tally.steps:10,} {tally.choices:10,}"
        print(f"{name(case, configuration):32} {played_out} {tally.longest:8,} {bound:7,} {tally.seconds:7.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
