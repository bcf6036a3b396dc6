"""What the table sees happen: all of it is public (B12.2), talers as amounts moved and only rarely as totals (B12.4).

Guilds and windows are numbered from 1; goods are vectors with one entry per guild in play; tiles are coded as in
`components.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.game import Seat


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """B8.13: a round began under these masters, with this prestige guild."""

    round_number: int
    masters: tuple[int, ...]  # a tile per guild
    prestige_guild: int


@dataclass(frozen=True, slots=True)
class PlansLaid:
    """B4.4: all active seats have planned; how many cards each laid, 0 for a pass, -1 if it had finished before."""

    card_counts: tuple[int, ...]  # per seat


@dataclass(frozen=True, slots=True)
class GuildCalled:
    """B5.2: a guild was called and these seats revealed its card."""

    guild: int
    revealed_seats: tuple[Seat, ...]  # in the order of the track


@dataclass(frozen=True, slots=True)
class NothingDone:
    """B5.22: a seat did nothing in the called guild."""

    seat: Seat
    guild: int


@dataclass(frozen=True, slots=True)
class GoodsSold:
    """B5.6: a seat sold goods of the guild's own type."""

    seat: Seat
    guild: int
    count: int
    talers: int


@dataclass(frozen=True, slots=True)
class GoodsBought:
    """B5.8: a seat bought goods out of a storehouse."""

    seat: Seat
    guild: int
    goods: tuple[int, ...]
    talers: int


@dataclass(frozen=True, slots=True)
class GuestHired:
    """B5.14: a seat paid for a guest and took it."""

    seat: Seat
    guild: int
    window: int
    tile: int
    paid_goods: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AgentGained:
    """B5.17: a seat moved an agent from its reserve to its supply."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BonusPaid:
    """B5.18: a seat got talers for the agents on the roof."""

    seat: Seat
    guild: int
    talers: int


@dataclass(frozen=True, slots=True)
class TurnOrderChanged:
    """B5.19: a seat moved to the first place of the track."""

    seat: Seat
    track_seats: tuple[Seat, ...]  # first place first


@dataclass(frozen=True, slots=True)
class CitizenReturned:
    """B6.2: a citizen was shuffled into the guest pile."""

    tile: int


@dataclass(frozen=True, slots=True)
class GoodsStolen:
    """B6.5: a Thief took goods and the bank paid the victim."""

    seat: Seat
    victim: Seat
    goods: tuple[int, ...]
    talers: int


@dataclass(frozen=True, slots=True)
class TheftDeclined:
    """B6.4: a Thief took nothing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ArtisansSwapped:
    """B6.6: a Guard swapped two artisans of a guild; positions are coded as in `SwapArtisans`."""

    seat: Seat
    guild: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class SwapDeclined:
    """B6.6: a Guard swapped nothing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GoodStored:
    """B6.7: a seat put a good on its Pedlar."""

    seat: Seat
    guild: int


@dataclass(frozen=True, slots=True)
class GoodTakenBack:
    """B8.5: a seat took a good back from its Pedlar."""

    seat: Seat
    guild: int


@dataclass(frozen=True, slots=True)
class MayorPlaced:
    """B6.9: a seat put the Mayor on a roof."""

    seat: Seat
    guild: int


@dataclass(frozen=True, slots=True)
class AgentsUsedUp:
    """B7.1: a seat has no agents left and finished the round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TalersShown:
    """B8.3: these seats, tied on goods, showed their talers."""

    guild: int
    tied_seats: tuple[Seat, ...]
    talers: tuple[int, ...]  # in the same order


@dataclass(frozen=True, slots=True)
class FavouriteChosen:
    """B8.4: the favourite paid a good and took the master (in round 4 also the tile under it) and the blazons."""

    seat: Seat
    guild: int
    tiles: tuple[int, ...]
    is_prestige: bool


@dataclass(frozen=True, slots=True)
class NoFavourite:
    """B8.6: nobody had a good of the guild, so its master (in round 4 also the tile under it) went to the box."""

    guild: int
    tiles: tuple[int, ...]
    is_prestige: bool


@dataclass(frozen=True, slots=True)
class IncomePaid:
    """B8.8: every seat received its income."""

    talers: tuple[int, ...]  # per seat


@dataclass(frozen=True, slots=True)
class LodgingRefilled:
    """B8.11: the guests of a guild slid left and new ones moved in."""

    guild: int
    discarded_tile: int  # the guest that left window A for the box, 0 for none
    tiles: tuple[int, ...]  # the windows A … D now


@dataclass(frozen=True, slots=True)
class SeatScored:
    """B9.1: the score of one seat, its talers and its rank."""

    seat: Seat
    citizens: int
    majority: int
    value_thirty: int
    all_types: int
    richest: int
    blazons: int
    total: int
    rank: int
    talers: int


Event: TypeAlias = (
    RoundBegan | PlansLaid | GuildCalled | NothingDone | GoodsSold | GoodsBought | GuestHired | AgentGained | BonusPaid
    | TurnOrderChanged | CitizenReturned | GoodsStolen | TheftDeclined | ArtisansSwapped | SwapDeclined | GoodStored
    | GoodTakenBack | MayorPlaced | AgentsUsedUp | TalersShown | FavouriteChosen | NoFavourite | IncomePaid
    | LodgingRefilled | SeatScored
)  # fmt: skip
