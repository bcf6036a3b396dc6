"""A Swiss tournament of six settings of one engine: the arena's ratings against a plain Bradley-Terry fit.

    python -m plugins.chess.benchmarks.agreement [--rounds 260] [--keep DIR]

The settings differ in the nodes that Stockfish may search, so that their order is known. Both fits read the same games:
the arena's from its database, the plain one (maximum likelihood, a draw is half a win for each, no prior) from the
results written out. A third column has BayesElo's prior of two draws, for comparison.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arena_chess.new_bot import write_bot

from arena.bench.figures import Figures, Targets, save
from arena.store.database import open_to_read
from referee.order import Ending

NODES = (100, 160, 250, 400, 640, 1_000)
WITHIN = 5.0  # Elo
PRIOR_DRAWS = 2.0  # BayesElo's default
TOURNAMENT = """
name = "settings"
game = "chess"
bots = [{bots}]
seed = 18
rounds = {rounds}
rating_rounds = 0
verify = "sample"

[options.chess]
opening = "book"
resign_moves = 2
resign_score = 500
draw_moves = 4
draw_score = 20
draw_from = 30

[time_control]
bank_ms = 600000
increment_ms = 1000
"""


def name_of(nodes: int) -> str:
    """Return what a setting is called."""
    return f"stockfish-{nodes}"


def play(folder: Path, rounds: int) -> Path:
    """Play the tournament, and return its database."""
    for nodes in NODES:
        limits, settings = [f"nodes={nodes}"], ["Threads=1", "Hash=16"]
        write_bot(folder / name_of(nodes), name_of(nodes), ["stockfish"], settings, limits, is_deterministic=True)
    file = folder / "tournament.toml"
    bots = ", ".join(json.dumps(name_of(nodes)) for nodes in NODES)
    file.write_text(TOURNAMENT.format(bots=bots, rounds=rounds), encoding="utf-8")
    db = folder / "arena.db"
    arena(folder, "tournament", "run", str(file), "--db", str(db), "--quiet")
    return db


def arena(folder: Path, *words: str) -> str:
    """Run a command of the arena, and return its output."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def games_of(db: Path) -> list[tuple[str, str, float]]:
    """Return White, Black and White's points of every game that counts."""
    store = open_to_read(db)
    try:
        return [
            (*(label.partition("@")[0] for label in match.seating), match.scores[0] / 2)  # type: ignore[misc]  # two
            for tournament in store.tournaments.all()
            for match in store.matches.of(tournament.id)
            if match.ending != Ending.VOIDED
        ]
    finally:
        store.close()


def bradley_terry(games: list[tuple[str, str, float]], prior_draws: float = 0.0) -> dict[str, float]:
    """Return the maximum-likelihood ratings in Elo around their mean, by minorisation (Hunter 2004).

    `prior_draws` are added to every player, shared among its opponents, as BayesElo does.
    """
    points: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for white, black, won in games:
        points[white] += won  # type: ignore[assignment]  # half points too
        points[black] += 1 - won  # type: ignore[assignment]  # likewise
        met[white, black] += 1
        met[black, white] += 1
    names = sorted(points)
    for one in names:
        points[one] += prior_draws / 2  # type: ignore[assignment]  # likewise
        for other in names:
            if other != one:
                met[one, other] += prior_draws / (len(names) - 1)  # type: ignore[assignment]  # likewise
    strength = dict.fromkeys(names, 1.0)
    for _ in range(100_000):
        before = strength
        strength = {
            one: points[one]
            / sum(met[one, other] / (before[one] + before[other]) for other in names if met[one, other])
            for one in names
        }
        centre = math.exp(sum(map(math.log, strength.values())) / len(names))
        strength = {one: each / centre for one, each in strength.items()}
        if max(abs(math.log(strength[one] / before[one])) for one in names) < 1e-12:
            break
    return {one: 400 * math.log10(each) for one, each in strength.items()}


def ratings_of(db: Path) -> dict[str, dict[str, Any]]:
    """Return the lines of the arena's leaderboard by name."""
    told = json.loads(arena(db.parent, "leaderboard", "--game", "chess", "--fit", "--db", str(db), "--json"))
    (board,) = told["boards"]
    return {line["bot"]: line for line in board["lines"]}


def report(games: list[tuple[str, str, float]], ratings: dict[str, dict[str, Any]]) -> int:
    """Print the table and the targets, and save the table; return the exit code."""
    plain, with_draws = bradley_terry(games), bradley_terry(games, PRIOR_DRAWS)
    mean = sum(line["rating"] for line in ratings.values()) / len(ratings)
    table = Figures(
        (
            "Nodes",
            "Games",
            "Points",
            "Arena, from the mean",
            "± 95 %",
            "Bradley-Terry",
            "Difference",
            "BayesElo's prior",
        )
    )
    worst, found = 0.0, []
    for nodes in NODES:
        name = name_of(nodes)
        points = sum(won if white == name else 1 - won for white, black, won in games if name in (white, black))
        ours = ratings[name]["rating"] - mean
        found.append(ours)
        apart = ours - plain[name]
        worst = max(worst, abs(apart))
        table.add(
            nodes, ratings[name]["matches"], f"{points:g}", f"{ours:+.1f}", f"{ratings[name]['error']:.1f}",
            f"{plain[name]:+.1f}", f"{apart:+.1f}", f"{with_draws[name]:+.1f}",
        )  # fmt: skip
    targets = Targets()
    drawn = sum(won == 0.5 for _white, _black, won in games)
    white = sum(won for *_names, won in games) / len(games)
    targets.check(f"{len(games)} games, {drawn} of them drawn; White scored {white:.1%}")
    targets.check(f"ratings within {WITHIN:g} Elo of Bradley-Terry: {worst:.1f} at most", worst <= WITHIN)
    targets.check("ratings in the order of the nodes", found == sorted(found))
    save("chess_agreement", {"settings": table})
    return targets.exit_code


def main() -> int:
    """Play, fit twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=260)
    parser.add_argument("--keep", type=Path, help="keep the database in this folder")
    told = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = told.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        db = folder / "arena.db"
        db = db if db.exists() else play(folder, told.rounds)
        games, ratings = games_of(db), ratings_of(db)
    return report(games, ratings)


if __name__ == "__main__":
    sys.exit(main())
