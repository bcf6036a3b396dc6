"""Norenberc, greedily: send one agent at a time where a deal adds most to what the position is worth.

Everything is counted in victory points. An artisan is worth a share of the nine points of his guild, a good about half
a point, a taler a seventh; the favourites of the round and the blazons are worth the more the nearer they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

from referee.games.norenberc import actions as act
from referee.games.norenberc.components import HIRE_COSTS, PANES, ROUNDS, CitizenKind, is_artisan, kind_of
from referee.games.norenberc.state import State, clone, master, price

BLAZONS = (0.0, 0.8, 1.8, 3.5, 6.0, 9.5, 14.0, 20.0)  # B9.8, smoothed: two blazons are on the way to three
IMPOSSIBLE = -99.0
AT_ONCE = {CitizenKind.THIEF: 1.3, CitizenKind.GUARD: 0.2, CitizenKind.PEDLAR: 1.0, CitizenKind.MAYOR: 0.3}


def worths(state: State) -> list[float]:
    """Return what the position is worth to every seat."""
    return [worth(state, seat) for seat in range(state.seats)]


def worth(state: State, seat: int) -> float:
    """Return about how many points the seat will have, were the game to go on as it stands."""
    left = ROUNDS - state.round
    tiles = [tile for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True) if owner == seat]
    citizens = [tile for tile in tiles if not is_artisan(tile)]
    values = [tile // 10 % 10 for tile in tiles if is_artisan(tile)]
    talers = state.talers[seat]
    total = talers * (0.15 if left else 0.1) + (8 - state.reserve[seat]) * 0.9 * left
    total += guild_shares(state, seat)
    total += 5 * (len({tile // 100 for tile in tiles if is_artisan(tile)}) / state.houses) ** 2
    blazons = sum(map(bool, state.blazons[seat * state.houses : (seat + 1) * state.houses])) + state.prestige[seat]
    for tile in citizens:
        match kind_of(tile), tile % 10:
            case CitizenKind.NOBLEMAN, number:
                total += number
            case CitizenKind.TAX_COLLECTOR, _:
                total += talers / 10 + 0.6 * left
            case CitizenKind.FOREMAN, number:
                total += values.count(number) + 0.5 * left
            case CitizenKind.APPRENTICE, _:
                total += 2
            case CitizenKind.MUSICIAN, number:
                total += number * 0.15 * (left + 1)
            case CitizenKind.ENGRAVER, _:
                blazons += 1
    return total + BLAZONS[min(blazons, 7)] + goods_worth(state, seat)


def guild_shares(state: State, seat: int) -> float:
    """B9.4, smoothed: of the nine points of each guild the share that the values of its artisans promise."""
    sums = [0] * (state.seats * state.houses)
    for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True):
        if is_artisan(tile):
            sums[owner * state.houses + tile // 100 - 1] += tile // 10 % 10
    points = 0.0
    for house in range(state.houses):
        powers = [value**1.5 for value in sums[house :: state.houses]]
        to_come = 14 * (ROUNDS - state.round) + 8  # artisans that nobody has hired yet will dilute the shares
        points += 9 * powers[seat] / (sum(powers) + to_come)
    return points


def goods_worth(state: State, seat: int) -> float:
    """Goods pay for guests, and who has most of a type at the end of the round wins the master and a blazon (B8.4)."""
    total, each = 0.0, (0.55 if state.round < ROUNDS else 0.3)
    for house in range(state.houses):
        counts = [
            loose + 4 * stored
            for loose, stored in zip(
                state.loose[house :: state.houses], state.pedlars[house :: state.houses], strict=True
            )
        ]
        mine = counts.pop(seat)
        total += each * min(mine, 3) + 0.5 * each * max(0, mine - 3)
        if mine:
            is_new = not state.blazons[seat * state.houses + house]
            prize = 0.5 + 0.3 * (master(state, house) // 10 % 10) + 1.2 * is_new
            prize += 1.5 * (house == state.prestige_house) + 1.0 * (state.round == ROUNDS)
            total += prize / (1 + exp(max(counts) + 0.5 - mine))
    return total


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return what the position is worth after every option, as far as one step shows; the best is played."""
    if isinstance(options[-1], act.PlanGuilds):
        prospects = [prospect(state, seat, house) for house in range(state.houses)]
        return [worth(state, seat), *(rate_plan(prospects, option.guilds) for option in options[1:])]
    return [rate_one(state, seat, option) for option in options]


