"""The hooks of a game: a misspelt, missing or wrongly typed one is refused when the game is loaded."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from arena_toy.game import GAME, Bid, Toy

from referee import games
from referee.game import AnyGame, CannotImagineError, Game, GameFamily, can_imagine, seeds_matter
from referee.games import GAMES
from referee.hooks import HookError, check_hooks
from referee.mistakes import UserError
from referee.open_game import OpenGame
from referee.order import OrderError, check_order

UNDECLARED = "is not declared by Game, and private names begin with _"


class Unfinished(Game[Any, Any, Any, Any, Any]):
    slug = "toy"


def toy_with(**names: Any) -> Game[Any, Any, Any, Any, Any]:
    """Return a toy whose class has these names too."""
    changed: type[Toy] = type("Changed", (Toy,), names)
    return changed()


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (toy_with(compares_score=True), f"compares_score {UNDECLARED} (did you mean 'compares_scores'?)"),
        (toy_with(ante=1), f"ante {UNDECLARED}"),
        (toy_with(compares_scores=1), "compares_scores is 1; expected bool"),
        (toy_with(max_options=True), "max_options is True; expected int or None"),
        (toy_with(rules_version="1"), "rules_version is '1'; expected int"),
        (toy_with(scale=8.0), "scale is 8.0; expected Scale"),
        (toy_with(begin=7), "begin is not a method with (seats, seed, options)"),
        (toy_with(score_text=lambda self: "much"), "score_text is not a method with (score)"),
        (toy_with(heuristic=lambda self, state: None), "heuristic is not a method with ()"),
        (Unfinished(), "title is missing; expected str"),  # type: ignore[abstract]  # just what is refused
        (toy_with(apply=Game.apply), "apply is missing; expected a method with (state, choices)"),
        (toy_with(earlier=(toy_with(ante=1),)), f"ante {UNDECLARED}"),
        (toy_with(earlier=(3,)), "int is not a subclass of referee.game.Game"),
        (object(), "object is not a subclass of referee.game.Game"),
    ],
)  # fmt: skip
def test_a_hook_that_is_not_as_declared_is_named_in_one_line(game: object, fault: str) -> None:
    with pytest.raises(HookError) as refused:
        check_hooks("toy", game)
    assert str(refused.value) == f"game toy: {fault}"


def test_a_game_may_have_private_names_and_more_parameters_with_defaults() -> None:
    check_hooks("toy", toy_with(_deck=(), score_text=lambda self, score, unit="points": f"{score} {unit}"))


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_installed_game_keeps_to_what_is_declared(slug: str) -> None:
    check_hooks(slug, GAMES[slug])


def test_a_misspelt_hook_fails_when_the_game_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.MISSPELT", toy_with(score_so_far=None), raising=False)
    points = {"toy": EntryPoint("toy", f"{__name__}:MISSPELT", "arena.games")}
    monkeypatch.setattr(games, "_plug_ins", lambda: points)
    games._load.cache_clear()
    with pytest.raises(HookError, match=r"^game toy: score_so_far is not declared .*'scores_so_far'\?\)$"):
        GAMES["toy"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def x(:\n", "SyntaxError: invalid syntax (odd_game.py, line 1)"),
        ("\nGAME = foo\n", "NameError: name 'foo' is not defined (odd_game.py, line 2)"),
        ("raise ValueError('two\\nlines')\n", "ValueError: two lines (odd_game.py, line 1)"),
        ("x = 1\n", "AttributeError: module 'odd_game' has no attribute 'GAME'"),
    ],
)
def test_a_module_with_any_error_is_named_in_one_line(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd_game.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "odd_game", raising=False)
    monkeypatch.setattr(games, "_plug_ins", lambda: {"odd": EntryPoint("odd", "odd_game:GAME", "arena.games")})
    with pytest.raises(HookError) as refused:
        GAMES["odd"]
    assert str(refused.value) == f"game odd: odd_game:GAME cannot be loaded: {said}"


def test_a_family_that_fails_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    no_games: dict[str, AnyGame] = {}
    broken = GameFamily(slugs=lambda: ["odd_1"], game=lambda slug: no_games[slug])
    monkeypatch.setattr(games, "_families", lambda: {"odd": object()})
    monkeypatch.setattr(games, "family", lambda name: broken)
    games._members.cache_clear()
    with pytest.raises(
        HookError, match=r"^game odd_1: cannot be made: KeyError: 'odd_1' \(test_hooks\.py, line \d+\)$"
    ):
        GAMES["odd_1"]
    monkeypatch.setattr(games, "family", lambda name: dataclasses.replace(broken, slugs=lambda: [str(1 // 0)]))
    games._members.cache_clear()
    with pytest.raises(HookError, match=r"^family odd: its games cannot be listed: ZeroDivisionError: "):
        list(GAMES)


def test_a_match_that_cannot_begin_is_refused_in_one_line() -> None:
    def broken(self: Toy, seats: int, seed: int, options: Any) -> Any:
        raise KeyError("card")

    with pytest.raises(
        OrderError, match=r"^game toy: no match can begin: KeyError: 'card' \(test_hooks\.py, line \d+\)$"
    ):
        check_order(toy_with(new=broken), 2, {})


def test_a_game_whose_views_no_message_can_hold_is_refused_before_a_match() -> None:
    @dataclass
    class Held:
        counts: dict[str, int]

    class Holds(OpenGame[Held, Bid]):
        slug, title = "holds", "Holds"

        def start(self, seats: int, options: object, rng: object) -> Held:
            return Held({})

    with pytest.raises(UserError, match=r"^game holds: messages: View\.counts: a message cannot hold dict\[str, int\]"):
        check_order(Holds(), 2, {})  # type: ignore[abstract]  # nothing more is asked of it


def test_defaults_stand_in_the_base_class() -> None:
    plain = toy_with(heuristic=Game.heuristic, board=Game.board, imagine=Game.imagine)
    options = plain.options({})
    state, events = plain.begin(2, 1, options)
    view = plain.observe(state, 0)
    assert plain.digest(state) == plain.digest(plain.new(2, 1, options))
    assert (events, plain.earlier, plain.max_options, plain.scores_so_far(state)) == ((), (), None, None)
    assert (plain.heuristic(), plain.board(view, {}), plain.score_text(7)) == (None, None, "7")
    assert plain.text_board(view).startswith("seats: 2\nrounds: 5\n")
    choices = {decision.seat: plain.default_action(state, decision.seat) for decision in plain.pending(state)}
    assert plain.apply_checked(plain.clone(state), choices) == plain.apply(state, choices)


def test_a_game_without_imagine_says_so() -> None:
    blind = toy_with(imagine=Game.imagine)
    assert (can_imagine(GAME), can_imagine(blind)) == (True, False)
    state = blind.new(2, 1, blind.options({}))
    with pytest.raises(CannotImagineError, match="toy cannot determinize a seat's view"):
        blind.imagine(blind.observe(state, 0), 0, state.agenda)


@pytest.mark.parametrize(("declared", "matters"), [(None, True), (False, False), (True, True)])
def test_T19_6_seeds_matter_as_the_game_declares_or_as_they_turn_out(declared: bool | None, matters: bool) -> None:
    assert seeds_matter(toy_with(has_chance=declared), 2, GAME.options({})) is matters
