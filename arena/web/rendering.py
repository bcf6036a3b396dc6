"""Templates: pages as HTML, with everything that comes from bots and files escaped."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from arena.store.tournaments import shown_name
from arena.web.links import Links
from ratings.fit.shown import shown_places
from referee.games import GAMES

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere and nothing inline, so that a name that became markup after all would still do nothing."""

SITE_POLICY = CONTENT_POLICY.replace("; frame-ancestors 'none'", "")
"""The same without a word on frames: as a page can say it of itself, in a static site."""

EMBED_POLICY = SITE_POLICY
"""And as it is said of a page that may stand in a frame of any other, even one that is a file."""


def game_title(slug: str) -> str:
    """Return the title of a game; of one that is not installed here, the name it is stored under."""
    try:
        return GAMES[slug].title
    except (KeyError, ValueError, ImportError):
        return slug


def score_of(slug: str, score: int | None) -> str:
    """Return a score in the words of its game; a dash for none."""
    if score is None:
        return "–"
    try:
        return GAMES[slug].score_text(score)
    except (KeyError, ValueError, ImportError):
        return str(score)


def policy_of_one_file(style: str, script: str) -> str:
    """Return the policy of a page that holds its only style and its only script: these very texts and nothing else."""
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "img-src data:; form-action 'none'; base-uri 'none'"
    )


@cache
def environment() -> Environment:
    """Return the templates, made once."""
    made = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["points"] = lambda units, unit: f"{float(units) / unit:.3f}"
    made.filters["game_title"] = game_title
    made.filters["score_in"] = lambda score, slug: score_of(slug, score)
    made.filters["tournament_name"] = shown_name
    made.filters["percent"] = lambda share: f"{share:.0%}"
    made.filters["places"] = shown_places
    made.filters["thousands"] = lambda count: f"{count:,}"
    made.filters["moment"] = lambda text: text[:16].replace("T", " ")
    return made


def render(template: str, links: Links, **context: Any) -> str:
    """Return a page."""
    return (
        environment()
        .get_template(template)
        .render({"site_policy": SITE_POLICY, "visitor": None, "preview": None} | context, links=links)
    )
