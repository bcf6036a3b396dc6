"""T2: seeds of games."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.directory import BotDirectory, Manifest, RemoteBot
from arena.plan.seeding import Seeding, check_shared_seeds, game_seed, table_seeds
from arena.sandbox.levels import Level
from referee.order import OrderError

NUMBERS = st.integers(0, 1 << 62)


def digest(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def test_T2_4_a_game_seeded_by_itself_has_the_seed_of_its_place_and_attempt() -> None:
    assert game_seed(Seeding.PER_GAME, 7, 3, 12, 2) == digest("seed|7|3|12|2|0")
    assert game_seed(Seeding.PER_GAME, 7, 3, 12, 2, attempt=1) == digest("seed|7|3|12|2|1")


@given(NUMBERS, st.integers(1, 50), st.integers(1, 50))
def test_T2_4_no_two_games_of_a_block_have_the_same_seed(seed: int, number: int, table: int) -> None:
    seeds = [
        game_seed(Seeding.PER_GAME, seed, number, table, game, attempt) for game in range(5) for attempt in range(2)
    ]
    assert len(set(seeds)) == len(seeds)


@given(NUMBERS, st.integers(1, 50), st.integers(1, 50), st.integers(0, 4), st.integers(0, 1))
def test_T2_5_per_block_seeding_is_the_seed_of_game_0(
    seed: int, number: int, table: int, game: int, attempt: int
) -> None:
    first = game_seed(Seeding.PER_GAME, seed, number, table, 0, attempt)
    assert game_seed(Seeding.PER_BLOCK, seed, number, table, game, attempt) == first


def test_T13_3_a_table_has_one_seed_for_every_game() -> None:
    assert table_seeds(Seeding.PER_GAME, 7, 3, 12, 2) == (digest("seed|7|3|12|0|0"), digest("seed|7|3|12|1|0"))


HERE = BotDirectory(Manifest("here", ("./here",)), "1", Path("here"))
FAR = RemoteBot(Manifest("far", ()), "1")


@pytest.mark.parametrize("level", [Level.FULL, Level.DEFAULT])
def test_T2_5_per_block_seeding_is_for_bots_that_cannot_remember(level: Level) -> None:
    check_shared_seeds([HERE], level)
    with pytest.raises(OrderError, match="'per_block' is refused: far@1 runs elsewhere"):
        check_shared_seeds([HERE, FAR], level)


@pytest.mark.parametrize("level", [Level.LANDLOCK, Level.NONE])
def test_T2_5_per_block_seeding_needs_a_sandbox_fit_for_untrusted_bots(level: Level) -> None:
    with pytest.raises(OrderError, match=f"here@1 would run at sandbox level {level}.*expected full or default"):
        check_shared_seeds([HERE], level)
