from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Good(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GOOD_UNSPECIFIED: _ClassVar[Good]
    GOOD_HOPS: _ClassVar[Good]
    GOOD_BARLEY: _ClassVar[Good]
    GOOD_WATER: _ClassVar[Good]

class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARD_UNSPECIFIED: _ClassVar[Card]
    CARD_FIELD_HOPS_2: _ClassVar[Card]
    CARD_FIELD_HOPS_3: _ClassVar[Card]
    CARD_FIELD_HOPS_4: _ClassVar[Card]
    CARD_FIELD_BARLEY_2: _ClassVar[Card]
    CARD_FIELD_BARLEY_3: _ClassVar[Card]
    CARD_FIELD_BARLEY_4: _ClassVar[Card]
    CARD_FIELD_WATER_2: _ClassVar[Card]
    CARD_FIELD_WATER_3: _ClassVar[Card]
    CARD_FIELD_WATER_4: _ClassVar[Card]
    CARD_BANK_1: _ClassVar[Card]
    CARD_BANK_2: _ClassVar[Card]
    CARD_TOWN_HALL_1: _ClassVar[Card]
    CARD_TOWN_HALL_2: _ClassVar[Card]
    CARD_LABORATORY_1: _ClassVar[Card]
    CARD_LABORATORY_2: _ClassVar[Card]
    CARD_TRADING_OFFICE: _ClassVar[Card]
    CARD_MARKET: _ClassVar[Card]
    CARD_CRANE: _ClassVar[Card]
    CARD_WAREHOUSE: _ClassVar[Card]
    CARD_MAGISTRATE: _ClassVar[Card]
    CARD_PALACE_1: _ClassVar[Card]
    CARD_PALACE_2: _ClassVar[Card]
    CARD_PALACE_3: _ClassVar[Card]
    CARD_PALACE_4: _ClassVar[Card]
    CARD_PALACE_5: _ClassVar[Card]
    CARD_PALACE_6: _ClassVar[Card]
    CARD_TOUR_GUIDE: _ClassVar[Card]
    CARD_RAG_COLLECTOR: _ClassVar[Card]
    CARD_PRINTED_HOPS: _ClassVar[Card]
    CARD_PRINTED_BARLEY: _ClassVar[Card]
    CARD_PRINTED_WATER: _ClassVar[Card]
    CARD_BARE_GROUND: _ClassVar[Card]

class Variant(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VARIANT_UNSPECIFIED: _ClassVar[Variant]
    VARIANT_BASIC: _ClassVar[Variant]
    VARIANT_ADVANCED: _ClassVar[Variant]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_SET_UP: _ClassVar[Phase]
    PHASE_SELL: _ClassVar[Phase]
    PHASE_BUILD: _ClassVar[Phase]
    PHASE_DISCARD: _ClassVar[Phase]
    PHASE_OVER: _ClassVar[Phase]

class Question(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUESTION_UNSPECIFIED: _ClassVar[Question]
    QUESTION_SETUP_BOTTOM: _ClassVar[Question]
    QUESTION_EXCHANGE: _ClassVar[Question]
    QUESTION_BREWERY: _ClassVar[Question]
    QUESTION_SELL_AMOUNT: _ClassVar[Question]
    QUESTION_OFFICE_BONUS: _ClassVar[Question]
    QUESTION_BUILD: _ClassVar[Question]
    QUESTION_SCRAP: _ClassVar[Question]
    QUESTION_DISCARD: _ClassVar[Question]
    QUESTION_STORE: _ClassVar[Question]

class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_REASON_UNSPECIFIED: _ClassVar[EndReason]
    END_REASON_PALACE: _ClassVar[EndReason]
    END_REASON_ROUND_LIMIT: _ClassVar[EndReason]
GOOD_UNSPECIFIED: Good
GOOD_HOPS: Good
GOOD_BARLEY: Good
GOOD_WATER: Good
CARD_UNSPECIFIED: Card
CARD_FIELD_HOPS_2: Card
CARD_FIELD_HOPS_3: Card
CARD_FIELD_HOPS_4: Card
CARD_FIELD_BARLEY_2: Card
CARD_FIELD_BARLEY_3: Card
CARD_FIELD_BARLEY_4: Card
CARD_FIELD_WATER_2: Card
CARD_FIELD_WATER_3: Card
CARD_FIELD_WATER_4: Card
CARD_BANK_1: Card
CARD_BANK_2: Card
CARD_TOWN_HALL_1: Card
CARD_TOWN_HALL_2: Card
CARD_LABORATORY_1: Card
CARD_LABORATORY_2: Card
CARD_TRADING_OFFICE: Card
CARD_MARKET: Card
CARD_CRANE: Card
CARD_WAREHOUSE: Card
CARD_MAGISTRATE: Card
CARD_PALACE_1: Card
CARD_PALACE_2: Card
CARD_PALACE_3: Card
CARD_PALACE_4: Card
CARD_PALACE_5: Card
CARD_PALACE_6: Card
CARD_TOUR_GUIDE: Card
CARD_RAG_COLLECTOR: Card
CARD_PRINTED_HOPS: Card
CARD_PRINTED_BARLEY: Card
CARD_PRINTED_WATER: Card
CARD_BARE_GROUND: Card
VARIANT_UNSPECIFIED: Variant
VARIANT_BASIC: Variant
VARIANT_ADVANCED: Variant
PHASE_UNSPECIFIED: Phase
PHASE_SET_UP: Phase
PHASE_SELL: Phase
PHASE_BUILD: Phase
PHASE_DISCARD: Phase
PHASE_OVER: Phase
QUESTION_UNSPECIFIED: Question
QUESTION_SETUP_BOTTOM: Question
QUESTION_EXCHANGE: Question
QUESTION_BREWERY: Question
QUESTION_SELL_AMOUNT: Question
QUESTION_OFFICE_BONUS: Question
QUESTION_BUILD: Question
QUESTION_SCRAP: Question
QUESTION_DISCARD: Question
QUESTION_STORE: Question
END_REASON_UNSPECIFIED: EndReason
END_REASON_PALACE: EndReason
END_REASON_ROUND_LIMIT: EndReason

class Options(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: Variant
    def __init__(self, variant: _Optional[_Union[Variant, str]] = ...) -> None: ...

class Estate(_message.Message):
    __slots__ = ("money", "income", "marker", "goods", "lots", "covered_cards", "hand_count", "deck_count", "unseen_count", "scrapped_count")
    MONEY_FIELD_NUMBER: _ClassVar[int]
    INCOME_FIELD_NUMBER: _ClassVar[int]
    MARKER_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    LOTS_FIELD_NUMBER: _ClassVar[int]
    COVERED_CARDS_FIELD_NUMBER: _ClassVar[int]
    HAND_COUNT_FIELD_NUMBER: _ClassVar[int]
    DECK_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    SCRAPPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    money: int
    income: int
    marker: int
    goods: _containers.RepeatedScalarFieldContainer[int]
    lots: _containers.RepeatedScalarFieldContainer[Card]
    covered_cards: _containers.RepeatedScalarFieldContainer[Card]
    hand_count: int
    deck_count: int
    unseen_count: int
    scrapped_count: int
    def __init__(self, money: _Optional[int] = ..., income: _Optional[int] = ..., marker: _Optional[int] = ..., goods: _Optional[_Iterable[int]] = ..., lots: _Optional[_Iterable[_Union[Card, str]]] = ..., covered_cards: _Optional[_Iterable[_Union[Card, str]]] = ..., hand_count: _Optional[int] = ..., deck_count: _Optional[int] = ..., unseen_count: _Optional[int] = ..., scrapped_count: _Optional[int] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat", "variant", "round_number", "phase", "question", "asked_seats", "turn_order", "sale_brewery", "sale_amounts", "built_count", "scrapped_count", "demands", "placed_goods", "prices", "palace_price", "palace_price_markers", "estates", "hand_cards", "unseen_cards", "tail_cards", "scrapped_cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ASKED_SEATS_FIELD_NUMBER: _ClassVar[int]
    TURN_ORDER_FIELD_NUMBER: _ClassVar[int]
    SALE_BREWERY_FIELD_NUMBER: _ClassVar[int]
    SALE_AMOUNTS_FIELD_NUMBER: _ClassVar[int]
    BUILT_COUNT_FIELD_NUMBER: _ClassVar[int]
    SCRAPPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEMANDS_FIELD_NUMBER: _ClassVar[int]
    PLACED_GOODS_FIELD_NUMBER: _ClassVar[int]
    PRICES_FIELD_NUMBER: _ClassVar[int]
    PALACE_PRICE_FIELD_NUMBER: _ClassVar[int]
    PALACE_PRICE_MARKERS_FIELD_NUMBER: _ClassVar[int]
    ESTATES_FIELD_NUMBER: _ClassVar[int]
    HAND_CARDS_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_CARDS_FIELD_NUMBER: _ClassVar[int]
    TAIL_CARDS_FIELD_NUMBER: _ClassVar[int]
    SCRAPPED_CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    variant: Variant
    round_number: int
    phase: Phase
    question: Question
    asked_seats: _containers.RepeatedScalarFieldContainer[int]
    turn_order: _containers.RepeatedScalarFieldContainer[int]
    sale_brewery: int
    sale_amounts: _containers.RepeatedScalarFieldContainer[int]
    built_count: int
    scrapped_count: int
    demands: _containers.RepeatedScalarFieldContainer[int]
    placed_goods: _containers.RepeatedScalarFieldContainer[int]
    prices: _containers.RepeatedScalarFieldContainer[int]
    palace_price: int
    palace_price_markers: int
    estates: _containers.RepeatedCompositeFieldContainer[Estate]
    hand_cards: _containers.RepeatedScalarFieldContainer[Card]
    unseen_cards: _containers.RepeatedScalarFieldContainer[Card]
    tail_cards: _containers.RepeatedScalarFieldContainer[Card]
    scrapped_cards: _containers.RepeatedScalarFieldContainer[Card]
    def __init__(self, seat: _Optional[int] = ..., variant: _Optional[_Union[Variant, str]] = ..., round_number: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., question: _Optional[_Union[Question, str]] = ..., asked_seats: _Optional[_Iterable[int]] = ..., turn_order: _Optional[_Iterable[int]] = ..., sale_brewery: _Optional[int] = ..., sale_amounts: _Optional[_Iterable[int]] = ..., built_count: _Optional[int] = ..., scrapped_count: _Optional[int] = ..., demands: _Optional[_Iterable[int]] = ..., placed_goods: _Optional[_Iterable[int]] = ..., prices: _Optional[_Iterable[int]] = ..., palace_price: _Optional[int] = ..., palace_price_markers: _Optional[int] = ..., estates: _Optional[_Iterable[_Union[Estate, _Mapping]]] = ..., hand_cards: _Optional[_Iterable[_Union[Card, str]]] = ..., unseen_cards: _Optional[_Iterable[_Union[Card, str]]] = ..., tail_cards: _Optional[_Iterable[_Union[Card, str]]] = ..., scrapped_cards: _Optional[_Iterable[_Union[Card, str]]] = ...) -> None: ...

class ChooseNone(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Stop(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PutUnderDeck(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: Card
    def __init__(self, card: _Optional[_Union[Card, str]] = ...) -> None: ...

class ExchangeGoods(_message.Message):
    __slots__ = ("give", "take", "count")
    GIVE_FIELD_NUMBER: _ClassVar[int]
    TAKE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    give: Good
    take: Good
    count: int
    def __init__(self, give: _Optional[_Union[Good, str]] = ..., take: _Optional[_Union[Good, str]] = ..., count: _Optional[int] = ...) -> None: ...

class ChooseBrewery(_message.Message):
    __slots__ = ("brewery",)
    BREWERY_FIELD_NUMBER: _ClassVar[int]
    brewery: int
    def __init__(self, brewery: _Optional[int] = ...) -> None: ...

class SellGoods(_message.Message):
    __slots__ = ("good", "count")
    GOOD_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    good: Good
    count: int
    def __init__(self, good: _Optional[_Union[Good, str]] = ..., count: _Optional[int] = ...) -> None: ...

class NameBonusGood(_message.Message):
    __slots__ = ("good",)
    GOOD_FIELD_NUMBER: _ClassVar[int]
    good: Good
    def __init__(self, good: _Optional[_Union[Good, str]] = ...) -> None: ...

class BuildCard(_message.Message):
    __slots__ = ("card", "lot")
    CARD_FIELD_NUMBER: _ClassVar[int]
    LOT_FIELD_NUMBER: _ClassVar[int]
    card: Card
    lot: int
    def __init__(self, card: _Optional[_Union[Card, str]] = ..., lot: _Optional[int] = ...) -> None: ...

class ScrapCard(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: Card
    def __init__(self, card: _Optional[_Union[Card, str]] = ...) -> None: ...

class StoreGoods(_message.Message):
    __slots__ = ("hops", "barley", "water")
    HOPS_FIELD_NUMBER: _ClassVar[int]
    BARLEY_FIELD_NUMBER: _ClassVar[int]
    WATER_FIELD_NUMBER: _ClassVar[int]
    hops: int
    barley: int
    water: int
    def __init__(self, hops: _Optional[int] = ..., barley: _Optional[int] = ..., water: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("choose_none", "stop", "put_under_deck", "exchange_goods", "choose_brewery", "sell_goods", "name_bonus_good", "build_card", "scrap_card", "store_goods")
    CHOOSE_NONE_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    PUT_UNDER_DECK_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_GOODS_FIELD_NUMBER: _ClassVar[int]
    CHOOSE_BREWERY_FIELD_NUMBER: _ClassVar[int]
    SELL_GOODS_FIELD_NUMBER: _ClassVar[int]
    NAME_BONUS_GOOD_FIELD_NUMBER: _ClassVar[int]
    BUILD_CARD_FIELD_NUMBER: _ClassVar[int]
    SCRAP_CARD_FIELD_NUMBER: _ClassVar[int]
    STORE_GOODS_FIELD_NUMBER: _ClassVar[int]
    choose_none: ChooseNone
    stop: Stop
    put_under_deck: PutUnderDeck
    exchange_goods: ExchangeGoods
    choose_brewery: ChooseBrewery
    sell_goods: SellGoods
    name_bonus_good: NameBonusGood
    build_card: BuildCard
    scrap_card: ScrapCard
    store_goods: StoreGoods
    def __init__(self, choose_none: _Optional[_Union[ChooseNone, _Mapping]] = ..., stop: _Optional[_Union[Stop, _Mapping]] = ..., put_under_deck: _Optional[_Union[PutUnderDeck, _Mapping]] = ..., exchange_goods: _Optional[_Union[ExchangeGoods, _Mapping]] = ..., choose_brewery: _Optional[_Union[ChooseBrewery, _Mapping]] = ..., sell_goods: _Optional[_Union[SellGoods, _Mapping]] = ..., name_bonus_good: _Optional[_Union[NameBonusGood, _Mapping]] = ..., build_card: _Optional[_Union[BuildCard, _Mapping]] = ..., scrap_card: _Optional[_Union[ScrapCard, _Mapping]] = ..., store_goods: _Optional[_Union[StoreGoods, _Mapping]] = ...) -> None: ...

class RoundStarted(_message.Message):
    __slots__ = ("round_number", "turn_order")
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TURN_ORDER_FIELD_NUMBER: _ClassVar[int]
    round_number: int
    turn_order: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, round_number: _Optional[int] = ..., turn_order: _Optional[_Iterable[int]] = ...) -> None: ...

class CardsDrawn(_message.Message):
    __slots__ = ("seat", "count", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    count: int
    cards: _containers.RepeatedScalarFieldContainer[Card]
    def __init__(self, seat: _Optional[int] = ..., count: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[Card, str]]] = ...) -> None: ...

class GoodsHarvested(_message.Message):
    __slots__ = ("seat", "hops", "barley", "water")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    BARLEY_FIELD_NUMBER: _ClassVar[int]
    WATER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    hops: int
    barley: int
    water: int
    def __init__(self, seat: _Optional[int] = ..., hops: _Optional[int] = ..., barley: _Optional[int] = ..., water: _Optional[int] = ...) -> None: ...

class ExchangeDeclined(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class GoodsExchanged(_message.Message):
    __slots__ = ("seat", "give", "take", "count")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GIVE_FIELD_NUMBER: _ClassVar[int]
    TAKE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    give: Good
    take: Good
    count: int
    def __init__(self, seat: _Optional[int] = ..., give: _Optional[_Union[Good, str]] = ..., take: _Optional[_Union[Good, str]] = ..., count: _Optional[int] = ...) -> None: ...

class BreweryChosen(_message.Message):
    __slots__ = ("seat", "brewery")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BREWERY_FIELD_NUMBER: _ClassVar[int]
    seat: int
    brewery: int
    def __init__(self, seat: _Optional[int] = ..., brewery: _Optional[int] = ...) -> None: ...

class AmountChosen(_message.Message):
    __slots__ = ("seat", "good", "count")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    good: Good
    count: int
    def __init__(self, seat: _Optional[int] = ..., good: _Optional[_Union[Good, str]] = ..., count: _Optional[int] = ...) -> None: ...

class BonusGoodNamed(_message.Message):
    __slots__ = ("seat", "good")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    good: Good
    def __init__(self, seat: _Optional[int] = ..., good: _Optional[_Union[Good, str]] = ...) -> None: ...

class GoodsSold(_message.Message):
    __slots__ = ("seat", "brewery", "hops", "barley", "water", "payment", "prices")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BREWERY_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    BARLEY_FIELD_NUMBER: _ClassVar[int]
    WATER_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_FIELD_NUMBER: _ClassVar[int]
    PRICES_FIELD_NUMBER: _ClassVar[int]
    seat: int
    brewery: int
    hops: int
    barley: int
    water: int
    payment: int
    prices: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., brewery: _Optional[int] = ..., hops: _Optional[int] = ..., barley: _Optional[int] = ..., water: _Optional[int] = ..., payment: _Optional[int] = ..., prices: _Optional[_Iterable[int]] = ...) -> None: ...

class IncomeReceived(_message.Message):
    __slots__ = ("seat", "payment", "office_bonus", "bank_coins", "tour_guide_coins", "income", "marker")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_FIELD_NUMBER: _ClassVar[int]
    OFFICE_BONUS_FIELD_NUMBER: _ClassVar[int]
    BANK_COINS_FIELD_NUMBER: _ClassVar[int]
    TOUR_GUIDE_COINS_FIELD_NUMBER: _ClassVar[int]
    INCOME_FIELD_NUMBER: _ClassVar[int]
    MARKER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    payment: int
    office_bonus: int
    bank_coins: int
    tour_guide_coins: int
    income: int
    marker: int
    def __init__(self, seat: _Optional[int] = ..., payment: _Optional[int] = ..., office_bonus: _Optional[int] = ..., bank_coins: _Optional[int] = ..., tour_guide_coins: _Optional[int] = ..., income: _Optional[int] = ..., marker: _Optional[int] = ...) -> None: ...

class CardBuilt(_message.Message):
    __slots__ = ("seat", "card", "lot", "cost", "covered")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    LOT_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    COVERED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: Card
    lot: int
    cost: int
    covered: Card
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[Card, str]] = ..., lot: _Optional[int] = ..., cost: _Optional[int] = ..., covered: _Optional[_Union[Card, str]] = ...) -> None: ...

class PalacePriceRaised(_message.Message):
    __slots__ = ("price",)
    PRICE_FIELD_NUMBER: _ClassVar[int]
    price: int
    def __init__(self, price: _Optional[int] = ...) -> None: ...

class PalaceFinished(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class BuildingStopped(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class CardScrapped(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: Card
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[Card, str]] = ...) -> None: ...

class ScrappingStopped(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class CardPutUnder(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: Card
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[Card, str]] = ...) -> None: ...

class DiscardingStopped(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class GoodsStored(_message.Message):
    __slots__ = ("seat", "hops", "barley", "water", "lost_count")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HOPS_FIELD_NUMBER: _ClassVar[int]
    BARLEY_FIELD_NUMBER: _ClassVar[int]
    WATER_FIELD_NUMBER: _ClassVar[int]
    LOST_COUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    hops: int
    barley: int
    water: int
    lost_count: int
    def __init__(self, seat: _Optional[int] = ..., hops: _Optional[int] = ..., barley: _Optional[int] = ..., water: _Optional[int] = ..., lost_count: _Optional[int] = ...) -> None: ...

class PricesAdjusted(_message.Message):
    __slots__ = ("prices",)
    PRICES_FIELD_NUMBER: _ClassVar[int]
    prices: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, prices: _Optional[_Iterable[int]] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("reason", "rounds", "ranks", "palace_parts", "coins")
    REASON_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    PALACE_PARTS_FIELD_NUMBER: _ClassVar[int]
    COINS_FIELD_NUMBER: _ClassVar[int]
    reason: EndReason
    rounds: int
    ranks: _containers.RepeatedScalarFieldContainer[int]
    palace_parts: _containers.RepeatedScalarFieldContainer[int]
    coins: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, reason: _Optional[_Union[EndReason, str]] = ..., rounds: _Optional[int] = ..., ranks: _Optional[_Iterable[int]] = ..., palace_parts: _Optional[_Iterable[int]] = ..., coins: _Optional[_Iterable[int]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("round_started", "cards_drawn", "goods_harvested", "exchange_declined", "goods_exchanged", "brewery_chosen", "amount_chosen", "bonus_good_named", "goods_sold", "income_received", "card_built", "palace_price_raised", "palace_finished", "building_stopped", "card_scrapped", "scrapping_stopped", "card_put_under", "discarding_stopped", "goods_stored", "prices_adjusted", "game_ended")
    ROUND_STARTED_FIELD_NUMBER: _ClassVar[int]
    CARDS_DRAWN_FIELD_NUMBER: _ClassVar[int]
    GOODS_HARVESTED_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_DECLINED_FIELD_NUMBER: _ClassVar[int]
    GOODS_EXCHANGED_FIELD_NUMBER: _ClassVar[int]
    BREWERY_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    BONUS_GOOD_NAMED_FIELD_NUMBER: _ClassVar[int]
    GOODS_SOLD_FIELD_NUMBER: _ClassVar[int]
    INCOME_RECEIVED_FIELD_NUMBER: _ClassVar[int]
    CARD_BUILT_FIELD_NUMBER: _ClassVar[int]
    PALACE_PRICE_RAISED_FIELD_NUMBER: _ClassVar[int]
    PALACE_FINISHED_FIELD_NUMBER: _ClassVar[int]
    BUILDING_STOPPED_FIELD_NUMBER: _ClassVar[int]
    CARD_SCRAPPED_FIELD_NUMBER: _ClassVar[int]
    SCRAPPING_STOPPED_FIELD_NUMBER: _ClassVar[int]
    CARD_PUT_UNDER_FIELD_NUMBER: _ClassVar[int]
    DISCARDING_STOPPED_FIELD_NUMBER: _ClassVar[int]
    GOODS_STORED_FIELD_NUMBER: _ClassVar[int]
    PRICES_ADJUSTED_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    round_started: RoundStarted
    cards_drawn: CardsDrawn
    goods_harvested: GoodsHarvested
    exchange_declined: ExchangeDeclined
    goods_exchanged: GoodsExchanged
    brewery_chosen: BreweryChosen
    amount_chosen: AmountChosen
    bonus_good_named: BonusGoodNamed
    goods_sold: GoodsSold
    income_received: IncomeReceived
    card_built: CardBuilt
    palace_price_raised: PalacePriceRaised
    palace_finished: PalaceFinished
    building_stopped: BuildingStopped
    card_scrapped: CardScrapped
    scrapping_stopped: ScrappingStopped
    card_put_under: CardPutUnder
    discarding_stopped: DiscardingStopped
    goods_stored: GoodsStored
    prices_adjusted: PricesAdjusted
    game_ended: GameEnded
    def __init__(self, round_started: _Optional[_Union[RoundStarted, _Mapping]] = ..., cards_drawn: _Optional[_Union[CardsDrawn, _Mapping]] = ..., goods_harvested: _Optional[_Union[GoodsHarvested, _Mapping]] = ..., exchange_declined: _Optional[_Union[ExchangeDeclined, _Mapping]] = ..., goods_exchanged: _Optional[_Union[GoodsExchanged, _Mapping]] = ..., brewery_chosen: _Optional[_Union[BreweryChosen, _Mapping]] = ..., amount_chosen: _Optional[_Union[AmountChosen, _Mapping]] = ..., bonus_good_named: _Optional[_Union[BonusGoodNamed, _Mapping]] = ..., goods_sold: _Optional[_Union[GoodsSold, _Mapping]] = ..., income_received: _Optional[_Union[IncomeReceived, _Mapping]] = ..., card_built: _Optional[_Union[CardBuilt, _Mapping]] = ..., palace_price_raised: _Optional[_Union[PalacePriceRaised, _Mapping]] = ..., palace_finished: _Optional[_Union[PalaceFinished, _Mapping]] = ..., building_stopped: _Optional[_Union[BuildingStopped, _Mapping]] = ..., card_scrapped: _Optional[_Union[CardScrapped, _Mapping]] = ..., scrapping_stopped: _Optional[_Union[ScrappingStopped, _Mapping]] = ..., card_put_under: _Optional[_Union[CardPutUnder, _Mapping]] = ..., discarding_stopped: _Optional[_Union[DiscardingStopped, _Mapping]] = ..., goods_stored: _Optional[_Union[GoodsStored, _Mapping]] = ..., prices_adjusted: _Optional[_Union[PricesAdjusted, _Mapping]] = ..., game_ended: _Optional[_Union[GameEnded, _Mapping]] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("view", "events", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: View
    events: _containers.RepeatedCompositeFieldContainer[Event]
    options: _containers.RepeatedCompositeFieldContainer[Action]
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[Action, _Mapping]]] = ...) -> None: ...
