"""The engines without a wire: decisions per CPU-second, and the cost of clone, observe, encode and digest.

    arena bench engine
    python -m arena.bench.engine --game norenberc

Every game is measured at four seats in each of its variants. Rounds are interleaved, so that a busy moment of the
machine hits all alike, and the best round counts. A fixed loop of plain Python, measured in the same rounds, is the
yardstick: a figure in "loops" can be compared between machines. Where the package catanatron is installed, its random
play is measured in the same rounds, and decisions are also given as multiples of its.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time, process_time_ns
from typing import Any

from arena.bench.catanatron import Tally, catanatron_player, measure
from arena.bench.figures import Figures, Value, save
from referee.game import AnyGame, Decision, Seat
from referee.games import BUILT_IN, GAMES
from referee.native import RunsAs, running
from referee.wire import GameWire, wire_for

SEATS = 4
ROUNDS = 5
SECONDS = 0.6  # of CPU for the playouts of one configuration in one round
STATES = 40  # late states on which the single functions are measured
BANK_NS, CAP_NS = 60_000_000_000, 10_000_000_000
REPEATS = 20  # of a function on each state in each round


@dataclass(frozen=True)
class Target:
    """A game's targets on CPython 3.11; a multiple of Catanatron in the same run also passes for decisions."""

    decisions: int
    times_catanatron: int | None
    clone_us: int
    observe_us: int


SOURCE_TARGETS = {
    "furstenfeld": Target(90_000, None, 15, 150),
    "norenberc": Target(90_000, None, 15, 150),
    "nuremberg": Target(90_000, None, 20, 200),
    "carcassonne_city": Target(35_000, None, 60, 400),
}
COMPILED_TARGETS = {
    "furstenfeld": Target(250_000, 20, 2, 150),
    "norenberc": Target(250_000, 20, 2, 150),
    "nuremberg": Target(250_000, 20, 2, 200),
    "carcassonne_city": Target(100_000, 8, 5, 400),
}


VARIANTS: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "furstenfeld": ({"variant": "basic"}, {"variant": "advanced"}),
    "nuremberg": ({}, {"setup": "advanced"}),
}
"""The options under which a game is another one for its engine; the standard ones for all other games."""


@dataclass(frozen=True)
class LateState:
    """A state of the last third of a match, with one open decision."""

    state: Any
    decision: Decision
    options: Any


@dataclass
class Subject:
    """One configuration under measurement, and its figures round by round."""

    name: str
    game: AnyGame
    options: Mapping[str, object]
    wire: GameWire
    late: list[LateState] = field(default_factory=list)
    decisions: list[float] = field(default_factory=list)
    real_decisions: list[float] = field(default_factory=list)
    playouts: list[float] = field(default_factory=list)
    greedy_playouts: list[float] = field(default_factory=list)
    micros: dict[str, list[float]] = field(default_factory=dict)

    def new(self, seed: int) -> Any:
        """Return the start of a match."""
        return self.game.new(SEATS, seed, self.game.options(self.options))


def subjects(only: str | None) -> Iterator[Subject]:
    """Yield every game at four seats, each variant apart."""
    for slug, game in GAMES.items():
        if only in (None, slug):
            for options in VARIANTS.get(slug, ({},)):
                yield Subject(" ".join((slug, *map(str, options.values()))), game, options, wire_for(game))


def play_out(game: AnyGame, state: Any, random: Callable[[], float]) -> tuple[int, int]:
    """Play at random to the end; return how many choices were made, and how many of them had an alternative."""
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


def measure_playouts(subject: Subject, first_seed: int) -> None:
    """Note the decisions per CPU-second of whole matches, set-up included."""
    dice = Random(first_seed)
    made = real = 0
    seed = first_seed
    started = process_time()
    while (spent := process_time() - started) < SECONDS:
        more, of_them_real = play_out(subject.game, subject.new(seed), dice.random)
        made, real, seed = made + more, real + of_them_real, seed + 1
    subject.decisions.append(made / spent)
    subject.real_decisions.append(real / spent)
    subject.playouts.append((seed - first_seed) / spent)


