"""C15: what must hold in every game, over random and careful play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.games.carcassonne_city.actions import Action, PlaceFollower, PlaceGate, PlaceTile
from referee.games.carcassonne_city.events import (
    AreaScored,
    Event,
    FeatureScored,
    FollowerPlaced,
    GuardPosted,
    GuardScored,
    TileDrawn,
    TileRemoved,
    TowerBuilt,
    WallPhaseBegan,
)
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import START
from referee.games.carcassonne_city.placing import lay_tile
from referee.games.carcassonne_city.state import NOTHING, State
from referee.playout import play, random_chooser
from referee.rng import Rng, seeded
from tests.rules.carcassonne_city import from_scratch as scratch
from tests.rules.carcassonne_city.builders import opened, steps_of, wall_of
from tests.rules.carcassonne_city.contract_case import max_choices
from tests.rules.carcassonne_city.greedy import choose
from tests.rules.carcassonne_city.greedy_soak import play_greedy_game
from tests.rules.carcassonne_city.invariants import check_invariants

every_table = pytest.mark.parametrize("seats", GAME.table_sizes)
every_style = pytest.mark.parametrize("is_careful", [False, True], ids=["random", "careful"])


def games(seats: int, seed: int, is_careful: bool) -> Iterator[tuple[State, State, Action, Sequence[Event]]]:
    """Play one game; yield the state before and after each decision, what was chosen and what came of it."""
    rng = seeded(seed).fork("choices")
    state = GAME.new(seats, seed, GAME.options({}))
    while pending := GAME.pending(state):
        before = GAME.clone(state)
        seat = pending[0].seat
        options = GAME.legal_actions(state, seat)
        action = choose(state, seat, options, rng) if is_careful else rng.choice(list(options))
        events = GAME.apply(state, {seat: action})
        yield before, state, action, events


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seats=st.sampled_from(GAME.table_sizes),
    seed=st.integers(0, 2**64 - 1),
    choices=st.lists(st.integers(0, 2**16), max_size=200),
)
def test_C15_every_invariant_holds_whatever_is_chosen(seats: int, seed: int, choices: list[int]) -> None:
    """C12.8, C15.20: the drawn choices are played first, then safe defaults to the end."""
    state = GAME.new(seats, seed, GAME.options({}))
    made = 0
    while pending := GAME.pending(state):
        seat = pending[0].seat
        options = GAME.legal_actions(state, seat)
        action = options[choices[made] % len(options)] if made < len(choices) else GAME.default_action(state, seat)
        GAME.apply(state, {seat: action})
        made += 1
        if made % 3 == 0 or not GAME.pending(state):
            check_invariants(state)
    assert made <= max_choices(seats)


@pytest.mark.parametrize("seed", range(6))
def test_C15_every_invariant_holds_in_careful_play_and_rings_close(seed: int) -> None:
    state = play_greedy_game(GAME.table_sizes[seed % 3], 1000 + seed)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason in ("ring_nearly_closed", "walls_exhausted")


@every_style
@every_table
def test_C4_the_listed_placements_are_those_found_by_trying_everything(seats: int, is_careful: bool) -> None:
    """C4.1 - C4.5: the free cells and shut cells kept along the way against a search from scratch."""
    for before, _after, action, _events in games(seats, 50 + seats, is_careful):
        if isinstance(action, PlaceTile) and opened(before).tiles:
            city = scratch.city_of(before)
            listed = GAME.legal_actions(before, before.active)
            assert [(a.x, a.y, a.rotation) for a in listed if isinstance(a, PlaceTile)] == scratch.legal_placements(
                city, before.drawn
            )


@every_style
@every_table
def test_C6_what_is_scored_is_what_is_complete_and_occupied(seats: int, is_careful: bool) -> None:
    """C6.3 - C6.10, C8.1: value, winners, order and the wall phase, for the scoring after each follower decision."""
    scorings = 0
    for before, _after, action, events in games(seats, 60 + seats, is_careful):
        if GAME.pending(before)[0].kind != "PLACE_FOLLOWER":
            continue
        city = scratch.city_of(before)
        if isinstance(action, PlaceFollower):
            x, y = list(city.tiles)[-1]
            city.followers.append((before.active, action.kind.name.lower(), (x, y, action.index)))
        complete = [
            feature
            for feature in scratch.features(city)
            if feature.kind != "residential" and not feature.open_sides and feature.followers
        ]
        complete.sort(key=lambda feature: (scratch.KINDS.index(feature.kind), min(feature.members)))
        expected = [
            (f.kind, min(f.members), f.tiles, len(f.market_kinds), scratch.value(f), scratch.leaders(f.followers))
            for f in complete
        ]
        got = [
            (e.kind.name.lower(), (e.x, e.y, e.index), e.tile_count, e.kind_count, e.points, e.winners)
            for e in events
            if isinstance(e, FeatureScored)
        ]
        assert got[: len(expected)] == expected
        assert any(isinstance(e, WallPhaseBegan) for e in events) == (bool(expected) and before.regime >= 2)
        scorings += len(expected)
    assert scorings > 0


@every_style
@every_table
def test_C12_the_final_scoring_is_that_of_the_clauses(seats: int, is_careful: bool) -> None:
    """C11.6, C11.7, C12.2 - C12.6: every part of it computed from scratch from the table before the last decision."""
    *_, (_before, after, _action, events) = games(seats, 70 + seats, is_careful)
    city = scratch.city_of(after)
    paid: Counter[int] = Counter()
    for event in events:
        if isinstance(event, AreaScored):
            paid.update(dict.fromkeys(event.winners, event.points))
    assert +paid == +scratch.resident_points(city)
    got = {(e.x, e.y, e.side): (e.seat, e.points) for e in events if isinstance(e, GuardScored)}
    expected = scratch.guards_of(after)
    assert got == {side: (seat, scratch.guard_points(city, side)) for side, seat in expected.items()}


@every_style
@every_table
def test_C15_what_may_not_happen_between_two_decisions(seats: int, is_careful: bool) -> None:
    """C15.10, C15.11, C15.12, C15.14, C15.15, C15.20, and every point has its event."""
    turns = 0
    phases_in_turn = 0
    scores = [0] * seats
    for before, after, _action, events in games(seats, 80 + seats, is_careful):
        assert all(new >= old for new, old in zip(opened(after).scores, opened(before).scores, strict=True))
        for event in events:
            match event:
                case TileDrawn():
                    phases_in_turn = 0
                    turns += 1
                case TileRemoved():
                    turns -= 1
                case WallPhaseBegan():
                    phases_in_turn += 1
                    assert phases_in_turn == 1
                    assert event.regime >= 2
                case FollowerPlaced():
                    place = (event.x, event.y, event.index)
                    (feature,) = [
                        feature
                        for feature in scratch.features(scratch.city_of(after))
                        if feature.kind == event.kind.name.lower() and place in feature.members
                    ]
                    assert feature.followers == Counter({event.seat: 1})
                case GuardPosted():
                    tiles = scratch.city_of(before).tiles
                    opposite = (*scratch.row(tiles, (event.x, event.y, event.side))[-1], (event.side + 2) % 4)
                    assert opposite not in scratch.guards_of(before)
                case FeatureScored() | AreaScored():
                    for seat in event.winners:
                        scores[seat] += event.points
                case TowerBuilt() | GuardScored():
                    scores[event.seat] += event.points
                case _:
                    pass
        assert scores == opened(after).scores
        for seat in range(seats):
            assert lasting(after, seat) >= lasting(before, seat)
    assert turns + 1 <= 75


def lasting(state: State, seat: int) -> int:
    """C15.15: the residents and guards of a seat."""
    residents = sum(owner == seat and kind == "residential" for owner, kind, _ in scratch.city_of(state).followers)
    return residents + int(wall_of(state).guards.count(seat))


@every_table
def test_C15_17_the_same_seed_and_the_same_replies_give_the_same_game(seats: int) -> None:
    runs = []
    for _ in range(2):
        state = GAME.new(seats, 9, GAME.options({}))
        story = [list(events) for _choices, events in play(GAME, state, random_chooser(seeded(4)))]
        runs.append((story, GAME.digest(state)))
    assert runs[0] == runs[1]


def turned(action: Action) -> Action:
    """Turn a choice with the board by a clockwise quarter turn."""
    match action:
        case PlaceTile(x, y, rotation):
            return PlaceTile(-y, x, (rotation + 1) % 4)
        case PlaceGate(x, y, side):
            return PlaceGate(-y, x, (side + 1) % 4)
        case _:
            return action


@every_style
@every_table
def test_C15_17_turning_the_whole_board_changes_no_score(seats: int, is_careful: bool) -> None:
    twin = GAME.new(seats, 90, GAME.options({}))
    lay_tile(twin, twin.drawn, START, 1)
    twin.drawn = NOTHING
    twin.agenda_count -= 1
    for before, after, action, _events in games(seats, 90, is_careful):
        if not opened(before).tiles:
            continue
        seat = GAME.pending(before)[0].seat
        ours = GAME.legal_actions(before, seat)
        theirs = GAME.legal_actions(twin, seat)
        assert len(ours) == len(theirs)
        assert all(turned(option) in theirs for option in ours[:: max(1, len(ours) // 8)])
        GAME.apply(twin, {seat: turned(action)})
        assert opened(twin).scores == opened(after).scores
        assert opened(twin).supply == opened(after).supply
    assert GAME.outcome(twin) == GAME.outcome(after)


@every_table
def test_C14_an_imagined_state_keeps_the_board_and_deals_the_rest_anew(seats: int) -> None:
    """Features, boundary and shut cells are rebuilt as they were, at every kind of decision."""
    kinds = set()
    for number, (before, _after, _action, _events) in enumerate(games(seats, 40 + seats, True)):
        kind = GAME.pending(before)[0].kind
        if number % 4 and kind in kinds:
            continue
        kinds.add(kind)
        view = GAME.observe(before, 0)
        imagined = GAME.imagine(view, 0, Rng(number))
        assert GAME.observe(imagined, 0) == view
        assert opened(imagined).free_cells == opened(before).free_cells
        assert steps_of(imagined) == steps_of(before)
        assert sorted(opened(imagined).deck) == sorted(opened(before).deck)
        check_invariants(imagined)
    assert kinds == {"PLACE_TILE", "PLACE_FOLLOWER", "PLACE_GATE", "PLACE_WALL", "PLACE_GUARD", "PLACE_TOWER"}


@every_table
def test_C14_an_imagined_end_is_the_end(seats: int) -> None:
    *_, (_before, after, _action, _events) = games(seats, 30 + seats, True)
    over = GAME.imagine(GAME.observe(after, 0), 0, Rng(1))
    assert GAME.observe(over, 0) == GAME.observe(after, 0)
    assert GAME.outcome(over) == GAME.outcome(after)
    check_invariants(over)


def test_C4_7_tiles_stay_where_they_were_laid() -> None:
    for before, after, _action, _events in games(3, 5, False):
        count = len(opened(before).tiles)
        for old, new in (
            (opened(before).tiles, opened(after).tiles),
            (opened(before).cells, opened(after).cells),
            (opened(before).rotations, opened(after).rotations),
        ):
            assert new[:count] == old
