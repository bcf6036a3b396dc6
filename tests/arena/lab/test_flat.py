"""Flat action spaces: an id means one action in every process, and what has no id of its own is said."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import numpy as np
import pytest
from arena_toy.game import GAME as TOY

from arena.lab import action_ids, aec_env
from arena.lab.numbered_actions import EXACT, SPARE, ids_at
from arena.lab.survey import played
from referee.game import AtMost, Types, Within
from referee.games import GAMES
from referee.native import SWITCH
from tests.contract.case import OURS

every_game = pytest.mark.parametrize("slug", OURS)


@every_game
def test_every_listed_option_has_an_id_of_its_own(slug: str) -> None:
    """In matches that were not surveyed too, and nearly all of them in the table."""
    game = GAMES[slug]
    ids = action_ids(slug)
    options = game.options({})
    known = total = 0
    for step, (_, _, listed) in enumerate(played(game, game.preferred_seats, options, 66)):
        if step % 5:
            continue
        numbers = ids.of(listed)
        assert len(set(numbers)) == len(listed)
        for option, number in zip(listed, numbers, strict=True):
            assert 0 <= number < ids.size
            assert ids.action(number) in (option, None)
            known += ids.action(number) is not None
            total += 1
    assert known > 0.95 * total


SURVEYED = ("norenberc", "toy")


def test_an_id_means_the_same_in_every_process_compiled_or_not() -> None:
    code = f"from arena.lab import action_ids; print([action_ids(slug).digest for slug in {SURVEYED}])"
    found = {str([action_ids(slug).digest for slug in SURVEYED])}
    for switch, seed in (("0", "1"), ("1", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, SWITCH: switch}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout.strip())
    assert len(found) == 1


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True, slots=True)
class Paint:
    colour: Colour
    coats: Annotated[int, Within(1, 3)]
    twice: bool


@dataclass(frozen=True, slots=True)
class Perhaps:
    number: Annotated[int, Within(0, 1)] | None


@dataclass(frozen=True, slots=True)
class Far:
    where: Annotated[int, Within(0, EXACT)]


@dataclass(frozen=True, slots=True)
class Several:
    numbers: Annotated[tuple[Annotated[int, Within(0, 1)], ...], AtMost(2)]


@dataclass(frozen=True, slots=True)
class Free:
    number: int


def ids_of(action: Any, listed: list[Any]) -> Any:
    """The ids of a game with these actions, which lists some of them at its only decision."""

    class Like(type(TOY)):  # type: ignore[misc]  # the class of the toy
        types = Types(options=TOY.types.options, action=action, view=TOY.types.view, event=TOY.types.event)

        def pending(self, state: Any) -> Any:
            return super().pending(state)[:1] if not state.gone else ()

        def legal_actions(self, state: Any, seat: int) -> Any:
            return listed

        def apply_checked(self, state: Any, choices: Any) -> Any:
            state.gone.append(1)
            return ()

    return ids_at(Like(), 2, TOY.options({}))


def test_a_type_with_few_values_has_an_id_for_each_in_the_order_of_its_fields() -> None:
    ids = ids_of(Paint | Perhaps, [Paint(Colour.RED, 1, False)])
    assert ids.size == 12 + 3 + SPARE
    assert ids.of([Paint(Colour.RED, 1, False), Paint(Colour.RED, 1, True), Paint(Colour.BLUE, 3, True)]) == [0, 1, 11]
    assert ids.of([Perhaps(None), Perhaps(0), Perhaps(1)]) == [12, 13, 14]
    assert ids.action(11) == Paint(Colour.BLUE, 3, True)
    assert ids.action(15) is None


def test_of_a_wide_type_the_values_that_came_up_have_an_id() -> None:
    listed = [Far(7), Far(EXACT), Several((1,)), Several(()), Free(-5)]
    ids = ids_of(Far | Several | Free, listed)
    assert ids.size == len(listed) + SPARE
    assert [ids.action(number) for number in range(len(listed))] == [
        Far(7), Far(EXACT), Several(()), Several((1,)), Free(-5),
    ]  # fmt: skip


def test_other_values_share_spare_ids_and_those_without_one_are_counted() -> None:
    ids = ids_of(Far, [Far(7)])
    crowd = [Far(number) for number in range(8, 8 + SPARE + 3)]
    numbers = ids.of([Far(7), *crowd])
    assert numbers[0] == 0
    assert numbers.count(-1) == 3
    assert sorted(number for number in numbers[1:] if number >= 0) == list(range(1, 1 + SPARE))
    assert ids.of([crowd[5]]) == ids.of([crowd[5]])
    assert ids.of([Far(7), *crowd]) == numbers


def test_options_without_an_id_are_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    env = aec_env("toy", seats=2, flat=True)
    ids = action_ids("toy", seats=2)
    monkeypatch.setattr(type(ids), "of", lambda _self, listed: [-1, *range(len(listed) - 1)])
    env.reset(seed=1)
    assert env.infos["seat_0"]["options_left_out"] == 1
    assert np.flatnonzero(env.observe("seat_0")["action_mask"]).tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="is not an option of seat 0; expected one of the mask"):
        env.step(-1)


def test_the_same_match_is_played_by_rows_and_by_ids() -> None:
    by_rows, by_ids = aec_env("norenberc", seats=3), aec_env("norenberc", seats=3, flat=True)
    ids = action_ids("norenberc", seats=3)
    by_rows.reset(seed=6)
    by_ids.reset(seed=6)
    while not all(by_rows.terminations.values()):
        agent = by_rows.agent_selection
        seen, flat = by_rows.observe(agent), by_ids.observe(agent)
        assert np.array_equal(seen["observation"], flat["observation"])
        assert seen["action_mask"].sum() == flat["action_mask"].sum()
        row = int(seen["action_mask"].sum()) - 1
        options = by_rows.table.asks[by_rows.table.waiting()[0]].options
        by_rows.step(row)
        by_ids.step(ids.of(options)[row])
    assert by_rows.rewards == by_ids.rewards
    assert by_rows.table.game.digest(by_rows.table.state) == by_ids.table.game.digest(by_ids.table.state)
