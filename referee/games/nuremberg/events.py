"""What the table sees happen, one frozen value for every kind of happening, and what of it a seat may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.game import Seat
from referee.games.nuremberg.components import Commodity, Corner, CouncilCard, EventKind, Resource, Road, Ware
from referee.values import changed


@dataclass(frozen=True, slots=True)
class SettlementPlaced:
    """N2.6: a seat placed a toll bar and a settlement during set-up."""

    seat: int
    road: Road
    crossing: int
    segment: int


@dataclass(frozen=True, slots=True)
class StartingCardsTaken:
    """N2.7: a seat took its starting cards (five amounts)."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WayrightTaken:
    """N6.1, N2.8: a seat took the wayright of a road, from its former holder if there was one."""

    seat: int
    road: Road
    holder: int | None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """N3.1: a turn began."""

    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class EventDrawn:
    """N3.2: the top event card was revealed; its number is 0 if it pays no harvest."""

    card: int
    number: int
    event: EventKind


@dataclass(frozen=True, slots=True)
class Harvested:
    """N3.3: a seat took these cards (five amounts) as its harvest."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HarvestFellShort:
    """N3.6: the bank had too little of a resource to pay everybody."""

    resource: Resource


@dataclass(frozen=True, slots=True)
class YearsPassed:
    """N4.2: the time stone reached this year."""

    year: int


@dataclass(frozen=True, slots=True)
class DeckReshuffled:
    """N4.2: all event cards were shuffled into a new deck."""


@dataclass(frozen=True, slots=True)
class RobberSentHome:
    """N4.3: the margrave sent the robber back to his castle."""


@dataclass(frozen=True, slots=True)
class FreeWallSkipped:
    """N4.4: a seat built no wall on the event."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoadTollPaid:
    """N4.5: a seat paid road toll in gold and, for gold it lacked, in random cards known to payer and holder only."""

    seat: int
    holder: int
    road: Road
    gold: int
    card_count: int
    cards: tuple[Resource, ...]


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """N4.6: a seat gave these cards (five amounts) back to the bank."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RobberMoved:
    """N4.6: the active player put the robber on a landscape."""

    seat: int
    landscape: int


@dataclass(frozen=True, slots=True)
class CardRobbed:
    """N4.6: the active player drew a card from an opponent; its kind is known to these two only."""

    seat: int
    victim: int
    resource: Resource | None


@dataclass(frozen=True, slots=True)
class NobodyRobbed:
    """N4.6: the active player robbed nobody."""

    seat: int


@dataclass(frozen=True, slots=True)
class TollBarBuilt:
    """N5.3: a seat built a toll bar."""

    seat: int
    road: Road
    segment: int


@dataclass(frozen=True, slots=True)
class SettlementBuilt:
    """N5.4: a seat built a settlement."""

    seat: int
    road: Road
    crossing: int


@dataclass(frozen=True, slots=True)
class WorkshopBuilt:
    """N5.5: a seat built a workshop."""

    seat: int
    corner: Corner


@dataclass(frozen=True, slots=True)
class WallBuilt:
    """N5.6, N4.4: a seat built a wall, for brick and gold or for gold alone."""

    seat: int
    place: int
    is_free_of_brick: bool


@dataclass(frozen=True, slots=True)
class TowerBuilt:
    """N5.7: a seat built a tower."""

    seat: int
    site: int


@dataclass(frozen=True, slots=True)
class WareSold:
    """N5.8: a seat sold a ware for gold and paid toll if another seat holds the market's wayright."""

    seat: int
    ware: Ware
    gold: int
    toll: int
    holder: int | None


@dataclass(frozen=True, slots=True)
class BankTraded:
    """N5.9: a seat gave the bank a number of units of one commodity for one of another."""

    seat: int
    give: Commodity
    give_count: int
    get: Commodity


@dataclass(frozen=True, slots=True)
class TradeProposed:
    """N5.16: the active player proposed a trade."""

    seat: int
    give: tuple[int, ...]
    want: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TradeDeclined:
    """N5.17: an opponent declined."""

    seat: int


@dataclass(frozen=True, slots=True)
class TradeAccepted:
    """N5.17: an opponent accepted; the active player has yet to pick."""

    seat: int


@dataclass(frozen=True, slots=True)
class TradeCountered:
    """N5.17: an opponent answered with another trade, as seen by the active player."""

    seat: int
    give: tuple[int, ...]
    want: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TradeMade:
    """N5.18: the active player exchanged these bundles with a partner."""

    seat: int
    partner: int
    give: tuple[int, ...]
    want: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TradeLapsed:
    """N5.18: the active player picked none of the replies."""

    seat: int


@dataclass(frozen=True, slots=True)
class CouncilCardTaken:
    """N6.2: a seat took a council card, free or from its holder."""

    seat: int
    card: CouncilCard
    holder: int | None


@dataclass(frozen=True, slots=True)
class CouncilCardKept:
    """N6.2: a seat that could have exchanged council cards did not."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """N5.1: the turn ended."""

    seat: int


@dataclass(frozen=True, slots=True)
class VictoryReached:
    """N7.1: a seat has enough points on its own turn; the game is over."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """N7.3: the time stone reached the last year; the game is over."""

    year: int


Event: TypeAlias = (
    SettlementPlaced | StartingCardsTaken | WayrightTaken | TurnStarted | EventDrawn | Harvested | HarvestFellShort
    | YearsPassed | DeckReshuffled | RobberSentHome | FreeWallSkipped | RoadTollPaid | CardsDiscarded | RobberMoved
    | CardRobbed | NobodyRobbed | TollBarBuilt | SettlementBuilt | WorkshopBuilt | WallBuilt | TowerBuilt | WareSold
    | BankTraded | TradeProposed | TradeDeclined | TradeAccepted | TradeCountered | TradeMade | TradeLapsed
    | CouncilCardTaken | CouncilCardKept | TurnEnded | VictoryReached | TimeRanOut
)  # fmt: skip


def witness(event: Event, seat: Seat | None) -> Event:
    """N10.3: everybody sees every event, but the kind of a drawn card only its giver and its taker."""
    if isinstance(event, CardRobbed) and seat not in (event.seat, event.victim):
        return changed(event, resource=None)
    if isinstance(event, RoadTollPaid) and seat not in (event.seat, event.holder):
        return changed(event, cards=())
    return event
