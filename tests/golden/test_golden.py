"""Recorded matches replayed step by step: the same states, the same results, the same story.

A change of the rules that leads old choices elsewhere shows here, and raises the game's `rules_version`.
`python -m tools.golden` refreshes the files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.order import OrderError, find_rules
from referee.record import read, replay, verify, without_times
from tools.golden import GOLDENS, HERE, Golden, make_record, story_of

EARLIER = sorted((HERE / "earlier").glob("*.jsonl"))
every_golden = pytest.mark.parametrize("golden", GOLDENS, ids=[golden.name for golden in GOLDENS])


def kept(golden: Golden) -> str:
    return golden.record_file.read_bytes().decode("ascii")


@every_golden
def test_every_step_leads_to_the_recorded_state(golden: Golden) -> None:
    record = read(kept(golden))
    steps = [step.number for step, _state, _events in replay(record)]
    assert steps == list(range(1, len(record.steps) + 1))
    assert 5 <= len(steps) <= golden.max_steps


@every_golden
def test_the_story_is_told_as_it_was(golden: Golden) -> None:
    assert story_of(golden, kept(golden)).splitlines() == golden.story_file.read_text(encoding="utf-8").splitlines()


@every_golden
def test_the_same_seed_still_offers_the_same_choices(golden: Golden) -> None:
    """The record is made anew; options listed in another order would lead the seats elsewhere."""
    made, stored = (without_times(text).splitlines()[1:] for text in (make_record(golden), kept(golden)))
    described = [[strip_digests(line) for line in lines] for lines in (made, stored)]
    assert described[0] == described[1]


def strip_digests(line: str) -> str:
    """Leave out the digest: its chain begins with the header, which names the version of the software."""
    return line.partition('"digest"')[0]


def test_every_game_has_a_golden() -> None:
    assert sorted({golden.slug for golden in GOLDENS}) == list(GAMES)


@pytest.mark.parametrize("file", EARLIER, ids=[file.stem for file in EARLIER])
def test_a_record_of_earlier_rules_is_replayed_by_the_rules_it_names(file: Path) -> None:
    """Such a record was written by the software of its time; it is never made anew."""
    record = verify(file.read_bytes().decode("ascii"))
    assert record.header["rules_version"] == record.game.rules_version < GAMES[record.game.slug].rules_version
    assert len(record.steps) > 50


def test_the_rules_of_today_lead_an_earlier_record_elsewhere() -> None:
    """Why the version was raised: from the same seed and choices the present rules reach another table."""
    record = verify((HERE / "earlier" / "nuremberg_1_beginner.jsonl").read_bytes().decode("ascii"))
    game, seed = GAMES[record.game.slug], record.header["seed"]
    tables = [rules.new(record.seats, seed, record.options) for rules in (record.game, game)]
    assert len({game.digest(table) for table in tables}) == 2


def test_rules_that_nobody_kept_are_named_with_those_there_are() -> None:
    with pytest.raises(OrderError, match=r"^rules version 7 of nuremberg is not here; expected 1 or 2$"):
        find_rules("nuremberg", 7)
    with pytest.raises(OrderError, match=r"^rules version 2 of toy is not here; expected 1$"):
        find_rules("toy", 2)
