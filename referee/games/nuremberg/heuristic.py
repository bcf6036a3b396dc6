"""Die Siedler von Nürnberg, greedily: build what pays most now, and trade towards what would pay most next.

Everything is counted in victory points. A hand is worth a part of the best things it can almost pay for (`hopes`), so
that a sale or an exchange is good when it brings one of them nearer. It accepts good trades. `rate_trading` proposes
some too, which somebody would take for his own good, and asks for a little more when an offer is nearly good enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from referee.games.nuremberg.actions import (
    AcceptTrade,
    Action,
    BuildFreeWall,
    BuildSettlement,
    BuildTollBar,
    BuildTower,
    BuildWall,
    BuildWorkshop,
    CounterTrade,
    DeclineTrade,
    DiscardCards,
    EndTurn,
    MoveRobber,
    PickNobody,
    PickReply,
    PlaceSettlement,
    ProposeTrade,
    RobPlayer,
    SellWare,
    SwapCouncilCard,
    TradeWithBank,
)
from referee.games.nuremberg.components import (
    BARS_PER_PLAYER,
    BUILDING_YARD_CORNERS,
    CARD_NUMBERS,
    COMMODITY_COUNT,
    COUNCIL_POINTS,
    DOUBLING_CORNERS,
    GOLD,
    HAND_LIMIT,
    LANDSCAPE_NUMBERS,
    LANDSCAPE_RESOURCES,
    LANDSCAPE_SITES,
    NOBODY,
    OPEN_TOWER_SITES,
    RESOURCE_COUNT,
    ROAD_COUNT,
    ROAD_LENGTHS,
    ROAD_SITES,
    ROAD_STARTS,
    SETTLEMENT_COST,
    SETTLEMENTS_PER_PLAYER,
    SITE_LANDSCAPES,
    SITE_NEIGHBOURS,
    TOLL_BAR_COST,
    TOWER_COST,
    WALL_COST,
    WALL_PLACES,
    WARE_COSTS,
    WARE_PRICES,
    WARE_ROADS,
    WARE_TOLLS,
    WORKSHOP_COST,
    WORKSHOPS_PER_PLAYER,
    Cost,
    bank_rates,
)
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.scoring import points
from referee.games.nuremberg.state import AskCouncilSwap, AskPick, AskReply, AskRobbery, State
from referee.heuristic import Heuristic

Wishes: TypeAlias = list[tuple[float, Cost]]  # what could be built: its points, and what it costs

NEVER = -99.0
CHANCES = tuple(CARD_NUMBERS.count(number) / len(CARD_NUMBERS) for number in range(13))  # N1.12
# What a settlement on each site harvests in an average turn; a landscape without a number never yields.
YIELDS = tuple(sum(CHANCES[LANDSCAPE_NUMBERS[land]] for land in lands if LANDSCAPE_NUMBERS[land] > 0)
               for lands in SITE_LANDSCAPES)  # fmt: skip
HARVESTS = tuple(tuple(sum(CHANCES[LANDSCAPE_NUMBERS[land]] for land in lands if LANDSCAPE_RESOURCES[land] == kind)
                       for kind in range(RESOURCE_COUNT)) for lands in SITE_LANDSCAPES)  # fmt: skip
# What harvests of each kind are worth to a seat that places settlements, near what fits 500 matches from random
# placements best; of the weights near the fit these leave no place in the turn order far behind.
KIND_WEIGHTS: tuple[float, ...] = (1.0, 0.45, 0.75, 0.63, 0.44)
# How much of a thing's worth a hand promises, by half the cards that it lacks; a coin counts as half a card.
FADING: tuple[float, ...] = tuple(0.68 ** (halves / 2) for halves in range(2 * COMMODITY_COUNT * HAND_LIMIT))
FAVOUR = 0.3  # what a trade must bring beyond doing without, since it helps an opponent too


def worths(state: State) -> list[float]:
    """Return what every seat's position is worth in points: scored, promised by chips and harvests, and in hand."""
    totals = []
    for seat in range(state.seats):
        harvest = sum(YIELDS[site] for site, owner in enumerate(state.site_owners) if owner == seat)
        total = points(state, seat) + 0.15 * min(state.prestige[seat], 12) + 2.0 * harvest
        totals.append(total + hopes(wishes(state, seat), hand_of(state, seat)))
    return totals


def hand_of(state: State, seat: int) -> list[int]:
    """Return a copy of a seat's cards and gold."""
    return state.hands[seat * COMMODITY_COUNT : (seat + 1) * COMMODITY_COUNT]


