"""Why an action is refused: the clause it breaks and what was expected instead (B10.1)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import IllegalActionError, Seat
from referee.games.norenberc import actions
from referee.games.norenberc.actions import Action
from referee.games.norenberc.components import GOOD_NAMES, GUILD_NAMES, PANES, WINDOW_NAMES
from referee.games.norenberc.dealing import buying_limit
from referee.games.norenberc.state import (
    ASK_ACTION,
    ASK_PAYMENT,
    ASK_SWAP,
    ASK_THEFT,
    State,
    price,
)


def refuse(state: State, seat: Seat, action: Action, options: Sequence[Action]) -> IllegalActionError:
    """B10.1: the error that tells a bot why its answer is not among the options."""
    now = state.agenda_count - 1
    step = state.agenda[now]
    if type(action) not in {type(option) for option in options}:
        return _refuse_kind(step, action, options)
    goods: tuple[int, ...] | None = getattr(action, "goods", None)
    if goods is not None and (len(goods) != state.houses or any(count < 0 for count in goods)):
        return IllegalActionError("B0.8", f"{list(goods)} is not a goods vector of {state.houses} counts")
    match action:
        case actions.PlanGuilds(guilds):
            return _refuse_plan(state, seat, guilds)
        case actions.SellGoods(count):
            owned = goods_of(state, seat)[state.called]
            return IllegalActionError(
                "B5.6", f"cannot sell {count} of {owned} {GOOD_NAMES[state.called]}; expected 1 to {owned}"
            )
        case actions.HireGuest(window):
            return _refuse_window(state, window)
        case actions.BuyGoods(goods):
            return _refuse_purchase(state, seat, goods)
        case actions.PayGoods(goods) if step == ASK_PAYMENT:
            return _refuse_payment(state, seat, state.step_panes[now], goods)
        case actions.StealGoods(victim, goods):
            return _refuse_theft(state, seat, victim, goods)
        case actions.SwapArtisans(guild, first, second):
            places = f"positions {first} and {second}"
            return IllegalActionError("B6.6", f"{places} are no pair of different movable artisans of guild {guild}")
        case actions.StoreGood(guild):
            return IllegalActionError("B6.7", f"seat {seat} has no loose good of guild {guild}")
        case actions.PlaceMayor(guild):
            return IllegalActionError("B6.9", f"guild {guild} is not in play; expected 1 to {state.houses}")
    return IllegalActionError("B10.1", "this is not one of the options")


def goods_of(state: State, seat: Seat) -> list[int]:
    """B0.8: the goods vector of a seat's loose goods."""
    return list(state.loose[seat * state.houses : (seat + 1) * state.houses])


def store_of(state: State, house: int) -> list[int]:
    """B1.2: the goods vector of a guild's storehouse."""
    return list(state.stores[house * state.houses : (house + 1) * state.houses])


def _refuse_kind(step: int, action: Action, options: Sequence[Action]) -> IllegalActionError:
    """B10.2: the answer does not belong to the open decision, or nothing of its kind can be done now."""
    match action:
        case actions.SellGoods() if step == ASK_ACTION:
            return IllegalActionError("B5.6", "there is no loose good of the called guild's type to sell")
        case actions.HireGuest() if step == ASK_ACTION:
            return IllegalActionError("B5.11", "no window of this lodging can be paid for")
        case actions.EnterStorehouse() if step == ASK_ACTION:
            return IllegalActionError("B5.10", "the storehouse is empty or its price is higher than the talers at hand")
        case actions.StealGoods() if step == ASK_THEFT:
            return IllegalActionError("B6.4", "no other player has a loose good")
        case actions.SwapArtisans() if step == ASK_SWAP:
            return IllegalActionError("B6.6", "there are no two different artisans of one guild to swap")
    expected = ", ".join(dict.fromkeys(type(option).__name__ for option in options))
    return IllegalActionError(
        "B10.2", f"{type(action).__name__} does not answer this decision; expected one of: {expected}"
    )


def _refuse_plan(state: State, seat: Seat, guilds: tuple[int, ...]) -> IllegalActionError:
    if not guilds:
        return IllegalActionError("B4.2", "a plan without guilds is a pass; answer with PassRound")
    if any(not 1 <= guild <= state.houses for guild in guilds):
        return IllegalActionError("B4.1", f"guilds {list(guilds)} are not all in play; expected 1 to {state.houses}")
    if len(set(guilds)) < len(guilds):
        return IllegalActionError("B4.1", f"guilds {list(guilds)} name a guild twice")
    if len(guilds) > state.supply[seat]:
        return IllegalActionError(
            "B4.1", f"{len(guilds)} guilds need as many agents; seat {seat} has {state.supply[seat]}"
        )
    return IllegalActionError("B10.2", f"guilds {list(guilds)} are not in ascending order")


def _refuse_window(state: State, window: int) -> IllegalActionError:
    if not 1 <= window <= PANES:
        return IllegalActionError("B5.11", f"there is no window {window}; expected 1 to {PANES}")
    name = WINDOW_NAMES[window - 1]
    if not state.lodgings[state.called * PANES + window - 1]:
        return IllegalActionError("B5.11", f"window {name} is empty")
    return IllegalActionError("B5.12", f"the goods at hand do not pay for window {name}")


def _refuse_purchase(state: State, seat: Seat, goods: tuple[int, ...]) -> IllegalActionError:
    total, limit, each = sum(goods), buying_limit(state), price(state, state.called)
    if not 1 <= total <= limit:
        return IllegalActionError("B5.8", f"cannot buy {total} goods; expected 1 to {limit}")
    if total * each > state.talers[seat]:
        return IllegalActionError(
            "B0.6", f"{total} goods cost {total * each} talers; seat {seat} has {state.talers[seat]}"
        )
    there = store_of(state, state.called)
    return IllegalActionError(
        "B5.8", f"the storehouse of the {GUILD_NAMES[state.called]} holds {there}, not {list(goods)}"
    )


def _refuse_payment(state: State, seat: Seat, pane: int, goods: tuple[int, ...]) -> IllegalActionError:
    owned = goods_of(state, seat)
    if any(paid > own for paid, own in zip(goods, owned, strict=True)):
        return IllegalActionError("B5.11", f"seat {seat} has {owned} and cannot pay {list(goods)}")
    return IllegalActionError("B5.13", f"{list(goods)} matches no price of window {WINDOW_NAMES[pane]}")


def _refuse_theft(state: State, seat: Seat, victim: Seat, goods: tuple[int, ...]) -> IllegalActionError:
    if not 0 <= victim < state.seats or victim == seat:
        return IllegalActionError("B6.4", f"seat {victim} is not another player")
    return IllegalActionError(
        "B6.4", f"a Thief cannot take {list(goods)} of {goods_of(state, victim)}; expected two of them, or the only one"
    )
