import datetime

from google.protobuf import any_pb2 as _any_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from referee.games.carcassonne_city.v1 import carcassonne_city_pb2 as _carcassonne_city_pb2
from referee.games.furstenfeld.v1 import furstenfeld_pb2 as _furstenfeld_pb2
from referee.games.norenberc.v1 import norenberc_pb2 as _norenberc_pb2
from referee.games.nuremberg.v1 import nuremberg_pb2 as _nuremberg_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_UNSPECIFIED: _ClassVar[Ending]
    ENDING_COMPLETED: _ClassVar[Ending]
    ENDING_FORFEIT_TIMEOUT: _ClassVar[Ending]
    ENDING_FORFEIT_CRASH: _ClassVar[Ending]
    ENDING_FORFEIT_ILLEGAL: _ClassVar[Ending]
    ENDING_FORFEIT_DISCONNECT: _ClassVar[Ending]
    ENDING_VOIDED: _ClassVar[Ending]
ENDING_UNSPECIFIED: Ending
ENDING_COMPLETED: Ending
ENDING_FORFEIT_TIMEOUT: Ending
ENDING_FORFEIT_CRASH: Ending
ENDING_FORFEIT_ILLEGAL: Ending
ENDING_FORFEIT_DISCONNECT: Ending
ENDING_VOIDED: Ending

class PlayRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[BotMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[BotMessage, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[RefereeMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[RefereeMessage, _Mapping]]] = ...) -> None: ...

class BotMessage(_message.Message):
    __slots__ = ("hello", "answer")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answer: Answer
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ...) -> None: ...

