"""The games there are: our four, and whatever is installed under the entry point groups of `GROUP` and `FAMILIES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from referee.game import AnyGame, GameFamily
from referee.hooks import HookError, check_hooks, in_one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

BUILT_IN = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")
GROUP = "arena.games"
FAMILIES = "arena.game_families"


class _Games(Mapping[str, AnyGame]):
    """Games by slug, in alphabetical order, each loaded when it is first asked for."""

    def __getitem__(self, slug: str) -> AnyGame:
        return _load(slug)

    def __contains__(self, slug: object) -> bool:
        return slug in BUILT_IN or slug in _plug_ins() or (isinstance(slug, str) and _family_of(slug) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*BUILT_IN, *_plug_ins(), *(slug for name in _families() for slug in _members(name))}))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def _plug_ins() -> dict[str, EntryPoint]:
    return _entry_points(GROUP)


@cache
def _families() -> dict[str, EntryPoint]:
    return _entry_points(FAMILIES)


def _entry_points(group: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}


@cache
def family(name: str) -> GameFamily:
    """Return an installed family by the name of its entry point; no game is made."""
    found = _loaded(f"family {name}", _families()[name])
    if not isinstance(found, GameFamily):
        raise HookError(f"family {name}: {type(found).__name__} is not a referee.game.GameFamily")
    return found


@cache
def _members(name: str) -> tuple[str, ...]:
    slugs = tuple(_without_fault(f"family {name}: its games cannot be listed", family(name).slugs))
    for slug in slugs:
        if not slug.startswith(f"{name}_"):
            raise HookError(f"family {name}: the slug {slug!r} does not begin with {name}_")
    return slugs


def _family_of(slug: str) -> str | None:
    """Return the name of the family that has a game; only those whose name it begins with are loaded."""
    return next((name for name in _families() if slug.startswith(f"{name}_") and slug in _members(name)), None)


def families() -> dict[str, tuple[str, ...]]:
    """Return the slugs of every installed family by its name; no game is made."""
    return {name: _members(name) for name in sorted(_families())}


def plug_in_modules() -> dict[str, str]:
    """Return the module that defines each plug-in game and family, by the name of its entry point; none is loaded."""
    return {name: point.module for name, point in {**_families(), **_plug_ins()}.items()}


def _loaded(what: str, point: EntryPoint) -> object:
    """Load an entry point; a HookError says in one line why that cannot be done."""
    return _without_fault(f"{what}: {point.value} cannot be loaded", point.load)


def _without_fault(what: str, call: Callable[..., T], *arguments: object) -> T:
    """Return what a plug-in's code returns; a HookError says in one line which error it raised, and where."""
    try:
        return call(*arguments)
    except HookError:
        raise
    except Exception as error:
        raise HookError(f"{what}: {in_one_line(error)}") from error


@cache
def _load(slug: str) -> AnyGame:
    if slug in BUILT_IN:
        game: object = import_module(f"referee.games.{slug}.game").GAME
    elif slug in _plug_ins():
        game = _loaded(f"game {slug}", _plug_ins()[slug])
    elif name := _family_of(slug):
        game = _without_fault(f"game {slug}: cannot be made", family(name).game, slug)
    else:
        raise KeyError(slug)
    checked = check_hooks(slug, game)
    if checked.slug != slug:
        raise HookError(f"game {slug}: it calls itself {checked.slug}")
    return checked


GAMES: Mapping[str, AnyGame] = _Games()
