"""B1 Components and B2 Set-up."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources
from typing import Any

import pytest

from referee.games.norenberc.components import (
    ARTISANS,
    CITIZENS,
    GOOD_NAMES,
    GUILD_NAMES,
    HIRE_COSTS,
    CitizenKind,
    has_agent_plus,
    value_of,
)
from referee.games.norenberc.game import GAME
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.state import master
from referee.rng import seeded
from tests.rules.norenberc.builders import (
    goods_of,
    new_state,
    opened,
    put_masters,
    store_of,
)
from tests.rules.norenberc.contract_case import check_invariants

DATA: dict[str, Any] = tomllib.loads(
    resources.files("referee.games.norenberc").joinpath("components.toml").read_text("utf-8")
)
SEATS = (2, 3, 4, 5)


def test_B1_1_six_guilds_in_the_order_of_their_numbers() -> None:
    assert GUILD_NAMES == ("Brewers", "Bakers", "Cobblers", "Printers", "Tailors", "Hatters")
    assert GOOD_NAMES == ("beer", "cakes", "shoes", "pages", "cloth", "hats")


def test_B1_2_the_box_adds_up() -> None:
    """B1.9: agents, cards and blazons too; B11.1: thirty action cards are six for each of five players."""
    printed, limits = DATA["components"], DATA["limits"]
    assert sum(map(len, ARTISANS)) == printed["artisans"] == 66
    assert 6 * limits["goods_per_guild"] == printed["goods"] == 72
    assert 6 * limits["blazons_per_guild"] == printed["guild_blazons"] == 24
    assert 5 * limits["agents_per_player"] == printed["agents"] == 40
    assert 5 * printed["action_cards_per_player"] == printed["action_cards"] == 30
    assert limits["prestige_blazons"] == DATA["meta"]["rounds"] == 4


def test_B1_5_every_guild_has_the_same_eleven_values() -> None:
    for tiles in ARTISANS:
        assert sorted(map(value_of, tiles)) == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7]
        assert sum(map(value_of, tiles)) == 47


def test_B1_6_exactly_the_twos_show_agent_plus() -> None:
    for tiles in ARTISANS:
        assert [has_agent_plus(tile) for tile in tiles] == [value_of(tile) == 2 for tile in tiles]


def test_B1_8_the_twenty_six_citizens() -> None:
    """B1.7: fifteen faces of eleven types."""
    counts = Counter(CITIZENS)
    assert sum(counts.values()) == 26
    assert len(counts) == 15
    assert {tile // 10 for tile in CITIZENS} == {int(kind) for kind in CitizenKind}
    assert [counts[tile] for tile in (700, 710, 720)] == [4, 3, 2]
    assert [counts[tile] for tile in (733, 735, 740, 750)] == [1, 1, 2, 1]
    assert [counts[tile] for tile in (762, 763, 770, 780, 792, 793, 794, 800)] == [2, 1, 2, 2, 1, 1, 1, 2]


def test_B5_12_the_costs_of_the_windows() -> None:
    assert HIRE_COSTS == (((1, 0),), ((1, 1),), ((2, 0), (1, 2)), ((3, 0), (2, 2)))


@pytest.mark.parametrize(
    ("seats", "guilds", "citizens", "stored", "pile"),
    [(2, 3, 8, 10, 17), (3, 4, 12, 9, 24), (4, 5, 16, 8, 31), (5, 6, 20, 7, 38)],
)
def test_B2_1_set_up_by_number_of_players(seats: int, guilds: int, citizens: int, stored: int, pile: int) -> None:
    """B2.2, B2.6, B2.7: the guests are six artisans a guild and the drawn citizens, three of them in each lodging."""
    state = GAME.new(seats, 7, GAME.options({}))
    assert state.houses == guilds
    assert len(opened(state).boxed) == 26 - citizens
    assert [store_of(state, guild)[guild - 1] for guild in range(1, guilds + 1)] == [stored] * guilds
    assert len(opened(state).pile) == pile
    row = next(row for row in DATA["setup"] if row["players"] == seats)
    assert (row["store_start"], row["pile_after_lodgings"]) == (stored, pile)
    assert row["pile_before_lodgings"] == pile + 3 * guilds == 6 * guilds + citizens
    check_invariants(state)


@pytest.mark.parametrize("seats", SEATS)
def test_B2_3_what_every_player_starts_with(seats: int) -> None:
    state = GAME.new(seats, 8, GAME.options({}))
    for seat in range(seats):
        assert opened(state).talers[seat] == 25
        assert (opened(state).supply[seat], opened(state).reserve[seat]) == (4, 4)
        assert goods_of(state, seat) == [1] * state.houses
    assert opened(state).finished == [0] * seats


def test_B2_4_the_track_is_a_random_permutation() -> None:
    tracks = {tuple(opened(GAME.new(3, seed, GAME.options({}))).track) for seed in range(60)}
    assert len(tracks) == 6


def test_B2_5_a_shop_is_five_artisans_of_its_guild() -> None:
    for seed in range(5):
        state = GAME.new(5, seed, GAME.options({}))
        for house in range(6):
            shop = opened(state).shops[house * 5 : house * 5 + 5]
            assert all(tile // 100 == house + 1 for tile in shop)
            assert master(state, house) == shop[0]


def test_B2_5_the_fourth_draw_lies_under_the_fifth() -> None:
    state = GAME.new(2, 4, GAME.options({}))
    drawn = list(ARTISANS[2])
    seeded(4).fork("shop_3").shuffle(drawn)
    first, second, third, under, top = drawn[:5]
    assert under != top
    assert opened(state).shops[10:15] == [first, second, third, top, under]


def test_B2_8_the_blazons_lie_ready() -> None:
    state = new_state(5)
    assert opened(state).stacks == [4] * 6
    assert state.prestige_stock + state.prestige_placed == 4


def test_B2_9_the_lowest_of_the_highest_masters_is_the_prestige_guild() -> None:
    state = new_state(3)
    put_masters(state, 3, 6, 6, 2)
    state.prestige_house = -1
    name_prestige_guild(state)
    assert state.prestige_house == 1


def test_B2_10_one_seed_means_one_layout_and_the_same_luck_in_every_shop() -> None:
    """B0.5: nothing but the seed decides; the shops of a larger table begin like those of a smaller one."""
    first, second = (GAME.new(4, 5, GAME.options({})) for _ in range(2))
    assert GAME.digest(first) == GAME.digest(second)
    assert opened(GAME.new(2, 5, GAME.options({}))).shops == opened(first).shops[:15]
    assert GAME.digest(GAME.new(4, 6, GAME.options({}))) != GAME.digest(first)


def test_there_are_no_options() -> None:
    """B1.11: the promotional citizens are not used."""
    with pytest.raises(ValueError, match="promos: unknown key"):
        GAME.options({"promos": True})


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_only_two_to_five_play(seats: int) -> None:
    with pytest.raises(ValueError, match=f"seats: {seats}"):
        GAME.new(seats, 1, GAME.options({}))
