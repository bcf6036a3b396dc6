from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SetUp(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SET_UP_UNSPECIFIED: _ClassVar[SetUp]
    SET_UP_BEGINNER: _ClassVar[SetUp]
    SET_UP_ADVANCED: _ClassVar[SetUp]

class Resource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESOURCE_UNSPECIFIED: _ClassVar[Resource]
    RESOURCE_WOOD: _ClassVar[Resource]
    RESOURCE_WOOL: _ClassVar[Resource]
    RESOURCE_GRAIN: _ClassVar[Resource]
    RESOURCE_BRICK: _ClassVar[Resource]
    RESOURCE_ORE: _ClassVar[Resource]

class Commodity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMMODITY_UNSPECIFIED: _ClassVar[Commodity]
    COMMODITY_WOOD: _ClassVar[Commodity]
    COMMODITY_WOOL: _ClassVar[Commodity]
    COMMODITY_GRAIN: _ClassVar[Commodity]
    COMMODITY_BRICK: _ClassVar[Commodity]
    COMMODITY_ORE: _ClassVar[Commodity]
    COMMODITY_GOLD: _ClassVar[Commodity]

class Road(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROAD_UNSPECIFIED: _ClassVar[Road]
    ROAD_I: _ClassVar[Road]
    ROAD_II: _ClassVar[Road]
    ROAD_III: _ClassVar[Road]
    ROAD_IV: _ClassVar[Road]
    ROAD_V: _ClassVar[Road]

class Corner(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CORNER_UNSPECIFIED: _ClassVar[Corner]
    CORNER_M_N: _ClassVar[Corner]
    CORNER_M_NE: _ClassVar[Corner]
    CORNER_M_SE: _ClassVar[Corner]
    CORNER_M_S: _ClassVar[Corner]
    CORNER_M_SW: _ClassVar[Corner]
    CORNER_M_NW: _ClassVar[Corner]
    CORNER_B_N: _ClassVar[Corner]
    CORNER_B_NE: _ClassVar[Corner]
    CORNER_B_SE: _ClassVar[Corner]
    CORNER_B_S: _ClassVar[Corner]
    CORNER_B_SW: _ClassVar[Corner]
    CORNER_B_NW: _ClassVar[Corner]

class Ware(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WARE_UNSPECIFIED: _ClassVar[Ware]
    WARE_HELME: _ClassVar[Ware]
    WARE_ZIRKEL: _ClassVar[Ware]
    WARE_PAPIER: _ClassVar[Ware]
    WARE_RUESTUNGEN: _ClassVar[Ware]
    WARE_TAND: _ClassVar[Ware]

class CouncilCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COUNCIL_CARD_UNSPECIFIED: _ClassVar[CouncilCard]
    COUNCIL_CARD_SEVEN: _ClassVar[CouncilCard]
    COUNCIL_CARD_SMALL: _ClassVar[CouncilCard]
    COUNCIL_CARD_GREAT: _ClassVar[CouncilCard]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_NONE: _ClassVar[EventKind]
    EVENT_KIND_YEARS: _ClassVar[EventKind]
    EVENT_KIND_MARGRAVE: _ClassVar[EventKind]
    EVENT_KIND_FREE_BRICK: _ClassVar[EventKind]
    EVENT_KIND_ROAD_TOLL: _ClassVar[EventKind]
    EVENT_KIND_ROBBER_KNIGHT: _ClassVar[EventKind]

class Color(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COLOR_UNSPECIFIED: _ClassVar[Color]
    COLOR_WHITE: _ClassVar[Color]
    COLOR_RED: _ClassVar[Color]
    COLOR_BLUE: _ClassVar[Color]
    COLOR_ORANGE: _ClassVar[Color]

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_UNSPECIFIED: _ClassVar[Ending]
    ENDING_VICTORY: _ClassVar[Ending]
    ENDING_TIME: _ClassVar[Ending]

class DecisionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_KIND_UNSPECIFIED: _ClassVar[DecisionKind]
    DECISION_KIND_SETUP_PLACE: _ClassVar[DecisionKind]
    DECISION_KIND_MAIN_ACTION: _ClassVar[DecisionKind]
    DECISION_KIND_TRADE_REPLY: _ClassVar[DecisionKind]
    DECISION_KIND_TRADE_PICK: _ClassVar[DecisionKind]
    DECISION_KIND_FREE_WALL: _ClassVar[DecisionKind]
    DECISION_KIND_DISCARD: _ClassVar[DecisionKind]
    DECISION_KIND_ROBBER_MOVE: _ClassVar[DecisionKind]
    DECISION_KIND_ROBBER_STEAL: _ClassVar[DecisionKind]
    DECISION_KIND_COUNCIL_SWAP: _ClassVar[DecisionKind]

class ReplyKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPLY_KIND_UNSPECIFIED: _ClassVar[ReplyKind]
    REPLY_KIND_DECLINE: _ClassVar[ReplyKind]
    REPLY_KIND_ACCEPT: _ClassVar[ReplyKind]
    REPLY_KIND_COUNTER: _ClassVar[ReplyKind]
SET_UP_UNSPECIFIED: SetUp
SET_UP_BEGINNER: SetUp
SET_UP_ADVANCED: SetUp
RESOURCE_UNSPECIFIED: Resource
RESOURCE_WOOD: Resource
RESOURCE_WOOL: Resource
RESOURCE_GRAIN: Resource
RESOURCE_BRICK: Resource
RESOURCE_ORE: Resource
COMMODITY_UNSPECIFIED: Commodity
COMMODITY_WOOD: Commodity
COMMODITY_WOOL: Commodity
COMMODITY_GRAIN: Commodity
COMMODITY_BRICK: Commodity
COMMODITY_ORE: Commodity
COMMODITY_GOLD: Commodity
ROAD_UNSPECIFIED: Road
ROAD_I: Road
ROAD_II: Road
ROAD_III: Road
ROAD_IV: Road
ROAD_V: Road
CORNER_UNSPECIFIED: Corner
CORNER_M_N: Corner
CORNER_M_NE: Corner
CORNER_M_SE: Corner
CORNER_M_S: Corner
CORNER_M_SW: Corner
CORNER_M_NW: Corner
CORNER_B_N: Corner
CORNER_B_NE: Corner
CORNER_B_SE: Corner
CORNER_B_S: Corner
CORNER_B_SW: Corner
CORNER_B_NW: Corner
WARE_UNSPECIFIED: Ware
WARE_HELME: Ware
WARE_ZIRKEL: Ware
WARE_PAPIER: Ware
WARE_RUESTUNGEN: Ware
WARE_TAND: Ware
COUNCIL_CARD_UNSPECIFIED: CouncilCard
COUNCIL_CARD_SEVEN: CouncilCard
COUNCIL_CARD_SMALL: CouncilCard
COUNCIL_CARD_GREAT: CouncilCard
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_NONE: EventKind
EVENT_KIND_YEARS: EventKind
EVENT_KIND_MARGRAVE: EventKind
EVENT_KIND_FREE_BRICK: EventKind
EVENT_KIND_ROAD_TOLL: EventKind
EVENT_KIND_ROBBER_KNIGHT: EventKind
COLOR_UNSPECIFIED: Color
COLOR_WHITE: Color
COLOR_RED: Color
COLOR_BLUE: Color
COLOR_ORANGE: Color
ENDING_UNSPECIFIED: Ending
ENDING_VICTORY: Ending
ENDING_TIME: Ending
DECISION_KIND_UNSPECIFIED: DecisionKind
DECISION_KIND_SETUP_PLACE: DecisionKind
DECISION_KIND_MAIN_ACTION: DecisionKind
DECISION_KIND_TRADE_REPLY: DecisionKind
DECISION_KIND_TRADE_PICK: DecisionKind
DECISION_KIND_FREE_WALL: DecisionKind
DECISION_KIND_DISCARD: DecisionKind
DECISION_KIND_ROBBER_MOVE: DecisionKind
DECISION_KIND_ROBBER_STEAL: DecisionKind
DECISION_KIND_COUNCIL_SWAP: DecisionKind
REPLY_KIND_UNSPECIFIED: ReplyKind
REPLY_KIND_DECLINE: ReplyKind
REPLY_KIND_ACCEPT: ReplyKind
REPLY_KIND_COUNTER: ReplyKind

class Options(_message.Message):
    __slots__ = ("setup", "start_player", "colors")
    SETUP_FIELD_NUMBER: _ClassVar[int]
    START_PLAYER_FIELD_NUMBER: _ClassVar[int]
    COLORS_FIELD_NUMBER: _ClassVar[int]
    setup: SetUp
    start_player: str
    colors: str
    def __init__(self, setup: _Optional[_Union[SetUp, str]] = ..., start_player: _Optional[str] = ..., colors: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat", "seat_count", "setup", "colors", "first_seat", "active", "turn", "year", "decision", "deciders", "ending", "event_card", "event_number", "event", "deck_count", "discards", "robber", "hand", "card_counts", "golds", "bank", "site_owners", "bar_owners", "starting_sites", "corner_owners", "wayrights", "council", "walls", "towers", "prestiges", "points", "main_action_count", "proposal_count", "trade", "free_wall_seats", "chips_due", "counted_cards", "least_cards", "card_draws")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    SETUP_FIELD_NUMBER: _ClassVar[int]
    COLORS_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    DECIDERS_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    EVENT_CARD_FIELD_NUMBER: _ClassVar[int]
    EVENT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    DECK_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    ROBBER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNTS_FIELD_NUMBER: _ClassVar[int]
    GOLDS_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    SITE_OWNERS_FIELD_NUMBER: _ClassVar[int]
    BAR_OWNERS_FIELD_NUMBER: _ClassVar[int]
    STARTING_SITES_FIELD_NUMBER: _ClassVar[int]
    CORNER_OWNERS_FIELD_NUMBER: _ClassVar[int]
    WAYRIGHTS_FIELD_NUMBER: _ClassVar[int]
    COUNCIL_FIELD_NUMBER: _ClassVar[int]
    WALLS_FIELD_NUMBER: _ClassVar[int]
    TOWERS_FIELD_NUMBER: _ClassVar[int]
    PRESTIGES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    MAIN_ACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    TRADE_FIELD_NUMBER: _ClassVar[int]
    FREE_WALL_SEATS_FIELD_NUMBER: _ClassVar[int]
    CHIPS_DUE_FIELD_NUMBER: _ClassVar[int]
    COUNTED_CARDS_FIELD_NUMBER: _ClassVar[int]
    LEAST_CARDS_FIELD_NUMBER: _ClassVar[int]
    CARD_DRAWS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    seat_count: int
    setup: SetUp
    colors: _containers.RepeatedScalarFieldContainer[Color]
    first_seat: int
    active: int
    turn: int
    year: int
    decision: DecisionKind
    deciders: _containers.RepeatedScalarFieldContainer[int]
    ending: Ending
    event_card: int
    event_number: int
    event: EventKind
    deck_count: int
    discards: _containers.RepeatedScalarFieldContainer[int]
    robber: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    card_counts: _containers.RepeatedScalarFieldContainer[int]
    golds: _containers.RepeatedScalarFieldContainer[int]
    bank: _containers.RepeatedScalarFieldContainer[int]
    site_owners: _containers.RepeatedScalarFieldContainer[int]
    bar_owners: _containers.RepeatedScalarFieldContainer[int]
    starting_sites: _containers.RepeatedScalarFieldContainer[int]
    corner_owners: _containers.RepeatedScalarFieldContainer[int]
    wayrights: _containers.RepeatedScalarFieldContainer[int]
    council: _containers.RepeatedScalarFieldContainer[int]
    walls: int
    towers: int
    prestiges: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    main_action_count: int
    proposal_count: int
    trade: Trade
    free_wall_seats: _containers.RepeatedScalarFieldContainer[int]
    chips_due: int
    counted_cards: _containers.RepeatedScalarFieldContainer[int]
    least_cards: _containers.RepeatedScalarFieldContainer[int]
    card_draws: _containers.RepeatedCompositeFieldContainer[CardDraw]
    def __init__(self, seat: _Optional[int] = ..., seat_count: _Optional[int] = ..., setup: _Optional[_Union[SetUp, str]] = ..., colors: _Optional[_Iterable[_Union[Color, str]]] = ..., first_seat: _Optional[int] = ..., active: _Optional[int] = ..., turn: _Optional[int] = ..., year: _Optional[int] = ..., decision: _Optional[_Union[DecisionKind, str]] = ..., deciders: _Optional[_Iterable[int]] = ..., ending: _Optional[_Union[Ending, str]] = ..., event_card: _Optional[int] = ..., event_number: _Optional[int] = ..., event: _Optional[_Union[EventKind, str]] = ..., deck_count: _Optional[int] = ..., discards: _Optional[_Iterable[int]] = ..., robber: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., card_counts: _Optional[_Iterable[int]] = ..., golds: _Optional[_Iterable[int]] = ..., bank: _Optional[_Iterable[int]] = ..., site_owners: _Optional[_Iterable[int]] = ..., bar_owners: _Optional[_Iterable[int]] = ..., starting_sites: _Optional[_Iterable[int]] = ..., corner_owners: _Optional[_Iterable[int]] = ..., wayrights: _Optional[_Iterable[int]] = ..., council: _Optional[_Iterable[int]] = ..., walls: _Optional[int] = ..., towers: _Optional[int] = ..., prestiges: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., main_action_count: _Optional[int] = ..., proposal_count: _Optional[int] = ..., trade: _Optional[_Union[Trade, _Mapping]] = ..., free_wall_seats: _Optional[_Iterable[int]] = ..., chips_due: _Optional[int] = ..., counted_cards: _Optional[_Iterable[int]] = ..., least_cards: _Optional[_Iterable[int]] = ..., card_draws: _Optional[_Iterable[_Union[CardDraw, _Mapping]]] = ...) -> None: ...

class CardDraw(_message.Message):
    __slots__ = ("seat", "victim", "resource", "victim_cards", "victim_lows", "seat_lows")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    VICTIM_CARDS_FIELD_NUMBER: _ClassVar[int]
    VICTIM_LOWS_FIELD_NUMBER: _ClassVar[int]
    SEAT_LOWS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    victim: int
    resource: Resource
    victim_cards: _containers.RepeatedScalarFieldContainer[int]
    victim_lows: _containers.RepeatedScalarFieldContainer[int]
    seat_lows: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., victim: _Optional[int] = ..., resource: _Optional[_Union[Resource, str]] = ..., victim_cards: _Optional[_Iterable[int]] = ..., victim_lows: _Optional[_Iterable[int]] = ..., seat_lows: _Optional[_Iterable[int]] = ...) -> None: ...

class Trade(_message.Message):
    __slots__ = ("give", "want", "replies")
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    REPLIES_FIELD_NUMBER: _ClassVar[int]
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    replies: _containers.RepeatedCompositeFieldContainer[Reply]
    def __init__(self, give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ..., replies: _Optional[_Iterable[_Union[Reply, _Mapping]]] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("seat", "kind", "give", "want")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: ReplyKind
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[ReplyKind, str]] = ..., give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("place_settlement", "end_turn", "build_toll_bar", "build_settlement", "build_workshop", "build_wall", "build_tower", "sell_ware", "trade_with_bank", "propose_trade", "decline_trade", "accept_trade", "counter_trade", "pick_nobody", "pick_reply", "skip_free_wall", "build_free_wall", "discard_cards", "move_robber", "rob_nobody", "rob_player", "keep_council_card", "swap_council_card")
    PLACE_SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    END_TURN_FIELD_NUMBER: _ClassVar[int]
    BUILD_TOLL_BAR_FIELD_NUMBER: _ClassVar[int]
    BUILD_SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    BUILD_WORKSHOP_FIELD_NUMBER: _ClassVar[int]
    BUILD_WALL_FIELD_NUMBER: _ClassVar[int]
    BUILD_TOWER_FIELD_NUMBER: _ClassVar[int]
    SELL_WARE_FIELD_NUMBER: _ClassVar[int]
    TRADE_WITH_BANK_FIELD_NUMBER: _ClassVar[int]
    PROPOSE_TRADE_FIELD_NUMBER: _ClassVar[int]
    DECLINE_TRADE_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_TRADE_FIELD_NUMBER: _ClassVar[int]
    COUNTER_TRADE_FIELD_NUMBER: _ClassVar[int]
    PICK_NOBODY_FIELD_NUMBER: _ClassVar[int]
    PICK_REPLY_FIELD_NUMBER: _ClassVar[int]
    SKIP_FREE_WALL_FIELD_NUMBER: _ClassVar[int]
    BUILD_FREE_WALL_FIELD_NUMBER: _ClassVar[int]
    DISCARD_CARDS_FIELD_NUMBER: _ClassVar[int]
    MOVE_ROBBER_FIELD_NUMBER: _ClassVar[int]
    ROB_NOBODY_FIELD_NUMBER: _ClassVar[int]
    ROB_PLAYER_FIELD_NUMBER: _ClassVar[int]
    KEEP_COUNCIL_CARD_FIELD_NUMBER: _ClassVar[int]
    SWAP_COUNCIL_CARD_FIELD_NUMBER: _ClassVar[int]
    place_settlement: PlaceSettlement
    end_turn: EndTurn
    build_toll_bar: BuildTollBar
    build_settlement: BuildSettlement
    build_workshop: BuildWorkshop
    build_wall: BuildWall
    build_tower: BuildTower
    sell_ware: SellWare
    trade_with_bank: TradeWithBank
    propose_trade: ProposeTrade
    decline_trade: DeclineTrade
    accept_trade: AcceptTrade
    counter_trade: CounterTrade
    pick_nobody: PickNobody
    pick_reply: PickReply
    skip_free_wall: SkipFreeWall
    build_free_wall: BuildFreeWall
    discard_cards: DiscardCards
    move_robber: MoveRobber
    rob_nobody: RobNobody
    rob_player: RobPlayer
    keep_council_card: KeepCouncilCard
    swap_council_card: SwapCouncilCard
    def __init__(self, place_settlement: _Optional[_Union[PlaceSettlement, _Mapping]] = ..., end_turn: _Optional[_Union[EndTurn, _Mapping]] = ..., build_toll_bar: _Optional[_Union[BuildTollBar, _Mapping]] = ..., build_settlement: _Optional[_Union[BuildSettlement, _Mapping]] = ..., build_workshop: _Optional[_Union[BuildWorkshop, _Mapping]] = ..., build_wall: _Optional[_Union[BuildWall, _Mapping]] = ..., build_tower: _Optional[_Union[BuildTower, _Mapping]] = ..., sell_ware: _Optional[_Union[SellWare, _Mapping]] = ..., trade_with_bank: _Optional[_Union[TradeWithBank, _Mapping]] = ..., propose_trade: _Optional[_Union[ProposeTrade, _Mapping]] = ..., decline_trade: _Optional[_Union[DeclineTrade, _Mapping]] = ..., accept_trade: _Optional[_Union[AcceptTrade, _Mapping]] = ..., counter_trade: _Optional[_Union[CounterTrade, _Mapping]] = ..., pick_nobody: _Optional[_Union[PickNobody, _Mapping]] = ..., pick_reply: _Optional[_Union[PickReply, _Mapping]] = ..., skip_free_wall: _Optional[_Union[SkipFreeWall, _Mapping]] = ..., build_free_wall: _Optional[_Union[BuildFreeWall, _Mapping]] = ..., discard_cards: _Optional[_Union[DiscardCards, _Mapping]] = ..., move_robber: _Optional[_Union[MoveRobber, _Mapping]] = ..., rob_nobody: _Optional[_Union[RobNobody, _Mapping]] = ..., rob_player: _Optional[_Union[RobPlayer, _Mapping]] = ..., keep_council_card: _Optional[_Union[KeepCouncilCard, _Mapping]] = ..., swap_council_card: _Optional[_Union[SwapCouncilCard, _Mapping]] = ...) -> None: ...

class PlaceSettlement(_message.Message):
    __slots__ = ("road", "crossing")
    ROAD_FIELD_NUMBER: _ClassVar[int]
    CROSSING_FIELD_NUMBER: _ClassVar[int]
    road: Road
    crossing: int
    def __init__(self, road: _Optional[_Union[Road, str]] = ..., crossing: _Optional[int] = ...) -> None: ...

class EndTurn(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BuildTollBar(_message.Message):
    __slots__ = ("road",)
    ROAD_FIELD_NUMBER: _ClassVar[int]
    road: Road
    def __init__(self, road: _Optional[_Union[Road, str]] = ...) -> None: ...

class BuildSettlement(_message.Message):
    __slots__ = ("road", "crossing")
    ROAD_FIELD_NUMBER: _ClassVar[int]
    CROSSING_FIELD_NUMBER: _ClassVar[int]
    road: Road
    crossing: int
    def __init__(self, road: _Optional[_Union[Road, str]] = ..., crossing: _Optional[int] = ...) -> None: ...

class BuildWorkshop(_message.Message):
    __slots__ = ("corner",)
    CORNER_FIELD_NUMBER: _ClassVar[int]
    corner: Corner
    def __init__(self, corner: _Optional[_Union[Corner, str]] = ...) -> None: ...

class BuildWall(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BuildTower(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SellWare(_message.Message):
    __slots__ = ("ware",)
    WARE_FIELD_NUMBER: _ClassVar[int]
    ware: Ware
    def __init__(self, ware: _Optional[_Union[Ware, str]] = ...) -> None: ...

class TradeWithBank(_message.Message):
    __slots__ = ("give", "get")
    GIVE_FIELD_NUMBER: _ClassVar[int]
    GET_FIELD_NUMBER: _ClassVar[int]
    give: Commodity
    get: Commodity
    def __init__(self, give: _Optional[_Union[Commodity, str]] = ..., get: _Optional[_Union[Commodity, str]] = ...) -> None: ...

class ProposeTrade(_message.Message):
    __slots__ = ("give", "want")
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ...) -> None: ...

class DeclineTrade(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AcceptTrade(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CounterTrade(_message.Message):
    __slots__ = ("give", "want")
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ...) -> None: ...

class PickNobody(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PickReply(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SkipFreeWall(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BuildFreeWall(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DiscardCards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class MoveRobber(_message.Message):
    __slots__ = ("landscape",)
    LANDSCAPE_FIELD_NUMBER: _ClassVar[int]
    landscape: int
    def __init__(self, landscape: _Optional[int] = ...) -> None: ...

class RobNobody(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RobPlayer(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class KeepCouncilCard(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SwapCouncilCard(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("settlement_placed", "starting_cards_taken", "wayright_taken", "turn_started", "event_drawn", "harvested", "harvest_fell_short", "years_passed", "deck_reshuffled", "robber_sent_home", "free_wall_skipped", "road_toll_paid", "cards_discarded", "robber_moved", "card_robbed", "nobody_robbed", "toll_bar_built", "settlement_built", "workshop_built", "wall_built", "tower_built", "ware_sold", "bank_traded", "trade_proposed", "trade_declined", "trade_accepted", "trade_countered", "trade_made", "trade_lapsed", "council_card_taken", "council_card_kept", "turn_ended", "victory_reached", "time_ran_out")
    SETTLEMENT_PLACED_FIELD_NUMBER: _ClassVar[int]
    STARTING_CARDS_TAKEN_FIELD_NUMBER: _ClassVar[int]
    WAYRIGHT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    TURN_STARTED_FIELD_NUMBER: _ClassVar[int]
    EVENT_DRAWN_FIELD_NUMBER: _ClassVar[int]
    HARVESTED_FIELD_NUMBER: _ClassVar[int]
    HARVEST_FELL_SHORT_FIELD_NUMBER: _ClassVar[int]
    YEARS_PASSED_FIELD_NUMBER: _ClassVar[int]
    DECK_RESHUFFLED_FIELD_NUMBER: _ClassVar[int]
    ROBBER_SENT_HOME_FIELD_NUMBER: _ClassVar[int]
    FREE_WALL_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    ROAD_TOLL_PAID_FIELD_NUMBER: _ClassVar[int]
    CARDS_DISCARDED_FIELD_NUMBER: _ClassVar[int]
    ROBBER_MOVED_FIELD_NUMBER: _ClassVar[int]
    CARD_ROBBED_FIELD_NUMBER: _ClassVar[int]
    NOBODY_ROBBED_FIELD_NUMBER: _ClassVar[int]
    TOLL_BAR_BUILT_FIELD_NUMBER: _ClassVar[int]
    SETTLEMENT_BUILT_FIELD_NUMBER: _ClassVar[int]
    WORKSHOP_BUILT_FIELD_NUMBER: _ClassVar[int]
    WALL_BUILT_FIELD_NUMBER: _ClassVar[int]
    TOWER_BUILT_FIELD_NUMBER: _ClassVar[int]
    WARE_SOLD_FIELD_NUMBER: _ClassVar[int]
    BANK_TRADED_FIELD_NUMBER: _ClassVar[int]
    TRADE_PROPOSED_FIELD_NUMBER: _ClassVar[int]
    TRADE_DECLINED_FIELD_NUMBER: _ClassVar[int]
    TRADE_ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    TRADE_COUNTERED_FIELD_NUMBER: _ClassVar[int]
    TRADE_MADE_FIELD_NUMBER: _ClassVar[int]
    TRADE_LAPSED_FIELD_NUMBER: _ClassVar[int]
    COUNCIL_CARD_TAKEN_FIELD_NUMBER: _ClassVar[int]
    COUNCIL_CARD_KEPT_FIELD_NUMBER: _ClassVar[int]
    TURN_ENDED_FIELD_NUMBER: _ClassVar[int]
    VICTORY_REACHED_FIELD_NUMBER: _ClassVar[int]
    TIME_RAN_OUT_FIELD_NUMBER: _ClassVar[int]
    settlement_placed: SettlementPlaced
    starting_cards_taken: StartingCardsTaken
    wayright_taken: WayrightTaken
    turn_started: TurnStarted
    event_drawn: EventDrawn
    harvested: Harvested
    harvest_fell_short: HarvestFellShort
    years_passed: YearsPassed
    deck_reshuffled: DeckReshuffled
    robber_sent_home: RobberSentHome
    free_wall_skipped: FreeWallSkipped
    road_toll_paid: RoadTollPaid
    cards_discarded: CardsDiscarded
    robber_moved: RobberMoved
    card_robbed: CardRobbed
    nobody_robbed: NobodyRobbed
    toll_bar_built: TollBarBuilt
    settlement_built: SettlementBuilt
    workshop_built: WorkshopBuilt
    wall_built: WallBuilt
    tower_built: TowerBuilt
    ware_sold: WareSold
    bank_traded: BankTraded
    trade_proposed: TradeProposed
    trade_declined: TradeDeclined
    trade_accepted: TradeAccepted
    trade_countered: TradeCountered
    trade_made: TradeMade
    trade_lapsed: TradeLapsed
    council_card_taken: CouncilCardTaken
    council_card_kept: CouncilCardKept
    turn_ended: TurnEnded
    victory_reached: VictoryReached
    time_ran_out: TimeRanOut
    def __init__(self, settlement_placed: _Optional[_Union[SettlementPlaced, _Mapping]] = ..., starting_cards_taken: _Optional[_Union[StartingCardsTaken, _Mapping]] = ..., wayright_taken: _Optional[_Union[WayrightTaken, _Mapping]] = ..., turn_started: _Optional[_Union[TurnStarted, _Mapping]] = ..., event_drawn: _Optional[_Union[EventDrawn, _Mapping]] = ..., harvested: _Optional[_Union[Harvested, _Mapping]] = ..., harvest_fell_short: _Optional[_Union[HarvestFellShort, _Mapping]] = ..., years_passed: _Optional[_Union[YearsPassed, _Mapping]] = ..., deck_reshuffled: _Optional[_Union[DeckReshuffled, _Mapping]] = ..., robber_sent_home: _Optional[_Union[RobberSentHome, _Mapping]] = ..., free_wall_skipped: _Optional[_Union[FreeWallSkipped, _Mapping]] = ..., road_toll_paid: _Optional[_Union[RoadTollPaid, _Mapping]] = ..., cards_discarded: _Optional[_Union[CardsDiscarded, _Mapping]] = ..., robber_moved: _Optional[_Union[RobberMoved, _Mapping]] = ..., card_robbed: _Optional[_Union[CardRobbed, _Mapping]] = ..., nobody_robbed: _Optional[_Union[NobodyRobbed, _Mapping]] = ..., toll_bar_built: _Optional[_Union[TollBarBuilt, _Mapping]] = ..., settlement_built: _Optional[_Union[SettlementBuilt, _Mapping]] = ..., workshop_built: _Optional[_Union[WorkshopBuilt, _Mapping]] = ..., wall_built: _Optional[_Union[WallBuilt, _Mapping]] = ..., tower_built: _Optional[_Union[TowerBuilt, _Mapping]] = ..., ware_sold: _Optional[_Union[WareSold, _Mapping]] = ..., bank_traded: _Optional[_Union[BankTraded, _Mapping]] = ..., trade_proposed: _Optional[_Union[TradeProposed, _Mapping]] = ..., trade_declined: _Optional[_Union[TradeDeclined, _Mapping]] = ..., trade_accepted: _Optional[_Union[TradeAccepted, _Mapping]] = ..., trade_countered: _Optional[_Union[TradeCountered, _Mapping]] = ..., trade_made: _Optional[_Union[TradeMade, _Mapping]] = ..., trade_lapsed: _Optional[_Union[TradeLapsed, _Mapping]] = ..., council_card_taken: _Optional[_Union[CouncilCardTaken, _Mapping]] = ..., council_card_kept: _Optional[_Union[CouncilCardKept, _Mapping]] = ..., turn_ended: _Optional[_Union[TurnEnded, _Mapping]] = ..., victory_reached: _Optional[_Union[VictoryReached, _Mapping]] = ..., time_ran_out: _Optional[_Union[TimeRanOut, _Mapping]] = ...) -> None: ...

class SettlementPlaced(_message.Message):
    __slots__ = ("seat", "road", "crossing", "segment")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROAD_FIELD_NUMBER: _ClassVar[int]
    CROSSING_FIELD_NUMBER: _ClassVar[int]
    SEGMENT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    road: Road
    crossing: int
    segment: int
    def __init__(self, seat: _Optional[int] = ..., road: _Optional[_Union[Road, str]] = ..., crossing: _Optional[int] = ..., segment: _Optional[int] = ...) -> None: ...

class StartingCardsTaken(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class WayrightTaken(_message.Message):
    __slots__ = ("seat", "road", "holder")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROAD_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    road: Road
    holder: int
    def __init__(self, seat: _Optional[int] = ..., road: _Optional[_Union[Road, str]] = ..., holder: _Optional[int] = ...) -> None: ...

class TurnStarted(_message.Message):
    __slots__ = ("seat", "turn")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    turn: int
    def __init__(self, seat: _Optional[int] = ..., turn: _Optional[int] = ...) -> None: ...

class EventDrawn(_message.Message):
    __slots__ = ("card", "number", "event")
    CARD_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    card: int
    number: int
    event: EventKind
    def __init__(self, card: _Optional[int] = ..., number: _Optional[int] = ..., event: _Optional[_Union[EventKind, str]] = ...) -> None: ...

class Harvested(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class HarvestFellShort(_message.Message):
    __slots__ = ("resource",)
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    resource: Resource
    def __init__(self, resource: _Optional[_Union[Resource, str]] = ...) -> None: ...

class YearsPassed(_message.Message):
    __slots__ = ("year",)
    YEAR_FIELD_NUMBER: _ClassVar[int]
    year: int
    def __init__(self, year: _Optional[int] = ...) -> None: ...

class DeckReshuffled(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RobberSentHome(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class FreeWallSkipped(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class RoadTollPaid(_message.Message):
    __slots__ = ("seat", "holder", "road", "gold", "card_count", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    ROAD_FIELD_NUMBER: _ClassVar[int]
    GOLD_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    holder: int
    road: Road
    gold: int
    card_count: int
    cards: _containers.RepeatedScalarFieldContainer[Resource]
    def __init__(self, seat: _Optional[int] = ..., holder: _Optional[int] = ..., road: _Optional[_Union[Road, str]] = ..., gold: _Optional[int] = ..., card_count: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[Resource, str]]] = ...) -> None: ...

class CardsDiscarded(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ...) -> None: ...

class RobberMoved(_message.Message):
    __slots__ = ("seat", "landscape")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LANDSCAPE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    landscape: int
    def __init__(self, seat: _Optional[int] = ..., landscape: _Optional[int] = ...) -> None: ...

class CardRobbed(_message.Message):
    __slots__ = ("seat", "victim", "resource")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    victim: int
    resource: Resource
    def __init__(self, seat: _Optional[int] = ..., victim: _Optional[int] = ..., resource: _Optional[_Union[Resource, str]] = ...) -> None: ...

class NobodyRobbed(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class TollBarBuilt(_message.Message):
    __slots__ = ("seat", "road", "segment")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROAD_FIELD_NUMBER: _ClassVar[int]
    SEGMENT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    road: Road
    segment: int
    def __init__(self, seat: _Optional[int] = ..., road: _Optional[_Union[Road, str]] = ..., segment: _Optional[int] = ...) -> None: ...

class SettlementBuilt(_message.Message):
    __slots__ = ("seat", "road", "crossing")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ROAD_FIELD_NUMBER: _ClassVar[int]
    CROSSING_FIELD_NUMBER: _ClassVar[int]
    seat: int
    road: Road
    crossing: int
    def __init__(self, seat: _Optional[int] = ..., road: _Optional[_Union[Road, str]] = ..., crossing: _Optional[int] = ...) -> None: ...

class WorkshopBuilt(_message.Message):
    __slots__ = ("seat", "corner")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CORNER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    corner: Corner
    def __init__(self, seat: _Optional[int] = ..., corner: _Optional[_Union[Corner, str]] = ...) -> None: ...

class WallBuilt(_message.Message):
    __slots__ = ("seat", "place", "is_free_of_brick")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    IS_FREE_OF_BRICK_FIELD_NUMBER: _ClassVar[int]
    seat: int
    place: int
    is_free_of_brick: bool
    def __init__(self, seat: _Optional[int] = ..., place: _Optional[int] = ..., is_free_of_brick: _Optional[bool] = ...) -> None: ...

class TowerBuilt(_message.Message):
    __slots__ = ("seat", "site")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SITE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    site: int
    def __init__(self, seat: _Optional[int] = ..., site: _Optional[int] = ...) -> None: ...

class WareSold(_message.Message):
    __slots__ = ("seat", "ware", "gold", "toll", "holder")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    WARE_FIELD_NUMBER: _ClassVar[int]
    GOLD_FIELD_NUMBER: _ClassVar[int]
    TOLL_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    ware: Ware
    gold: int
    toll: int
    holder: int
    def __init__(self, seat: _Optional[int] = ..., ware: _Optional[_Union[Ware, str]] = ..., gold: _Optional[int] = ..., toll: _Optional[int] = ..., holder: _Optional[int] = ...) -> None: ...

class BankTraded(_message.Message):
    __slots__ = ("seat", "give", "give_count", "get")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    GIVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    GET_FIELD_NUMBER: _ClassVar[int]
    seat: int
    give: Commodity
    give_count: int
    get: Commodity
    def __init__(self, seat: _Optional[int] = ..., give: _Optional[_Union[Commodity, str]] = ..., give_count: _Optional[int] = ..., get: _Optional[_Union[Commodity, str]] = ...) -> None: ...

class TradeProposed(_message.Message):
    __slots__ = ("seat", "give", "want")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ...) -> None: ...

class TradeDeclined(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class TradeAccepted(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class TradeCountered(_message.Message):
    __slots__ = ("seat", "give", "want")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ...) -> None: ...

class TradeMade(_message.Message):
    __slots__ = ("seat", "partner", "give", "want")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PARTNER_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    WANT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    partner: int
    give: _containers.RepeatedScalarFieldContainer[int]
    want: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., partner: _Optional[int] = ..., give: _Optional[_Iterable[int]] = ..., want: _Optional[_Iterable[int]] = ...) -> None: ...

class TradeLapsed(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class CouncilCardTaken(_message.Message):
    __slots__ = ("seat", "card", "holder")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: CouncilCard
    holder: int
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[CouncilCard, str]] = ..., holder: _Optional[int] = ...) -> None: ...

class CouncilCardKept(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class TurnEnded(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class VictoryReached(_message.Message):
    __slots__ = ("seat", "points")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    points: int
    def __init__(self, seat: _Optional[int] = ..., points: _Optional[int] = ...) -> None: ...

class TimeRanOut(_message.Message):
    __slots__ = ("year",)
    YEAR_FIELD_NUMBER: _ClassVar[int]
    year: int
    def __init__(self, year: _Optional[int] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("view", "events", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: View
    events: _containers.RepeatedCompositeFieldContainer[Event]
    options: _containers.RepeatedCompositeFieldContainer[Action]
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[Action, _Mapping]]] = ...) -> None: ...
