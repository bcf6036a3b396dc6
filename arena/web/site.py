"""Publications: the same pages as a static site, or as a single file."""

from __future__ import annotations

import json
import shutil
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from arena.bots.label import name_of
from arena.plan.settings import TournamentSettings
from arena.reports.faults import faults_of, nobody_may
from arena.reports.leaderboard import RatingPool, find_pool
from arena.reports.reader import Reader
from arena.reports.tournament import entrants
from arena.store.local_time import local_now
from arena.web.app import STATIC
from arena.web.links import FileLinks, SiteLinks, file_of
from arena.web.pages import bots, leaderboards, matches, overview, tournaments
from arena.web.pages.listing import ListQuery
from arena.web.rendering import policy_of_one_file, render
from arena.web.replays import Eyes, Replays
from referee.boards import STYLE as BOARD_STYLE
from referee.mistakes import UserError

INDEX = "index.html"


def _to_step(_match: str, step: int) -> str:
    """A file shows the end of a match: its blunders link to their comments."""
    return f"#blunder-{step}"


class _Site:
    """Pages by file name; links lead only to pages of the site."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {}

    def add(self, file: str, template: str, context: Callable[..., dict[str, Any]], *values: Any, **more: Any) -> None:
        """Plan a page; its context is computed from the values when it is written."""
        self.pages[file] = (template, partial(context, *values, **more))

    def write(self, folder: Path) -> list[Path]:
        """Write all pages with their style sheet and scripts; return the files."""
        if folder.exists() and not folder.is_dir():
            raise UserError(f"html: {folder} is a file; expected a folder")
        names = frozenset(self.pages)
        written = []
        for file, (template, context) in self.pages.items():
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(render(template, SiteLinks(names, file.count("/")), **context()), encoding="utf-8")
            written.append(target)
        shutil.copytree(STATIC, folder / "static", dirs_exist_ok=True)
        shutil.copy(BOARD_STYLE, folder / "static")
        return written


def write_leaderboards(db: Path, folder: Path, games: Iterable[str] = ()) -> list[Path]:
    """Write the leaderboards of all games, or of some, and a page for every bot on them; return the files.

    If the name of the folder ends in .html, it is one file with the leaderboards alone.
    """
    with closing(Reader(db)) as reader:
        wanted = [find_pool(reader.pools(), game) for game in games] or reader.pools()
        if is_one_file(folder):
            return _leaderboards_file(reader, folder, wanted)
        site = _Site()
        site.add(INDEX, "home.html", overview.home_page, reader)
        for pool in wanted:
            file = file_of("game", pool.name)
            site.add(file, "leaderboard.html", leaderboards.game_page, reader, pool.name, ListQuery(), is_whole=True)
            for line in reader.board(pool).lines:
                site.add(file_of("bot", line.bot), "bot.html", bots.bot_page, reader, line.bot)
        return site.write(folder)


def write_tournament(db: Path, name: str, folder: Path) -> list[Path]:
    """Write a tournament with its rounds, cross-table, bots and matches; return the files.

    A match is shown at its end: a static site cannot draw every step. If the name of the folder ends in
    .html, it is one file with standings, rounds and cross-table.
    """
    with closing(Reader(db)) as reader:
        stored = reader.tournament(name)
        if is_one_file(folder):
            return _tournament_file(reader, folder, name)
        replays, query = Replays(reader.record), ListQuery()
        site = _Site()
        for file in (INDEX, file_of("tournament", name)):
            site.add(file, "tournament.html", tournaments.tournament_page, reader, name, query, is_whole=True)
        site.add(file_of("cross", name), "cross.html", tournaments.cross_page, reader, name, query, is_whole=True)
        for label in (*entrants(reader.store, stored), *TournamentSettings.of(stored).house_bots):
            bot = name_of(label)
            site.add(file_of("bot", bot), "bot.html", bots.bot_page, reader, bot)
        for each in reader.rounds(name):
            file = file_of("round", name, each.number)
            site.add(file, "round.html", tournaments.round_page, reader, name, each.number, query, is_whole=True)
        for match in reader.matches(name):
            values = (reader, replays, match.id, "last", "open", _to_step)
            site.add(file_of("match", match.id), "match.html", matches.match_page, *values)
        return site.write(folder)


def write_match(db: Path, wanted: str, file: Path) -> list[Path]:
    """Write a match as one file that can be stepped through, with its curves and blunders; return it.

    Everything is face up, so a match whose round is open cannot be exported.
    """
    if not is_one_file(file):
        raise UserError(f"html: {file} is not an HTML file name; expected FILE.html")
    with closing(Reader(db)) as reader:
        match = reader.match(wanted)
        if not reader.is_settled(match):
            raise UserError(f"match {match.id[:12]}: it can be exported once its round is closed")
        replays = Replays(reader.record)
        context = matches.match_page(reader, replays, match.id, "", "open", lambda _match, _step: "#controls")
        if context["fault"] is not None:
            raise UserError(context["fault"])
        replay = replays.get(match)
        faults = faults_of(reader.store, match, replay.record.result, nobody_may)
        advice = matches.advice_of(reader, match)
        steps = [
            render(
                "match_step.html", FileLinks(), **matches.moment_part(match, replay, step, Eyes.OPEN, faults, advice)
            )
            for step in range(replay.steps + 1)
        ]
        listed = matches.moves_part(reader, match, replay, Eyes.OPEN)
        steps.append(render("match_move_list.html", FileLinks(), **listed))
    packed = b64encode(zlib.compress(json.dumps(steps).encode(), 9)).decode()
    return write_one_file(file, "one_match.html", context | {"packed": packed}, scripts=("morph.js", "replay.js"))


def write_one_file(
    file: Path, template: str, context: dict[str, Any], scripts: Sequence[str] = ("tables.js",)
) -> list[Path]:
    """Write a self-contained page; return its file."""
    style = "".join(each.read_text(encoding="utf-8") for each in (BOARD_STYLE, STATIC / "style.css"))
    code = "".join((STATIC / script).read_text(encoding="utf-8") for script in scripts)
    inside = {
        "style": Markup(style),  # ours, without markup
        "script": Markup(code),  # ours, without markup
        "site_policy": policy_of_one_file(style, code),
        "written_at": local_now().isoformat(timespec="minutes"),
    }
    if file.is_dir():
        raise UserError(f"html: {file} is a folder; expected a file")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(render(template, FileLinks(), **(context | inside)), encoding="utf-8")
    return [file]


def is_one_file(target: Path) -> bool:
    """Return whether a publication is a single file, by its name."""
    return target.suffix.lower() in (".html", ".htm")


def _leaderboards_file(reader: Reader, file: Path, wanted: Iterable[RatingPool]) -> list[Path]:
    boards = [leaderboards.game_page(reader, pool.name, ListQuery(), is_whole=True) for pool in wanted]
    overall = leaderboards.overall_page(reader, ListQuery(), is_whole=True)
    context = {"boards": boards, "overall": overall if overall["rows"] else None}
    return write_one_file(file, "one_leaderboards.html", context)


def _tournament_file(reader: Reader, file: Path, name: str) -> list[Path]:
    whole = tournaments.tournament_page(reader, name, ListQuery(), is_whole=True)
    rounds = [
        tournaments.round_page(reader, name, each.number, ListQuery(), is_whole=True) for each in reader.rounds(name)
    ]
    cross = tournaments.cross_page(reader, name, ListQuery(), is_whole=True)
    return write_one_file(file, "one_tournament.html", whole | {"round_pages": rounds, "cross": cross})