class RefereeMessage(_message.Message):
    __slots__ = ("welcome", "match_started", "prompt", "refused", "match_ended", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    MATCH_STARTED_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    match_started: MatchStarted
    prompt: Prompt
    refused: Refused
    match_ended: MatchEnded
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., match_started: _Optional[_Union[MatchStarted, _Mapping]] = ..., prompt: _Optional[_Union[Prompt, _Mapping]] = ..., refused: _Optional[_Union[Refused, _Mapping]] = ..., match_ended: _Optional[_Union[MatchEnded, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("ticket", "protocol_version", "games", "concurrency")
    TICKET_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CONCURRENCY_FIELD_NUMBER: _ClassVar[int]
    ticket: str
    protocol_version: int
    games: _containers.RepeatedScalarFieldContainer[str]
    concurrency: int
    def __init__(self, ticket: _Optional[str] = ..., protocol_version: _Optional[int] = ..., games: _Optional[_Iterable[str]] = ..., concurrency: _Optional[int] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol_version", "bot")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    bot: str
    def __init__(self, protocol_version: _Optional[int] = ..., bot: _Optional[str] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("match_id", "game", "rules_version", "seat", "seats", "options", "time_control")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    rules_version: int
    seat: int
    seats: int
    options: GameOptions
    time_control: TimeControl
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., rules_version: _Optional[int] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., options: _Optional[_Union[GameOptions, _Mapping]] = ..., time_control: _Optional[_Union[TimeControl, _Mapping]] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("bank", "increment", "decision_cap", "strike_limit")
    BANK_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_FIELD_NUMBER: _ClassVar[int]
    DECISION_CAP_FIELD_NUMBER: _ClassVar[int]
    STRIKE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    bank: _duration_pb2.Duration
    increment: _duration_pb2.Duration
    decision_cap: _duration_pb2.Duration
    strike_limit: int
    def __init__(self, bank: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., increment: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., decision_cap: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., strike_limit: _Optional[int] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("match_id", "prompt_id", "kind", "clause", "game", "option_count", "options_truncated", "time_left", "deadline", "clocks")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    OPTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    CLOCKS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    prompt_id: int
    kind: str
    clause: str
    game: GamePrompt
    option_count: int
    options_truncated: bool
    time_left: _duration_pb2.Duration
    deadline: _duration_pb2.Duration
    clocks: _containers.RepeatedCompositeFieldContainer[_duration_pb2.Duration]
    def __init__(self, match_id: _Optional[str] = ..., prompt_id: _Optional[int] = ..., kind: _Optional[str] = ..., clause: _Optional[str] = ..., game: _Optional[_Union[GamePrompt, _Mapping]] = ..., option_count: _Optional[int] = ..., options_truncated: _Optional[bool] = ..., time_left: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., deadline: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., clocks: _Optional[_Iterable[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("match_id", "prompt_id", "option_index", "action", "thought", "comment", "signed_choice")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    OPTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    THOUGHT_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    SIGNED_CHOICE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    prompt_id: int
    option_index: int
    action: GameAction
    thought: _duration_pb2.Duration
    comment: str
    signed_choice: SignedChoice
    def __init__(self, match_id: _Optional[str] = ..., prompt_id: _Optional[int] = ..., option_index: _Optional[int] = ..., action: _Optional[_Union[GameAction, _Mapping]] = ..., thought: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., comment: _Optional[str] = ..., signed_choice: _Optional[_Union[SignedChoice, _Mapping]] = ...) -> None: ...

class SignedChoice(_message.Message):
    __slots__ = ("statement", "signature")
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    statement: bytes
    signature: bytes
    def __init__(self, statement: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...

class ChoiceStatement(_message.Message):
    __slots__ = ("match_id", "prompt_id", "prompt_digest", "option_index", "action")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    OPTION_INDEX_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    prompt_id: int
    prompt_digest: bytes
    option_index: int
    action: GameAction
    def __init__(self, match_id: _Optional[str] = ..., prompt_id: _Optional[int] = ..., prompt_digest: _Optional[bytes] = ..., option_index: _Optional[int] = ..., action: _Optional[_Union[GameAction, _Mapping]] = ...) -> None: ...

class Refused(_message.Message):
    __slots__ = ("match_id", "prompt_id", "clause", "reason", "strikes")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    prompt_id: int
    clause: str
    reason: str
    strikes: int
    def __init__(self, match_id: _Optional[str] = ..., prompt_id: _Optional[int] = ..., clause: _Optional[str] = ..., reason: _Optional[str] = ..., strikes: _Optional[int] = ...) -> None: ...

class MatchEnded(_message.Message):
    __slots__ = ("match_id", "ranks", "scores", "reason", "ending")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    ranks: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    reason: str
    ending: Ending
    def __init__(self, match_id: _Optional[str] = ..., ranks: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., reason: _Optional[str] = ..., ending: _Optional[_Union[Ending, str]] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class GameOptions(_message.Message):
    __slots__ = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "plug_in")
    CARCASSONNE_CITY_FIELD_NUMBER: _ClassVar[int]
    FURSTENFELD_FIELD_NUMBER: _ClassVar[int]
    NORENBERC_FIELD_NUMBER: _ClassVar[int]
    NUREMBERG_FIELD_NUMBER: _ClassVar[int]
    PLUG_IN_FIELD_NUMBER: _ClassVar[int]
    carcassonne_city: _carcassonne_city_pb2.Options
    furstenfeld: _furstenfeld_pb2.Options
    norenberc: _norenberc_pb2.Options
    nuremberg: _nuremberg_pb2.Options
    plug_in: _any_pb2.Any
    def __init__(self, carcassonne_city: _Optional[_Union[_carcassonne_city_pb2.Options, _Mapping]] = ..., furstenfeld: _Optional[_Union[_furstenfeld_pb2.Options, _Mapping]] = ..., norenberc: _Optional[_Union[_norenberc_pb2.Options, _Mapping]] = ..., nuremberg: _Optional[_Union[_nuremberg_pb2.Options, _Mapping]] = ..., plug_in: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class GamePrompt(_message.Message):
    __slots__ = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "plug_in")
    CARCASSONNE_CITY_FIELD_NUMBER: _ClassVar[int]
    FURSTENFELD_FIELD_NUMBER: _ClassVar[int]
    NORENBERC_FIELD_NUMBER: _ClassVar[int]
    NUREMBERG_FIELD_NUMBER: _ClassVar[int]
    PLUG_IN_FIELD_NUMBER: _ClassVar[int]
    carcassonne_city: _carcassonne_city_pb2.Prompt
    furstenfeld: _furstenfeld_pb2.Prompt
    norenberc: _norenberc_pb2.Prompt
    nuremberg: _nuremberg_pb2.Prompt
    plug_in: _any_pb2.Any
    def __init__(self, carcassonne_city: _Optional[_Union[_carcassonne_city_pb2.Prompt, _Mapping]] = ..., furstenfeld: _Optional[_Union[_furstenfeld_pb2.Prompt, _Mapping]] = ..., norenberc: _Optional[_Union[_norenberc_pb2.Prompt, _Mapping]] = ..., nuremberg: _Optional[_Union[_nuremberg_pb2.Prompt, _Mapping]] = ..., plug_in: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class GameAction(_message.Message):
    __slots__ = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "plug_in")
    CARCASSONNE_CITY_FIELD_NUMBER: _ClassVar[int]
    FURSTENFELD_FIELD_NUMBER: _ClassVar[int]
    NORENBERC_FIELD_NUMBER: _ClassVar[int]
    NUREMBERG_FIELD_NUMBER: _ClassVar[int]
    PLUG_IN_FIELD_NUMBER: _ClassVar[int]
    carcassonne_city: _carcassonne_city_pb2.Action
    furstenfeld: _furstenfeld_pb2.Action
    norenberc: _norenberc_pb2.Action
    nuremberg: _nuremberg_pb2.Action
    plug_in: _any_pb2.Any
    def __init__(self, carcassonne_city: _Optional[_Union[_carcassonne_city_pb2.Action, _Mapping]] = ..., furstenfeld: _Optional[_Union[_furstenfeld_pb2.Action, _Mapping]] = ..., norenberc: _Optional[_Union[_norenberc_pb2.Action, _Mapping]] = ..., nuremberg: _Optional[_Union[_nuremberg_pb2.Action, _Mapping]] = ..., plug_in: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...
