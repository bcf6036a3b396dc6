"""Where there is nothing to gain, a tuning seldom says that there was."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from arena.tuning.constants import Constants
from arena.tuning.contest import Contest, ContestPlayer
from arena.tuning.journal import Journal
from arena.tuning.players import LocalPlayers
from arena.tuning.tuning import Tuning, tune
from ratings.sequential.test import Verdict
from referee.games import GAMES
from referee.heuristic import Heuristic, Weight

SALTS = {name: Weight(1.0, 0.5, 2.0) for name in ("salt", "pepper")}
RUNS, ERROR = 200, Decimal("0.05")
MOST = 20
"""Of 200 runs that are each `better` with a probability of 5 %, more than these are with a probability of 0.12 %."""


def salted(values: Mapping[str, float]) -> Heuristic:
    """Return a heuristic whose every weight changes what it plays, and none how well: options by hash.

    Before anybody looks, each is as good as another: any candidate meets any other on even terms.
    """
    said = ",".join(f"{values.get(name, weight.default):.9g}" for name, weight in SALTS.items())

    def rate(state: Any, seat: int, options: Any) -> list[float]:
        moment = GAMES["toy"].digest(state)
        return [
            float(int.from_bytes(blake2b(f"{said}|{moment}|{seat}|{option}".encode(), digest_size=6).digest(), "big"))
            for option in options
        ]

    return Heuristic(rate, lambda state: [0.0] * len(state.points), weights=SALTS, weighted=salted)


def verdict(seed: int, folder: Path) -> Verdict:
    """Tune the salt of a heuristic."""
    player = ContestPlayer(Contest("toy", {}))
    player.heuristic = salted({})
    start = {2: {name: weight.default for name, weight in SALTS.items()}}
    tuning = Tuning(
        "toy", {}, {}, Constants(SALTS), (2,), seed, 2, 4, 0.2, {"heuristic": 2}, start, start,
        Decimal(20), ERROR, 120,
    )  # fmt: skip
    journal = Journal(folder / f"{seed}.journal", tuning.terms())
    try:
        (found,) = tune(tuning, LocalPlayers(player), journal, lambda _step: None)
    finally:
        journal.close()
    return found.verdict


def test_salt_changes_the_play() -> None:
    """Otherwise a test of it would be empty: equal play is never `better`."""
    game = GAMES["toy"]
    state = game.new(2, 1, game.options({}))
    options = game.legal_actions(state, 0)
    ratings = [salted({"salt": salt}).rate(state, 0, options) for salt in (0.5, 1.0, 1.5, 2.0)]
    assert len({each.index(max(each)) for each in ratings}) > 1


@pytest.mark.nightly
def test_of_tunings_with_nothing_to_gain_at_most_one_in_twenty_says_better(tmp_path: Path) -> None:
    """The whole of it, 200 times: generations, the favourite, and its test on fresh seeds."""
    found = [verdict(seed, tmp_path) for seed in range(RUNS)]
    assert found.count(Verdict.BETTER) <= MOST, f"{found.count(Verdict.BETTER)} of {RUNS} runs"