def hopes(wanted: Wishes, hand: Sequence[int]) -> float:
    """Return what a hand promises: most of the best thing it nearly pays for, some of the next, a little per card."""
    best = second = 0.0  # every wish is worth something
    for value, cost in wanted:
        missing = 0
        for kind, amount in cost:
            if hand[kind] < amount:
                missing += (amount - hand[kind]) * (1 if kind == GOLD else 2)
        promise = 0.8 * value * FADING[missing]
        if promise > best:
            best, second = promise, best
        elif promise > second:
            second = promise
    cards = 0
    for kind in range(RESOURCE_COUNT):
        cards += hand[kind]
    return best + 0.4 * second + 0.06 * min(cards, HAND_LIMIT) + 0.035 * hand[GOLD]


def wishes(state: State, seat: int) -> Wishes:
    """Return what the seat could build, were it rich enough, as (points, cost)."""
    wanted: Wishes = []
    if state.settlements[seat] < SETTLEMENTS_PER_PLAYER and (best := best_site(state, seat)) >= 0:
        wanted.append((settlement_value(best), SETTLEMENT_COST))
    if state.workshops[seat].bit_count() < WORKSHOPS_PER_PLAYER:
        wanted.append((1.6, WORKSHOP_COST))
    if state.walls < WALL_PLACES:
        wanted.append((chip_value(state, seat), WALL_COST))
    if state.workshops[seat] & BUILDING_YARD_CORNERS and OPEN_TOWER_SITES[state.walls] > state.towers:
        wanted.append((2 * chip_value(state, seat), TOWER_COST))
    bar = 0.0
    for road in range(ROAD_COUNT):
        bar = max(bar, bar_value(state, seat, road))
    if bar > 0:
        wanted.append((bar, TOLL_BAR_COST))
    return wanted


def settlement_value(site: int) -> float:
    """A settlement is a point, and a harvest for the rest of the game."""
    return 1.2 + 3 * YIELDS[site]


def best_site(state: State, seat: int) -> int:
    """N5.4: the free site with the best harvest on a road where the seat has a bar, or -1."""
    best, most = -1, -1.0
    for road in range(ROAD_COUNT):
        if state.bars[seat * ROAD_COUNT + road]:
            for site in ROAD_SITES[road]:
                if YIELDS[site] > most and is_free(state, site):
                    best, most = site, YIELDS[site]
    return best


def has_site(state: State, seat: int) -> bool:
    """N5.4: return whether the seat has a bar on a road with a free site."""
    for road in range(ROAD_COUNT):
        if state.bars[seat * ROAD_COUNT + road]:
            for site in ROAD_SITES[road]:
                if is_free(state, site):
                    return True
    return False


def is_free(state: State, site: int) -> bool:
    """N5.4: return whether there is no settlement on the site and next to it."""
    for near in SITE_NEIGHBOURS[site]:  # noqa: SIM110  a generator takes three times as long
        if state.site_owners[near] != NOBODY:
            return False
    return True


def chip_value(state: State, seat: int) -> float:
    """N6.2: prestige is worth most on the way to the first council card, then while it can still overtake somebody."""
    chips = state.prestige[seat]
    if seat not in state.council:
        return 1.3
    held = COUNCIL_POINTS[state.council.index(seat)]
    ahead = [state.prestige[owner] for card, owner in enumerate(state.council)
             if owner not in (seat, NOBODY) and COUNCIL_POINTS[card] > held and state.prestige[owner] < 12]  # fmt: skip
    if ahead:
        return 1.0 if min(ahead) <= chips + 2 else 0.6
    return 0.5 if chips < 12 else 0.05


def bar_value(state: State, seat: int, road: int) -> float:
    """N6.1: a bar is good when it wins the wayright, or opens a road to a seat that has nowhere to settle."""
    holder, own = state.wayrights[road], state.bars[seat * ROAD_COUNT + road]
    if holder == seat or state.bar_counts[road] >= ROAD_LENGTHS[road]:
        return 0.0
    if sum(state.bars[seat * ROAD_COUNT : (seat + 1) * ROAD_COUNT]) >= BARS_PER_PLAYER:
        return 0.0
    if holder == NOBODY or own + 1 > state.bars[holder * ROAD_COUNT + road]:
        return 1.3
    if not own and state.settlements[seat] < SETTLEMENTS_PER_PLAYER and not has_site(state, seat):
        return 0.8
    return 0.4 if state.bars[holder * ROAD_COUNT + road] - own == 1 else 0.0


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return how good every option looks, in points; the best is played."""
    wanted = wishes(state, seat)
    # most options are proposals
    return [NEVER if isinstance(option, ProposeTrade) else rate_one(state, seat, wanted, option) for option in options]


def rate_trading(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return how good every option looks to a seat that also proposes trades and makes counters."""
    wanted = wishes(state, seat)
    ratings = [rate_one(state, seat, wanted, option) for option in options]
    hand = hand_of(state, seat)
    for index, option in enumerate(options):
        if isinstance(option, CounterTrade):
            gain = hopes(wanted, swapped(hand, option.give, option.want)) - hopes(wanted, hand) - FAVOUR
            ratings[index] = hopes(wanted, hand) + 0.4 * gain  # seldom taken: an earlier reply may be better
    proposal, rating = best_proposal(state, seat, wanted, options)
    if proposal >= 0:
        ratings[proposal] = rating
    return ratings


