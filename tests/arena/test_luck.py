"""T2: seeds of games, by every rule there has been."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.plan.luck import Luck, check_shared_luck, game_seed, luck_of, table_seeds
from arena.sandbox.levels import Level
from referee.order import OrderError

NUMBERS = st.integers(0, 1 << 62)


def digest(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def test_T2_4_a_game_of_its_own_luck_has_the_seed_of_its_place_and_attempt() -> None:
    assert game_seed(Luck.OWN, 7, 3, 12, 2) == digest("seed|7|3|12|2|0")
    assert game_seed(Luck.OWN, 7, 3, 12, 2, attempt=1) == digest("seed|7|3|12|2|1")


@given(NUMBERS, st.integers(1, 50), st.integers(1, 50))
def test_T2_4_no_two_games_of_a_block_have_the_same_seed(seed: int, number: int, table: int) -> None:
    seeds = [game_seed(Luck.OWN, seed, number, table, game, attempt) for game in range(5) for attempt in range(2)]
    assert len(set(seeds)) == len(seeds)


@given(NUMBERS, st.integers(1, 50), st.integers(1, 50), st.integers(0, 4), st.integers(0, 1))
def test_T2_5_shared_luck_is_the_seed_of_game_0(seed: int, number: int, table: int, game: int, attempt: int) -> None:
    first = game_seed(Luck.OWN, seed, number, table, 0, attempt)
    assert game_seed(Luck.SHARED, seed, number, table, game, attempt) == first


def test_T2_6_settings_without_luck_mean_one_seed_a_table() -> None:
    assert luck_of({}) is Luck.TABLE
    assert luck_of({"luck": "own"}) is Luck.OWN
    assert game_seed(Luck.TABLE, 7, 3, 12, 2) == digest("seed|7|3|12")
    assert game_seed(Luck.TABLE, 7, 3, 12, 2, attempt=1) == digest("seed|7|3|12|1")
    assert table_seeds(Luck.TABLE, 7, 3, 12, 4) == digest("seed|7|3|12")
    assert table_seeds(Luck.OWN, 7, 3, 12, 2) == (digest("seed|7|3|12|0|0"), digest("seed|7|3|12|1|0"))


@dataclass(frozen=True)
class Entered:
    label: str
    is_remote: bool = False


@pytest.mark.parametrize("level", [Level.FULL, Level.DEFAULT])
def test_T2_5_shared_luck_is_for_bots_that_cannot_remember(level: Level) -> None:
    check_shared_luck([Entered("here@1")], level)
    with pytest.raises(OrderError, match="'shared' is refused: far@1 runs elsewhere"):
        check_shared_luck([Entered("here@1"), Entered("far@1", is_remote=True)], level)


@pytest.mark.parametrize("level", [Level.LANDLOCK, Level.NONE])
def test_T2_5_shared_luck_needs_a_sandbox_fit_for_untrusted_bots(level: Level) -> None:
    with pytest.raises(OrderError, match=f"here@1 would run at sandbox level {level}.*expected full or default"):
        check_shared_luck([Entered("here@1")], level)
