"""Imagining: a full state that a seat cannot tell from the real one (B12.3, B12.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from referee.game import Seat
from referee.games.norenberc.components import (
    ARTISAN_TILES,
    ARTISANS_OF_A_GUILD,
    CITIZEN_COUNT,
    CITIZEN_TILES,
    PANES,
    PEDLAR,
    SHOP_TILES,
    TILE_CODES,
    CitizenKind,
)
from referee.games.norenberc.state import (
    ASK_ACTION,
    ASK_PAYMENT,
    ASK_PLAN,
    ASK_PURCHASE,
    ASK_TURN_ORDER,
    CALL_GUILDS,
    END_TURN,
    GIVE_BONUS,
    HOUSES,
    LET_ACT,
    SEND_TO_ROOF,
    TILES,
    State,
    Step,
    clone,
    do_next,
    master,
)
from referee.games.norenberc.view import PHASES, Phase, View
from referee.rng import Rng
from referee.rows import Dice, Int, Shorts, Smalls, index, shuffle_part

EVERY_SEAT = -1  # whose plans all stay
MAYOR = 10 * CitizenKind.MAYOR


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """Return a state with this view for the seat; plans and tiles that it cannot see are drawn at random."""
    # The plans of others are only counted in a view: any of that size, until they are drawn.
    plans = [(1 << count) - 1 for count in view.uncalled_counts]
    plans[seat] = sum([1 << (guild - 1) for guild in view.planned_guilds])
    world = State(
        seats=view.seat_count,
        houses=view.guild_count,
        round=view.round_number,
        turn=view.turn_number,
        called=-1 if view.called_guild is None else view.called_guild - 1,
        revealed_count=view.revealed_count,
        guest_in_use=view.guest_in_use,
        prestige_house=view.prestige_guild - 1,
        prestige_placed=int(view.has_prestige_blazon),
        prestige_stock=view.prestige_stock,
        prestige_boxed=view.prestige_boxed,
        track=view.track_seats,
        finished=[int(flag) for flag in view.finished_flags],
        talers=view.counted_talers,
        known_talers=view.shown_talers,
        known_rounds=view.shown_rounds,
        supply=view.supply_counts,
        reserve=view.reserve_counts,
        on_card=view.card_counts,
        on_roofs=view.roof_counts,
        planned=view.planned_counts,
        plans=plans,
        loose=view.loose_goods,
        pedlars=view.stored_goods,
        owned_count=len(view.owned_tiles),
        owned_tiles=view.owned_tiles,
        owned_by=view.tile_owners,
        blazons=view.blazons,
        prestige=view.prestige_blazons,
        shops=view.shops,
        lodgings=view.lodgings,
        stores=view.storehouses,
        stacks=view.blazon_stacks,
        mayors=view.mayors,
        pile_count=view.pile_count,
        returned_count=len(view.returned_citizens),
        returned=view.returned_citizens,
        discard_count=len(view.discards),
        discards=view.discards,
    )
    lay_agenda(world, view)
    if view.phase is not Phase.GAME_OVER and not all(master(world, house) for house in range(world.houses)):
        raise ValueError("a guild has no master, as only a forged view could say")
    draw_unseen(world, seat, rng)
    return world


def determinize(state: State, seat: Int, rng: Rng) -> State:
    """Return what `imagine` makes of the seat's view."""
    world = clone(state)
    draw_unseen(world, seat, rng)
    return world


def redraw(state: State, rng: Rng) -> State:
    """B12.5: return a copy in which everything unseen is resampled: pile, set-up box and shuffles to come."""
    world = clone(state)
    draw_unseen(world, EVERY_SEAT, rng)
    return world


def draw_unseen(state: State, seat: Int, rng: Rng) -> None:
    """B12.3, B12.5: draw the tiles that nobody can see, the plans that this seat cannot, and the shuffles to come."""
    dice = Dice()
    dice.word = rng.word
    draw_tiles(state, dice)
    if seat != EVERY_SEAT:
        for other in range(state.seats):
            if other != seat:
                draw_plan(state, other, dice)
    rng.word = dice.word
    state.word = rng.fork("guest_pile").word


