"""The promises of every game, written once: each function takes a case and one of its configurations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from referee.clone import shared
from referee.codec import codec_for, mismatches
from referee.contract.case import Configuration, ContractCase
from referee.derived_messages import stale
from referee.game import Game, IllegalActionError, Seat, can_imagine, seeds_matter
from referee.heuristic import TO_THE_END, Weight, with_weights
from referee.playout import play, random_chooser, step
from referee.ranges import out_of_range
from referee.rng import Rng, seeded
from referee.values import changed, names_of

SAMPLES = 24  # states checked in each playout of the costlier promises


def fresh(case: ContractCase, configuration: Configuration, seed: int) -> Any:
    return case.game.new(configuration.seats, seed, case.game.options(configuration.options))


def sampled_states(case: ContractCase, configuration: Configuration, seed: int) -> Iterator[Any]:
    """Yield about SAMPLES states spread over one random match, the first and the last included."""
    state = fresh(case, configuration, seed)
    length = sum(1 for _ in play(case.game, case.game.clone(state), random_chooser(seeded(seed))))
    stride = max(1, length // SAMPLES)
    choose = random_chooser(seeded(seed))
    for number in range(length):
        if number % stride == 0:
            yield case.game.clone(state)
        step(case.game, state, choose)
    yield state


def has_unseen_chance(case: ContractCase, configuration: Configuration) -> bool:
    """Return whether chance still falls after the first decision, by what the game declares."""
    game = case.game
    return not game.chance_comes_first and seeds_matter(game, configuration.seats, game.options(configuration.options))


def require_imagine(case: ContractCase) -> None:
    if not can_imagine(case.game):
        pytest.skip(f"{case.game.slug} has no imagine, so it is searched at random")


def test_a_game_describes_itself(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    assert configuration.seats in game.table_sizes
    assert game.preferred_seats in game.table_sizes
    assert game.rules_version >= 1
    with pytest.raises(ValueError, match="seats"):
        game.new(game.table_sizes[-1] + 1, 1, game.options(configuration.options))
    with pytest.raises(ValueError, match="no_such_option"):
        game.options({"no_such_option": 1})


def test_options_are_accepted_as_a_record_writes_them(case: ContractCase, configuration: Configuration) -> None:
    """Every option is written down, defaults included, and read back by the game itself."""
    game, codec = case.game, codec_for(case.game)
    for options in (game.options({}), game.options(configuration.options)):
        read = codec.options.from_plain(codec.options.to_plain(options))
        assert game.options({name: getattr(read, name) for name in names_of(game.types.options)}) == options


def test_secrets_and_chance_are_as_declared(case: ContractCase, configuration: Configuration) -> None:
    """Without secrets all seats know the same, without chance all seeds are one, and an opening is all that is drawn.

    A seat's view may be its own: then it leads to the same world as the others'.
    """
    game = case.game
    options = game.options(configuration.options)
    starts = {game.digest(game.new(configuration.seats, seed, options)) for seed in range(20)}
    assert game.has_chance is not False or len(starts) == 1, "has_chance is False, and two seeds differ"
    assert game.has_chance is not True or len(starts) > 1, "has_chance is True, and 20 seeds are alike"
    if game.has_secrets:
        return
    everything_is_open = not has_unseen_chance(case, configuration)
    for number, state in enumerate(sampled_states(case, configuration, 27)):
        views = [game.observe(state, seat) for seat in range(configuration.seats)]
        if can_imagine(game):
            worlds = {game.digest(game.imagine(view, seat, seeded(number))) for seat, view in enumerate(views)}
            assert len(worlds) == 1, "has_secrets is False, and two seats know different things"
            assert not everything_is_open or worlds == {game.digest(state)}, "something is neither shown nor declared"
        else:
            assert all(view == views[0] for view in views), "has_secrets is False, and two seats see different things"


def test_play_ends_within_the_bound_and_every_invariant_holds(case: ContractCase, configuration: Configuration) -> None:
    for seed in range(3):
        state = fresh(case, configuration, seed)
        case.check_invariants(state)
        choices_made = 0
        for choices, _events in play(case.game, state, random_chooser(seeded(seed + 100))):
            choices_made += len(choices)
            assert choices_made <= case.max_choices(configuration.seats)
            case.check_invariants(state)


def test_pending_is_empty_exactly_when_there_is_an_outcome(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    state = fresh(case, configuration, 11)
    choose = random_chooser(seeded(11))
    while pending := game.pending(state):
        assert game.outcome(state) is None
        seats = [decision.seat for decision in pending]
        assert seats == sorted(set(seats)), "decisions come in seat order, one per seat"
        assert set(seats) <= set(range(configuration.seats)), "a seat is asked that is not at the table"
        step(game, state, choose)
    outcome = game.outcome(state)
    assert outcome is not None
    assert len(outcome.ranks) == len(outcome.scores) == configuration.seats
    assert all(type(number) is int for number in (*outcome.ranks, *outcome.scores)), "whole numbers are expected"
    assert sorted(outcome.ranks)[0] == 1
    for rank in outcome.ranks:  # competition ranks: 1, 2, 2, 4
        assert rank == 1 + sum(other < rank for other in outcome.ranks)
    assert game.scores_so_far(state) in (None, outcome.scores), "at the end nothing is missing from the scores so far"
    if game.compares_scores:  # T11.5
        assert min(outcome.scores) >= 0
        behind = [seat for seat, rank in enumerate(outcome.ranks) if rank > 1]  # a win may have a reason of its own
        by_rank = [outcome.scores[seat] for seat in sorted(behind, key=lambda seat: outcome.ranks[seat])]
        assert by_rank == sorted(by_rank, reverse=True), "the better ranked of two has no fewer points"


def test_options_are_legal_and_distinct_and_defaults_legal(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    for state in sampled_states(case, configuration, 5):
        for decision in game.pending(state):
            options = game.legal_actions(state, decision.seat)
            assert len(options) > 0
            assert len({repr(action) for action in options}) == len(options), "an option is listed twice"
            before = game.digest(state)
            for action in options:
                game.check(state, decision.seat, action)
            game.check(state, decision.seat, game.default_action(state, decision.seat))
            assert game.digest(state) == before, "asking changed the state"
            assert game.legal_actions(state, decision.seat) == options


def test_declared_ranges_hold(case: ContractCase, configuration: Configuration) -> None:
    """Numbers, lists and the list of options stay within the bounds that the types and the game declare."""
    game, seats, most = case.game, configuration.seats, case.game.max_options
    for state in sampled_states(case, configuration, 17):
        for seat in (None, *range(seats)):
            assert list(out_of_range(game.observe(state, seat), seats)) == []
        for decision in game.pending(state):
            options = game.legal_actions(state, decision.seat)
            assert most is None or len(options) <= most
            assert [fault for option in options for fault in out_of_range(option, seats)] == []


def test_the_house_can_play_safe_defaults_to_the_end(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    state = fresh(case, configuration, 9)
    made = 0
    while choices := legal_choices(case, state):
        game.apply(state, choices)
        made += len(choices)
        assert made <= case.max_choices(configuration.seats)
    assert game.outcome(state) is not None


def sampled_actions(case: ContractCase, configuration: Configuration, count: int) -> list[Any]:
    """Return about this number of different actions from all over a match."""
    seen: dict[str, Any] = {}
    for state in sampled_states(case, configuration, 6):
        for decision in case.game.pending(state):
            for action in list(case.game.legal_actions(state, decision.seat))[:40]:
                seen.setdefault(repr(action), action)
    return list(seen.values())[:: max(1, len(seen) // count)]


def test_an_action_of_another_moment_is_refused_with_a_reason(case: ContractCase, configuration: Configuration) -> None:
    """Every action of a match is tried at other moments: it is legal there or refused, and never crashes."""
    game, foreign, refused = case.game, sampled_actions(case, configuration, 60), 0
    for state in sampled_states(case, configuration, 7):
        for decision in game.pending(state):
            before = game.digest(state)
            for action in foreign:
                try:
                    game.check(state, decision.seat, action)
                except IllegalActionError as error:
                    refused += 1
                    assert error.clause
                    assert error.reason
                    assert action not in game.legal_actions(state, decision.seat)
                else:
                    game.apply(game.clone(state), legal_choices(case, state) | {decision.seat: action})
            assert game.digest(state) == before
    assert refused > 0 or is_all_legal(case, configuration, foreign), "an action was accepted that is not listed"


def is_all_legal(case: ContractCase, configuration: Configuration, actions: list[Any]) -> bool:
    """Return whether all of these actions are listed at every moment, so that there is nothing to refuse."""
    return all(
        action in case.game.legal_actions(state, decision.seat)
        for state in sampled_states(case, configuration, 7)
        for decision in case.game.pending(state)
        for action in actions
    )


class Nonsense:
    """An object that can neither be shown nor compared."""

    __hash__ = None  # type: ignore[assignment]  # as of any class that says what is equal

    def __repr__(self) -> str:
        raise RuntimeError("there is nothing to show")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("there is nothing to compare")


STRANGE: tuple[Any, ...] = (1.5, b"", [], {}, object(), int, Nonsense())  # what no field of an action can hold


def spoilt_copies(action: Any) -> Iterator[Any]:
    """Yield copies of an action with something strange in one field, as far as its class lets them be made."""
    for name in names_of(type(action)):
        for strange in STRANGE:
            try:
                copy = changed(action, **{name: strange})
            except Exception:  # a class may check its fields itself, in its own way
                continue
            if getattr(copy, name) is strange:
                yield copy


def test_check_refuses_any_object_that_is_not_an_action(case: ContractCase, configuration: Configuration) -> None:
    """From a caller in the same process: nothing, texts, lists, classes, views, and actions that hold such things."""
    game = case.game
    for state in sampled_states(case, configuration, 28):
        before = game.digest(state)
        for decision in game.pending(state):
            listed = {type(action): action for action in game.legal_actions(state, decision.seat)}
            spoilt = [each for action in listed.values() for each in spoilt_copies(action)]
            view = game.observe(state, decision.seat)
            for item in (None, 7, "nonsense", (), *STRANGE, *listed, *spoilt, view, decision):
                with pytest.raises(IllegalActionError) as error:
                    game.check(state, decision.seat, item)
                assert error.value.clause
                assert error.value.reason
        assert game.digest(state) == before


def legal_choices(case: ContractCase, state: Any) -> dict[Seat, Any]:
    return {decision.seat: case.game.default_action(state, decision.seat) for decision in case.game.pending(state)}


def test_events_before_the_first_decision_are_told(case: ContractCase, configuration: Configuration) -> None:
    """`begin` is `new` with the events before it; they are shown and sent like any others."""
    game, codec = case.game, codec_for(case.game)
    state, events = game.begin(configuration.seats, 18, game.options(configuration.options))
    assert game.digest(state) == game.digest(fresh(case, configuration, 18))
    for event in events:
        for seat in (*range(configuration.seats), None):
            seen = game.witness(event, seat)
            if seen is not None:
                assert codec.event.decode(codec.event.encode(seen)) == seen
                assert game.describe(seen)


def test_a_seat_that_is_not_asked_is_refused(case: ContractCase, configuration: Configuration) -> None:
    """Another seat, a missing seat, any seat after the end: no options, no default and no answer."""
    game = case.game
    action: Any = None
    for state in sampled_states(case, configuration, 19):
        asked = {decision.seat for decision in game.pending(state)}
        if asked:
            action = game.default_action(state, min(asked))
        before = game.digest(state)
        for seat in (*range(configuration.seats), -1, configuration.seats, 99):
            if seat in asked:
                continue
            for question, more in ((game.check, (action,)), (game.legal_actions, ()), (game.default_action, ())):
                with pytest.raises(IllegalActionError) as error:
                    question(state, seat, *more)
                assert error.value.clause
                assert str(seat) in error.value.reason
        assert game.digest(state) == before


def test_a_missing_seat_has_no_view(case: ContractCase, configuration: Configuration) -> None:
    for state in sampled_states(case, configuration, 20):
        for seat in (-1, configuration.seats, 99):
            with pytest.raises(ValueError, match=str(seat)):
                case.game.observe(state, seat)


def test_refused_choices_change_nothing(case: ContractCase, configuration: Configuration) -> None:
    """`apply` refuses what `check` refuses, and choices of too few, too many or other seats."""
    game, foreign = case.game, [*sampled_actions(case, configuration, 12), None, "nonsense", 7]
    for state in sampled_states(case, configuration, 22):
        choices = legal_choices(case, state)
        wrong: list[dict[Any, Any]] = [{}, {-1: foreign[0]}, {**choices, 99: foreign[0]}]
        for seat in choices:
            wrong.append({other: action for other, action in choices.items() if other != seat})
            wrong += [{**choices, seat: action} for action in foreign if is_refused(case, state, seat, action)]
        before = game.digest(state)
        for refused in wrong:
            with pytest.raises((IllegalActionError, ValueError)):
                game.apply(state, refused)
            assert game.digest(state) == before


def is_refused(case: ContractCase, state: Any, seat: Seat, action: Any) -> bool:
    try:
        case.game.check(state, seat, action)
    except IllegalActionError:
        return True
    return False


def test_clones_are_equal_and_independent(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    for state in sampled_states(case, configuration, 8):
        copy = game.clone(state)
        assert shared(state, copy) is None
        before = game.digest(state)
        assert game.digest(copy) == before
        if game.pending(copy):
            step(game, copy, random_chooser(seeded(1)))
            assert game.digest(copy) != before
        assert game.digest(state) == before


def test_the_order_of_choices_makes_no_difference(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    state = fresh(case, configuration, 4)
    choose = random_chooser(seeded(4))
    while pending := game.pending(state):
        choices = {decision.seat: choose(decision, game.legal_actions(state, decision.seat)) for decision in pending}
        backwards = game.clone(state)
        events = game.apply(state, choices)
        assert list(game.apply(backwards, dict(reversed(choices.items())))) == list(events)
        assert game.digest(backwards) == game.digest(state)


def test_codes_list_and_do_the_same_as_actions(case: ContractCase, configuration: Configuration) -> None:
    """`codes` stand for `legal_actions` in their order, both ways, and `apply_codes` does what `apply` does."""
    game = case.game
    state = fresh(case, configuration, 25)
    rng = seeded(25)
    while pending := game.pending(state):
        choices, chosen = {}, {}
        for decision in pending:
            options, codes = list(game.legal_actions(state, decision.seat)), list(game.codes(state, decision.seat))
            assert len(set(codes)) == len(codes), "two options have one code"
            assert [game.action_of(state, decision.seat, code) for code in codes] == options
            place = rng.index(len(options))
            assert game.code_of(state, decision.seat, options[place]) == codes[place]
            choices[decision.seat], chosen[decision.seat] = options[place], codes[place]
        twin = game.clone(state)
        events = game.apply(state, choices)
        assert list(game.apply_codes(twin, chosen)) == list(events)
        assert game.digest(twin) == game.digest(state)


def test_codes_last_if_the_game_says_so_and_are_rated_as_actions(
    case: ContractCase, configuration: Configuration
) -> None:
    """A code stands for one action all through a match; `rate_codes` says what `rate` says."""
    game, heuristic = case.game, case.game.heuristic()
    known: dict[int, Any] = {}
    for state in sampled_states(case, configuration, 29):
        for decision in game.pending(state):
            seat, codes = decision.seat, list(game.codes(state, decision.seat))
            options = list(game.legal_actions(state, seat))
            if game.has_lasting_codes:
                assert [known.setdefault(code, action) for code, action in zip(codes, options, strict=True)] == options
            if heuristic is not None and heuristic.rate_codes is not None:
                assert heuristic.rate_codes(state, seat, codes) == heuristic.rate(state, seat, options)


def test_a_playout_is_that_of_values(case: ContractCase, configuration: Configuration) -> None:
    """`playout` makes the choices that its declaration makes, with the same dice, for some steps and to the end."""
    game = case.game
    for number, state in enumerate(sampled_states(case, configuration, 26)):
        if number % 6:
            continue
        for steps, greedy in ((1, False), (7, False), (TO_THE_END, False), (1, True), (5, True)):
            ours, theirs, dice, same = game.clone(state), game.clone(state), seeded(number), seeded(number)
            assert game.playout(ours, dice, steps, greedy) == Game.playout(game, theirs, same, steps, greedy)
            assert game.digest(ours) == game.digest(theirs)
            assert dice.word == same.word, "as many dice were thrown"
            assert steps < TO_THE_END or not game.pending(ours)


def test_a_playout_with_dice_of_every_seat_is_that_of_values(case: ContractCase, configuration: Configuration) -> None:
    """`playout_by_seat` makes the choices that its declaration makes, and throws the dice of every seat as often."""
    game = case.game
    for number, state in enumerate(sampled_states(case, configuration, 27)):
        if number % 6:
            continue
        for steps, noisy in ((1, False), (TO_THE_END, False), (1, True), (2, True), (8, True)):
            ours, theirs = game.clone(state), game.clone(state)
            dice, same = ([seeded(10 * number + seat) for seat in range(configuration.seats)] for _ in range(2))
            assert game.playout_by_seat(ours, dice, steps, noisy) == Game.playout_by_seat(
                game, theirs, same, steps, noisy
            )
            assert game.digest(ours) == game.digest(theirs)
            assert [each.word for each in dice] == [each.word for each in same], "a seat threw its dice more often"
            assert steps < TO_THE_END or not game.pending(ours)


def test_a_playout_by_heuristics_is_that_of_values(case: ContractCase, configuration: Configuration) -> None:
    """`playout_by_heuristics` makes the choices that its declaration makes, with other weights at every seat."""
    game, heuristic = case.game, case.game.heuristic()
    if heuristic is None:
        return
    heuristics = [heuristic] * configuration.seats
    if heuristic.weights:
        heuristics = [
            with_weights(heuristic, {name: _drawn(weight, seeded(seat).fork(name)) for name, weight in named})
            for seat, named in enumerate([[*heuristic.weights.items()]] * configuration.seats)
        ]
    for number, state in enumerate(sampled_states(case, configuration, 31)):
        if number % 6:
            continue
        for steps, noisy in ((1, False), (7, False), (TO_THE_END, False), (5, True)):
            ours, theirs = game.clone(state), game.clone(state)
            dice, same = ([seeded(10 * number + seat) for seat in range(configuration.seats)] for _ in range(2))
            assert game.playout_by_heuristics(ours, dice, heuristics, steps, noisy) == Game.playout_by_heuristics(
                game, theirs, same, heuristics, steps, noisy
            )
            assert game.digest(ours) == game.digest(theirs)
            assert [each.word for each in dice] == [each.word for each in same], "a seat threw its dice more often"


def _drawn(weight: Weight, dice: Rng) -> float:
    """Return a value from the range of a weight."""
    return weight.least + (weight.most - weight.least) * dice.index(1001) / 1000


def test_views_do_not_leak(case: ContractCase, configuration: Configuration) -> None:
    """Permute what a seat cannot know: the bytes sent to it do not change, now or later."""
    game, codec = case.game, codec_for(case.game)
    watchers: tuple[Seat | None, ...] = (*range(configuration.seats), None)
    differing = 0
    for number, state in enumerate(sampled_states(case, configuration, 12)):
        rng = seeded(number)
        for seat in watchers:
            twin = case.scrambled(state, seat, rng)
            differing += game.digest(twin) != game.digest(state)
            pending = game.pending(state)
            assert game.pending(twin) == pending
            assert sent(case, codec, twin, seat) == sent(case, codec, state, seat)
            choices = common_choices(case, state, twin, rng)
            if choices is None:
                continue
            ours, theirs = game.clone(state), twin
            events, twin_events = game.apply(ours, choices), game.apply(theirs, choices)
            if codec.view.encode(game.observe(ours, seat)) == codec.view.encode(game.observe(theirs, seat)):
                assert told(case, codec, events, seat) == told(case, codec, twin_events, seat)
    if case.game.has_secrets or has_unseen_chance(case, configuration):
        assert differing > 0, "scramble changed nothing, so nothing was tested"
    else:
        assert differing == 0, "scramble changed something, and the game declares that nothing is hidden"


def sent(case: ContractCase, codec: Any, state: Any, seat: Seat | None) -> bytes:
    """Return the bytes a seat gets: its view, and its options when it is asked."""
    options = [
        codec.action.encode(action)
        for decision in case.game.pending(state)
        if decision.seat == seat
        for action in case.game.legal_actions(state, decision.seat)
    ]
    prompt = codec.prompt(view=codec.view.encode(case.game.observe(state, seat)), options=options)
    return bytes(prompt.SerializeToString(deterministic=True))


def told(case: ContractCase, codec: Any, events: Any, seat: Seat | None) -> list[bytes]:
    witnessed = [case.game.witness(event, seat) for event in events]
    return [codec.event.encode(event).SerializeToString() for event in witnessed if event is not None]


def common_choices(case: ContractCase, state: Any, twin: Any, rng: Any) -> dict[Seat, Any] | None:
    """Return choices that are legal in both states, or None where no seat's options overlap."""
    choices = {}
    for decision in case.game.pending(state):
        theirs = case.game.legal_actions(twin, decision.seat)
        both = [action for action in case.game.legal_actions(state, decision.seat) if action in theirs]
        if not both:
            return None
        choices[decision.seat] = both[rng.index(len(both))]
    return choices or None


