"""What the contract tests need to know about Die Siedler von Nürnberg."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from referee.contract.case import Configuration, ContractCase
from referee.game import Seat
from referee.games.nuremberg import events as happened
from referee.games.nuremberg.components import CARD_EVENTS as EVENTS
from referee.games.nuremberg.components import DATA, EventKind, Road
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import GRANT_CHIPS, MAIN_PHASE, State
from referee.games.nuremberg.view import View
from referee.rng import Rng
from tests.rules.nuremberg.builders import draws_of, now, opened, set_draws

CARDS_OF_A_KIND = 20
GOLD_CHIPS = 146
TURNS = 108
LENGTHS = (9, 9, 9, 7, 7)
STARTS = (0, 9, 18, 27, 34)
COUNCIL_POINTS = (4, 3, 2)
NUMBERED = [number for number, land in enumerate(DATA["landscape"]) if land["number"]]
CASTLE = 27


def max_choices(seats: int) -> int:
    """N8.1 to N8.3: 108 turns of 50 actions and END, 5 proposals with replies and pick, one event; chips; set-up."""
    trade = 5 * ((seats - 1) + 1)
    event = max(seats, seats + 2)  # free walls, or discards with the robber's move and robbery
    return TURNS * (51 + trade + event) + (seats - 1) * 58 + 2 * seats


def check_invariants(state: State) -> None:
    """N11: every numbered invariant that a single state can show; 9 and 12 are held by test_properties."""
    seats = range(state.seats)
    _check_goods(state)
    _check_city(state)
    _check_roads(state)
    _check_council(state)
    assert sorted(opened(state).deck + opened(state).discard) == list(range(36))  # N11 8
    years = sum(1 for card in opened(state).discard if EVENTS[card] is EventKind.YEARS)
    assert years == state.year % 3 or (state.year == 9 and years == 3)
    assert 0 <= state.year <= 9  # N11 9
    assert state.turn <= TURNS
    assert len(opened(state).discard) <= 36
    assert state.robber == CASTLE or state.robber in NUMBERED  # N11 10
    view = GAME.observe(state, None)  # N11 11
    for seat in seats:
        owned = (
            opened(state).site_owners.count(seat)
            + state.workshops[seat].bit_count()
            + opened(state).wayrights.count(seat)
        )
        card = sum(COUNCIL_POINTS[card] for card, owner in enumerate(opened(state).council) if owner == seat)
        assert view.points[seat] == owned + card
    if state.agenda_count and now(state) == MAIN_PHASE:
        assert view.points[state.active] < 13
    assert state.main_actions <= 50
    assert state.proposals <= 5


def _check_goods(state: State) -> None:
    """N11 1 and 2: nothing is negative, nothing is lost."""
    assert min(opened(state).bank + opened(state).hands) >= 0
    for kind in range(5):
        assert state.bank[kind] + sum(state.hands[kind::6]) == CARDS_OF_A_KIND
    assert state.bank[5] + sum(state.hands[5::6]) == GOLD_CHIPS


def _check_city(state: State) -> None:
    """N11 3, and one workshop a corner (4)."""
    places = range(state.agenda_count)
    due = sum(state.step_counts[place] for place in places if state.agenda[place] == GRANT_CHIPS)
    assert sum(opened(state).prestige) + due == state.walls + 2 * state.towers
    assert state.walls <= 26
    open_sites = sum(1 for tower in DATA["tower"] if all(wall <= state.walls for wall in tower["walls"]))
    assert state.towers <= open_sites <= 16
    for corner in range(12):
        assert sum(corners >> corner & 1 for corners in opened(state).workshops) <= 1
    assert all(corners.bit_count() <= 4 for corners in opened(state).workshops)


def _check_roads(state: State) -> None:
    """N11 4, 5 and 6."""
    is_setup = state.turn == 0
    for road in Road:
        bars = state.bar_owners[STARTS[road] : STARTS[road] + LENGTHS[road]]
        laid = [owner for owner in bars if owner >= 0]
        assert bars == laid + [-1] * (LENGTHS[road] - len(laid))
        assert state.bar_counts[road] == len(laid)
        for seat in range(state.seats):
            assert state.bars[seat * 5 + road] == laid.count(seat)
        sites = state.site_owners[STARTS[road] : STARTS[road] + LENGTHS[road]]
        for here, following in pairwise(sites):
            assert here < 0 or following < 0
        for owner in sites:
            assert owner < 0 or owner in laid
        holder = state.wayrights[road]
        if not is_setup:
            assert (holder >= 0) == bool(laid)
            assert all(laid.count(seat) <= laid.count(holder) for seat in range(state.seats))
    for seat in range(state.seats):
        assert opened(state).bar_owners.count(seat) <= 15
        assert state.settlements[seat] == opened(state).site_owners.count(seat) <= 5


def _check_council(state: State) -> None:
    """N11 7, as far as one state shows it."""
    in_use = (0, 1, 2) if state.seats == 4 else (0, 2)
    owners = [owner for owner in opened(state).council if owner >= 0]
    assert len(owners) == len(dict.fromkeys(owners))
    assert all(state.council[card] == -1 for card in range(3) if card not in in_use)
    assert all(state.prestige[owner] >= 3 for owner in owners)
    assert len(owners) == min(len(in_use), sum(1 for chips in opened(state).prestige if chips >= 3))


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """N10.2 to N10.5: let cards that the seat saw only from behind have been others, reshuffle the deck, change chance.

    A card is another kind only where both hands could have held it ever after.
    """
    twin = GAME.clone(state)
    for number, draw in enumerate(draws_of(twin)):
        if seat not in (draw.victim, draw.taker):
            kind = rng.index(5)
            other = GAME.clone(twin)
            if kind != draw.kind and _redraw(other, number, kind):
                twin = other
    deck = list(opened(twin).deck)
    rng.shuffle(deck)
    opened(twin).deck = deck
    twin.deck_word = rng.next64()
    twin.word = rng.next64()
    return twin


def _redraw(twin: State, number: int, kind: int) -> bool:
    """Let a draw have been of another kind and change all that came of it; tell whether that was possible."""
    draws = draws_of(twin)
    changed = draws[number]
    change = {(changed.victim, changed.kind): 1, (changed.victim, kind): -1}
    change |= {(changed.taker, changed.kind): -1, (changed.taker, kind): 1}

    def shifted(seat: Seat, amounts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(amount + change.get((seat, here), 0) for here, amount in enumerate(amounts))

    if not changed.victim_hand[kind]:
        return False
    draws[number] = replace(changed, kind=kind)
    for later in range(number + 1, len(draws)):
        draw = draws[later]
        draws[later] = replace(
            draw,
            victim_hand=shifted(draw.victim, draw.victim_hand),
            victim_lows=shifted(draw.victim, draw.victim_lows),
            taker_lows=shifted(draw.taker, draw.taker_lows),
        )
    for (seat, here), amount in change.items():
        twin.hands[seat * 6 + here] += amount
        twin.lows[seat * 6 + here] += amount
    remembered = [*opened(twin).lows, *opened(twin).hands]
    for draw in draws:
        remembered += [*draw.victim_lows, *draw.taker_lows, draw.victim_hand[draw.kind] - 1]
    if min(remembered) < 0:
        return False
    set_draws(twin, draws)
    return True


KINDS = ("wood", "wool", "grain", "brick", "ore")
Hidden: TypeAlias = tuple[int, ...]


class CardCounter:
    """N10.5: every hand that is possible after the events heard, kept as one set.

    `counted` adds up what was seen; each member of `worlds` says what the unseen cards may have added to it.
    """

    def __init__(self, first: View, seat: Seat) -> None:
        assert not first.card_draws
        self.seats = first.seat_count
        self.want: tuple[int, ...] = ()
        self.counted = list(first.counted_cards)
        self.worlds: set[Hidden] = {(0,) * len(self.counted)}

    def hear(self, event: Event) -> None:
        match event:
            case happened.StartingCardsTaken(seat, cards) | happened.Harvested(seat, cards):
                self.move(seat, cards, 1)
            case happened.CardsDiscarded(seat, cards):
                self.move(seat, cards, -1)
            case happened.BankTraded(seat, give, count, get):
                self.move(seat, [-count * (kind == give) for kind in range(5)], 1)
                self.move(seat, [int(kind == get) for kind in range(5)], 1)
            case happened.WareSold(seat, ware):
                self.pay(seat, DATA["ware"][ware]["cost"])
            case happened.WallBuilt(seat, is_free_of_brick=False):
                self.pay(seat, DATA["cost"]["wall"])
            case happened.TradeProposed(seat, give, want):
                self.want = want
                self.demand(seat, give)
            case happened.TradeAccepted(seat):
                self.demand(seat, self.want)
            case happened.TradeCountered(seat, _give, want):
                self.demand(seat, want)
            case happened.TradeMade(seat, partner, give, want):
                self.move(seat, give[:5], -1)
                self.move(partner, want[:5], -1)
                self.move(seat, want[:5], 1)
                self.move(partner, give[:5], 1)
            case happened.CardRobbed(seat, victim, resource):
                self.draw(victim, seat, resource)
            case happened.RoadTollPaid(seat, holder, card_count=count, cards=cards):
                for number in range(count):
                    self.draw(seat, holder, cards[number] if cards else None)
            case happened.TollBarBuilt(seat):
                self.pay(seat, DATA["cost"]["toll_bar"])
            case happened.SettlementBuilt(seat):
                self.pay(seat, DATA["cost"]["settlement"])
            case happened.WorkshopBuilt(seat):
                self.pay(seat, DATA["cost"]["workshop"])
            case happened.TowerBuilt(seat):
                self.pay(seat, DATA["cost"]["tower"])
            case _:
                pass

    def move(self, seat: Seat, cards: Sequence[int], sign: int) -> None:
        for kind, amount in enumerate(cards):
            self.counted[seat * 5 + kind] += sign * amount
        self.demand(seat, (0,) * 5)

    def pay(self, seat: Seat, cost: Mapping[str, int]) -> None:
        self.move(seat, [cost.get(kind, 0) for kind in KINDS], -1)

    def demand(self, seat: Seat, cards: Sequence[int]) -> None:
        """Leave out the worlds in which the seat does not hold these cards."""
        for place in range(seat * 5, seat * 5 + 5):
            needed = cards[place - seat * 5] - self.counted[place]
            if any(world[place] < needed for world in self.worlds):
                self.worlds = {world for world in self.worlds if world[place] >= needed}

    def draw(self, victim: Seat, taker: Seat, resource: int | None) -> None:
        if resource is not None:
            self.move(victim, [int(kind == resource) for kind in range(5)], -1)
            self.move(taker, [int(kind == resource) for kind in range(5)], 1)
            return
        drawn: set[Hidden] = set()
        for world in self.worlds:
            for kind in range(5):
                if self.counted[victim * 5 + kind] + world[victim * 5 + kind] > 0:
                    after = list(world)
                    after[victim * 5 + kind] -= 1
                    after[taker * 5 + kind] += 1
                    drawn.add(tuple(after))
        self.worlds = drawn

    def check(self, state: State) -> None:
        hands = [state.hands[seat * 6 + kind] for seat in range(self.seats) for kind in range(5)]
        assert tuple(hand - seen for hand, seen in zip(hands, self.counted, strict=True)) in self.worlds, "N10.5"


CASE = ContractCase(
    game=GAME,
    configurations=(
        Configuration(4),
        Configuration(3),
        Configuration(4, {"setup": "advanced"}),
        Configuration(3, {"setup": "advanced"}),
    ),
    max_choices=max_choices,
    check_invariants=check_invariants,
    scramble=scramble,
    remember=CardCounter,
)
