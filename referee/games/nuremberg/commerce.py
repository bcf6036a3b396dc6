"""N5.8, N5.9: selling wares on the markets and trading with the bank."""

from __future__ import annotations

from functools import lru_cache

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Bundle, SellWare, TradeWithBank, is_index
from referee.games.nuremberg.building import check_payment
from referee.games.nuremberg.components import Commodity, Ware, bank_rates
from referee.games.nuremberg.events import BankTraded, Event, WareSold
from referee.games.nuremberg.state import State, pay

SALES = tuple(SellWare(ware) for ware in Ware)
BANK_TRADES = tuple(
    tuple(TradeWithBank(Commodity(give), Commodity(get)) for get in range(box.COMMODITY_COUNT))
    for give in range(box.COMMODITY_COUNT)
)


def proceeds(state: State, seat: Seat, ware: int) -> int:
    """N5.8: the price, doubled if at least one own workshop stands at a corner of that ware; never more than twice."""
    price = box.WARE_PRICES[ware]
    return price * 2 if state.workshops[seat] & box.DOUBLING_CORNERS[ware] else price


def check_sale(state: State, seat: Seat, action: SellWare) -> None:
    """N5.8: the cost is held and the bank's gold covers the full proceeds."""
    ware = action.ware
    if not is_index(ware, len(Ware)):
        raise IllegalActionError("N5.8", f"there is no ware {ware!r}; expected 0 to {len(Ware) - 1}")
    check_payment(state, seat, box.WARE_COSTS[ware], "N5.8", Ware(ware).name.lower())
    gold = proceeds(state, seat, ware)
    if state.bank[box.GOLD] < gold:
        raise IllegalActionError("N5.8", f"the bank has {state.bank[box.GOLD]} gold of the {gold} it would have to pay")


def sell(state: State, seat: Seat, action: SellWare, events: list[Event]) -> None:
    """N5.8: pay the cost, take the gold, then pay toll to another holder of the market's wayright; it never doubles."""
    ware, hands = action.ware, state.hands
    gold = proceeds(state, seat, ware)
    pay(state, seat, box.WARE_COSTS[ware])
    state.bank[box.GOLD] -= gold
    hands[seat * box.COMMODITY_COUNT + box.GOLD] += gold
    holder = state.wayrights[box.WARE_ROADS[ware]]
    if holder in (box.NOBODY, seat):
        events.append(WareSold(seat, Ware(ware), gold, 0, None))
        return
    toll = box.WARE_TOLLS[ware]
    hands[seat * box.COMMODITY_COUNT + box.GOLD] -= toll
    hands[holder * box.COMMODITY_COUNT + box.GOLD] += toll
    events.append(WareSold(seat, Ware(ware), gold, toll, holder))


def bank_options(state: State, seat: Seat, purse: Bundle) -> tuple[TradeWithBank, ...]:
    """N5.9: every commodity the seat has enough of, for every other that the bank has."""
    rates = bank_rates(state.workshops[seat])
    bank = state.bank
    missing = tuple(kind for kind in range(box.COMMODITY_COUNT) if not bank[kind]) if 0 in bank else ()
    return _bank_offers(purse, rates, missing)


@lru_cache(maxsize=8192)
def _bank_offers(purse: Bundle, rates: tuple[int, ...], missing: tuple[int, ...]) -> tuple[TradeWithBank, ...]:
    return tuple(
        BANK_TRADES[give][get]
        for give in range(box.COMMODITY_COUNT)
        if purse[give] >= rates[give]
        for get in range(box.COMMODITY_COUNT)
        if get != give and get not in missing
    )


def check_bank_trade(state: State, seat: Seat, action: TradeWithBank) -> None:
    """N5.9: two different commodities, the cheapest rate held, and one unit in the bank."""
    give, get = action.give, action.get
    if not is_index(give, box.COMMODITY_COUNT) or not is_index(get, box.COMMODITY_COUNT):
        raise IllegalActionError("N5.9", f"there is no trade of {give!r} for {get!r}; commodities are 0 to 5")
    if give == get:
        raise IllegalActionError("N5.9", f"{Commodity(give).name.lower()} cannot be traded for itself")
    rate = bank_rates(state.workshops[seat])[give]
    check_payment(state, seat, ((give, rate),), "N5.9", f"one {Commodity(get).name.lower()}")
    if not state.bank[get]:
        raise IllegalActionError("N5.9", f"the bank has no {Commodity(get).name.lower()}")


def trade_with_bank(state: State, seat: Seat, action: TradeWithBank, events: list[Event]) -> None:
    """N5.9: the cheapest rate always applies."""
    rate = bank_rates(state.workshops[seat])[action.give]
    pay(state, seat, ((action.give, rate),))
    state.bank[action.get] -= 1
    state.hands[seat * box.COMMODITY_COUNT + action.get] += 1
    events.append(BankTraded(seat, Commodity(action.give), rate, Commodity(action.get)))
