"""N5.8, N5.9: selling wares on the markets and trading with the bank."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import SellWare, TradeWithBank, is_index
from referee.games.nuremberg.building import check_payment
from referee.games.nuremberg.bundles import SPARE_BITS, Amounts, units_of
from referee.games.nuremberg.codes import (
    BANK_TRADED,
    SELL_WARE,
    TRADE_WITH_BANK,
    WARE_SOLD,
    Choice,
    argument_of,
    bank_trade,
    choice_of,
)
from referee.games.nuremberg.components import Commodity, Ware
from referee.games.nuremberg.state import State, give_back, pay
from referee.games.nuremberg.tables import (
    WARE_COUNT,
    WARES,
    doubling_corners,
    symbol_corners,
    ware_cost,
    ware_price,
    ware_road,
    ware_toll,
)
from referee.rows import Events, Int, Ints, Listing

BANK_CHOICES: Ints = [choice_of(TRADE_WITH_BANK, trade) for trade in range(box.COMMODITY_COUNT**2)]


def proceeds(state: State, seat: Int, ware: Int) -> Int:
    """N5.8: the price, doubled if at least one own workshop stands at a corner of that ware; never more than twice."""
    return ware_price(ware) * 2 if state.workshops[seat] & doubling_corners(ware) else ware_price(ware)


def ware_options(state: State, seat: Int, purse: Amounts, listing: Listing) -> None:
    """N5.8: every ware whose cost is held and whose proceeds the bank can pay."""
    held = purse | SPARE_BITS
    for ware in range(WARE_COUNT):  # as `covers` does
        is_held = (held - WARES[ware]) & SPARE_BITS == SPARE_BITS
        if is_held and proceeds(state, seat, ware) <= state.bank[box.GOLD]:
            listing.add(choice_of(SELL_WARE, ware))


def check_sale(state: State, seat: Int, action: SellWare) -> None:
    """N5.8: the cost is held and the bank's gold covers the full proceeds."""
    ware = action.ware
    if not is_index(ware, len(Ware)):
        raise IllegalActionError("N5.8", f"there is no ware {ware!r}; expected 0 to {len(Ware) - 1}")
    check_payment(state, seat, ware_cost(ware), "N5.8", Ware(ware).name.lower())
    gold = proceeds(state, seat, ware)
    if state.bank[box.GOLD] < gold:
        raise IllegalActionError("N5.8", f"the bank has {state.bank[box.GOLD]} gold of the {gold} it would have to pay")


def sell(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.8: pay the cost, take the gold, then pay toll to another holder of the market's wayright; it never doubles."""
    ware = argument_of(choice)
    gold = proceeds(state, seat, ware)
    pay(state, seat, ware_cost(ware))
    state.bank[box.GOLD] -= gold
    state.hands[seat * box.COMMODITY_COUNT + box.GOLD] += gold
    holder = state.wayrights[ware_road(ware)]
    if holder in (box.NOBODY, seat):
        events.tell(WARE_SOLD, seat, ware, gold, 0, box.NOBODY)
        return
    toll = ware_toll(ware)
    state.hands[seat * box.COMMODITY_COUNT + box.GOLD] -= toll
    state.hands[holder * box.COMMODITY_COUNT + box.GOLD] += toll
    events.tell(WARE_SOLD, seat, ware, gold, toll, holder)


def bank_rate(corners: Int, kind: Int) -> Int:
    """N5.9: units of a commodity that the bank asks from a player with workshops on these corners."""
    if corners & symbol_corners(kind):
        return box.SYMBOL_RATE
    return box.THREE_TO_ONE_RATE if corners & box.THREE_TO_ONE_CORNERS else box.DEFAULT_RATE


def bank_options(state: State, seat: Int, listing: Listing) -> None:
    """N5.9: every commodity the seat has enough of, for every other that the bank has."""
    for give in range(box.COMMODITY_COUNT):
        held = state.hands[seat * box.COMMODITY_COUNT + give]
        if held >= box.SYMBOL_RATE and held >= bank_rate(state.workshops[seat], give):
            first = bank_trade(give, 0)
            for get in range(box.COMMODITY_COUNT):
                if get != give and state.bank[get]:
                    listing.add(BANK_CHOICES[first + get])


def check_bank_trade(state: State, seat: Int, action: TradeWithBank) -> None:
    """N5.9: two different commodities, the cheapest rate held, and one unit in the bank."""
    give, get = action.give, action.get
    if not is_index(give, box.COMMODITY_COUNT) or not is_index(get, box.COMMODITY_COUNT):
        raise IllegalActionError("N5.9", f"there is no trade of {give!r} for {get!r}; commodities are 0 to 5")
    if give == get:
        raise IllegalActionError("N5.9", f"{Commodity(give).name.lower()} cannot be traded for itself")
    rate = bank_rate(state.workshops[seat], give)
    check_payment(state, seat, units_of(give, rate), "N5.9", f"one {Commodity(get).name.lower()}")
    if not state.bank[get]:
        raise IllegalActionError("N5.9", f"the bank has no {Commodity(get).name.lower()}")


def trade_with_bank(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.9: the cheapest rate always applies."""
    give = argument_of(choice) // box.COMMODITY_COUNT
    get = argument_of(choice) % box.COMMODITY_COUNT
    asked = bank_rate(state.workshops[seat], give)
    give_back(state, seat, give, asked)
    state.bank[get] -= 1
    state.hands[seat * box.COMMODITY_COUNT + get] += 1
    events.tell(BANK_TRADED, seat, give, asked, get)
