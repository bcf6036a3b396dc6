"""The engines without a wire: decisions per CPU-second, and the cost of clone, observe, encode and digest.

    arena bench engine
    python -m arena.bench.engine --game norenberc

Every game is measured at four seats in each of its variants: through the contract (`legal_actions`, `apply_checked`),
by codes of options, and in whole playouts, each from the start of ready matches, and also with their set-up. Rounds are
interleaved, so that a busy moment of the machine affects all alike, and the best round counts. A fixed loop of plain
Python, measured in the same rounds, is the yardstick: a figure in "loops" can be compared between machines. Where the
package catanatron is installed, its random play is measured in the same rounds.
`python -m benchmarks.checkouts` compares two checkouts, and also judges, searches, simulates and steps environments.
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time, process_time_ns
from typing import Any

from arena.bench.catanatron import Tally, catanatron_player, measure
from arena.bench.figures import Figures, Targets, Value, save
from referee.game import AnyGame, Decision, Seat
from referee.games import BUILT_IN, GAMES
from referee.native import RunsAs, running
from referee.playout import play, random_chooser
from referee.rng import seeded
from referee.wire import wire_for

SEATS = 4
ROUNDS = 5
SECONDS = 0.6  # of CPU for the playouts of one configuration in one round
STATES = 40  # late states on which the single functions are measured
BANK_NS, CAP_NS = 60_000_000_000, 10_000_000_000
STARTS = 40  # matches that are played out again and again
REPEATS = 20  # of a function on each state in each round


@dataclass(frozen=True)
class Target:
    """A game's targets on CPython 3.11."""

    decisions: int
    clone_us: float
    observe_us: int
    playouts: int = 0  # decisions in whole playouts


SOURCE_TARGETS = {
    "furstenfeld": Target(90_000, 15, 150),
    "norenberc": Target(90_000, 15, 150),
    "nuremberg": Target(90_000, 20, 200),
    "carcassonne_city": Target(35_000, 60, 400),
}
COMPILED_TARGETS = {
    "furstenfeld": Target(1_000_000, 0.3, 150, 5_000_000),
    "norenberc": Target(1_000_000, 0.3, 150, 5_000_000),
    "nuremberg": Target(1_000_000, 0.3, 200, 5_000_000),
    "carcassonne_city": Target(400_000, 1, 400, 1_500_000),
}

VARIANTS: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "furstenfeld": ({"variant": "basic"}, {"variant": "advanced"}),
    "nuremberg": ({}, {"setup": "advanced"}),
}
"""The options that make a game a different one for its engine; the standard ones for all other games."""


@dataclass(frozen=True)
class LateState:
    """A state of the last third of a match, with one open decision."""

    state: Any
    decision: Decision
    options: Any


@dataclass
class Subject:
    """One configuration under measurement, and its figures round by round."""

    game: AnyGame
    options: Mapping[str, object]
    late: list[LateState] = field(default_factory=list)
    rates: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    micros: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def name(self, game: str) -> str:
        """Return the name of the game with its variant."""
        return " ".join((game, *map(str, self.options.values())))

    def new(self, seed: int) -> Any:
        """Return the start of a match."""
        return self.game.new(SEATS, seed, self.game.options(self.options))

    def prompt(self, late: LateState) -> bytes:
        """Return the whole message that would ask this decision, including its view."""
        view = self.game.observe(late.state, late.decision.seat)
        return wire_for(self.game).prompt("0" * 32, 1, late.decision, view, (), late.options, BANK_NS, CAP_NS)

    def view(self, late: LateState) -> bytes:
        """Return the encoded view of the seat that is asked."""
        view = self.game.observe(late.state, late.decision.seat)
        message: bytes = wire_for(self.game).codec.view.encode(view).SerializeToString()
        return message


def play_out(game: AnyGame, state: Any, random: Callable[[], float]) -> tuple[int, int]:
    """Play at random to the end; return the number of choices, and of those with an alternative."""
    pending, legal_actions, apply = game.pending, game.legal_actions, game.apply_checked
    made = real = 0
    while decisions := pending(state):
        choices: dict[Seat, Any] = {}
        for decision in decisions:
            options = legal_actions(state, decision.seat)
            count = len(options)
            choices[decision.seat] = options[int(random() * count)]
            made += 1
            real += count > 1
        apply(state, choices)
    return made, real


