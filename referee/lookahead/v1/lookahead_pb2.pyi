import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from referee.v1 import play_pb2 as _play_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Policy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    POLICY_UNSPECIFIED: _ClassVar[Policy]
    POLICY_RANDOM: _ClassVar[Policy]
    POLICY_GREEDY: _ClassVar[Policy]
POLICY_UNSPECIFIED: Policy
POLICY_RANDOM: Policy
POLICY_GREEDY: Policy

class ImagineRequest(_message.Message):
    __slots__ = ("game", "seat", "prompt", "count", "seed")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    game: str
    seat: int
    prompt: _play_pb2.GamePrompt
    count: int
    seed: int
    def __init__(self, game: _Optional[str] = ..., seat: _Optional[int] = ..., prompt: _Optional[_Union[_play_pb2.GamePrompt, _Mapping]] = ..., count: _Optional[int] = ..., seed: _Optional[int] = ...) -> None: ...

class ImagineResponse(_message.Message):
    __slots__ = ("tree", "worlds")
    TREE_FIELD_NUMBER: _ClassVar[int]
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    tree: int
    worlds: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, tree: _Optional[int] = ..., worlds: _Optional[_Iterable[int]] = ...) -> None: ...

class OptionsRequest(_message.Message):
    __slots__ = ("worlds", "with_actions", "with_texts", "with_ratings")
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    WITH_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    WITH_TEXTS_FIELD_NUMBER: _ClassVar[int]
    WITH_RATINGS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedScalarFieldContainer[int]
    with_actions: bool
    with_texts: bool
    with_ratings: bool
    def __init__(self, worlds: _Optional[_Iterable[int]] = ..., with_actions: _Optional[bool] = ..., with_texts: _Optional[bool] = ..., with_ratings: _Optional[bool] = ...) -> None: ...

class OptionsResponse(_message.Message):
    __slots__ = ("worlds",)
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedCompositeFieldContainer[WorldOptions]
    def __init__(self, worlds: _Optional[_Iterable[_Union[WorldOptions, _Mapping]]] = ...) -> None: ...

class WorldOptions(_message.Message):
    __slots__ = ("decisions",)
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[OpenDecision]
    def __init__(self, decisions: _Optional[_Iterable[_Union[OpenDecision, _Mapping]]] = ...) -> None: ...

class OpenDecision(_message.Message):
    __slots__ = ("seat", "kind", "clause", "option_count", "options_truncated", "actions", "texts", "ratings")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    OPTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: str
    clause: str
    option_count: int
    options_truncated: bool
    actions: _containers.RepeatedCompositeFieldContainer[_play_pb2.GameAction]
    texts: _containers.RepeatedScalarFieldContainer[str]
    ratings: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[str] = ..., clause: _Optional[str] = ..., option_count: _Optional[int] = ..., options_truncated: _Optional[bool] = ..., actions: _Optional[_Iterable[_Union[_play_pb2.GameAction, _Mapping]]] = ..., texts: _Optional[_Iterable[str]] = ..., ratings: _Optional[_Iterable[float]] = ...) -> None: ...

class SeatChoice(_message.Message):
    __slots__ = ("seat", "option_index", "action")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OPTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    seat: int
    option_index: int
    action: _play_pb2.GameAction
    def __init__(self, seat: _Optional[int] = ..., option_index: _Optional[int] = ..., action: _Optional[_Union[_play_pb2.GameAction, _Mapping]] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("world", "choices")
    WORLD_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    world: int
    choices: _containers.RepeatedCompositeFieldContainer[SeatChoice]
    def __init__(self, world: _Optional[int] = ..., choices: _Optional[_Iterable[_Union[SeatChoice, _Mapping]]] = ...) -> None: ...

class ApplyRequest(_message.Message):
    __slots__ = ("moves", "others", "seed")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[Move]
    others: Policy
    seed: int
    def __init__(self, moves: _Optional[_Iterable[_Union[Move, _Mapping]]] = ..., others: _Optional[_Union[Policy, str]] = ..., seed: _Optional[int] = ...) -> None: ...

class ApplyResponse(_message.Message):
    __slots__ = ("worlds",)
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, worlds: _Optional[_Iterable[int]] = ...) -> None: ...

