"""B12 What each seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias, TypeVar

from referee.game import AtMost, PerSeat, Seat, Within, no_such_seat
from referee.games.norenberc import components as box
from referee.games.norenberc.actions import GoodsCount, Guild, SeatNumber, Window
from referee.games.norenberc.state import (
    ASK_ACTION,
    ASK_MAYOR_GUILD,
    ASK_PAYMENT,
    ASK_PLAN,
    ASK_PURCHASE,
    ASK_STORED_GOOD,
    ASK_SWAP,
    ASK_THEFT,
    ASK_TURN_ORDER,
    State,
    Step,
)
from referee.rows import Int, tupled
from referee.values import quickly_made

HIDDEN = -1  # stands for the talers of another seat

T = TypeVar("T")
MAX_GUILDS = len(box.GUILD_NAMES)
TILE_COUNT = sum(map(len, box.ARTISANS)) + len(box.CITIZENS)
MAX_TALERS = 9_999  # more than incomes, sales and bonuses of four rounds could ever bring

Tile: TypeAlias = Annotated[int, Within(0, max(box.CITIZENS))]  # coded as in `components.py`
Tiles: TypeAlias = Annotated[tuple[Tile, ...], AtMost(TILE_COUNT)]
Talers: TypeAlias = Annotated[int, Within(HIDDEN, MAX_TALERS)]
Agents: TypeAlias = Annotated[int, Within(0, box.AGENTS_PER_PLAYER)]
Blazons: TypeAlias = Annotated[int, Within(0, max(box.BLAZONS_PER_GUILD, box.PRESTIGE_BLAZONS))]
PlanSize: TypeAlias = Annotated[int, Within(0, MAX_GUILDS)]
PerGuild = Annotated[tuple[T, ...], AtMost(MAX_GUILDS)]
PerSeatAndGuild = Annotated[tuple[T, ...], AtMost(MAX_GUILDS, per_seat=True)]


class Phase(Enum):
    """B10.2: the decision that is open, by its name in the decision table."""

    PLAN = 1
    ACT = 2
    HIRE_PAYMENT = 3
    BUY_GOODS = 4
    THIEF = 5
    GUARD = 6
    PEDLAR_GOOD = 7
    MAYOR_GUILD = 8
    TURN_ORDER = 9
    GAME_OVER = 10


PHASES: Mapping[Step, Phase] = {
    ASK_PLAN: Phase.PLAN,
    ASK_ACTION: Phase.ACT,
    ASK_PAYMENT: Phase.HIRE_PAYMENT,
    ASK_PURCHASE: Phase.BUY_GOODS,
    ASK_THEFT: Phase.THIEF,
    ASK_SWAP: Phase.GUARD,
    ASK_STORED_GOOD: Phase.PEDLAR_GOOD,
    ASK_MAYOR_GUILD: Phase.MAYOR_GUILD,
    ASK_TURN_ORDER: Phase.TURN_ORDER,
}


@quickly_made
@dataclass(frozen=True, slots=True)
class View:
    """B12.1: everything a seat may know; a spectator sees what is public.

    Guilds and windows are numbered from 1, seats from 0, tiles coded as in `components.py`. A list over seats and
    guilds is flat: the entry for a seat and a guild stands at `seat * guild_count + guild - 1`.
    """

    viewer: SeatNumber | None  # None for a spectator
    seat_count: Annotated[int, Within(2, 5)]
    guild_count: Annotated[int, Within(3, MAX_GUILDS)]
    round_number: Annotated[int, Within(1, box.ROUNDS)]
    turn_number: Annotated[int, Within(1, box.MAX_TURNS)]
    phase: Phase
    acting_seat: SeatNumber | None  # None while planning and at the end
    called_guild: Guild | None
    chosen_window: Window | None  # the window that is being paid for
    revealed_count: Annotated[int, Within(0, 5)]  # how many seats revealed the card of the called guild
    guest_in_use: Tile  # the citizen whose decision is open, 0 for none
    track_seats: PerSeat[SeatNumber]  # first place first
    finished_flags: PerSeat[bool]  # per seat: the token shows the moon
    talers: PerSeat[Talers]  # per seat, -1 where hidden
    shown_talers: PerSeat[Talers]  # per seat: the last total that everybody saw
    shown_rounds: PerSeat[Annotated[int, Within(0, box.ROUNDS)]]  # per seat: after which round, 0 for the set-up
    supply_counts: PerSeat[Agents]  # per seat: agents ready to be used
    reserve_counts: PerSeat[Agents]  # per seat: agents not yet acquired
    card_counts: PerSeat[Agents]  # per seat: agents on the revealed card
    roof_counts: PerSeatAndGuild[Agents]  # seat x guild: agents
    planned_counts: PerSeat[PlanSize]  # per seat: cards planned this turn
    uncalled_counts: PerSeat[PlanSize]  # per seat: of those, cards not yet called
    planned_guilds: PerGuild[Guild]  # the viewer's guilds not yet called
    loose_goods: PerSeatAndGuild[GoodsCount]  # seat x guild
    stored_goods: PerSeatAndGuild[GoodsCount]  # seat x guild: goods on Pedlars, one on each
    owned_tiles: Tiles  # artisans and citizens in front of players
    tile_owners: Annotated[tuple[SeatNumber, ...], AtMost(TILE_COUNT)]  # the owner of each of them
    blazons: PerSeatAndGuild[Blazons]  # seat x guild
    prestige_blazons: PerSeat[Blazons]  # per seat
    shops: Annotated[tuple[Tile, ...], AtMost(MAX_GUILDS * box.SHOP_TILES)]  # guild x (S1 S2 S3 S4 U), 0 where empty
    lodgings: Annotated[tuple[Tile, ...], AtMost(MAX_GUILDS * box.PANES)]  # guild x (A B C D), 0 where empty
    storehouses: Annotated[tuple[GoodsCount, ...], AtMost(MAX_GUILDS * MAX_GUILDS)]  # guild x good type
    blazon_stacks: PerGuild[Blazons]  # per guild: blazons left
    mayors: PerGuild[Annotated[int, Within(0, len(box.CITIZENS))]]  # per guild: Mayors on the roof
    prestige_guild: Guild
    has_prestige_blazon: bool  # whether it still lies at the prestige guild
    prestige_stock: Blazons
    prestige_boxed: Blazons
    pile_count: Annotated[int, Within(0, TILE_COUNT)]
    returned_citizens: Annotated[tuple[Tile, ...], AtMost(len(box.CITIZENS))]  # known to lie in the guest pile
    discards: Tiles  # tiles that went to the box face up
    counted_talers: PerSeat[Talers]  # B12.6: per seat, as everybody who saw all talers move can add it up


def observe(state: State, seat: Seat | None) -> View:
    """B12.1-B12.6: the view of a seat; other seats' plans, the pile and the set-up box stay hidden."""
    if seat is not None and seat not in range(state.seats):
        raise no_such_seat(seat, state.seats)
    seats: Int = state.seats
    houses: Int = state.houses
    now: Int = state.agenda_count - 1
    step: Int = state.agenda[now] if now >= 0 else -1
    all_talers = tupled(state.talers, 0, seats)
    plans = [state.plans[each] for each in range(seats)]
    if now < 0:
        talers = all_talers  # B12.4: all are shown at the end
    elif seat is None:
        talers = (HIDDEN,) * seats
    else:
        talers = (HIDDEN,) * seat + (all_talers[seat],) + (HIDDEN,) * (seats - seat - 1)
    own_plan = 0 if seat is None else plans[seat]
    return View(
        viewer=seat,
        seat_count=seats,
        guild_count=houses,
        round_number=state.round,
        turn_number=state.turn,
        phase=Phase.GAME_OVER if now < 0 else PHASES[Step(step)],
        acting_seat=state.step_seats[now] if step > ASK_PLAN else None,
        called_guild=state.called + 1 if state.called >= 0 else None,
        chosen_window=state.step_panes[now] + 1 if step == ASK_PAYMENT else None,
        revealed_count=state.revealed_count,
        guest_in_use=state.guest_in_use,
        track_seats=tupled(state.track, 0, seats),
        finished_flags=tuple([state.finished[each] == 1 for each in range(seats)]),
        talers=talers,
        shown_talers=tupled(state.known_talers, 0, seats),
        shown_rounds=tupled(state.known_rounds, 0, seats),
        supply_counts=tupled(state.supply, 0, seats),
        reserve_counts=tupled(state.reserve, 0, seats),
        card_counts=tupled(state.on_card, 0, seats),
        roof_counts=tupled(state.on_roofs, 0, seats * houses),
        planned_counts=tupled(state.planned, 0, seats),
        uncalled_counts=tuple([plan.bit_count() for plan in plans]),
        planned_guilds=tuple([house + 1 for house in range(houses) if own_plan >> house & 1]),
        loose_goods=tupled(state.loose, 0, seats * houses),
        stored_goods=tupled(state.pedlars, 0, seats * houses),
        owned_tiles=tupled(state.owned_tiles, 0, state.owned_count),
        tile_owners=tupled(state.owned_by, 0, state.owned_count),
        blazons=tupled(state.blazons, 0, seats * houses),
        prestige_blazons=tupled(state.prestige, 0, seats),
        shops=tupled(state.shops, 0, houses * box.SHOP_TILES),
        lodgings=tupled(state.lodgings, 0, houses * box.PANES),
        storehouses=tupled(state.stores, 0, houses * houses),
        blazon_stacks=tupled(state.stacks, 0, houses),
        mayors=tupled(state.mayors, 0, houses),
        prestige_guild=state.prestige_house + 1,
        has_prestige_blazon=state.prestige_placed == 1,
        prestige_stock=state.prestige_stock,
        prestige_boxed=state.prestige_boxed,
        pile_count=state.pile_count,
        returned_citizens=tupled(state.returned, 0, state.returned_count),
        discards=tupled(state.discards, 0, state.discard_count),
        counted_talers=all_talers,  # B12.2: no taler ever moves unseen
    )
