"""Recorded matches replayed step by step: the same states, the same results, the same story.

A change of the rules that leads old choices elsewhere shows here, and raises the game's `rules_version`.
`python -m tests.golden.make` refreshes the files.
"""

from __future__ import annotations

import pytest

from referee.games import GAMES
from referee.record import read, replay, without_times
from tests.golden.make import GOLDENS, Golden, make_record, story_of

every_golden = pytest.mark.parametrize("golden", GOLDENS, ids=[golden.slug for golden in GOLDENS])


def kept(golden: Golden) -> str:
    return golden.record_file.read_bytes().decode("ascii")


@every_golden
def test_every_step_leads_to_the_recorded_state(golden: Golden) -> None:
    record = read(kept(golden))
    steps = [step.number for step, _state, _events in replay(record)]
    assert steps == list(range(1, len(record.steps) + 1))
    assert 5 <= len(steps) <= golden.most_steps


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
    assert [golden.slug for golden in GOLDENS] == list(GAMES)
