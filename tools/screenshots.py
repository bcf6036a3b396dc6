"""Take pictures of every page of a database, wide and narrow, light and dark.

python -m tools.screenshots --db demo.db --to shots             # all of them, to look at
python -m tools.screenshots --db demo.db --to docs/images --readme   # the four that the documentation shows
python -m tools.screenshots --live norenberc --to shots         # a match of this game while it is played
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from arena.store.database import open_to_read
from tests.arena.web.browser import chromium, served
from tests.arena.web.live_tournament import NAME as TOURNAMENT
from tests.arena.web.live_tournament import live_tournament

LIVE_ANSWERS = 25
"""Answers that each bot has given when a live match is pictured."""

WIDTHS = {"desktop": (1280, 800), "phone": (390, 844)}


def shots_of(database: Path) -> dict[str, str]:
    """Return the addresses of every kind of page of a database by name, and each game halfway and at the end."""
    store = open_to_read(database)
    found = {"home": "/"} | {name: f"/{name}" for name in ("overall", "bots", "matches", "tournaments")}
    played = {
        (each.tournament, each.game): each for one in store.tournaments.all() for each in store.matches.of(one.id)[::-1]
    }
    for (name, game), match in played.items():
        steps = match.decisions
        found |= {
            f"leaderboard-{game}": f"/games/{game}",
            f"tournament-{game}": f"/tournaments/{name}",
            f"round-{game}": f"/tournaments/{name}/rounds/1",
            f"cross-{game}": f"/tournaments/{name}/cross-table",
            f"bot-{game}": f"/bots/{match.seating[0].rpartition('@')[0]}",
            f"replay-{game}-middle": f"/matches/{match.id}?step={steps * 3 // 4}",
            f"replay-{game}-end": f"/matches/{match.id}?step=last",
            f"embed-{game}": f"/matches/{match.id}/embed?step={steps // 2}",
            f"replay-{game}-seat": f"/matches/{match.id}?step={steps // 2}&seat=1",
        }
    store.close()
    return found


README = {
    "front": ("home", 900),
    "tournament": ("tournament-carcassonne_city", 1100),
    "replay-nuremberg": ("replay-nuremberg-middle", 860),
    "replay-carcassonne": ("replay-carcassonne_city-end", 860),
}
"""The pictures of the documentation: the page and the part of it."""


def take(browser: Browser, address: str, file: Path, size: tuple[int, int], scheme: str, *, is_whole: bool) -> None:
    """Picture one page."""
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.goto(address, wait_until="networkidle")
    page.screenshot(path=file, full_page=is_whole)
    page.close()


def take_all(browser: Browser, address: str, stem: Path) -> None:
    """Picture one page on every device, light and dark."""
    for device, size in WIDTHS.items():
        for scheme in ("light", "dark"):
            file = stem.with_name(f"{stem.name}-{device}-{scheme}.png")
            take(browser, address, file, size, scheme, is_whole=True)


def picture_live(folder: Path, game: str, to: Path) -> None:
    """Picture the page of a running tournament and of its match, paused halfway."""
    with live_tournament(folder, game) as live, chromium() as browser:
        page = browser.new_page()
        page.goto(f"{live.address}/tournaments/{TOURNAMENT}")
        page.get_by_role("link", name="Watch table 1").click()
        page.locator("#steps").wait_for()
        live.allow(LIVE_ANSWERS)
        enough = f"() => Number(document.getElementById('steps').textContent) >= {LIVE_ANSWERS}"
        page.wait_for_function(enough)
        for name, address in (("tournament", f"{live.address}/tournaments/{TOURNAMENT}"), ("match", page.url)):
            take_all(browser, address.partition("?")[0], to / f"live-{name}-{game}")


def main() -> int:
    """Read the command line and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, help="the database to picture")
    parser.add_argument("--live", metavar="GAME", help="play a match of this game and picture it meanwhile")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--readme", action="store_true", help="only the pictures in the documentation")
    parser.add_argument("--only", default="", help="only pages whose name contains this")
    asked = parser.parse_args()
    if (asked.db is None) == (asked.live is None):
        parser.error("expected one of --db and --live")
    asked.to.mkdir(parents=True, exist_ok=True)
    if asked.live:
        with TemporaryDirectory() as folder:
            picture_live(Path(folder), asked.live, asked.to)
        return 0
    shots = shots_of(asked.db)
    with served(asked.db) as address, chromium() as browser:
        if asked.readme:
            for name, (source, height) in README.items():
                file = asked.to / f"{name}.png"
                take(browser, address + shots[source], file, (1280, height), "light", is_whole=False)
            return 0
        for name, path in shots.items():
            if asked.only in name:
                take_all(browser, address + path, asked.to / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
