"""What a seat chooses and what happens, as numbers inside the rules and as values outside.

A choice is its kind and an argument; an event is twelve numbers, its kind first. `actions.py` and `events.py` have the
values, which are made here and only where somebody reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NewType

from referee.games.nuremberg import actions as act
from referee.games.nuremberg import components as box
from referee.games.nuremberg import events as ev
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.bundles import (
    Amounts,
    amounts_of,
    bundle_in,
    bundle_number,
    bundle_numbered,
    cards_in,
    unit_count,
    units_of,
)
from referee.games.nuremberg.components import Commodity, Corner, CouncilCard, EventKind, Resource, Road, Ware
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.proposals import CANONICAL_PROPOSALS
from referee.rows import Int, Word

Choice = NewType("Choice", int)
"""What a seat chose: `choice_of` makes one, and `kind_of_choice` and `argument_of` take it apart."""

END_TURN = 0
BUILD_TOLL_BAR = 1  # with a road
BUILD_SETTLEMENT = 2  # with a site
BUILD_WORKSHOP = 3  # with a corner
BUILD_WALL = 4
BUILD_TOWER = 5
SELL_WARE = 6  # with a ware
TRADE_WITH_BANK = 7  # with what is given and what is got, as `bank_trade` has them
PROPOSE_TRADE = 8  # with its place among the canonical proposals
PROPOSE_OTHER = 9  # with two bundles, as `trade_of` has them; none of the canonical proposals
DECLINE_TRADE = 10
ACCEPT_TRADE = 11
COUNTER_TRADE = 12  # with two bundles, as `trade_of` has them; none of the canonical counters
PICK_NOBODY = 13
PICK_REPLY = 14  # with a seat
SKIP_FREE_WALL = 15
BUILD_FREE_WALL = 16
DISCARD_CARDS = 17  # with five amounts
MOVE_ROBBER = 18  # with a landscape, counted from 1
ROB_NOBODY = 19
ROB_PLAYER = 20  # with a seat
KEEP_COUNCIL_CARD = 21
SWAP_COUNCIL_CARD = 22  # with a seat
PLACE_SETTLEMENT = 23  # with a site
COUNTER_WITH_MORE = 24  # N5.21, C1: with the commodity of which one unit more is asked
COUNTER_WITH_LESS = 25  # N5.21, C2 and C3: with the commodity of which one unit less, or one unit alone, is given

SETTLEMENT_PLACED = 0
STARTING_CARDS_TAKEN = 1
WAYRIGHT_TAKEN = 2
TURN_STARTED = 3
EVENT_DRAWN = 4
HARVESTED = 5
HARVEST_FELL_SHORT = 6
YEARS_PASSED = 7
DECK_RESHUFFLED = 8
ROBBER_SENT_HOME = 9
FREE_WALL_SKIPPED = 10
ROAD_TOLL_PAID = 11
CARDS_DISCARDED = 12
ROBBER_MOVED = 13
CARD_ROBBED = 14
NOBODY_ROBBED = 15
TOLL_BAR_BUILT = 16
SETTLEMENT_BUILT = 17
WORKSHOP_BUILT = 18
WALL_BUILT = 19
TOWER_BUILT = 20
WARE_SOLD = 21
BANK_TRADED = 22
TRADE_PROPOSED = 23
TRADE_DECLINED = 24
TRADE_ACCEPTED = 25
TRADE_COUNTERED = 26
TRADE_MADE = 27
TRADE_LAPSED = 28
COUNCIL_CARD_TAKEN = 29
COUNCIL_CARD_KEPT = 30
TURN_ENDED = 31
VICTORY_REACHED = 32
TIME_RAN_OUT = 33

BUNDLE_BITS = 13  # of the number of a bundle
ALL_BUNDLES = (1 << BUNDLE_BITS) - 1


def choice_of(kind: Int, argument: Int) -> Choice:
    """Return a choice; one that needs no argument has 0."""
    return Choice(kind | argument << 5)


def kind_of_choice(choice: Choice) -> Int:
    """Return what was chosen: one of the constants above."""
    return choice & 31


def argument_of(choice: Choice) -> Int:
    """Return what was chosen with it."""
    return choice >> 5


def bank_trade(give: Int, get: Int) -> Int:
    """N5.9: two commodities as the argument of a trade with the bank."""
    return give * box.COMMODITY_COUNT + get


def trade_of(give: Amounts, want: Amounts) -> Int:
    """N5.16: two bundles as the argument of a trade: 31 bits are enough with the kind of the choice."""
    return bundle_number(give) << BUNDLE_BITS | bundle_number(want)


def give_of(trade: Int) -> Amounts:
    """N5.16: the bundle that the active player gives."""
    return bundle_numbered(trade >> BUNDLE_BITS)


def want_of(trade: Int) -> Amounts:
    """N5.16: the bundle that the active player wants."""
    return bundle_numbered(trade & ALL_BUNDLES)


# Values

SITE_COUNTED: Mapping[int, Callable[[Road, int], Action]] = {
    BUILD_SETTLEMENT: act.BuildSettlement,
    PLACE_SETTLEMENT: act.PlaceSettlement,
}
BARE: Mapping[int, Action] = {
    END_TURN: act.EndTurn(),
    BUILD_WALL: act.BuildWall(),
    BUILD_TOWER: act.BuildTower(),
    DECLINE_TRADE: act.DeclineTrade(),
    ACCEPT_TRADE: act.AcceptTrade(),
    PICK_NOBODY: act.PickNobody(),
    SKIP_FREE_WALL: act.SkipFreeWall(),
    BUILD_FREE_WALL: act.BuildFreeWall(),
    ROB_NOBODY: act.RobNobody(),
    KEEP_COUNCIL_CARD: act.KeepCouncilCard(),
}
ROADS = tuple(Road)
RESOURCES = tuple(Resource)
COMMODITIES = tuple(Commodity)
NUMBERED_ACTIONS: Sequence[tuple[int, Sequence[tuple[int, Action]]]] = (
    *[(kind, [(0, action)]) for kind, action in BARE.items()],
    (BUILD_TOLL_BAR, [(int(road), act.BuildTollBar(road)) for road in Road]),
    *[
        (kind, [(at, make(ROADS[box.SITE_ROADS[at]], box.SITE_CROSSINGS[at])) for at in range(box.SITE_COUNT)])
        for kind, make in SITE_COUNTED.items()
    ],
    (BUILD_WORKSHOP, [(int(corner), act.BuildWorkshop(corner)) for corner in Corner]),
    (SELL_WARE, [(int(ware), act.SellWare(ware)) for ware in Ware]),
    (
        TRADE_WITH_BANK,
        [(give * len(Commodity) + get, act.TradeWithBank(give, get)) for give in Commodity for get in Commodity],
    ),
    (PROPOSE_TRADE, list(enumerate(CANONICAL_PROPOSALS))),
    (MOVE_ROBBER, [(number, act.MoveRobber(number)) for number in range(1, box.LANDSCAPE_COUNT + 1)]),
    *[
        (kind, [(seat, make(seat)) for seat in range(4)])
        for kind, make in (
            (PICK_REPLY, act.PickReply), (ROB_PLAYER, act.RobPlayer), (SWAP_COUNCIL_CARD, act.SwapCouncilCard),
        )
    ],
)  # fmt: skip
SMALL_CODES = len(CANONICAL_PROPOSALS) << 5  # every code of these actions is smaller
ACTIONS: list[Action | None] = [None] * SMALL_CODES  # by code: what is met in every match
PLACE_BITS = 4  # of a counter's entry in `CODES`: its place, and above it the proposal that it is to
CODES: dict[int, int] = {}  # of every action that is kept here, by its id; of a counter, the proposal and its place
COUNTERS: dict[tuple[int, int], tuple[list[Action], dict[object, int]]] = {}  # as `counters_to` has them
MAX_KEPT = 1 << 12  # proposals with their counters

for _kind, _actions in NUMBERED_ACTIONS:
    for _argument, _action in _actions:
        ACTIONS[_kind | _argument << 5] = _action
        CODES[id(_action)] = _kind | _argument << 5
LASTING_CODES: Mapping[int, int] = dict(CODES)  # without counters
PROPOSAL_CODES: Mapping[tuple[object, object], int] = {
    (proposal.give, proposal.want): PROPOSE_TRADE | number << 5 for number, proposal in enumerate(CANONICAL_PROPOSALS)
}


def raised(give: Amounts, kind: Int) -> Amounts:
    """N5.21, C1: what a proposal gives and one unit more."""
    return Amounts(give + units_of(kind, 1))


def lowered(want: Amounts, kind: Int) -> Amounts:
    """N5.21: what is left of what a proposal wants: C2 without one unit, or C3 another single resource."""
    return Amounts(want - units_of(kind, 1)) if unit_count(want) >= 2 else units_of(kind, 1)


def action_of(code: Int, give: Amounts, want: Amounts) -> Action:
    """Return a choice as a value; the bundles are those of the open proposal, which a counter goes by."""
    if code < SMALL_CODES:
        small = ACTIONS[code]
        if small is not None:
            return small
        if code & 31 in (COUNTER_WITH_MORE, COUNTER_WITH_LESS):
            return counters_to(give, want)[0][counter_place(code)]
    return new_action(code)


def new_action(code: int) -> Action:
    """Return a discard or a trade that is not canonical as a value."""
    kind, argument = code & 31, code >> 5
    if kind == DISCARD_CARDS:
        return act.DiscardCards(cards_in(argument))
    give, want = bundle_in(give_of(argument)), bundle_in(want_of(argument))
    return act.ProposeTrade(give, want) if kind == PROPOSE_OTHER else act.CounterTrade(give, want)


def counter_place(code: Int) -> Int:
    """Return the place of a canonical counter among those to a proposal."""
    return code >> 5 if code & 31 == COUNTER_WITH_MORE else box.COMMODITY_COUNT + (code >> 5)


def counters_to(give: Amounts, want: Amounts) -> tuple[list[Action], dict[object, int]]:
    """N5.21: the canonical counters to a proposal by their place, and their codes by their fields."""
    known = COUNTERS.get((give, want))
    if known is None:
        codes = [kind | commodity << 5 for kind in (COUNTER_WITH_MORE, COUNTER_WITH_LESS) for commodity in Commodity]
        counters: list[Action] = []
        by_fields: dict[object, int] = {}
        if len(COUNTERS) >= MAX_KEPT:
            COUNTERS.clear()
            CODES.clear()
            CODES.update(LASTING_CODES)
        for place, code in enumerate(codes):
            more = raised(give, code >> 5) if code & 31 == COUNTER_WITH_MORE else give
            less = want if code & 31 == COUNTER_WITH_MORE else lowered(want, code >> 5)
            counter = act.CounterTrade(bundle_in(more), bundle_in(less))
            counters.append(counter)
            by_fields[counter.give, counter.want] = code
            CODES[id(counter)] = proposal_key(give, want) << PLACE_BITS | place
        known = COUNTERS[give, want] = (counters, by_fields)
    return known


def code_for(action: Action, give: int, want: int) -> int:
    """Return the code of a legal action: at once if it is the very value that was listed.

    The bundles are those of the open proposal.
    """
    kept = CODES.get(id(action))
    if kept is not None:
        known: Word = kept
        if known < SMALL_CODES:
            return kept
        if known >> PLACE_BITS == proposal_key(give, want):
            return counter_at(known & (1 << PLACE_BITS) - 1)
    return code_of(action, give, want)


def proposal_key(give: Word, want: Word) -> Word:
    """Return the two bundles of a proposal as one number."""
    return want << 5 * box.COMMODITY_COUNT | give


def counter_at(place: Int) -> Int:
    """Return the code of a canonical counter by its place among those to a proposal."""
    if place < box.COMMODITY_COUNT:
        return COUNTER_WITH_MORE | place << 5
    return COUNTER_WITH_LESS | (place - box.COMMODITY_COUNT) << 5


def code_of(action: Action, give: int, want: int) -> int:
    """Return the code of a legal action by its fields."""
    match action:
        case act.CounterTrade(more, less):
            known = counters_to(Amounts(give), Amounts(want))[1].get((more, less))
            return COUNTER_TRADE | trade_of(amounts_of(more), amounts_of(less)) << 5 if known is None else known
        case act.ProposeTrade(more, less):
            known = PROPOSAL_CODES.get((more, less))
            return PROPOSE_OTHER | trade_of(amounts_of(more), amounts_of(less)) << 5 if known is None else known
        case act.DiscardCards(cards):
            return DISCARD_CARDS | amounts_of(cards) << 5
        case act.BuildSettlement(road, crossing):
            return BUILD_SETTLEMENT | (box.ROAD_STARTS[road] + crossing - 1) << 5
        case act.PlaceSettlement(road, crossing):
            return PLACE_SETTLEMENT | (box.ROAD_STARTS[road] + crossing - 1) << 5
        case act.TradeWithBank(gift, get):
            return TRADE_WITH_BANK | (gift * len(Commodity) + get) << 5
        case act.BuildTollBar(number):
            return BUILD_TOLL_BAR | number << 5
        case act.BuildWorkshop(number):
            return BUILD_WORKSHOP | number << 5
        case act.SellWare(number):
            return SELL_WARE | number << 5
        case act.MoveRobber(number):
            return MOVE_ROBBER | number << 5
        case act.PickReply(number):
            return PICK_REPLY | number << 5
        case act.RobPlayer(number):
            return ROB_PLAYER | number << 5
        case act.SwapCouncilCard(number):
            return SWAP_COUNCIL_CARD | number << 5
    return BARE_KINDS[type(action)]


BARE_KINDS: Mapping[type[Any], int] = {type(action): kind for kind, action in BARE.items()}

PLAIN: Mapping[int, tuple[Callable[..., Event], int]] = {  # events whose numbers are their fields, and how many
    TURN_STARTED: (ev.TurnStarted, 2),
    YEARS_PASSED: (ev.YearsPassed, 1),
    DECK_RESHUFFLED: (ev.DeckReshuffled, 0),
    ROBBER_SENT_HOME: (ev.RobberSentHome, 0),
    FREE_WALL_SKIPPED: (ev.FreeWallSkipped, 1),
    ROBBER_MOVED: (ev.RobberMoved, 2),
    NOBODY_ROBBED: (ev.NobodyRobbed, 1),
    TOWER_BUILT: (ev.TowerBuilt, 2),
    TRADE_DECLINED: (ev.TradeDeclined, 1),
    TRADE_ACCEPTED: (ev.TradeAccepted, 1),
    TRADE_LAPSED: (ev.TradeLapsed, 1),
    COUNCIL_CARD_KEPT: (ev.CouncilCardKept, 1),
    TURN_ENDED: (ev.TurnEnded, 1),
    VICTORY_REACHED: (ev.VictoryReached, 2),
    TIME_RAN_OUT: (ev.TimeRanOut, 1),
}


def event_of(words: Sequence[int], table: object) -> Event:
    """Return an event as a value; nothing has to be known about the table."""
    kind, a, b, c, d, e = words[:6]
    if kind in PLAIN:
        make, count = PLAIN[kind]
        return make(*words[1 : 1 + count])
    if kind == TRADE_PROPOSED:
        return ev.TradeProposed(a, bundle_in(b), bundle_in(c))
    if kind == TRADE_COUNTERED:
        return ev.TradeCountered(a, bundle_in(b), bundle_in(c))
    if kind == TRADE_MADE:
        return ev.TradeMade(a, b, bundle_in(c), bundle_in(d))
    if kind == HARVESTED:
        return ev.Harvested(a, cards_in(b))
    if kind == EVENT_DRAWN:
        return ev.EventDrawn(a, b, EventKind(c))
    if kind == BANK_TRADED:
        return ev.BankTraded(a, Commodity(b), c, Commodity(d))
    if kind == WARE_SOLD:
        return ev.WareSold(a, Ware(b), c, d, seat_in(e))
    if kind == TOLL_BAR_BUILT:
        return ev.TollBarBuilt(a, Road(b), c)
    if kind == WAYRIGHT_TAKEN:
        return ev.WayrightTaken(a, Road(b), seat_in(c))
    if kind == SETTLEMENT_BUILT:
        return ev.SettlementBuilt(a, Road(b), c)
    if kind == WORKSHOP_BUILT:
        return ev.WorkshopBuilt(a, Corner(b))
    if kind == WALL_BUILT:
        return ev.WallBuilt(a, b, is_free_of_brick=c == 1)
    if kind == CARDS_DISCARDED:
        return ev.CardsDiscarded(a, cards_in(b))
    if kind == CARD_ROBBED:
        return ev.CardRobbed(a, b, Resource(c))
    if kind == ROAD_TOLL_PAID:
        cards = tuple([RESOURCES[words[6] >> 3 * number & 7] for number in range(e)])
        return ev.RoadTollPaid(a, b, Road(c), d, e, cards)
    if kind == COUNCIL_CARD_TAKEN:
        return ev.CouncilCardTaken(a, CouncilCard(b), seat_in(c))
    if kind == HARVEST_FELL_SHORT:
        return ev.HarvestFellShort(Resource(a))
    if kind == STARTING_CARDS_TAKEN:
        return ev.StartingCardsTaken(a, cards_in(b))
    assert kind == SETTLEMENT_PLACED
    return ev.SettlementPlaced(a, Road(b), c, d)


def seat_in(owner: int) -> int | None:
    """Return a seat as a value: nobody is None."""
    return None if owner == box.NOBODY else owner