def test_imagined_states_look_the_same_and_play_on(case: ContractCase, configuration: Configuration) -> None:
    require_imagine(case)
    game = case.game
    for number, state in enumerate(sampled_states(case, configuration, 13)):
        for seat in range(configuration.seats):
            view = game.observe(state, seat)
            imagined = game.imagine(view, seat, seeded(number))
            assert game.observe(imagined, seat) == view
            case.check_invariants(imagined)
            assert game.pending(imagined) == game.pending(state)
            for decision in game.pending(state):
                if decision.seat == seat:
                    assert list(game.legal_actions(imagined, seat)) == list(game.legal_actions(state, seat))
        if number % 8 == 0:
            check_to_the_end(case, imagined, number)


def check_to_the_end(case: ContractCase, state: Any, seed: int) -> None:
    for _choices, _events in play(case.game, state, random_chooser(seeded(seed))):
        case.check_invariants(state)
    assert case.game.outcome(state) is not None


def test_no_imagined_state_contradicts_what_the_seat_was_told(case: ContractCase, configuration: Configuration) -> None:
    """Every determinization of a seat's view agrees with the events it has seen so far."""
    require_imagine(case)
    game = case.game
    if case.remember is None and game.has_secrets:
        pytest.skip("the case has no remember")
    state = fresh(case, configuration, 17)
    length = sum(1 for _ in play(game, game.clone(state), random_chooser(seeded(17))))
    stride = max(1, length // SAMPLES)
    remember = case.remember or (lambda view, seat: SeesAll(case, configuration))
    memories = [remember(game.observe(state, seat), seat) for seat in range(configuration.seats)]
    for number, (_choices, events) in enumerate(play(game, state, random_chooser(seeded(17)))):
        for seat, memory in enumerate(memories):
            for event in events:
                told = game.witness(event, seat)
                if told is not None:
                    memory.hear(told)
            if number % stride == 0:
                view = game.observe(state, seat)
                if isinstance(memory, SeesAll):
                    memory.look(state)
                memory.check(state)
                for world in range(3):
                    memory.check(game.imagine(view, seat, seeded(3 * number + world)))


def test_a_determinized_state_is_imagined_from_the_view(case: ContractCase, configuration: Configuration) -> None:
    """`determinize` throws the same dice as `imagine` does for what the seat sees, and comes to the same state."""
    require_imagine(case)
    game = case.game
    for number, state in enumerate(sampled_states(case, configuration, 28)):
        if not game.pending(state):
            continue
        before = game.digest(state)
        for seat in range(configuration.seats):
            dice, same = seeded(number), seeded(number)
            ours, theirs = game.determinize(state, seat, dice), game.imagine(game.observe(state, seat), seat, same)
            assert game.digest(ours) == game.digest(theirs)
            for viewer in range(configuration.seats):  # a digest may leave out what the table remembers
                assert game.observe(ours, viewer) == game.observe(theirs, viewer)
            assert dice.word == same.word, "as many dice were thrown"
            assert shared(state, ours) is None
        assert game.digest(state) == before


class SeesAll:
    """The memory of a seat in an open game: it knows what every other seat sees."""

    def __init__(self, case: ContractCase, configuration: Configuration) -> None:
        self.game, self.seats, self.views = case.game, range(configuration.seats), list[Any]()

    def look(self, state: Any) -> None:
        """Look at the true state."""
        self.views = [self.game.observe(state, seat) for seat in self.seats]

    def hear(self, event: Any) -> None:
        """Record nothing: what an event changes is seen."""

    def check(self, state: Any) -> None:
        """Assert that a state looks to every seat as the true one does."""
        assert [self.game.observe(state, seat) for seat in self.seats] == self.views


def test_imagined_states_differ_in_what_is_unknown(case: ContractCase, configuration: Configuration) -> None:
    """They do as soon as there is something unknown, and otherwise they are the state itself."""
    require_imagine(case)
    game = case.game
    state = fresh(case, configuration, 14)
    view = game.observe(state, 0)
    digests = {game.digest(game.imagine(view, 0, seeded(number))) for number in range(20)}
    if game.has_secrets or has_unseen_chance(case, configuration):
        assert len(digests) > 1
    else:
        assert digests == {game.digest(state)}


def test_redrawn_chance_changes_no_view_and_plays_on(case: ContractCase, configuration: Configuration) -> None:
    """`redraw` changes no view and no open decision."""
    game = case.game
    for number, state in enumerate(sampled_states(case, configuration, 23)):
        before = game.digest(state)
        world = game.redraw(state, seeded(number))
        assert game.digest(state) == before, "the state itself was resampled"
        assert shared(state, world) is None
        for seat in (*range(configuration.seats), None):
            assert game.observe(world, seat) == game.observe(state, seat)
        assert game.pending(world) == game.pending(state)
        for decision in game.pending(state):
            assert list(game.legal_actions(world, decision.seat)) == list(game.legal_actions(state, decision.seat))
        case.check_invariants(world)
        if number % 8 == 0:
            check_to_the_end(case, world, number)


def test_redrawn_chance_changes_the_match(case: ContractCase, configuration: Configuration) -> None:
    """The same choosers in the same position end differently with other chance, and alike with the same.

    Where no chance is left after the first decision, they always end alike.
    """
    game = case.game
    start = fresh(case, configuration, 24)
    ends = []
    for seed in (*range(5), 0):
        world = game.redraw(start, seeded(seed))
        for _ in play(game, world, random_chooser(seeded(24))):
            pass
        ends.append(game.digest(world))
    assert (len(set(ends[:5])) > 1) == has_unseen_chance(case, configuration)
    assert ends[5] == ends[0]


def test_values_round_trip_through_messages_and_plain_data(case: ContractCase, configuration: Configuration) -> None:
    game, codec = case.game, codec_for(case.game)
    options = game.options(configuration.options)
    assert codec.options.decode(codec.options.encode(options)) == options
    assert codec.options.from_plain(codec.options.to_plain(options)) == options
    for state in sampled_states(case, configuration, 15):
        for seat in (*range(configuration.seats), None):
            view = game.observe(state, seat)
            packed = codec.view.encode(view).SerializeToString()
            assert codec.view.decode(codec.view.message.FromString(packed)) == view
            assert codec.view.from_plain(codec.view.to_plain(view)) == view
        for decision in game.pending(state):
            for action in game.legal_actions(state, decision.seat):
                assert codec.action.decode(codec.action.encode(action)) == action
                assert codec.action.from_plain(codec.action.to_plain(action)) == action
        if game.pending(state):
            _choices, events = step(game, state, random_chooser(seeded(3)))
            for event in events:
                assert codec.event.decode(codec.event.encode(event)) == event
                assert codec.event.from_plain(codec.event.to_plain(event)) == event


def test_everything_is_described_in_one_line(case: ContractCase, configuration: Configuration) -> None:
    game = case.game
    state = fresh(case, configuration, 16)
    for choices, events in play(game, state, random_chooser(seeded(16))):
        for item in (*choices.values(), *events):
            line = game.describe(item)
            assert line
            assert "\n" not in line
            assert "<" not in line, "a bare repr is not a description"
        for event in events:
            for seat in (*range(configuration.seats), None):
                seen = game.witness(event, seat)
                assert seen is None or game.describe(seen)


def test_a_view_is_described_in_full(case: ContractCase, configuration: Configuration) -> None:
    """In plain text, for a seat and for spectators; views that differ are described differently."""
    game = case.game
    described: dict[str, Any] = {}
    for state in sampled_states(case, configuration, 8):
        for seat in (None, 0):
            view = game.observe(state, seat)
            text = game.text_board(view)
            assert text == text.strip("\n")
            assert all(line.isprintable() and line == line.rstrip() for line in text.splitlines())
            assert described.setdefault(text, view) == view, "two views look the same"


def test_the_messages_mirror_the_dataclasses(case: ContractCase, configuration: Configuration) -> None:
    """Derived ones do by construction; a file that freezes their numbers has to be up to date."""
    assert list(mismatches(case.game)) == []
    assert stale(case.game) == ""


DIGESTS = """
import json, sys
from referee.games import GAMES
from referee.playout import play, random_chooser
from referee.rng import seeded
from referee.values import names_of
game = GAMES[sys.argv[1]]
for seats, options in json.loads(sys.argv[2]):
    state = game.new(seats, 21, game.options(options))
    print(game.digest(state))
    for _ in play(game, state, random_chooser(seeded(21))):
        print(game.digest(state))
"""


def test_a_seed_gives_the_same_digests_in_every_process(case: ContractCase, configuration: Configuration) -> None:
    """A fresh process finds the game by its entry point and plays the same matches, whatever its hash seed."""
    tables = json.dumps([(each.seats, dict(each.options)) for each in case.configurations])
    runs = [
        subprocess.run(
            [sys.executable, "-c", DIGESTS, case.game.slug, tables],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
        for hash_seed in ("0", "1", "4242")
    ]
    assert [run.stderr for run in runs if run.returncode] == []
    assert runs[0].stdout.splitlines() == own_digests(case)
    assert runs[0].stdout == runs[1].stdout == runs[2].stdout


def own_digests(case: ContractCase) -> list[str]:
    """Return the digests of the same matches in this process."""
    game, digests = case.game, []
    for each in case.configurations:
        state = game.new(each.seats, 21, game.options(each.options))
        digests.append(game.digest(state))
        digests += [game.digest(state) for _ in play(game, state, random_chooser(seeded(21)))]
    return digests


PROMISES = tuple(promise for name, promise in list(globals().items()) if name.startswith("test_"))
ONCE = (  # tests that do not depend on the configuration
    test_the_messages_mirror_the_dataclasses,
    test_a_seed_gives_the_same_digests_in_every_process,
)
