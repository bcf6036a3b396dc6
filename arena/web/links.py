"""Addresses of pages: on a server, or as files of a static site."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from arena.web.rulebook import rule_pages

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
    def address(links: ServerLinks, *names: str | int) -> str:
        return links.prefix + pattern.format(*(quote(str(name), safe="") for name in names))

    return address


def _file(page: str) -> PageAddress:
    def address(links: SiteLinks, *names: str | int) -> str | None:
        file = file_of(page, *names)
        return f"{links.up}{quote(file)}" if file in links.pages else None

    return address


def _no_page(_links: Links, *_names: str) -> None:
    """Where there is no such page."""


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

    def home(self) -> str:
        """Return the first page, which has the overall leaderboard."""
        return f"{self.up}index.html"

    overall = home

    def face_up(self, match: str, _step: int) -> Any:
        """Return a match's page, which has no other steps."""
        return self.match(match)

    def static(self, name: str) -> str:
        """Return a style sheet or script."""
        return f"{self.up}static/{name}"


class FileLinks(SiteLinks):
    """Addresses inside a single-file publication."""

    def __init__(self) -> None:
        super().__init__(frozenset(), 0)

    def home(self) -> str:
        """Return the top of the file."""
        return "#top"

    overall = home

    def name_of_game(self, pool: str) -> str:
        """Return the anchor of a pool's leaderboard."""
        return f"game-{file_name(pool)}"

    def game(self, pool: str) -> str:
        """Return a pool's leaderboard."""
        return f"#{self.name_of_game(pool)}"

    def round(self, _tournament: str, number: int) -> str:
        """Return a round of the tournament."""
        return f"#round-{number}"

    def step(self, _match: str, **_query: str | int) -> str:
        """A step is shown by the script; without it, the file stays where it is."""
        return "#step"

    def part(self, _match: str) -> str:
        """The steps are inside the file."""
        return ""

    def cross(self, _tournament: str) -> str:
        """Return the cross-table of the tournament."""
        return "#cross-table"


Links: TypeAlias = ServerLinks | SiteLinks
