"""N2: options, the beginner set-up, the start player and free placement."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.games.nuremberg.actions import PlaceSettlement
from referee.games.nuremberg.components import (
    CASTLE,
    SITE_CARDS,
    Color,
    Road,
    site_of,
)
from referee.games.nuremberg.events import StartingCardsTaken, WayrightTaken
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.setup import draw_start_player, lay_out
from referee.games.nuremberg.state import State
from tests.rules.nuremberg.builders import (
    asked,
    beginner_table,
    opened,
    options,
    play,
    purse,
    put_bars,
    refusal,
)


def advanced(seats: int = 4, start: str = "0", seed: int = 1) -> State:
    return GAME.new(seats, seed, GAME.options({"setup": "advanced", "start_player": start}))


def placements(state: State) -> list[tuple[Road, int]]:
    """The listed sites as (road, crossing)."""
    return [(option.road, option.crossing) for option in options(state) if isinstance(option, PlaceSettlement)]


@pytest.mark.parametrize(
    ("mapping", "key"),
    [
        ({"setup": "expert"}, "setup"),
        ({"start_player": "4"}, "start_player"),
        ({"start_player": 2}, "start_player"),
        ({"colors": "white,red"}, "colors"),
        ({"colors": "white,red,blue,blue"}, "colors"),
        ({"colors": "white,red,blue,green"}, "colors"),
        ({"players": 4}, "players"),
    ],
)
def test_N2_1_bad_options_are_refused_by_key(mapping: dict[str, object], key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key}:"):
        GAME.options(mapping)


def test_N2_1_options_must_fit_the_table() -> None:
    with pytest.raises(ValueError, match=r"^start_player:"):
        GAME.new(3, 1, GAME.options({"start_player": "3"}))
    with pytest.raises(ValueError, match=r"^colors:"):
        GAME.new(4, 1, GAME.options({"colors": "blue,red,white"}))
    with pytest.raises(ValueError, match=r"^seats:"):
        GAME.new(5, 1, GAME.options({}))


def test_N2_1_colors_move_the_beginner_positions() -> None:
    state = lay_out(4, 1, GAME.options({"colors": "orange,blue,red,white"}))
    assert state.site_owners[site_of("IV:1")] == 0
    assert opened(state).wayrights == [-1, 2, 3, 0, 1]
    assert Color(state.colors[0]) is Color.ORANGE


def test_N2_2_every_table_starts_alike() -> None:
    state = advanced()
    assert opened(state).bank == [20] * 5 + [146 - 8]
    assert [purse(state, seat) for seat in range(4)] == [{"gold": 2}] * 4
    assert state.robber == CASTLE
    assert GAME.observe(state, None).year == 1355
    assert (state.walls, state.towers, opened(state).prestige, opened(state).council) == (0, 0, [0] * 4, [-1] * 3)
    assert sorted(opened(state).deck) == list(range(36))
    assert opened(state).discard == []


def test_N2_3_bars_and_settlements_of_the_beginner_set_up() -> None:
    state = beginner_table()
    assert {name: state.site_owners[site_of(name)] for name in ("III:7", "V:3", "II:1", "II:7")} == {
        "III:7": 0,
        "V:3": 0,
        "II:1": 1,
        "II:7": 1,
    }
    assert {name: state.site_owners[site_of(name)] for name in ("V:5", "III:5", "II:5", "IV:1")} == {
        "V:5": 2,
        "III:5": 2,
        "II:5": 3,
        "IV:1": 3,
    }
    bars = [state.bar_owners[start : start + 4] for start in (0, 9, 18, 27, 34)]
    assert bars == [[-1] * 4, [1, 1, 3, -1], [0, 2, -1, -1], [3, -1, -1, -1], [2, 0, -1, -1]]


def test_N2_3_one_settlement_of_each_colour_pays_its_cards() -> None:
    state = beginner_table()
    assert opened(state).starting_sites == [site_of(name) for name in ("III:7", "II:1", "V:5", "IV:1")]


def test_N2_4_three_beginners_leave_out_orange() -> None:
    state = beginner_table(3)
    assert opened(state).colors == (Color.WHITE, Color.RED, Color.BLUE)
    assert opened(state).wayrights == [-1, 1, 0, -1, 2]
    assert opened(state).bar_counts == [0, 2, 2, 0, 2]
    assert Counter(owner for owner in opened(state).site_owners if owner >= 0) == {0: 2, 1: 2, 2: 2}


def test_N2_5_the_highest_number_starts_and_ties_draw_again() -> None:
    state = advanced()
    opened(state).deck = [30, 3, 6, 20, *range(7, 20)]  # robber knight 0, then 3, 11 and 11; seats 2 and 3 draw again
    opened(state).deck[4:4] = [25, 26]  # a 2 and a 4
    assert draw_start_player(state) == 3


def test_N2_5_too_few_cards_for_the_tied_are_reshuffled_first() -> None:
    state = advanced()
    opened(state).deck = [30, 31, 32, 33]
    assert draw_start_player(state) in range(4)
    assert len(opened(state).deck) < 36


def test_N2_5_drawn_start_players_vary_and_the_deck_is_whole_again() -> None:
    starts = set()
    for seed in range(30):
        state = advanced(start="auto", seed=seed)
        starts.add(state.first_seat)
        assert sorted(opened(state).deck) == list(range(36))
        assert asked(state) == [("setup_place", state.first_seat)]
    assert starts == {0, 1, 2, 3}


def test_N2_6_placement_snakes_and_its_options_are_all_free_crossings() -> None:
    state = advanced(start="2")
    order = []
    while asked(state)[0][0] == "setup_place":
        order.append(asked(state)[0][1])
        if len(order) == 1:
            sites = placements(state)
            assert sites == [
                (road, k) for road, length in zip(Road, (9, 9, 9, 7, 7), strict=True) for k in range(1, length + 1)
            ]
        assert GAME.default_action(state, order[-1]) == options(state)[0]
        play(state, options(state)[0])
    assert order == [2, 3, 0, 1, 1, 0, 3, 2]
    assert state.turn == 1
    assert state.active == 2  # N2.9


def test_N2_6_placement_keeps_its_distance_and_needs_a_free_segment() -> None:
    state = advanced()
    play(state, PlaceSettlement(Road.V, 3))
    for crossing in (2, 3, 4):
        assert refusal(state, PlaceSettlement(Road.V, crossing)) == "N5.4"
    for crossing in (0, 8, -1):
        assert refusal(state, PlaceSettlement(Road.V, crossing)) == "N5.4"
    put_bars(state, Road.IV, *[0, 1, 2, 3, 0, 1, 2])
    assert refusal(state, PlaceSettlement(Road.IV, 1)) == "N2.6"
    assert not any(road is Road.IV for road, _ in placements(state))


def test_N2_7_N2_8_second_settlements_pay_and_ties_go_to_the_lowest_segment() -> None:
    state = advanced(3)
    firsts = (PlaceSettlement(Road.I, 1), PlaceSettlement(Road.I, 3), PlaceSettlement(Road.II, 1))
    seconds = (PlaceSettlement(Road.I, 5), PlaceSettlement(Road.I, 7), PlaceSettlement(Road.II, 9))
    events = play(state, *firsts, *seconds)
    taken = [event for event in events if isinstance(event, StartingCardsTaken)]
    assert taken == [
        StartingCardsTaken(0, SITE_CARDS[site_of("II:9")]),
        StartingCardsTaken(1, SITE_CARDS[site_of("I:7")]),
        StartingCardsTaken(2, SITE_CARDS[site_of("I:5")]),
    ]
    # Road I holds bars of 0, 1, 2, 1: seat 1 has most; road II bars of 2 and 0: the lower segment is seat 2's.
    wayrights = [event for event in events if isinstance(event, WayrightTaken)]
    assert wayrights == [WayrightTaken(1, Road.I, None), WayrightTaken(2, Road.II, None)]


def test_N2_9_a_beginner_table_draws_its_first_seat() -> None:
    firsts = Counter(GAME.new(4, seed, GAME.options({})).first_seat for seed in range(80))
    assert sorted(firsts) == [0, 1, 2, 3]
    assert min(firsts.values()) > 8
    assert GAME.new(4, 1, GAME.options({"start_player": "3"})).active == 3


def test_N2_10_points_after_free_placement_may_differ() -> None:
    state = advanced(3)
    play(state, *(PlaceSettlement(Road.I, k) for k in (1, 3, 5, 7, 9)), PlaceSettlement(Road.II, 1))
    # Road I holds bars of 0, 1, 2, 2, 1: seats 1 and 2 tie, and seat 1 lies nearer to the city.
    assert GAME.observe(state, None).points == (3, 3, 2)


def test_N8_4_the_same_seed_deals_the_same_luck_whatever_is_played() -> None:
    """The deck does not depend on the start player, nor on the seats at the table."""
    tables = [lay_out(seats, 5, GAME.options({"start_player": start})) for seats, start in ((3, "0"), (4, "2"))]
    decks = [opened(state).deck for state in tables]
    assert decks[0] == decks[1]