def best_proposal(state: State, seat: int, wanted: Wishes, options: Sequence[Any]) -> tuple[int, float]:
    """N5.16: the proposal that helps most among those which somebody would accept, as its index and rating, or -1.

    What the others hold is a guess. After a refusal the next is tried: the n-th proposal of a turn is the n-th best.
    """
    hand = hand_of(state, seat)
    missing = missing_kinds(wanted, hand)
    least = hopes(wanted, hand) + 0.1
    good = [
        (rating, -index)
        for index, option in enumerate(options)
        if isinstance(option, ProposeTrade)
        and any(option.want[kind] for kind in missing)
        and (rating := hopes(wanted, swapped(hand, option.want, option.give)) - 0.1) > least
    ]
    good.sort(reverse=True)
    partners = [
        (wishes(state, other), hand_of(state, other)) for other in range(state.seats if good else 0) if other != seat
    ]
    skipped = 0
    for rating, place in good:
        option = options[-place]
        if any(would_accept(theirs, held, option) for theirs, held in partners):
            if skipped == state.proposals:
                return -place, rating
            skipped += 1
    return -1, NEVER


def missing_kinds(wanted: Wishes, hand: Sequence[int]) -> set[int]:
    """Return what would complete one of the wishes, were there one or two units of it more."""
    missing = set()
    for _value, cost in wanted:
        short = [(kind, amount - hand[kind]) for kind, amount in cost if hand[kind] < amount]
        if sum(amount for _kind, amount in short) <= 2:
            missing |= {kind for kind, _amount in short}
    return missing


def would_accept(wanted: Wishes, hand: Sequence[int], proposal: ProposeTrade) -> bool:
    """Tell whether a seat with this hand would take a proposal, were it greedy too."""
    after = swapped(hand, proposal.give, proposal.want)
    return min(after) >= 0 and hopes(wanted, after) - FAVOUR > hopes(wanted, hand)


def placement_value(state: State, seat: int, site: int) -> float:
    """N2.6: many harvests of many kinds, wood above all: two sites without it build next to nothing."""
    own = [other for other, owner in enumerate(state.site_owners) if owner == seat]
    harvests = [sum(HARVESTS[place][kind] for place in (*own, site)) for kind in range(RESOURCE_COUNT)]
    return float(sum(weight * harvest**0.6 for weight, harvest in zip(KIND_WEIGHTS, harvests, strict=True)))


