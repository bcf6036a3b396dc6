from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Options(_message.Message):
    __slots__ = ("rounds",)
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    rounds: int
    def __init__(self, rounds: _Optional[int] = ...) -> None: ...

class Bid(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: int
    def __init__(self, card: _Optional[int] = ...) -> None: ...

class LetPass(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Spend(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Action(_message.Message):
    __slots__ = ("bid", "let_pass", "spend")
    BID_FIELD_NUMBER: _ClassVar[int]
    LET_PASS_FIELD_NUMBER: _ClassVar[int]
    SPEND_FIELD_NUMBER: _ClassVar[int]
    bid: Bid
    let_pass: LetPass
    spend: Spend
    def __init__(self, bid: _Optional[_Union[Bid, _Mapping]] = ..., let_pass: _Optional[_Union[LetPass, _Mapping]] = ..., spend: _Optional[_Union[Spend, _Mapping]] = ...) -> None: ...

class BidsRevealed(_message.Message):
    __slots__ = ("bids",)
    BIDS_FIELD_NUMBER: _ClassVar[int]
    bids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, bids: _Optional[_Iterable[int]] = ...) -> None: ...

class PrizeWon(_message.Message):
    __slots__ = ("seat", "prize")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PRIZE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    prize: int
    def __init__(self, seat: _Optional[int] = ..., prize: _Optional[int] = ...) -> None: ...

class PrizeLost(_message.Message):
    __slots__ = ("prize", "vetoed_by")
    PRIZE_FIELD_NUMBER: _ClassVar[int]
    VETOED_BY_FIELD_NUMBER: _ClassVar[int]
    prize: int
    vetoed_by: int
    def __init__(self, prize: _Optional[int] = ..., vetoed_by: _Optional[int] = ...) -> None: ...

class CardDrawn(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: int
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("bids_revealed", "prize_won", "prize_lost", "card_drawn")
    BIDS_REVEALED_FIELD_NUMBER: _ClassVar[int]
    PRIZE_WON_FIELD_NUMBER: _ClassVar[int]
    PRIZE_LOST_FIELD_NUMBER: _ClassVar[int]
    CARD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    bids_revealed: BidsRevealed
    prize_won: PrizeWon
    prize_lost: PrizeLost
    card_drawn: CardDrawn
    def __init__(self, bids_revealed: _Optional[_Union[BidsRevealed, _Mapping]] = ..., prize_won: _Optional[_Union[PrizeWon, _Mapping]] = ..., prize_lost: _Optional[_Union[PrizeLost, _Mapping]] = ..., card_drawn: _Optional[_Union[CardDrawn, _Mapping]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seats", "rounds", "round_number", "prize", "prizes_gone", "hand", "hand_counts", "stock_count", "discards", "points", "vetoes", "winner", "runner_up")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PRIZE_FIELD_NUMBER: _ClassVar[int]
    PRIZES_GONE_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_COUNTS_FIELD_NUMBER: _ClassVar[int]
    STOCK_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    VETOES_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    RUNNER_UP_FIELD_NUMBER: _ClassVar[int]
    seats: int
    rounds: int
    round_number: int
    prize: int
    prizes_gone: _containers.RepeatedScalarFieldContainer[int]
    hand: _containers.RepeatedScalarFieldContainer[int]
    hand_counts: _containers.RepeatedScalarFieldContainer[int]
    stock_count: int
    discards: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    vetoes: _containers.RepeatedScalarFieldContainer[bool]
    winner: int
    runner_up: int
    def __init__(self, seats: _Optional[int] = ..., rounds: _Optional[int] = ..., round_number: _Optional[int] = ..., prize: _Optional[int] = ..., prizes_gone: _Optional[_Iterable[int]] = ..., hand: _Optional[_Iterable[int]] = ..., hand_counts: _Optional[_Iterable[int]] = ..., stock_count: _Optional[int] = ..., discards: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., vetoes: _Optional[_Iterable[bool]] = ..., winner: _Optional[int] = ..., runner_up: _Optional[int] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("view", "events", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: View
    events: _containers.RepeatedCompositeFieldContainer[Event]
    options: _containers.RepeatedCompositeFieldContainer[Action]
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[Action, _Mapping]]] = ...) -> None: ...
