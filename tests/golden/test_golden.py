"""Recorded matches replayed step by step: the same states, the same results, the same story.

A change of the rules that leads old choices elsewhere shows here, and raises the game's `rules_version`.
`python -m tools.golden` refreshes the files.
"""

from __future__ import annotations

import pytest
from arena_toy.game import GAME as TOY
from arena_toy.game import Options, State, Toy

from referee.games import GAMES
from referee.order import OrderError, find_rules
from referee.record import read, replay, verify
from tests.contract.case import OURS
from tests.records import without_times
from tools.golden import GOLDENS, Golden, make_record, story_of

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
    """The record is made again; options listed in another order would lead the seats elsewhere."""
    made, stored = (without_times(text).splitlines()[1:] for text in (make_record(golden), kept(golden)))
    described = [[strip_digests(line) for line in lines] for lines in (made, stored)]
    assert described[0] == described[1]


def strip_digests(line: str) -> str:
    """Leave out the digest: its chain begins with the header, which names the version of the software."""
    return line.partition('"digest"')[0]


def test_every_game_has_a_golden() -> None:
    assert sorted({golden.slug for golden in GOLDENS}) == [*OURS]


class SecondToy(Toy):
    """A toy whose second version turns the prizes up in order."""

    rules_version = 2
    earlier = (TOY,)

    def new(self, seats: int, seed: int, options: Options) -> State:
        state = super().new(seats, seed, options)
        state.prizes.sort()
        return state


@pytest.fixture
def second_toy(monkeypatch: pytest.MonkeyPatch) -> SecondToy:
    """The toy by its second version, installed in the place of the first."""
    game = SecondToy()
    monkeypatch.setattr("referee.games._load", lambda slug: {"toy": game}[slug])
    return game


def test_a_record_of_earlier_rules_is_replayed_by_the_rules_it_names(second_toy: SecondToy) -> None:
    (golden,) = (golden for golden in GOLDENS if golden.slug == "toy")
    record = verify(kept(golden))
    assert GAMES["toy"] is second_toy
    assert record.game is TOY
    tables = [game.new(record.seats, record.header["seed"], record.options) for game in (TOY, second_toy)]
    assert len({TOY.digest(table) for table in tables}) == 2, "the second version leads elsewhere"


def test_rules_that_nobody_kept_are_named_with_those_there_are(second_toy: SecondToy) -> None:
    assert find_rules("toy", 2) is second_toy
    with pytest.raises(OrderError, match=r"^rules version 7 of toy is not available; expected 1 or 2$"):
        find_rules("toy", 7)
