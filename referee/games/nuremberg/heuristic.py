"""Die Siedler von Nürnberg, greedily: build what pays most now, and trade towards what would pay most next.

Everything is counted in victory points. A hand is worth a part of the best things it can almost pay for (`hopes`), so
that a sale or an exchange is good when it brings one of them nearer. It accepts good trades. `rate_trading` proposes
some too, which somebody would take for his own good, and asks for a little more when an offer is nearly good enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from referee.games.nuremberg.actions import (
    AcceptTrade,
    Action,
    CounterTrade,
    DeclineTrade,
    EndTurn,
    PickNobody,
    PickReply,
    ProposeTrade,
)
from referee.games.nuremberg.building import has_tower_site
from referee.games.nuremberg.bundles import Amounts, amount_of, units_of
from referee.games.nuremberg.codes import (
    ACCEPT_TRADE,
    BUILD_FREE_WALL,
    BUILD_SETTLEMENT,
    BUILD_TOLL_BAR,
    BUILD_TOWER,
    BUILD_WALL,
    BUILD_WORKSHOP,
    COUNTER_TRADE,
    COUNTER_WITH_LESS,
    COUNTER_WITH_MORE,
    DISCARD_CARDS,
    MOVE_ROBBER,
    PICK_REPLY,
    PLACE_SETTLEMENT,
    PROPOSE_OTHER,
    PROPOSE_TRADE,
    ROB_PLAYER,
    SELL_WARE,
    SWAP_COUNCIL_CARD,
    TRADE_WITH_BANK,
    Choice,
    argument_of,
    code_for,
    give_of,
    kind_of_choice,
    want_of,
)
from referee.games.nuremberg.commerce import bank_rate, proceeds
from referee.games.nuremberg.components import (
    BARS_PER_PLAYER,
    BUILDING_YARD_CORNERS,
    CARD_NUMBERS,
    COMMODITY_COUNT,
    GOLD,
    HAND_LIMIT,
    LANDSCAPE_NUMBERS,
    LANDSCAPE_RESOURCES,
    NOBODY,
    RESOURCE_COUNT,
    ROAD_COUNT,
    SETTLEMENT_COST,
    SETTLEMENTS_PER_PLAYER,
    SITE_COUNT,
    SITE_LANDSCAPES,
    TOLL_BAR_COST,
    TOWER_COST,
    WALL_COST,
    WALL_PLACES,
    WORKSHOP_COST,
    WORKSHOPS_PER_PLAYER,
)
from referee.games.nuremberg.decisions import advance, list_options, resolve
from referee.games.nuremberg.scoring import council_card, points
from referee.games.nuremberg.setup import is_site_free
from referee.games.nuremberg.state import (
    ASK_COUNCIL_SWAP,
    ASK_ROBBERY,
    SEATS,
    State,
    asked_seats,
    clone,
)
from referee.games.nuremberg.tables import (
    COUNCIL_CARDS,
    FREE_WALL_PRICE,
    SETTLEMENT_PRICE,
    TOLL_BAR_PRICE,
    TOWER_PRICE,
    WALL_PRICE,
    WARE_COUNT,
    WORKSHOP_PRICE,
    council_points,
    doubling_corners,
    first_corner,
    first_site,
    number_of_land,
    road_length,
    site_at,
    starts,
    ware_cost,
    ware_road,
    ware_toll,
)
from referee.games.nuremberg.trading import (
    countered_give,
    countered_want,
    exchange,
    proposal_give,
    proposal_want,
    reply_place,
)
from referee.games.nuremberg.weights import DEFAULTS, MAX_MISSING, WEIGHTS, Weights, weigh
from referee.heuristic import Heuristic
from referee.rows import (
    Doubles,
    Events,
    Float,
    Int,
    Ints,
    Listing,
    Smalls,
    Struct,
    best_place,
    bit_count,
    total,
)

NEVER = -99.0
MAX_RATED = 1000  # of more discards a sample is rated; other options are fewer
_CHANCES = [CARD_NUMBERS.count(number) / len(CARD_NUMBERS) for number in range(13)]
CHANCES: Doubles = _CHANCES  # N1.12
# What a settlement on each site harvests in an average turn; a landscape without a number never yields.
YIELDS: Doubles = [float(sum(_CHANCES[LANDSCAPE_NUMBERS[land]] for land in lands if LANDSCAPE_NUMBERS[land] > 0))
                   for lands in SITE_LANDSCAPES]  # fmt: skip
YIELDS_OF_KINDS: Doubles = [
    float(sum(_CHANCES[LANDSCAPE_NUMBERS[land]] for land in lands if LANDSCAPE_RESOURCES[land] == kind))
    for lands in SITE_LANDSCAPES for kind in range(RESOURCE_COUNT)
]  # fmt: skip

# What can be wished for, by what it costs.
A_SETTLEMENT = 0
A_WORKSHOP = 1
A_WALL = 2
A_TOWER = 3
A_TOLL_BAR = 4
THINGS = 5
_COSTS = [SETTLEMENT_COST, WORKSHOP_COST, WALL_COST, TOWER_COST, TOLL_BAR_COST]
NEEDED_KINDS: Smalls = [kind for cost in _COSTS for kind, _ in cost]
NEEDED_AMOUNTS: Smalls = [amount for cost in _COSTS for _, amount in cost]
NEEDED_HALVES: Smalls = [1 if kind == GOLD else 2 for cost in _COSTS for kind, _ in cost]  # of a card that is missing
NEED_STARTS: Smalls = starts(_COSTS)


class Hand(Struct):
    """Cards and gold that a seat would hold after something it does."""

    amounts: Annotated[Ints, COMMODITY_COUNT]

    def take(self, state: State, seat: Int) -> None:
        """Hold what a seat holds."""
        for kind in range(COMMODITY_COUNT):
            self.amounts[kind] = state.hands[seat * COMMODITY_COUNT + kind]

    def pay(self, cost: Amounts) -> None:
        """Hold so much less."""
        for kind in range(COMMODITY_COUNT):
            self.amounts[kind] -= amount_of(cost, kind)

    def swap(self, get: Amounts, give: Amounts) -> None:
        """Hold what is held after a trade."""
        for kind in range(COMMODITY_COUNT):
            self.amounts[kind] += amount_of(get, kind) - amount_of(give, kind)

    def is_possible(self) -> bool:
        """Return whether there is not less than nothing of anything."""
        for kind in range(COMMODITY_COUNT):  # noqa: SIM110 - C functions hold no generators
            if self.amounts[kind] < 0:
                return False
        return True


class Wishes(Struct):
    """What a seat could build, were it rich enough: the points, and which of the things it is."""

    count: Int
    values: Annotated[Doubles, THINGS]
    things: Annotated[Smalls, THINGS]

    def add(self, value: Float, thing: Int) -> None:
        """Wish for one more."""
        self.values[self.count] = value
        self.things[self.count] = thing
        self.count += 1

    def open(self, state: State, seat: Int, weights: Weights) -> None:
        """Return what the seat could build, were it rich enough, as (points, cost)."""
        self.count = 0
        if state.settlements[seat] < SETTLEMENTS_PER_PLAYER:
            best = best_site(state, seat)
            if best >= 0:
                self.add(settlement_value(best, weights), A_SETTLEMENT)
        if bit_count(state.workshops[seat]) < WORKSHOPS_PER_PLAYER:
            self.add(weights.workshop_wish, A_WORKSHOP)
        if state.walls < WALL_PLACES:
            self.add(chip_value(state, seat, weights), A_WALL)
        if has_tower_site(state, seat):
            self.add(weights.tower * chip_value(state, seat, weights), A_TOWER)
        bar = 0.0
        for road in range(ROAD_COUNT):
            bar = max(bar, bar_value(state, seat, road, weights))
        if bar > 0:
            self.add(bar, A_TOLL_BAR)


def wishes(state: State, seat: Int, weights: Weights) -> Wishes:
    """Return what the seat could build, were it rich enough."""
    wanted = Wishes()
    wanted.open(state, seat, weights)
    return wanted


def hand_of(state: State, seat: Int) -> Hand:
    """Return what a seat holds."""
    hand = Hand()
    hand.take(state, seat)
    return hand


def worths(state: State, weights: Weights | None = None) -> list[float]:
    """Return what every seat's position is worth in points: scored, promised by chips and harvests, and in hand."""
    own: Weights = DEFAULTS if weights is None else weights
    return [worth(state, seat, own) for seat in range(state.seats)]


