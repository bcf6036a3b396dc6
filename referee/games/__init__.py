"""The games there are: our four, and whatever is installed under the entry point group `arena.games`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from referee.game import AnyGame
from referee.hooks import check_hooks

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")
GROUP = "arena.games"


class _Games(Mapping[str, AnyGame]):
    """Games by slug, in alphabetical order, each loaded when it is first asked for."""

    def __getitem__(self, slug: str) -> AnyGame:
        return _load(slug)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*BUILT_IN, *_plug_ins()}))

    def __len__(self) -> int:
        return len({*BUILT_IN, *_plug_ins()})


@cache
def _plug_ins() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def _load(slug: str) -> AnyGame:
    if slug in BUILT_IN:
        game: AnyGame = import_module(f"referee.games.{slug}.game").GAME
    elif slug in _plug_ins():
        game = _plug_ins()[slug].load()
    else:
        raise KeyError(slug)
    check_hooks(slug, game)
    if game.slug != slug:
        raise ValueError(f"entry point {slug} loads a game that calls itself {game.slug}")
    return game


GAMES: Mapping[str, AnyGame] = _Games()
