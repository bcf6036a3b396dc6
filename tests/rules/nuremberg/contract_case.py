"""What the contract tests need to know about Die Siedler von Nürnberg."""

from __future__ import annotations

from itertools import pairwise

from referee.game import Seat
from referee.games.nuremberg.components import CARD_EVENTS as EVENTS
from referee.games.nuremberg.components import DATA, EventKind, Road
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import AskPick, AskReply, MainPhase, State
from referee.rng import Rng
from tests.contract.case import Configuration, ContractCase

CARDS_OF_A_KIND = 20
GOLD_CHIPS = 146
TURNS = 108
LENGTHS = (9, 9, 9, 7, 7)
STARTS = (0, 9, 18, 27, 34)
COUNCIL_POINTS = (4, 3, 2)
NUMBERED = [number for number, land in enumerate(DATA["landscape"]) if land["number"]]
CASTLE = 27


def most_choices(seats: int) -> int:
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
    assert sorted(state.deck + state.discard) == list(range(36))  # N11 8
    years = sum(1 for card in state.discard if EVENTS[card] is EventKind.YEARS)
    assert years == state.year % 3 or (state.year == 9 and years == 3)
    assert 0 <= state.year <= 9  # N11 9
    assert state.turn <= TURNS
    assert len(state.discard) <= 36
    assert state.robber == CASTLE or state.robber in NUMBERED  # N11 10
    view = GAME.observe(state, None)  # N11 11
    for seat in seats:
        owned = state.site_owners.count(seat) + state.workshops[seat].bit_count() + state.wayrights.count(seat)
        card = sum(COUNCIL_POINTS[card] for card, owner in enumerate(state.council) if owner == seat)
        assert view.points[seat] == owned + card
    if state.agenda.steps and isinstance(state.agenda.now(), MainPhase):
        assert view.points[state.active] < 13
    assert state.main_actions <= 50
    assert state.proposals <= 5


def _check_goods(state: State) -> None:
    """N11 1 and 2: nothing is negative, nothing is lost."""
    assert min(state.bank + state.hands) >= 0
    for kind in range(5):
        assert state.bank[kind] + sum(state.hands[kind::6]) == CARDS_OF_A_KIND
    assert state.bank[5] + sum(state.hands[5::6]) == GOLD_CHIPS


def _check_city(state: State) -> None:
    """N11 3, and one workshop a corner (4)."""
    due = sum(getattr(step, "chip_count", 0) for step in state.agenda.steps)
    assert sum(state.prestige) + due == state.walls + 2 * state.towers
    assert state.walls <= 26
    open_sites = sum(1 for tower in DATA["tower"] if all(wall <= state.walls for wall in tower["walls"]))
    assert state.towers <= open_sites <= 16
    for corner in range(12):
        assert sum(corners >> corner & 1 for corners in state.workshops) <= 1
    assert all(corners.bit_count() <= 4 for corners in state.workshops)


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
        assert state.bar_owners.count(seat) <= 15
        assert state.settlements[seat] == state.site_owners.count(seat) <= 5


def _check_council(state: State) -> None:
    """N11 7, as far as one state shows it."""
    in_use = (0, 1, 2) if state.seats == 4 else (0, 2)
    owners = [owner for owner in state.council if owner >= 0]
    assert len(owners) == len(dict.fromkeys(owners))
    assert all(state.council[card] == -1 for card in range(3) if card not in in_use)
    assert all(state.prestige[owner] >= 3 for owner in owners)
    assert len(owners) == min(len(in_use), sum(1 for chips in state.prestige if chips >= 3))


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """N10.2 to N10.4: deal the unseen hands anew, each of its old size, reshuffle the deck, change all chance.

    An open trade is public and tells what its proposer and whoever accepted or countered must hold.
    """
    twin = GAME.clone(state)
    others = [other for other in range(twin.seats) if other != seat]
    fixed = {other: [0] * 5 for other in others}
    now = twin.agenda.steps[-1] if twin.agenda.steps else None
    if isinstance(now, AskReply | AskPick):
        for promiser, held in [(twin.active, now.give), *((reply.seat, reply.want) for reply in now.replies)]:
            if promiser in fixed and held:
                fixed[promiser] = list(held[:5])
    pool: list[int] = []
    sizes = {}
    for other in others:
        hand = twin.hands[other * 6 : other * 6 + 5]
        sizes[other] = sum(hand) - sum(fixed[other])
        for kind in range(5):
            pool += [kind] * (hand[kind] - fixed[other][kind])
        twin.hands[other * 6 : other * 6 + 5] = fixed[other]
    rng.shuffle(pool)
    for other in others:
        for _ in range(sizes[other]):
            twin.hands[other * 6 + pool.pop()] += 1
    rng.shuffle(twin.deck)
    twin.deck_rng = Rng(rng.next64())
    twin.card_rng = Rng(rng.next64())
    return twin


CASE = ContractCase(
    game=GAME,
    configurations=(
        Configuration(4),
        Configuration(3),
        Configuration(4, {"setup": "advanced"}),
        Configuration(3, {"setup": "advanced"}),
    ),
    most_choices=most_choices,
    check_invariants=check_invariants,
    scramble=scramble,
)