def rate_plan(prospects: list[float], guilds: Sequence[int]) -> float:
    """Rate agents sent out one at a time higher: each sees what the others did before the next one goes."""
    return max(prospects[guild - 1] for guild in guilds) - 0.5 * (len(guilds) - 1)


def rate_one(state: State, seat: int, option: act.Action) -> float:
    """Return what the position is worth after an option other than a plan."""
    house = state.called
    match option:
        case act.SellGoods(count):
            return after_deal(state, seat, {house: -count}, talers=count * price(state, house))
        case act.HireGuest(window):
            return after_hire(state, seat, house, window - 1)
        case act.EnterStorehouse():
            return after_buy(state, seat, house)
        case act.PayGoods(goods):
            return after_deal(state, seat, {good: -count for good, count in enumerate(goods)})
        case act.BuyGoods(goods):
            return after_deal(state, seat, dict(enumerate(goods)), talers=-sum(goods) * price(state, house))
        case act.StealGoods(victim, goods):
            theirs = after_deal(state, victim, {good: -count for good, count in enumerate(goods)})
            return after_deal(state, seat, dict(enumerate(goods))) - 0.3 * theirs + 0.3 * worth(state, victim)
        case act.StoreGood(guild):
            return 1.0 if guild - 1 == state.prestige_house else 0.1 * (master(state, guild - 1) // 10 % 10)
        case act.PlaceMayor(guild):
            owners = [
                owner
                for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True)
                if is_artisan(tile) and tile // 100 == guild
            ]
            return owners.count(seat) - len(owners) / state.seats
        case act.MoveFirst():
            return worth(state, seat) + 0.1
        case act.SwapArtisans():
            return worth(state, seat) - 0.1  # a swap helps whoever comes next as much as us
        case _:
            return worth(state, seat)


def prospect(state: State, seat: int, house: int) -> float:
    """Return what the position is worth after the best deal that the seat could make in this house now."""
    mine = state.loose[seat * state.houses + house]
    deals = [after_buy(state, seat, house)]
    deals += [after_hire(state, seat, house, pane) for pane in range(PANES) if state.lodgings[house * PANES + pane]]
    deals += [after_deal(state, seat, {house: -k}, talers=k * price(state, house)) for k in {1, mine} if mine]
    return max(deals)


def after_hire(state: State, seat: int, house: int, pane: int) -> float:
    """Return the worth after hiring the guest behind a window, paid with what is most plentiful."""
    tile = state.lodgings[house * PANES + pane]
    agents = sum(state.on_roofs[house :: state.houses])
    best = IMPOSSIBLE
    for own, other in HIRE_COSTS[pane]:
        goods = state.loose[seat * state.houses : (seat + 1) * state.houses]
        goods[house] -= own
        if goods[house] >= 0 and sum(goods) >= other:
            paid = {house: -own}
            for _ in range(other):
                most = max(range(state.houses), key=goods.__getitem__)
                goods[most] -= 1
                paid[most] = paid.get(most, 0) - 1
            best = max(best, after_deal(state, seat, paid, talers=agents, tile=tile))
    return best


def after_buy(state: State, seat: int, house: int) -> float:
    """Return the worth after buying as many goods from this house's storehouse as one may and can pay."""
    cost = price(state, house)
    shelf = state.stores[house * state.houses : (house + 1) * state.houses]
    bought: dict[int, int] = {}
    for _ in range(min(3, state.talers[seat] // cost, sum(shelf))):
        most = max(range(state.houses), key=shelf.__getitem__)
        shelf[most] -= 1
        bought[most] = bought.get(most, 0) + 1
    return after_deal(state, seat, bought, talers=-cost * sum(bought.values())) if bought else IMPOSSIBLE


def after_deal(state: State, seat: int, goods: dict[int, int], *, talers: int = 0, tile: int = 0) -> float:
    """Return what the position is worth after a deal: goods and talers moved, a guest hired."""
    after = clone(state)
    for house, count in goods.items():
        after.loose[seat * state.houses + house] += count
    after.talers[seat] += talers
    extra = 0.0
    if tile:
        kind = kind_of(tile)
        extra = AT_ONCE.get(kind, 0.0) if not is_artisan(tile) else 0.0  # type: ignore[call-overload]
        if (is_artisan(tile) and tile % 10) or kind == CitizenKind.COUNCILLOR:
            after.reserve[seat] -= after.reserve[seat] > 0
            extra += 0.3  # the new agent acts in this round already
        after.owned_tiles.append(tile)
        after.owned_by.append(seat)
    return worth(after, seat) + extra
