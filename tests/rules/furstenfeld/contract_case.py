"""What the contract tests need to know about Fürstenfeld."""

from __future__ import annotations

from referee.contract.case import Configuration, ContractCase
from referee.game import Seat
from referee.games.furstenfeld.events import (
    CardBuilt,
    CardPutUnder,
    CardScrapped,
    CardsDrawn,
    Event,
    IncomeReceived,
)
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import (
    ASK_BREWERY,
    ASK_BUILD,
    ASK_EXCHANGE,
    ASK_SCRAP,
    ASK_SETUP_BOTTOM,
    END_ROUND,
    TAKE_TURN,
    State,
)
from referee.games.furstenfeld.view import View
from referee.rng import Rng
from tests.rules.furstenfeld.builders import demand_of, order_of, placed_of, players, prices_of, steps

PARTS = range(21, 27)
WAREHOUSE, TOWN_HALL_1, TOWN_HALL_2, RAG_COLLECTOR = 19, 12, 13, 28
MAX_OPTIONS = {
    "setup_bottom": 10,
    "exchange": 19,
    "brewery": 6,
    "sell_amount": 17,
    "office_bonus": 4,
    "build": 61,
    "scrap": 11,
    "discard": 10,
    "store": 20,
}


def max_choices(seats: int) -> int:
    """F12.3: nine choices in set-up and twenty in each of forty rounds, for every seat."""
    return seats * (9 + 20 * 40)


def check_invariants(state: State) -> None:
    """F14: what holds of every state by itself; what compares two moments is in test_invariants.py."""
    check_cards(state)
    check_breweries(state)
    check_palaces(state)
    check_money_and_order(state)
    check_finished_turns(state)
    check_options(state)
    check_end(state)


def check_cards(state: State) -> None:
    """F14.1: a seat's cards are all there, each once."""
    whole_set = list(range(1, 29 if state.is_advanced else 27))
    for player in players(state):
        built = [shown for shown in player.lots if shown <= 28]
        assert sorted([*player.deck, *player.hand, *built, *player.covered, *player.scrapped]) == whole_set
        assert player.hand == sorted(player.hand)
        assert 0 <= player.unseen <= len(player.deck)
        assert len(player.lots) == 6


def check_breweries(state: State) -> None:
    """F14.2: prices on the track, goods only on demand spaces, none between rounds."""
    assert len(demand_of(state)) == len(prices_of(state)) == len(placed_of(state)) == 3 * len(players(state))
    assert all(price in (0, 1, 2, 3) for price in prices_of(state))
    assert all(0 <= placed <= demand for placed, demand in zip(placed_of(state), demand_of(state), strict=True))
    if seats_to_play(state) == list(order_of(state)) and is_before_sale(state):
        assert not any(placed_of(state))


