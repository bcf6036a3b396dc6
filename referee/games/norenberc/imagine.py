"""Imagining: a full state that a seat cannot tell from the real one (B12.3, B12.5)."""

from __future__ import annotations

from referee.agenda import Agenda
from referee.game import Seat
from referee.games.norenberc import state as states
from referee.games.norenberc.components import ARTISANS, CITIZENS, FIRST_CITIZEN, PEDLAR, CitizenKind, is_artisan
from referee.games.norenberc.state import State, Step
from referee.games.norenberc.view import Phase, View, observe
from referee.rng import Rng


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """Return a state with this view for the seat; plans and tiles that it cannot see are drawn at random."""
    pile, boxed = imagine_tiles(view, rng)
    return State(
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
        track=list(view.track_seats),
        finished=[int(flag) for flag in view.finished_flags],
        talers=list(view.counted_talers),
        known_talers=list(view.shown_talers),
        known_rounds=list(view.shown_rounds),
        supply=list(view.supply_counts),
        reserve=list(view.reserve_counts),
        on_card=list(view.card_counts),
        on_roofs=list(view.roof_counts),
        planned=list(view.planned_counts),
        plans=[imagine_plan(view, seat, other, rng) for other in range(view.seat_count)],
        loose=list(view.loose_goods),
        pedlars=list(view.stored_goods),
        owned_tiles=list(view.owned_tiles),
        owned_by=list(view.tile_owners),
        blazons=list(view.blazons),
        prestige=list(view.prestige_blazons),
        shops=list(view.shops),
        lodgings=list(view.lodgings),
        stores=list(view.storehouses),
        stacks=list(view.blazon_stacks),
        mayors=list(view.mayors),
        pile=pile,
        returned=list(view.returned_citizens),
        discards=list(view.discards),
        boxed=boxed,
        agenda=Agenda(agenda_of(view)),
        rng=rng.fork("guest_pile"),
    )


def redraw(state: State, rng: Rng) -> State:
    """B12.5: return a copy in which everything unseen is resampled: pile, set-up box and shuffles to come."""
    world = states.clone(state)
    world.pile, world.boxed = imagine_tiles(observe(state, None), rng)
    world.rng = rng.fork("guest_pile")
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


def agenda_of(view: View) -> list[Step]:
    """B10.2: the steps that lead to the open decision, the current one last."""
    if view.phase is Phase.GAME_OVER:
        return []
    if view.phase is Phase.PLAN or view.acting_seat is None or view.called_guild is None:
        return [states.AskPlan()]
    seat, house = view.acting_seat, view.called_guild - 1
    turn: list[Step] = [states.EndTurn(), states.CallGuilds(), states.LetAct()]
    hire: list[Step] = [states.SendToRoof(house, seat), states.GiveBonus(house, seat)]
    match view.phase:
        case Phase.ACT:
            return [*turn, states.AskAction(house, seat)]
        case Phase.BUY_GOODS:
            return [*turn, states.AskPurchase(house, seat)]
        case Phase.HIRE_PAYMENT:
            return [*turn, states.AskPayment(house, seat, (view.chosen_window or 1) - 1)]
        case Phase.THIEF:
            return [*turn, *hire, states.AskTheft(seat)]
        case Phase.GUARD:
            return [*turn, *hire, states.AskSwap(seat)]
        case Phase.PEDLAR_GOOD:
            return [*turn, *hire, states.AskStoredGood(seat)]
        case Phase.MAYOR_GUILD:
            return [*turn, *hire, states.AskMayorGuild(seat)]
        case Phase.TURN_ORDER:
            return [*turn, states.SendToRoof(house, seat), states.AskTurnOrder(seat)]
