from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_PLAN: _ClassVar[Phase]
    PHASE_ACT: _ClassVar[Phase]
    PHASE_HIRE_PAYMENT: _ClassVar[Phase]
    PHASE_BUY_GOODS: _ClassVar[Phase]
    PHASE_THIEF: _ClassVar[Phase]
    PHASE_GUARD: _ClassVar[Phase]
    PHASE_PEDLAR_GOOD: _ClassVar[Phase]
    PHASE_MAYOR_GUILD: _ClassVar[Phase]
    PHASE_TURN_ORDER: _ClassVar[Phase]
    PHASE_GAME_OVER: _ClassVar[Phase]
PHASE_UNSPECIFIED: Phase
PHASE_PLAN: Phase
PHASE_ACT: Phase
PHASE_HIRE_PAYMENT: Phase
PHASE_BUY_GOODS: Phase
PHASE_THIEF: Phase
PHASE_GUARD: Phase
PHASE_PEDLAR_GOOD: Phase
PHASE_MAYOR_GUILD: Phase
PHASE_TURN_ORDER: Phase
PHASE_GAME_OVER: Phase

class Options(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("view", "events", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: View
    events: _containers.RepeatedCompositeFieldContainer[Event]
    options: _containers.RepeatedCompositeFieldContainer[Action]
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[Action, _Mapping]]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("viewer", "seat_count", "guild_count", "round_number", "turn_number", "phase", "acting_seat", "called_guild", "chosen_window", "revealed_count", "guest_in_use", "track_seats", "finished_flags", "talers", "shown_talers", "shown_rounds", "supply_counts", "reserve_counts", "card_counts", "roof_counts", "planned_counts", "uncalled_counts", "planned_guilds", "loose_goods", "stored_goods", "owned_tiles", "tile_owners", "blazons", "prestige_blazons", "shops", "lodgings", "storehouses", "blazon_stacks", "mayors", "prestige_guild", "has_prestige_blazon", "prestige_stock", "prestige_boxed", "pile_count", "returned_citizens", "discards", "counted_talers")
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    GUILD_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TURN_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ACTING_SEAT_FIELD_NUMBER: _ClassVar[int]
    CALLED_GUILD_FIELD_NUMBER: _ClassVar[int]
    CHOSEN_WINDOW_FIELD_NUMBER: _ClassVar[int]
    REVEALED_COUNT_FIELD_NUMBER: _ClassVar[int]
    GUEST_IN_USE_FIELD_NUMBER: _ClassVar[int]
    TRACK_SEATS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FLAGS_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    SHOWN_TALERS_FIELD_NUMBER: _ClassVar[int]
    SHOWN_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    SUPPLY_COUNTS_FIELD_NUMBER: _ClassVar[int]
    RESERVE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    CARD_COUNTS_FIELD_NUMBER: _ClassVar[int]
    ROOF_COUNTS_FIELD_NUMBER: _ClassVar[int]
    PLANNED_COUNTS_FIELD_NUMBER: _ClassVar[int]
    UNCALLED_COUNTS_FIELD_NUMBER: _ClassVar[int]
    PLANNED_GUILDS_FIELD_NUMBER: _ClassVar[int]
    LOOSE_GOODS_FIELD_NUMBER: _ClassVar[int]
    STORED_GOODS_FIELD_NUMBER: _ClassVar[int]
    OWNED_TILES_FIELD_NUMBER: _ClassVar[int]
    TILE_OWNERS_FIELD_NUMBER: _ClassVar[int]
    BLAZONS_FIELD_NUMBER: _ClassVar[int]
    PRESTIGE_BLAZONS_FIELD_NUMBER: _ClassVar[int]
    SHOPS_FIELD_NUMBER: _ClassVar[int]
    LODGINGS_FIELD_NUMBER: _ClassVar[int]
    STOREHOUSES_FIELD_NUMBER: _ClassVar[int]
    BLAZON_STACKS_FIELD_NUMBER: _ClassVar[int]
    MAYORS_FIELD_NUMBER: _ClassVar[int]
    PRESTIGE_GUILD_FIELD_NUMBER: _ClassVar[int]
    HAS_PRESTIGE_BLAZON_FIELD_NUMBER: _ClassVar[int]
    PRESTIGE_STOCK_FIELD_NUMBER: _ClassVar[int]
    PRESTIGE_BOXED_FIELD_NUMBER: _ClassVar[int]
    PILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    RETURNED_CITIZENS_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    COUNTED_TALERS_FIELD_NUMBER: _ClassVar[int]
    viewer: int
    seat_count: int
    guild_count: int
    round_number: int
    turn_number: int
    phase: Phase
    acting_seat: int
    called_guild: int
    chosen_window: int
    revealed_count: int
    guest_in_use: int
    track_seats: _containers.RepeatedScalarFieldContainer[int]
    finished_flags: _containers.RepeatedScalarFieldContainer[bool]
    talers: _containers.RepeatedScalarFieldContainer[int]
    shown_talers: _containers.RepeatedScalarFieldContainer[int]
    shown_rounds: _containers.RepeatedScalarFieldContainer[int]
    supply_counts: _containers.RepeatedScalarFieldContainer[int]
    reserve_counts: _containers.RepeatedScalarFieldContainer[int]
    card_counts: _containers.RepeatedScalarFieldContainer[int]
    roof_counts: _containers.RepeatedScalarFieldContainer[int]
    planned_counts: _containers.RepeatedScalarFieldContainer[int]
    uncalled_counts: _containers.RepeatedScalarFieldContainer[int]
    planned_guilds: _containers.RepeatedScalarFieldContainer[int]
    loose_goods: _containers.RepeatedScalarFieldContainer[int]
    stored_goods: _containers.RepeatedScalarFieldContainer[int]
    owned_tiles: _containers.RepeatedScalarFieldContainer[int]
    tile_owners: _containers.RepeatedScalarFieldContainer[int]
    blazons: _containers.RepeatedScalarFieldContainer[int]
    prestige_blazons: _containers.RepeatedScalarFieldContainer[int]
    shops: _containers.RepeatedScalarFieldContainer[int]
    lodgings: _containers.RepeatedScalarFieldContainer[int]
    storehouses: _containers.RepeatedScalarFieldContainer[int]
    blazon_stacks: _containers.RepeatedScalarFieldContainer[int]
    mayors: _containers.RepeatedScalarFieldContainer[int]
    prestige_guild: int
    has_prestige_blazon: bool
    prestige_stock: int
    prestige_boxed: int
    pile_count: int
    returned_citizens: _containers.RepeatedScalarFieldContainer[int]
    discards: _containers.RepeatedScalarFieldContainer[int]
    counted_talers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, viewer: _Optional[int] = ..., seat_count: _Optional[int] = ..., guild_count: _Optional[int] = ..., round_number: _Optional[int] = ..., turn_number: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., acting_seat: _Optional[int] = ..., called_guild: _Optional[int] = ..., chosen_window: _Optional[int] = ..., revealed_count: _Optional[int] = ..., guest_in_use: _Optional[int] = ..., track_seats: _Optional[_Iterable[int]] = ..., finished_flags: _Optional[_Iterable[bool]] = ..., talers: _Optional[_Iterable[int]] = ..., shown_talers: _Optional[_Iterable[int]] = ..., shown_rounds: _Optional[_Iterable[int]] = ..., supply_counts: _Optional[_Iterable[int]] = ..., reserve_counts: _Optional[_Iterable[int]] = ..., card_counts: _Optional[_Iterable[int]] = ..., roof_counts: _Optional[_Iterable[int]] = ..., planned_counts: _Optional[_Iterable[int]] = ..., uncalled_counts: _Optional[_Iterable[int]] = ..., planned_guilds: _Optional[_Iterable[int]] = ..., loose_goods: _Optional[_Iterable[int]] = ..., stored_goods: _Optional[_Iterable[int]] = ..., owned_tiles: _Optional[_Iterable[int]] = ..., tile_owners: _Optional[_Iterable[int]] = ..., blazons: _Optional[_Iterable[int]] = ..., prestige_blazons: _Optional[_Iterable[int]] = ..., shops: _Optional[_Iterable[int]] = ..., lodgings: _Optional[_Iterable[int]] = ..., storehouses: _Optional[_Iterable[int]] = ..., blazon_stacks: _Optional[_Iterable[int]] = ..., mayors: _Optional[_Iterable[int]] = ..., prestige_guild: _Optional[int] = ..., has_prestige_blazon: _Optional[bool] = ..., prestige_stock: _Optional[int] = ..., prestige_boxed: _Optional[int] = ..., pile_count: _Optional[int] = ..., returned_citizens: _Optional[_Iterable[int]] = ..., discards: _Optional[_Iterable[int]] = ..., counted_talers: _Optional[_Iterable[int]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("pass_round", "plan_guilds", "do_nothing", "sell_goods", "hire_guest", "enter_storehouse", "pay_goods", "buy_goods", "decline_theft", "steal_goods", "decline_swap", "swap_artisans", "store_good", "place_mayor", "keep_place", "move_first")
    PASS_ROUND_FIELD_NUMBER: _ClassVar[int]
    PLAN_GUILDS_FIELD_NUMBER: _ClassVar[int]
    DO_NOTHING_FIELD_NUMBER: _ClassVar[int]
    SELL_GOODS_FIELD_NUMBER: _ClassVar[int]
    HIRE_GUEST_FIELD_NUMBER: _ClassVar[int]
    ENTER_STOREHOUSE_FIELD_NUMBER: _ClassVar[int]
    PAY_GOODS_FIELD_NUMBER: _ClassVar[int]
    BUY_GOODS_FIELD_NUMBER: _ClassVar[int]
    DECLINE_THEFT_FIELD_NUMBER: _ClassVar[int]
    STEAL_GOODS_FIELD_NUMBER: _ClassVar[int]
    DECLINE_SWAP_FIELD_NUMBER: _ClassVar[int]
    SWAP_ARTISANS_FIELD_NUMBER: _ClassVar[int]
    STORE_GOOD_FIELD_NUMBER: _ClassVar[int]
    PLACE_MAYOR_FIELD_NUMBER: _ClassVar[int]
    KEEP_PLACE_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIRST_FIELD_NUMBER: _ClassVar[int]
    pass_round: PassRound
    plan_guilds: PlanGuilds
    do_nothing: DoNothing
    sell_goods: SellGoods
    hire_guest: HireGuest
    enter_storehouse: EnterStorehouse
    pay_goods: PayGoods
    buy_goods: BuyGoods
    decline_theft: DeclineTheft
    steal_goods: StealGoods
    decline_swap: DeclineSwap
    swap_artisans: SwapArtisans
    store_good: StoreGood
    place_mayor: PlaceMayor
    keep_place: KeepPlace
    move_first: MoveFirst
    def __init__(self, pass_round: _Optional[_Union[PassRound, _Mapping]] = ..., plan_guilds: _Optional[_Union[PlanGuilds, _Mapping]] = ..., do_nothing: _Optional[_Union[DoNothing, _Mapping]] = ..., sell_goods: _Optional[_Union[SellGoods, _Mapping]] = ..., hire_guest: _Optional[_Union[HireGuest, _Mapping]] = ..., enter_storehouse: _Optional[_Union[EnterStorehouse, _Mapping]] = ..., pay_goods: _Optional[_Union[PayGoods, _Mapping]] = ..., buy_goods: _Optional[_Union[BuyGoods, _Mapping]] = ..., decline_theft: _Optional[_Union[DeclineTheft, _Mapping]] = ..., steal_goods: _Optional[_Union[StealGoods, _Mapping]] = ..., decline_swap: _Optional[_Union[DeclineSwap, _Mapping]] = ..., swap_artisans: _Optional[_Union[SwapArtisans, _Mapping]] = ..., store_good: _Optional[_Union[StoreGood, _Mapping]] = ..., place_mayor: _Optional[_Union[PlaceMayor, _Mapping]] = ..., keep_place: _Optional[_Union[KeepPlace, _Mapping]] = ..., move_first: _Optional[_Union[MoveFirst, _Mapping]] = ...) -> None: ...

class PassRound(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PlanGuilds(_message.Message):
    __slots__ = ("guilds",)
    GUILDS_FIELD_NUMBER: _ClassVar[int]
    guilds: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, guilds: _Optional[_Iterable[int]] = ...) -> None: ...

class DoNothing(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SellGoods(_message.Message):
    __slots__ = ("count",)
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class HireGuest(_message.Message):
    __slots__ = ("window",)
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    window: int
    def __init__(self, window: _Optional[int] = ...) -> None: ...

class EnterStorehouse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PayGoods(_message.Message):
    __slots__ = ("goods",)
    GOODS_FIELD_NUMBER: _ClassVar[int]
    goods: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, goods: _Optional[_Iterable[int]] = ...) -> None: ...

class BuyGoods(_message.Message):
    __slots__ = ("goods",)
    GOODS_FIELD_NUMBER: _ClassVar[int]
    goods: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, goods: _Optional[_Iterable[int]] = ...) -> None: ...

class DeclineTheft(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StealGoods(_message.Message):
    __slots__ = ("victim", "goods")
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    victim: int
    goods: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, victim: _Optional[int] = ..., goods: _Optional[_Iterable[int]] = ...) -> None: ...

class DeclineSwap(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SwapArtisans(_message.Message):
    __slots__ = ("guild", "first", "second")
    GUILD_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    guild: int
    first: int
    second: int
    def __init__(self, guild: _Optional[int] = ..., first: _Optional[int] = ..., second: _Optional[int] = ...) -> None: ...

class StoreGood(_message.Message):
    __slots__ = ("guild",)
    GUILD_FIELD_NUMBER: _ClassVar[int]
    guild: int
    def __init__(self, guild: _Optional[int] = ...) -> None: ...

class PlaceMayor(_message.Message):
    __slots__ = ("guild",)
    GUILD_FIELD_NUMBER: _ClassVar[int]
    guild: int
    def __init__(self, guild: _Optional[int] = ...) -> None: ...

class KeepPlace(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class MoveFirst(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Event(_message.Message):
    __slots__ = ("round_began", "plans_laid", "guild_called", "nothing_done", "goods_sold", "goods_bought", "guest_hired", "agent_gained", "bonus_paid", "turn_order_changed", "citizen_returned", "goods_stolen", "theft_declined", "artisans_swapped", "swap_declined", "good_stored", "good_taken_back", "mayor_placed", "agents_used_up", "talers_shown", "favourite_chosen", "no_favourite", "income_paid", "lodging_refilled", "seat_scored")
    ROUND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    PLANS_LAID_FIELD_NUMBER: _ClassVar[int]
    GUILD_CALLED_FIELD_NUMBER: _ClassVar[int]
    NOTHING_DONE_FIELD_NUMBER: _ClassVar[int]
    GOODS_SOLD_FIELD_NUMBER: _ClassVar[int]
    GOODS_BOUGHT_FIELD_NUMBER: _ClassVar[int]
    GUEST_HIRED_FIELD_NUMBER: _ClassVar[int]
    AGENT_GAINED_FIELD_NUMBER: _ClassVar[int]
    BONUS_PAID_FIELD_NUMBER: _ClassVar[int]
    TURN_ORDER_CHANGED_FIELD_NUMBER: _ClassVar[int]
    CITIZEN_RETURNED_FIELD_NUMBER: _ClassVar[int]
    GOODS_STOLEN_FIELD_NUMBER: _ClassVar[int]
    THEFT_DECLINED_FIELD_NUMBER: _ClassVar[int]
    ARTISANS_SWAPPED_FIELD_NUMBER: _ClassVar[int]
    SWAP_DECLINED_FIELD_NUMBER: _ClassVar[int]
    GOOD_STORED_FIELD_NUMBER: _ClassVar[int]
    GOOD_TAKEN_BACK_FIELD_NUMBER: _ClassVar[int]
    MAYOR_PLACED_FIELD_NUMBER: _ClassVar[int]
    AGENTS_USED_UP_FIELD_NUMBER: _ClassVar[int]
    TALERS_SHOWN_FIELD_NUMBER: _ClassVar[int]
    FAVOURITE_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    NO_FAVOURITE_FIELD_NUMBER: _ClassVar[int]
    INCOME_PAID_FIELD_NUMBER: _ClassVar[int]
    LODGING_REFILLED_FIELD_NUMBER: _ClassVar[int]
    SEAT_SCORED_FIELD_NUMBER: _ClassVar[int]
    round_began: RoundBegan
    plans_laid: PlansLaid
    guild_called: GuildCalled
    nothing_done: NothingDone
    goods_sold: GoodsSold
    goods_bought: GoodsBought
    guest_hired: GuestHired
    agent_gained: AgentGained
    bonus_paid: BonusPaid
    turn_order_changed: TurnOrderChanged
    citizen_returned: CitizenReturned
    goods_stolen: GoodsStolen
    theft_declined: TheftDeclined
    artisans_swapped: ArtisansSwapped
    swap_declined: SwapDeclined
    good_stored: GoodStored
    good_taken_back: GoodTakenBack
    mayor_placed: MayorPlaced
    agents_used_up: AgentsUsedUp
    talers_shown: TalersShown
    favourite_chosen: FavouriteChosen
    no_favourite: NoFavourite
    income_paid: IncomePaid
    lodging_refilled: LodgingRefilled
    seat_scored: SeatScored
    def __init__(self, round_began: _Optional[_Union[RoundBegan, _Mapping]] = ..., plans_laid: _Optional[_Union[PlansLaid, _Mapping]] = ..., guild_called: _Optional[_Union[GuildCalled, _Mapping]] = ..., nothing_done: _Optional[_Union[NothingDone, _Mapping]] = ..., goods_sold: _Optional[_Union[GoodsSold, _Mapping]] = ..., goods_bought: _Optional[_Union[GoodsBought, _Mapping]] = ..., guest_hired: _Optional[_Union[GuestHired, _Mapping]] = ..., agent_gained: _Optional[_Union[AgentGained, _Mapping]] = ..., bonus_paid: _Optional[_Union[BonusPaid, _Mapping]] = ..., turn_order_changed: _Optional[_Union[TurnOrderChanged, _Mapping]] = ..., citizen_returned: _Optional[_Union[CitizenReturned, _Mapping]] = ..., goods_stolen: _Optional[_Union[GoodsStolen, _Mapping]] = ..., theft_declined: _Optional[_Union[TheftDeclined, _Mapping]] = ..., artisans_swapped: _Optional[_Union[ArtisansSwapped, _Mapping]] = ..., swap_declined: _Optional[_Union[SwapDeclined, _Mapping]] = ..., good_stored: _Optional[_Union[GoodStored, _Mapping]] = ..., good_taken_back: _Optional[_Union[GoodTakenBack, _Mapping]] = ..., mayor_placed: _Optional[_Union[MayorPlaced, _Mapping]] = ..., agents_used_up: _Optional[_Union[AgentsUsedUp, _Mapping]] = ..., talers_shown: _Optional[_Union[TalersShown, _Mapping]] = ..., favourite_chosen: _Optional[_Union[FavouriteChosen, _Mapping]] = ..., no_favourite: _Optional[_Union[NoFavourite, _Mapping]] = ..., income_paid: _Optional[_Union[IncomePaid, _Mapping]] = ..., lodging_refilled: _Optional[_Union[LodgingRefilled, _Mapping]] = ..., seat_scored: _Optional[_Union[SeatScored, _Mapping]] = ...) -> None: ...

class RoundBegan(_message.Message):
    __slots__ = ("round_number", "masters", "prestige_guild")
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    MASTERS_FIELD_NUMBER: _ClassVar[int]
    PRESTIGE_GUILD_FIELD_NUMBER: _ClassVar[int]
    round_number: int
    masters: _containers.RepeatedScalarFieldContainer[int]
    prestige_guild: int
    def __init__(self, round_number: _Optional[int] = ..., masters: _Optional[_Iterable[int]] = ..., prestige_guild: _Optional[int] = ...) -> None: ...

class PlansLaid(_message.Message):
    __slots__ = ("card_counts",)
    CARD_COUNTS_FIELD_NUMBER: _ClassVar[int]
    card_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, card_counts: _Optional[_Iterable[int]] = ...) -> None: ...

class GuildCalled(_message.Message):
    __slots__ = ("guild", "revealed_seats")
    GUILD_FIELD_NUMBER: _ClassVar[int]
    REVEALED_SEATS_FIELD_NUMBER: _ClassVar[int]
    guild: int
    revealed_seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, guild: _Optional[int] = ..., revealed_seats: _Optional[_Iterable[int]] = ...) -> None: ...

class NothingDone(_message.Message):
    __slots__ = ("seat", "guild")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ...) -> None: ...

class GoodsSold(_message.Message):
    __slots__ = ("seat", "guild", "count", "talers")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    count: int
    talers: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ..., count: _Optional[int] = ..., talers: _Optional[int] = ...) -> None: ...

