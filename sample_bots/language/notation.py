"""Moves that are not listed: the model writes one in a stated notation, and the rules judge it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum
from typing import Any

# A bot runs in its own directory, so this is the file beside this one.
from reading import Reader, read_move  # type: ignore[import-not-found]

from referee.codec import ProtocolError, codec_for
from referee.game import AnyGame, IllegalActionError, can_imagine
from referee.message_names import is_enum, snake
from referee.ranges import Declared, fields_of, union_members
from referee.rng import Rng
from referee.values import is_value_type

NAMES = {int: "whole number", bool: "true or false", str: "text", float: "number", bytes: "hexadecimal digits"}


def notation(game: AnyGame) -> str:
    """Return how every kind of move of a game is written, one per line."""
    lines = (f'{{"{snake(kind.__name__)}": {_fields(kind)}}}' for kind in union_members(game.types.action))
    return "\n".join(["Moves are written as one of these JSON objects, with <…> filled in:", *lines])


def _fields(kind: Any) -> str:
    return "{" + ", ".join(f'"{name}": {_value(field)}' for name, field in fields_of(kind)) + "}"


def _value(field: Declared) -> str:
    kind = field.value
    members = union_members(kind)
    if is_enum(kind):
        one = "<" + " | ".join(json.dumps(member.name) for member in kind if isinstance(member, Enum)) + ">"
    elif len(members) > 1:
        one = "<" + " | ".join(f'{{"{snake(each.__name__)}": {_fields(each)}}}' for each in members) + ">"
    elif is_value_type(kind):
        one = _fields(kind)
    else:
        within = field.within
        one = f"<{NAMES[kind]}{'' if within is None else f' {within.least} to {within.most}'}>"
    one = f"[{one}, …]" if field.is_list else one
    return f"{one} or null" if field.is_optional else one


def move_reader(game: AnyGame, view: Any, seat: int, options: Sequence[Any], unmask: Any = None) -> Reader:
    """Return a reader of written moves, which gives the action; what the rules refuse is told with its clause.

    They judge it in a world that the seat cannot tell from the real one: what is legal depends on what it knows.
    """
    action_of = codec_for(game).action.from_plain
    world = game.imagine(view, seat, Rng(0)) if can_imagine(game) else None

    def read(text: str) -> tuple[Any, str]:
        move = read_move(text if unmask is None else unmask(text))
        if move is None:
            return None, "That is not one JSON object. Answer with one move in the notation."
        try:
            action = action_of(move)
            if action not in options:
                if world is None:
                    raise IllegalActionError("", "it is not among the options")
                game.check(world, seat, action)
        except ProtocolError as error:
            return None, f"That move cannot be read: {str(error)[:300]}"
        except IllegalActionError as error:
            clause = f"{error.clause}: " if error.clause else ""
            return None, f"The rules refuse that move: {clause}{error.reason[:300]}"
        return action, ""

    return read
