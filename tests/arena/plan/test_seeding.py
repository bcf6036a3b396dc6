"""T2: seeds of games."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations, permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.directory import BotDirectory, Manifest, RemoteBot
from arena.plan.seeding import Seeding, check_shared_seeds, game_seed, table_seeds
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from arena.sandbox.levels import Level
from ratings.ledger.secret_seed import new_secret, secret_seed
from ratings.points.result import Fixture
from referee.order import OrderError, told_id

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


def settings_with(seeding: Seeding, *openings: bool) -> TournamentSettings:
    games = tuple(
        GameSettings(f"game{number}", 1, {}, TableSizes(2, 2, 2), has_openings=each)
        for number, each in enumerate(openings)
    )
    return TournamentSettings(
        seed=3, bots=("a", "b"), games=games, format="swiss", points_rounds=3, rating_rounds=0, seeding=seeding
    )


def test_T2_10_openings_are_shared_by_a_block_and_nothing_else_is() -> None:
    settings = settings_with(Seeding.PER_GAME, True, False)
    assert [settings.seeding_in(number) for number in (1, 2, 3)] == [
        Seeding.PER_BLOCK,
        Seeding.PER_GAME,
        Seeding.PER_BLOCK,
    ]


@pytest.mark.parametrize(
    ("seeding", "openings", "shares"),
    [
        (Seeding.PER_GAME, (True, False), False),
        (Seeding.PER_BLOCK, (True, True), False),
        (Seeding.PER_BLOCK, (True, False), True),
    ],
)
def test_T2_10_only_secrets_that_are_shared_ask_for_bots_that_cannot_remember(
    seeding: Seeding, openings: tuple[bool, ...], shares: bool
) -> None:
    assert settings_with(seeding, *openings).shares_secrets is shares


def test_T2_10_the_ledger_keeps_whether_a_game_has_openings_and_says_nothing_new_of_others() -> None:
    with_openings, without = settings_with(Seeding.PER_GAME, True, False).games
    assert with_openings.to_plain()["openings"] is True
    assert "openings" not in without.to_plain()
    for game in (with_openings, without):
        assert GameSettings.from_plain(game.to_plain()) == game


# What a bot can find out from the id it is told.

BOTS = ("ann", "bob", "cat", "dan")


def found_by_trying(told: str, seeds: range, *, is_match_id: bool) -> tuple[int, Fixture] | None:
    """Search seed, round, table and seating as a bot would that knows the entrants and its own seat."""
    for seed, number, table in product(seeds, range(1, 4), range(1, 3)):
        drawn = game_seed(Seeding.PER_GAME, seed, number, table, 0)
        for seating in permutations(BOTS, 2):
            fixture = Fixture("cup", number, table, 0, seating, drawn)
            if told == (fixture.match_id if is_match_id else told_id(drawn, fixture.match_id, 0)):
                return seed, fixture
    return None


def test_T2_7_a_small_seed_is_found_by_trying_and_a_secret_one_is_not() -> None:
    """With 1494 for a seed any id gives it away; it takes a secret too large to try (T2.8) and an id of one's own."""
    seating = ("cat", "bob")
    for seed, is_found in ((1494, True), (secret_seed(new_secret()), False)):
        drawn = game_seed(Seeding.PER_GAME, seed, 2, 1, 0)
        fixture = Fixture("cup", 2, 1, 0, seating, drawn)
        said = found_by_trying(fixture.match_id, range(1480, 1500), is_match_id=True)
        told = found_by_trying(told_id(drawn, fixture.match_id, 0), range(1480, 1500), is_match_id=False)
        assert said == told == ((seed, fixture) if is_found else None)


def test_T2_7_the_ids_of_two_seats_or_two_matches_have_nothing_in_common() -> None:
    """One match told to four seats, and one seat told of four matches of one seed, as in a block of one seed."""
    told = {(match, seat): told_id(5, match, seat) for match in "abcd" for seat in range(4)}
    assert len(set(told.values())) == 16
    assert all(len(each) == 32 and set(each) <= set("0123456789abcdef") for each in told.values())
    assert told["a", 0] == sha256(b"told|5|a|0").hexdigest()[:32]
    changed = [bin(int(one, 16) ^ int(other, 16)).count("1") for one, other in combinations(told.values(), 2)]
    assert 40 < min(changed) <= max(changed) < 88, "half of 128 bits differ, as between any two digests"
