"""Norenberc, greedily: send one agent at a time to the house where a deal adds most to what the position is worth.

Everything is counted in victory points. An artisan is worth a share of the nine points of his guild, a good about half
a point, a taler a seventh; the favourites of the round and the blazons are worth the more the nearer they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

from referee.games.norenberc import actions as act
from referee.games.norenberc.components import (
    HIRE_COSTS,
    PANES,
    ROUNDS,
    CitizenKind,
    guild_of,
    has_agent_plus,
    is_artisan,
    kind_of,
    number_of,
    value_of,
)
from referee.games.norenberc.state import State, agents_on_roof, goods_of, master, price, store_of
from referee.heuristic import Heuristic

IMPOSSIBLE = -99.0
# B9.8, smoothed: two blazons are on the way to three
BLAZONS: tuple[float, ...] = (0.0, 0.8, 1.8, 3.5, 6.0, 9.5, 14.0, 20.0)
AT_ONCE: Mapping[int, float] = {  # what a citizen does as he is hired, and nothing more
    CitizenKind.THIEF: 1.3,
    CitizenKind.GUARD: 0.2,
    CitizenKind.PEDLAR: 1.0,
    CitizenKind.MAYOR: 0.3,
}


def blazon_points(different: int) -> float:
    """B9.8: what so many different blazons are worth; more than seven are as good as seven."""
    return BLAZONS[min(different, len(BLAZONS) - 1)]


class Books:
    """What a position is worth to a seat, kept in parts so that the gain of a deal is found quickly."""

    def __init__(self, state: State, seat: int) -> None:
        houses = self.houses = state.houses
        self.state, self.seat, self.left = state, seat, ROUNDS - state.round
        sums = [0] * (state.seats * houses)
        citizens: list[int] = []
        self.values: list[int] = []
        for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True):
            if is_artisan(tile):
                sums[owner * houses + guild_of(tile) - 1] += value_of(tile)
                if owner == seat:
                    self.values.append(value_of(tile))
            elif owner == seat:
                citizens.append(tile)
        self.sums = sums[seat * houses : (seat + 1) * houses]
        # Artisans that nobody has hired yet will dilute the shares, so they count as another rival.
        unhired = 14 * self.left + 8
        self.rivals = [sum(value**1.5 for value in sums[house::houses]) + unhired for house in range(houses)]
        blazons = state.blazons[seat * houses : (seat + 1) * houses]
        self.blazons = sum(map(bool, blazons)) + state.prestige[seat] + citizens.count(10 * CitizenKind.ENGRAVER)
        tax_collectors = citizens.count(10 * CitizenKind.TAX_COLLECTOR)
        self.taler = (0.15 if self.left else 0.1) + 0.1 * tax_collectors
        self.good = 0.55 if self.left else 0.3
        self.counts = [loose + 4 * stored for loose, stored in zip(state.loose, state.pedlars, strict=True)]
        self.citizens = citizens

    def total(self) -> float:
        """Return about how many points the seat will have, were the game to go on as it stands."""
        points = self.taler * self.state.talers[self.seat] + (8 - self.state.reserve[self.seat]) * 0.9 * self.left
        points += sum(self.share(house, self.sums[house]) for house in range(self.houses))
        points += self.all_types(sum(map(bool, self.sums))) + blazon_points(self.blazons)
        points += sum(self.citizen(tile) for tile in self.citizens)
        mine = self.counts[self.seat * self.houses : (self.seat + 1) * self.houses]
        return points + sum(self.goods(house, count) for house, count in enumerate(mine))

    def share(self, house: int, own: int) -> float:
        """B9.4, smoothed: of the nine points of a guild the share that artisans of so much value promise."""
        power = own**1.5
        return float(9 * power / (self.rivals[house] - self.sums[house] ** 1.5 + power))

    def all_types(self, guilds: int) -> float:
        """B9.7, smoothed: five points for an artisan of every guild."""
        return 5 * (guilds / self.houses) ** 2

    def goods(self, house: int, mine: int) -> float:
        """Goods pay for guests; who has most of a type when the round ends wins the master and a blazon (B8.4)."""
        if not mine:
            return 0.0
        state = self.state
        others = self.counts[house :: self.houses]
        del others[self.seat]
        prize = 0.5 + 0.3 * value_of(master(state, house)) + 1.2 * (not state.blazons[self.seat * self.houses + house])
        prize += 1.5 * (house == state.prestige_house) + (not self.left)
        return self.good * (min(mine, 3) + 0.5 * max(0, mine - 3)) + prize / (1 + exp(max(others) + 0.5 - mine))

    def citizen(self, tile: int) -> float:
        """B6.8 to B6.14: what a citizen is worth in front of us."""
        number = number_of(tile)
        match kind_of(tile):
            case CitizenKind.NOBLEMAN:
                return number
            case CitizenKind.TAX_COLLECTOR:
                return 0.1 * self.state.talers[self.seat] + 0.6 * self.left
            case CitizenKind.FOREMAN:
                return self.values.count(number) + 0.5 * self.left
            case CitizenKind.APPRENTICE:
                return 2.0
            case CitizenKind.MUSICIAN:
                return number * 0.15 * (self.left + 1)
            case _:
                return 0.0

    def guest(self, tile: int) -> float:
        """Return the gain of hiring a guest."""
        gained_agent = 0.9 * self.left + 0.3 if self.state.reserve[self.seat] else 0.0
        if not is_artisan(tile):
            if kind_of(tile) == CitizenKind.COUNCILLOR:
                return gained_agent
            if kind_of(tile) == CitizenKind.ENGRAVER:
                return blazon_points(self.blazons + 1) - blazon_points(self.blazons)
            return self.citizen(tile) + AT_ONCE.get(kind_of(tile), 0.0)
        house = guild_of(tile) - 1
        points = self.share(house, self.sums[house] + value_of(tile)) - self.share(house, self.sums[house])
        if not self.sums[house]:
            guilds = sum(map(bool, self.sums))
            points += self.all_types(guilds + 1) - self.all_types(guilds)
        return points + gained_agent * has_agent_plus(tile)

    def deal(self, goods: Mapping[int, int], talers: int = 0, tile: int = 0) -> float:
        """Return the gain of a deal: goods and talers moved, a guest hired."""
        points = self.taler * talers + (self.guest(tile) if tile else 0.0)
        for house, count in goods.items():
            if count:
                mine = self.counts[self.seat * self.houses + house]
                points += self.goods(house, mine + count) - self.goods(house, mine)
        return points

    def hire(self, house: int, pane: int) -> float:
        """Return the gain of hiring the guest behind a window, paid with what is most plentiful."""
        tile, best = self.state.lodgings[house * PANES + pane], IMPOSSIBLE
        for own, other in HIRE_COSTS[pane]:
            goods = goods_of(self.state, self.seat)
            goods[house] -= own
            if goods[house] < 0 or sum(goods) < other:
                continue
            paid = {house: -own}
            for _ in range(other):
                most = max(range(self.houses), key=goods.__getitem__)
                goods[most] -= 1
                paid[most] = paid.get(most, 0) - 1
            best = max(best, self.deal(paid, agents_on_roof(self.state, house), tile))
        return best

    def buy(self, house: int) -> float:
        """Return the gain of buying as many goods from a storehouse as one may and can pay."""
        cost, shelf = price(self.state, house), store_of(self.state, house)
        bought: dict[int, int] = {}
        for _ in range(min(3, self.state.talers[self.seat] // cost, sum(shelf))):
            most = max(range(self.houses), key=shelf.__getitem__)
            shelf[most] -= 1
            bought[most] = bought.get(most, 0) + 1
        return self.deal(bought, -cost * sum(bought.values())) if bought else IMPOSSIBLE

    def prospect(self, house: int) -> float:
        """Return the gain of the best deal that the seat could make in a house now."""
        mine = self.state.loose[self.seat * self.houses + house]
        deals = [self.buy(house)]
        deals += [self.hire(house, pane) for pane in range(PANES) if self.state.lodgings[house * PANES + pane]]
        deals += [self.deal({house: -count}, count * price(self.state, house)) for count in (1, mine) if mine]
        return max(deals)


def worths(state: State) -> list[float]:
    """Return what the position is worth to every seat, in points."""
    return [Books(state, seat).total() for seat in range(state.seats)]


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return the gain of every option, as far as one step shows; the best is played."""
    books = Books(state, seat)
    if isinstance(options[-1], act.PlanGuilds):
        prospects = [books.prospect(house) for house in range(state.houses)]
        return [rate_plan(prospects, option) for option in options]
    return [rate_one(books, option) for option in options]