def measure_greedy_playouts(subject: Subject, first_seed: int) -> None:
    """Note the whole matches per CPU-second played by the heuristic, as in the judge's playouts."""
    game, heuristic = subject.game, subject.game.heuristic()
    if heuristic is None:
        return
    seed = first_seed
    started = process_time()
    while (spent := process_time() - started) < SECONDS:
        state = subject.new(seed)
        while decisions := game.pending(state):
            choices = {}
            for decision in decisions:
                options = game.legal_actions(state, decision.seat)
                rates = heuristic.rate(state, decision.seat, options) if len(options) > 1 else (0,)
                choices[decision.seat] = options[max(range(len(options)), key=rates.__getitem__)]
            game.apply_checked(state, choices)
        seed += 1
    subject.greedy_playouts.append((seed - first_seed) / spent)


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
        dice, states = Random(seed), []
        state = subject.new(seed)
        while decisions := game.pending(state):
            states.append(game.clone(state))
            choices = {}
            for decision in decisions:
                options = game.legal_actions(state, decision.seat)
                choices[decision.seat] = options[int(dice.random() * len(options))]
            game.apply_checked(state, choices)
        third = states[len(states) * 2 // 3 :]
        for kept in third[:: max(1, len(third) * 8 // STATES)]:
            decision = game.pending(kept)[0]
            subject.late.append(LateState(kept, decision, game.legal_actions(kept, decision.seat)))


def prompt(subject: Subject, late: LateState) -> bytes:
    """Return the whole message that would ask this decision, the view made for it."""
    view = subject.game.observe(late.state, late.decision.seat)
    return subject.wire.prompt("0" * 32, 1, late.decision, view, (), late.options, BANK_NS, CAP_NS)


def measure_functions(subject: Subject) -> None:
    """Note the median over the late states of what each function takes."""
    game, encode = subject.game, subject.wire.codec.view.encode
    clone, observe, digest = game.clone, game.observe, game.digest
    functions: dict[str, Callable[[LateState], object]] = {
        "clone": lambda late: clone(late.state),
        "observe": lambda late: encode(observe(late.state, late.decision.seat)).SerializeToString(),
        "prompt": lambda late: prompt(subject, late),
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
        subject.micros.setdefault(name, []).append(statistics.median(times))


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


def median_bytes(subject: Subject) -> tuple[int, int]:
    """Return the size of a view and of a whole prompt."""
    views, prompts = [], []
    for late in subject.late:
        view = subject.game.observe(late.state, late.decision.seat)
        views.append(len(subject.wire.codec.view.encode(view).SerializeToString()))
        prompts.append(len(prompt(subject, late)))
    return int(statistics.median(views)), int(statistics.median(prompts))


def report(subject: Subject, loop_us: float, catanatron: float) -> bool:
    """Print the figures of one configuration; return whether it keeps its targets."""
    decisions, real = max(subject.decisions), max(subject.real_decisions)
    best = {name: min(times) for name, times in subject.micros.items()}
    view_bytes, prompt_bytes = median_bytes(subject)
    target = (COMPILED_TARGETS if running() is RunsAs.COMPILED else SOURCE_TARGETS).get(subject.game.slug)
    verdicts = []
    times = decisions / catanatron if catanatron else 0

    def beside(figure: float, field_name: str, *, is_least: bool) -> str:
        if target is None:
            return ""
        limit: int = getattr(target, field_name)
        is_kept = figure >= limit if is_least else figure < limit
        if is_least and catanatron and target.times_catanatron is not None:
            is_kept |= times >= target.times_catanatron
            verdicts.append(is_kept)
            wanted = f"{limit:,} or {target.times_catanatron} x catanatron"
            return f"  target ≥ {wanted}: {'kept' if is_kept else 'MISSED'}"
        verdicts.append(is_kept)
        return f"  target {'≥' if is_least else '<'} {limit:,}: {'kept' if is_kept else 'MISSED'}"

    print(f"\n{subject.name}, {SEATS} seats")
    goal = beside(decisions, "decisions", is_least=True)
    print(f"  decisions       {decisions:9,.0f} /s   {1e6 / decisions / loop_us:7.2f} loops each{goal}")
    if catanatron:
        print(f"  x catanatron    {times:9.1f}")
    greedy = max(subject.greedy_playouts, default=0.0)
    print(f"  playouts        {max(subject.playouts):9,.1f} /s random, {greedy:,.1f} /s greedy")
    print(f"  with a choice   {real:9,.0f} /s   {1e6 / real / loop_us:7.2f} loops each")
    goal = beside(best["clone"], "clone_us", is_least=False)
    print(f"  clone           {best['clone']:9.1f} µs   {best['clone'] / loop_us:7.2f} loops{goal}")
    goal = beside(best["observe"], "observe_us", is_least=False)
    seen, asked = best["observe"], best["prompt"]
    print(f"  observe+encode  {seen:9.1f} µs   {seen / loop_us:7.2f} loops, {view_bytes:,} bytes{goal}")
    print(f"  whole prompt    {asked:9.1f} µs   {asked / loop_us:7.2f} loops, {prompt_bytes:,} bytes")
    print(f"  digest          {best['digest']:9.1f} µs   {best['digest'] / loop_us:7.2f} loops")
    return all(verdicts)


def figures(subject: Subject) -> list[Value]:
    """Return the row of one configuration in the table of the docs."""
    name = ", ".join((subject.game.title, *map(str, subject.options.values())))
    decisions = int(round(max(subject.decisions), -3))
    greedy = f"{max(subject.greedy_playouts, default=0.0):.1f}"
    return [name, decisions, round(max(subject.playouts)), greedy, f"{min(subject.micros['clone']):.1f}"]


def main() -> None:
    """Measure in interleaved rounds and print the best of each."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.engine")
    parser.add_argument("--game", choices=list(GAMES), help="measure this game only")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    measured = list(subjects(arguments.game))
    for subject in measured:
        collect_late_states(subject)
    loops, rivals = [], []
    rival = catanatron_player(import_module("catanatron")) if find_spec("catanatron") else None
    for number in range(arguments.rounds):
        loops.append(calibrate())
        for subject in measured:
            measure_playouts(subject, number * 100_000)
            measure_greedy_playouts(subject, number * 100_000)
            measure_functions(subject)
        if rival is not None:
            rivals.append(measure_catanatron(rival, number * 100_000))
    loop_us = min(loops)
    rounds = ", ".join(f"{loop:.1f}" for loop in loops)
    print(f"rules and referee: {running().value}")
    print(f"yardstick: 1,000 turns of a plain loop take {loop_us:.1f} µs (rounds: {rounds})")
    catanatron = max(rivals, default=0.0)
    if catanatron:
        print(f"catanatron: {catanatron:,.0f} decisions /s at random, four players")
    kept = [report(subject, loop_us, catanatron) for subject in measured]
    print(f"\n{sum(kept)} of {len(kept)} configurations keep their targets.")
    rows = [figures(subject) for subject in measured if subject.game.slug in BUILT_IN]
    if catanatron:
        rows.append(["Catanatron, for comparison", int(round(catanatron, -3)), None, None, None])
    columns = ("Game", "Decisions per CPU-second", "Random playouts", "Greedy playouts", "Clone, µs")
    name = "engine_compiled" if running() is RunsAs.COMPILED else "engine_source"
    save(name, {"games": Figures(columns, rows)})


if __name__ == "__main__":
    main()
