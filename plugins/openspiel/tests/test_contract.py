"""The promises of the game contract, kept by a sample of the proven games; `arena_openspiel.prove` tries all."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from arena_openspiel import game, prove
from arena_openspiel.game import made
from arena_openspiel.listed import catalogue
from arena_openspiel.proof import case_of

from referee.contract import promises
from referee.contract.case import Configuration, ContractCase
from referee.contract.suite import contract_tests

PROVEN_WITH_SECRETS = [name for name, facts in catalogue().games.items() if facts.is_proven and facts.has_secrets]


def small(name: str) -> ContractCase:
    """Return the case of a game at its usual table only."""
    case = case_of(made(name))
    usual = [each for each in case.configurations if each.seats == case.game.preferred_seats]
    return ContractCase(case.game, tuple(usual), case.max_choices, case.check_invariants, case.scramble, case.remember)


TestContract = contract_tests(small("leduc_poker"))


@pytest.mark.parametrize(
    "promise",
    [
        promises.test_views_do_not_leak,
        promises.test_imagined_states_look_the_same_and_play_on,
        promises.test_no_imagined_state_contradicts_what_the_seat_was_told,
    ],
)
def test_hearts_hides_what_it_must_and_can_be_imagined(promise: Callable[[ContractCase, Configuration], None]) -> None:
    case = small("hearts")
    promise(case, case.configurations[0])


@pytest.mark.parametrize("name", ["liars_dice", "tic_tac_toe"])
def test_a_small_game_keeps_every_promise(name: str) -> None:
    case = small(name)
    for promise in promises.PROMISES:
        if promise not in promises.ONCE:
            try:
                promise(case, case.configurations[0])
            except pytest.skip.Exception:
                assert not catalogue().games[name].imagines


def test_a_game_is_proven_although_the_list_calls_it_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = catalogue()
    doubted = {**listed.games, "matrix_cd": dataclasses.replace(listed.games["matrix_cd"], fault=prove.UNTRIED)}
    for module in (prove, game):
        monkeypatch.setattr(module, "catalogue", lambda: dataclasses.replace(listed, games=doubted))
    assert prove.broken_promise("matrix_cd") == ""


@pytest.mark.long
@pytest.mark.parametrize("name", PROVEN_WITH_SECRETS)
def test_a_leak_of_what_happened_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every one of these games; so the promise below is not empty."""
    observe = game.Spiel.observe

    def leaking(self: game.Spiel, state: Any, seat: int | None) -> game.View:
        view = observe(self, state, seat)
        if seat is None or view.scores:
            return view
        return dataclasses.replace(view, text=f"{view.text} {state.spiel.history()}")

    monkeypatch.setattr(game.Spiel, "observe", leaking)
    case = case_of(made(name))
    with pytest.raises(AssertionError):
        promises.test_views_do_not_leak(case, case.configurations[-1])


@pytest.mark.long
@pytest.mark.parametrize("name", PROVEN_WITH_SECRETS)
def test_no_proven_game_leaks(name: str) -> None:
    case = case_of(made(name))
    for configuration in case.configurations:
        promises.test_views_do_not_leak(case, configuration)
