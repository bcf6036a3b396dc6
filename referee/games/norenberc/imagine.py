"""Imagining: a full state that a seat cannot tell from the real one (B12.3, B12.5)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.game import Seat
from referee.games.norenberc.components import ARTISANS, CITIZENS, FIRST_CITIZEN, PEDLAR, CitizenKind, is_artisan
from referee.games.norenberc.state import (
    ASK_ACTION,
    ASK_PAYMENT,
    ASK_PLAN,
    ASK_PURCHASE,
    ASK_TURN_ORDER,
    CALL_GUILDS,
    END_TURN,
    GIVE_BONUS,
    LET_ACT,
    SEND_TO_ROOF,
    State,
    Step,
    clone,
    do_next,
    master,
)
from referee.games.norenberc.view import PHASES, Phase, View, observe
from referee.rng import Rng
from referee.rows import put


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """Return a state with this view for the seat; plans and tiles that it cannot see are drawn at random."""
    pile, boxed = imagine_tiles(view, rng)
    plans = [imagine_plan(view, seat, other, rng) for other in range(view.seat_count)]
    world = State(
        word=rng.fork("guest_pile").word,
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
        pile_count=len(pile),
        pile=pile,
        returned_count=len(view.returned_citizens),
        returned=view.returned_citizens,
        discard_count=len(view.discards),
        discards=view.discards,
        boxed_count=len(boxed),
        boxed=boxed,
    )
    lay_agenda(world, view)
    if view.phase is not Phase.GAME_OVER and not all(master(world, house) for house in range(world.houses)):
        raise ValueError("a guild has no master, as only a forged view could say")
    return world


def redraw(state: State, rng: Rng) -> State:
    """B12.5: return a copy in which everything unseen is resampled: pile, set-up box and shuffles to come."""
    world = clone(state)
    pile, boxed = imagine_tiles(observe(state, None), rng)
    put(world.pile, pile)
    put(world.boxed, boxed)
    world.word = rng.fork("guest_pile").word
    return world


def imagine_plan(view: View, seat: Seat, other: Seat, rng: Rng) -> int:
    """B12.3: the own plan, or another seat's cards spread over the guilds that were not called yet."""
    if other == seat:
        return sum(1 << (guild - 1) for guild in view.planned_guilds)
    first = view.called_guild or 0
    houses = list(range(first, view.guild_count))
    rng.shuffle(houses)
    return sum(1 << house for house in houses[: view.uncalled_counts[other]])


def imagine_tiles(view: View, rng: Rng) -> tuple[list[int], list[int]]:
    """B12.5: the guest pile and the citizens in the box.

    The artisans that are nowhere else are in the pile; citizens that returned are too; the rest of the pile is dealt
    from the citizens that nobody has seen.
    """
    seen = [*view.shops, *view.lodgings, *view.owned_tiles, *view.discards, view.guest_in_use]
    pile = [tile for artisans in ARTISANS[: view.guild_count] for tile in artisans]
    for tile in seen:
        if is_artisan(tile):
            pile.remove(tile)
    pile += view.returned_citizens
    unseen = list(CITIZENS)
    mayors = [10 * CitizenKind.MAYOR] * sum(view.mayors)
    pedlars = [PEDLAR] * sum(view.stored_goods)
    for tile in [*seen, *view.returned_citizens, *mayors, *pedlars]:
        if tile >= FIRST_CITIZEN:
            unseen.remove(tile)
    rng.shuffle(unseen)
    missing = view.pile_count - len(pile)
    pile += unseen[:missing]
    rng.shuffle(pile)
    return pile, unseen[missing:]


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
