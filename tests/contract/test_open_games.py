"""Open games keep the contract with five methods, and a wrong declaration of secrets or chance is caught."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from arena_toy.game import Toy

from referee.codec import codec_for, mismatches
from referee.contract import promises as contract
from referee.contract.case import Configuration, ContractCase
from referee.game import AnyGame, Game, IllegalActionError, Outcome, Seat
from referee.hooks import HookError, check_hooks
from referee.open_game import OpenGame
from referee.rng import Rng, seeded
from tests.contract.open_games import Mood, Nim, NimFromABook, Race, Roll, Take
from tests.toy_game.contract_case import CASE

CASES = [ContractCase(Nim()), ContractCase(NimFromABook()), ContractCase(Race(), max_choices=lambda seats: 4 * seats)]
HERE = [each for each in contract.PROMISES if each is not contract.test_a_seed_gives_the_same_digests_in_every_process]
TABLES = [(case, table) for case in CASES for table in case.configurations]


@pytest.mark.parametrize("promise", HERE, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize(("case", "table"), TABLES, ids=lambda each: getattr(each, "seats", None))
def test_an_open_game_keeps_every_promise(
    case: ContractCase, table: Configuration, promise: Callable[[ContractCase, Configuration], None]
) -> None:
    """In every process is the business of the project of its own in `tests/journeys/test_first_game.py`."""
    check_hooks(case.game.slug, case.game)
    promise(case, table)


def with_names(kind: type[Any], **names: Any) -> AnyGame:
    changed: AnyGame = type("Changed", (kind,), names)()
    return changed


def race_without_declaration() -> AnyGame:
    return with_names(Race, has_chance=False)


WRONG = {
    "secrets that there are none": (with_names(Nim, has_secrets=True), contract.test_views_do_not_leak),
    "unknown things that there are none": (
        with_names(Nim, has_secrets=True),
        contract.test_imagined_states_differ_in_what_is_unknown,
    ),
    "chance that there is none": (with_names(Nim, has_chance=True), contract.test_secrets_and_chance_are_as_declared),
    "chance to come that there is none": (
        with_names(NimFromABook, chance_comes_first=False),
        contract.test_redrawn_chance_changes_the_match,
    ),
    "an opening that is kept quiet": (
        with_names(NimFromABook, has_chance=False, chance_comes_first=False),
        contract.test_secrets_and_chance_are_as_declared,
    ),
    "dice that are kept quiet": (race_without_declaration(), contract.test_secrets_and_chance_are_as_declared),
    "dice as an opening": (
        with_names(Race, chance_comes_first=True),
        contract.test_secrets_and_chance_are_as_declared,
    ),
    "hands that are kept quiet": (with_names(Toy, has_secrets=False), contract.test_secrets_and_chance_are_as_declared),
    "hands without imagine that are kept quiet": (
        with_names(Toy, has_secrets=False, imagine=Game.imagine),
        contract.test_secrets_and_chance_are_as_declared,
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_declaration_of_secrets_or_chance_is_caught(fault: str) -> None:
    game, promise = WRONG[fault]
    case = ContractCase(game, scramble=CASE.scramble if isinstance(game, Toy) else lambda state, _, rng: state)
    with pytest.raises(AssertionError):
        promise(case, Configuration(2))


def test_a_game_with_secrets_says_what_is_secret() -> None:
    with pytest.raises(ValueError, match="scramble: missing; toy declares has_secrets"):
        ContractCase(Toy())


def test_a_game_without_imagine_skips_what_needs_it() -> None:
    blind = dataclasses.replace(CASE, game=with_names(Toy, imagine=Game.imagine))
    for promise in HERE:
        try:
            promise(blind, Configuration(2))
        except pytest.skip.Exception:
            assert "imagine" in promise.__name__


def test_a_game_with_two_openings_for_nothing_is_refused_when_it_is_loaded() -> None:
    with pytest.raises(HookError, match="chance_comes_first is True and has_chance False; expected chance"):
        check_hooks("small_nim", with_names(Nim, chance_comes_first=True))


def test_a_missing_method_is_named_when_the_game_is_loaded() -> None:
    with pytest.raises(HookError, match=r"game small_nim: play is missing; expected a method with \(state, move\)"):
        check_hooks("small_nim", with_names(Nim, play=OpenGame.play))
    with pytest.raises(HookError, match="game small_nim: heap is not declared by Game"):
        check_hooks("small_nim", with_names(Nim, heap=3))


def test_the_view_is_the_state_with_tuples_and_without_the_dice() -> None:
    race = Race()
    table = race.new(2, 7, race.options({"turns": 1}))
    race.apply(table, {0: Roll(Mood.CALM)})
    view = race.observe(table, None)
    assert [field.name for field in dataclasses.fields(view)] == ["seats", "runners", "turns", "marks", "average"]
    assert (view.seats, view.turns, view.marks, view.average) == (
        2,
        1,
        bytes([table.state.runners[0].at, 0]),
        table.state.runners[0].at / 2,
    )
    assert view.runners[0].moods == (Mood.CALM,)
    assert view.runners[0].last == Roll(Mood.CALM)
    assert pickle.loads(pickle.dumps(race.types.event(0, Roll(Mood.CALM)))) == race.types.event(0, Roll(Mood.CALM))


def test_a_move_is_described_by_its_name_and_fields() -> None:
    nim = Nim()
    assert nim.describe(Take(2, 1)) == "take heap 2, count 1"
    assert nim.describe(nim.types.event(1, Take(2, 1))) == "seat 1: take heap 2, count 1"


def test_a_move_of_another_moment_is_refused_by_name() -> None:
    nim = Nim()
    table = nim.new(2, 1, nim.options({}))
    with pytest.raises(IllegalActionError, match="rules: take heap 0, count 2: not possible now"):
        nim.check(table, 0, Take(0, 2))
    with pytest.raises(IllegalActionError, match="rules: 'pass' is not an action of this game"):
        nim.check(table, 0, "pass")  # type: ignore[arg-type]  # just what is refused


def test_a_state_that_is_no_dataclass_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="Odd: <class 'int'> is not a dataclass"):

        class Odd(OpenGame[int, Take]):
            slug, title = "odd", "Odd"


def test_the_messages_of_open_games_hold_every_type() -> None:
    race = Race()
    assert list(mismatches(race)) == []
    table = race.new(3, 5, race.options({}))
    for move in (Roll(Mood.BOLD), race.moves(table.state)[2], Roll(Mood.CALM)):
        seat = race.turn(table.state)
        assert seat is not None
        race.apply(table, {seat: move})
    view, codec = race.observe(table, 1), codec_for(race)
    assert codec.view.decode(codec.view.message.FromString(codec.view.encode(view).SerializeToString())) == view
    plain = codec.view.to_plain(view)
    assert plain["marks"] == bytes(table.state.marks).hex()
    assert codec.view.from_plain(plain) == view
    assert race.digest(race.imagine(view, 1, Rng(3))) == race.digest(race.redraw(table, Rng(3)))
    assert race.digest(race.redraw(table, seeded(1))) != race.digest(table)


@dataclass(slots=True)
class Benches:
    """A state whose own field has the name that a view has for the number of seats."""

    seats: list[str]
    left: int


class Rows(OpenGame[Benches, Take]):
    """Two moves at benches with names beyond ASCII."""

    slug, title = "rows", "Rows"

    def start(self, seats: int, options: object, rng: Rng) -> Benches:
        return Benches(["♠", "größte", "\\xe9"], 2)

    def turn(self, state: Benches) -> Seat | None:
        return state.left % 2 if state.left else None

    def moves(self, state: Benches) -> Sequence[Take]:
        return [Take(0, count) for count in (1, 2)]

    def play(self, state: Benches, move: Take) -> None:
        state.left -= 1

    def scores(self, state: Benches) -> list[int]:
        return [1, 0]


@pytest.mark.parametrize("promise", HERE, ids=lambda promise: promise.__name__)
def test_a_state_may_have_seats_of_its_own_and_texts_beyond_ascii(
    promise: Callable[[ContractCase, Configuration], None],
) -> None:
    promise(ContractCase(Rows(), max_choices=lambda seats: 2), Configuration(2))


def test_where_the_state_has_seats_the_view_counts_them_by_another_name() -> None:
    rows = Rows()
    view = rows.observe(rows.new(2, 1, rows.options({})), None)
    assert (view.seat_count, view.seats, view.left) == (2, ("♠", "größte", "\\xe9"), 2)
    assert rows.digest(rows.imagine(view, 0, seeded(1))) == rows.digest(rows.new(2, 1, rows.options({})))


def test_a_field_that_the_constructor_does_not_take_is_refused_when_the_class_is_made() -> None:
    @dataclass
    class Derived:
        left: int
        double: int = dataclasses.field(default=0, init=False)

    with pytest.raises(TypeError, match=r"^Derived\.double: is not set by its place"):
        type("Odd", (OpenGame,), {"__orig_bases__": (OpenGame[Derived, Take],)})


@pytest.mark.parametrize("scores", [[0.5, 1.0], [True, False], [1], [1, 0, 0]])
def test_scores_that_no_record_can_hold_are_refused(scores: list[Any]) -> None:
    game = with_names(Rows, scores=lambda self, state: scores)
    with pytest.raises(TypeError, match=r"^scores: .* are not whole numbers, one for each of 2 seats"):
        game.outcome(type(game.new(2, 1, game.options({})))(2, Benches([], 0)))


def test_the_contract_catches_scores_and_seats_that_cannot_be() -> None:
    def half(self: Toy, state: Any) -> Outcome | None:
        honest = Toy.outcome(self, state)
        halves: Any = () if honest is None else tuple(score / 2 for score in honest.scores)
        return honest and dataclasses.replace(honest, scores=halves)

    promise = contract.test_pending_is_empty_exactly_when_there_is_an_outcome
    with pytest.raises(AssertionError, match="whole numbers are expected"):
        promise(dataclasses.replace(CASE, game=with_names(Toy, outcome=half)), Configuration(2))
    absent = with_names(Rows, turn=lambda self, state: 7 if state.left else None)
    with pytest.raises(AssertionError, match="a seat is asked that is not at the table"):
        promise(ContractCase(absent), Configuration(2))
