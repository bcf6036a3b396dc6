"""The hooks of a game, checked when it is loaded: every public name is declared by `Game`, with its type."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterator
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from referee.game import AnyGame, Game
from referee.mistakes import UserError
from referee.setting import did_you_mean


class HookError(UserError):
    """A game violates the declarations of `Game`; the message names the hook."""


def in_one_line(error: Exception) -> str:
    """Return an error of a game's code in one line, with the place in the file that raised it."""
    where = traceback.extract_tb(error.__traceback__)[-1:]
    said = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, (ImportError, AttributeError, SyntaxError)) or not where:
        return said  # which say it themselves
    return f"{said} ({PurePath(where[0].filename).name}, line {where[0].lineno})"


def check_hooks(slug: str, game: object) -> AnyGame:
    """Return a game whose hooks are as declared; a HookError names one that is missing, misspelt or of a wrong type."""
    if not isinstance(game, Game):
        raise HookError(f"game {slug}: {type(game).__name__} is not a subclass of referee.game.Game")
    for fault in _faults(game):
        raise HookError(f"game {slug}: {fault}")
    for version in game.earlier:
        check_hooks(slug, version)
    return game


def _faults(game: Any) -> Iterator[str]:
    values, methods = _declared(type(game))
    declared = [*values, *methods]
    for name in dir(game):
        if not name.startswith("_") and name not in declared:
            yield f"{name} is not declared by Game, and private names begin with _{did_you_mean(name, declared)}"
    for name, hint in values.items():
        if not hasattr(game, name):
            yield f"{name} is missing; expected {_words(hint)}"
        elif not _fits(getattr(game, name), hint):
            yield f"{name} is {getattr(game, name)!r}; expected {_words(hint)}"
    for name, method in methods.items():
        own = getattr(game, name)
        expected = [*inspect.signature(method).parameters][1:]
        if getattr(own, "__isabstractmethod__", False):
            yield f"{name} is missing; expected a method with ({', '.join(expected)})"
        elif not callable(own) or not _takes(own, expected):
            yield f"{name} is not a method with ({', '.join(expected)})"
    if game.chance_comes_first and game.has_chance is False:
        yield "chance_comes_first is True and has_chance False; expected chance"


def _declared(kind: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the hooks of `Game`, and those that a base class between it and the game declares, such as `OpenGame`."""
    values: dict[str, Any] = {}
    methods: dict[str, Any] = {}
    for base in kind.__mro__:
        if base is Game or "_declares_hooks" in vars(base):
            hints = get_type_hints(base)
            values |= {name: hint for name, hint in hints.items() if not name.startswith("_") and name not in values}
            own = {name: method for name, method in vars(base).items() if inspect.isfunction(method)}
            methods |= {
                name: method for name, method in own.items() if not name.startswith("_") and name not in methods
            }
    return values, methods


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value is of a declared type, as far as an isinstance can tell; True is not a number."""
    if isinstance(hint, UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    kind = get_origin(hint) or hint
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _takes(own: Any, expected: list[str]) -> bool:
    try:
        inspect.signature(own).bind(*expected)
    except TypeError:
        return False
    return True


def _words(hint: Any) -> str:
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return " or ".join("None" if kind is NoneType else (get_origin(kind) or kind).__name__ for kind in kinds)
