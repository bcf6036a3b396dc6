"""The contract tests can fail: each fault, put into the toy game on purpose, is caught by the test that names it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from arena_toy.game import Action, CardDrawn, Event, State, Toy, View

from referee.contract import promises as contract
from referee.contract.case import Configuration, ContractCase
from referee.game import Decision, Outcome, Seat
from tests.toy_game.contract_case import CASE

TABLE = Configuration(3, {"rounds": 5})


class LeaksAHand(Toy):
    """The view tells something of what the others hold."""

    def observe(self, state: State, seat: Seat | None) -> View:
        honest = super().observe(state, seat)
        return dataclasses.replace(honest, stock_count=honest.stock_count + 100 * state.hands[0][0])


class LeaksADraw(Toy):
    """Everybody sees which card a seat draws."""

    def witness(self, event: Event, seat: Seat | None) -> Event:
        return event


class LeaksByOptions(Toy):
    """What a seat may choose depends on what it cannot know."""

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        options = super().legal_actions(state, seat)
        other = (seat + 1) % len(state.hands)
        return list(reversed(options)) if state.hands[other][0] % 2 else options


class SharesAHand(Toy):
    """A clone that shares a list with its original."""

    def clone(self, state: State) -> State:
        copy = super().clone(state)
        copy.discards = state.discards
        return copy


class ListsTheIllegal(Toy):
    """An option that the rules refuse."""

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        from arena_toy.game import Bid

        options = list(super().legal_actions(state, seat))
        return [*options, Bid(99)] if isinstance(options[0], Bid) else options


class EndsWithoutOutcome(Toy):
    """Nothing to decide, and no result."""

    def outcome(self, state: State) -> Outcome | None:
        return None


class ImaginesWrongly(Toy):
    """An imagined state that the seat can tell from the real one."""

    def imagine(self, view: View, seat: Seat, rng: Any) -> State:
        imagined = super().imagine(view, seat, rng)
        imagined.points[0] += 1
        return imagined


class ShowsAnImpossiblePrize(Toy):
    """A number beyond its declared range."""

    def observe(self, state: State, seat: Seat | None) -> View:
        return dataclasses.replace(super().observe(state, seat), prize=99)


class ShowsTooManyVetoes(Toy):
    """A list that is longer than declared."""

    def observe(self, state: State, seat: Seat | None) -> View:
        honest = super().observe(state, seat)
        return dataclasses.replace(honest, vetoes=(*honest.vetoes, True))


class ListsMoreThanItSays(Toy):
    """More options than the game says there can be."""

    max_options = 1


class ForgetsBids(Toy):
    """A view without the open bids, and imagined hands that hold cards which were seen to be gone."""

    def observe(self, state: State, seat: Seat | None) -> View:
        return dataclasses.replace(super().observe(state, seat), discards=())


class RedrawsAHand(Toy):
    """Redrawing chance changes what a seat holds."""

    def redraw(self, state: State, rng: Any) -> State:
        world = super().redraw(state, rng)
        if world.stock:
            world.hands[0][0], world.stock[0] = world.stock[0], world.hands[0][0]
        return world


class RedrawsNothing(Toy):
    """Redrawing chance changes nothing."""

    def redraw(self, state: State, rng: Any) -> State:
        return self.clone(state)


class DependsOnOrder(Toy):
    """Choices that count in the order in which they came in."""

    def apply(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        first = next(iter(choices))
        events = super().apply(state, choices)
        state.points[first] += 1
        return events


class ForgetsAField(Toy):
    """A digest that does not see a change."""

    def digest(self, state: State) -> str:
        return "always the same"


class PendsTwice(Toy):
    """One seat asked two questions."""

    def pending(self, state: State) -> tuple[Decision, ...]:
        pending = super().pending(state)
        return (*pending, *pending[:1])


class ListsCodesBackwards(Toy):
    """Codes in another order than the actions that they stand for."""

    def codes(self, state: State, seat: Seat) -> list[int]:
        return [*super().codes(state, seat)][::-1]


class PlaysOutOtherwise(Toy):
    """A playout that throws its dice once too often."""

    def playout(self, state: State, rng: Any, steps: int = 1_000_000, greedy: bool = False) -> int:
        rng.next64()
        return super().playout(state, rng, steps, greedy)


class PlaysOutWithOneDie(Toy):
    """A playout in which all seats throw the dice of the first."""

    def playout_by_seat(self, state: State, dice: Any, steps: int = 1_000_000, noisy: bool = False) -> int:
        return super().playout_by_seat(state, [dice[0]] * len(dice), steps, noisy)


class SaysThatCodesLast(Toy):
    """Codes that are places in a list, called lasting."""

    has_lasting_codes = True


class DeterminizesTheTruth(Toy):
    """A world with the cards that the others really hold."""

    def determinize(self, state: State, seat: int, rng: Any) -> State:
        return self.clone(state)


FAULTS: list[tuple[type[Toy], Callable[[ContractCase, Configuration], None]]] = [
    (LeaksAHand, contract.test_views_do_not_leak),
    (LeaksADraw, contract.test_views_do_not_leak),
    (LeaksByOptions, contract.test_views_do_not_leak),
    (SharesAHand, contract.test_clones_are_equal_and_independent),
    (ForgetsAField, contract.test_clones_are_equal_and_independent),
    (ListsTheIllegal, contract.test_options_are_legal_and_distinct_and_defaults_legal),
    (ShowsAnImpossiblePrize, contract.test_declared_ranges_hold),
    (ShowsTooManyVetoes, contract.test_declared_ranges_hold),
    (ListsMoreThanItSays, contract.test_declared_ranges_hold),
    (EndsWithoutOutcome, contract.test_pending_is_empty_exactly_when_there_is_an_outcome),
    (PendsTwice, contract.test_pending_is_empty_exactly_when_there_is_an_outcome),
    (ImaginesWrongly, contract.test_imagined_states_look_the_same_and_play_on),
    (ForgetsBids, contract.test_no_imagined_state_contradicts_what_the_seat_was_told),
    (RedrawsAHand, contract.test_redrawn_chance_changes_no_view_and_plays_on),
    (RedrawsNothing, contract.test_redrawn_chance_changes_the_match),
    (DependsOnOrder, contract.test_the_order_of_choices_makes_no_difference),
    (ListsCodesBackwards, contract.test_codes_list_and_do_the_same_as_actions),
    (PlaysOutOtherwise, contract.test_a_playout_is_that_of_values),
    (SaysThatCodesLast, contract.test_codes_last_if_the_game_says_so_and_are_rated_as_actions),
    (DeterminizesTheTruth, contract.test_a_determinized_state_is_imagined_from_the_view),
    (PlaysOutWithOneDie, contract.test_a_playout_with_dice_of_every_seat_is_that_of_values),
]


@pytest.mark.parametrize(("faulty", "test"), FAULTS, ids=[f"{fault.__name__}" for fault, _ in FAULTS])
def test_a_fault_is_caught(faulty: type[Toy], test: Callable[[ContractCase, Configuration], None]) -> None:
    test(CASE, TABLE)
    with pytest.raises(Exception):  # noqa: B017, PT011  # whatever way it shows, it must not pass
        test(dataclasses.replace(CASE, game=faulty()), TABLE)


def test_the_draw_that_leaks_is_the_one_that_is_hidden() -> None:
    assert LeaksADraw().witness(CardDrawn(0, 7), 1) == CardDrawn(0, 7)
    assert Toy().witness(CardDrawn(0, 7), 1) == CardDrawn(0, None)
