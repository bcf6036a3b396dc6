"""Arrays: everything a seat knows and may choose is in them, nothing else is, and nothing is cut off."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import numpy as np
import pytest
from arena_toy.game import GAME as TOY
from arena_toy.game import Bid, View

from arena.lab import MisfitError, TableArrays, action_layout, view_layout
from arena.lab.arrays import FREE_ZERO, LINEAR, Layout
from arena.lab.seat_vector import SeatVector
from referee.game import AnyGame, AtMost, Types, Within
from referee.games import GAMES
from referee.rng import seeded
from tests.contract.case import OURS, load_case

every_game = pytest.mark.parametrize("slug", OURS)
STYLES = ("random", "first", "last", "greedy")


def walk(game: AnyGame, seats: int, options: Any, seed: int, style: str) -> Iterator[Any]:
    """Play one match in a style and yield every state; a few moves at random lead each style to places of its own."""
    state, _ = game.begin(seats, seed, options)
    dice, apply, heuristic = seeded(seed), game.apply_checked, game.heuristic()
    while pending := game.pending(state):
        yield state
        choices = {}
        for decision in pending:
            listed = game.legal_actions(state, decision.seat)
            drawn = dice.index(len(listed))
            chosen = {"first": 0, "last": len(listed) - 1}.get(style, drawn)
            if style == "greedy" and heuristic is not None and len(listed) > 1:
                some = [listed[dice.index(len(listed))] for _ in range(6)]
                ratings = heuristic.rate(state, decision.seat, some)
                chosen = listed.index(some[ratings.index(max(ratings))])
            choices[decision.seat] = listed[drawn if dice.index(8) == 0 else chosen]
        apply(state, choices)
    yield state


@every_game
@pytest.mark.parametrize("style", STYLES)
def test_views_and_options_are_read_back_from_their_arrays_whole(slug: str, style: str) -> None:
    """So no number was beyond its bound, no list longer than its room, and nothing was cut off."""
    game, configurations = GAMES[slug], load_case(slug).configurations
    count = len(configurations)
    for number, configuration in enumerate(configurations):
        if (number + STYLES.index(style)) % min(len(STYLES), count):
            continue
        seats, options = configuration.seats, game.options(configuration.options)
        views, actions = view_layout(game, seats, options), action_layout(game, seats, options)
        for step, state in enumerate(walk(game, seats, options, 31 + number, style)):
            pending = game.pending(state)
            if step % 9 and pending:
                continue
            for seat in (None, *range(seats)) if not pending else (step % seats,):
                view = game.observe(state, seat)
                vector = views.array(view)
                assert views.value(vector) == view
                assert vector.min() >= 0.0
                assert vector.max() <= 1.0
            for decision in pending[:1]:
                listed = game.legal_actions(state, decision.seat)
                assert len(listed) <= (game.max_options or len(listed))
                rows = actions.rows([actions.flat(option) for option in listed])
                assert [actions.value(row) for row in rows[::7]] == list(listed[::7])


@every_game
def test_columns_have_names_of_their_own(slug: str) -> None:
    game = GAMES[slug]
    arrays = TableArrays(game, game.preferred_seats)
    for layout in (arrays.view, arrays.action):
        assert len(set(layout.columns)) == layout.width > 0
    state, _ = game.begin(game.preferred_seats, 3, game.options({}))
    seat = game.pending(state)[0].seat
    assert arrays.observation(game.observe(state, seat)).shape == (arrays.view.width,)


def test_an_enum_is_one_hot_a_number_scaled_and_a_list_padded() -> None:
    game = GAMES["norenberc"]
    layout = view_layout(game, 4)
    state, _ = game.begin(4, 3, game.options({}))
    told = dict(zip(layout.columns, layout.array(game.observe(state, 2)).tolist(), strict=True))
    assert told["phase=PLAN"] == 1.0
    assert sum(value for column, value in told.items() if column.startswith("phase=")) == 1.0
    assert told["viewer"] == pytest.approx((2 + 1) / 5)  # it may be absent, so that its range begins above 0
    assert told["round_number"] == 0.0  # the first of four, and always there
    assert told["owned_tiles.count"] == told["owned_tiles[0]"] == told["owned_tiles[5]"] == 0.0
    assert told["talers[0]"] < told["talers[2]"]  # hidden, and the viewer's own
    assert "talers[3]" in told
    assert "talers[4]" not in told


def test_wide_ranges_are_scaled_by_their_logarithm() -> None:
    @dataclasses.dataclass(frozen=True)
    class Wide:
        narrow: Annotated[int, Within(0, LINEAR - 1)]
        wide: Annotated[int, Within(0, 1023)]
        free: int

    layout = view_layout(_like_toy(Wide), 3)
    assert layout.array(Wide(51, 31, 0)).tolist() == pytest.approx([0.2, 0.5, 0.5])
    assert layout.array(Wide(255, 1023, -7)).tolist() == pytest.approx([1.0, 1.0, 0.5 - 3 / (2 * FREE_ZERO)])
    assert layout.value(layout.array(Wide(255, 1000, -54_321))) == Wide(255, 1000, -54_321)


def _like_toy(view: Any, action: Any = Bid) -> Any:
    class Like(type(TOY)):  # type: ignore[misc]  # the class of the toy
        types = Types(options=TOY.types.options, action=action, view=view, event=TOY.types.event)

    return Like()


@dataclasses.dataclass(frozen=True)
class Inner:
    depth: Annotated[int, Within(0, 9)]


@dataclasses.dataclass(frozen=True)
class Left:
    pass


@dataclasses.dataclass(frozen=True)
class Right:
    far: Annotated[int, Within(1, 5)]


Side: TypeAlias = Left | Right


@dataclasses.dataclass(frozen=True)
class Everything:
    flag: bool
    perhaps: bool | None
    flags: Annotated[tuple[bool, ...], AtMost(2)]
    inner: Inner
    inners: Annotated[tuple[Inner, ...], AtMost(2)]
    maybe_inner: Inner | None
    side: Side
    sides: Annotated[tuple[Side, ...], AtMost(2)]
    maybe_side: Side | None


@pytest.mark.parametrize(
    "value",
    [
        Everything(True, None, (), Inner(0), (), None, Left(), (), None),
        Everything(False, False, (False,), Inner(9), (Inner(0),) * 2, Inner(0), Right(1), (Left(), Right(5)), Left()),
        Everything(True, True, (True, False), Inner(1), (Inner(1),), Inner(5), Right(5), (Right(2),), Right(3)),
    ],
)  # fmt: skip
def test_every_kind_of_field_is_read_back(value: Everything) -> None:
    """Among them those that no game of ours has: unions inside a view, and dataclasses that may be absent."""
    layout = view_layout(_like_toy(Everything), 3)
    assert layout.value(layout.array(value)) == value


def test_free_text_is_told_by_its_hash() -> None:
    @dataclasses.dataclass(frozen=True)
    class Named:
        name: str

    layout = view_layout(_like_toy(Named), 3)
    assert layout.array(Named("Anna")).tolist() == layout.array(Named("Anna")).tolist()
    assert layout.array(Named("Anna")).tolist() != layout.array(Named("Berta")).tolist()


def test_a_number_beyond_its_range_is_an_error_that_names_the_column() -> None:
    layout = view_layout(TOY, 3)
    view = TOY.observe(TOY.begin(3, 1, TOY.options({}))[0], 0)
    with pytest.raises(MisfitError, match=r"toy: view: prize is 11; expected 0 to 10"):
        layout.array(dataclasses.replace(view, prize=11))
    with pytest.raises(MisfitError, match=r"bid.card is 0; expected 1 to 10"):
        action_layout(TOY, 3).rows([action_layout(TOY, 3).flat(Bid(0))])


def test_a_list_beyond_its_room_is_an_error_and_never_cut_off() -> None:
    layout = view_layout(TOY, 3)
    view: View = TOY.observe(TOY.begin(3, 1, TOY.options({}))[0], 0)
    with pytest.raises(MisfitError, match=r"vetoes has 9"):
        layout.array(dataclasses.replace(view, vetoes=(True,) * 9))


def test_a_list_without_a_declared_length_gets_room_to_spare() -> None:
    """The toy does not say how many cards are discarded: fifteen at a table of three are met, and there is room."""
    columns = view_layout(TOY, 3).columns
    assert "discards[29]" in columns
    assert "hand_counts[2]" in columns
    assert "hand_counts[3]" not in columns


@every_game
def test_arrays_tell_nothing_that_the_seat_cannot_know(slug: str) -> None:
    """What a seat cannot know is dealt again: its vector, its options and its mask stay the same to the last bit."""
    case = load_case(slug)
    game, configuration = case.game, case.configurations[-1]
    options = game.options(configuration.options)
    arrays = TableArrays(game, configuration.seats, options)
    changed = 0
    for step, state in enumerate(walk(game, configuration.seats, options, 8, "random")):
        for decision in game.pending(state) if step % 12 == 0 else ():
            seat = decision.seat
            twin = case.scrambled(state, seat, seeded(step))
            changed += game.digest(twin) != game.digest(state)
            for world in (state, twin):
                assert game.observe(world, seat) == game.observe(state, seat)
            ours, theirs = (arrays.observation(game.observe(world, seat)) for world in (state, twin))
            assert np.array_equal(ours, theirs)
            ours, theirs = (arrays.options(game.legal_actions(world, seat)) for world in (state, twin))
            assert np.array_equal(ours, theirs)
    assert changed > 0


@every_game
def test_the_vector_of_a_seat_is_that_of_its_view_whatever_came_before(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over two matches, so that lists shrink as well; only what differs is written, but for the first view."""
    case = load_case(slug)
    game, configuration = case.game, case.configurations[-1]
    options = game.options(configuration.options)
    layout = view_layout(game, configuration.seats, options)
    vectors = [SeatVector(layout) for _ in range(configuration.seats)]
    update, misfits = SeatVector._update, list[Any]()

    def updated(vector: SeatVector, before: Any, view: Any) -> bool:
        is_updated = update(vector, before, view)
        if not is_updated:
            misfits.append((before, view))
        return is_updated

    monkeypatch.setattr(SeatVector, "_update", updated)
    compared = 0
    for style in ("random", "first"):
        for step, state in enumerate(walk(game, configuration.seats, options, 9, style)):
            for seat, vector in enumerate(vectors):
                if (step + seat) % 3 == 0 or step % 25 == seat:
                    view = game.observe(state, seat)
                    assert np.array_equal(vector.of(view), layout.array(view))
                    compared += 1
    assert compared > 10
    assert not misfits


