"""Norenberc, greedily: send one agent at a time to the house where a deal adds most to what the position is worth.

Everything is counted in victory points. An artisan is worth a share of the nine points of his guild, a good about half
a point, a taler a seventh; the favourites of the round and the blazons are worth the more the nearer they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import exp
from typing import Annotated, Any

from referee.games.norenberc.codes import (
    ALL_GOODS,
    BUY_GOODS,
    ENTER_STOREHOUSE,
    HIRE_GUEST,
    MOVE_FIRST,
    PAY_GOODS,
    PLACE_MAYOR,
    PLAN_GUILDS,
    SELL_GOODS,
    STEAL_GOODS,
    STORE_GOOD,
    SWAP_ARTISANS,
    VICTIM_SHIFT,
    Choice,
    argument_of,
    code_for,
    kind_of_choice,
)
from referee.games.norenberc.components import (
    AGENTS_PER_PLAYER,
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
from referee.games.norenberc.goods import Vector, count_in
from referee.games.norenberc.state import HOUSES, SEATS, TILES, State, agents_on_roof, master, price
from referee.games.norenberc.weights import DEFAULTS, WEIGHTS, Weights, weigh
from referee.heuristic import Heuristic
from referee.rows import Doubles, Float, Int, Ints, Listing, Shorts, Smalls, Struct, listed

IMPOSSIBLE = -99.0
# B9.8, smoothed: two blazons are on the way to three
BLAZONS: Doubles = [0.0, 0.8, 1.8, 3.5, 6.0, 9.5, 14.0, 20.0]
MAX_BLAZONS = len(BLAZONS) - 1
MAX_RATED = 2048  # room for the options of a decision
HIRE_OWN: Ints = [own for patterns in HIRE_COSTS for own, _ in patterns]
HIRE_OTHER: Ints = [other for patterns in HIRE_COSTS for _, other in patterns]
HIRE_STARTS: Ints = [sum(map(len, HIRE_COSTS[:pane])) for pane in range(PANES + 1)]


def worth_of_blazons(different: Int, weights: Weights) -> Float:
    """B9.8: what so many different blazons are worth; more than seven are as good as seven."""
    return weights.blazons * BLAZONS[min(different, MAX_BLAZONS)]


def worth_at_once(kind: Int, weights: Weights) -> Float:
    """Return what a citizen does as he is hired, and nothing more."""
    if kind == CitizenKind.THIEF:
        return weights.thief
    if kind == CitizenKind.GUARD:
        return weights.guard
    if kind == CitizenKind.PEDLAR:
        return weights.pedlar
    if kind == CitizenKind.MAYOR:
        return weights.mayor
    return 0.0


class Deal(Struct):
    """Goods that change hands: how many of each house, and the order in which they were thought of."""

    size: Int
    order: Annotated[Smalls, HOUSES]
    counts: Annotated[Smalls, HOUSES]
    has: Annotated[Smalls, HOUSES]

    def clear(self) -> None:
        """Forget all goods."""
        self.size = 0
        for house in range(HOUSES):
            self.has[house] = 0

    def move(self, house: Int, count: Int) -> None:
        """Let so many goods come in, or go out if that is negative."""
        if not self.has[house]:
            self.has[house] = 1
            self.order[self.size] = house
            self.counts[house] = 0
            self.size += 1
        self.counts[house] += count


class Books(Struct):
    """What a position is worth to a seat, kept in parts so that the gain of a deal is found quickly."""

    seat: Int
    houses: Int
    left: Int  # rounds after this one
    sums: Annotated[Ints, HOUSES]  # the value of the seat's artisans of every house
    guilds: Int  # in which it has any
    rivals: Annotated[Doubles, HOUSES]  # what all artisans of a house weigh together
    value_counts: Annotated[Smalls, 10]  # of the seat's artisans of every value
    citizen_count: Int
    citizens: Annotated[Shorts, TILES]  # of the seat
    blazons: Int
    taler: Float
    good: Float
    counts: Annotated[Ints, SEATS * HOUSES]  # goods as B8.2 counts them

    def open(self, state: State, seat: Int, weights: Weights) -> None:
        """Look at a position from a seat."""
        houses = state.houses
        self.seat = seat
        self.houses = houses
        self.left = ROUNDS - state.round
        sums: Annotated[Ints, SEATS * HOUSES] = [0] * (SEATS * HOUSES)
        self.count_tiles(state, sums)
        # Artisans that nobody has hired yet will dilute the shares, so they count as another rival.
        unhired: Float = weights.unhired_each_round * self.left + weights.unhired
        for house in range(houses):
            self.sums[house] = sums[seat * houses + house]
            self.guilds += 1 if self.sums[house] else 0
            rivals = 0.0
            for other in range(state.seats):
                rivals += sums[other * houses + house] ** weights.share_power
            self.rivals[house] = rivals + unhired
            self.blazons += 1 if state.blazons[seat * houses + house] else 0
        self.blazons += state.prestige[seat] + self.count_citizens(10 * CitizenKind.ENGRAVER)
        tax_collectors = self.count_citizens(10 * CitizenKind.TAX_COLLECTOR)
        self.taler = (weights.taler if self.left else weights.last_taler) + weights.taxed_taler * tax_collectors
        self.good = weights.good if self.left else weights.last_good
        for place in range(state.seats * houses):
            self.counts[place] = state.loose[place] + 4 * state.pedlars[place]

    def count_tiles(self, state: State, sums: Ints) -> None:
        """Sort the tiles in front of all seats: the values of artisans by seat and house, and the seat's own."""
        for place in range(state.owned_count):
            tile = state.owned_tiles[place]
            owner = state.owned_by[place]
            if is_artisan(tile):
                sums[owner * state.houses + guild_of(tile) - 1] += value_of(tile)
                if owner == self.seat:
                    self.value_counts[value_of(tile)] += 1
            elif owner == self.seat:
                self.citizens[self.citizen_count] = tile
                self.citizen_count += 1

    def count_citizens(self, tile: Int) -> Int:
        """Return how many of a citizen the seat has."""
        count = 0
        for place in range(self.citizen_count):
            count += 1 if self.citizens[place] == tile else 0
        return count

    def total(self, state: State, weights: Weights) -> Float:
        """Return about how many points the seat will have, were the game to go on as it stands."""
        points = self.taler * state.talers[self.seat]
        points += (AGENTS_PER_PLAYER - state.reserve[self.seat]) * weights.agent * self.left
        shares = 0.0
        for house in range(self.houses):
            shares += self.share(house, self.sums[house], weights)
        points += shares
        points += self.all_types(self.guilds, weights) + worth_of_blazons(self.blazons, weights)
        citizens = 0.0
        for place in range(self.citizen_count):
            citizens += self.citizen(state, self.citizens[place], weights)
        points += citizens
        goods = 0.0
        for house in range(self.houses):
            goods += self.goods(state, house, self.counts[self.seat * self.houses + house], weights)
        return points + goods

    def share(self, house: Int, own: Int, weights: Weights) -> Float:
        """B9.4, smoothed: of the nine points of a guild the share that artisans of so much value promise."""
        power: Float = own**weights.share_power
        mine: Float = self.sums[house] ** weights.share_power
        return weights.guild * power / (self.rivals[house] - mine + power)

    def all_types(self, guilds: Int, weights: Weights) -> Float:
        """B9.7, smoothed: five points for an artisan of every guild."""
        return weights.all_types * (guilds / self.houses) ** 2

    def goods(self, state: State, house: Int, mine: Int, weights: Weights) -> Float:
        """Goods pay for guests; who has most of a type when the round ends wins the master and a blazon (B8.4)."""
        if not mine:
            return 0.0
        most = -1
        for other in range(state.seats):
            if other != self.seat:
                most = max(most, self.counts[other * self.houses + house])
        prize = weights.prize + weights.prize_value * value_of(master(state, house))
        prize += 0.0 if state.blazons[self.seat * self.houses + house] else weights.prize_blazon
        prize += (weights.prize_house if house == state.prestige_house else 0.0) + (
            0.0 if self.left else weights.last_prize
        )
        worth = self.good * (min(mine, 3) + weights.surplus * max(0, mine - 3))
        return worth + prize / (1 + exp(weights.contest * (most + 0.5 - mine)))

    def citizen(self, state: State, tile: Int, weights: Weights) -> Float:
        """B6.8 to B6.14: what a citizen is worth in front of us."""
        kind = kind_of(tile)
        number = number_of(tile)
        if kind == CitizenKind.NOBLEMAN:
            return weights.nobleman * number
        if kind == CitizenKind.TAX_COLLECTOR:
            return weights.taxed_taler * state.talers[self.seat] + weights.tax_collector * self.left
        if kind == CitizenKind.FOREMAN:
            return weights.foreman * self.value_counts[number] + weights.foreman_each_round * self.left
        if kind == CitizenKind.APPRENTICE:
            return weights.apprentice
        if kind == CitizenKind.MUSICIAN:
            return number * weights.musician * (self.left + 1)
        return 0.0

    def guest(self, state: State, tile: Int, weights: Weights) -> Float:
        """Return the gain of hiring a guest."""
        gained_agent = weights.agent * self.left + weights.agent_now if state.reserve[self.seat] else 0.0
        if not is_artisan(tile):
            if kind_of(tile) == CitizenKind.COUNCILLOR:
                return gained_agent
            if kind_of(tile) == CitizenKind.ENGRAVER:
                return worth_of_blazons(self.blazons + 1, weights) - worth_of_blazons(self.blazons, weights)
            return self.citizen(state, tile, weights) + worth_at_once(kind_of(tile), weights)
        house = guild_of(tile) - 1
        points = self.share(house, self.sums[house] + value_of(tile), weights)
        points -= self.share(house, self.sums[house], weights)
        if not self.sums[house]:
            points += self.all_types(self.guilds + 1, weights) - self.all_types(self.guilds, weights)
        return points + (gained_agent if has_agent_plus(tile) else 0.0)

    def gain(self, state: State, deal: Deal, talers: Int, tile: Int, weights: Weights) -> Float:
        """Return the gain of a deal: goods and talers moved, a guest hired."""
        points = self.taler * talers + (self.guest(state, tile, weights) if tile else 0.0)
        for place in range(deal.size):
            house = deal.order[place]
            count = deal.counts[house]
            if count:
                mine = self.counts[self.seat * self.houses + house]
                points += self.goods(state, house, mine + count, weights) - self.goods(state, house, mine, weights)
        return points

    def sale(self, state: State, deal: Deal, house: Int, count: Int, weights: Weights) -> Float:
        """Return the gain of selling so many goods to their guild."""
        deal.clear()
        deal.move(house, -count)
        return self.gain(state, deal, count * price(state, house), 0, weights)

    def hire(self, state: State, deal: Deal, house: Int, pane: Int, weights: Weights) -> Float:
        """Return the gain of hiring the guest behind a window, paid with what is most plentiful."""
        best = IMPOSSIBLE
        for pattern in range(HIRE_STARTS[pane], HIRE_STARTS[pane + 1]):
            if self.pay(state, deal, house, HIRE_OWN[pattern], HIRE_OTHER[pattern]):
                tile = state.lodgings[house * PANES + pane]
                best = max(best, self.gain(state, deal, agents_on_roof(state, house), tile, weights))
        return best

    def pay(self, state: State, deal: Deal, house: Int, own: Int, other: Int) -> bool:
        """Make the deal of paying with goods of a house and others; return whether the seat has them."""
        goods: Annotated[Ints, HOUSES] = [0] * HOUSES
        total = 0
        for good in range(self.houses):
            goods[good] = state.loose[self.seat * self.houses + good]
            total += goods[good]
        goods[house] -= own
        if goods[house] < 0 or total - own < other:
            return False
        deal.clear()
        deal.move(house, -own)
        for _ in range(other):
            deal.move(most_plentiful(goods, self.houses), -1)
        return True

    def buy(self, state: State, deal: Deal, house: Int, weights: Weights) -> Float:
        """Return the gain of buying as many goods from a storehouse as one may and can pay."""
        shelf: Annotated[Ints, HOUSES] = [0] * HOUSES
        total = 0
        for good in range(self.houses):
            shelf[good] = state.stores[house * self.houses + good]
            total += shelf[good]
        cost = price(state, house)
        bought = min(3, min(state.talers[self.seat] // cost, total))
        if not bought:
            return IMPOSSIBLE
        deal.clear()
        for _ in range(bought):
            deal.move(most_plentiful(shelf, self.houses), 1)
        return self.gain(state, deal, -cost * bought, 0, weights)

    def prospect(self, state: State, deal: Deal, house: Int, weights: Weights) -> Float:
        """Return the gain of the best deal that the seat could make in a house now."""
        best = self.buy(state, deal, house, weights)
        for pane in range(PANES):
            if state.lodgings[house * PANES + pane]:
                best = max(best, self.hire(state, deal, house, pane, weights))
        mine = state.loose[self.seat * self.houses + house]
        if mine:
            best = max(best, self.sale(state, deal, house, 1, weights))
            best = max(best, self.sale(state, deal, house, mine, weights))
        return best


def most_plentiful(goods: Ints, houses: Int) -> Int:
    """Return the house with most goods, the first of equals, and take one of them away."""
    most = 0
    for house in range(1, houses):
        if goods[house] > goods[most]:
            most = house
    goods[most] -= 1
    return most


def worths(state: State, weights: Weights | None = None) -> list[float]:
    """Return what the position is worth to every seat, in points."""
    own: Weights = DEFAULTS if weights is None else weights
    return [worth(state, seat, own) for seat in range(state.seats)]


def worth(state: State, seat: Int, weights: Weights) -> Float:
    """Return what the position is worth to a seat."""
    books = Books()
    books.open(state, seat, weights)
    return books.total(state, weights)


def rate(state: State, seat: int, options: Sequence[Any], weights: Weights | None = None) -> list[float]:
    """Return the gain of every option, as far as one step shows; the best is played."""
    listing = Listing()
    for option in options:
        listing.add(code_for(option))
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    rate_listing(state, seat, listing, ratings, DEFAULTS if weights is None else weights)
    return listed(ratings, 0, listing.count)


def rate_codes(state: State, seat: int, options: Sequence[int], weights: Weights | None = None) -> list[float]:
    """Return the gain of every option, given as codes."""
    listing = Listing()
    for option in options:
        listing.add(option)
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    rate_listing(state, seat, listing, ratings, DEFAULTS if weights is None else weights)
    return listed(ratings, 0, listing.count)


def rate_listing(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Fill in the gain of every option of a listing."""
    books = Books()
    books.open(state, seat, weights)
    deal = Deal()
    if kind_of_choice(Choice(listing.codes[listing.count - 1])) != PLAN_GUILDS:
        for place in range(listing.count):
            ratings[place] = rate_one(state, books, deal, Choice(listing.codes[place]), weights)
        return
    prospects: Annotated[Doubles, HOUSES] = [0.0] * HOUSES
    for house in range(state.houses):
        prospects[house] = books.prospect(state, deal, house, weights)
    for place in range(listing.count):
        ratings[place] = rate_plan(prospects, state.houses, Choice(listing.codes[place]), weights)


def rate_plan(prospects: Doubles, houses: Int, plan: Choice, weights: Weights) -> Float:
    """Rate agents sent out one at a time higher: each sees what the others did before the next one goes."""
    if kind_of_choice(plan) != PLAN_GUILDS:
        return 0.0
    best = IMPOSSIBLE
    size = 0
    for house in range(houses):
        if argument_of(plan) >> house & 1:
            best = max(best, prospects[house]) if size else prospects[house]
            size += 1
    return best - weights.agent_sent * (size - 1)


def rate_one(state: State, books: Books, deal: Deal, choice: Choice, weights: Weights) -> Float:
    """Return the gain of an option other than a plan."""
    kind = kind_of_choice(choice)
    argument = argument_of(choice)
    house = state.called
    if kind == SELL_GOODS:
        return books.sale(state, deal, house, argument, weights)
    if kind == HIRE_GUEST:
        return books.hire(state, deal, house, argument - 1, weights)
    if kind == ENTER_STOREHOUSE:
        return books.buy(state, deal, house, weights)
    if kind == PAY_GOODS:
        move_all(deal, Vector(argument), state.houses, -1)
        return books.gain(state, deal, 0, 0, weights)
    if kind == BUY_GOODS:
        bought = move_all(deal, Vector(argument), state.houses, 1)
        return books.gain(state, deal, -bought * price(state, house), 0, weights)
    if kind == STEAL_GOODS:
        return rate_theft(state, books, deal, argument >> VICTIM_SHIFT, Vector(argument & ALL_GOODS), weights)
    if kind == STORE_GOOD:
        if argument - 1 == state.prestige_house:
            return weights.store_prize
        return weights.store_value * value_of(master(state, argument - 1))
    if kind == PLACE_MAYOR:
        return rate_mayor(state, books.seat, argument)
    if kind == MOVE_FIRST:
        return weights.move_first
    if kind == SWAP_ARTISANS:
        return -weights.swap_cost
    return 0.0


def move_all(deal: Deal, goods: Vector, houses: Int, direction: Int) -> Int:
    """Make the deal of taking, or giving, a whole goods vector; return how many goods that are."""
    deal.clear()
    total = 0
    for house in range(houses):
        deal.move(house, direction * count_in(goods, house))
        total += count_in(goods, house)
    return total


def rate_theft(state: State, books: Books, deal: Deal, victim: Int, goods: Vector, weights: Weights) -> Float:
    """Return the gain of a theft: what we get, and a part of what the victim loses."""
    theirs = Books()
    theirs.open(state, victim, weights)
    move_all(deal, goods, state.houses, -1)
    loss = theirs.gain(state, deal, 0, 0, weights)
    move_all(deal, goods, state.houses, 1)
    return books.gain(state, deal, 0, 0, weights) - weights.theft * loss


def rate_mayor(state: State, seat: Int, guild: Int) -> Float:
    """Return how many more artisans of a guild we have than is our share."""
    own = 0
    everybody = 0
    for place in range(state.owned_count):
        tile = state.owned_tiles[place]
        if is_artisan(tile) and guild_of(tile) == guild:
            everybody += 1
            own += 1 if state.owned_by[place] == seat else 0
    return own - everybody / state.seats


def weighted(values: Mapping[str, float]) -> Heuristic:
    """Return the heuristic with other weights."""
    own = weigh(values)
    return Heuristic(
        partial(rate, weights=own), partial(worths, weights=own), rate_codes=partial(rate_codes, weights=own),
        weights=WEIGHTS, weighted=weighted, own_weights=own, plays_out_alike=True,
    )  # fmt: skip


HEURISTIC = Heuristic(
    rate, worths, rate_codes=rate_codes, weights=WEIGHTS, weighted=weighted, own_weights=DEFAULTS, plays_out_alike=True
)
