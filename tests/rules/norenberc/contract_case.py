"""What the contract tests need to know of Norenberc: bounds, invariants (B13) and what a seat cannot see (B12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.contract.case import Configuration, ContractCase
from referee.game import Seat
from referee.games.norenberc.components import ARTISANS, CITIZENS, CITIZENS_BY_SEATS, FIRST_CITIZEN
from referee.games.norenberc.events import (
    BonusPaid,
    CitizenReturned,
    Event,
    GoodsBought,
    GoodsSold,
    GoodsStolen,
    GuildCalled,
    IncomePaid,
    LodgingRefilled,
    PlansLaid,
)
from referee.games.norenberc.game import GAME
from referee.games.norenberc.state import ASK_PLAN, State
from referee.games.norenberc.view import View
from referee.rng import Rng
from tests.rules.norenberc.builders import opened

STARS = (700, 710, 720)  # Councillor, Thief, Guard
PEDLAR, MAYOR = 740, 750


def max_choices(seats: int) -> int:
    """B3.9: at most 32 plans and 32 actions of at most 4 decisions for every seat."""
    return seats * (32 + 32 * 4)


def is_over(state: State) -> bool:
    return not state.agenda_count


def is_planning(state: State) -> bool:
    return state.agenda_count > 0 and state.agenda[state.agenda_count - 1] == ASK_PLAN


def check_invariants(state: State) -> None:
    check_goods(state)
    check_agents(state)
    check_tiles(state)
    check_shops(state)
    check_lodgings(state)
    check_blazons(state)
    assert all(talers >= 0 for talers in opened(state).talers), "B13.6: talers are never negative"
    assert sorted(opened(state).track) == list(range(state.seats)), "B13.8: the track is a permutation"
    assert 1 <= state.turn <= 8, "B13.10: a round has 1 to 8 turns"
    assert 1 <= state.round <= 4
    check_decisions(state)


def check_goods(state: State) -> None:
    """B13.1: storehouses + loose + stored = 12 of every good."""
    for house in range(state.houses):
        rows = (opened(state).stores, opened(state).loose, opened(state).pedlars)
        assert all(count >= 0 for row in rows for count in row)
        assert sum(sum(row[house :: state.houses]) for row in rows) == 12, "B13.1"


def check_agents(state: State) -> None:
    """B13.2: reserve + supply + card + roofs = 8, and at least 4 acquired at the start of a round."""
    for seat in range(state.seats):
        roofs = opened(state).on_roofs[seat * state.houses : (seat + 1) * state.houses]
        parts = [opened(state).reserve[seat], opened(state).supply[seat], opened(state).on_card[seat], *roofs]
        assert min(parts) >= 0
        assert sum(parts) == 8, "B13.2"
        assert opened(state).plans[seat].bit_count() <= opened(state).supply[seat]
        if is_planning(state):
            assert opened(state).finished[seat] or opened(state).supply[seat] >= 1, "B3.8"
            if state.turn == 1:
                assert opened(state).supply[seat] + opened(state).reserve[seat] == 8, "B13.2"
                assert opened(state).supply[seat] >= 4, "B13.2"
        if opened(state).finished[seat]:
            assert not opened(state).plans[seat], "B13.9: a finished player has nothing to add to a roof"


def check_tiles(state: State) -> None:
    """B13.3: every tile is in exactly one place; B13.11: no star citizen and no spent Pedlar stays with a player."""
    seen = opened(state)
    places = [*seen.shops, *seen.lodgings, *seen.pile, *seen.owned_tiles, *seen.discards, state.guest_in_use]
    places += [MAYOR] * sum(opened(state).mayors) + [PEDLAR] * sum(opened(state).pedlars)
    tiles = Counter(tile for tile in places if tile)
    artisans = Counter(tile for guild in ARTISANS[: state.houses] for tile in guild)
    assert Counter({tile: count for tile, count in tiles.items() if tile < FIRST_CITIZEN}) == artisans, "B13.3"
    citizens = Counter({tile: count for tile, count in tiles.items() if tile >= FIRST_CITIZEN})
    assert sum(citizens.values()) == CITIZENS_BY_SEATS[state.seats], "B13.3"
    assert citizens + Counter(opened(state).boxed) == Counter(CITIZENS), "B13.3"
    assert not Counter(opened(state).returned) - Counter(opened(state).pile), "B12.2: what returned is in the pile"
    assert not {*STARS, PEDLAR, MAYOR} & {*opened(state).owned_tiles}, "B13.11"
    if is_over(state) or (is_planning(state) and state.turn == 1):
        assert not any(opened(state).pedlars), "B13.11: no Pedlar after step 1 of the end of round"


def check_shops(state: State) -> None:
    """B13.4: a shop holds only its own artisans: 5, 4, 3, 2 tiles in rounds 1-4, and none after the game."""
    for house in range(state.houses):
        shop = [tile for tile in opened(state).shops[house * 5 : house * 5 + 5] if tile]
        assert all(tile // 100 == house + 1 for tile in shop), "B13.4"
        assert len(shop) == (0 if is_over(state) else 6 - state.round), "B13.4"


def check_lodgings(state: State) -> None:
    """B13.5: after set-up A is empty and B-D full; a refill fills windows from the left, as far as the pile goes."""
    if not is_planning(state) or state.turn > 1:
        return
    for house in range(state.houses):
        windows = [tile > 0 for tile in opened(state).lodgings[house * 4 : house * 4 + 4]]
        if state.round == 1:
            assert windows == [False, True, True, True], "B13.5"
        else:
            assert windows == sorted(windows, reverse=True), "B13.5"
            assert all(windows) or not opened(state).pile, "B13.5"


def check_blazons(state: State) -> None:
    """B13.7: 4 prestige blazons in all, one leaves the stock per round; guild blazons are on the stack or owned."""
    prestige = state.prestige_stock + state.prestige_placed + state.prestige_boxed + sum(opened(state).prestige)
    assert prestige == 4, "B13.7"
    assert state.prestige_stock == 4 - state.round, "B13.7"
    assert state.prestige_placed == (0 if is_over(state) else 1), "B13.7"
    for house in range(state.houses):
        owned = sum(opened(state).blazons[house :: state.houses])
        assert owned + opened(state).stacks[house] == 4, "B13.7"
        assert owned <= (4 if is_over(state) else state.round - 1), "B13.7: one for each round with a favourite"


def check_decisions(state: State) -> None:
    """B13.14: NOTHING and PASS are always offered."""
    for decision in GAME.pending(state):
        names = [type(action).__name__ for action in GAME.legal_actions(state, decision.seat)]
        assert names, "B13.14"
        if decision.kind in ("PLAN", "ACT"):
            assert names[0] in ("PassRound", "DoNothing"), "B13.14"


def count_talers(totals: list[int], events: Sequence[Event]) -> None:
    """B12.2: add to the totals every taler that the events say has moved."""
    for event in events:
        match event:
            case GoodsSold(seat, talers=talers) | BonusPaid(seat, talers=talers):
                totals[seat] += talers
            case GoodsBought(seat, talers=talers):
                totals[seat] -= talers
            case GoodsStolen(victim=victim, talers=talers):
                totals[victim] += talers
            case IncomePaid(income):
                for seat, talers in enumerate(income):
                    totals[seat] += talers
            case _:
                pass


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """Redeal what the seat cannot know: plans of others (B12.3), pile and set-up box (B12.5)."""
    twin = GAME.clone(state)
    for other in range(twin.seats):
        if other != seat:
            deal_plan(twin, other, rng)
    deal_pile(twin, rng)
    twin.word = rng.next64()
    return twin


def deal_plan(twin: State, other: Seat, rng: Rng) -> None:
    later = list(range(twin.called + 1, twin.houses))
    rng.shuffle(later)
    opened(twin).plans[other] = sum(1 << house for house in later[: opened(twin).plans[other].bit_count()])


def deal_pile(twin: State, rng: Rng) -> None:
    """Artisans and returned citizens in the pile are known to be there; the other citizens could be in the box."""
    known = Counter(opened(twin).returned)
    unknown = list(opened(twin).boxed)
    places = []
    for index, tile in enumerate(opened(twin).pile):
        if tile >= FIRST_CITIZEN:
            if known[tile]:
                known[tile] -= 1
            else:
                unknown.append(tile)
                places.append(index)
    rng.shuffle(unknown)
    for index in places:
        opened(twin).pile[index] = unknown.pop()
    opened(twin).boxed = unknown
    pile = list(opened(twin).pile)
    rng.shuffle(pile)
    opened(twin).pile = pile


class Bookkeeper:
    """B12.2, B12.3: the talers of all, the cards that each has still to reveal, and the tiles that were ever shown."""

    def __init__(self, first: View, seat: Seat) -> None:
        self.seat, self.houses = seat, first.guild_count
        self.talers = [25] * first.seat_count
        self.cards = [0] * first.seat_count
        self.called = 0
        self.returned: Counter[int] = Counter()

    def hear(self, event: Event) -> None:
        count_talers(self.talers, [event])
        match event:
            case PlansLaid(counts):
                self.cards, self.called = [max(count, 0) for count in counts], 0
            case GuildCalled(guild, revealed):
                self.called = guild
                for seat in revealed:
                    self.cards[seat] -= 1
            case CitizenReturned(tile):
                self.returned[tile] += 1
            case LodgingRefilled():
                self.returned.clear()  # the pile has been drawn from: what of it is left is not followed here
            case _:
                pass

    def check(self, state: State) -> None:
        assert opened(state).talers == self.talers, "B12.6"
        for plan, count in zip(opened(state).plans, self.cards, strict=True):
            assert plan.bit_count() == count, "B12.3"
            assert plan % (1 << self.called) == 0, "B12.3: no guild up to the called one is planned any more"
        assert self.returned <= Counter(opened(state).pile), "B12.2"


CASE = ContractCase(
    game=GAME,
    configurations=tuple(Configuration(seats) for seats in GAME.table_sizes),
    max_choices=max_choices,
    check_invariants=check_invariants,
    scramble=scramble,
    remember=Bookkeeper,
)
