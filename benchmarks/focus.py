"""T16.2 with real games: a tournament with focus rounds and one without, between the same bots, by neighbours decided.

python -m benchmarks.focus [--matches 600] [--game furstenfeld] [--seats 3]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import trio

from arena.bench.figures import Figures, save
from arena.bots.samples import starter_bots
from arena.cli.watching import Silent
from arena.plan.forecasting import Forecast
from arena.plan.schedules import swiss
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.local_time import local_now
from ratings.ledger.audit import audit
from referee.logs import configure_logs

BLUNDERS = (0, 5, 10, 20, 30, 40, 60, 100)
"""The bots: the greedy one, taking any option at all in a given percentage of its decisions."""

BLUNDERING = '''
from hashlib import sha256

from choosing import choose
from client import Question, main


def answer(question: Question) -> int:
    """Blunder now and then, at the same moments in every run."""
    drawn = sha256(f"{question.match_id}|{question.prompt_id}".encode()).digest()
    if drawn[0] * 100 < PERCENT * 256:
        return drawn[1] % len(question.options)
    return choose(question.game, question.view, question.options, question.seat, trades=False)


if __name__ == "__main__":
    main(answer, concurrency=16)
'''


def entrants(folder: Path) -> list[str]:
    """Write the bots."""
    names = []
    for percent in BLUNDERS:
        name = f"blunders-{percent}"
        shutil.copytree(starter_bots() / "greedy", folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / name / "bot.py").write_text(BLUNDERING.replace("PERCENT", str(percent)), encoding="utf-8")
        manifest = folder / name / "bot.toml"
        manifest.write_text(manifest.read_text("utf-8").replace('name = "greedy"', f'name = "{name}"'), "utf-8")
        names.append(name)
    return names


class Counting(Silent):
    """Records the number of decided neighbours after every number of matches."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.decided: list[tuple[int, int]] = []

    def foretold(self, made: Forecast) -> None:
        """A round has closed, or the first is about to begin."""
        self.decided.append((self.budget - made.budget, made.neighbours - made.open))


def run_tournament(
    folder: Path, name: str, bots: list[str], options: argparse.Namespace
) -> tuple[list[tuple[int, int]], str]:
    """Play one tournament and return its course and why it ended; the ledger must confirm it."""
    plain = {
        "name": name, "game": options.game, "seats": options.seats, "max_seats": options.seats, "seed": 1,
        "preset": "overnight", "rounds": 2, "match_budget": options.matches, "bots": bots, "referees": options.referees,
        "time_control": {"join_ms": 60_000},
    }  # fmt: skip
    store = open_store(folder / f"{name}.db", create=True)
    watcher = Counting(options.matches)
    runner = Runner(parse_plan(plain, beside(folder)), store, watcher, local_now)
    runner.enter()
    trio.run(runner.run)
    with store.reading() as connection:
        findings = audit(connection).findings
    assert not findings, findings
    reason = store.tournaments.find(name).reason
    store.close()
    return watcher.decided, reason


def main() -> int:
    """Play both tournaments and print how many neighbours were decided by the same number of matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=600, help="the budget of each tournament")
    parser.add_argument("--game", default="furstenfeld")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--referees", type=int, default=2)
    options = parser.parse_args()
    configure_logs("error", as_json=False)
    with tempfile.TemporaryDirectory(prefix="arena-focus-") as name:
        folder = Path(name)
        bots = entrants(folder)
        focused, reason = run_tournament(folder, "focused", bots, options)
        print(f"with focus rounds: {reason}", flush=True)
        with patch.object(swiss, "is_focus_round", lambda *_: False):
            ordinary, reason = run_tournament(folder, "ordinary", bots, options)
        print(f"without: {reason}", flush=True)
    print(f"neighbours decided, of {len(bots) - 1}, by matches played")
    figures = Figures(("Matches", "With focus rounds", "Without"))
    for matches in range(100, options.matches + 1, 100):
        decided = [[done for played, done in each if played <= matches] for each in (focused, ordinary)]
        figures.add(matches, *(max(each, default=0) for each in decided))
    save("focus", {"neighbours": figures})
    return 0


if __name__ == "__main__":
    sys.exit(main())
