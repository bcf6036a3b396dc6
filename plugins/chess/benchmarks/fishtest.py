"""`arena test` at two seats beside fishtest's sequential test, on the same results.

    python -m plugins.chess.benchmarks.fishtest [--blocks 60] [--runs 100] [--keep DIR]

Two settings of Stockfish play a test of the arena, in pairs of games with one opening. Both tests judge these pairs in
their order: the arena's, and fishtest's generalised likelihood ratio of pentanomial counts (logistic Elo), as its
`LLR_logistic` computes it, with the bounds of Wald's test.

The second table draws pairs from the measured counts, tilted exponentially to a known difference, and gives the same
draws to both: how often either says better, and after how many pairs it decides.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

from arena_chess.export import exported
from arena_chess.new_bot import write_bot
from arena_chess.pgn import ImportedGame, read_games
from arena_chess.standings import block_of, pairs_of

from arena.bench.figures import Figures, save
from ratings.sequential.test import TestTerms, judge, terms
from referee.rng import Rng, seeded

BETTER, NOT_BETTER, OPEN = "better", "not better", "open"
ELO0, ELO1, ERROR = 0, 20, 0.05
BOUND = math.log((1 - ERROR) / ERROR)
LONGEST_RUN = 4_000
TRUE_ELO = (-20, 0, 10, 20, 40)
SETTINGS = ((480, 100), (140, 100))
"""Nodes of NEW and OLD."""

Fives = tuple[int, int, int, int, int]
Decision = tuple[str, int]
"""A verdict, and the pairs that it took."""


def score_of(elo: float) -> float:
    """Return the expected score of a difference in logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return fishtest's log-likelihood ratio of pentanomial counts: elo1 against elo0, each with its best frequencies.

    Counts of 0 become 0.001, as in fishtest. The best frequencies with a mean s are p / (1 + x (a - s)), where x makes
    their mean s (Van den Bergh, "Support of maximum likelihood estimates for multinomials").
    """
    filled = [count or 1e-3 for count in counts]
    total = sum(filled)
    held = [(place / (len(filled) - 1), count / total) for place, count in enumerate(filled)]
    under0, under1 = best_frequencies(held, score_of(elo0)), best_frequencies(held, score_of(elo1))
    return total * sum(share * math.log(one / zero) for (_, share), zero, one in zip(held, under0, under1, strict=True))


def best_frequencies(held: Sequence[tuple[float, float]], mean: float) -> list[float]:
    """Return the frequencies with a mean that make what was seen most likely, by bisection."""
    low, high = -1 / (held[-1][0] - mean), -1 / (held[0][0] - mean)
    for _ in range(60):
        middle = (low + high) / 2
        if sum(share * (at - mean) / (1 + middle * (at - mean)) for at, share in held) > 0:
            low = middle
        else:
            high = middle
    return [share / (1 + low * (at - mean)) for at, share in held]


def by_fishtest(half_points: Sequence[int]) -> Decision:
    """Judge pairs as fishtest does: at every pair, until the ratio leaves Wald's bounds."""
    counts = [0, 0, 0, 0, 0]
    for number, points in enumerate(half_points, 1):
        counts[points] += 1
        ratio = likelihood_ratio(counts, ELO0, ELO1)
        if abs(ratio) >= BOUND:
            return (BETTER if ratio > 0 else NOT_BETTER), number
    return OPEN, len(half_points)


def by_the_arena(half_points: Sequence[int], agreed: TestTerms, unit: int) -> Decision:
    """Judge pairs as `arena test` does (T14)."""
    test = judge(agreed, [(points - 2) * unit for points in half_points])
    return (str(test.verdict) if test.verdict in (BETTER, NOT_BETTER) else OPEN), test.blocks


def unit_of() -> int:
    """Return what half a point in a pair is in the arena's units, from a pair with one."""
    won = ImportedGame(1, ("A", "B"), "1-0", "", (), "")
    drawn = ImportedGame(2, ("B", "A"), "1/2-1/2", "", (), "")
    return block_of((won, drawn)).difference("A", "B")


def tilted(counts: Sequence[int], elo: float) -> list[float]:
    """Return measured frequencies with the weights that give them the mean of a difference in Elo."""
    filled = [(count or 0.5) for count in counts]
    low, high = -60.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        weights = [count * math.exp(middle * place / 4) for place, count in enumerate(filled)]
        mean = sum(weight * place / 4 for place, weight in enumerate(weights)) / sum(weights)
        low, high = (middle, high) if mean < score_of(elo) else (low, middle)
    return [weight / sum(weights) for weight in weights]


