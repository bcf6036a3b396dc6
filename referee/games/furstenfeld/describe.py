"""One line of plain English for every action and event, so that a person can read the story of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.drawing import many
from referee.games.furstenfeld import actions, events
from referee.games.furstenfeld.components import BREWERY_NAMES, GOOD_COUNT, NAME_OF, Card, Good


def _card(card: Card) -> str:
    return NAME_OF[card.value]


def _good(good: Good) -> str:
    return good.name.lower()


def _brewery(number: int) -> str:
    """Return the name on the board; a brewery that does not exist keeps its number only."""
    if 1 <= number <= len(BREWERY_NAMES):
        return f"brewery {number} ({BREWERY_NAMES[number - 1]})"
    return f"brewery {number}"


def _goods(hops: int, barley: int, water: int) -> str:
    named = ((hops, "hops"), (barley, "barley"), (water, "water"))
    return ", ".join(f"{count} {name}" for count, name in named if count) or "nothing"


def _prices(prices: tuple[int, ...]) -> str:
    return "/".join(map(str, prices))


def _cards_drawn(it: events.CardsDrawn) -> str:
    which = f": {', '.join(map(_card, it.cards))}" if it.cards else ""
    return f"Seat {it.seat} draws {many(it.count, 'card')}{which}"


def _exchange(it: actions.ExchangeGoods | events.GoodsExchanged) -> str:
    return f"{it.count} {_good(it.give)} for {it.count} {_good(it.take)}"


def _goods_sold(it: events.GoodsSold) -> str:
    sold = f"sells {_goods(it.hops, it.barley, it.water)} to {_brewery(it.brewery)} for {many(it.payment, 'coin')}"
    return f"Seat {it.seat} {sold}; prices there are now {_prices(it.prices)}"


def _income(it: events.IncomeReceived) -> str:
    sources = (
        (it.payment, "for goods"),
        (it.office_bonus, "from the trading office"),
        (it.bank_coins, "from banks"),
        (it.tour_guide_coins, "from the tour guide"),
    )
    named = [f"{coins} {source}" for coins, source in sources if coins]
    income = many(it.income, "coin") + (f" ({', '.join(named)})" if len(named) > 1 else "")
    return f"Seat {it.seat} has an income of {income}; its marker goes to {it.marker}"


def _card_built(it: events.CardBuilt) -> str:
    over = "" if it.covered is Card.BARE_GROUND else f", covering its {_card(it.covered)},"
    return f"Seat {it.seat} builds {_card(it.card)} on lot {it.lot}{over} for {many(it.cost, 'coin')}"


def _goods_stored(it: events.GoodsStored) -> str:
    if not (it.hops or it.barley or it.water or it.lost_count):
        return f"Seat {it.seat} has no unsold goods"
    return f"Seat {it.seat} stores {_goods(it.hops, it.barley, it.water)} and loses {many(it.lost_count, 'good')}"


def _prices_adjusted(it: events.PricesAdjusted) -> str:
    rows = [it.prices[at : at + GOOD_COUNT] for at in range(0, len(it.prices), GOOD_COUNT)]
    listed = "; ".join(f"brewery {number} {_prices(row)}" for number, row in enumerate(rows, start=1))
    return f"New prices (hops, barley, water): {listed}"


def _game_ended(it: events.GameEnded) -> str:
    why = "a palace is finished" if it.reason is events.EndReason.PALACE else "the round limit is reached"
    results = [
        f"seat {seat} is number {rank} with {many(parts, 'palace part')} and {many(coins, 'coin')}"
        for seat, (rank, parts, coins) in enumerate(zip(it.ranks, it.palace_parts, it.coins, strict=True))
    ]
    return f"The game ends after {many(it.rounds, 'round')}, {why}: {'; '.join(results)}"


SENTENCES: Mapping[type, Callable[[Any], str]] = {
    actions.ChooseNone: lambda _: "None",
    actions.Stop: lambda _: "Stop",
    actions.PutUnderDeck: lambda it: f"Put {_card(it.card)} under the deck",
    actions.ExchangeGoods: lambda it: f"Exchange {_exchange(it)}",
    actions.ChooseBrewery: lambda it: f"Sell to {_brewery(it.brewery)}",
    actions.SellGoods: lambda it: f"Sell {it.count} {_good(it.good)}",
    actions.NameBonusGood: lambda it: f"Take the trading office's bonus on {_good(it.good)}",
    actions.BuildCard: lambda it: f"Build {_card(it.card)} on lot {it.lot}",
    actions.ScrapCard: lambda it: f"Scrap {_card(it.card)}",
    actions.StoreGoods: lambda it: f"Store {_goods(it.hops, it.barley, it.water)}",
    events.RoundStarted: lambda it: (
        f"Round {it.round_number} begins; turn order: {', '.join(f'seat {seat}' for seat in it.turn_order)}"
    ),
    events.CardsDrawn: _cards_drawn,
    events.GoodsHarvested: lambda it: f"Seat {it.seat} harvests {_goods(it.hops, it.barley, it.water)}",
    events.ExchangeDeclined: lambda it: f"Seat {it.seat} exchanges nothing at its market",
    events.GoodsExchanged: lambda it: f"Seat {it.seat} exchanges {_exchange(it)} at its market",
    events.BreweryChosen: lambda it: f"Seat {it.seat} goes to {_brewery(it.brewery) if it.brewery else 'no brewery'}",
    events.AmountChosen: lambda it: f"Seat {it.seat} offers {it.count} {_good(it.good)}",
    events.BonusGoodNamed: lambda it: (
        f"Seat {it.seat} names {_good(it.good) if it.good else 'no good'} for its trading office"
    ),
    events.GoodsSold: _goods_sold,
    events.IncomeReceived: _income,
    events.CardBuilt: _card_built,
    events.PalacePriceRaised: lambda it: (
        f"A palace part costs {it.price} from now on" if it.price else "All palace parts are built"
    ),
    events.PalaceFinished: lambda it: f"Seat {it.seat} has finished its palace; this round is the last",
    events.BuildingStopped: lambda it: f"Seat {it.seat} stops building",
    events.CardScrapped: lambda it: f"Seat {it.seat} scraps {_card(it.card) if it.card else 'a card'}",
    events.ScrappingStopped: lambda it: f"Seat {it.seat} stops scrapping",
    events.CardPutUnder: lambda it: f"Seat {it.seat} puts {_card(it.card) if it.card else 'a card'} under its deck",
    events.DiscardingStopped: lambda it: f"Seat {it.seat} keeps the cards it still holds",
    events.GoodsStored: _goods_stored,
    events.PricesAdjusted: _prices_adjusted,
    events.GameEnded: _game_ended,
}
