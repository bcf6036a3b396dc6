"""Addresses of pages: on a server, or as files of a static site."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from arena.reports.rules import rule_pages

PageAddress: TypeAlias = Callable[..., Any]
"""A method that returns the address of a page; None for a page that does not exist."""

FILES = {
    "game": "games/{}.html",
    "bot": "bots/{}.html",
    "tournament": "tournaments/{}.html",
    "round": "tournaments/{}-round-{}.html",
    "cross": "tournaments/{}-cross-table.html",
    "match": "matches/{}.html",
}
"""The files of a static site."""


def file_of(page: str, *names: str | int) -> str:
    """Return the file of a page of a static site."""
    return FILES[page].format(*(file_name(str(name)) for name in names))


def file_name(name: str) -> str:
    """Return a readable file name that cannot clash, escape its folder or need quoting."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80]
    return plain if plain == name else f"{plain or 'x'}-{sha256(name.encode()).hexdigest()[:8]}"


def _route(pattern: str) -> PageAddress:
    return lambda links, *names: links.prefix + pattern.format(*(quote(str(name), safe="") for name in names))


def _file(page: str) -> PageAddress:
    def address(links: SiteLinks, *names: str | int) -> str | None:
        file = file_of(page, *names)
        return f"{links.up}{quote(file)}" if file in links.pages else None

    return address


def _relative(pattern: str) -> PageAddress:
    return lambda links, *names: links.up + pattern.format(*names)


def _anchor(pattern: str) -> PageAddress:
    return lambda _links, *names, **_query: pattern.format(*(file_name(str(name)) for name in names))


def _no_page(_links: Links, *_names: str) -> None:
    """For a page that does not exist."""


class ServerLinks:
    """Addresses on a server, below a prefix."""

    is_static = False

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    home = _route("/")
    overall = _route("/overall")
    game = _route("/games/{}")
    bots = _route("/bots")
    bot = _route("/bots/{}")
    tournaments = _route("/tournaments")
    tournament = _route("/tournaments/{}")
    live = _route("/tournaments/{}/live")
    events = _route("/tournaments/{}/events")
    round = _route("/tournaments/{}/rounds/{}")
    cross = _route("/tournaments/{}/cross-table")
    matches = _route("/matches")
    match = _route("/matches/{}")
    part = _route("/matches/{}/step")
    match_events = _route("/matches/{}/events")
    record = _route("/matches/{}/record")
    list_of_moves = _route("/matches/{}/moves")
    judge = _route("/matches/{}/judge")
    embed = _route("/matches/{}/embed")
    rules = _route("/rules/{}")
    sign_in = _route("/sign-in")
    sign_out = _route("/sign-out")
    static = _route("/static/{}")

    def compare(self, *bots: str) -> str:
        """Return the address where two bots are chosen or compared."""
        return f"{self.prefix}/compare" + (f"?{urlencode(dict(zip('ab', bots, strict=True)))}" if bots else "")

    def step(self, match: str, **query: str | int) -> str:
        """Return the address of a match at a step."""
        return f"{self.match(match)}?{urlencode(query)}"

    def moves(self, match: str, **query: str | int) -> str:
        """Return the address of a match's list of moves."""
        return f"{self.list_of_moves(match)}?{urlencode(query)}"

    def face_up(self, match: str, step: int) -> str:
        """Return the address of a match at a step, with everything face up."""
        return self.step(match, step=step, seat="open")

    def picture(self, *parts: str) -> str:
        """Return the address of a picture: of the site, or of a match, tournament or bot."""
        return "/".join((self.prefix, "pictures", *(quote(part, safe="") for part in parts))) + ".png"

    def clause(self, page: str, clause: str) -> str | None:
        """Return the address of a clause of a rule page."""
        return f"{self.rules(page)}/{quote(clause, safe='')}" if page in rule_pages() else None


class EmbedLinks(ServerLinks):
    """Addresses inside an embedded match; other pages refuse to be framed."""

    match = _route("/matches/{}/embed")
    part = _route("/matches/{}/embed/step")
    list_of_moves = _route("/matches/{}/embed/moves")
    whole = _route("/matches/{}")
    bot = sign_in = _no_page
    clause = _no_page  # type: ignore[assignment] # clauses are never passed by keyword


class SiteLinks:
    """Addresses of a static site's files, relative to one of its pages."""

    is_static = True

    def __init__(self, pages: frozenset[str], depth: int) -> None:
        self.pages = pages
        self.up = "../" * depth

    game = _file("game")
    bot = _file("bot")
    tournament = _file("tournament")
    round = _file("round")
    cross = _file("cross")
    match = _file("match")
    bots = compare = tournaments = matches = clause = sign_in = _no_page

    home = overall = _relative("index.html")  # the first page has the overall leaderboard
    static = _relative("static/{}")

    def face_up(self, match: str, _step: int) -> Any:
        """Return a match's page, which has no other steps."""
        return self.match(match)


class FileLinks(SiteLinks):
    """Addresses inside a single-file publication."""

    def __init__(self) -> None:
        super().__init__(frozenset(), 0)

    home = overall = _anchor("#top")
    name_of_game = _anchor("game-{}")
    game = _anchor("#game-{}")
    round = _anchor("#round-{1}")
    cross = _anchor("#cross-table")
    step = _anchor("#step")  # shown by the script; without it, the file stays where it is
    part = _anchor("")  # the steps are inside the file
    moves = _anchor("#moves")


Links: TypeAlias = ServerLinks | SiteLinks
