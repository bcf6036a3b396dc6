"""Actions and events in one line of plain English each."""

from __future__ import annotations

from typing import assert_never

from referee.games.nuremberg import actions, events
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.components import (
    LANDSCAPE_COUNT,
    LANDSCAPE_NUMBERS,
    ROAD_CITIES,
    TERRAINS,
    Commodity,
    CouncilCard,
    EventKind,
    Resource,
    Road,
    Ware,
)
from referee.games.nuremberg.events import Event

WARE_NAMES = {
    Ware.HELME: "helmets",
    Ware.ZIRKEL: "compasses",
    Ware.PAPIER: "paper",
    Ware.RUESTUNGEN: "armour",
    Ware.TAND: "trinkets",
}
COUNCIL_NAMES = {
    CouncilCard.SEVEN: "Council of Seven",
    CouncilCard.SMALL: "Small Council",
    CouncilCard.GREAT: "Great Council",
}
EVENT_NAMES = {
    EventKind.NONE: "no event",
    EventKind.YEARS: "the years pass",
    EventKind.MARGRAVE: "the margrave intervenes",
    EventKind.FREE_BRICK: "free brick",
    EventKind.ROAD_TOLL: "road toll",
    EventKind.ROBBER_KNIGHT: "robber knight",
}


def describe(item: Action | Event) -> str:
    """Return one line of plain English for an action or an event."""
    if isinstance(item, Action):
        return _describe_action(item)
    return _describe_event(item)


def amounts(bundle: tuple[int, ...]) -> str:
    """A bundle or a set of cards in words, such as `2 wool, 1 gold`."""
    parts = [f"{amount} {kind.name.lower()}" for kind, amount in zip(Commodity, bundle, strict=False) if amount]
    return ", ".join(parts) or "nothing"


def road_name(road: Road) -> str:
    """A road by its numeral and the city it leads to, if it has one."""
    city = ROAD_CITIES[road]
    return f"road {road.name} ({city})" if city else f"road {road.name}"


def landscape_name(landscape: int) -> str:
    """A landscape by its id, terrain and number, such as `L17 (forest 10)`."""
    if not 1 <= landscape <= LANDSCAPE_COUNT:
        return f"L{landscape:02}"
    terrain, number = TERRAINS[landscape - 1], LANDSCAPE_NUMBERS[landscape - 1]
    return f"L{landscape:02} ({terrain} {number})" if number else f"L{landscape:02} ({terrain})"


def _name(value: Resource | Commodity) -> str:
    return value.name.lower()


def _describe_action(action: Action) -> str:
    match action:
        case actions.PlaceSettlement(road, crossing):
            return f"place a toll bar on {road_name(road)} and a settlement on {road.name}:{crossing}"
        case actions.EndTurn():
            return "end the turn"
        case actions.BuildTollBar(road):
            return f"build a toll bar on {road_name(road)}"
        case actions.BuildSettlement(road, crossing):
            return f"build a settlement on {road.name}:{crossing}"
        case actions.BuildWorkshop(corner):
            return f"build a workshop on corner {corner.name.replace('_', '-')}"
        case actions.BuildWall():
            return "build a wall"
        case actions.BuildTower():
            return "build a tower"
        case actions.SellWare(ware):
            return f"sell {WARE_NAMES[ware]}"
        case actions.TradeWithBank(give, get):
            return f"trade {_name(give)} for 1 {_name(get)} with the bank"
        case actions.ProposeTrade(give_side, want_side):
            return f"propose {amounts(give_side)} for {amounts(want_side)}"
        case actions.DeclineTrade():
            return "decline the trade"
        case actions.AcceptTrade():
            return "accept the trade"
        case actions.CounterTrade(give_side, want_side):
            return f"counter with {amounts(give_side)} for {amounts(want_side)}"
        case actions.PickNobody():
            return "take none of the replies"
        case actions.PickReply(seat):
            return f"trade with seat {seat}"
        case actions.SkipFreeWall():
            return "build no wall"
        case actions.BuildFreeWall():
            return "build a wall without brick"
        case actions.DiscardCards(cards):
            return f"discard {amounts(cards)}"
        case actions.MoveRobber(landscape):
            return f"move the robber to {landscape_name(landscape)}"
        case actions.RobNobody():
            return "rob nobody"
        case actions.RobPlayer(seat):
            return f"rob seat {seat}"
        case actions.KeepCouncilCard():
            return "exchange council cards with nobody"
        case actions.SwapCouncilCard(seat):
            return f"take the council card of seat {seat}"
        case _:
            assert_never(action)