def rate_one(state: State, seat: int, wanted: Wishes, option: Action) -> float:
    """Return the points an option brings, and what the hand promises after it."""
    if isinstance(option, (ProposeTrade, CounterTrade)):
        return NEVER
    hand = hand_of(state, seat)
    if isinstance(option, TradeWithBank):
        hand[option.get] += 1
        return paid(wanted, hand, ((option.give, bank_rates(state.workshops[seat])[option.give]),)) - 0.1
    if isinstance(option, MoveRobber):
        owners = [state.site_owners[site] for site in LANDSCAPE_SITES[option.landscape - 1]]
        harm = sum(0 if owner == NOBODY else -9 if owner == seat else points(state, owner) for owner in owners)
        return harm * CHANCES[LANDSCAPE_NUMBERS[option.landscape - 1]]
    if isinstance(option, BuildTollBar):
        return bar_value(state, seat, option.road) + paid(wanted, hand, TOLL_BAR_COST)
    if isinstance(option, DiscardCards):
        return paid(wanted, hand, tuple(enumerate(option.cards)))
    if isinstance(option, SellWare):
        ware = option.ware
        doubled = 2 if DOUBLING_CORNERS[ware] & state.workshops[seat] else 1
        holder = state.wayrights[WARE_ROADS[ware]]
        toll = WARE_TOLLS[ware] if holder not in (seat, NOBODY) else 0
        hand[GOLD] += doubled * WARE_PRICES[ware] - toll
        return paid(wanted, hand, WARE_COSTS[ware]) - 0.05
    if isinstance(option, BuildWorkshop):
        own, corner = state.workshops[seat], option.corner
        doubles = sum(1 for corners in DOUBLING_CORNERS if corners >> corner & 1 and not corners & own)
        yard = bool(BUILDING_YARD_CORNERS >> corner & 1 and not own & BUILDING_YARD_CORNERS)
        return 1.4 + 0.2 * doubles + 0.2 * yard + paid(wanted, hand, WORKSHOP_COST)
    if isinstance(option, BuildSettlement):
        site = ROAD_STARTS[option.road] + option.crossing - 1
        return settlement_value(site) + paid(wanted, hand, SETTLEMENT_COST)
    if isinstance(option, RobPlayer):
        return 9.0 + points(state, option.seat)
    if isinstance(option, BuildWall):
        return chip_value(state, seat) + paid(wanted, hand, WALL_COST)
    if isinstance(option, BuildFreeWall):
        return chip_value(state, seat) + paid(wanted, hand, ((GOLD, 3),))
    if isinstance(option, BuildTower):
        return 2 * chip_value(state, seat) + paid(wanted, hand, TOWER_COST)
    if isinstance(option, PlaceSettlement):
        return placement_value(state, seat, ROAD_STARTS[option.road] + option.crossing - 1)
    if isinstance(option, SwapCouncilCard):
        return 9.0 + COUNCIL_POINTS[state.council.index(option.seat)]
    if isinstance(option, AcceptTrade):
        trade = state.agenda.now()
        assert isinstance(trade, AskReply)
        return hopes(wanted, swapped(hand, trade.give, trade.want)) - FAVOUR
    if isinstance(option, PickReply):
        picking = state.agenda.now()
        assert isinstance(picking, AskPick)
        reply = next(reply for reply in picking.replies if reply.seat == option.seat)
        return hopes(wanted, swapped(hand, reply.want, reply.give)) - 0.1
    return hopes(wanted, hand)  # end the turn, decline, keep


def paid(wanted: Wishes, hand: list[int], cost: Cost) -> float:
    """Return what a hand promises after paying."""
    for kind, amount in cost:
        hand[kind] -= amount
    return hopes(wanted, hand)


def swapped(hand: Sequence[int], get: Sequence[int], give: Sequence[int]) -> list[int]:
    """Return a hand after a trade."""
    return [have + more - less for have, more, less in zip(hand, get, give, strict=True)]


def settle(state: State, choices: Mapping[int, Any], seat: int, later: Sequence[Mapping[int, Any]]) -> State:
    """T21.3: the position that a choice comes to, as far as it is the seat's own doing."""
    match choices[seat]:
        case EndTurn() | ProposeTrade() | DeclineTrade() | PickNobody():
            return state
        case AcceptTrade():
            trade = state.agenda.now()
            assert isinstance(trade, AskReply)
            return traded(state, seat, trade.give, trade.want)
        case CounterTrade(give, want):
            return traded(state, seat, give, want) if is_picked(state.active, seat, later) else state
    after = GAME.clone(state)
    GAME.apply_checked(after, choices)
    while not after.agenda.is_empty() and isinstance(after.agenda.now(), (AskRobbery, AskCouncilSwap)):
        decider = GAME.pending(after)[0].seat
        if decider != seat:
            break
        options = GAME.legal_actions(after, seat)
        ratings = rate(after, seat, options)
        GAME.apply_checked(after, {seat: options[ratings.index(max(ratings))]})
    return after


def traded(state: State, partner: int, give: Sequence[int], want: Sequence[int]) -> State:
    """N5.18: the position after a trade of the active player, whose sides are as he sees them."""
    after = GAME.clone(state)
    for kind in range(COMMODITY_COUNT):
        change = want[kind] - give[kind]
        after.hands[after.active * COMMODITY_COUNT + kind] += change
        after.hands[partner * COMMODITY_COUNT + kind] -= change
    return after


def is_picked(active: int, seat: int, later: Sequence[Mapping[int, Any]]) -> bool:
    """N5.18: whether the active player then took this seat's reply."""
    for choices in later:
        picked = choices.get(active)
        if picked is not None:
            return isinstance(picked, PickReply) and picked.seat == seat
    return False


HEURISTIC = Heuristic(rate, worths, rate_trading, settle)
