"""B12 What each seat may see."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias, TypeVar

from referee.game import AtMost, PerSeat, Seat, Within, no_such_seat
from referee.games.norenberc import components as box
from referee.games.norenberc import state as states
from referee.games.norenberc.actions import GoodsCount, Guild, SeatNumber, Window
from referee.games.norenberc.state import State, Step

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


PHASES: dict[type[Step], Phase] = {
    states.AskPlan: Phase.PLAN,
    states.AskAction: Phase.ACT,
    states.AskPayment: Phase.HIRE_PAYMENT,
    states.AskPurchase: Phase.BUY_GOODS,
    states.AskTheft: Phase.THIEF,
    states.AskSwap: Phase.GUARD,
    states.AskStoredGood: Phase.PEDLAR_GOOD,
    states.AskMayorGuild: Phase.MAYOR_GUILD,
    states.AskTurnOrder: Phase.TURN_ORDER,
}


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
    steps = state.agenda.steps
    step = steps[-1] if steps else None
    own_plan: tuple[int, ...] = ()
    if step is None:
        talers = tuple(state.talers)  # B12.4: all are shown at the end
    elif seat is None:
        talers = (HIDDEN,) * state.seats
    else:
        talers = (HIDDEN,) * seat + (state.talers[seat],) + (HIDDEN,) * (state.seats - seat - 1)
    if seat is not None:
        plan = state.plans[seat]
        own_plan = tuple([house + 1 for house in range(state.houses) if plan & 1 << house])
    return View(
        viewer=seat,
        seat_count=state.seats,
        guild_count=state.houses,
        round_number=state.round,
        turn_number=state.turn,
        phase=Phase.GAME_OVER if step is None else PHASES[type(step)],
        acting_seat=getattr(step, "seat", None),
        called_guild=state.called + 1 if state.called >= 0 else None,
        chosen_window=step.pane + 1 if isinstance(step, states.AskPayment) else None,
        revealed_count=state.revealed_count,
        guest_in_use=state.guest_in_use,
        track_seats=tuple(state.track),
        finished_flags=tuple([flag == 1 for flag in state.finished]),
        talers=talers,
        shown_talers=tuple(state.known_talers),
        shown_rounds=tuple(state.known_rounds),
        supply_counts=tuple(state.supply),
        reserve_counts=tuple(state.reserve),
        card_counts=tuple(state.on_card),
        roof_counts=tuple(state.on_roofs),
        planned_counts=tuple(state.planned),
        uncalled_counts=tuple([plan.bit_count() for plan in state.plans]),
        planned_guilds=own_plan,
        loose_goods=tuple(state.loose),
        stored_goods=tuple(state.pedlars),
        owned_tiles=tuple(state.owned_tiles),
        tile_owners=tuple(state.owned_by),
        blazons=tuple(state.blazons),
        prestige_blazons=tuple(state.prestige),
        shops=tuple(state.shops),
        lodgings=tuple(state.lodgings),
        storehouses=tuple(state.stores),
        blazon_stacks=tuple(state.stacks),
        mayors=tuple(state.mayors),
        prestige_guild=state.prestige_house + 1,
        has_prestige_blazon=state.prestige_placed == 1,
        prestige_stock=state.prestige_stock,
        prestige_boxed=state.prestige_boxed,
        pile_count=len(state.pile),
        returned_citizens=tuple(state.returned),
        discards=tuple(state.discards),
        counted_talers=tuple(state.talers),  # B12.2: no taler ever moves unseen
    )
