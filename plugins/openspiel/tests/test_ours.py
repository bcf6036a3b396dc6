"""The arena's games for OpenSpiel's algorithms."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arena_openspiel import ours
from open_spiel.python.algorithms import ismcts, outcome_sampling_mccfr

from referee.games import BUILT_IN, GAMES
from referee.rng import seeded

ROOT = Path(__file__).parents[3]
ISMCTS = Path(ours.__file__).with_name("ismcts")


def begun(slug: str, seats: int, seed: int) -> Any:
    state = ours.load(slug, seats=seats).new_initial_state()
    state.apply_action(seed)
    return state


@pytest.mark.parametrize("slug", BUILT_IN)
def test_a_game_of_ours_is_played_as_one_of_openspiels(slug: str) -> None:
    """Its moves lead where the rules lead, and utilities add up to zero."""
    rules = GAMES[slug]
    seats = rules.table_sizes[0]
    state, dice = begun(slug, seats, 5), seeded(5)
    real = rules.new(seats, 5, rules.options({}))
    for _ in range(60):
        pending = rules.pending(real)
        if not pending:
            break
        choices = {}
        for decision in pending:
            assert state.current_player() == decision.seat
            listed = rules.legal_actions(real, decision.seat)
            assert state.legal_actions() == list(range(len(listed)))
            place = dice.index(len(listed))
            assert state.action_to_string(decision.seat, place) == rules.describe(listed[place])
            state.apply_action(place)
            choices[decision.seat] = listed[place]
        rules.apply(real, choices)
        assert rules.digest(state.held.state) == rules.digest(real)
    assert state.is_terminal() == (not rules.pending(real))
    assert sum(ours.utilities((1, 2, 2, 4))) == 0


def test_clones_are_independent() -> None:
    state = begun("norenberc", 2, 3)
    before = state.information_state_string()
    copy = state.clone()
    copy.apply_action(1)
    assert state.information_state_string() == before


@pytest.mark.parametrize("slug", ["norenberc", "nuremberg"])
def test_a_resampled_state_looks_the_same_to_its_seat(slug: str) -> None:
    state, dice = begun(slug, GAMES[slug].table_sizes[0], 3), seeded(3)
    for number in range(20):
        seat = state.current_player()
        other = state.resample_from_infostate(seat, lambda: dice.index(1000) / 1000)
        assert other.current_player() == seat
        assert other.information_state_string() == state.information_state_string()
        assert other.legal_actions() == state.legal_actions()
        state.apply_action(dice.index(len(state.legal_actions())))
        assert number < 20


def test_ismcts_of_openspiel_plays_norenberc() -> None:
    """Deterministically, by its own dice."""

    def chosen() -> list[int]:
        state, made = begun("norenberc", 2, 17), []
        bot = ismcts.ISMCTSBot(
            state.get_game(), ours.Playouts(seeded(1)), uct_c=1.4, max_simulations=6,
            random_state=np.random.RandomState(1),
        )  # fmt: skip
        bot.set_resampler(ours.resampler(seeded(2)))
        for _ in range(6):
            action = bot.step(state)
            assert action in state.legal_actions()
            made.append(int(action))
            state.apply_action(action)
        return made

    assert chosen() == chosen()


def test_mccfr_of_openspiel_runs_on_a_small_tree_of_norenberc() -> None:
    """One seed of chance: the regrets of the first decision are of its own options."""
    game = ours.load("norenberc", seats=2, seeds=1)
    np.random.seed(1)  # its solver draws from the generator of the module
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(2):
        solver.iteration()
    state = game.new_initial_state()
    state.apply_action(0)
    policy = solver.average_policy().action_probabilities(state)
    assert sorted(policy) == state.legal_actions()
    assert sum(policy.values()) == pytest.approx(1)


def test_mistakes_are_told_in_one_line() -> None:
    with pytest.raises(ValueError, match="seats: 9 is not allowed for norenberc"):
        ours.load("norenberc", seats=9)
    with pytest.raises(ValueError, match="seeds: 0 is not from 1 to"):
        ours.load("norenberc", seeds=0)
    with pytest.raises(ValueError, match="no_such"):
        ours.load("norenberc", options={"no_such": 1})


@pytest.mark.long
def test_the_ismcts_bot_beats_random_play_at_norenberc(tmp_path: Path) -> None:
    """A whole match over gRPC, verified."""
    words = [sys.executable, "-m", "arena", "play", "norenberc", "--bot", str(ISMCTS), "--bot"]
    words += [
        str(ROOT / "sample_bots" / "python"),
        "--seed",
        "3",
        "--time",
        "cap_ms=600000",
        "--time",
        "bank_ms=6000000",
    ]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    assert re.search(r"0  ismcts +1 ", run.stdout), run.stdout
    assert "1 of 1 records verified" in run.stdout
