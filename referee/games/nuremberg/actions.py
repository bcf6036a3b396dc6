"""N9: what a seat can answer, one frozen value for every option of the decision table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from referee.game import AtMost, Within
from referee.games.nuremberg import components as box
from referee.games.nuremberg.components import Color, Commodity, Corner, Road, Ware

SeatNumber: TypeAlias = Annotated[int, Within(0, len(Color) - 1)]
Crossing: TypeAlias = Annotated[int, Within(1, max(box.ROAD_LENGTHS))]
Landscape: TypeAlias = Annotated[int, Within(1, box.LANDSCAPE_COUNT)]
CardsOfAKind: TypeAlias = Annotated[int, Within(0, box.CARDS_EACH)]
ResourceCards: TypeAlias = Annotated[tuple[CardsOfAKind, ...], AtMost(box.RESOURCE_COUNT)]
Bundle: TypeAlias = Annotated[
    tuple[Annotated[int, Within(0, box.UNITS_PER_SIDE)], ...], AtMost(box.COMMODITY_COUNT)
]  # N0.3: six amounts: wood, wool, grain, brick, ore, gold


@dataclass(frozen=True, slots=True)
class PlaceSettlement:
    """N2.6: put a toll bar on the road's lowest free segment and a settlement on this crossing, at no cost."""

    road: Road
    crossing: Crossing


@dataclass(frozen=True, slots=True)
class EndTurn:
    """N5.1: end the turn."""


@dataclass(frozen=True, slots=True)
class BuildTollBar:
    """N5.3: build a toll bar on the lowest free segment of this road."""

    road: Road


@dataclass(frozen=True, slots=True)
class BuildSettlement:
    """N5.4: build a settlement on this crossing."""

    road: Road
    crossing: Crossing


@dataclass(frozen=True, slots=True)
class BuildWorkshop:
    """N5.5: build a workshop on this corner."""

    corner: Corner


@dataclass(frozen=True, slots=True)
class BuildWall:
    """N5.6: build the next wall."""


@dataclass(frozen=True, slots=True)
class BuildTower:
    """N5.7: build a tower on the lowest open site."""


@dataclass(frozen=True, slots=True)
class SellWare:
    """N5.8: make and sell one ware."""

    ware: Ware


@dataclass(frozen=True, slots=True)
class TradeWithBank:
    """N5.9: give the bank's rate of one commodity for one unit of another."""

    give: Commodity
    get: Commodity


@dataclass(frozen=True, slots=True)
class ProposeTrade:
    """N5.16: offer all opponents a trade, as seen by the active player."""

    give: Bundle
    want: Bundle


@dataclass(frozen=True, slots=True)
class DeclineTrade:
    """N5.17: decline the proposal."""


@dataclass(frozen=True, slots=True)
class AcceptTrade:
    """N5.17: accept the proposal as it is."""


@dataclass(frozen=True, slots=True)
class CounterTrade:
    """N5.17: answer with another trade, again as seen by the active player."""

    give: Bundle
    want: Bundle


@dataclass(frozen=True, slots=True)
class PickNobody:
    """N5.18: take none of the replies."""


@dataclass(frozen=True, slots=True)
class PickReply:
    """N5.18: carry out the trade that this opponent accepted or countered with."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class SkipFreeWall:
    """N4.4: build no wall on this event."""


@dataclass(frozen=True, slots=True)
class BuildFreeWall:
    """N4.4: build one wall without brick."""


@dataclass(frozen=True, slots=True)
class DiscardCards:
    """N4.6.1: give these cards back: five amounts, wood, wool, grain, brick, ore."""

    cards: ResourceCards


@dataclass(frozen=True, slots=True)
class MoveRobber:
    """N4.6.2: put the robber on this landscape, named by its number (17 is L17)."""

    landscape: Landscape


@dataclass(frozen=True, slots=True)
class RobNobody:
    """N4.6.3: draw no card."""


@dataclass(frozen=True, slots=True)
class RobPlayer:
    """N4.6.3: draw one random resource card from this opponent."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class KeepCouncilCard:
    """N6.2.2: exchange council cards with nobody."""


@dataclass(frozen=True, slots=True)
class SwapCouncilCard:
    """N6.2.2: take this player's council card and give the own one, if any."""

    seat: SeatNumber


Action: TypeAlias = (
    PlaceSettlement | EndTurn | BuildTollBar | BuildSettlement | BuildWorkshop | BuildWall | BuildTower | SellWare
    | TradeWithBank | ProposeTrade | DeclineTrade | AcceptTrade | CounterTrade | PickNobody | PickReply | SkipFreeWall
    | BuildFreeWall | DiscardCards | MoveRobber | RobNobody | RobPlayer | KeepCouncilCard | SwapCouncilCard
)  # fmt: skip


def is_index(value: object, count: int) -> bool:
    """Return whether an untrusted value is an integer from 0 to count - 1."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count
