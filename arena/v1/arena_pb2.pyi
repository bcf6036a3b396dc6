from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_STOPPED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_STOPPED: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState

class SubmitBotRequest(_message.Message):
    __slots__ = ("manifest", "chunk")
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    manifest: SubmissionManifest
    chunk: bytes
    def __init__(self, manifest: _Optional[_Union[SubmissionManifest, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class SubmissionManifest(_message.Message):
    __slots__ = ("name", "archive_size", "archive_sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_SIZE_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    archive_size: int
    archive_sha256: str
    def __init__(self, name: _Optional[str] = ..., archive_size: _Optional[int] = ..., archive_sha256: _Optional[str] = ...) -> None: ...

class SubmitBotResponse(_message.Message):
    __slots__ = ("accepted", "refused")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    accepted: AcceptedVersion
    refused: RefusedVersion
    def __init__(self, accepted: _Optional[_Union[AcceptedVersion, _Mapping]] = ..., refused: _Optional[_Union[RefusedVersion, _Mapping]] = ...) -> None: ...

class AcceptedVersion(_message.Message):
    __slots__ = ("label", "version", "is_new", "game")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IS_NEW_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    label: str
    version: str
    is_new: bool
    game: str
    def __init__(self, label: _Optional[str] = ..., version: _Optional[str] = ..., is_new: _Optional[bool] = ..., game: _Optional[str] = ...) -> None: ...

class RefusedVersion(_message.Message):
    __slots__ = ("reason", "game", "output")
    REASON_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    reason: str
    game: str
    output: str
    def __init__(self, reason: _Optional[str] = ..., game: _Optional[str] = ..., output: _Optional[str] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[BotSummary]
    def __init__(self, bots: _Optional[_Iterable[_Union[BotSummary, _Mapping]]] = ...) -> None: ...

class BotSummary(_message.Message):
    __slots__ = ("name", "author", "newest", "versions", "is_retired", "matches", "games", "state")
    class GamesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    IS_RETIRED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    name: str
    author: str
    newest: str
    versions: int
    is_retired: bool
    matches: int
    games: _containers.ScalarMap[str, float]
    state: str
    def __init__(self, name: _Optional[str] = ..., author: _Optional[str] = ..., newest: _Optional[str] = ..., versions: _Optional[int] = ..., is_retired: _Optional[bool] = ..., matches: _Optional[int] = ..., games: _Optional[_Mapping[str, float]] = ..., state: _Optional[str] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name", "last")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    name: str
    last: int
    def __init__(self, name: _Optional[str] = ..., last: _Optional[int] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: BotReport
    def __init__(self, bot: _Optional[_Union[BotReport, _Mapping]] = ...) -> None: ...

class BotReport(_message.Message):
    __slots__ = ("name", "author", "is_retired", "versions", "ratings", "duels", "recent", "forfeits", "forfeit_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    IS_RETIRED_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    RATINGS_FIELD_NUMBER: _ClassVar[int]
    DUELS_FIELD_NUMBER: _ClassVar[int]
    RECENT_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    author: str
    is_retired: bool
    versions: _containers.RepeatedCompositeFieldContainer[VersionReport]
    ratings: _containers.RepeatedCompositeFieldContainer[RatingReport]
    duels: _containers.RepeatedCompositeFieldContainer[HeadToHead]
    recent: _containers.RepeatedCompositeFieldContainer[BotMatch]
    forfeits: _containers.RepeatedCompositeFieldContainer[Forfeit]
    forfeit_count: int
    def __init__(self, name: _Optional[str] = ..., author: _Optional[str] = ..., is_retired: _Optional[bool] = ..., versions: _Optional[_Iterable[_Union[VersionReport, _Mapping]]] = ..., ratings: _Optional[_Iterable[_Union[RatingReport, _Mapping]]] = ..., duels: _Optional[_Iterable[_Union[HeadToHead, _Mapping]]] = ..., recent: _Optional[_Iterable[_Union[BotMatch, _Mapping]]] = ..., forfeits: _Optional[_Iterable[_Union[Forfeit, _Mapping]]] = ..., forfeit_count: _Optional[int] = ...) -> None: ...

class VersionReport(_message.Message):
    __slots__ = ("label", "version", "parent", "added_at", "public_key")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    ADDED_AT_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    label: str
    version: str
    parent: str
    added_at: str
    public_key: str
    def __init__(self, label: _Optional[str] = ..., version: _Optional[str] = ..., parent: _Optional[str] = ..., added_at: _Optional[str] = ..., public_key: _Optional[str] = ...) -> None: ...

class RatingReport(_message.Message):
    __slots__ = ("label", "pool", "elo", "matches", "wins", "shared_wins", "mean_place", "points_share", "forfeits", "history", "drift_in", "drift", "drift_error")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    SHARED_WINS_FIELD_NUMBER: _ClassVar[int]
    MEAN_PLACE_FIELD_NUMBER: _ClassVar[int]
    POINTS_SHARE_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    DRIFT_IN_FIELD_NUMBER: _ClassVar[int]
    DRIFT_FIELD_NUMBER: _ClassVar[int]
    DRIFT_ERROR_FIELD_NUMBER: _ClassVar[int]
    label: str
    pool: str
    elo: float
    matches: int
    wins: int
    shared_wins: int
    mean_place: float
    points_share: float
    forfeits: int
    history: _containers.RepeatedCompositeFieldContainer[RatingStep]
    drift_in: str
    drift: float
    drift_error: float
    def __init__(self, label: _Optional[str] = ..., pool: _Optional[str] = ..., elo: _Optional[float] = ..., matches: _Optional[int] = ..., wins: _Optional[int] = ..., shared_wins: _Optional[int] = ..., mean_place: _Optional[float] = ..., points_share: _Optional[float] = ..., forfeits: _Optional[int] = ..., history: _Optional[_Iterable[_Union[RatingStep, _Mapping]]] = ..., drift_in: _Optional[str] = ..., drift: _Optional[float] = ..., drift_error: _Optional[float] = ...) -> None: ...

class RatingStep(_message.Message):
    __slots__ = ("match_id", "change", "after")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    change: float
    after: float
    def __init__(self, match_id: _Optional[str] = ..., change: _Optional[float] = ..., after: _Optional[float] = ...) -> None: ...

class HeadToHead(_message.Message):
    __slots__ = ("game", "opponent", "matches", "points")
    GAME_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    game: str
    opponent: str
    matches: int
    points: float
    def __init__(self, game: _Optional[str] = ..., opponent: _Optional[str] = ..., matches: _Optional[int] = ..., points: _Optional[float] = ...) -> None: ...

class BotMatch(_message.Message):
    __slots__ = ("match_id", "game", "tournament", "round", "label", "seat", "seats", "place", "score", "ending", "reason", "stored_at", "void_reason", "forfeit_note", "strike_note")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STORED_AT_FIELD_NUMBER: _ClassVar[int]
    VOID_REASON_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_NOTE_FIELD_NUMBER: _ClassVar[int]
    STRIKE_NOTE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    tournament: str
    round: int
    label: str
    seat: int
    seats: int
    place: int
    score: int
    ending: str
    reason: str
    stored_at: str
    void_reason: str
    forfeit_note: str
    strike_note: str
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., tournament: _Optional[str] = ..., round: _Optional[int] = ..., label: _Optional[str] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., place: _Optional[int] = ..., score: _Optional[int] = ..., ending: _Optional[str] = ..., reason: _Optional[str] = ..., stored_at: _Optional[str] = ..., void_reason: _Optional[str] = ..., forfeit_note: _Optional[str] = ..., strike_note: _Optional[str] = ...) -> None: ...

class Forfeit(_message.Message):
    __slots__ = ("line", "output")
    LINE_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    line: BotMatch
    output: str
    def __init__(self, line: _Optional[_Union[BotMatch, _Mapping]] = ..., output: _Optional[str] = ...) -> None: ...

class RetireBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RetireBotResponse(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ConnectRequest(_message.Message):
    __slots__ = ("name", "games", "concurrency", "public_key")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CONCURRENCY_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    name: str
    games: _containers.RepeatedScalarFieldContainer[str]
    concurrency: int
    public_key: str
    def __init__(self, name: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., concurrency: _Optional[int] = ..., public_key: _Optional[str] = ...) -> None: ...

class ConnectResponse(_message.Message):
    __slots__ = ("label", "address", "ticket", "public_key")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    label: str
    address: str
    ticket: str
    public_key: str
    def __init__(self, label: _Optional[str] = ..., address: _Optional[str] = ..., ticket: _Optional[str] = ..., public_key: _Optional[str] = ...) -> None: ...

class StartTournamentRequest(_message.Message):
    __slots__ = ("toml",)
    TOML_FIELD_NUMBER: _ClassVar[int]
    toml: str
    def __init__(self, toml: _Optional[str] = ...) -> None: ...

class StartTournamentResponse(_message.Message):
    __slots__ = ("tournament", "bots")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tournament: _Optional[str] = ..., bots: _Optional[_Iterable[str]] = ...) -> None: ...

class StopTournamentRequest(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    def __init__(self, tournament: _Optional[str] = ...) -> None: ...

class StopTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    def __init__(self, tournament: _Optional[str] = ...) -> None: ...

class EnterBotRequest(_message.Message):
    __slots__ = ("tournament", "bot")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bot: str
    def __init__(self, tournament: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class EnterBotResponse(_message.Message):
    __slots__ = ("bot", "round")
    BOT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    bot: str
    round: int
    def __init__(self, bot: _Optional[str] = ..., round: _Optional[int] = ...) -> None: ...

class WithdrawBotRequest(_message.Message):
    __slots__ = ("tournament", "bot")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bot: str
    def __init__(self, tournament: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class WithdrawBotResponse(_message.Message):
    __slots__ = ("bot", "round")
    BOT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    bot: str
    round: int
    def __init__(self, bot: _Optional[str] = ..., round: _Optional[int] = ...) -> None: ...

class AddNonceRequest(_message.Message):
    __slots__ = ("tournament", "source", "value")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    source: str
    value: str
    def __init__(self, tournament: _Optional[str] = ..., source: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class AddNonceResponse(_message.Message):
    __slots__ = ("missing",)
    MISSING_FIELD_NUMBER: _ClassVar[int]
    missing: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, missing: _Optional[_Iterable[str]] = ...) -> None: ...

class DisqualifyBotRequest(_message.Message):
    __slots__ = ("tournament", "bot", "results", "reason")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bot: str
    results: str
    reason: str
    def __init__(self, tournament: _Optional[str] = ..., bot: _Optional[str] = ..., results: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class DisqualifyBotResponse(_message.Message):
    __slots__ = ("tournament", "bots", "round", "results", "matches")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bots: _containers.RepeatedScalarFieldContainer[str]
    round: int
    results: str
    matches: int
    def __init__(self, tournament: _Optional[str] = ..., bots: _Optional[_Iterable[str]] = ..., round: _Optional[int] = ..., results: _Optional[str] = ..., matches: _Optional[int] = ...) -> None: ...

class VoidMatchesRequest(_message.Message):
    __slots__ = ("match_ids", "reason")
    MATCH_IDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_ids: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    def __init__(self, match_ids: _Optional[_Iterable[str]] = ..., reason: _Optional[str] = ...) -> None: ...

class VoidMatchesResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[VoidMatch]
    def __init__(self, matches: _Optional[_Iterable[_Union[VoidMatch, _Mapping]]] = ...) -> None: ...

class VoidMatch(_message.Message):
    __slots__ = ("match_id", "was_void_already", "given_back")
    class GivenBackEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    WAS_VOID_ALREADY_FIELD_NUMBER: _ClassVar[int]
    GIVEN_BACK_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    was_void_already: bool
    given_back: _containers.ScalarMap[str, float]
    def __init__(self, match_id: _Optional[str] = ..., was_void_already: _Optional[bool] = ..., given_back: _Optional[_Mapping[str, float]] = ...) -> None: ...

class ListTournamentsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments",)
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[TournamentSummary]
    def __init__(self, tournaments: _Optional[_Iterable[_Union[TournamentSummary, _Mapping]]] = ...) -> None: ...

class TournamentSummary(_message.Message):
    __slots__ = ("tournament", "state", "reason", "games", "bots", "rounds_closed", "rounds_planned", "matches", "started_at", "points_rounds_closed", "void_matches", "forecast")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_CLOSED_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_PLANNED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    POINTS_ROUNDS_CLOSED_FIELD_NUMBER: _ClassVar[int]
    VOID_MATCHES_FIELD_NUMBER: _ClassVar[int]
    FORECAST_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    state: TournamentState
    reason: str
    games: _containers.RepeatedScalarFieldContainer[str]
    bots: int
    rounds_closed: int
    rounds_planned: int
    matches: int
    started_at: str
    points_rounds_closed: int
    void_matches: int
    forecast: Forecast
    def __init__(self, tournament: _Optional[str] = ..., state: _Optional[_Union[TournamentState, str]] = ..., reason: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., bots: _Optional[int] = ..., rounds_closed: _Optional[int] = ..., rounds_planned: _Optional[int] = ..., matches: _Optional[int] = ..., started_at: _Optional[str] = ..., points_rounds_closed: _Optional[int] = ..., void_matches: _Optional[int] = ..., forecast: _Optional[_Union[Forecast, _Mapping]] = ...) -> None: ...

class Forecast(_message.Message):
    __slots__ = ("round", "games", "seconds", "open", "neighbours", "top", "budget", "words")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOURS_FIELD_NUMBER: _ClassVar[int]
    TOP_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    round: int
    games: int
    seconds: float
    open: int
    neighbours: int
    top: int
    budget: int
    words: str
    def __init__(self, round: _Optional[int] = ..., games: _Optional[int] = ..., seconds: _Optional[float] = ..., open: _Optional[int] = ..., neighbours: _Optional[int] = ..., top: _Optional[int] = ..., budget: _Optional[int] = ..., words: _Optional[str] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    def __init__(self, tournament: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("lines", "order")
    LINES_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[StandingLine]
    order: OrderWords
    def __init__(self, lines: _Optional[_Iterable[_Union[StandingLine, _Mapping]]] = ..., order: _Optional[_Union[OrderWords, _Mapping]] = ...) -> None: ...

class OrderWords(_message.Message):
    __slots__ = ("name", "rule")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    name: str
    rule: str
    def __init__(self, name: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...

class StandingLine(_message.Message):
    __slots__ = ("place", "bot", "points", "rounds", "opponents", "opponents_cut", "weighted", "score_share", "head_to_head", "disqualified", "wins", "draws", "losses")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_FIELD_NUMBER: _ClassVar[int]
    OPPONENTS_CUT_FIELD_NUMBER: _ClassVar[int]
    WEIGHTED_FIELD_NUMBER: _ClassVar[int]
    SCORE_SHARE_FIELD_NUMBER: _ClassVar[int]
    HEAD_TO_HEAD_FIELD_NUMBER: _ClassVar[int]
    DISQUALIFIED_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    place: int
    bot: str
    points: float
    rounds: int
    opponents: float
    opponents_cut: float
    weighted: float
    score_share: float
    head_to_head: float
    disqualified: str
    wins: int
    draws: int
    losses: int
    def __init__(self, place: _Optional[int] = ..., bot: _Optional[str] = ..., points: _Optional[float] = ..., rounds: _Optional[int] = ..., opponents: _Optional[float] = ..., opponents_cut: _Optional[float] = ..., weighted: _Optional[float] = ..., score_share: _Optional[float] = ..., head_to_head: _Optional[float] = ..., disqualified: _Optional[str] = ..., wins: _Optional[int] = ..., draws: _Optional[int] = ..., losses: _Optional[int] = ...) -> None: ...

class WatchTournamentRequest(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    def __init__(self, tournament: _Optional[str] = ...) -> None: ...

class WatchTournamentResponse(_message.Message):
    __slots__ = ("status", "round_paired", "match_finished", "round_closed", "forecast")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ROUND_PAIRED_FIELD_NUMBER: _ClassVar[int]
    MATCH_FINISHED_FIELD_NUMBER: _ClassVar[int]
    ROUND_CLOSED_FIELD_NUMBER: _ClassVar[int]
    FORECAST_FIELD_NUMBER: _ClassVar[int]
    status: TournamentStatus
    round_paired: RoundPaired
    match_finished: MatchFinished
    round_closed: RoundClosed
    forecast: Forecast
    def __init__(self, status: _Optional[_Union[TournamentStatus, _Mapping]] = ..., round_paired: _Optional[_Union[RoundPaired, _Mapping]] = ..., match_finished: _Optional[_Union[MatchFinished, _Mapping]] = ..., round_closed: _Optional[_Union[RoundClosed, _Mapping]] = ..., forecast: _Optional[_Union[Forecast, _Mapping]] = ...) -> None: ...

class TournamentStatus(_message.Message):
    __slots__ = ("tournament", "state", "reason")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    state: TournamentState
    reason: str
    def __init__(self, tournament: _Optional[str] = ..., state: _Optional[_Union[TournamentState, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class RoundPaired(_message.Message):
    __slots__ = ("round", "rounds", "game", "matches", "done")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    round: int
    rounds: int
    game: str
    matches: int
    done: int
    def __init__(self, round: _Optional[int] = ..., rounds: _Optional[int] = ..., game: _Optional[str] = ..., matches: _Optional[int] = ..., done: _Optional[int] = ...) -> None: ...

class MatchFinished(_message.Message):
    __slots__ = ("match_id", "round", "table", "game", "ending", "seats")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    round: int
    table: int
    game: str
    ending: str
    seats: _containers.RepeatedCompositeFieldContainer[SeatResult]
    def __init__(self, match_id: _Optional[str] = ..., round: _Optional[int] = ..., table: _Optional[int] = ..., game: _Optional[str] = ..., ending: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[SeatResult, _Mapping]]] = ...) -> None: ...

class SeatResult(_message.Message):
    __slots__ = ("bot", "place", "score", "ending")
    BOT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    bot: str
    place: int
    score: int
    ending: str
    def __init__(self, bot: _Optional[str] = ..., place: _Optional[int] = ..., score: _Optional[int] = ..., ending: _Optional[str] = ...) -> None: ...

class RoundClosed(_message.Message):
    __slots__ = ("round", "seconds")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    round: int
    seconds: float
    def __init__(self, round: _Optional[int] = ..., seconds: _Optional[float] = ...) -> None: ...

class GetLeaderboardRequest(_message.Message):
    __slots__ = ("games", "tournament", "all_versions")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ALL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedScalarFieldContainer[str]
    tournament: str
    all_versions: bool
    def __init__(self, games: _Optional[_Iterable[str]] = ..., tournament: _Optional[str] = ..., all_versions: _Optional[bool] = ...) -> None: ...

class GetLeaderboardResponse(_message.Message):
    __slots__ = ("boards", "overall", "swiss_order", "order")
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    OVERALL_FIELD_NUMBER: _ClassVar[int]
    SWISS_ORDER_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    boards: _containers.RepeatedCompositeFieldContainer[PoolBoard]
    overall: _containers.RepeatedCompositeFieldContainer[OverallLine]
    swiss_order: _containers.RepeatedCompositeFieldContainer[StandingLine]
    order: OrderWords
    def __init__(self, boards: _Optional[_Iterable[_Union[PoolBoard, _Mapping]]] = ..., overall: _Optional[_Iterable[_Union[OverallLine, _Mapping]]] = ..., swiss_order: _Optional[_Iterable[_Union[StandingLine, _Mapping]]] = ..., order: _Optional[_Union[OrderWords, _Mapping]] = ...) -> None: ...

class PoolBoard(_message.Message):
    __slots__ = ("pool", "extent", "fitted", "error_source", "lines", "components", "has_anchors", "is_of_record", "spread", "phi", "notes", "head", "claimed_in", "foot", "confidence", "drift")
    POOL_FIELD_NUMBER: _ClassVar[int]
    EXTENT_FIELD_NUMBER: _ClassVar[int]
    FITTED_FIELD_NUMBER: _ClassVar[int]
    ERROR_SOURCE_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    HAS_ANCHORS_FIELD_NUMBER: _ClassVar[int]
    IS_OF_RECORD_FIELD_NUMBER: _ClassVar[int]
    SPREAD_FIELD_NUMBER: _ClassVar[int]
    PHI_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_IN_FIELD_NUMBER: _ClassVar[int]
    FOOT_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    DRIFT_FIELD_NUMBER: _ClassVar[int]
    pool: Pool
    extent: PoolExtent
    fitted: PoolExtent
    error_source: str
    lines: _containers.RepeatedCompositeFieldContainer[LeaderboardLine]
    components: int
    has_anchors: bool
    is_of_record: bool
    spread: float
    phi: float
    notes: _containers.RepeatedScalarFieldContainer[str]
    head: str
    claimed_in: str
    foot: str
    confidence: float
    drift: str
    def __init__(self, pool: _Optional[_Union[Pool, _Mapping]] = ..., extent: _Optional[_Union[PoolExtent, _Mapping]] = ..., fitted: _Optional[_Union[PoolExtent, _Mapping]] = ..., error_source: _Optional[str] = ..., lines: _Optional[_Iterable[_Union[LeaderboardLine, _Mapping]]] = ..., components: _Optional[int] = ..., has_anchors: _Optional[bool] = ..., is_of_record: _Optional[bool] = ..., spread: _Optional[float] = ..., phi: _Optional[float] = ..., notes: _Optional[_Iterable[str]] = ..., head: _Optional[str] = ..., claimed_in: _Optional[str] = ..., foot: _Optional[str] = ..., confidence: _Optional[float] = ..., drift: _Optional[str] = ...) -> None: ...

class Pool(_message.Message):
    __slots__ = ("name", "game", "rules_version")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    name: str
    game: str
    rules_version: int
    def __init__(self, name: _Optional[str] = ..., game: _Optional[str] = ..., rules_version: _Optional[int] = ...) -> None: ...

class PoolExtent(_message.Message):
    __slots__ = ("through", "matches", "voids")
    THROUGH_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    through: int
    matches: int
    voids: int
    def __init__(self, through: _Optional[int] = ..., matches: _Optional[int] = ..., voids: _Optional[int] = ...) -> None: ...

class LeaderboardLine(_message.Message):
    __slots__ = ("rank", "bot", "version", "label", "elo", "rating", "error", "los", "matches", "mean_place", "win_share", "points_share", "forfeits", "component", "is_house", "is_inactive", "is_retired", "places", "claim", "shown_rating", "shown_error", "shown_los")
    RANK_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LOS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MEAN_PLACE_FIELD_NUMBER: _ClassVar[int]
    WIN_SHARE_FIELD_NUMBER: _ClassVar[int]
    POINTS_SHARE_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    IS_HOUSE_FIELD_NUMBER: _ClassVar[int]
    IS_INACTIVE_FIELD_NUMBER: _ClassVar[int]
    IS_RETIRED_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    SHOWN_RATING_FIELD_NUMBER: _ClassVar[int]
    SHOWN_ERROR_FIELD_NUMBER: _ClassVar[int]
    SHOWN_LOS_FIELD_NUMBER: _ClassVar[int]
    rank: int
    bot: str
    version: str
    label: str
    elo: float
    rating: float
    error: float
    los: float
    matches: int
    mean_place: float
    win_share: float
    points_share: float
    forfeits: int
    component: int
    is_house: bool
    is_inactive: bool
    is_retired: bool
    places: str
    claim: str
    shown_rating: str
    shown_error: str
    shown_los: str
    def __init__(self, rank: _Optional[int] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., label: _Optional[str] = ..., elo: _Optional[float] = ..., rating: _Optional[float] = ..., error: _Optional[float] = ..., los: _Optional[float] = ..., matches: _Optional[int] = ..., mean_place: _Optional[float] = ..., win_share: _Optional[float] = ..., points_share: _Optional[float] = ..., forfeits: _Optional[int] = ..., component: _Optional[int] = ..., is_house: _Optional[bool] = ..., is_inactive: _Optional[bool] = ..., is_retired: _Optional[bool] = ..., places: _Optional[str] = ..., claim: _Optional[str] = ..., shown_rating: _Optional[str] = ..., shown_error: _Optional[str] = ..., shown_los: _Optional[str] = ...) -> None: ...

class OverallLine(_message.Message):
    __slots__ = ("rank", "bot", "version", "label", "rating", "error", "games", "shown_rating", "shown_error", "votes", "shown_votes", "ahead_of")
    RANK_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    SHOWN_RATING_FIELD_NUMBER: _ClassVar[int]
    SHOWN_ERROR_FIELD_NUMBER: _ClassVar[int]
    VOTES_FIELD_NUMBER: _ClassVar[int]
    SHOWN_VOTES_FIELD_NUMBER: _ClassVar[int]
    AHEAD_OF_FIELD_NUMBER: _ClassVar[int]
    rank: int
    bot: str
    version: str
    label: str
    rating: float
    error: float
    games: _containers.RepeatedScalarFieldContainer[str]
    shown_rating: str
    shown_error: str
    votes: float
    shown_votes: str
    ahead_of: int
    def __init__(self, rank: _Optional[int] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., label: _Optional[str] = ..., rating: _Optional[float] = ..., error: _Optional[float] = ..., games: _Optional[_Iterable[str]] = ..., shown_rating: _Optional[str] = ..., shown_error: _Optional[str] = ..., votes: _Optional[float] = ..., shown_votes: _Optional[str] = ..., ahead_of: _Optional[int] = ...) -> None: ...

class CompareBotsRequest(_message.Message):
    __slots__ = ("a", "b", "games", "alpha")
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    a: str
    b: str
    games: _containers.RepeatedScalarFieldContainer[str]
    alpha: str
    def __init__(self, a: _Optional[str] = ..., b: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., alpha: _Optional[str] = ...) -> None: ...

class CompareBotsResponse(_message.Message):
    __slots__ = ("report",)
    REPORT_FIELD_NUMBER: _ClassVar[int]
    report: CompareReport
    def __init__(self, report: _Optional[_Union[CompareReport, _Mapping]] = ...) -> None: ...

class CompareReport(_message.Message):
    __slots__ = ("a", "b", "alpha", "pools", "trend")
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    POOLS_FIELD_NUMBER: _ClassVar[int]
    TREND_FIELD_NUMBER: _ClassVar[int]
    a: str
    b: str
    alpha: str
    pools: _containers.RepeatedCompositeFieldContainer[PairComparison]
    trend: _containers.RepeatedCompositeFieldContainer[PairComparison]
    def __init__(self, a: _Optional[str] = ..., b: _Optional[str] = ..., alpha: _Optional[str] = ..., pools: _Optional[_Iterable[_Union[PairComparison, _Mapping]]] = ..., trend: _Optional[_Iterable[_Union[PairComparison, _Mapping]]] = ...) -> None: ...

class PairComparison(_message.Message):
    __slots__ = ("pool", "a", "b", "incomplete_blocks", "tables")
    POOL_FIELD_NUMBER: _ClassVar[int]
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    INCOMPLETE_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    pool: str
    a: str
    b: str
    incomplete_blocks: int
    tables: _containers.RepeatedCompositeFieldContainer[TableComparison]
    def __init__(self, pool: _Optional[str] = ..., a: _Optional[str] = ..., b: _Optional[str] = ..., incomplete_blocks: _Optional[int] = ..., tables: _Optional[_Iterable[_Union[TableComparison, _Mapping]]] = ...) -> None: ...

class TableComparison(_message.Message):
    __slots__ = ("seats", "copies", "blocks", "games", "a_ahead", "level", "a_behind", "elo", "elo_at_least", "elo_at_most", "points_at_least", "points_at_most", "leader", "sure_percent", "los_one_look", "differences", "shown_los", "elo_error", "verdict", "line", "any_look", "chosen_seed_blocks")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    A_AHEAD_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    A_BEHIND_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    ELO_AT_LEAST_FIELD_NUMBER: _ClassVar[int]
    ELO_AT_MOST_FIELD_NUMBER: _ClassVar[int]
    POINTS_AT_LEAST_FIELD_NUMBER: _ClassVar[int]
    POINTS_AT_MOST_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    SURE_PERCENT_FIELD_NUMBER: _ClassVar[int]
    LOS_ONE_LOOK_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    SHOWN_LOS_FIELD_NUMBER: _ClassVar[int]
    ELO_ERROR_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    ANY_LOOK_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_SEED_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    seats: int
    copies: int
    blocks: int
    games: int
    a_ahead: int
    level: int
    a_behind: int
    elo: float
    elo_at_least: float
    elo_at_most: float
    points_at_least: float
    points_at_most: float
    leader: str
    sure_percent: float
    los_one_look: float
    differences: _containers.RepeatedScalarFieldContainer[int]
    shown_los: str
    elo_error: float
    verdict: str
    line: str
    any_look: str
    chosen_seed_blocks: int
    def __init__(self, seats: _Optional[int] = ..., copies: _Optional[int] = ..., blocks: _Optional[int] = ..., games: _Optional[int] = ..., a_ahead: _Optional[int] = ..., level: _Optional[int] = ..., a_behind: _Optional[int] = ..., elo: _Optional[float] = ..., elo_at_least: _Optional[float] = ..., elo_at_most: _Optional[float] = ..., points_at_least: _Optional[float] = ..., points_at_most: _Optional[float] = ..., leader: _Optional[str] = ..., sure_percent: _Optional[float] = ..., los_one_look: _Optional[float] = ..., differences: _Optional[_Iterable[int]] = ..., shown_los: _Optional[str] = ..., elo_error: _Optional[float] = ..., verdict: _Optional[str] = ..., line: _Optional[str] = ..., any_look: _Optional[str] = ..., chosen_seed_blocks: _Optional[int] = ...) -> None: ...

class TestTerms(_message.Message):
    __slots__ = ("new_bot", "old_bot", "game", "seats", "elo0", "elo1", "alpha", "beta", "max_blocks", "fillers", "copies", "seed", "options", "time_control", "fresh_process", "seeding", "keep_processes")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[OptionValue, _Mapping]] = ...) -> None: ...
    class TimeControlEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    NEW_BOT_FIELD_NUMBER: _ClassVar[int]
    OLD_BOT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ELO0_FIELD_NUMBER: _ClassVar[int]
    ELO1_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    BETA_FIELD_NUMBER: _ClassVar[int]
    MAX_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    FILLERS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    FRESH_PROCESS_FIELD_NUMBER: _ClassVar[int]
    SEEDING_FIELD_NUMBER: _ClassVar[int]
    KEEP_PROCESSES_FIELD_NUMBER: _ClassVar[int]
    new_bot: str
    old_bot: str
    game: str
    seats: int
    elo0: str
    elo1: str
    alpha: str
    beta: str
    max_blocks: int
    fillers: _containers.RepeatedScalarFieldContainer[str]
    copies: int
    seed: int
    options: _containers.MessageMap[str, OptionValue]
    time_control: _containers.ScalarMap[str, int]
    fresh_process: bool
    seeding: str
    keep_processes: bool
    def __init__(self, new_bot: _Optional[str] = ..., old_bot: _Optional[str] = ..., game: _Optional[str] = ..., seats: _Optional[int] = ..., elo0: _Optional[str] = ..., elo1: _Optional[str] = ..., alpha: _Optional[str] = ..., beta: _Optional[str] = ..., max_blocks: _Optional[int] = ..., fillers: _Optional[_Iterable[str]] = ..., copies: _Optional[int] = ..., seed: _Optional[int] = ..., options: _Optional[_Mapping[str, OptionValue]] = ..., time_control: _Optional[_Mapping[str, int]] = ..., fresh_process: _Optional[bool] = ..., seeding: _Optional[str] = ..., keep_processes: _Optional[bool] = ...) -> None: ...

class OptionValue(_message.Message):
    __slots__ = ("flag", "number", "text")
    FLAG_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    flag: bool
    number: int
    text: str
    def __init__(self, flag: _Optional[bool] = ..., number: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class StartTestRequest(_message.Message):
    __slots__ = ("terms",)
    TERMS_FIELD_NUMBER: _ClassVar[int]
    terms: TestTerms
    def __init__(self, terms: _Optional[_Union[TestTerms, _Mapping]] = ...) -> None: ...

class StartTestResponse(_message.Message):
    __slots__ = ("report", "is_resumed")
    REPORT_FIELD_NUMBER: _ClassVar[int]
    IS_RESUMED_FIELD_NUMBER: _ClassVar[int]
    report: TestReport
    is_resumed: bool
    def __init__(self, report: _Optional[_Union[TestReport, _Mapping]] = ..., is_resumed: _Optional[bool] = ...) -> None: ...

class WatchTestRequest(_message.Message):
    __slots__ = ("test",)
    TEST_FIELD_NUMBER: _ClassVar[int]
    test: str
    def __init__(self, test: _Optional[str] = ...) -> None: ...

class WatchTestResponse(_message.Message):
    __slots__ = ("report",)
    REPORT_FIELD_NUMBER: _ClassVar[int]
    report: TestReport
    def __init__(self, report: _Optional[_Union[TestReport, _Mapping]] = ...) -> None: ...

class AbandonTestRequest(_message.Message):
    __slots__ = ("terms",)
    TERMS_FIELD_NUMBER: _ClassVar[int]
    terms: TestTerms
    def __init__(self, terms: _Optional[_Union[TestTerms, _Mapping]] = ...) -> None: ...

class AbandonTestResponse(_message.Message):
    __slots__ = ("report",)
    REPORT_FIELD_NUMBER: _ClassVar[int]
    report: TestReport
    def __init__(self, report: _Optional[_Union[TestReport, _Mapping]] = ...) -> None: ...

class TestReport(_message.Message):
    __slots__ = ("test", "verdict", "new_bot", "old_bot", "new_name", "old_name", "pool", "seats", "copies", "seeding", "fillers", "elo0", "elo1", "alpha", "beta", "max_blocks", "blocks", "dropped_blocks", "blocks_after_verdict", "for_better", "for_not_better", "elo", "elo_at_least", "elo_at_most", "block_gain", "new_forfeits", "old_forfeits", "tests_of_this_pair", "blocks_to_go", "wins", "draws", "losses", "elo_error", "line", "any_look", "fresh_process", "seed_by", "pentanomial")
    TEST_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    NEW_BOT_FIELD_NUMBER: _ClassVar[int]
    OLD_BOT_FIELD_NUMBER: _ClassVar[int]
    NEW_NAME_FIELD_NUMBER: _ClassVar[int]
    OLD_NAME_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    SEEDING_FIELD_NUMBER: _ClassVar[int]
    FILLERS_FIELD_NUMBER: _ClassVar[int]
    ELO0_FIELD_NUMBER: _ClassVar[int]
    ELO1_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    BETA_FIELD_NUMBER: _ClassVar[int]
    MAX_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_AFTER_VERDICT_FIELD_NUMBER: _ClassVar[int]
    FOR_BETTER_FIELD_NUMBER: _ClassVar[int]
    FOR_NOT_BETTER_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    ELO_AT_LEAST_FIELD_NUMBER: _ClassVar[int]
    ELO_AT_MOST_FIELD_NUMBER: _ClassVar[int]
    BLOCK_GAIN_FIELD_NUMBER: _ClassVar[int]
    NEW_FORFEITS_FIELD_NUMBER: _ClassVar[int]
    OLD_FORFEITS_FIELD_NUMBER: _ClassVar[int]
    TESTS_OF_THIS_PAIR_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_TO_GO_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    ELO_ERROR_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    ANY_LOOK_FIELD_NUMBER: _ClassVar[int]
    FRESH_PROCESS_FIELD_NUMBER: _ClassVar[int]
    SEED_BY_FIELD_NUMBER: _ClassVar[int]
    PENTANOMIAL_FIELD_NUMBER: _ClassVar[int]
    test: str
    verdict: str
    new_bot: str
    old_bot: str
    new_name: str
    old_name: str
    pool: str
    seats: int
    copies: int
    seeding: str
    fillers: _containers.RepeatedScalarFieldContainer[str]
    elo0: str
    elo1: str
    alpha: str
    beta: str
    max_blocks: int
    blocks: int
    dropped_blocks: int
    blocks_after_verdict: int
    for_better: int
    for_not_better: int
    elo: float
    elo_at_least: float
    elo_at_most: float
    block_gain: float
    new_forfeits: int
    old_forfeits: int
    tests_of_this_pair: int
    blocks_to_go: int
    wins: int
    draws: int
    losses: int
    elo_error: float
    line: str
    any_look: str
    fresh_process: bool
    seed_by: str
    pentanomial: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, test: _Optional[str] = ..., verdict: _Optional[str] = ..., new_bot: _Optional[str] = ..., old_bot: _Optional[str] = ..., new_name: _Optional[str] = ..., old_name: _Optional[str] = ..., pool: _Optional[str] = ..., seats: _Optional[int] = ..., copies: _Optional[int] = ..., seeding: _Optional[str] = ..., fillers: _Optional[_Iterable[str]] = ..., elo0: _Optional[str] = ..., elo1: _Optional[str] = ..., alpha: _Optional[str] = ..., beta: _Optional[str] = ..., max_blocks: _Optional[int] = ..., blocks: _Optional[int] = ..., dropped_blocks: _Optional[int] = ..., blocks_after_verdict: _Optional[int] = ..., for_better: _Optional[int] = ..., for_not_better: _Optional[int] = ..., elo: _Optional[float] = ..., elo_at_least: _Optional[float] = ..., elo_at_most: _Optional[float] = ..., block_gain: _Optional[float] = ..., new_forfeits: _Optional[int] = ..., old_forfeits: _Optional[int] = ..., tests_of_this_pair: _Optional[int] = ..., blocks_to_go: _Optional[int] = ..., wins: _Optional[int] = ..., draws: _Optional[int] = ..., losses: _Optional[int] = ..., elo_error: _Optional[float] = ..., line: _Optional[str] = ..., any_look: _Optional[str] = ..., fresh_process: _Optional[bool] = ..., seed_by: _Optional[str] = ..., pentanomial: _Optional[_Iterable[int]] = ...) -> None: ...

class ListTestsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTestsResponse(_message.Message):
    __slots__ = ("tests",)
    TESTS_FIELD_NUMBER: _ClassVar[int]
    tests: _containers.RepeatedCompositeFieldContainer[TestLine]
    def __init__(self, tests: _Optional[_Iterable[_Union[TestLine, _Mapping]]] = ...) -> None: ...

class TestLine(_message.Message):
    __slots__ = ("test", "state", "verdict", "new_bot", "old_bot", "pool", "seats", "copies", "blocks", "tests_of_this_pair", "asked_by", "started_at", "seed_by")
    TEST_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    NEW_BOT_FIELD_NUMBER: _ClassVar[int]
    OLD_BOT_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    TESTS_OF_THIS_PAIR_FIELD_NUMBER: _ClassVar[int]
    ASKED_BY_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    SEED_BY_FIELD_NUMBER: _ClassVar[int]
    test: str
    state: TournamentState
    verdict: str
    new_bot: str
    old_bot: str
    pool: str
    seats: int
    copies: int
    blocks: int
    tests_of_this_pair: int
    asked_by: str
    started_at: str
    seed_by: str
    def __init__(self, test: _Optional[str] = ..., state: _Optional[_Union[TournamentState, str]] = ..., verdict: _Optional[str] = ..., new_bot: _Optional[str] = ..., old_bot: _Optional[str] = ..., pool: _Optional[str] = ..., seats: _Optional[int] = ..., copies: _Optional[int] = ..., blocks: _Optional[int] = ..., tests_of_this_pair: _Optional[int] = ..., asked_by: _Optional[str] = ..., started_at: _Optional[str] = ..., seed_by: _Optional[str] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("facts",)
    FACTS_FIELD_NUMBER: _ClassVar[int]
    facts: MatchFacts
    def __init__(self, facts: _Optional[_Union[MatchFacts, _Mapping]] = ...) -> None: ...

class MatchFacts(_message.Message):
    __slots__ = ("match_id", "tournament", "round", "table", "game_number", "attempt", "game", "seed", "ending", "reason", "was_made_void", "record_digest", "sandbox", "stored_at", "decisions", "asked", "ledger", "seats", "void_reason", "forfeit_note", "worker", "calibration", "strike_note")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WAS_MADE_VOID_FIELD_NUMBER: _ClassVar[int]
    RECORD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SANDBOX_FIELD_NUMBER: _ClassVar[int]
    STORED_AT_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    LEDGER_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    VOID_REASON_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_NOTE_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    CALIBRATION_FIELD_NUMBER: _ClassVar[int]
    STRIKE_NOTE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    tournament: str
    round: int
    table: int
    game_number: int
    attempt: int
    game: str
    seed: str
    ending: str
    reason: str
    was_made_void: bool
    record_digest: str
    sandbox: str
    stored_at: str
    decisions: int
    asked: int
    ledger: str
    seats: _containers.RepeatedCompositeFieldContainer[SeatFacts]
    void_reason: str
    forfeit_note: str
    worker: str
    calibration: int
    strike_note: str
    def __init__(self, match_id: _Optional[str] = ..., tournament: _Optional[str] = ..., round: _Optional[int] = ..., table: _Optional[int] = ..., game_number: _Optional[int] = ..., attempt: _Optional[int] = ..., game: _Optional[str] = ..., seed: _Optional[str] = ..., ending: _Optional[str] = ..., reason: _Optional[str] = ..., was_made_void: _Optional[bool] = ..., record_digest: _Optional[str] = ..., sandbox: _Optional[str] = ..., stored_at: _Optional[str] = ..., decisions: _Optional[int] = ..., asked: _Optional[int] = ..., ledger: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[SeatFacts, _Mapping]]] = ..., void_reason: _Optional[str] = ..., forfeit_note: _Optional[str] = ..., worker: _Optional[str] = ..., calibration: _Optional[int] = ..., strike_note: _Optional[str] = ...) -> None: ...

class SeatFacts(_message.Message):
    __slots__ = ("bot", "place", "score", "ending", "elo_change", "elo_after", "output")
    BOT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    ELO_CHANGE_FIELD_NUMBER: _ClassVar[int]
    ELO_AFTER_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    place: int
    score: int
    ending: str
    elo_change: float
    elo_after: float
    output: str
    def __init__(self, bot: _Optional[str] = ..., place: _Optional[int] = ..., score: _Optional[int] = ..., ending: _Optional[str] = ..., elo_change: _Optional[float] = ..., elo_after: _Optional[float] = ..., output: _Optional[str] = ...) -> None: ...

class GetReplayRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetReplayResponse(_message.Message):
    __slots__ = ("match_id", "record")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    record: str
    def __init__(self, match_id: _Optional[str] = ..., record: _Optional[str] = ...) -> None: ...

class ExportLedgerRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExportLedgerResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: str
    def __init__(self, lines: _Optional[str] = ...) -> None: ...
