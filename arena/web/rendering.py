"""Templates: HTML pages, with everything from bots and files escaped."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from arena.bots.label import Label, name_of
from arena.bots.rungs import levels_by_version
from arena.reports.judgement import text_of
from arena.reports.scores import score_text
from arena.store.tournaments import shown_name
from arena.web.arranging import arrange
from arena.web.changes import with_places
from arena.web.links import Links
from ratings.fit.shown import shown_error, shown_places, shown_rating
from referee.games import GAMES
from referee.icons import inline, with_icons

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing external and nothing inline, so that an unescaped name would still do nothing."""

SITE_POLICY = CONTENT_POLICY.replace("; frame-ancestors 'none'", "")
"""The same without frame-ancestors, which a static page cannot set."""

EMBED_POLICY = SITE_POLICY  # for pages that any other page, even a local file, may embed


def game_title(slug: str) -> str:
    """Return a game's title, or its stored name if it is not installed."""
    try:
        return GAMES[slug].title
    except (KeyError, ValueError, ImportError):
        return slug


def score_of(slug: str, score: int | None) -> str:
    """Return a score in the words of its game; a dash for none."""
    return "–" if score is None else score_text(slug, score)


def policy_of_one_file(style: str, script: str) -> str:
    """Return the policy of a single-file page: its own style and script by hash, nothing else."""
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "img-src data:; form-action 'none'; base-uri 'none'"
    )


@cache
def environment() -> Environment:
    """Return the templates, loaded once."""
    made = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"name_of": name_of, "version_of": version_of, "game_title": game_title, "text_of": text_of}
    made.globals["levels_by_version"] = levels_by_version
    made.filters |= {
        "game_title": game_title,
        "score_in": lambda score, slug: score_of(slug, score),
        "tournament_name": shown_name,
        "percent": lambda share: f"{share:.0%}",
        "rating": shown_rating,
        "error": shown_error,
        "places": shown_places,
        "thousands": lambda count: f"{count:,}",
        "arranged": arrange,
        "with_icons": with_icons,
        "inline_icon": inline,
        "with_places": with_places,
        "moment": lambda text: text[:16].replace("T", " "),
    }
    return made


def version_of(label: str) -> str:
    """Return the version part of a bot's label, shortened."""
    return Label.parse(label).version[:7]


def render(template: str, links: Links, **context: Any) -> str:
    """Return a page."""
    defaults = {"site_policy": SITE_POLICY, "visitor": None, "preview": None}
    return environment().get_template(template).render(defaults | context, links=links)