def worth(state: State, seat: Int, weights: Weights) -> Float:
    """Return what a seat's position is worth in points."""
    harvests = 0.0
    for site in range(SITE_COUNT):
        if state.site_owners[site] == seat:
            harvests += YIELDS[site]
    scored = points(state, seat) + weights.prestige * min(state.prestige[seat], 12) + weights.harvest * harvests
    return scored + hopes(wishes(state, seat, weights), hand_of(state, seat), weights)


def hopes(wanted: Wishes, hand: Hand, weights: Weights) -> Float:
    """Return what a hand promises: most of the best thing it nearly pays for, some of the next, a little per card."""
    best = 0.0  # every wish is worth something
    second = 0.0
    for at in range(wanted.count):
        thing = wanted.things[at]
        missing = 0
        for need in range(NEED_STARTS[thing], NEED_STARTS[thing + 1]):
            short = NEEDED_AMOUNTS[need] - hand.amounts[NEEDED_KINDS[need]]
            if short > 0:
                missing += short * NEEDED_HALVES[need]
        promise = weights.hope * wanted.values[at] * weights.promises[min(missing, MAX_MISSING)]
        if promise > best:
            second = best
            best = promise
        elif promise > second:
            second = promise
    cards = total(hand.amounts, 0, RESOURCE_COUNT)
    promised = best + weights.second_hope * second
    return promised + weights.card * min(cards, HAND_LIMIT) + weights.coin * hand.amounts[GOLD]