def draw_plan(state: State, seat: Int, dice: Dice) -> None:
    """B12.3: spread the cards of a seat that are still planned over the guilds that were not called yet."""
    houses: Annotated[Smalls, HOUSES] = [0] * HOUSES
    count = 0
    left = 0
    for house in range(state.houses):
        left += state.plans[seat] >> house & 1
        if house > state.called:
            houses[count] = house
            count += 1
    for last in range(count - 1, 0, -1):
        other = index(dice, last + 1)
        house = houses[last]
        houses[last] = houses[other]
        houses[other] = house
    plan = 0
    for place in range(min(left, count)):
        plan |= 1 << houses[place]
    state.plans[seat] = plan


def draw_tiles(state: State, dice: Dice) -> None:
    """B12.5: the guest pile and the citizens in the box.

    The artisans that are nowhere else are in the pile; citizens that returned are too; the rest of the pile is dealt
    from the citizens that nobody has seen.
    """
    seen: Annotated[Shorts, TILE_CODES] = [0] * TILE_CODES
    unseen: Annotated[Shorts, TILES] = [0] * TILES
    surplus = count_seen(state, seen)
    size = 0
    for place in range(state.houses * ARTISANS_OF_A_GUILD):
        tile = ARTISAN_TILES[place]
        if seen[tile]:
            seen[tile] -= 1
            surplus -= 1
        else:
            state.pile[size] = tile
            size += 1
    count = 0
    for place in range(CITIZEN_COUNT):
        tile = CITIZEN_TILES[place]
        if seen[tile]:
            seen[tile] -= 1
            surplus -= 1
        else:
            unseen[count] = tile
            count += 1
    missing = state.pile_count - size - state.returned_count
    if surplus or not 0 <= missing <= count:
        raise ValueError("tiles are seen that are not in the game, as only a forged view could say")
    for place in range(state.returned_count):
        state.pile[size + place] = state.returned[place]
    size += state.returned_count
    shuffle_part(unseen, 0, count, dice)
    for place in range(missing):
        state.pile[size + place] = unseen[place]
    shuffle_part(state.pile, 0, state.pile_count, dice)
    state.boxed_count = count - missing
    for place in range(state.boxed_count):
        state.boxed[place] = unseen[missing + place]


def count_seen(state: State, seen: Shorts) -> Int:
    """B12.2: count every tile that everybody knows the place of, by its code; return how many there are in all."""
    count = see(seen, state.guest_in_use, 1)
    for place in range(state.houses * SHOP_TILES):
        count += see(seen, state.shops[place], 1)
    for place in range(state.houses * PANES):
        count += see(seen, state.lodgings[place], 1)
    for place in range(state.owned_count):
        count += see(seen, state.owned_tiles[place], 1)
    for place in range(state.discard_count):
        count += see(seen, state.discards[place], 1)
    for place in range(state.returned_count):
        count += see(seen, state.returned[place], 1)
    for house in range(state.houses):
        count += see(seen, MAYOR, state.mayors[house])
    for place in range(state.seats * state.houses):
        count += see(seen, PEDLAR, state.pedlars[place])
    return count


def see(seen: Shorts, tile: Int, count: Int) -> Int:
    """Count a tile; no tile is none, and one that does not exist is never found."""
    if 0 < tile < TILE_CODES:
        seen[tile] += count
    return count if tile else 0


ASKED: Mapping[Phase, Step] = {phase: kind for kind, phase in PHASES.items()}


def lay_agenda(world: State, view: View) -> None:
    """B10.2: put the steps that lead to the open decision on the agenda, the current one last."""
    if view.phase is Phase.GAME_OVER:
        return
    if view.phase is Phase.PLAN or view.acting_seat is None or view.called_guild is None:
        do_next(world, ASK_PLAN)
        return
    seat, house, step = view.acting_seat, view.called_guild - 1, ASKED[view.phase]
    for before in (END_TURN, CALL_GUILDS, LET_ACT):
        do_next(world, before)
    if step in (ASK_ACTION, ASK_PURCHASE):
        do_next(world, step, house, seat)
    elif step == ASK_PAYMENT:
        do_next(world, step, house, seat, (view.chosen_window or 1) - 1)
    else:
        do_next(world, SEND_TO_ROOF, house, seat)
        if step != ASK_TURN_ORDER:
            do_next(world, GIVE_BONUS, house, seat)
        do_next(world, step, 0, seat)