def drawn(frequencies: Sequence[float], rng: Rng, count: int) -> list[int]:
    """Return pairs drawn with these frequencies."""
    ends = [sum(frequencies[: place + 1]) for place in range(5)]
    return [next((place for place in range(4) if at < ends[place]), 4) for at in uniform(rng, count)]


def uniform(rng: Rng, count: int) -> list[float]:
    """Return uniform numbers from 0 to 1."""
    return [rng.next64() / (1 << 64) for _ in range(count)]


def played(folder: Path, new: int, old: int, blocks: int) -> list[int]:
    """Play a test, unless its database is there, and return NEW's half-points of every pair in order."""
    names = [f"stockfish-{nodes}" for nodes in (new, old)]
    for nodes, name in zip((new, old), names, strict=True):
        if not (folder / name).exists():
            settings = ["Threads=1", "Hash=16"]
            write_bot(folder / name, name, ["stockfish"], settings, [f"nodes={nodes}"], is_deterministic=True)
    db = folder / f"test-{new}-{old}.db"
    if not db.exists():
        options = [
            "opening=book",
            "resign_moves=2",
            "resign_score=500",
            "draw_moves=4",
            "draw_score=20",
            "draw_from=30",
        ]
        subprocess.run(
            [
                sys.executable, "-m", "arena", "test", str(folder / names[0]), "--against", str(folder / names[1]),
                "--game", "chess", *(word for option in options for word in ("--option", option)),
                # Bounds out of reach: the whole series is wanted, and both tests judge it afterwards.
                "--alpha", "1e-9", "--beta", "1e-9", "--max-blocks", str(blocks), "--keep-processes",
                "--seed", "18", "--db", str(db), "--quiet",
            ],
            check=False, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    file = folder / f"test-{new}-{old}.pgn"
    file.write_text("".join(f"{game}\n\n" for game in exported([], db, None)), encoding="utf-8")
    games = [game for game in read_games(file) if isinstance(game, ImportedGame)]
    pairs, single = pairs_of(games)
    assert not single, "every game has its pair"
    counted = [block_of(pair).pairs(*names) for pair in pairs]
    return [2 * each.wins + each.draws for each in counted]


def main() -> None:
    """Play, judge twice, and simulate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="keep the databases in this folder")
    told = parser.parse_args()
    agreed = terms(2, elo0=Decimal(ELO0), elo1=Decimal(ELO1), max_blocks=LONGEST_RUN)
    unit = unit_of()
    series = Figures(("NEW against OLD, nodes", "Pairs 0-½-1-1½-2", "Elo", "arena test", "fishtest", "fishtest LLR"))
    counts: list[int] = []
    with TemporaryDirectory() as temporary:
        folder = told.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for new, old in SETTINGS:
            half_points = played(folder, new, old, told.blocks)
            counts = [half_points.count(points) for points in range(5)]
            mean = sum(half_points) / (4 * len(half_points))
            verdicts = by_the_arena(half_points, agreed, unit), by_fishtest(half_points)
            series.add(
                f"{new} against {old}", "-".join(map(str, counts)), f"{-400 * math.log10(1 / mean - 1):+.0f}",
                *(f"{verdict} after {pairs}" if verdict != OPEN else OPEN for verdict, pairs in verdicts),
                f"{likelihood_ratio(counts, ELO0, ELO1):+.2f}",
            )  # fmt: skip
    runs = Figures(
        ("True Elo", "arena: better", "arena: not better", "arena: pairs", "fishtest: better", "fishtest: not better",
         "fishtest: pairs")
    )  # fmt: skip
    for elo in TRUE_ELO:
        frequencies = tilted(counts, elo)
        draws = [drawn(frequencies, seeded(1000 * run + elo), LONGEST_RUN) for run in range(told.runs)]
        cells: list[str] = []
        for decisions in (
            [by_the_arena(draw, agreed, unit) for draw in draws],
            [by_fishtest(draw) for draw in draws],
        ):
            for word in (BETTER, NOT_BETTER):
                cells.append(f"{sum(verdict == word for verdict, _ in decisions) / len(decisions):.1%}")
            cells.append(f"{statistics.median(pairs for _, pairs in decisions):.0f}")
        runs.add(f"{elo:+d}", *cells)
    save("chess_fishtest", {"series": series, "runs": runs})


if __name__ == "__main__":
    main()