def check_palaces(state: State) -> None:
    """F14.4, F14.5: the palace price follows the parts on all boards; in the advanced game part k is on lot k."""
    seats = len(players(state))
    parts = [shown for player in players(state) for shown in player.lots if shown in PARTS]
    view = GAME.observe(state, None)
    assert state.palace_parts == len(parts) <= 6 * seats
    assert view.palace_price == (8 + 2 * (len(parts) // seats) if len(parts) < 6 * seats else None)
    assert view.palace_price_markers == len(parts) % seats
    if state.is_advanced:
        for player in players(state):
            assert all(shown - 20 == lot for lot, shown in enumerate(player.lots, start=1) if shown in PARTS)


def check_money_and_order(state: State) -> None:
    """F14.3, F14.9: no debts, no marker below 0, everybody once in the turn order."""
    assert sorted(order_of(state)) == list(range(len(players(state))))
    for player in players(state):
        assert player.money >= 0
        assert player.marker >= 0
        assert player.income >= 0
        assert all(count >= 0 for count in player.goods)


def check_finished_turns(state: State) -> None:
    """F14.6, F14.7: after phase 5 goods are stored or lost, and the hand is within its limit."""
    if state.round_number == 0:
        return
    waiting = seats_to_play(state)
    for seat, player in enumerate(players(state)):
        if seat not in waiting:
            assert sum(player.goods) <= (3 if WAREHOUSE in player.lots else 0)
            limit = 1 + (TOWN_HALL_1 in player.lots) + 2 * (TOWN_HALL_2 in player.lots)
            assert len(player.hand) <= limit


def check_options(state: State) -> None:
    """F14.8, F14.13: options are within their bounds; nobody builds a third card or scraps one."""
    for decision in GAME.pending(state):
        options = GAME.legal_actions(state, decision.seat)
        assert 1 <= len(options) <= MAX_OPTIONS[decision.kind]
        assert len({repr(action) for action in options}) == len(options)
    if state.agenda_count:
        step, seat, count = steps(state)[-1]
        if step == ASK_BUILD:
            assert count < 2
        if step == ASK_SCRAP:
            assert count < 2
            assert RAG_COLLECTOR in players(state)[seat].lots


def check_end(state: State) -> None:
    """F14.14: a game is over after a round with a finished palace, or after round 40, and only then."""
    finished = any(sum(shown in PARTS for shown in player.lots) == 6 for player in players(state))
    assert state.round_number <= 40
    if not state.agenda_count:
        assert finished or state.round_number == 40
    elif seats_to_play(state) == list(order_of(state)) and is_before_sale(state):
        assert not finished


def seats_to_play(state: State) -> list[Seat]:
    """The seats that have not finished phase 5 of this round, in turn order."""
    to_come = steps(state)
    if not to_come or to_come[-1][0] == ASK_SETUP_BOTTOM:
        return []
    waiting = [seat for step, seat, _count in reversed(to_come) if step == TAKE_TURN]
    assert to_come[0][0] == END_ROUND
    return [GAME.pending(state)[0].seat, *waiting]


def is_before_sale(state: State) -> bool:
    return steps(state)[-1][0] in (ASK_EXCHANGE, ASK_BREWERY)


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """F13: redeal what the seat cannot know.

    Of other hands, decks and scrapped cards only the numbers are known; of the own deck the unseen order is not.
    """
    twin = GAME.clone(state)
    for owner, player in enumerate(players(twin)):
        if owner == seat:
            unseen = player.deck[: player.unseen]
            rng.shuffle(unseen)
            player.deck[: player.unseen] = unseen
        else:
            hidden = [*player.hand, *player.deck, *player.scrapped]
            rng.shuffle(hidden)
            player.hand = sorted(hidden.pop() for _ in player.hand)
            player.scrapped = [hidden.pop() for _ in player.scrapped]
            player.deck = hidden
    return twin


class Witness:
    """F13: the own cards one by one, where each of them is; of the others what they built, and everybody's money."""

    def __init__(self, first: View, seat: Seat) -> None:
        self.seat = seat
        self.hand = [card.value for card in first.hand_cards]
        self.under: list[int] = []
        self.scrapped: list[int] = []
        self.built: list[set[int]] = [set() for _ in first.estates]
        self.money = [estate.money for estate in first.estates]
        self.drawn = [estate.hand_count for estate in first.estates]

    def hear(self, event: Event) -> None:
        match event:
            case CardsDrawn(seat, count, cards):
                self.drawn[seat] += count
                if seat == self.seat:
                    self.hand += [card.value for card in cards]
                    self.under = [card for card in self.under if card not in self.hand]
            case CardPutUnder(seat, card) if seat == self.seat:
                assert card is not None
                self.hand.remove(card.value)
                self.under.append(card.value)
            case CardScrapped(seat, card) if seat == self.seat:
                assert card is not None
                self.hand.remove(card.value)
                self.scrapped.append(card.value)
            case CardBuilt(seat, card, _lot, cost):
                self.built[seat].add(card.value)
                self.money[seat] -= cost
                if seat == self.seat:
                    self.hand.remove(card.value)
            case IncomeReceived(seat, income=income):
                self.money[seat] += income
            case _:
                pass

    def check(self, state: State) -> None:
        own = players(state)[self.seat]
        assert own.hand == sorted(self.hand), "F13.1"
        assert own.deck[own.unseen :] == self.under, "F13.2"
        assert own.scrapped == self.scrapped
        whole_set = set(range(1, 29 if state.is_advanced else 27))
        for seat, player in enumerate(players(state)):
            assert {*player.hand, *player.deck, *player.scrapped} == whole_set - self.built[seat], "F13.1"
            assert player.money == self.money[seat]
            assert player.unseen == max(0, len(whole_set) - self.drawn[seat]), "F13.2"


CASE = ContractCase(
    game=GAME,
    configurations=tuple(
        Configuration(seats, {"variant": variant}) for variant in ("basic", "advanced") for seats in (2, 3, 4, 5)
    ),
    max_choices=max_choices,
    check_invariants=check_invariants,
    scramble=scramble,
    remember=Witness,
)
