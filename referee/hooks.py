"""The hooks of a game, checked when it is loaded: every public name is declared by `Game`, with its type."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from referee.game import Game
from referee.mistakes import UserError
from referee.setting import did_you_mean


class HookError(UserError):
    """A game violates the declarations of `Game`; the message names the hook."""


def check_hooks(slug: str, game: object) -> None:
    """Refuse a game with a missing, misspelt or wrongly typed hook; a HookError says which."""
    if not isinstance(game, Game):
        raise HookError(f"game {slug}: {type(game).__name__} is not a subclass of referee.game.Game")
    for fault in _faults(game):
        raise HookError(f"game {slug}: {fault}")
    for version in game.earlier:
        check_hooks(slug, version)


def _faults(game: Any) -> Iterator[str]:
    values = {name: hint for name, hint in get_type_hints(Game).items() if not name.startswith("_")}
    methods = {name: method for name, method in vars(Game).items() if inspect.isfunction(method)}
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
