"""Whether search grows with its budget, and what each of its ideas brings: in process, seat against seat.

    arena bench search
    python -m arena.bench.search --kept benchmarks/results/search.jsonl --seconds 600   # in pieces: run it again
    python -m arena.bench.search --game norenberc --only budgets --blocks 20

A block is one seed: the two policies play it in every seating, so that luck of the seats and most luck of the cards
cancels. Its share is that of pairs of one seat of each whose match the first policy ended ahead, a tie counting half;
± is the standard error over blocks, which of a few of them is rough itself. Budgets are nodes for each decision, so
that the same seeds give the same shares on every machine. The row that has had the least CPU time gains the next
block, and the tables show how many it has.
Ends with exit code 1 if a larger budget's share is below its target, and with 3 if time ran out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import blake2b
from itertools import pairwise, permutations
from math import sqrt
from statistics import fmean, stdev
from time import process_time

from arena.bench.figures import Figures, Targets, Value, save
from arena.bench.pieces import OutOfTimeError, Pieces, add_options
from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.policy import Policy, Question, play_match
from referee.rng import Rng
from referee.search.budget import SearchBudget
from referee.search.engine import STYLE, choose
from referee.search.style import Style

BASE = 10
TIMES = (1, 3, 10, 30, 100)
TARGET = 0.55
BLOCKS = 40
FIRST_SEED = 31_000
SEATS = {"carcassonne_city": 2, "furstenfeld": 2, "norenberc": 2, "nuremberg": 4}
IDEA_NODES = 50
WEIGHTS = {"tuned": (True,), "default": (False,), "both": (True, False)}
IDEAS: dict[str, dict[str, object]] = {
    "no race at the root: confidence bounds": {"races": False},
    "race without regard to the budget: all moves": {"width": 1000.0},
    "race of half as many moves": {"width": 0.5},
    "no tree below the root": {"patience": float("inf")},
    "no bonus for the heuristic's favourites": {"trust": 0.0},
    "four times the exploration": {"explore": 0.2},
    "others play by the heuristic with noise": {"models_others": True},
    "rollouts with noise": {"is_noisy": True},
    "others and rollouts with noise": {"models_others": True, "is_noisy": True},
    "no rollouts: the heuristic rates the leaf": {"reach": 0.0},
    "rollouts half as long": {"reach": 0.5},
    "rollouts twice as long": {"reach": 2.0},
    "half by the leaf, half by the rollout": {"leaf_weight": 0.5},
    "values are chances to win, not shares": {"counts_shares": False},
    "rollouts to our next turn": {"turns": 1},
    "rollouts to our next turn but one": {"turns": 2},
    "rollouts to our third turn": {"turns": 3},
    "four times the trust in the heuristic": {"trust": 8.0},
}


@dataclass(frozen=True)
class Searcher:
    """A search with a budget of nodes, as a policy."""

    nodes: int
    style: Style = STYLE
    is_tuned: bool = True
    """Whether it searches by the tuned weights, as the champion does."""

    def __str__(self) -> str:
        settings = ((field.name, getattr(self.style, field.name), field.default) for field in fields(Style))
        said = (f", {name} {value}" for name, value, default in settings if value != default)
        return f"{self.nodes} nodes{'' if self.is_tuned else ', default weights'}{''.join(said)}"

    def __call__(self, question: Question) -> int:
        """Return the best option."""
        name = f"{question.match_id}/{question.seat}/{question.prompt_id}"
        rng = Rng(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big"))
        budget = SearchBudget(self.nodes)
        game = question.game
        heuristic = game.tuned_heuristic(question.seats) if self.is_tuned else None
        return choose(
            game, question.imagine, question.seat, question.options, rng, budget, self.style, heuristic, trades=False
        )


@dataclass(frozen=True)
class Row:
    """Two searches that meet."""

    slug: str
    label: str
    one: Searcher
    other: Searcher

    def __str__(self) -> str:
        return f"{self.slug}: {self.label}: {self.one.nodes}"

    @property
    def key(self) -> str:
        """What its blocks are kept under: another style is another row."""
        return f"{self.slug}, {self.one} against {self.other}"

    def block(self, seed: int) -> tuple[float, float]:
        """Play one seed in every seating; return the share of the first and the CPU seconds it took."""
        game, begun = GAMES[self.slug], process_time()
        return fmean(share(game, seating, seed, self) for seating in seatings(SEATS[self.slug])), process_time() - begun


@dataclass(frozen=True)
class Result:
    """What the blocks of a row say."""

    row: Row
    shares: Sequence[float]
    seconds: float

    @property
    def mean(self) -> float:
        """The share of the first."""
        return fmean(self.shares)

    @property
    def error(self) -> float:
        """Its standard error, of two blocks or more."""
        return stdev(self.shares) / sqrt(len(self.shares))

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.error:.3f}" if len(self.shares) > 1 else f"{self.mean:.3f}"


def seatings(seats: int) -> list[tuple[bool, ...]]:
    """Return who sits where: every way for two, and alternately for more."""
    if seats == 2:
        return list(permutations((True, False)))
    return [tuple((seat + turn) % 2 == 0 for seat in range(seats)) for turn in range(2)]


def share(game: AnyGame, seating: Sequence[bool], seed: int, row: Row) -> float:
    """Play a match; return the share of the first policy's seats over the other's."""
    policies: list[Policy] = [row.one if is_first else row.other for is_first in seating]
    name = "".join("AB"[not is_first] for is_first in seating)
    ranks = play_match(game, policies, seed, game.options({}), f"{seed}-{name}").outcome.ranks
    pairs = [
        (own, other)
        for own, is_first in zip(ranks, seating, strict=True)
        if is_first
        for other, is_other in zip(ranks, seating, strict=True)
        if not is_other
    ]
    return fmean(1.0 if own < other else 0.5 if own == other else 0.0 for own, other in pairs)


def budgets(slug: str, base: int, *, is_tuned: bool = True) -> Iterator[Row]:
    """Yield every budget against the one before, about a third of it."""
    for less, more in pairwise(TIMES):
        one, other = (Searcher(times * base, STYLE, is_tuned) for times in (more, less))
        yield Row(slug, f"{one.nodes:,} against {other.nodes:,}", one, other)


def ideas(slug: str, nodes: int, *, is_tuned: bool = False) -> Iterator[Row]:
    """Yield every change of the style against the style as it is."""
    for label, change in IDEAS.items():
        changed = replace(STYLE, **change)  # type: ignore[arg-type]
        yield Row(slug, label, Searcher(nodes, changed, is_tuned), Searcher(nodes, STYLE, is_tuned))


def played(rows: Sequence[Row], first: int, blocks: int, pieces: Pieces) -> tuple[list[Result], bool]:
    """Return what is known of all rows, and whether that is all that was asked."""
    shares: dict[Row, list[float]] = {row: [] for row in rows}
    seconds = dict.fromkeys(rows, 0.0)

    def name(row: Row) -> str:
        return f"{row.key}: {first + len(shares[row])}"

    def add(row: Row) -> None:
        share, spent = pieces.get(name(row), partial(row.block, first + len(shares[row])))
        shares[row].append(share)
        seconds[row] += spent

    is_done = True
    for row in rows:
        while len(shares[row]) < blocks and name(row) in pieces.done:
            add(row)
    try:
        while waiting := [row for row in rows if len(shares[row]) < blocks]:
            add(min(waiting, key=seconds.__getitem__))
    except OutOfTimeError:
        is_done = False
    return [Result(row, shares[row], seconds[row]) for row in rows if shares[row]], is_done


def budget_table(results: Sequence[Result]) -> Figures:
    """Return a line for every step of the budget in every game."""
    return Figures(
        ("Game", "Seats", "Weights", "Nodes", "Share of the larger budget", "Blocks", "CPU time"),
        [
            (GAMES[each.row.slug].title, SEATS[each.row.slug], "tuned" if each.row.one.is_tuned else "default",
             each.row.label, str(each), len(each.shares), f"{each.seconds:.0f} s")
            for each in results
        ],
    )  # fmt: skip


def idea_table(results: Sequence[Result], slugs: Sequence[str]) -> Figures:
    """Return a line for every idea, with its share in every game and over all blocks."""
    by_row = {(each.row.label, each.row.slug): each for each in results}
    lines: list[list[Value]] = []
    for label in IDEAS:
        found = [by_row.get((label, slug)) for slug in slugs]
        known = [each for each in found if each is not None]
        if known:
            pooled = Result(known[0].row, [share for each in known for share in each.shares], 0.0)
            lines.append([label, *(str(each) if each else None for each in found), str(pooled), len(pooled.shares)])
    titles = [f"{GAMES[slug].title}, {SEATS[slug]} seats" for slug in slugs]
    return Figures(("Changed", *titles, "All blocks", "Blocks"), lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print both tables."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.search")
    parser.add_argument("--game", choices=BUILT_IN, action="append", help="this game only; repeatable")
    parser.add_argument("--only", choices=("budgets", "ideas"), help="one of the two tables only")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"seeds of each row ({BLOCKS})")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--base", type=int, default=BASE, help=f"nodes of the smallest budget ({BASE})")
    parser.add_argument("--weights", choices=WEIGHTS, default="both", help="of budgets; ideas have the default ones")
    parser.add_argument("--idea-nodes", type=int, default=IDEA_NODES, help=f"nodes when ideas meet ({IDEA_NODES})")
    add_options(parser)
    asked = parser.parse_args(arguments)
    slugs, pieces = asked.game or list(SEATS), Pieces(asked.kept, asked.seconds)
    wanted = {
        "budgets": [
            row
            for slug in slugs
            for is_tuned in WEIGHTS[asked.weights]
            for row in budgets(slug, asked.base, is_tuned=is_tuned)
        ],
        "ideas": [row for slug in slugs for row in ideas(slug, asked.idea_nodes)],
    }
    tables, targets, is_all = {}, Targets(), True
    for name, rows in wanted.items():
        if asked.only not in (None, name):
            continue
        results, is_done = played(rows, asked.first_seed, asked.blocks, pieces)
        is_all = is_all and is_done
        tables[name] = budget_table(results) if name == "budgets" else idea_table(results, slugs)
        print(tables[name], flush=True)
        if name == "budgets":
            for result in results:
                targets.check(f"{result.row.key}: {result} (at least {TARGET})", result.mean >= TARGET)
    save("search", tables)
    if not is_all:
        print("time is up: run it again with the same --kept")
        return 3
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
