"""Moves that are not listed: the model writes one in a stated notation, and the rules judge it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

# A bot runs in its own directory, so this is the file beside this one.
from reading import Reader, read_move  # type: ignore[import-not-found]

from referee.codec import ProtocolError, codec_for
from referee.game import AnyGame, IllegalActionError, can_imagine
from referee.rng import Rng

NAMES = {
    FieldDescriptor.CPPTYPE_INT32: "whole number",
    FieldDescriptor.CPPTYPE_INT64: "whole number",
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
    FieldDescriptor.CPPTYPE_DOUBLE: "number",
    FieldDescriptor.CPPTYPE_STRING: "text",
}


def notation(game: AnyGame) -> str:
    """Return how every kind of move of a game is written, one per line."""
    kinds = codec_for(game).action.message.DESCRIPTOR.oneofs_by_name["kind"].fields
    lines = (f'{{"{kind.name}": {_message(kind.message_type)}}}' for kind in kinds)
    return "\n".join(["Moves are written as one of these JSON objects, with <…> filled in:", *lines])


def _message(message: Descriptor | None) -> str:
    assert message is not None  # every kind of action is one
    if "kind" in message.oneofs_by_name:
        kinds = message.oneofs_by_name["kind"].fields
        return "<" + " | ".join(f'{{"{kind.name}": {_message(kind.message_type)}}}' for kind in kinds) + ">"
    return "{" + ", ".join(f'"{field.name}": {_value(field)}' for field in message.fields) + "}"


def _value(field: FieldDescriptor) -> str:
    if field.message_type is not None:
        one = _message(field.message_type)
    elif field.enum_type is not None:
        prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field.enum_type.name).upper() + "_"
        names = [value.name.removeprefix(prefix) for value in field.enum_type.values]
        one = "<" + " | ".join(json.dumps(name) for name in names if name != "UNSPECIFIED") + ">"
    else:
        one = f"<{NAMES.get(field.cpp_type, 'value')}>"
    if field.is_repeated:
        return f"[{one}, …]"
    return f"{one} or null" if field.has_presence and field.message_type is None else one


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
