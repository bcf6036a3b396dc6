"""Addresses of pages: on a server, or as files of a static site."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TypeAlias
from urllib.parse import quote, urlencode

from arena.web.rulebook import rule_pages


class ServerLinks:
    """Addresses on a server, below a prefix."""

    is_static = False

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def _at(self, *parts: str) -> str:
        return "/".join((self._prefix, *(quote(part, safe="") for part in parts)))

    def home(self) -> str:
        """Return the address of the first page."""
        return f"{self._prefix}/"

    def overall(self) -> str:
        """Return the address of the leaderboard over all games."""
        return self._at("overall")

    def game(self, pool: str) -> str:
        """Return the address of a pool's leaderboard."""
        return self._at("games", pool)

    def bots(self) -> str:
        """Return the address of the list of bots."""
        return self._at("bots")

    def bot(self, name: str) -> str:
        """Return the address of a bot's page."""
        return self._at("bots", name)

    def compare(self, a: str = "", b: str = "") -> str:
        """Return the address where two bots are compared."""
        chosen = {key: value for key, value in (("a", a), ("b", b)) if value}
        return self._at("compare") + (f"?{urlencode(chosen)}" if chosen else "")

    def tournaments(self) -> str:
        """Return the address of the list of tournaments."""
        return self._at("tournaments")

    def tournament(self, name: str) -> str:
        """Return the address of a tournament's page."""
        return self._at("tournaments", name)

    def live(self, tournament: str) -> str:
        """Return the address of the live part of a tournament's page."""
        return self._at("tournaments", tournament, "live")

    def events(self, tournament: str) -> str:
        """Return the address of a tournament's event stream."""
        return self._at("tournaments", tournament, "events")

    def round(self, tournament: str, number: int) -> str:
        """Return the address of a round's page."""
        return self._at("tournaments", tournament, "rounds", str(number))

    def cross(self, tournament: str) -> str:
        """Return the address of a cross-table."""
        return self._at("tournaments", tournament, "cross-table")

    def matches(self) -> str:
        """Return the address of the list of matches."""
        return self._at("matches")

    def match(self, match: str) -> str:
        """Return the address of a match's replay."""
        return self._at("matches", match)

    def step(self, match: str, **query: str | int) -> str:
        """Return the address of a match at a step."""
        return f"{self.match(match)}?{urlencode(query)}"

    def part(self, match: str) -> str:
        """Return the address of one step of a match without its page, for the script."""
        return self._at("matches", match, "step")

    def match_events(self, match: str) -> str:
        """Return the address of a match's event stream."""
        return self._at("matches", match, "events")

    def record(self, match: str) -> str:
        """Return the address of a match's record."""
        return self._at("matches", match, "record")

    def embed(self, match: str) -> str:
        """Return the address of an embeddable match."""
        return self._at("matches", match, "embed")

    def picture(self, *parts: str) -> str:
        """Return the address of a picture: of the site, or of a match, tournament or bot."""
        return self._at("pictures", *parts) + ".png"

    def rules(self, page: str) -> str:
        """Return the address of a rule page."""
        return self._at("rules", page)

    def clause(self, page: str, clause: str) -> str | None:
        """Return the address of a clause of a rule page."""
        return self._at("rules", page, clause) if page in rule_pages() else None

    def sign_in(self) -> str:
        """Return the address of the sign-in form."""
        return self._at("sign-in")

    def sign_out(self) -> str:
        """Return the address that ends a session."""
        return self._at("sign-out")

    def static(self, name: str) -> str:
        """Return the address of a style sheet or script."""
        return self._at("static", name)


class EmbedLinks(ServerLinks):
    """Addresses inside an embedded match; other pages refuse to be framed."""

    def match(self, match: str) -> str:
        """Return the address of the embedded match."""
        return self._at("matches", match, "embed")

    def part(self, match: str) -> str:
        """Return the address of one step of the embedded match."""
        return self._at("matches", match, "embed", "step")

    def whole(self, match: str) -> str:
        """Return the address of the match outside the frame."""
        return self._at("matches", match)

    def bot(self, name: str) -> str | None:  # type: ignore[override] # what leads nowhere is no link
        """A bot has no page in a frame."""
        return None

    def clause(self, page: str, clause: str) -> str | None:
        """The rules are not shown in a frame."""
        return None

    def sign_in(self) -> str | None:  # type: ignore[override] # likewise
        """Nobody signs in inside a frame."""
        return None


