"""One line of plain English for every action and event, so that a person can read the story of a match."""

from __future__ import annotations

from typing import assert_never

from referee.games.furstenfeld.actions import (
    Action,
    BuildCard,
    ChooseBrewery,
    ChooseNone,
    ExchangeGoods,
    NameBonusGood,
    PutUnderDeck,
    ScrapCard,
    SellGoods,
    Stop,
    StoreGoods,
)
from referee.games.furstenfeld.components import BREWERY_NAMES, GOOD_COUNT, NAME_OF, Card, Good
from referee.games.furstenfeld.events import (
    AmountChosen,
    BonusGoodNamed,
    BreweryChosen,
    BuildingStopped,
    CardBuilt,
    CardPutUnder,
    CardScrapped,
    CardsDrawn,
    DiscardingStopped,
    EndReason,
    Event,
    ExchangeDeclined,
    GameEnded,
    GoodsExchanged,
    GoodsHarvested,
    GoodsSold,
    GoodsStored,
    IncomeReceived,
    PalaceFinished,
    PalacePriceRaised,
    PricesAdjusted,
    RoundStarted,
    ScrappingStopped,
)


def describe(item: Action | Event) -> str:
    """Return one line for an action ("Build bank I on lot 3") or an event ("Seat 2 builds bank I on lot 3 ...")."""
    match item:
        case (
            ChooseNone()
            | Stop()
            | PutUnderDeck()
            | ExchangeGoods()
            | ChooseBrewery()
            | SellGoods()
            | NameBonusGood()
            | BuildCard()
            | ScrapCard()
            | StoreGoods()
        ):
            return _describe_action(item)
        case _:
            return _describe_event(item)


def _describe_action(action: Action) -> str:
    match action:
        case ChooseNone():
            return "None"
        case Stop():
            return "Stop"
        case PutUnderDeck(card):
            return f"Put {_card(card)} under the deck"
        case ExchangeGoods(give, take, count):
            return f"Exchange {count} {_good(give)} for {count} {_good(take)}"
        case ChooseBrewery(brewery):
            return f"Sell to {_brewery(brewery)}"
        case SellGoods(good, count):
            return f"Sell {count} {_good(good)}"
        case NameBonusGood(good):
            return f"Take the trading office's bonus on {_good(good)}"
        case BuildCard(card, lot):
            return f"Build {_card(card)} on lot {lot}"
        case ScrapCard(card):
            return f"Scrap {_card(card)}"
        case StoreGoods(hops, barley, water):
            return f"Store {_goods(hops, barley, water)}"
        case _:
            assert_never(action)


def _describe_event(event: Event) -> str:
    match event:
        case RoundStarted(number, order):
            return f"Round {number} begins; turn order: {', '.join(f'seat {seat}' for seat in order)}"
        case CardsDrawn(seat, count, cards):
            which = f": {', '.join(map(_card, cards))}" if cards else ""
            return f"Seat {seat} draws {_count(count, 'card')}{which}"
        case GoodsHarvested(seat, hops, barley, water):
            return f"Seat {seat} harvests {_goods(hops, barley, water)}"
        case ExchangeDeclined(seat):
            return f"Seat {seat} exchanges nothing at its market"
        case GoodsExchanged(seat, give, take, count):
            return f"Seat {seat} exchanges {count} {_good(give)} for {count} {_good(take)} at its market"
        case BreweryChosen(seat, brewery):
            return f"Seat {seat} goes to {_brewery(brewery) if brewery else 'no brewery'}"
        case AmountChosen(seat, good, count):
            return f"Seat {seat} offers {count} {_good(good)}"
        case BonusGoodNamed(seat, bonus_good):
            return f"Seat {seat} names {_good(bonus_good) if bonus_good else 'no good'} for its trading office"
        case GoodsSold(seat, brewery, hops, barley, water, payment, prices):
            sold = f"sells {_goods(hops, barley, water)} to {_brewery(brewery)} for {_count(payment, 'coin')}"
            return f"Seat {seat} {sold}; prices there are now {_prices(prices)}"
        case IncomeReceived(seat):
            return f"Seat {seat} has an income of {_income(event)}; its marker goes to {event.marker}"
        case CardBuilt(seat, card, lot, cost, covered):
            over = "" if covered is Card.BARE_GROUND else f", covering its {_card(covered)},"
            return f"Seat {seat} builds {_card(card)} on lot {lot}{over} for {_count(cost, 'coin')}"
        case PalacePriceRaised(price):
            return f"A palace part costs {price} from now on" if price else "All palace parts are built"
        case PalaceFinished(seat):
            return f"Seat {seat} has finished its palace; this round is the last"
        case BuildingStopped(seat):
            return f"Seat {seat} stops building"
        case CardScrapped(seat, scrapped):
            return f"Seat {seat} scraps {_card(scrapped) if scrapped else 'a card'}"
        case ScrappingStopped(seat):
            return f"Seat {seat} stops scrapping"
        case CardPutUnder(seat, hidden):
            return f"Seat {seat} puts {_card(hidden) if hidden else 'a card'} under its deck"
        case DiscardingStopped(seat):
            return f"Seat {seat} keeps the cards it still holds"
        case GoodsStored(seat, 0, 0, 0, 0):
            return f"Seat {seat} has no unsold goods"
        case GoodsStored(seat, hops, barley, water, lost):
            return f"Seat {seat} stores {_goods(hops, barley, water)} and loses {_count(lost, 'good')}"
        case PricesAdjusted(prices):
            rows = [prices[at : at + GOOD_COUNT] for at in range(0, len(prices), GOOD_COUNT)]
            listed = "; ".join(f"brewery {number} {_prices(row)}" for number, row in enumerate(rows, start=1))
            return f"New prices (hops, barley, water): {listed}"
        case GameEnded(reason, rounds, ranks, parts, coins):
            why = "a palace is finished" if reason is EndReason.PALACE else "the round limit is reached"
            seats = zip(ranks, parts, coins, strict=True)
            results = [
                f"seat {seat} is number {rank} with {_count(part, 'palace part')} and {_count(money, 'coin')}"
                for seat, (rank, part, money) in enumerate(seats)
            ]
            return f"The game ends after {_count(rounds, 'round')}, {why}: {'; '.join(results)}"
        case _:
            assert_never(event)


def _card(card: Card) -> str:
    return NAME_OF[card.value]


def _good(good: Good) -> str:
    return good.name.lower()


def _brewery(number: int) -> str:
    """Return the name on the board; a brewery that does not exist keeps its number only."""
    if 1 <= number <= len(BREWERY_NAMES):
        return f"brewery {number} ({BREWERY_NAMES[number - 1]})"
    return f"brewery {number}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _goods(hops: int, barley: int, water: int) -> str:
    named = ((hops, "hops"), (barley, "barley"), (water, "water"))
    return ", ".join(f"{count} {name}" for count, name in named if count) or "nothing"


def _prices(prices: tuple[int, ...]) -> str:
    return "/".join(map(str, prices))


def _income(event: IncomeReceived) -> str:
    sources = (
        (event.payment, "for goods"),
        (event.office_bonus, "from the trading office"),
        (event.bank_coins, "from banks"),
        (event.tour_guide_coins, "from the tour guide"),
    )
    named = [f"{coins} {source}" for coins, source in sources if coins]
    total = _count(event.income, "coin")
    return f"{total} ({', '.join(named)})" if len(named) > 1 else total
