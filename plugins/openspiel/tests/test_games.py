"""OpenSpiel's games by themselves: what is listed, what a view holds, and how a hidden deal is filled."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest
from arena_openspiel.game import Ended, Moved, State, View, made
from arena_openspiel.listed import catalogue, read, written
from arena_openspiel.setting import asked, setting_of
from arena_openspiel.twins import twin
from arena_openspiel.worlds import GAP, filled, known_history

from referee.game import CannotImagineError, IllegalActionError
from referee.games import GAMES
from referee.playout import play, random_chooser
from referee.rng import seeded

NAMED = {
    "hearts", "backgammon", "leduc_poker", "universal_poker", "goofspiel", "liars_dice", "gin_rummy", "euchre",
    "connect_four", "go", "chess",
}  # fmt: skip


def positions(slug: str, seed: int, seats: int = 0) -> list[Any]:
    game = GAMES[slug]
    state = game.new(seats or game.preferred_seats, seed, game.options({}))
    kept = [game.clone(state)]
    for _ in play(game, state, random_chooser(seeded(seed))):
        kept.append(game.clone(state))
    return kept


def test_the_list_was_written_with_this_version() -> None:
    assert catalogue().open_spiel == version("open_spiel")
    assert read(written(catalogue())) == catalogue()


def test_at_least_thirty_games_are_proven() -> None:
    proven = {name for name, facts in catalogue().games.items() if facts.is_proven}
    assert len(proven) >= 30
    assert proven >= NAMED


def test_all_games_of_the_list_are_offered_and_none_that_does_not_suit() -> None:
    offered = {slug for slug in GAMES if slug.startswith("spiel_")}
    assert offered == {f"spiel_{name}" for name in catalogue().games}
    assert not offered & {f"spiel_{name}" for name in catalogue().unsuitable}
    assert "spiel_hanabi" not in GAMES
    assert catalogue().unsuitable["hanabi"] == "it is cooperative: all seats have the same score"


def test_an_unproven_game_is_played_only_when_that_is_asked_for() -> None:
    unproven = next(name for name, facts in sorted(catalogue().games.items()) if not facts.is_proven)
    game = made(unproven)
    with pytest.raises(ValueError, match=r"^unproven: .* set unproven = true to play it: "):
        game.options({})
    assert game.options({"unproven": True}).unproven


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ("imp_info=true", "changes the game's information"),
        ("no_such=1", "parameters: "),
        ("num_cards=5)", "is not a list"),
        ("num_cards=fünf", "is not a list"),
        ("num_cards=5\0", "is not a list"),
        ("num_cards=" + "5" * 500, "is not a list"),
    ],
)
def test_parameters_are_checked(parameters: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAMES["spiel_goofspiel"].options({"parameters": parameters})


@pytest.mark.parametrize(
    ("slug", "parameters", "said"),
    [
        (
            "spiel_connect_four",
            "rows=0",
            "OpenSpiel crashes, or needs more than 20 s or 4 GiB, with connect_four(rows=0)",
        ),
        ("spiel_goofspiel", "num_cards=0", ""),
        ("spiel_goofspiel", "num_cards=-1", ""),
    ],
)
def test_parameters_that_crash_openspiel_are_refused_by_a_process_that_lives_on(
    slug: str, parameters: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=r"^parameters: .") as refused:
        GAMES[slug].options({"parameters": parameters})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_parameters_change_the_game() -> None:
    game = GAMES["spiel_goofspiel"]
    state = game.new(4, 1, game.options({"parameters": "num_cards=5"}))
    assert len(game.legal_actions(state, 0)) == 5


def test_a_wrong_text_beside_a_number_is_refused_and_no_text_is_not() -> None:
    game = GAMES["spiel_connect_four"]
    state = game.new(2, 1, game.options({}))
    move = game.legal_actions(state, 0)[3]
    game.check(state, 0, type(move)(move.action, ""))
    for wrong in (type(move)(move.action, "x9"), type(move)(99, ""), type(move)(True, ""), object()):
        with pytest.raises(IllegalActionError):
            game.check(state, 0, wrong)


def test_a_view_of_hearts_has_gaps_where_the_seat_knows_nothing() -> None:
    """Its own thirteen cards are there, sorted since it did not see in which order they came; the rest are gaps."""
    state = positions("spiel_hearts", 4)[12]
    view = GAMES["spiel_hearts"].observe(state, 2)
    dealt, real = view.history[1:53], state.spiel.history()[1:53]
    own = [card for place, card in enumerate(dealt) if place % 4 == 2]
    assert own == sorted(card for place, card in enumerate(real) if place % 4 == 2)
    assert [card for place, card in enumerate(dealt) if place % 4 != 2] == [GAP] * 39


@pytest.mark.parametrize("name", ["hearts", "spades", "euchre", "oh_hell"])
def test_a_filled_deal_can_be_played_and_looks_the_same(name: str) -> None:
    """OpenSpiel's own resampling cannot promise either in hearts and euchre."""
    differing = 0
    for state in positions(f"spiel_{name}", 5)[:-1:3]:
        setting, spiel = state.setting, state.spiel
        movers = [each.player for each in spiel.full_history()]
        for seat in range(setting.game.num_players()):
            text = setting.text_of(spiel, seat)
            known = known_history(setting, spiel.history(), seat)
            world = filled(setting, known, movers, seat, text, asked(spiel), seeded(seat))
            assert world is not None
            assert known_history(setting, world.history(), seat) == known
            differing += world.history() != spiel.history()
    assert differing > 0


def test_a_twin_looks_the_same_to_its_seat_and_not_to_the_others() -> None:
    state = positions("spiel_hearts", 6)[20]
    setting, spiel = state.setting, state.spiel
    other = twin(setting, spiel, 0, seeded(1))
    assert other.history() != spiel.history()
    assert setting.text_of(other, 0) == setting.text_of(spiel, 0)
    assert any(setting.text_of(other, seat) != setting.text_of(spiel, seat) for seat in (1, 2, 3))


def test_the_end_of_a_match_with_secrets_is_imagined_as_it_was_seen() -> None:
    game, end = GAMES["spiel_hearts"], positions("spiel_hearts", 7)[-1]
    view = game.observe(end, 1)
    imagined = game.imagine(view, 1, seeded(1))
    assert isinstance(imagined.spiel, Ended)
    assert game.observe(imagined, 1) == view
    assert game.outcome(imagined) == game.outcome(end)


def test_a_view_without_a_history_cannot_be_imagined() -> None:
    game = GAMES["spiel_leduc_poker"]
    view = game.observe(game.new(3, 1, game.options({})), 0)
    bare = View(view.game, view.seat, view.to_move, view.text, (), (), ())
    with pytest.raises(CannotImagineError, match="spiel_leduc_poker"):
        game.imagine(bare, 0, seeded(1))


def test_hidden_choices_are_told_to_who_made_them_alone() -> None:
    game = GAMES["spiel_hearts"]
    assert game.witness(Moved(1, "Pass QS"), 1) == Moved(1, "Pass QS")
    assert game.witness(Moved(1, "Pass QS"), 2) == Moved(1, "")
    assert game.describe(Moved(1, "")) == "seat 1 moves"


def test_playouts_leave_the_list_of_a_state_as_it_was() -> None:
    game = GAMES["spiel_backgammon"]
    state = game.new(2, 3, game.options({}))
    before = game.digest(state)
    game.playout(game.clone(state), seeded(1))
    assert game.digest(state) == before
    assert isinstance(state, State)
    assert setting_of(state.name) is state.setting