class SiteLinks:
    """Addresses of a static site's files, relative to one of its pages; None for pages it does not have."""

    is_static = True

    def __init__(self, pages: frozenset[str], depth: int) -> None:
        self._pages = pages
        self._up = "../" * depth

    def _to(self, file: str) -> str | None:
        return f"{self._up}{quote(file)}" if file in self._pages else None

    def home(self) -> str:
        """Return the first page."""
        return f"{self._up}index.html"

    def overall(self) -> str:
        """Return the first page, which has the overall leaderboard."""
        return self.home()

    def game(self, pool: str) -> str | None:
        """Return a pool's leaderboard."""
        return self._to(game_file(pool))

    def bots(self) -> str | None:
        """There is no list of bots: the leaderboards are one."""
        return None

    def bot(self, name: str) -> str | None:
        """Return a bot's page."""
        return self._to(bot_file(name))

    def compare(self, a: str = "", b: str = "") -> str | None:
        """A static site cannot compare."""
        return None

    def tournaments(self) -> str | None:
        """Tournaments are listed on the first page."""
        return None

    def tournament(self, name: str) -> str | None:
        """Return a tournament's page."""
        return self._to(tournament_file(name))

    def round(self, tournament: str, number: int) -> str | None:
        """Return a round's page."""
        return self._to(round_file(tournament, number))

    def cross(self, tournament: str) -> str | None:
        """Return a cross-table."""
        return self._to(cross_file(tournament))

    def matches(self) -> str | None:
        """There is no list of all matches: the rounds have theirs."""
        return None

    def match(self, match: str) -> str | None:
        """Return a match's page."""
        return self._to(match_file(match))

    def clause(self, page: str, clause: str) -> str | None:
        """The rule pages are not part of a site."""
        return None

    def sign_in(self) -> str | None:
        """Nobody signs in to files."""
        return None

    def static(self, name: str) -> str:
        """Return a style sheet or script."""
        return f"{self._up}static/{name}"


class FileLinks(SiteLinks):
    """Addresses inside a single-file publication; None for pages it does not have."""

    def __init__(self) -> None:
        super().__init__(frozenset(), 0)

    def home(self) -> str:
        """Return the top of the file."""
        return "#top"

    def name_of_game(self, pool: str) -> str:
        """Return the anchor of a pool's leaderboard."""
        return f"game-{file_name(pool)}"

    def game(self, pool: str) -> str | None:
        """Return a pool's leaderboard."""
        return f"#{self.name_of_game(pool)}"

    def round(self, tournament: str, number: int) -> str | None:
        """Return a round of the tournament."""
        return f"#round-{number}"

    def step(self, match: str, **query: str | int) -> str:
        """A step is shown by the script; without it, the file stays where it is."""
        return "#step"

    def part(self, match: str) -> str:
        """The steps are inside the file."""
        return ""

    def cross(self, tournament: str) -> str | None:
        """Return the cross-table of the tournament."""
        return "#cross-table"


Links: TypeAlias = ServerLinks | SiteLinks
"""Addresses of pages; None for a page that does not exist."""


def file_name(name: str) -> str:
    """Return a readable file name that cannot clash, escape its folder or need quoting."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80]
    return plain if plain == name else f"{plain or 'x'}-{sha256(name.encode()).hexdigest()[:8]}"


def game_file(pool: str) -> str:
    """Return the file of a pool's leaderboard."""
    return f"games/{file_name(pool)}.html"


def bot_file(name: str) -> str:
    """Return the file of a bot's page."""
    return f"bots/{file_name(name)}.html"


def tournament_file(name: str) -> str:
    """Return the file of a tournament's page."""
    return f"tournaments/{file_name(name)}.html"


def round_file(tournament: str, number: int) -> str:
    """Return the file of a round's page."""
    return f"tournaments/{file_name(tournament)}-round-{number}.html"


def cross_file(tournament: str) -> str:
    """Return the file of a cross-table."""
    return f"tournaments/{file_name(tournament)}-cross-table.html"


def match_file(match: str) -> str:
    """Return the file of a match's page."""
    return f"matches/{file_name(match)}.html"
