"""N8, N11: what must hold in every game, over random play."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.games.nuremberg.actions import (
    Action,
    BuildFreeWall,
    BuildSettlement,
    BuildTollBar,
    BuildTower,
    BuildWall,
    BuildWorkshop,
    DiscardCards,
    ProposeTrade,
    SellWare,
    SwapCouncilCard,
)
from referee.games.nuremberg.events import CardsDiscarded, DeckReshuffled, TurnStarted
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import Ending, State, card_count
from referee.rng import Rng, seeded
from tests.rules.nuremberg.builders import accepts, asked, draw, hold, opened
from tests.rules.nuremberg.contract_case import CASE, check_invariants, max_choices

quick = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
tables = st.sampled_from([(configuration.seats, dict(configuration.options)) for configuration in CASE.configurations])


AMBITIONS = (
    SwapCouncilCard,
    BuildFreeWall,
    BuildTower,
    BuildWall,
    BuildWorkshop,
    BuildSettlement,
    SellWare,
    BuildTollBar,
)


def ambitious(options: Sequence[Action], rng: Rng) -> Action:
    """Mostly build what counts most, so that games get far into walls, towers and councils."""
    if rng.index(5):
        for ambition in AMBITIONS:
            wanted = [option for option in options if isinstance(option, ambition)]
            if wanted:
                return wanted[rng.index(len(wanted))]
    return options[rng.index(len(options))]


def play_out(state: State, rng: Rng, *, is_ambitious: bool) -> tuple[int, int]:
    """Play to the end, checking every invariant; return the choices made and the most turns of one deck."""
    made = turns = longest = 0
    year, safe = state.year, dict[int, int]()
    while pending := GAME.pending(state):
        choices: dict[int, Action] = {}
        for decision in pending:
            listed = GAME.legal_actions(state, decision.seat)
            choices[decision.seat] = ambitious(listed, rng) if is_ambitious else listed[rng.index(len(listed))]
        counts = {seat: card_count(state, seat) for seat in choices}
        events = GAME.apply(state, choices)
        check_invariants(state)
        made += len(choices)
        for event in events:
            if isinstance(event, TurnStarted):
                turns += 1
            if isinstance(event, DeckReshuffled):
                turns = 0
            longest = max(longest, turns)
            if isinstance(event, CardsDiscarded):  # N11 12
                assert sum(event.cards) == counts[event.seat] // 2
                kept = counts[event.seat] - sum(event.cards)
                assert kept <= (counts[event.seat] + 1) // 2
        assert state.year >= year  # N11 9
        year = state.year
        for seat, card in safe.items():  # N11 7: a safe card is only given up for a better one
            held = opened(state).council.index(seat)
            assert held <= card
        safe = {
            seat: opened(state).council.index(seat)
            for seat in opened(state).council
            if seat >= 0 and state.prestige[seat] >= 12
        }
    return made, longest


@quick
@given(table=tables, seed=st.integers(0, 10**6), is_ambitious=st.booleans())
def test_N11_every_invariant_holds_and_games_end_within_the_caps(
    table: tuple[int, dict[str, object]], seed: int, is_ambitious: bool
) -> None:
    """N8.1 to N8.3: at most 108 turns, 36 per deck, and the bounded number of choices."""
    seats, mapping = table
    state = GAME.new(seats, seed, GAME.options(mapping))
    made, longest = play_out(state, seeded(seed + 1), is_ambitious=is_ambitious)
    assert made <= max_choices(seats)
    assert longest <= 36
    assert opened(state).ending is Ending.VICTORY or 9 <= state.turn <= 108


def test_N8_1_three_decks_of_36_are_the_longest_game() -> None:
    """With the third `years` card last in every deck and nobody acting, 108 turns are played."""
    state = GAME.new(4, 1, GAME.options({"start_player": "0"}))
    others = list(range(3, 36))
    worst = [*others[:-1], 0, 1, others[-1], 2]
    opened(state).deck = [card for card in worst if card not in opened(state).discard]
    while pending := GAME.pending(state):
        fresh = len(opened(state).deck) == 36
        if fresh:
            opened(state).deck = worst[:]
        GAME.apply(state, {decision.seat: GAME.default_action(state, decision.seat) for decision in pending})
    assert state.turn == 108


def test_N8_1_nine_turns_are_the_shortest_game_by_time() -> None:
    state = GAME.new(3, 1, GAME.options({"start_player": "0"}))
    for turn in range(9):
        draw(state, turn % 3 + 1)
    assert asked(state) == []


def test_N11_12_discards_leave_half_rounded_up() -> None:
    state = GAME.new(3, 3, GAME.options({}))
    hold(state, 0, wood=5, wool=6)
    draw(state, 31)
    action = GAME.default_action(state, 0)
    assert isinstance(action, DiscardCards)
    GAME.apply(state, {0: action})
    assert card_count(state, 0) == 6


@quick
@given(seed=st.integers(0, 10**6), kinds=st.lists(st.integers(0, 5), min_size=1, max_size=20), want=st.integers(0, 5))
def test_N11_13_a_legal_bundle_of_any_shape_can_be_played(seed: int, kinds: list[int], want: int) -> None:
    """Whatever check lets pass keeps every invariant, listed or not."""
    state = GAME.new(4, seed, GAME.options({"start_player": "0"}))
    give = tuple(kinds.count(kind) for kind in range(6))
    wanted = tuple(int(kind == want) for kind in range(6))
    draw(state, 26)
    hold(state, 0, wood=4, wool=4, grain=4, brick=4, ore=4, gold=9)
    hold(state, 2, wood=1, wool=1, grain=1, brick=1, ore=1, gold=1)
    action = ProposeTrade(give, wanted)
    is_lawful = sum(give) <= 10 and not give[want] and max(give[:5]) <= 4 and give[5] <= 9
    assert accepts(state, action) == is_lawful
    if not is_lawful:
        return
    GAME.apply(state, {0: action})
    check_invariants(state)
    while asked(state)[0][0] != "main_action":
        seat = asked(state)[0][1]
        GAME.apply(state, {seat: GAME.legal_actions(state, seat)[-1]})
        check_invariants(state)


def test_N8_3_no_chip_asks_more_than_three_councillors() -> None:
    """Each decider of a cascade has fewer chips than the one before; two chips of a tower may follow directly."""
    most = swaps = 0
    for seed in range(16):
        state = GAME.new(4, seed, GAME.options({}))
        rng, running = seeded(seed), 0
        while pending := GAME.pending(state):
            is_swap = pending[0].kind == "council_swap"
            running = running + 1 if is_swap else 0
            swaps += is_swap
            most = max(most, running)
            GAME.apply(state, {d.seat: ambitious(GAME.legal_actions(state, d.seat), rng) for d in pending})
    assert swaps > 20
    assert most <= 6
