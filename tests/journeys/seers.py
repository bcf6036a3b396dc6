"""T2: a table of bots that remember everything they see, in their processes and on disk, and how much they foretell.

python -m tests.journeys.seers
"""

from __future__ import annotations

import dataclasses
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import trio

from arena.cli.watching import Silent
from arena.plan.luck import Luck
from arena.plan.tournament_file import Plan, beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.local_time import local_now
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.mistakes import UserError

SEER = Path(__file__).parent / "seer_bot.py"
TALLY = re.compile(r"foretold (\d+) of (\d+)")


def seers(folder: Path, game: str, **changes: Any) -> Plan:
    """One block of a game in which everybody remembers, and everybody reads everybody's notes."""
    bot = folder / "seer"
    bot.mkdir()
    shutil.copy(SEER, bot / "bot.py")
    (bot / "bot.toml").write_text(f'name = "seer"\ncommand = ["python3", "bot.py", "{folder / "notes"}"]\n')
    seats = GAMES[game].table_sizes[0]
    plain = {
        "name": "block", "game": game, "seed": 5, "rounds": 1, "seats": seats, "most_seats": seats, "referees": 1,
        "verify": "none", "time_control": {"join_ms": 120_000, "cap_ms": 60_000},
        "bot": [{"path": "seer", "name": f"seer {number}"} for number in range(seats)],
    }  # fmt: skip
    return parse_plan(plain | changes, beside(folder))


def tallies(plan: Plan, folder: Path) -> list[tuple[int, int]]:
    """Play the block; return for every seat of every game how many events were foretold, and of how many."""
    store = open_store(folder / "arena.db", create=True)
    runner = Runner(plan, store, Silent(), local_now)
    runner.enter()
    trio.run(runner.run)
    printed = [store.matches.outputs(match.id) for match in store.matches.of(plan.name)]
    said = [TALLY.search(text) for outputs in printed for text in outputs.values()]
    store.close()
    seats = len(plan.bots)
    found = [(int(tally[1]), int(tally[2])) for tally in said if tally is not None]
    assert len(found) == seats * seats
    return found


def plan_of(folder: Path, game: str, luck: Luck) -> Plan:
    """The plan of a block with this luck; by the old rule, no file can ask for it any more."""
    if luck is Luck.SHARED:
        return seers(folder, game, luck="shared", fresh_process=True)
    return dataclasses.replace(seers(folder, game), luck=luck)


def main() -> None:
    """Print for every game and every rule of luck how many events of the later games of a block were foretold."""
    configure_logs("error", as_json=False)
    rules = {Luck.TABLE: "one seed a table (the old rule)", Luck.OWN: "own luck", Luck.SHARED: "shared luck"}
    for game in BUILT_IN:
        for luck, words in rules.items():
            with tempfile.TemporaryDirectory() as folder:
                try:
                    found = tallies(plan_of(Path(folder), game, luck), Path(folder))
                except UserError as error:
                    _say(f"{game}, {words}: {error}")
                    continue
            foretold, seen = (sum(column) for column in zip(*found, strict=True))
            best = max(found, key=lambda tally: tally[0] / tally[1])
            _say(f"{game}, {words}: {foretold} of {seen} events, at best {best[0]} of {best[1]}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
