"""F14: what must hold over any course of play, and the bounds of F12."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clone import shared
from referee.game import Decision
from referee.games.furstenfeld.actions import Action, BuildCard
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.events import CardBuilt, Event, GoodsSold, IncomeReceived, RoundStarted
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.state import State
from referee.playout import random_chooser
from referee.rng import seeded
from tests.rules.furstenfeld.builders import demand_of, new_game, order_of, placed_of, players, prices_of, set_order
from tests.rules.furstenfeld.contract_case import PARTS, check_invariants, max_choices

Chooser = Callable[[State, Decision, Sequence[Action]], Action]

tables = st.tuples(st.integers(2, 5), st.sampled_from(["basic", "advanced"]), st.integers(0, 10**6))
some_games = settings(max_examples=8, deadline=None, derandomize=True)


def drawn(numbers: list[int]) -> Chooser:
    """Choose by these integers, over and over."""
    position = 0

    def choose(_state: State, _decision: Decision, options: Sequence[Action]) -> Action:
        nonlocal position
        position += 1
        return options[(numbers[position % len(numbers)] + position) % len(options)]

    return choose


def by_chance(seed: int) -> Chooser:
    chooser = random_chooser(seeded(seed))

    def choose(_state: State, decision: Decision, options: Sequence[Action]) -> Action:
        action: Action = chooser(decision, options)
        return action

    return choose


def palace_minded(seed: int) -> Chooser:
    """Sell everything, build palace parts when there are any and now and then something else."""
    rng = seeded(seed)

    def choose(state: State, decision: Decision, options: Sequence[Action]) -> Action:
        if decision.kind == "build":
            parts = [action for action in options if isinstance(action, BuildCard) and action.card.value in PARTS]
            if parts:
                return rng.choice(parts)
            return rng.choice(list(options)) if rng.index(3) == 0 else options[0]
        if decision.kind == "discard":
            return options[0]
        return GAME.default_action(state, decision.seat)

    return choose


@dataclass
class Course:
    """What is remembered of a round to compare moments."""

    money: list[int] = field(default_factory=list)
    prices: list[int] = field(default_factory=list)
    magistrates: list[bool] = field(default_factory=list)
    income: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    built: dict[int, int] = field(default_factory=dict)
    sales: dict[int, int] = field(default_factory=dict)


def begin(state: State) -> Course:
    return Course(
        money=[player.money for player in players(state)],
        prices=prices_of(state)[:],
        magistrates=[Card.MAGISTRATE.value in player.lots for player in players(state)],
    )


def watch(course: Course, event: Event) -> None:
    """Note one event and hold F14.4, F14.8 and F14.9 against it."""
    match event:
        case IncomeReceived(seat=seat):
            assert seat not in course.income
            course.income[seat] = event.income
            lowered = max(0, event.income - 3)
            assert event.marker == (lowered if course.magistrates[seat] else event.income)
        case GoodsSold(seat=seat):
            course.sales[seat] = course.sales.get(seat, 0) + 1
            assert course.sales[seat] == 1
        case CardBuilt(seat=seat):
            course.built[seat] = course.built.get(seat, 0) + 1
            assert course.built[seat] <= 2
            course.paid[seat] = course.paid.get(seat, 0) + event.cost
            if event.card.value in PARTS:
                assert 6 <= event.cost <= 18
        case _:
            pass


def play_and_check(state: State, choose: Chooser) -> State:
    """Play to the end, and check after every choice all that F14 says of one state or of two moments."""
    check_invariants(state)
    course = begin(state)
    made = 0
    while pending := GAME.pending(state):
        before = GAME.clone(state)
        choices = {d.seat: choose(state, d, GAME.legal_actions(state, d.seat)) for d in pending}
        made += len(choices)
        events = GAME.apply(state, choices)
        check_invariants(state)
        check_parts_stay(before, state)
        for event in events:
            if isinstance(event, RoundStarted):
                check_phase_six(before, course, state)
                check_money(course, state)
                check_order(before, state)
                course = begin(state)
            else:
                watch(course, event)
        if before.round_number == state.round_number:
            check_phase_three(before, course, state)
    check_money(course, state)
    assert made <= max_choices(len(players(state)))
    return state


def check_parts_stay(before: State, after: State) -> None:
    """F14.5: a lot that shows a palace part shows it for ever."""
    for old, new in zip(players(before), players(after), strict=True):
        for was, shows in zip(old.lots, new.lots, strict=True):
            assert was not in PARTS or shows == was


def check_money(course: Course, state: State) -> None:
    """F14.3: money after a round = money before + income - costs paid."""
    for seat, player in enumerate(players(state)):
        assert player.money == course.money[seat] + course.income.get(seat, 0) - course.paid.get(seat, 0)


def check_order(before: State, after: State) -> None:
    """F14.9, F3.6: a permutation, by marker; among equals the later of the round before comes first."""
    keys = [(players(before)[seat].marker, -order_of(before).index(seat)) for seat in order_of(after)]
    if before.round_number:
        assert keys == sorted(keys)


def check_phase_three(before: State, course: Course, after: State) -> None:
    """F14.10, F14.11: in phase 3 no price rises, and a price is below its start only where the demand is filled."""
    for at, price in enumerate(prices_of(after)):
        assert price <= prices_of(before)[at]
        assert price == course.prices[at] or placed_of(after)[at] == demand_of(after)[at]


def check_phase_six(before: State, course: Course, after: State) -> None:
    """F14.10: in phase 6 no price falls; from 0 at the start of a round it rises to min(3, demand)."""
    for at, price in enumerate(prices_of(after)):
        assert price >= prices_of(before)[at]
        if before.round_number and course.prices[at] == 0:
            assert price == min(3, demand_of(before)[at])


@some_games
@given(table=tables, numbers=st.lists(st.integers(0, 60), min_size=5, max_size=40))
def test_F14_every_invariant_holds_over_any_play(table: tuple[int, str, int], numbers: list[int]) -> None:
    """F14.1 to F14.11, F14.13, F14.14: checked after every choice of games drawn from numbers."""
    seats, variant, seed = table
    play_and_check(new_game(seats, variant, seed), drawn(numbers))


@some_games
@given(table=tables)
def test_F14_every_invariant_holds_over_random_play(table: tuple[int, str, int]) -> None:
    """F14.1 to F14.11, F14.13, F14.14, with every option equally likely."""
    seats, variant, seed = table
    play_and_check(new_game(seats, variant, seed), by_chance(seed))


def test_F14_14_games_end_by_a_palace_and_by_the_round_limit() -> None:
    reasons = set()
    for variant in ("basic", "advanced"):
        for seats in (2, 3, 5):
            outcome = GAME.outcome(play_and_check(new_game(seats, variant, seats), palace_minded(seats)))
            assert outcome is not None
            reasons.add(outcome.reason)
    idle = new_game(2)
    outcome = GAME.outcome(play_and_check(idle, lambda state, d, _options: GAME.default_action(state, d.seat)))
    assert outcome is not None
    assert idle.round_number == 40
    assert reasons | {outcome.reason} == {"palace", "round_limit"}


@some_games
@given(table=tables)
def test_F14_7_a_hand_is_only_empty_after_discarding_if_it_was_before(table: tuple[int, str, int]) -> None:
    seats, variant, seed = table
    state = new_game(seats, variant, seed)
    choose = by_chance(seed)
    for _ in range(300):
        pending = GAME.pending(state)
        if not pending:
            break
        held = [len(player.hand) for player in players(state)]
        GAME.apply(state, {d.seat: choose(state, d, GAME.legal_actions(state, d.seat)) for d in pending})
        if pending[0].kind == "discard":
            assert held[pending[0].seat] >= 2
            assert len(players(state)[pending[0].seat].hand) >= 1


def test_clones_share_nothing() -> None:
    state = new_game(3, "advanced", 5)
    assert shared(state, GAME.clone(state)) is None


def test_F14_12_the_digest_covers_everything() -> None:
    """Whatever is changed in a state, its digest changes."""
    state = new_game(3, "advanced", 5)
    digests = [GAME.digest(state)]
    for name in ("money", "income", "marker", "unseen"):
        twin = GAME.clone(state)
        setattr(players(twin)[1], name, getattr(players(twin)[1], name) + 1)
        digests.append(GAME.digest(twin))
    for name in ("goods", "lots"):
        twin = GAME.clone(state)
        getattr(players(twin)[2], name)[1] = 7
        digests.append(GAME.digest(twin))
    for name in ("hand", "deck", "covered", "scrapped"):
        twin = GAME.clone(state)
        getattr(players(twin)[2], name).append(7)
        digests.append(GAME.digest(twin))
    for row in (placed_of, prices_of, demand_of):
        twin = GAME.clone(state)
        row(twin)[1] += 1
        digests.append(GAME.digest(twin))
    twin = GAME.clone(state)
    players(twin)[0].deck.reverse()
    digests.append(GAME.digest(twin))
    twin = GAME.clone(state)
    set_order(twin, order_of(twin)[::-1])
    digests.append(GAME.digest(twin))
    for name, value in (("round_number", 9), ("palace_parts", 1), ("is_advanced", 0)):
        twin = GAME.clone(state)
        setattr(twin, name, value)
        digests.append(GAME.digest(twin))
    twin = GAME.clone(state)
    twin.agenda_count -= 1
    digests.append(GAME.digest(twin))
    assert len(set(digests)) == len(digests) == 20


def test_F14_12_the_same_decisions_give_the_same_log_and_nothing_is_random_after_set_up() -> None:
    logs = []
    for _ in range(2):
        state = new_game(4, "advanced", 77)
        choose = by_chance(5)
        log = [GAME.digest(state)]
        for _ in range(400):
            choices = {d.seat: choose(state, d, GAME.legal_actions(state, d.seat)) for d in GAME.pending(state)}
            log += [repr(event) for event in GAME.apply(state, choices)]
            log.append(GAME.digest(state))
        logs.append(log)
    assert logs[0] == logs[1]