class GoodsBought(_message.Message):
    __slots__ = ("seat", "guild", "goods", "talers")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    goods: _containers.RepeatedScalarFieldContainer[int]
    talers: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ..., goods: _Optional[_Iterable[int]] = ..., talers: _Optional[int] = ...) -> None: ...

class GuestHired(_message.Message):
    __slots__ = ("seat", "guild", "window", "tile", "paid_goods")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    PAID_GOODS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    window: int
    tile: int
    paid_goods: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ..., window: _Optional[int] = ..., tile: _Optional[int] = ..., paid_goods: _Optional[_Iterable[int]] = ...) -> None: ...

class AgentGained(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class BonusPaid(_message.Message):
    __slots__ = ("seat", "guild", "talers")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    talers: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ..., talers: _Optional[int] = ...) -> None: ...

class TurnOrderChanged(_message.Message):
    __slots__ = ("seat", "track_seats")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TRACK_SEATS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    track_seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., track_seats: _Optional[_Iterable[int]] = ...) -> None: ...

class CitizenReturned(_message.Message):
    __slots__ = ("tile",)
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: int
    def __init__(self, tile: _Optional[int] = ...) -> None: ...

class GoodsStolen(_message.Message):
    __slots__ = ("seat", "victim", "goods", "talers")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    victim: int
    goods: _containers.RepeatedScalarFieldContainer[int]
    talers: int
    def __init__(self, seat: _Optional[int] = ..., victim: _Optional[int] = ..., goods: _Optional[_Iterable[int]] = ..., talers: _Optional[int] = ...) -> None: ...

