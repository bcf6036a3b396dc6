"""What a seat can choose (B10): one frozen value for every option of the decision table.

Guilds are numbered from 1; goods are vectors with one entry per guild in play (B0.8).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from referee.game import AtMost, Seat, Within
from referee.games.norenberc.components import GOODS_PER_GUILD, GUILD_NAMES, PANES

Guild: TypeAlias = Annotated[int, Within(1, len(GUILD_NAMES))]
Window: TypeAlias = Annotated[int, Within(1, PANES)]
GoodsCount: TypeAlias = Annotated[int, Within(0, GOODS_PER_GUILD)]
Goods: TypeAlias = Annotated[tuple[GoodsCount, ...], AtMost(len(GUILD_NAMES))]
Position: TypeAlias = Annotated[int, Within(2, 10 * len(GUILD_NAMES) + PANES)]
SeatNumber: TypeAlias = Annotated[Seat, Within(0, 4)]


@dataclass(frozen=True, slots=True)
class PassRound:
    """B4.2: plan nothing and finish this round."""


@dataclass(frozen=True, slots=True)
class PlanGuilds:
    """B4.1: send an agent to each of these guilds this turn."""

    guilds: Annotated[tuple[Guild, ...], AtMost(len(GUILD_NAMES))]  # ascending


@dataclass(frozen=True, slots=True)
class DoNothing:
    """B5.22: let the agent go to the roof without a deal."""


@dataclass(frozen=True, slots=True)
class SellGoods:
    """B5.6: sell goods of the called guild's own type."""

    count: GoodsCount


@dataclass(frozen=True, slots=True)
class HireGuest:
    """B5.11: hire the guest in a window, 1 … 4 for A … D; the payment is chosen next."""

    window: Window


@dataclass(frozen=True, slots=True)
class EnterStorehouse:
    """B5.8: buy from the called guild's storehouse; the goods are chosen next."""


@dataclass(frozen=True, slots=True)
class PayGoods:
    """B5.13: pay for the guest with these goods."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class BuyGoods:
    """B5.8: buy these goods."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class DeclineTheft:
    """B6.4: let the Thief take nothing."""


@dataclass(frozen=True, slots=True)
class StealGoods:
    """B6.4: let the Thief take these goods from one player."""

    victim: SeatNumber
    goods: Goods


@dataclass(frozen=True, slots=True)
class DeclineSwap:
    """B6.6: let the Guard swap nothing."""


@dataclass(frozen=True, slots=True)
class SwapArtisans:
    """B6.6: let the Guard swap two artisans of one guild.

    A position is 2 … 4 for the shop slots S2 … S4 of that guild, 5 for U, and `10 * guild + window` for a lodging.
    """

    guild: Guild
    first: Position
    second: Position


@dataclass(frozen=True, slots=True)
class StoreGood:
    """B6.7: put a good of this guild's type on the Pedlar."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class PlaceMayor:
    """B6.9: put the Mayor on this guild's roof."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class KeepPlace:
    """B5.19: stay where you are on the turn-order track."""


@dataclass(frozen=True, slots=True)
class MoveFirst:
    """B5.19: move to the first place of the turn-order track."""


Action: TypeAlias = (
    PassRound | PlanGuilds | DoNothing | SellGoods | HireGuest | EnterStorehouse | PayGoods | BuyGoods | DeclineTheft
    | StealGoods | DeclineSwap | SwapArtisans | StoreGood | PlaceMayor | KeepPlace | MoveFirst
)  # fmt: skip
