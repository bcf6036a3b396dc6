"""B13 Invariants over random play, those that need more than one state included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game import Decision, Seat
from referee.games.norenberc.actions import Action, PlanGuilds
from referee.games.norenberc.events import (
    BonusPaid,
    Event,
    FavouriteChosen,
    GoodsBought,
    GoodsSold,
    GoodsStolen,
    IncomePaid,
    TurnOrderChanged,
)
from referee.games.norenberc.game import GAME
from referee.games.norenberc.state import State
from referee.rng import Rng, seeded
from tests.rules.norenberc.builders import opened
from tests.rules.norenberc.contract_case import check_invariants, is_planning, max_choices

SEATS = (2, 3, 4, 5)
MATCHES = range(4)


@dataclass(frozen=True)
class Move:
    """One step of a match: the state before it, what was chosen, what happened, and the state after it."""

    before: State
    choices: dict[Seat, Action]
    events: Sequence[Event]
    after: State


def random_match(seats: int, seed: int) -> Iterator[Move]:
    rng = seeded(seed).fork("choices")
    state = GAME.new(seats, seed, GAME.options({}))
    while pending := GAME.pending(state):
        before = GAME.clone(state)
        choices = {decision.seat: choose(state, decision, rng) for decision in pending}
        yield Move(before, choices, GAME.apply(state, choices), state)


def choose(state: State, decision: Decision, rng: Rng) -> Action:
    return rng.choice(list(GAME.legal_actions(state, decision.seat)))


every_table = pytest.mark.parametrize("seats", SEATS)


@every_table
def test_B13_1_to_B13_5_hold_after_every_move(seats: int) -> None:
    """B13.1 goods, B13.2 agents, B13.3 tiles, B13.4 shops, B13.5 lodgings, B13.7, B13.10, B13.11 and B13.14."""
    for seed in MATCHES:
        made = 0
        for move in random_match(seats, seed):
            check_invariants(move.after)
            made += len(move.choices)
        assert made <= max_choices(seats)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10**9), st.lists(st.integers(0, 10**6), max_size=60))
def test_B13_14_every_offered_option_can_be_carried_out(seats: int, seed: int, picks: list[int]) -> None:
    state = GAME.new(seats, seed, GAME.options({}))
    for pick in picks:
        pending = GAME.pending(state)
        if not pending:
            break
        defaults = {decision.seat: GAME.default_action(state, decision.seat) for decision in pending}
        decision = pending[pick % len(pending)]
        options = GAME.legal_actions(state, decision.seat)
        for option in options[:: max(1, len(options) // 8)]:
            twin = GAME.clone(state)
            GAME.apply(twin, {**defaults, decision.seat: option})
            check_invariants(twin)
        chosen = {
            other.seat: GAME.legal_actions(state, other.seat)[pick % len(GAME.legal_actions(state, other.seat))]
            for other in pending
        }
        GAME.apply(state, chosen)
        check_invariants(state)


@every_table
def test_B13_2_the_agents_at_the_start_of_a_round_never_become_fewer(seats: int) -> None:
    for seed in MATCHES:
        supplies = [[4] * seats]
        for move in random_match(seats, seed):
            if move.after.round > len(supplies):
                supplies.append(opened(move.after).supply[:])
        assert len(supplies) == 4
        for earlier, later in pairwise(supplies):
            assert all(few <= many for few, many in zip(earlier, later, strict=True))


@every_table
def test_B13_6_every_taler_is_accounted_for(seats: int) -> None:
    """Total talers = 25 x n + sales + hiring bonuses + compensations + income - purchases."""
    for seed in MATCHES:
        expected = 25 * seats
        for move in random_match(seats, seed):
            for event in move.events:
                match event:
                    case GoodsSold() | BonusPaid() | GoodsStolen():
                        expected += event.talers
                    case GoodsBought():
                        expected -= event.talers
                    case IncomePaid():
                        expected += sum(event.talers)
            assert sum(opened(move.after).talers) == expected


@every_table
def test_B13_7_prestige_moves_on_and_blazons_count_favourites(seats: int) -> None:
    for seed in MATCHES:
        guilds: list[int] = []
        favours = [0] * 6
        for move in random_match(seats, seed):
            guilds += [move.before.prestige_house] if len(guilds) < move.before.round else []
            for event in move.events:
                if isinstance(event, FavouriteChosen):
                    favours[event.guild - 1] += 1
            owned = [sum(opened(move.after).blazons[house :: move.after.houses]) for house in range(move.after.houses)]
            assert owned == favours[: move.after.houses]
        assert len(guilds) == 4
        assert all(first != second for first, second in pairwise(guilds))


@every_table
def test_B13_8_the_track_changes_only_by_one_player_moving_first(seats: int) -> None:
    for seed in MATCHES:
        for move in random_match(seats, seed):
            if opened(move.before).track == opened(move.after).track:
                continue
            (change,) = [event for event in move.events if isinstance(event, TurnOrderChanged)]
            rest = [seat for seat in opened(move.before).track if seat != change.seat]
            assert opened(move.after).track == [change.seat, *rest]


@every_table
def test_B13_9_a_turn_adds_one_agent_per_planned_guild_to_the_roofs(seats: int) -> None:
    for seed in MATCHES:
        roofs = [0]
        planned: dict[Seat, tuple[int, ...]] = {}
        for move in random_match(seats, seed):
            if is_planning(move.before):
                roofs = opened(move.before).on_roofs
                planned = {
                    seat: choice.guilds if isinstance(choice, PlanGuilds) else ()
                    for seat, choice in move.choices.items()
                }
            is_turn_over = move.after.turn > move.before.turn and move.after.round == move.before.round
            if is_turn_over:
                for seat in range(seats):
                    for house in range(move.after.houses):
                        added = opened(move.after).on_roofs[seat * move.after.houses + house]
                        added -= roofs[seat * move.after.houses + house]
                        assert added == (house + 1 in planned.get(seat, ()))


@every_table
def test_B0_5_the_same_seed_and_decisions_give_the_same_game(seats: int) -> None:
    first = [(GAME.digest(move.after), move.events) for move in random_match(seats, 9)]
    second = [(GAME.digest(move.after), move.events) for move in random_match(seats, 9)]
    assert first == second


@every_table
def test_B4_3_choices_in_any_order_give_the_same_state_and_events(seats: int) -> None:
    for move in random_match(seats, 3):
        if len(move.choices) > 1:
            twin = GAME.clone(move.before)
            events = GAME.apply(twin, dict(reversed(move.choices.items())))
            assert events == move.events
            assert GAME.digest(twin) == GAME.digest(move.after)


@every_table
def test_B0_4_nothing_comes_back_from_the_box(seats: int) -> None:
    for seed in MATCHES:
        for move in random_match(seats, seed):
            assert opened(move.after).boxed == opened(move.before).boxed
            assert opened(move.after).discards[: len(opened(move.before).discards)] == opened(move.before).discards
            assert move.after.prestige_boxed >= move.before.prestige_boxed