def settlement_value(site: Int, weights: Weights) -> Float:
    """A settlement is a point, and a harvest for the rest of the game."""
    return weights.settlement + weights.settlement_yield * YIELDS[site]


def best_site(state: State, seat: Int) -> Int:
    """N5.4: the free site with the best harvest on a road where the seat has a bar, or -1."""
    best = -1
    most = -1.0
    for road in range(ROAD_COUNT):
        if state.bars[seat * ROAD_COUNT + road]:
            for site in range(first_site(road), first_site(road + 1)):
                if YIELDS[site] > most and is_site_free(state, site):
                    best = site
                    most = YIELDS[site]
    return best


def has_site(state: State, seat: Int) -> bool:
    """N5.4: return whether the seat has a bar on a road with a free site."""
    for road in range(ROAD_COUNT):
        if state.bars[seat * ROAD_COUNT + road]:
            for site in range(first_site(road), first_site(road + 1)):
                if is_site_free(state, site):
                    return True
    return False


def chip_value(state: State, seat: Int, weights: Weights) -> Float:
    """N6.2: prestige is worth most on the way to the first council card, then while it can still overtake somebody."""
    chips = state.prestige[seat]
    held = council_card(state, seat)
    if held == NOBODY:
        return weights.first_card
    fewest = 12  # chips of those who hold a better card and may lose it
    for card in range(COUNCIL_CARDS):
        owner = state.council[card]
        if owner != NOBODY and owner != seat and council_points(card) > council_points(held):
            fewest = min(fewest, state.prestige[owner])
    if fewest < 12:
        return weights.overtaking if fewest <= chips + 2 else weights.behind
    return weights.leading if chips < 12 else weights.surplus_chip


def bar_value(state: State, seat: Int, road: Int, weights: Weights) -> Float:
    """N6.1: a bar is good when it wins the wayright, or opens a road to a seat that has nowhere to settle."""
    holder = state.wayrights[road]
    own = state.bars[seat * ROAD_COUNT + road]
    if holder == seat or state.bar_counts[road] >= road_length(road):
        return 0.0
    if total(state.bars, seat * ROAD_COUNT, (seat + 1) * ROAD_COUNT) >= BARS_PER_PLAYER:
        return 0.0
    if holder == NOBODY or own + 1 > state.bars[holder * ROAD_COUNT + road]:
        return weights.wayright
    if not own and state.settlements[seat] < SETTLEMENTS_PER_PLAYER and not has_site(state, seat):
        return weights.new_road
    return weights.level_bar if state.bars[holder * ROAD_COUNT + road] - own == 1 else 0.0


def rate(state: State, seat: int, options: Sequence[Any], weights: Weights | None = None) -> list[float]:
    """Return how good every option looks, in points; the best is played."""
    own: Weights = DEFAULTS if weights is None else weights
    wanted = wishes(state, seat, own)
    hand = Hand()
    return [rate_choice(state, seat, wanted, hand, choice_for(state, option), own) for option in options]


