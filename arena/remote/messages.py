"""Conversion between messages and the arena's own values: fields are mapped by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from google.protobuf.message import Message

from arena.store.rows import TournamentState
from arena.v1 import arena_pb2 as pb

T = TypeVar("T")
M = TypeVar("M", bound=Message)

ON_THE_WIRE = {"match": "match_id"}  # where a language reserves the name


def pack(value: Any, message: M) -> M:
    """Fill a message from a dataclass; values without a message field are left out."""
    return fill(message, **{field.name: getattr(value, field.name) for field in dataclasses.fields(value)})


def fill(message: M, **values: Any) -> M:
    """Fill a message by field name, with dataclasses where it has messages."""
    known = message.DESCRIPTOR.fields_by_name
    for name, part in values.items():
        wire = ON_THE_WIRE.get(name, name)
        if wire not in known or part is None:
            continue
        filled = getattr(message, wire)
        if dataclasses.is_dataclass(part):
            pack(part, filled)
            filled.SetInParent()
        elif isinstance(part, Mapping):
            filled.update(part)
        elif isinstance(part, (tuple, list)):
            for each in part:
                if dataclasses.is_dataclass(each):
                    pack(each, filled.add())
                else:
                    filled.append(each)
        else:
            setattr(message, wire, state_of(part) if isinstance(part, TournamentState) else part)
    return message


def unpack(message: Message, kind: Callable[..., T]) -> T:
    """Make a dataclass from a message; a text without a message field is empty."""
    known = message.DESCRIPTOR.fields_by_name
    values: dict[str, Any] = {}
    for name, hint in _hints(kind).items():
        wire = ON_THE_WIRE.get(name, name)
        if wire not in known:
            values[name] = ""
        elif type(None) in get_args(hint):
            (inner,) = [each for each in get_args(hint) if each is not type(None)]
            values[name] = _value(getattr(message, wire), inner) if message.HasField(wire) else None
        else:
            values[name] = _value(getattr(message, wire), hint)
    return kind(**values)


def _value(part: Any, hint: Any) -> Any:
    if dataclasses.is_dataclass(hint):
        kind: Any = hint
        return unpack(part, kind)
    if hint is TournamentState:
        return read_state(part)
    if get_origin(hint) is tuple:
        return tuple(_value(each, get_args(hint)[0]) for each in part)
    return dict(part) if get_origin(hint) is dict else part


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def state_of(state: TournamentState) -> Any:  # the published types say int in one place and enum in another
    """Return a tournament's state as sent on the wire."""
    return pb.TournamentState.Value(f"TOURNAMENT_STATE_{state.upper()}")


def read_state(state: int) -> TournamentState:
    """Return a tournament's state as received from the wire."""
    return TournamentState(pb.TournamentState.Name(state).removeprefix("TOURNAMENT_STATE_").lower())