def play_out_by_codes(game: AnyGame, state: Any, random: Callable[[], float]) -> int:
    """Play at random to the end by codes of options; return the number of choices."""
    pending, list_codes, apply = game.pending, game.codes, game.apply_codes
    made = 0
    while decisions := pending(state):
        chosen: dict[Seat, int] = {}
        for decision in decisions:
            codes = list_codes(state, decision.seat)
            chosen[decision.seat] = codes[int(random() * len(codes))]
            made += 1
        apply(state, chosen)
    return made


def measure_playouts(subject: Subject, first_seed: int) -> None:
    """Record the decisions and whole matches per CPU-second, including set-up."""
    dice, seed = Random(first_seed), first_seed
    made = real = 0
    started = process_time()
    while (spent := process_time() - started) < SECONDS:
        more, of_them_real = play_out(subject.game, subject.new(seed), dice.random)
        made, real, seed = made + more, real + of_them_real, seed + 1
    for name, count in (("set up too", made), ("with a choice", real), ("random playouts", seed - first_seed)):
        subject.rates[name].append(count / spent)


def measure_ways_to_play(subject: Subject, first_seed: int) -> None:
    """Record the decisions per CPU-second from the start of ready matches, as search and judge play worlds out.

    Through the contract, by codes of options, and by whole playouts; each with a clone of the start.
    """
    game, dice, rng = subject.game, Random(first_seed), seeded(first_seed)
    starts = [subject.new(first_seed + number) for number in range(STARTS)]
    ways: dict[str, Callable[[Any], int]] = {
        "decisions": lambda state: play_out(game, state, dice.random)[0],
        "by codes": lambda state: play_out_by_codes(game, state, dice.random),
        "in playouts": lambda state: game.playout(state, rng),
    }
    for name, way in ways.items():
        made = number = 0
        started = process_time()
        while (spent := process_time() - started) < SECONDS:
            made += way(game.clone(starts[number % STARTS]))
            number += 1
        subject.rates[name].append(made / spent)


def measure_greedy_playouts(subject: Subject, first_seed: int) -> None:
    """Record the whole matches per CPU-second played by the heuristic, as in the judge's playouts."""
    if subject.game.heuristic() is None:
        return
    seed, rng = first_seed, seeded(first_seed)
    started = process_time()
    while (spent := process_time() - started) < SECONDS:
        subject.game.playout(subject.new(seed), rng, greedy=True)
        seed += 1
    subject.rates["greedy playouts"].append((seed - first_seed) / spent)


def measure_catanatron(play: Callable[[int, Tally], None], first_seed: int) -> float:
    """Return the decisions per CPU-second of random play in catanatron."""
    tally = Tally()
    while tally.cpu_ns < SECONDS * 1e9:
        measure(play, range(first_seed, first_seed + 1), tally)
        first_seed += 1
    return tally.per_second()