class TheftDeclined(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class ArtisansSwapped(_message.Message):
    __slots__ = ("seat", "guild", "first", "second")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    first: int
    second: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ..., first: _Optional[int] = ..., second: _Optional[int] = ...) -> None: ...

class SwapDeclined(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class GoodStored(_message.Message):
    __slots__ = ("seat", "guild")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ...) -> None: ...

class GoodTakenBack(_message.Message):
    __slots__ = ("seat", "guild")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ...) -> None: ...

class MayorPlaced(_message.Message):
    __slots__ = ("seat", "guild")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ...) -> None: ...

class AgentsUsedUp(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class TalersShown(_message.Message):
    __slots__ = ("guild", "tied_seats", "talers")
    GUILD_FIELD_NUMBER: _ClassVar[int]
    TIED_SEATS_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    guild: int
    tied_seats: _containers.RepeatedScalarFieldContainer[int]
    talers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, guild: _Optional[int] = ..., tied_seats: _Optional[_Iterable[int]] = ..., talers: _Optional[_Iterable[int]] = ...) -> None: ...

class FavouriteChosen(_message.Message):
    __slots__ = ("seat", "guild", "tiles", "is_prestige")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GUILD_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    IS_PRESTIGE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    guild: int
    tiles: _containers.RepeatedScalarFieldContainer[int]
    is_prestige: bool
    def __init__(self, seat: _Optional[int] = ..., guild: _Optional[int] = ..., tiles: _Optional[_Iterable[int]] = ..., is_prestige: _Optional[bool] = ...) -> None: ...