def rate_trading(state: State, seat: int, options: Sequence[Any], weights: Weights | None = None) -> list[float]:
    """Return how good every option looks to a seat that also proposes trades and makes counters."""
    own: Weights = DEFAULTS if weights is None else weights
    wanted = wishes(state, seat, own)
    hand = Hand()
    choices = [choice_for(state, option) for option in options]
    ratings = [rate_choice(state, seat, wanted, hand, choice, own) for choice in choices]
    now = hopes(wanted, hand_of(state, seat), own)
    for at, choice in enumerate(choices):
        if is_counter(choice):
            offered = hopes_after(
                state, seat, wanted, countered_give(state, choice), countered_want(state, choice), own
            )
            gain = offered - now - own.favour
            ratings[at] = now + own.counter * gain  # seldom taken: an earlier reply may be better
    proposal, rating = best_proposal(state, seat, wanted, choices, own)
    if proposal >= 0:
        ratings[proposal] = rating
    return ratings


def hopes_after(state: State, seat: Int, wanted: Wishes, get: Amounts, give: Amounts, weights: Weights) -> Float:
    """Return what a seat's hand promises after a trade."""
    hand = hand_of(state, seat)
    hand.swap(get, give)
    return hopes(wanted, hand, weights)


def best_proposal(
    state: State, seat: Int, wanted: Wishes, choices: Sequence[Choice], weights: Weights
) -> tuple[int, float]:
    """N5.16: the proposal that helps most among those which somebody would accept, as its index and rating, or -1.

    What the others hold is a guess. After a refusal the next is tried: the n-th proposal of a turn is the n-th best.
    """
    missing = missing_kinds(wanted, hand_of(state, seat))
    least = hopes(wanted, hand_of(state, seat), weights) + weights.proposal_gain
    good = []
    for place, choice in enumerate(choices):
        if is_proposal(choice) and has_any(proposed_want(choice), missing):
            offered = hopes_after(state, seat, wanted, proposed_want(choice), proposed_give(choice), weights)
            rating = offered - weights.proposal_cost
            if rating > least:
                good.append((rating, -place))
    good.sort(reverse=True)
    skipped = 0
    for rating, place in good:
        if any(would_accept(state, other, choices[-place], weights) for other in range(state.seats) if other != seat):
            if skipped == state.proposals:
                return -place, rating
            skipped += 1
    return -1, NEVER


def choice_for(state: State, action: Action) -> Choice:
    """Return the choice that a value stands for."""
    return Choice(code_for(action, state.trade_give, state.trade_want))


def is_counter(choice: Choice) -> bool:
    """N5.17: whether a choice is a counter."""
    return kind_of_choice(choice) in (COUNTER_TRADE, COUNTER_WITH_MORE, COUNTER_WITH_LESS)


def is_proposal(choice: Choice) -> bool:
    """N5.16: whether a choice proposes a trade."""
    return kind_of_choice(choice) in (PROPOSE_TRADE, PROPOSE_OTHER)


def proposed_give(choice: Choice) -> Amounts:
    """N5.16: what a proposal gives."""
    listed_one = kind_of_choice(choice) == PROPOSE_TRADE
    return proposal_give(argument_of(choice)) if listed_one else give_of(argument_of(choice))


def proposed_want(choice: Choice) -> Amounts:
    """N5.16: what a proposal wants."""
    listed_one = kind_of_choice(choice) == PROPOSE_TRADE
    return proposal_want(argument_of(choice)) if listed_one else want_of(argument_of(choice))


def has_any(amounts: Amounts, kinds: Int) -> bool:
    """Return whether a bundle has something of a bit set of commodities."""
    for kind in range(COMMODITY_COUNT):  # noqa: SIM110 - C functions hold no generators
        if kinds >> kind & 1 and amount_of(amounts, kind):
            return True
    return False


def missing_kinds(wanted: Wishes, hand: Hand) -> Int:
    """Return what would complete one of the wishes, were there one or two units of it more, as a bit set."""
    missing = 0
    for at in range(wanted.count):
        thing = wanted.things[at]
        units = 0
        kinds = 0
        for need in range(NEED_STARTS[thing], NEED_STARTS[thing + 1]):
            short = NEEDED_AMOUNTS[need] - hand.amounts[NEEDED_KINDS[need]]
            if short > 0:
                units += short
                kinds |= 1 << NEEDED_KINDS[need]
        if units <= 2:
            missing |= kinds
    return missing


