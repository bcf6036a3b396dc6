"""The promises of T14 to T16, tested on simulations of known truth: errors, games, intervals, focus rounds.

python -m arena.bench.sequential [--part errors] [--scale 0.1] [--pictures docs/images]
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import sqrt
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt

from arena.bench.figures import Figures, Targets, Value, save
from arena.bench.line_chart import Chart, Line
from arena.bench.sequential_models import (
    MODELS,
    BlockModel,
    Floats,
    Integers,
    Lottery,
    SimulatedTournament,
    WanderingLottery,
    collapsing,
    ladder,
    lottery,
    run_tournament,
    twins,
)
from ratings.points.points import UNIT
from ratings.sequential.compare import GRID, interval_at_any_look, slope
from ratings.sequential.e_values import WEIGHTS
from ratings.sequential.link import mean_of_elo
from ratings.sequential.test import TestTerms, Verdict, error_bound, judge, terms

SEATS = (2, 3, 4, 5)
LOOKS = 2000
PEEKING_BLOCKS = 3000


@dataclass
class Report(Targets):
    """The figures of the docs, and the targets."""

    rows: dict[str, list[list[Value]]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The number of simulated tests by how they ended."""

    verdicts: npt.NDArray[np.int8]
    """1 better, -1 not better, 0 inconclusive."""
    blocks: Integers
    seats: int

    def rate(self, verdict: int) -> float:
        """How often this was the verdict."""
        return float((self.verdicts == verdict).mean())

    def error(self, verdict: int) -> float:
        """The standard error of that rate."""
        return sqrt(max(self.rate(verdict) * (1 - self.rate(verdict)), 1e-9) / len(self.verdicts))

    @property
    def games(self) -> float:
        """Mean number of games until the verdict."""
        return float(self.blocks.mean()) * self.seats


WORDS = {1: Verdict.BETTER, -1: Verdict.NOT_BETTER, 0: Verdict.INCONCLUSIVE}
CHECKED_RUNS = 25


def simulate(agreed: TestTerms, truth: Lottery | WanderingLottery, runs: int, rng: np.random.Generator) -> Outcomes:
    """T14: simulate many tests in floats; some of them are judged by the product too, and must agree."""
    mu0, mu1 = agreed.mu0 / 1e6, agreed.mu1 / 1e6
    shares = truth.values / (agreed.seats * UNIT)
    verdicts, ended = np.zeros(runs, np.int8), np.full(runs, agreed.max_blocks)
    evidence = np.zeros((2, runs))
    total = np.zeros((2, runs))
    squares = np.full((2, runs), 10 * (agreed.seats + 1) / (6 * (agreed.seats - 1) ** 2) / agreed.copies)
    caps = 0.9 / (1 + np.abs(np.array([[mu0], [mu1]])))
    alive = np.arange(runs)
    seen: list[list[int]] = [[] for _ in range(min(CHECKED_RUNS, runs))]
    for block in range(agreed.max_blocks):
        codes = truth.draw_next(alive, rng)
        for place in range(int(np.searchsorted(alive, len(seen)))):
            seen[alive[place]].append(int(truth.values[codes[place]]))
        x = shares[codes]
        z = np.stack([x - mu0, mu1 - x])
        drift = np.maximum((mu1 - mu0) * (10 + block), total - np.sqrt(squares))
        weight = np.floor(np.minimum(caps, drift / squares) * 2**20) / 2**20
        evidence += np.floor(1e6 * np.log1p(weight * z))
        total += z
        squares += z * z
        better = evidence[0] >= agreed.better_bound
        not_better = ~better & (evidence[1] >= agreed.not_better_bound)
        done = better | not_better
        if done.any():
            verdicts[alive[better]], verdicts[alive[not_better]] = 1, -1
            ended[alive[done]] = block + 1
            keep = ~done
            alive, evidence, total, squares = alive[keep], evidence[:, keep], total[:, keep], squares[:, keep]
            if not len(alive):
                break
    for run, differences in enumerate(seen):
        progress = judge(agreed, differences)
        if (progress.verdict, progress.blocks) != (WORDS[int(verdicts[run])], ended[run]):
            raise AssertionError(f"the product says {progress.verdict} at block {progress.blocks}, not as simulated")
    return Outcomes(verdicts, ended, agreed.seats)