class PlayoutRequest(_message.Message):
    __slots__ = ("starts", "count", "policy", "horizon", "seed", "time_limit", "only_totals")
    STARTS_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    HORIZON_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    ONLY_TOTALS_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedCompositeFieldContainer[Move]
    count: int
    policy: Policy
    horizon: int
    seed: int
    time_limit: _duration_pb2.Duration
    only_totals: bool
    def __init__(self, starts: _Optional[_Iterable[_Union[Move, _Mapping]]] = ..., count: _Optional[int] = ..., policy: _Optional[_Union[Policy, str]] = ..., horizon: _Optional[int] = ..., seed: _Optional[int] = ..., time_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., only_totals: _Optional[bool] = ...) -> None: ...

class PlayoutResponse(_message.Message):
    __slots__ = ("starts",)
    STARTS_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedCompositeFieldContainer[StartResult]
    def __init__(self, starts: _Optional[_Iterable[_Union[StartResult, _Mapping]]] = ...) -> None: ...

class StartResult(_message.Message):
    __slots__ = ("count", "value_totals", "playouts")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    VALUE_TOTALS_FIELD_NUMBER: _ClassVar[int]
    PLAYOUTS_FIELD_NUMBER: _ClassVar[int]
    count: int
    value_totals: _containers.RepeatedScalarFieldContainer[float]
    playouts: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, count: _Optional[int] = ..., value_totals: _Optional[_Iterable[float]] = ..., playouts: _Optional[_Iterable[_Union[Position, _Mapping]]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("values", "is_over", "ranks", "scores", "worths")
    VALUES_FIELD_NUMBER: _ClassVar[int]
    IS_OVER_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    WORTHS_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[float]
    is_over: bool
    ranks: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    worths: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, values: _Optional[_Iterable[float]] = ..., is_over: _Optional[bool] = ..., ranks: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., worths: _Optional[_Iterable[float]] = ...) -> None: ...

class EvaluateRequest(_message.Message):
    __slots__ = ("worlds",)
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, worlds: _Optional[_Iterable[int]] = ...) -> None: ...

class EvaluateResponse(_message.Message):
    __slots__ = ("positions",)
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    positions: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, positions: _Optional[_Iterable[_Union[Position, _Mapping]]] = ...) -> None: ...

class SearchRequest(_message.Message):
    __slots__ = ("game", "seat", "prompt", "nodes", "time_limit", "seed", "with_trades")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    WITH_TRADES_FIELD_NUMBER: _ClassVar[int]
    game: str
    seat: int
    prompt: _play_pb2.GamePrompt
    nodes: int
    time_limit: _duration_pb2.Duration
    seed: int
    with_trades: bool
    def __init__(self, game: _Optional[str] = ..., seat: _Optional[int] = ..., prompt: _Optional[_Union[_play_pb2.GamePrompt, _Mapping]] = ..., nodes: _Optional[int] = ..., time_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., seed: _Optional[int] = ..., with_trades: _Optional[bool] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("option_index", "value", "node_count")
    OPTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    NODE_COUNT_FIELD_NUMBER: _ClassVar[int]
    option_index: int
    value: float
    node_count: int
    def __init__(self, option_index: _Optional[int] = ..., value: _Optional[float] = ..., node_count: _Optional[int] = ...) -> None: ...

class FreeRequest(_message.Message):
    __slots__ = ("handles",)
    HANDLES_FIELD_NUMBER: _ClassVar[int]
    handles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, handles: _Optional[_Iterable[int]] = ...) -> None: ...

class FreeResponse(_message.Message):
    __slots__ = ("world_count",)
    WORLD_COUNT_FIELD_NUMBER: _ClassVar[int]
    world_count: int
    def __init__(self, world_count: _Optional[int] = ...) -> None: ...