def would_accept(state: State, seat: Int, choice: Choice, weights: Weights) -> bool:
    """Return whether a seat would take a proposal, did it count as we do."""
    wanted = wishes(state, seat, weights)
    hand = hand_of(state, seat)
    now = hopes(wanted, hand, weights)
    hand.swap(proposed_give(choice), proposed_want(choice))
    return hand.is_possible() and hopes(wanted, hand, weights) - weights.favour > now


def placement_value(state: State, seat: Int, site: Int, weights: Weights) -> Float:
    """N2.6: many harvests of many kinds, wood above all: two sites without it build next to nothing."""
    value = 0.0
    for kind in range(RESOURCE_COUNT):
        harvests = 0.0
        for other in range(SITE_COUNT):
            if state.site_owners[other] == seat:
                harvests += YIELDS_OF_KINDS[other * RESOURCE_COUNT + kind]
        harvests += YIELDS_OF_KINDS[site * RESOURCE_COUNT + kind]
        value += weights.kinds[kind] * harvests**weights.variety
    return value


def rate_listing(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Fill in how good every option of a listing looks."""
    wanted = wishes(state, seat, weights)
    hand = Hand()
    for place in range(listing.count):
        ratings[place] = rate_choice(state, seat, wanted, hand, Choice(listing.codes[place]), weights)


def rate_choice(state: State, seat: Int, wanted: Wishes, hand: Hand, choice: Choice, weights: Weights) -> Float:
    """Return the points an option brings, and what the hand promises after it; the hand is only room to count in."""
    kind = kind_of_choice(choice)
    argument = argument_of(choice)
    if is_proposal(choice) or is_counter(choice):
        return NEVER  # most options are proposals
    hand.take(state, seat)
    if kind == TRADE_WITH_BANK:
        give = argument // COMMODITY_COUNT
        hand.amounts[argument % COMMODITY_COUNT] += 1
        return paid(wanted, hand, units_of(give, bank_rate(state.workshops[seat], give)), weights) - weights.bank_cost
    if kind == MOVE_ROBBER:
        return harm(state, seat, argument - 1) * CHANCES[number_of_land(argument - 1)]
    if kind == BUILD_TOLL_BAR:
        return bar_value(state, seat, argument, weights) + paid(wanted, hand, TOLL_BAR_PRICE, weights)
    if kind == DISCARD_CARDS:
        return paid(wanted, hand, Amounts(argument), weights)
    if kind == SELL_WARE:
        hand.amounts[GOLD] += proceeds(state, seat, argument) - toll_due(state, seat, argument)
        return paid(wanted, hand, ware_cost(argument), weights) - weights.sale_cost
    if kind == BUILD_WORKSHOP:
        own = state.workshops[seat]
        yard = 1 if BUILDING_YARD_CORNERS >> argument & 1 and not own & BUILDING_YARD_CORNERS else 0
        value = weights.workshop + weights.workshop_ware * newly_doubled(own, argument) + weights.workshop_yard * yard
        return value + paid(wanted, hand, WORKSHOP_PRICE, weights)
    if kind == BUILD_SETTLEMENT:
        return settlement_value(argument, weights) + paid(wanted, hand, SETTLEMENT_PRICE, weights)
    if kind == ROB_PLAYER:
        return 9.0 + points(state, argument)
    if kind == BUILD_WALL:
        return chip_value(state, seat, weights) + paid(wanted, hand, WALL_PRICE, weights)
    if kind == BUILD_FREE_WALL:
        return chip_value(state, seat, weights) + paid(wanted, hand, FREE_WALL_PRICE, weights)
    if kind == BUILD_TOWER:
        return weights.tower * chip_value(state, seat, weights) + paid(wanted, hand, TOWER_PRICE, weights)
    if kind == PLACE_SETTLEMENT:
        return placement_value(state, seat, argument, weights)
    if kind == SWAP_COUNCIL_CARD:
        return 9.0 + council_points(council_card(state, argument))
    if kind == ACCEPT_TRADE:
        hand.swap(Amounts(state.trade_give), Amounts(state.trade_want))
        return hopes(wanted, hand, weights) - weights.favour
    if kind == PICK_REPLY:
        at = reply_place(state, argument)
        hand.swap(Amounts(state.reply_wants[at]), Amounts(state.reply_gives[at]))
        return hopes(wanted, hand, weights) - weights.reply_cost
    return hopes(wanted, hand, weights)  # end the turn, decline, keep


def harm(state: State, seat: Int, landscape: Int) -> Int:
    """N4.6.2: the points of those whose settlements the robber blocks on a landscape; an own one weighs against it."""
    found = 0
    for place in range(first_corner(landscape), first_corner(landscape + 1)):
        owner = state.site_owners[site_at(place)]
        if owner == seat:
            found -= 9
        elif owner != NOBODY:
            found += points(state, owner)
    return found


def toll_due(state: State, seat: Int, ware: Int) -> Int:
    """N5.8: the toll on the way to a ware's market, none to oneself and to nobody."""
    holder = state.wayrights[ware_road(ware)]
    return 0 if holder in (NOBODY, seat) else ware_toll(ware)


def newly_doubled(own: Int, corner: Int) -> Int:
    """N5.8: how many wares a workshop on a corner doubles that none of the own ones doubles."""
    found = 0
    for ware in range(WARE_COUNT):
        if doubling_corners(ware) >> corner & 1 and not doubling_corners(ware) & own:
            found += 1
    return found


def paid(wanted: Wishes, hand: Hand, cost: Amounts, weights: Weights) -> Float:
    """Return what a hand promises after paying."""
    hand.pay(cost)
    return hopes(wanted, hand, weights)


def settle_choice(
    state: State, choices: Mapping[int, Any], seat: int, later: Sequence[Mapping[int, Any]],
    weights: Weights | None = None,
) -> State:  # fmt: skip
    """T21.3: the position that a choice comes to, as far as it is the seat's own doing."""
    match choices[seat]:
        case EndTurn() | ProposeTrade() | DeclineTrade() | PickNobody():
            return state
        case AcceptTrade():
            return traded(state, seat, Amounts(state.trade_give), Amounts(state.trade_want))
        case CounterTrade():
            counter = choice_for(state, choices[seat])
            picked = is_picked(state.active, seat, later)
            return (
                traded(state, seat, countered_give(state, counter), countered_want(state, counter)) if picked else state
            )
    after = clone(state)
    chosen: Annotated[Ints, SEATS] = [0] * SEATS
    for other, choice in choices.items():
        chosen[other] = choice_for(state, choice)
    events = Events()
    resolve(after, chosen, events)
    advance(after, events)
    listing = Listing()
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    while is_settling(after) and asked_seats(after) == 1 << seat:
        list_options(after, seat, listing)
        rate_listing(after, seat, listing, ratings, DEFAULTS if weights is None else weights)
        chosen[seat] = listing.codes[best_place(ratings, listing.count)]
        events.count = 0
        resolve(after, chosen, events)
        advance(after, events)
    return after


def is_settling(state: State) -> bool:
    """T21.3: whether a step is open that belongs to the one before: the robbery, or the council cards."""
    if not state.agenda_count:
        return False
    step = state.agenda[state.agenda_count - 1]
    return step in (ASK_ROBBERY, ASK_COUNCIL_SWAP)


def traded(state: State, partner: Int, give: Amounts, want: Amounts) -> State:
    """N5.18: the position after a trade of the active player, whose sides are as he sees them."""
    after = clone(state)
    exchange(after, after.active, partner, give, want)
    return after


def is_picked(active: int, seat: int, later: Sequence[Mapping[int, Any]]) -> bool:
    """N5.18: whether the active player then took this seat's reply."""
    for choices in later:
        picked = choices.get(active)
        if picked is not None:
            return isinstance(picked, PickReply) and picked.seat == seat
    return False


def weighted(values: Mapping[str, float]) -> Heuristic:
    """Return the heuristic with other weights."""
    own = weigh(values)
    return Heuristic(
        partial(rate, weights=own), partial(worths, weights=own), partial(rate_trading, weights=own),
        partial(settle_choice, weights=own), weights=WEIGHTS, weighted=weighted, own_weights=own,
    )  # fmt: skip


HEURISTIC = Heuristic(
    rate, worths, rate_trading, settle_choice, weights=WEIGHTS, weighted=weighted, own_weights=DEFAULTS
)