class EncodedOnce(Layout):
    """A layout that encodes one whole view and no other."""

    def fill(self, matrix: Any, flats: Any) -> None:
        assert not hasattr(self, "is_used"), "a view was encoded whole, though it differs from one that fits"
        self.is_used = True
        super().fill(matrix, flats)


@every_game
def test_only_the_first_view_of_a_seat_is_encoded_whole(slug: str) -> None:
    case = load_case(slug)
    game, configuration = case.game, case.configurations[-1]
    options = game.options(configuration.options)
    layout = view_layout(game, configuration.seats, options)
    vector = SeatVector(EncodedOnce(layout.form, "view"))
    for style in ("random", "greedy"):
        for state in walk(game, configuration.seats, options, 9, style):
            vector.of(game.observe(state, 0))


@dataclasses.dataclass(frozen=True)
class Rooms:
    offer: Offer | None
    offers: Annotated[tuple[Offer, ...], AtMost(2)]


@dataclasses.dataclass(frozen=True)
class Offer:
    goods: Annotated[tuple[Annotated[int, Within(0, 3)], ...], AtMost(2)]
    sides: Annotated[tuple[Left, ...], AtMost(2)]


def test_lists_that_fill_their_rooms_are_written_in_place() -> None:
    """Full, empty and in between, in a value that appears, goes and changes."""
    offers = [Offer(goods, sides) for goods in ((), (1,), (3, 2)) for sides in ((), (Left(),) * 2)]
    layout = view_layout(_like_toy(Rooms), 3)
    vector = SeatVector(EncodedOnce(layout.form, "view"))
    lists = ((), offers[:1], offers[3:5], offers[4:])
    views = [Rooms(offer, tuple(listed)) for offer in (None, *offers) for listed in lists for _ in range(2)]
    for view in views:
        assert np.array_equal(vector.of(view), layout.array(view))


def test_a_view_that_does_not_fit_is_refused_with_its_name_after_any_other() -> None:
    """And the next one that fits is encoded whole."""
    game = GAMES["norenberc"]
    state = game.new(4, 1, game.options({}))
    layout, view = view_layout(game, 4), game.observe(state, 0)
    vector = SeatVector(layout)
    vector.of(view)
    for talers in (view.talers * 90, (view.talers[1], -5, *view.talers[2:])):  # the first of them is written before
        wrong = dataclasses.replace(view, talers=talers)
        with pytest.raises(MisfitError) as expected:
            layout.array(wrong)
        with pytest.raises(MisfitError) as refused:
            vector.of(wrong)
        assert str(refused.value) == str(expected.value)
        assert np.array_equal(vector.of(view), layout.array(view))
