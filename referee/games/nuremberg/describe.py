"""Actions and events in one line of plain English each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.nuremberg import actions, events
from referee.games.nuremberg import components as box
from referee.games.nuremberg.components import Commodity, CouncilCard, EventKind, Resource, Road, Ware

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


def amounts(bundle: tuple[int, ...]) -> str:
    """A bundle or a set of cards in words, such as `2 wool, 1 gold`."""
    return (
        ", ".join(f"{count} {_name(kind)}" for kind, count in zip(Commodity, bundle, strict=False) if count)
        or "nothing"
    )


def road_name(road: Road) -> str:
    """A road by its numeral and the city it leads to, if it has one."""
    city = box.ROAD_CITIES[road]
    return f"road {road.name} ({city})" if city else f"road {road.name}"


def landscape_name(landscape: int) -> str:
    """A landscape by its id, terrain and number, such as `L17 (forest 10)`."""
    if not 1 <= landscape <= box.LANDSCAPE_COUNT:
        return f"L{landscape:02}"
    terrain, number = box.TERRAINS[landscape - 1], box.LANDSCAPE_NUMBERS[landscape - 1]
    return f"L{landscape:02} ({terrain} {number})" if number else f"L{landscape:02} ({terrain})"


def _name(value: Resource | Commodity) -> str:
    return value.name.lower()


def _source(holder: int | None) -> str:
    return "" if holder is None else f" from seat {holder}"


def _ware_sold(it: events.WareSold) -> str:
    toll = "" if it.holder is None else f" and pays {it.toll} toll to seat {it.holder}"
    return f"seat {it.seat} sells {WARE_NAMES[it.ware]} for {it.gold} gold{toll}"


def _road_toll_paid(it: events.RoadTollPaid) -> str:
    cards = f" and {it.card_count} cards" if it.card_count else ""
    return f"seat {it.seat} pays seat {it.holder} {it.gold} gold{cards} of toll on {road_name(it.road)}"


def _settlement_placed(it: events.SettlementPlaced) -> str:
    bar = f"places toll bar {it.segment} on {road_name(it.road)}"
    return f"seat {it.seat} {bar} and settles {it.road.name}:{it.crossing}"


def _event_drawn(it: events.EventDrawn) -> str:
    harvest = f"harvest {it.number}" if it.number else "no harvest"
    return f"event card E{it.card:02}: {harvest}, {EVENT_NAMES[it.event]}"


def _card_robbed(it: events.CardRobbed) -> str:
    return f"seat {it.seat} robs seat {it.victim} of {'a card' if it.resource is None else f'1 {_name(it.resource)}'}"


SENTENCES: Mapping[type, Callable[[Any], str]] = {
    actions.PlaceSettlement: lambda it: (
        f"place a toll bar on {road_name(it.road)} and a settlement on {it.road.name}:{it.crossing}"
    ),
    actions.EndTurn: lambda _: "end the turn",
    actions.BuildTollBar: lambda it: f"build a toll bar on {road_name(it.road)}",
    actions.BuildSettlement: lambda it: f"build a settlement on {it.road.name}:{it.crossing}",
    actions.BuildWorkshop: lambda it: f"build a workshop on corner {it.corner.name.replace('_', '-')}",
    actions.BuildWall: lambda _: "build a wall",
    actions.BuildTower: lambda _: "build a tower",
    actions.SellWare: lambda it: f"sell {WARE_NAMES[it.ware]}",
    actions.TradeWithBank: lambda it: f"trade {_name(it.give)} for 1 {_name(it.get)} with the bank",
    actions.ProposeTrade: lambda it: f"propose {amounts(it.give)} for {amounts(it.want)}",
    actions.DeclineTrade: lambda _: "decline the trade",
    actions.AcceptTrade: lambda _: "accept the trade",
    actions.CounterTrade: lambda it: f"counter with {amounts(it.give)} for {amounts(it.want)}",
    actions.PickNobody: lambda _: "take none of the replies",
    actions.PickReply: lambda it: f"trade with seat {it.seat}",
    actions.SkipFreeWall: lambda _: "build no wall",
    actions.BuildFreeWall: lambda _: "build a wall without brick",
    actions.DiscardCards: lambda it: f"discard {amounts(it.cards)}",
    actions.MoveRobber: lambda it: f"move the robber to {landscape_name(it.landscape)}",
    actions.RobNobody: lambda _: "rob nobody",
    actions.RobPlayer: lambda it: f"rob seat {it.seat}",
    actions.KeepCouncilCard: lambda _: "exchange council cards with nobody",
    actions.SwapCouncilCard: lambda it: f"take the council card of seat {it.seat}",
    events.SettlementPlaced: _settlement_placed,
    events.StartingCardsTaken: lambda it: f"seat {it.seat} takes {amounts(it.cards)} to start with",
    events.WayrightTaken: lambda it: f"seat {it.seat} takes the wayright of {road_name(it.road)}{_source(it.holder)}",
    events.TurnStarted: lambda it: f"turn {it.turn}: seat {it.seat}",
    events.EventDrawn: _event_drawn,
    events.Harvested: lambda it: f"seat {it.seat} harvests {amounts(it.cards)}",
    events.HarvestFellShort: lambda it: f"the bank has too little {_name(it.resource)} for this harvest",
    events.YearsPassed: lambda it: f"the year is {it.year}",
    events.DeckReshuffled: lambda _: "all event cards are shuffled into a new deck",
    events.RobberSentHome: lambda _: "the robber returns to his castle",
    events.FreeWallSkipped: lambda it: f"seat {it.seat} builds no wall",
    events.RoadTollPaid: _road_toll_paid,
    events.CardsDiscarded: lambda it: f"seat {it.seat} discards {amounts(it.cards)}",
    events.RobberMoved: lambda it: f"seat {it.seat} moves the robber to {landscape_name(it.landscape)}",
    events.CardRobbed: _card_robbed,
    events.NobodyRobbed: lambda it: f"seat {it.seat} robs nobody",
    events.TollBarBuilt: lambda it: f"seat {it.seat} builds toll bar {it.segment} on {road_name(it.road)}",
    events.SettlementBuilt: lambda it: f"seat {it.seat} builds a settlement on {it.road.name}:{it.crossing}",
    events.WorkshopBuilt: lambda it: f"seat {it.seat} builds a workshop on corner {it.corner.name.replace('_', '-')}",
    events.WallBuilt: lambda it: (
        f"seat {it.seat} builds wall {it.place}{' without brick' if it.is_free_of_brick else ''}"
    ),
    events.TowerBuilt: lambda it: f"seat {it.seat} builds a tower on site {it.site}",
    events.WareSold: _ware_sold,
    events.BankTraded: lambda it: (
        f"seat {it.seat} gives the bank {it.give_count} {_name(it.give)} for 1 {_name(it.get)}"
    ),
    events.TradeProposed: lambda it: f"seat {it.seat} proposes {amounts(it.give)} for {amounts(it.want)}",
    events.TradeDeclined: lambda it: f"seat {it.seat} declines",
    events.TradeAccepted: lambda it: f"seat {it.seat} would accept",
    events.TradeCountered: lambda it: f"seat {it.seat} counters with {amounts(it.give)} for {amounts(it.want)}",
    events.TradeMade: lambda it: f"seat {it.seat} gives seat {it.partner} {amounts(it.give)} for {amounts(it.want)}",
    events.TradeLapsed: lambda it: f"seat {it.seat} takes none of the replies",
    events.CouncilCardTaken: lambda it: f"seat {it.seat} joins the {COUNCIL_NAMES[it.card]}{_source(it.holder)}",
    events.CouncilCardKept: lambda it: f"seat {it.seat} exchanges no council card",
    events.TurnEnded: lambda it: f"seat {it.seat} ends the turn",
    events.VictoryReached: lambda it: f"seat {it.seat} has {it.points} points on its own turn and wins",
    events.TimeRanOut: lambda it: f"the year {it.year} ends the game",
}
