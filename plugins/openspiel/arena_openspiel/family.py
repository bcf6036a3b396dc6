"""The family of OpenSpiel's games: listed without loading OpenSpiel, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence

from arena_openspiel.listed import PREFIX, catalogue

from referee.game import AnyGame, GameFamily


def slugs() -> Sequence[str]:
    """Return the slugs of all games that are offered, proven or not."""
    return [PREFIX + name for name in sorted(catalogue().games)]


def game(slug: str) -> AnyGame:
    """Return the game of a slug."""
    from arena_openspiel.game import made

    return made(slug.removeprefix(PREFIX))


FAMILY = GameFamily(slugs=slugs, game=game, title="OpenSpiel's games; unproven ones need the option unproven")
