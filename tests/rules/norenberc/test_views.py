"""B12 What each seat may see, and states imagined from it."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.games.norenberc.actions import DoNothing
from referee.games.norenberc.game import GAME
from referee.games.norenberc.state import State
from referee.games.norenberc.view import Phase
from referee.playout import play, random_chooser
from referee.rng import seeded
from tests.rules.norenberc.builders import (
    COUNCILLOR,
    THIEF,
    act,
    all_pass,
    hire,
    new_state,
    opened,
    plan,
    put_guest,
    put_masters,
)
from tests.rules.norenberc.contract_case import check_invariants, count_talers, scramble


def midway() -> State:
    """Three plans are laid, guild 2 is called and seat 0 is about to act."""
    state = new_state(4)
    plan(state, {0: (2, 4), 1: (2, 3, 5), 2: (4,)})
    return state


def test_B12_1_the_board_is_public() -> None:
    """Seats see the same but for their own safe and plan."""
    state = midway()
    views = [GAME.observe(state, seat) for seat in (0, 1, None)]
    public = [
        {name: getattr(view, name) for name in view.__slots__ if name not in ("viewer", "talers", "planned_guilds")}
        for view in views
    ]
    assert public[0] == public[1] == public[2]
    assert views[0].phase is Phase.ACT
    assert (views[0].acting_seat, views[0].called_guild) == (0, 2)
    assert views[0].shops == tuple(opened(state).shops)


def test_B12_2_returned_citizens_are_known_to_be_in_the_pile() -> None:
    state = new_state(2)
    put_guest(state, 1, "A", COUNCILLOR)
    plan(state, {0: (1,)})
    hire(state, "A", 1, 0, 0)
    view = GAME.observe(state, 1)
    assert view.returned_citizens == (COUNCILLOR,)
    assert view.pile_count == len(opened(state).pile)


def test_B12_2_a_citizen_drawn_again_is_no_longer_known_to_be_in_the_pile() -> None:
    state = new_state(2)
    opened(state).boxed = [*opened(state).boxed, *opened(state).pile]
    opened(state).pile = [COUNCILLOR, THIEF]
    opened(state).returned = [THIEF]
    all_pass(state)
    assert THIEF in opened(state).lodgings
    assert opened(state).returned == []


def test_B12_3_counts_of_cards_are_public_and_plans_are_not() -> None:
    state = midway()
    view = GAME.observe(state, 1)
    assert view.planned_counts == (2, 3, 1, 0)
    assert view.uncalled_counts == (1, 2, 1, 0)
    assert view.planned_guilds == (3, 5)
    assert GAME.observe(state, None).planned_guilds == ()


def test_B12_4_only_the_own_talers_are_visible_until_the_end() -> None:
    """B9.1: then all talers are revealed."""
    state = new_state(3)
    opened(state).talers = [5, 6, 7]
    assert GAME.observe(state, 1).talers == (-1, 6, -1)
    assert GAME.observe(state, None).talers == (-1, -1, -1)
    for _ in range(4):
        all_pass(state)
    assert GAME.observe(state, 1).talers == tuple(opened(state).talers)


def test_B12_5_no_view_depends_on_pile_box_or_generator() -> None:
    state = midway()
    twin = GAME.clone(state)
    opened(twin).pile.reverse()
    opened(twin).boxed.reverse()
    twin.word += 1
    for seat in (0, 3, None):
        assert GAME.observe(twin, seat) == GAME.observe(state, seat)


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_B13_13_states_that_differ_only_in_hidden_things_look_the_same(seat: int | None) -> None:
    rng = seeded(3)
    state = new_state(3)
    for round_number in range(1, 5):
        plan(state, {0: (1, 3), 1: (2, 3), 2: (3, 4)})
        while state.round == round_number and GAME.pending(state)[0].kind == "ACT":
            assert GAME.observe(scramble(state, seat, rng), seat) == GAME.observe(state, seat)
            act(state, DoNothing())
        all_pass(state)


def test_B12_6_every_seat_can_add_up_the_talers_of_all() -> None:
    """Whoever adds the talers of all events to the 25 of the set-up gets the totals that every view carries."""
    state = new_state(4)
    totals = [25] * 4
    for _choices, events in play(GAME, state, random_chooser(seeded(8))):
        count_talers(totals, events)
        for seat in (0, 3, None):
            assert GAME.observe(state, seat).counted_talers == tuple(totals)
        assert totals == opened(state).talers


def test_B12_6_imagined_talers_are_those_of_the_table() -> None:
    state = new_state(3)
    put_masters(state, 7, 7, 7, 7)
    plan(state, {1: (1,)})
    GAME.apply(state, {1: GAME.legal_actions(state, 1)[-1]})
    GAME.apply(state, {1: GAME.legal_actions(state, 1)[-1]})
    assert opened(state).talers[1] < 25
    for number in range(30):
        assert opened(GAME.imagine(GAME.observe(state, 0), 0, seeded(number))).talers == opened(state).talers


def test_imagined_plans_use_only_guilds_that_were_not_called() -> None:
    state = midway()
    for number in range(20):
        twin = GAME.imagine(GAME.observe(state, 0), 0, seeded(number))
        assert opened(twin).plans[0] == opened(state).plans[0]
        assert opened(twin).plans[1].bit_count() == 2
        assert opened(twin).plans[1] & 0b00011 == 0
        check_invariants(twin)


def test_imagined_piles_hold_the_missing_artisans_and_the_returned_citizens() -> None:
    state = new_state(2)
    put_guest(state, 1, "A", THIEF)
    plan(state, {0: (1,), 1: (2,)})
    hire(state, "A", 1, 0, 0)
    GAME.apply(state, {0: GAME.default_action(state, 0)})
    piles = set()
    for number in range(20):
        twin = GAME.imagine(GAME.observe(state, 1), 1, seeded(number))
        check_invariants(twin)
        assert THIEF in opened(twin).pile
        artisans = Counter(tile for tile in opened(twin).pile if tile < COUNCILLOR)
        assert artisans == Counter(tile for tile in opened(state).pile if tile < COUNCILLOR)
        piles.add(tuple(sorted(opened(twin).pile)))
    assert len(piles) > 1