def errors(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T18: a wrong `better` at 0 and a wrong `not better` at elo1, each in at most 5 % of tests."""
    report.check("wrong verdicts (target 5 %, + 2 standard errors)")
    for seats in SEATS:
        _error_cell(report, f"k={seats} plain", seats, MODELS["plain"](seats), max(20, int(10_000 * scale)), rng)
    for name, make in MODELS.items():
        if name != "plain":
            _error_cell(report, f"k=4 {name}", 4, make(4), max(20, int(4_000 * scale)), rng)
    found = simulate(terms(4), collapsing(), max(20, int(4_000 * scale)), rng)
    rate, games = _error_line(report, "k=4 rare collapses, at 0", found, 1)
    report.rows["errors"].append([4, "rare collapses", rate, "–", games])


def _error_cell(report: Report, name: str, seats: int, played: BlockModel, runs: int, rng: np.random.Generator) -> None:
    agreed = terms(seats)
    (at_zero, games), (at_elo1, games_at_elo1) = (
        _error_line(report, f"{name}, {where}", simulate(agreed, lottery(played, mean / 1e6), runs, rng), verdict)
        for where, mean, verdict in (("at 0", 0, 1), ("at elo1", agreed.mu1, -1))
    )
    report.rows["errors"].append([seats, name.partition(" ")[2], at_zero, at_elo1, f"{games}; {games_at_elo1}"])


def _error_line(report: Report, name: str, found: Outcomes, verdict: int) -> tuple[str, str]:
    rate, error = found.rate(verdict), found.error(verdict)
    report.check(
        f"  {name:36s} wrong {WORDS[verdict].value:10s} {100 * rate:5.2f} % ({100 * error:.2f})"
        f"  mean games {found.games:6,.0f}",
        is_met=rate <= 0.05 + 2 * error,
    )
    return f"{100 * rate:.2f} % ({100 * error:.2f})", f"{found.games:,.0f}"


WANDERING = (
    (4, 0, 0.0),
    (4, 17, 0.9),
    (4, 52, 0.9),
    (4, 52, 0.99),
    (4, 174, 0.5),
    (2, 52, 0.9),
    (4, 52, 0.0),
    (4, 174, 0.0),
)
"""T14.4: seats, standard deviation of NEW's strength in Elo, and its correlation from block to block."""


def wandering(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T14.4: wrong `better` verdicts if NEW's strength wanders: no promise holds, so there is no target with one."""
    report.check("wrong `better` if NEW's strength wanders around 0; with fresh processes the correlation is 0")
    runs = max(20, int(1_000 * scale))
    for seats, deviation, correlation in WANDERING:
        row: list[Value] = [seats, deviation, f"{correlation:g}"]
        for agreed in (terms(seats), terms(seats, elo1=Decimal(40), max_blocks=1500)):
            truth = WanderingLottery(lottery(BlockModel(seats), 0.0), runs, deviation, correlation, rng)
            found = simulate(agreed, truth, runs, rng)
            rate, error = found.rate(1), found.error(1)
            report.check(
                f"  k={seats} {deviation:3d} Elo, correlation {correlation:4g}, elo1 {agreed.elo1}:"
                f" {100 * rate:5.2f} % ({100 * error:.2f})  mean blocks {found.blocks.mean():6,.0f}",
                is_met=None if correlation else rate <= 0.05 + 2 * error,
            )
            row.append(f"{100 * rate:.1f} % ({100 * error:.1f})")
        report.rows["wandering"].append(row)


def fixed_length(agreed: TestTerms) -> float:
    """Games of a test of fixed length with the same errors of 5 %, by normal quantiles."""
    variance = lottery(BlockModel(agreed.seats), 0.0).variance
    return agreed.seats * variance * (2 * 1.645 / ((agreed.mu1 - agreed.mu0) / 1e6)) ** 2


ELO_TRIED = (0, 10, 20, 25, 50, 100)
GAMES_TARGETS = {0: 1550, 20: 1550, 50: 420, 100: 170}


def games(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T18: games until the verdict, by the true difference; the targets are for tables of four."""
    report.check("games until the verdict, and how often it is `better`")
    for seats in SEATS:
        agreed = terms(seats)
        row: list[Value] = [seats]
        for elo in ELO_TRIED:
            mean = mean_of_elo(Decimal(elo), seats) / 1e6
            found = simulate(agreed, lottery(BlockModel(seats), mean), max(20, int(5_000 * scale)), rng)
            target = GAMES_TARGETS.get(elo) if seats == 4 else None
            report.check(
                f"  k={seats} {elo:+4d} Elo  better {100 * found.rate(1):5.1f} %  mean games {found.games:6,.0f}"
                + (f" (target {target:,})" if target else "")
                + (f"  fixed length {fixed_length(agreed):,.0f}" if elo == 0 else ""),
                is_met=found.games <= target if target else None,
            )
            row.append(f"{found.games:,.0f} ({100 * found.rate(1):.0f} %)")
        report.rows["lengths"].append([*row, round(fixed_length(agreed))])


def holds_at_every_look(truth: Lottery, runs: int, looks: int, rng: np.random.Generator) -> Floats:
    """T15.3: how often the interval has held the true mean at all of the first 1, 2, ... looks."""
    mean, bound = truth.mean, error_bound(Decimal("0.05"), sides=2) / 1e6
    weights = np.array([float(weight) for weight in WEIGHTS])
    gains = (truth.values / (truth.seats * UNIT) - mean) / (1 + abs(mean))
    held = np.ones((runs, looks), dtype=bool)
    for first in range(0, runs, 100):
        codes = truth.draw((min(100, runs - first), looks), rng)
        for side in (1, -1):
            sums = np.cumsum(np.log1p(side * gains[:, None] * weights)[codes], axis=1)
            most = sums.max(axis=2)
            evidence = most + np.log(np.exp(sums - most[:, :, None]).mean(axis=2))
            held[first : first + len(codes)] &= evidence < bound
    share: Floats = np.logical_and.accumulate(held, axis=1).mean(axis=0)
    return share


WIDTH_BLOCKS = (25, 100, 400, 1000, 2000)


def widths(
    truth: Lottery, runs: int, rng: np.random.Generator, sizes: tuple[int, ...] = WIDTH_BLOCKS
) -> dict[int, tuple[float, float]]:
    """T15.3: by the number of blocks, half of the interval's mean width in points, and of that of one look."""
    found = dict.fromkeys(sizes, (0.0, 0.0))
    for _ in range(runs):
        drawn = truth.values[truth.draw(max(sizes), rng)]
        for blocks in sizes:
            part = drawn[:blocks]
            interval = interval_at_any_look(part.tolist(), truth.seats)
            one_look = 1.96 * float(np.std(part / (truth.seats * UNIT))) / sqrt(blocks)
            wide, narrow = found[blocks]
            half = (interval.upper - interval.lower) / 2 / GRID
            found[blocks] = (wide + half / runs, narrow + one_look / runs)
    return found


def intervals(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T18: the interval holds at all of 2,000 looks in 95 % of runs, and is at most 1.75 times that of one look."""
    report.check(f"intervals that hold the truth at all of {LOOKS:,} looks (target 95 %)")
    runs = max(50, int(1_500 * scale))
    truths = {f"k={seats} plain": lottery(BlockModel(seats), 0.0) for seats in SEATS}
    truths["k=4 +100 Elo"] = lottery(BlockModel(4, elo=100))
    truths |= {f"k=4 {name}": lottery(make(4), 0.0) for name, make in MODELS.items() if name != "plain"}
    truths["k=4 rare collapses"] = collapsing()
    for name, truth in truths.items():
        share = float(holds_at_every_look(truth, runs, LOOKS, rng)[-1])
        error = sqrt(max(share * (1 - share), 1e-9) / runs)
        report.check(f"  {name:36s} {100 * share:6.2f} % ({100 * error:.2f})", is_met=share + 2 * error >= 0.95)
    report.check("half-widths in Elo, and by how much they are wider than at one look (target 1.75 from 400 blocks on)")
    for seats in SEATS:
        row: list[Value] = [seats]
        for blocks, (wide, narrow) in widths(lottery(BlockModel(seats), 0.0), max(5, int(60 * scale)), rng).items():
            report.check(
                f"  k={seats} {blocks:5,} blocks  +-{wide / slope(seats):5.1f} Elo  {wide / narrow:.2f} x",
                is_met=wide / narrow <= 1.75 if blocks >= 400 else None,
            )
            row.append(f"± {wide / slope(seats):.0f} Elo ({wide / narrow:.1f} ×)")
        report.rows["widths"].append(row)


def named_by_peeking(truth: Lottery, runs: int, blocks: int, rng: np.random.Generator) -> Floats:
    """How often, between equals, a likelihood of superiority of 95 % has named a winner by block 1, 2, ... (T15.4)."""
    shares = truth.values / (truth.seats * UNIT)
    named = np.zeros((runs, blocks), dtype=bool)
    count = np.arange(1, blocks + 1)
    for first in range(0, runs, 200):
        x = shares[truth.draw((min(200, runs - first), blocks), rng)]
        mean = np.cumsum(x, axis=1) / count
        variance = np.maximum(1e-6, np.cumsum(x * x, axis=1) / count - mean**2)
        # Nobody would take a likelihood seriously before ten blocks.
        named[first : first + len(x)] = (np.abs(mean) >= 1.645 * np.sqrt(variance / count)) & (count >= 10)
    share: Floats = np.logical_or.accumulate(named, axis=1).mean(axis=0)
    return share


def peeking(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T15.4: why a watched likelihood must not decide."""
    report.check(f"a winner named between equals, by {PEEKING_BLOCKS:,} blocks, k=4")
    by_los, by_e_value = _peeking(scale, rng)
    report.check(f"  likelihood of superiority of 95 %, watched {100 * by_los[-1]:5.1f} %")
    report.check(
        f"  e-value of T15, 40 to 1 on either side     {100 * by_e_value[-1]:5.1f} %", is_met=by_e_value[-1] <= 0.06
    )


def _peeking(scale: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    truth, runs = lottery(BlockModel(4), 0.0), max(100, int(2_000 * scale))
    return (
        named_by_peeking(truth, runs, PEEKING_BLOCKS, rng),
        1 - holds_at_every_look(truth, runs, PEEKING_BLOCKS, rng),
    )


LADDER_TARGET = 18_000
LADDER_CAP = 30_000


def focus(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T18: focus rounds of 16 bots at tables of four, 30 Elo apart: games until all 15 neighbours are claimed."""
    report.check("16 bots 30 Elo apart, tables of four: games until no neighbour is open")
    for way, most in (("focus", 20), ("sorted", 5), ("uniform", 5)):
        tournaments = [
            run_tournament(ladder(16, 30.0), 4, way=way, seed=int(rng.integers(2**32)), cap=LADDER_CAP)
            for _ in range(max(1, int(most * scale)))
        ]
        _tournaments_line(report, way, tournaments, LADDER_TARGET if way == "focus" else None)


def _tournaments_line(report: Report, way: str, tournaments: list[SimulatedTournament], target: int | None) -> None:
    spent = sorted(tournament.games for tournament in tournaments)
    median = float(np.median(spent))
    wrong = sum(tournament.wrong > 0 for tournament in tournaments)
    left = float(np.mean([tournament.open for tournament in tournaments]))
    span = f"{median:,.0f} ({spent[0]:,} to {spent[-1]:,})" if median < LADDER_CAP else f"over {LADDER_CAP:,}"
    report.rows["ladder"].append([way, len(tournaments), span, f"{left:.1f} of 15"])
    report.check(
        f"  {way:8s} {len(tournaments):3d} tournaments  median {median:7,.0f}"
        + (f" (target {target:,})" if target else "")
        + f"  least {spent[0]:,}, most {spent[-1]:,}  still open {left:.1f}  tournaments with a wrong claim {wrong}",
        is_met=median <= target and wrong <= 0.05 * len(tournaments) if target else None,
    )


def claims(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T18: no wrong `>` in 95 % of close tournaments, half of them with twins."""
    report.check("6 bots, tables of three, close strengths (SD 52 Elo, half with twins), 2,400 games each")
    count = max(2, int(300 * scale))
    tournaments = [
        run_tournament(
            twins(6, 52.0, rng, is_twin=number % 2 == 0), 3, way="focus", seed=int(rng.integers(2**32)), cap=2_400
        )
        for number in range(count)
    ]
    wrong, made = sum(each.wrong > 0 for each in tournaments), sum(each.claims for each in tournaments)
    report.check(
        f"  tournaments with a wrong claim {wrong} of {count} (target 5 %), claims made {made:,}",
        is_met=wrong <= 0.05 * count,
    )


def speed(report: Report, scale: float, rng: np.random.Generator) -> None:
    """T18: judge 5,000 blocks in at most 2 s of CPU time."""
    del scale
    agreed = terms(4, alpha=Decimal("1e-300"), beta=Decimal("1e-300"))
    differences = [240 * int(number) for number in rng.integers(-20, 21, 5_000)]
    began = process_time()
    progress = judge(agreed, differences)
    elapsed = process_time() - began
    assert progress.blocks == 5_000
    report.check(f"5,000 blocks judged in {elapsed:.3f} s of CPU time (target 2 s)", is_met=elapsed <= 2)


PARTS: dict[str, Callable[[Report, float, np.random.Generator], None]] = {
    part.__name__: part for part in (speed, errors, wandering, games, intervals, peeking, focus, claims)
}


def _thinned(curve: Floats) -> Iterator[tuple[float, float]]:
    """Points of a curve that lie evenly on a logarithmic axis."""
    blocks = sorted({int(number) for number in np.geomspace(10, len(curve), 120)})
    return ((float(number), float(100 * curve[number - 1])) for number in blocks)


def pictures(directory: Path, scale: float, rng: np.random.Generator) -> None:
    """Draw the error of peeking and the width of the interval."""
    by_los, by_e_value = _peeking(scale, rng)
    Chart(
        title="How often a winner is named between two equal bots",
        x_title="blocks of four games, looked at after every one",
        y_title="% of tests",
        y_max=100,
        lines=(
            Line("likelihood of 95 %", tuple(_thinned(by_los)), "#b3261e"),
            Line("e-value, 40 to 1", tuple(_thinned(by_e_value)), "#1a56a8"),
            Line("5 % promised", ((10.0, 5.0), (float(PEEKING_BLOCKS), 5.0)), "#6b6b6b", is_dashed=True),
        ),
    ).write(directory / "error-of-peeking.svg")
    truth, runs = lottery(BlockModel(4), 0.0), max(5, int(60 * scale))
    found = widths(truth, runs, rng, (25, 35, 50, 70, 100, 150, 250, 400, 700, 1200, 2500))
    Chart(
        title="How far the interval reaches to either side, tables of four",
        x_title="games",
        y_title="Elo",
        y_max=200,
        lines=tuple(
            Line(name, tuple((4.0 * blocks, both[which] / slope(4)) for blocks, both in found.items()), colour)
            for which, name, colour in ((0, "at any look", "#1a56a8"), (1, "at one look", "#b3261e"))
        ),
    ).write(directory / "width-against-games.svg")


COLUMNS = {
    "errors": ("Seats", "Model", "Wrong `better` at 0 Elo", "Wrong `not better` at elo1", "Mean games"),
    "lengths": ("Seats", *(f"{elo:+} Elo" if elo else "0 Elo" for elo in ELO_TRIED), "Fixed"),
    "widths": ("Seats", *(f"{blocks:,} blocks" for blocks in WIDTH_BLOCKS)),
    "ladder": ("Tables", "Tournaments", "Median games", "Neighbours open in the end"),
    "wandering": (
        "Seats", "Deviation in Elo", "Correlation of blocks", "Wrong `better`, defaults", "Wrong `better`, `--elo1 40`",
    ),
}  # fmt: skip
APART = {"wandering": "wandering"}
"""Tables with a file of results of their own, so that they are measured again by themselves."""


def main() -> int:
    """Print the measurements with their targets; the exit code is 1 if one was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument("--scale", type=float, default=1.0, help="the share of the full number of runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, help="draw the pictures into this directory instead")
    options = parser.parse_args()
    if options.pictures:
        pictures(options.pictures, options.scale, np.random.default_rng(options.seed))
        return 0
    report = Report()
    for name in options.part or PARTS:
        # Every part has its own random numbers, so that it gives the same results alone.
        PARTS[name](report, options.scale, np.random.default_rng([options.seed, *name.encode()]))
    files: dict[str, dict[str, Figures]] = defaultdict(dict)
    for name, rows in report.rows.items():
        files[APART.get(name, "sequential")][name] = Figures(COLUMNS[name], rows)
    for name, tables in files.items():
        save(name, tables)
    print(f"{len(report.missed)} targets missed")
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