def collect_late_states(subject: Subject) -> None:
    """Keep states spread over the last third of some matches."""
    game = subject.game
    for seed in range(8):
        state = subject.new(seed)
        states = [game.clone(state), *(game.clone(state) for _ in play(game, state, random_chooser(seeded(seed))))]
        third = states[len(states) * 2 // 3 : -1]  # the last one is over
        for kept in third[:: max(1, len(third) * 8 // STATES)]:
            decision = game.pending(kept)[0]
            subject.late.append(LateState(kept, decision, game.legal_actions(kept, decision.seat)))


def measure_functions(subject: Subject) -> None:
    """Record each function's median time over the late states."""
    clone, digest = subject.game.clone, subject.game.digest
    functions: dict[str, Callable[[LateState], object]] = {
        "clone": lambda late: clone(late.state),
        "observe+encode": subject.view,
        "whole prompt": subject.prompt,
        "digest": lambda late: digest(late.state),
    }
    for name, function in functions.items():
        times = []
        for late in subject.late:
            function(late)
            started = process_time_ns()
            for _ in range(REPEATS):
                function(late)
            times.append((process_time_ns() - started) / REPEATS / 1000)
        subject.micros[name].append(statistics.median(times))


def calibrate() -> float:
    """Return the microseconds of the yardstick: 1,000 turns of a loop that indexes, adds and branches."""
    table = list(range(64))
    best = float("inf")
    for _ in range(20):
        total = 0
        started = process_time()
        for turn in range(20_000):
            value = table[turn & 63]
            if value & 1:
                total += value
            else:
                table[value] = value
        best = min(best, (process_time() - started) / 20)
    assert total == 319_744, "the loop does the same work everywhere"
    return best * 1e6


def report(subject: Subject, loop_us: float, targets: Targets) -> None:
    """Print the figures of one configuration and check its targets."""
    print(f"\n{subject.name(subject.game.slug)}, {SEATS} seats")
    best = {name: max(rates) for name, rates in subject.rates.items()}
    for name, rate in best.items():
        print(f"  {name:<16}{rate:9,.1f} /s   {1e6 / rate / loop_us:9,.2f} loops each")
    micros = {name: min(times) for name, times in subject.micros.items()}
    for name, figure in micros.items():
        print(f"  {name:<16}{figure:9.2f} µs   {figure / loop_us:9.2f} loops")
    for what, make in (("view", subject.view), ("prompt", subject.prompt)):
        print(f"  median {what:<9}{statistics.median(len(make(late)) for late in subject.late):9,.0f} bytes")
    target = (COMPILED_TARGETS if running() is RunsAs.COMPILED else SOURCE_TARGETS).get(subject.game.slug)
    if target is None:
        return
    decisions = best["decisions"]
    wanted = f"at least {target.decisions:,}"
    targets.check(f"{decisions:,.0f} decisions per CPU-second ({wanted})", decisions >= target.decisions)
    if target.playouts:
        reached = best["in playouts"]
        wanted = f"at least {target.playouts:,}"
        targets.check(f"{reached:,.0f} decisions in whole playouts ({wanted})", reached >= target.playouts)
    for name, limit in (("clone", target.clone_us), ("observe+encode", target.observe_us)):
        targets.check(f"{name} {micros[name]:.2f} µs (at most {limit})", micros[name] <= limit)


def figures(subject: Subject) -> list[Value]:
    """Return the row of one configuration in the table of the docs."""
    name = ", ".join((subject.game.title, *map(str, subject.options.values())))
    ways = [int(round(max(subject.rates[way]), -3)) for way in ("decisions", "by codes", "in playouts")]
    playouts, greedy = max(subject.rates["random playouts"]), max(subject.rates["greedy playouts"], default=0.0)
    return [name, *ways, round(playouts), f"{greedy:.1f}", f"{min(subject.micros['clone']):.2f}"]


def main() -> None:
    """Measure in interleaved rounds and print the best of each."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.engine")
    parser.add_argument("--game", choices=list(GAMES), help="measure this game only")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    subjects = [
        Subject(game, options)
        for slug, game in GAMES.items()
        if arguments.game in (None, slug)
        for options in VARIANTS.get(slug, ({},))
    ]
    for subject in subjects:
        collect_late_states(subject)
    loops, rivals = [], []
    rival = catanatron_player(import_module("catanatron")) if find_spec("catanatron") else None
    for number in range(arguments.rounds):
        loops.append(calibrate())
        for subject in subjects:
            measure_playouts(subject, number * 100_000)
            measure_ways_to_play(subject, number * 100_000)
            measure_greedy_playouts(subject, number * 100_000)
            measure_functions(subject)
        if rival is not None:
            rivals.append(measure_catanatron(rival, number * 100_000))
    rounds = ", ".join(f"{loop:.1f}" for loop in loops)
    print(f"rules and referee: {running().value}")
    print(f"yardstick: 1,000 turns of a plain loop take {min(loops):.1f} µs (rounds: {rounds})")
    catanatron = max(rivals, default=0.0)
    if catanatron:
        print(f"catanatron: {catanatron:,.0f} decisions /s at random, four players")
    targets = Targets()
    for subject in subjects:
        report(subject, min(loops), targets)
    print(f"\n{len(targets.missed)} targets missed")
    rows = [figures(subject) for subject in subjects if subject.game.slug in BUILT_IN]
    if catanatron:
        rows.append(["Catanatron, for comparison", int(round(catanatron, -3)), *[None] * 5])
    columns = (
        "Game", "Decisions per CPU-second", "By codes", "In whole playouts", "Random playouts", "Greedy playouts",
        "Clone, µs",
    )  # fmt: skip
    name = "engine_compiled" if running() is RunsAs.COMPILED else "engine_source"
    save(name, {"games": Figures(columns, rows)})


if __name__ == "__main__":
    main()