class NoFavourite(_message.Message):
    __slots__ = ("guild", "tiles", "is_prestige")
    GUILD_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    IS_PRESTIGE_FIELD_NUMBER: _ClassVar[int]
    guild: int
    tiles: _containers.RepeatedScalarFieldContainer[int]
    is_prestige: bool
    def __init__(self, guild: _Optional[int] = ..., tiles: _Optional[_Iterable[int]] = ..., is_prestige: _Optional[bool] = ...) -> None: ...

class IncomePaid(_message.Message):
    __slots__ = ("talers",)
    TALERS_FIELD_NUMBER: _ClassVar[int]
    talers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, talers: _Optional[_Iterable[int]] = ...) -> None: ...

class LodgingRefilled(_message.Message):
    __slots__ = ("guild", "discarded_tile", "tiles")
    GUILD_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_TILE_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    guild: int
    discarded_tile: int
    tiles: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, guild: _Optional[int] = ..., discarded_tile: _Optional[int] = ..., tiles: _Optional[_Iterable[int]] = ...) -> None: ...

class SeatScored(_message.Message):
    __slots__ = ("seat", "citizens", "majority", "value_thirty", "all_types", "richest", "blazons", "total", "rank", "talers")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CITIZENS_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_FIELD_NUMBER: _ClassVar[int]
    VALUE_THIRTY_FIELD_NUMBER: _ClassVar[int]
    ALL_TYPES_FIELD_NUMBER: _ClassVar[int]
    RICHEST_FIELD_NUMBER: _ClassVar[int]
    BLAZONS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    TALERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    citizens: int
    majority: int
    value_thirty: int
    all_types: int
    richest: int
    blazons: int
    total: int
    rank: int
    talers: int
    def __init__(self, seat: _Optional[int] = ..., citizens: _Optional[int] = ..., majority: _Optional[int] = ..., value_thirty: _Optional[int] = ..., all_types: _Optional[int] = ..., richest: _Optional[int] = ..., blazons: _Optional[int] = ..., total: _Optional[int] = ..., rank: _Optional[int] = ..., talers: _Optional[int] = ...) -> None: ...
