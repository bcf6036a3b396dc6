"""The number of matches played concurrently, by itself: what bots declare, the time control, and explicit settings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from arena.bots.directory import Bot, BotDirectory, Manifest, remote_bot
from arena.play.concurrency import ANSWERS, MAX_MATCHES, max_matches_of, pace_ms, share_of
from arena.play.match_to_play import MatchToPlay
from referee.order import TimeControl

USUAL = TimeControl()
BLITZ = TimeControl(bank_ms=1_000, increment_ms=10, cap_ms=1_000)
BULLET = TimeControl(bank_ms=100, increment_ms=0, cap_ms=100)


def hosted(concurrency: int) -> Bot:
    return BotDirectory(Manifest("hosted", ("true",), concurrency=concurrency), "", Path())


def remote(concurrency: int) -> Bot:
    return remote_bot("remote", (), concurrency)


def match(*bots: Bot, time: TimeControl = USUAL, game: str = "carcassonne_city") -> MatchToPlay:
    return MatchToPlay("m", game, {}, bots, 1, time)


@pytest.mark.parametrize(
    ("time", "pace"),
    [
        (USUAL, 1_100),
        (BLITZ, 20),
        (BULLET, 1),
        (TimeControl(bank_ms=600_000, increment_ms=9_000, cap_ms=50), 50),
        (TimeControl(bank_ms=0, increment_ms=0, cap_ms=1_000), 0),
        (TimeControl(bank_ms=600_000, increment_ms=9_000, cap_ms=0), 9_000 + 600_000 // ANSWERS),
    ],
)
def test_the_pace_is_what_a_seat_can_keep_up(time: TimeControl, pace: int) -> None:
    assert pace_ms(time) == pace


@pytest.mark.parametrize(
    ("declared", "time", "asked", "most"),
    [
        (1, USUAL, None, 1),
        (4, USUAL, None, 4),
        (64, USUAL, None, 64),
        (1_024, USUAL, None, MAX_MATCHES),
        (64, BLITZ, None, 4),
        (2, BLITZ, None, 2),
        (64, BULLET, None, 1),
        (64, USUAL, 4, 4),
        (4, USUAL, 64, 4),
        (1, USUAL, 1_024, 1),
        (1_024, BULLET, 1_024, 1_024),
    ],
)
def test_a_process_plays_no_more_than_its_bot_declares_and_its_clock_bears(
    declared: int, time: TimeControl, asked: int | None, most: int
) -> None:
    assert max_matches_of(hosted(declared), time, asked) == most


@pytest.mark.parametrize(
    ("bots", "time", "asked", "fresh", "share"),
    [
        ((hosted(1), hosted(1)), USUAL, None, False, 1),
        ((hosted(1), hosted(64)), USUAL, None, False, 1),  # the one that thinks decides
        ((hosted(4), hosted(16), hosted(64)), USUAL, None, False, Fraction(1, 4)),
        ((hosted(64), hosted(64)), USUAL, None, False, Fraction(1, 64)),
        ((hosted(1_024), hosted(1_024)), USUAL, None, False, Fraction(1, MAX_MATCHES)),
        ((hosted(64), hosted(64)), BLITZ, None, False, Fraction(1, 4)),
        ((hosted(64), hosted(64)), BULLET, None, False, 1),
        ((hosted(64), remote(1)), USUAL, None, False, Fraction(1, 64)),  # it thinks elsewhere
        ((remote(1), remote(1)), USUAL, None, False, Fraction(1, MAX_MATCHES)),
        ((hosted(64), hosted(64)), USUAL, None, True, 1),
        ((remote(1), remote(1)), USUAL, None, True, Fraction(1, MAX_MATCHES)),
        ((hosted(1), hosted(1)), USUAL, 16, False, Fraction(1, 16)),  # a set number wins
        ((hosted(64), hosted(64)), BULLET, 16, True, Fraction(1, 16)),
        ((hosted(64), hosted(64)), USUAL, 1, False, 1),
    ],
)
def test_a_match_takes_the_share_of_a_processor_that_its_most_thoughtful_bot_needs(
    bots: tuple[Bot, ...], time: TimeControl, asked: int | None, fresh: bool, share: Fraction | int
) -> None:
    assert share_of(match(*bots, time=time), asked, fresh_process=fresh) == share


@pytest.mark.parametrize(
    ("game", "bots", "share"),
    [
        ("carcassonne_city", (hosted(1),) * 4, 1),
        ("furstenfeld", (hosted(1),) * 5, 1),
        ("norenberc", (hosted(1),) * 4, 4),
        ("norenberc", (hosted(1), hosted(1), hosted(64), hosted(64)), 2),
        ("norenberc", (hosted(1), hosted(64), hosted(64), remote(1)), 1),
        ("norenberc", (hosted(64),) * 4, Fraction(1, 64)),
        ("nuremberg", (hosted(1),) * 4, 2),
        ("toy", (hosted(1),) * 3, 3),
        ("no such game", (hosted(1),) * 3, 3),  # the worst is assumed; its referee says what is wrong
    ],
)
def test_bots_that_think_have_a_processor_each_where_the_game_asks_them_together(
    game: str, bots: tuple[Bot, ...], share: Fraction | int
) -> None:
    assert share_of(match(*bots, game=game), None) == share