def _describe_event(event: Event) -> str:
    match event:
        case events.SettlementPlaced(seat, road, crossing, segment):
            return f"seat {seat} places toll bar {segment} on {road_name(road)} and settles {road.name}:{crossing}"
        case events.StartingCardsTaken(seat, cards):
            return f"seat {seat} takes {amounts(cards)} to start with"
        case events.WayrightTaken(seat, road, holder):
            source = "" if holder is None else f" from seat {holder}"
            return f"seat {seat} takes the wayright of {road_name(road)}{source}"
        case events.TurnStarted(seat, turn):
            return f"turn {turn}: seat {seat}"
        case events.EventDrawn(card, number, kind):
            return f"event card E{card:02}: {f'harvest {number}' if number else 'no harvest'}, {EVENT_NAMES[kind]}"
        case events.Harvested(seat, cards):
            return f"seat {seat} harvests {amounts(cards)}"
        case events.HarvestFellShort(resource):
            return f"the bank has too little {_name(resource)} for this harvest"
        case events.YearsPassed(year):
            return f"the year is {year}"
        case events.DeckReshuffled():
            return "all event cards are shuffled into a new deck"
        case events.RobberSentHome():
            return "the robber returns to his castle"
        case events.FreeWallSkipped(seat):
            return f"seat {seat} builds no wall"
        case events.RoadTollPaid(seat, holder, road, gold, card_count, _):
            cards_paid = f" and {card_count} cards" if card_count else ""
            return f"seat {seat} pays seat {holder} {gold} gold{cards_paid} of toll on {road_name(road)}"
        case events.CardsDiscarded(seat, cards):
            return f"seat {seat} discards {amounts(cards)}"
        case events.RobberMoved(seat, landscape):
            return f"seat {seat} moves the robber to {landscape_name(landscape)}"
        case events.CardRobbed(seat, victim, stolen):
            return f"seat {seat} robs seat {victim} of {'a card' if stolen is None else f'1 {_name(stolen)}'}"
        case events.NobodyRobbed(seat):
            return f"seat {seat} robs nobody"
        case events.TollBarBuilt(seat, road, segment):
            return f"seat {seat} builds toll bar {segment} on {road_name(road)}"
        case events.SettlementBuilt(seat, road, crossing):
            return f"seat {seat} builds a settlement on {road.name}:{crossing}"
        case events.WorkshopBuilt(seat, corner):
            return f"seat {seat} builds a workshop on corner {corner.name.replace('_', '-')}"
        case events.WallBuilt(seat, place, is_free_of_brick):
            return f"seat {seat} builds wall {place}{' without brick' if is_free_of_brick else ''}"
        case events.TowerBuilt(seat, site):
            return f"seat {seat} builds a tower on site {site}"
        case events.WareSold(seat, ware, gold, toll, holder):
            toll_paid = "" if holder is None else f" and pays {toll} toll to seat {holder}"
            return f"seat {seat} sells {WARE_NAMES[ware]} for {gold} gold{toll_paid}"
        case events.BankTraded(seat, give, give_count, get):
            return f"seat {seat} gives the bank {give_count} {_name(give)} for 1 {_name(get)}"
        case events.TradeProposed(seat, give_side, want_side):
            return f"seat {seat} proposes {amounts(give_side)} for {amounts(want_side)}"
        case events.TradeDeclined(seat):
            return f"seat {seat} declines"
        case events.TradeAccepted(seat):
            return f"seat {seat} would accept"
        case events.TradeCountered(seat, give_side, want_side):
            return f"seat {seat} counters with {amounts(give_side)} for {amounts(want_side)}"
        case events.TradeMade(seat, partner, give_side, want_side):
            return f"seat {seat} gives seat {partner} {amounts(give_side)} for {amounts(want_side)}"
        case events.TradeLapsed(seat):
            return f"seat {seat} takes none of the replies"
        case events.CouncilCardTaken(seat, council_card, holder):
            source = "" if holder is None else f" from seat {holder}"
            return f"seat {seat} joins the {COUNCIL_NAMES[council_card]}{source}"
        case events.CouncilCardKept(seat):
            return f"seat {seat} exchanges no council card"
        case events.TurnEnded(seat):
            return f"seat {seat} ends the turn"
        case events.VictoryReached(seat, reached):
            return f"seat {seat} has {reached} points on its own turn and wins"
        case events.TimeRanOut(year):
            return f"the year {year} ends the game"
        case _:
            assert_never(event)