def rate_plan(prospects: Sequence[float], plan: act.Action) -> float:
    """Rate agents sent out one at a time higher: each sees what the others did before the next one goes."""
    if not isinstance(plan, act.PlanGuilds):
        return 0.0
    return max(prospects[guild - 1] for guild in plan.guilds) - 0.5 * (len(plan.guilds) - 1)


def rate_one(books: Books, option: act.Action) -> float:
    """Return the gain of an option other than a plan."""
    state, seat, house = books.state, books.seat, books.state.called
    match option:
        case act.SellGoods(count):
            return books.deal({house: -count}, count * price(state, house))
        case act.HireGuest(window):
            return books.hire(house, window - 1)
        case act.EnterStorehouse():
            return books.buy(house)
        case act.PayGoods(goods):
            return books.deal({good: -count for good, count in enumerate(goods)})
        case act.BuyGoods(goods):
            return books.deal(dict(enumerate(goods)), -sum(goods) * price(state, house))
        case act.StealGoods(victim, goods):
            loss = Books(state, victim).deal({good: -count for good, count in enumerate(goods)})
            return books.deal(dict(enumerate(goods))) - 0.3 * loss
        case act.StoreGood(guild):
            return 1.0 if guild - 1 == state.prestige_house else 0.1 * value_of(master(state, guild - 1))
        case act.PlaceMayor(guild):
            owned = zip(state.owned_tiles, state.owned_by, strict=True)
            owners = [owner for tile, owner in owned if is_artisan(tile) and guild_of(tile) == guild]
            return owners.count(seat) - len(owners) / state.seats
        case act.MoveFirst():
            return 0.1
        case act.SwapArtisans():
            return -0.1  # a swap helps whoever comes next as much as us
        case _:
            return 0.0


HEURISTIC = Heuristic(rate, worths)
