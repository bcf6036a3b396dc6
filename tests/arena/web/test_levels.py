"""The first page and leaderboards say which rung of its game's ladder a bot is."""

from __future__ import annotations

import re
from pathlib import Path

from arena.bots.rungs import read_ladder
from arena.bots.samples import starter_bots
from arena.reports.reader import Reader
from arena.web.links import ServerLinks
from arena.web.pages.leaderboards import game_page
from arena.web.pages.listing import ListQuery
from arena.web.pages.overview import home_page
from arena.web.rendering import render
from tests.arena.small_tournament import play

OWN = """
from random import Random
def choose(view, options):
    return 0
"""


def test_pages_name_the_level_of_a_rung_and_of_no_other_bot(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    bots = [str(starter_bots() / name) for name in ("python", "greedy")]
    plain = {"name": "cup", "game": "norenberc", "rounds": 1, "seats": 3, "seed": 1, "block": False}
    play(tmp_path / "arena.db", {**plain, "bots": [*bots, "own.py"]})
    reader = Reader(tmp_path / "arena.db")
    pages = [
        render("home.html", ServerLinks(), **home_page(reader)),
        render("leaderboard.html", ServerLinks(), **game_page(reader, "norenberc", ListQuery())),
    ]
    ladder = read_ladder("norenberc")
    levels = {rung.name: rung.level for rung in ladder.rungs}
    for page in pages:
        rows = {
            name: row
            for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)
            for name in ("random", "greedy", "own")
            if f">{name}" in row
        }
        for name in ("random", "greedy"):
            assert f">level {levels[name]}</span>" in rows[name]
            assert f"Level {levels[name]} of {len(ladder.rungs)}" in rows[name]
        assert "level" not in rows["own"].lower()
